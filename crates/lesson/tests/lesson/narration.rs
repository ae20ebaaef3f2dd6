//! Every pass has a sentence, which names a value of the pass, and whose equations are true.

use std::collections::BTreeSet;

use rasterscan::tools::Numbers;
use rasterscan::tools::job::Job;
use rasterscan::tools::problem::{COMPACT, SCAN, SORT};
use rasterscan::tools::record::record_job;
use rasterscan::tools::registry::Choice;
use rasterscan::trace::Recording;
use rasterscan::{
    CompactSpec, Comparison, Condition, ElementType, Moves, Operator, ScanKind, ScanSpec, SortSpec,
    tools::Request,
};
use rasterscan_lesson::{Narration, narrate, narrate_pass, narrated_shaders};

use super::equations;
use super::german::{hear, nothing_was_english};
use super::runs::{choice, choices, numbers, record, request, sparse, values};

/// Checks the text at every position of a recording; returns the number of equations.
fn check(recording: &Recording, shown: &mut BTreeSet<String>) -> usize {
    let item = recording.request.item();
    let (element, arity) = (item.element, item.operator.arity());
    let what = format!("{}: {}", recording.algorithm, recording.request);
    let mut found = 0;
    for position in 0..=recording.passes.len() {
        let text = narrate(recording, position);
        for wrong in ["recording says", "should be", "which is not what"] {
            assert!(!text.contains(wrong), "{what}, position {position}: {text}");
        }
        assert!(text.ends_with('.') && !text.starts_with(|c: char| c.is_lowercase()), "{what}: {text}");
        found += equations::check(&text, element, arity);
        hear(&text);
    }
    for (number, pass) in recording.passes.iter().enumerate() {
        let shader = pass.main_shader().expect("a pass is about a shader").path.clone();
        let text = match narrate_pass(recording, number) {
            Some(Narration { text, .. }) => text,
            None => {
                let own = narrated_shaders().any(|known| shader.starts_with(&format!("{known}.")));
                assert!(!own, "{what}: pass {} ({}, {shader}) is not told", number + 1, pass.phase);
                narrate(recording, number + 1)
            }
        };
        assert!(
            names_a_value(recording, number, &text),
            "{what}, pass {}: no value of it: {text}",
            number + 1
        );
        shown.insert(shader);
    }
    found
}

/// Returns whether a number of the text was read or written by the pass, as a decimal number or a hexadecimal word.
fn names_a_value(recording: &Recording, pass: usize, text: &str) -> bool {
    let words: BTreeSet<&str> = text
        .split(|c: char| c.is_whitespace() || "(),;:[]".contains(c))
        .map(|word| word.trim_end_matches('.'))
        .collect();
    let sources =
        recording.passes[pass].sources.iter().filter_map(|source| recording.before(pass, source.stream));
    let targets = recording.passes[pass].targets.iter().map(|target| &target.values);
    targets.chain(sources).any(|values| {
        (0..values.len()).any(|index| {
            words.contains(values.decimal(index).as_str()) || words.contains(values.hex(index).as_str())
        })
    })
}

fn every_pass_of_every_algorithm_is_told() {
    let gpu = rasterscan_runner::gpu();
    let (mut shown, mut found, mut recorded) = (BTreeSet::new(), 0, 0);
    for choice in choices() {
        for len in [0, 1, 2, 7, 100, 300] {
            let family = choice.card.problem;
            let data = values(family, len, len as u64);
            let mut requests = vec![request(family, len)];
            // Keys move in pairs with their indices.
            let both = SortSpec::new::<u32>(len).moves(Moves::Both);
            requests.extend((family == SORT && len > 0).then(|| Request::from(&both)));
            for request in requests {
                let Some(recording) = record(&gpu, &choice, &request, &[&data]) else { break };
                if std::env::var_os("SHOW").is_some() {
                    show(&recording);
                }
                found += check(&recording, &mut shown);
                recorded += 1;
            }
        }
    }
    println!("{recorded} recordings, {found} equations");
    assert!(found > recorded, "too few equations: {found} in {recorded} recordings");
    let is_shown = |known: &&str| shown.iter().any(|shader| shader.rsplit_once('.').unwrap().0 == *known);
    let idle: Vec<&str> = narrated_shaders().filter(|known| !is_shown(known)).collect();
    assert!(idle.is_empty() || gpu.device().compute.is_none(), "sentences without a recording: {idle:?}");
    nothing_was_english();
}

fn show(recording: &Recording) {
    println!("\n{}: {}", recording.algorithm, recording.request);
    for position in 0..=recording.passes.len() {
        println!("  {position}. {}", narrate(recording, position));
    }
}

/// All operators on all elements and kinds, by algorithms whose sentences differ.
fn equations_hold_for_all_operators_and_elements() {
    let gpu = rasterscan_runner::gpu();
    let algorithms = [
        "horn",
        "hybrid:reduce=max",
        "packed:block=2",
        "harris:variant=naive,block=16",
        "three_phase:vectors=1,group=8",
    ];
    let (mut shown, mut found, mut recorded) = (BTreeSet::new(), 0, 0);
    for element in ElementType::ALL {
        for operator in Operator::ALL.into_iter().filter(|operator| operator.accepts(element)) {
            for kind in [ScanKind::Inclusive, ScanKind::Exclusive] {
                let spec = ScanSpec::of(element, 60).operator(&operator).kind(kind);
                let data = typed(element, spec.elements() as usize, &operator);
                // Compute shaders are slow to compile: a few of them are enough.
                let both = [Operator::ADD, Operator::AFFINE].contains(&operator);
                let most = if both { algorithms.len() } else { 3 };
                for algorithm in &algorithms[..most] {
                    let choice = choice(SCAN, algorithm);
                    let Some(recording) = record(&gpu, &choice, &Request::from(&spec), &[&data]) else {
                        continue;
                    };
                    found += check(&recording, &mut shown);
                    recorded += 1;
                }
            }
        }
    }
    assert!(found > recorded, "{found} equations in {recorded} recordings");
    nothing_was_english();
}

/// Small numbers, parsed from text so that they suit any element.
fn typed(element: ElementType, count: usize, operator: &Operator) -> Numbers {
    let small = [Operator::MUL, Operator::AFFINE].contains(operator);
    let number = |number: u32| if small { 1 + number % 3 } else { number };
    let text: Vec<String> = numbers(count, 5).into_iter().map(|n| number(n).to_string()).collect();
    Numbers::parse(element, &text.join(" ")).expect("every element can hold small whole numbers")
}

fn tuples_orders_and_their_like_have_true_sentences() {
    let gpu = rasterscan_runner::gpu();
    let mut shown = BTreeSet::new();
    let algorithms = [
        "horn",
        "hybrid:reduce=max",
        "packed:block=2",
        "harris:variant=padded,block=8",
        "capannini:block=32",
        "capannini:pattern=cm,block=32",
        "three_phase:vectors=2,group=8",
        "reduce_then_scan:vectors=2,group=8",
        "chained:vectors=1,group=8",
        "look_back:vectors=1,group=8",
        "sam:vectors=1,group=8",
    ];
    for algorithm in algorithms {
        for (order, tuple) in [(2, 1), (1, 3), (3, 2)] {
            for kind in [ScanKind::Inclusive, ScanKind::Exclusive] {
                let spec = ScanSpec::new::<u32>(300).order(order).tuple(tuple).kind(kind);
                let choice = choice(SCAN, algorithm);
                let data = Numbers::of(&numbers(300, 11));
                let Some(recording) = record(&gpu, &choice, &Request::from(&spec), &[&data]) else {
                    continue;
                };
                check(&recording, &mut shown);
            }
        }
    }
    nothing_was_english();
}

fn compactions_of_all_kinds_have_true_sentences() {
    let gpu = rasterscan_runner::gpu();
    let mut shown = BTreeSet::new();
    let len = 300;
    let mask = Numbers::of(&sparse(len, 2));
    let above = Condition::new(Comparison::Greater, 5000u32);
    for choice in choices().iter().filter(|choice| choice.card.problem == COMPACT) {
        // Some kept, nothing, everything; what is moved; a mask.
        let spec = CompactSpec::new::<u32>(len);
        let cases = [
            (spec.keep(above), Numbers::of(&numbers(len, 1))),
            (spec, Numbers::of(&vec![0u32; len])),
            (spec, Numbers::of(&numbers(len, 1))),
            (spec.moves(Moves::Indices), Numbers::of(&sparse(len, 1))),
            (spec.moves(Moves::Both).masked(), Numbers::of(&numbers(len, 4))),
        ];
        for (spec, data) in cases {
            let streams = [&data, &mask];
            let used = if spec.keep == rasterscan::Keep::Mask { 2 } else { 1 };
            let Some(recording) = record(&gpu, choice, &Request::from(&spec), &streams[..used]) else {
                continue;
            };
            check(&recording, &mut shown);
        }
    }
    nothing_was_english();
}

/// The numbers of sengupta2006 by Horn's scan, in words.
fn horn_is_told_as_the_paper_runs_it() {
    let gpu = rasterscan_runner::gpu();
    let data = Numbers::of(&[3u32, 1, 7, 0, 4, 1, 6, 3]);
    let spec = ScanSpec::new::<u32>(8);
    let recording = record(&gpu, &choice(SCAN, "horn"), &Request::from(&spec), &[&data]).unwrap();
    assert_eq!(
        narrate(&recording, 3),
        "Step 3 of 3: each value is combined with the one 4 positions to its left. x[7] becomes x[3] + x[7] \
         = 11 + 14 = 25; the first 4 are already complete. Done after 3 passes: the last result is 25, which \
         matches a sequential loop. The operator was applied 17 times; a loop needs 7."
    );
    assert_eq!(narrate(&recording, 3), narrate(&recording, 99), "past the end is the end");
    let mut broken = recording.clone();
    broken.passes[2].uniforms.clear();
    assert_eq!(narrate_pass(&broken, 2), None);
    assert!(narrate(&broken, 3).starts_with("Scan 3 of 3: fragments read"), "{}", narrate(&broken, 3));
}

/// Scans with options: what is said is true, and the passes around the scan have a sentence each.
/// Why so many reduces, probes or vertices, in the numbers of the run.
fn counts_have_their_reasons() {
    let gpu = rasterscan_runner::gpu();
    let told = |job: &str, phase: &str| {
        let recording = record_job(&gpu, &Job::parse(job.split(' ')).unwrap()).unwrap();
        let pass = recording.passes.iter().rposition(|pass| pass.phase == phase).unwrap();
        narrate(&recording, pass + 1)
    };
    let hybrid = told("scan random:n=256 -a hybrid:reduce=4", "reduce");
    assert!(
        hybrid.contains("make 12 passes, R more than Horn's 8, but 525 combinations, not 1,793."),
        "{hybrid}"
    );
    assert!(hybrid.contains("here from R = 3 on"), "{hybrid}");
    let blocks = told("compact random:n=64,keep=0.6 -a blocks:size=8", "left parts");
    assert!(blocks.contains("16 vertices, 2 for each block; as points the 64 elements would"), "{blocks}");
    let quads = told("compact random:n=64,keep=0.6 -a blocks:size=8,draw=quads", "left parts");
    assert!(quads.contains("48 vertices, 6 for each block"), "{quads}");
    // Of 0 1 1 0 1 the result's first element is at 1, and the last index bounds it by 2: one probe more tells them apart.
    let search = told("compact values:0,1,1,0,1 -a horn", "search");
    assert!(
        search.contains(
            "leave 2 indices, 1 to 2, and each further one halves them: 2 + log2 2, rounded up, is 3"
        ),
        "{search}"
    );
}

fn scans_with_options_are_told() {
    let gpu = rasterscan_runner::gpu();
    let data = Numbers::from((1..=48).collect::<Vec<u32>>());
    let bits = Numbers::from(vec![0x0010_0401u32, 0x81]);
    let (seed, plain) = (Numbers::from(vec![1000u32]), ScanSpec::new::<u32>(48));
    let specs = [
        (plain.rows(12), vec![], "in each row of 12 on its own"),
        (plain.columns(6).exclusive(), vec![], "in each column of rows of 6"),
        (plain.segmented().with_seed(), vec![&bits, &seed], "beginning with a given value"),
        (plain.reversed().with_total(), vec![], "from the last item to the first"),
    ];
    let mut told = BTreeSet::new();
    for name in ["horn", "packed", "reduce_then_scan:lanes=shared,group=8,vectors=1"] {
        let choice = Choice::parse(SCAN, name).unwrap();
        for (spec, side_input, says) in &specs {
            let inputs: Vec<&Numbers> = [&data].into_iter().chain(side_input.iter().copied()).collect();
            let Some(recording) = record(&gpu, &choice, &Request::from(spec), &inputs) else { continue };
            let text: Vec<String> =
                (0..=recording.passes.len()).map(|position| narrate(&recording, position)).collect();
            assert!(text[0].contains(says), "{choice}: {}", text[0]);
            assert!(
                text.iter().all(|text| !text.contains("which is not what") && text.ends_with('.')),
                "{choice}: {text:?}"
            );
            told.extend(
                (0..recording.passes.len())
                    .filter_map(|pass| Some(narrate_pass(&recording, pass)?.text))
                    .map(|text| text.split(':').next().unwrap_or_default().to_owned()),
            );
        }
    }
    let expected = ["Arrange", "Restore", "Total"];
    assert!(expected.iter().all(|phase| told.contains(*phase)), "{told:?}");
    nothing_was_english();
}

crate::tests![
    scans_with_options_are_told,
    counts_have_their_reasons,
    every_pass_of_every_algorithm_is_told,
    equations_hold_for_all_operators_and_elements,
    tuples_orders_and_their_like_have_true_sentences,
    compactions_of_all_kinds_have_true_sentences,
    horn_is_told_as_the_paper_runs_it,
];
