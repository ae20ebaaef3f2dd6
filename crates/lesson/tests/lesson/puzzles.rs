//! The built-in puzzles can be solved, their beginnings are wrong where they should be, and no text hangs.

use rasterscan::tools::job::Job;
use rasterscan::tools::record::Recorder;
use rasterscan::trace::{Place, Recording};
use rasterscan::{Error, Gpu, tools::Task};
use rasterscan_lesson::edit::{Edits, marks};
use rasterscan_lesson::file::{Lesson, PUZZLES};
use rasterscan_lesson::puzzle::{Failure, Puzzle, Verdict};
use rasterscan_lesson::worked::worked;
use rasterscan_lesson::{listing, narrate, work};

pub fn record(gpu: &Gpu, job: &Job, edits: &Edits) -> Result<Recording, Failure> {
    let recorder = Recorder::of_job(gpu, job)?.with_shaders(|shader| edits.instead_of(shader));
    Ok(recorder.finish()?)
}

/// The algorithm's own text.
fn own(gpu: &Gpu, puzzle: &Puzzle) -> Option<String> {
    let recording = record(gpu, &puzzle.job, &Edits::default()).ok()?;
    let mut shaders = recording.passes.into_iter().flat_map(|pass| pass.shaders);
    Some(shaders.find(|shader| shader.path == puzzle.shader).expect("the run uses the shader").text)
}

fn the_own_shader_solves_a_puzzle_and_its_beginning_does_not() {
    let gpu = rasterscan_runner::gpu();
    assert_eq!(PUZZLES.puzzles.len(), 14);
    for puzzle in &PUZZLES.puzzles {
        let judge = |text: &str| puzzle.judge(text, &mut |job, edits| record(&gpu, job, edits));
        let Some(text) = own(&gpu, puzzle) else {
            assert!(matches!(judge(&puzzle.start), Verdict::Unsupported(_)));
            println!("not applicable: {}", puzzle.name);
            continue;
        };
        let verdict = judge(&text);
        assert_eq!(verdict.is_solved(), !puzzle.beat, "{}: {verdict}", puzzle.name);
        let verdict = judge(&puzzle.start);
        assert!(!verdict.is_solved(), "{}: {verdict}", puzzle.name);
        println!("{}: {verdict}", puzzle.name);
        let right = matches!(verdict, Verdict::Right { .. });
        assert_eq!(right, matches!(&*puzzle.name, "conflicts" | "fewer"), "{}: {verdict}", puzzle.name);
    }
}

/// A student's text has no branches that no run takes, and is the algorithm's own text otherwise.
fn puzzles_show_what_their_runs_use() {
    let gpu = rasterscan_runner::gpu();
    for puzzle in &PUZZLES.puzzles {
        for gap in &puzzle.gaps {
            assert!(gap.start < gap.end && gap.end <= puzzle.start.lines().count(), "{}", puzzle.name);
        }
        for noise in ["#ifdef HEADS", "#ifdef BLOCK", "With HEADS", "With BLOCK"] {
            assert!(!puzzle.start.contains(noise), "{}: {noise}\n{}", puzzle.name, puzzle.start);
        }
        let cases: Vec<String> = puzzle.cases.iter().map(|case| format!("'{case}'")).collect();
        let text = format!(
            "title = 't'\n[[puzzle]]\nname = 'p'\ntitle = 'p'\njob = '{}'\nshader = '{}'\ncases = [{}]\n",
            puzzle.job,
            puzzle.shader,
            cases.join(", ")
        );
        let whole = &Lesson::parse(&text).unwrap().puzzles[0];
        let verdict = whole.judge(&whole.start, &mut |job, edits| record(&gpu, job, edits));
        let without_gpu = matches!(verdict, Verdict::Unsupported(_));
        assert!(without_gpu || verdict.is_solved(), "{}: {verdict}\n{}", puzzle.name, whole.start);
    }
    let horn = &PUZZLES.puzzle("horn").unwrap().start;
    assert!(!horn.contains('#') || horn.lines().all(|line| !line.starts_with("#if")), "{horn}");
    assert!(PUZZLES.puzzle("exclusive").unwrap().start.contains("#if MOVED"), "its passes differ in it");
    println!("{horn}");
}

fn fewer_texels_than_packed_are_possible() {
    let gpu = rasterscan_runner::gpu();
    let puzzle = PUZZLES.puzzle("fewer").unwrap();
    let loops = "    for (int before = texel % BLOCK; before > 0; before--) { // at most BLOCK turns
        sum = combine(sum, sum_of(fetch(u_values, here - ivec2(before, 0), u_values_shape)));
    }
";
    let from_the_end = "#if SUMS
    bool whole = (block + 1) * BLOCK * ITEMS <= u_values_shape.w;
    if (whole && texel % BLOCK > BLOCK / 2) {
        sum = item_at(u_sums, block, u_sums_shape);
        for (int after = BLOCK - 1 - texel % BLOCK; after > 0; after--) {
            sum -= sum_of(fetch(u_values, here + ivec2(after, 0), u_values_shape));
        }
        sum -= sum_of(values);
    } else
#endif
    {
        for (int before = texel % BLOCK; before > 0; before--) {
            sum = combine(sum, sum_of(fetch(u_values, here - ivec2(before, 0), u_values_shape)));
        }
    }
";
    assert_eq!(puzzle.start.matches(loops).count(), 1);
    let text = puzzle.start.replace(loops, from_the_end);
    let verdict = puzzle.judge(&text, &mut |job, edits| record(&gpu, job, edits));
    assert!(verdict.is_solved(), "{verdict}");
}

fn a_wrong_shader_is_located() {
    let gpu = rasterscan_runner::gpu();
    let puzzle = PUZZLES.puzzle("horn").unwrap();
    let text = own(&gpu, puzzle).unwrap();
    // Wrong from the third pass on, at position 9: it misses what is 4 to its left.
    let wrong = text.replace("    write_item(item);\n}", "    if (u_offset == texel_at(4, u_source_shape) && index_of(right, u_source_shape) == 9) { item = identity(); }\n    write_item(item);\n}");
    assert_ne!(wrong, text);
    let verdict = puzzle.judge(&wrong, &mut |job, edits| record(&gpu, job, edits));
    let Verdict::Wrong { case: 0, difference: Some(difference), .. } = &verdict else { panic!("{verdict}") };
    assert_eq!((difference.pass, difference.position, &*difference.got), (2, 9, "0"), "{verdict}");
    // Right in the run shown, wrong in a hidden one.
    let hidden = text.replace(
        "    write_item(item);\n}",
        "    if (u_source_shape.w > 30) { item = identity(); }\n    write_item(item);\n}",
    );
    let verdict = puzzle.judge(&hidden, &mut |job, edits| record(&gpu, job, edits));
    assert!(matches!(verdict, Verdict::Wrong { case: 2, .. }), "{verdict}");
}

fn errors_stand_at_the_lines_of_the_text() {
    let gpu = rasterscan_runner::gpu();
    let puzzle = PUZZLES.puzzle("horn").unwrap();
    let text = own(&gpu, puzzle).unwrap();
    let line = 1 + text.lines().position(|line| line.contains("write_item(item);")).unwrap();
    for wrong in ["write_item(itm);", "write_item(item;", "write_item(1.5, item);", "wrong write_item(item);"]
    {
        let edits = puzzle.edits(&text.replace("    write_item(item);\n}", &format!("    {wrong}\n}}")));
        let Err(Failure::Error(error)) = record(&gpu, &puzzle.job, &edits) else {
            panic!("{wrong} compiles")
        };
        let lines: Vec<usize> = marks(&error, &puzzle.shader).iter().map(|mark| mark.line).collect();
        // A missing bracket shows at the next one.
        assert!(lines.iter().any(|at| (line..=line + 1).contains(at)), "{wrong}: {lines:?}: {error}");
    }
    let include = puzzle.edits("#include \"/etc/passwd\"\nvoid main() {}\n");
    assert!(
        matches!(record(&gpu, &puzzle.job, &include), Err(Failure::Error(error)) if error.contains("/etc/passwd"))
    );
}

fn no_text_hangs() {
    let gpu = rasterscan_runner::gpu();
    let puzzle = PUZZLES.puzzle("horn").unwrap();
    let text = own(&gpu, puzzle).unwrap();
    let own = record(&gpu, &puzzle.job, &Edits::default()).unwrap();
    for endless in [
        "for (;;) {}",
        "while (true) ;",
        "int i = 0; do { i++; } while (true);",
        "for (int i = 0; i < 1; i--, i++) continue;",
        "for (;;) for (;;) { while (true) {} }",
        "#define FOREVER while (true)\nFOREVER ;",
        "#define A(x) x (;;)\nA(for) { item = combine(item, item); }",
        "uint u = 0u; while (u >= 0u) { u += 2u; u |= 1u; }",
    ] {
        let edits = puzzle.edits(
            &text.replace("    write_item(item);\n}", &format!("\n{endless}\n    write_item(item);\n}}")),
        );
        let run = record(&gpu, &puzzle.job, &edits).unwrap_or_else(|error| panic!("{endless}: {error:?}"));
        assert_eq!(run.passes.len(), own.passes.len(), "{endless}");
    }
    // A loop that reads without end would fill the memory with its recording.
    let reads = "for (;;) { item = combine(fetch_item(u_source, left, u_source_shape), item); }";
    let edits = puzzle
        .edits(&text.replace("    write_item(item);\n}", &format!("{reads}\n    write_item(item);\n}}")));
    let error = record(&gpu, &puzzle.job, &edits).unwrap_err();
    assert!(matches!(&error, Failure::Unsupported(text) if text.contains("reads")), "{error:?}");
    let long = puzzle.edits(&" ".repeat(1 << 20));
    assert!(long.check().is_err());
}

/// A narration of an edited shader trusts no plan: a text that adds nothing does not "add".
fn of_an_edit_only_what_was_recorded_is_said() {
    let gpu = rasterscan_runner::gpu();
    let puzzle = PUZZLES.puzzle("horn").unwrap();
    let run = |text: &str| record(&gpu, &puzzle.job, &puzzle.edits(text)).unwrap();
    let own = record(&gpu, &puzzle.job, &Edits::default()).unwrap();
    let nothing = run(&puzzle.start);
    let at = Place { of: 0, index: 9 };
    for pass in 0..4 {
        assert!(narrate(&own, pass + 1).contains(" + "), "{}", narrate(&own, pass + 1));
        let text = narrate(&nothing, pass + 1);
        assert!(text.contains("The shader is edited. It made 16 recorded reads."), "{text}");
        assert!([" + ", "applied", "stopped"].iter().all(|word| !text.contains(word)), "{text}");
        assert_eq!(listing::lit(&nothing, pass), []);
        let how = worked(&nothing, pass, at, 9).unwrap();
        assert!(!how.derived && how.text.contains(", from "), "{how:?}");
    }
    let endless =
        puzzle.start.replace("    write_item(item);\n}", "    for (;;) {}\n    write_item(item);\n}");
    let text = narrate(&run(&endless), 2);
    assert!(text.contains("Its loops were stopped after 16384 turns."), "{text}");
    // Without the marks of stopped shaders it is a recording like others.
    let json = run(&endless).to_json().unwrap();
    let read = Recording::from_json(&json).unwrap();
    assert!(read.passes.iter().all(|pass| pass.stopped && pass.shaders.iter().any(|shader| shader.edited)));
    assert_eq!(narrate(&read, 2), text);
    assert!(Recording::from_json(&own.to_json().unwrap()).unwrap().passes.iter().all(|pass| !pass.stopped));
}

/// Plans count no work for padding, and neither are the reads for it.
fn what_is_read_for_padding_does_not_count() {
    for words in ["scan random:n=1000,max=9 -a horn", "scan random:n=1000,max=9 -a blelloch"] {
        let run = rasterscan_kernels::record_job(&Job::parse(words.split(' ')).unwrap()).unwrap();
        for pass in &run.passes {
            assert_eq!(work::reads(&run, pass), pass.cost.texels_read, "{words}, {}", pass.phase);
        }
        let counted: work::Moved = (0..run.passes.len()).map(|pass| work::moved(&run, pass)).sum();
        let stated = run.cost_before(run.passes.len());
        assert_eq!(
            (counted.texels_read, counted.texels_written),
            (stated.texels_read, stated.texels_written),
            "{words}"
        );
    }
    let run = "compact random:n=64,max=9,keep=0.6 -a histopyramid";
    let run = rasterscan_kernels::record_job(&Job::parse(run.split(' ')).unwrap()).unwrap();
    assert_eq!(run.cost_before(run.passes.len()).adds, 63);
}

fn compute_does_not_hang() {
    let gpu = rasterscan_runner::gpu();
    let puzzle = PUZZLES.puzzle("conflicts").unwrap();
    let Some(text) = own(&gpu, puzzle) else { return println!("not applicable: no compute") };
    let anchor = "    // E: write results.";
    assert_eq!(text.matches(anchor).count(), 1);
    for endless in
        ["for (;;) {}", "for (;;) { sync_group(); }", "while (true) { set_temp(first, temp(second)); }"]
    {
        let edits = puzzle.edits(&text.replace(anchor, &format!("    {endless}\n{anchor}")));
        match record(&gpu, &puzzle.job, &edits) {
            Ok(_) | Err(Failure::Unsupported(_)) => {}
            Err(Failure::Error(error)) => panic!("{endless}: {error}"),
        }
    }
}

/// The guard changes no result of any shader of the library.
fn the_guard_lets_every_shader_pass() {
    let gpu = rasterscan_runner::gpu();
    let mut known = std::collections::HashSet::new();
    for choice in super::runs::choices() {
        // One choice of each algorithm: all of them take minutes.
        if !known.insert((choice.card.problem.name, choice.card.name)) {
            continue;
        }
        let request = super::runs::request(choice.card.problem, 100);
        let values = super::runs::values(choice.card.problem, 100, 3);
        let Some(own) = super::runs::record(&gpu, &choice, &request, &[&values]) else { continue };
        let mut edits = Edits::default();
        for shader in own.passes.iter().flat_map(|pass| &pass.shaders) {
            edits.set(&shader.path, &shader.text);
        }
        let streams = super::runs::with_edges(&request, &[&values]);
        let task = Task::new(request, streams).unwrap();
        let recorder = Recorder::new(&gpu, &choice, task).unwrap();
        let run = match recorder.with_shaders(|shader| edits.instead_of(shader)).finish() {
            Ok(run) => run,
            Err(error @ Error::Shader { .. }) => panic!("{choice}: {error}"),
            Err(error) => panic!("{choice}: {error}"),
        };
        assert_eq!(rasterscan_lesson::puzzle::check(&own, &run).result, None, "{choice}");
    }
}

crate::tests![
    the_own_shader_solves_a_puzzle_and_its_beginning_does_not,
    puzzles_show_what_their_runs_use,
    fewer_texels_than_packed_are_possible,
    a_wrong_shader_is_located,
    errors_stand_at_the_lines_of_the_text,
    no_text_hangs,
    of_an_edit_only_what_was_recorded_is_said,
    what_is_read_for_padding_does_not_count,
    compute_does_not_hang,
    the_guard_lets_every_shader_pass,
];
