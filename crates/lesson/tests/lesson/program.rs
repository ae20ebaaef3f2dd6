//! The program of every texel arrives at what the GPU wrote, by the reads that it made.

use std::collections::{BTreeMap, BTreeSet};

use rasterscan::tools::{Job, Task};
use rasterscan::trace::{Place, Reader, Recording, Work};
use rasterscan_lesson::program::Programs;

use super::runs::{choices, record, request, values};

/// Checks all texels of all draws. Returns how many programs there are, and the reasons why others are not.
fn check(recording: &Recording, none: &mut BTreeMap<String, usize>) -> usize {
    let mut found = 0;
    for (number, pass) in recording.passes.iter().enumerate() {
        if !matches!(pass.work, Work::Draw { .. }) {
            continue;
        }
        let programs = Programs::new(recording, number);
        let layout = recording.layout(pass.targets[0].stream);
        let reads = pass.reads.iter().find(|reads| reads.by == Reader::Texel);
        for texel in 0..layout.texels() as u32 {
            let what =
                || format!("{}, {}, pass {number}, texel {texel}", recording.algorithm, recording.request);
            let written = pass.written[0].as_ref().is_none_or(|written| written[texel as usize]);
            match programs.as_ref().map_err(String::clone).and_then(|programs| programs.at(texel)) {
                Ok(program) => {
                    assert_eq!(program.writes, written, "{}", what());
                    let read: BTreeSet<Place> =
                        program.steps.iter().flat_map(|step| step.reads.iter().copied()).collect();
                    let recorded = reads.and_then(|reads| reads.of(texel as usize));
                    if let Some(recorded) = recorded.filter(|_| written) {
                        assert_eq!(read, recorded.iter().copied().collect(), "{}", what());
                    }
                    let lines = program.steps.iter().map(|step| &program.lines[step.line - 1]);
                    assert!(lines.clone().count() > 0, "{}", what());
                    lines.for_each(|line| assert!(line.live, "{}: {}", what(), line.text));
                    found += 1;
                }
                Err(_) if !written => {}
                // Neither is recorded.
                Err(why) if why.contains("geometry shader") || why.contains("past the end") => {}
                Err(why) => {
                    *none.entry(format!("{}: {why}", pass.main_shader().unwrap().path)).or_default() += 1
                }
            }
        }
    }
    found
}

fn every_texel_has_a_program() {
    let gpu = rasterscan_runner::gpu();
    let (mut found, mut none) = (0, BTreeMap::new());
    for choice in choices() {
        let problem = choice.card.problem;
        let data = values(problem, 40, 3);
        let Some(recording) = record(&gpu, &choice, &request(problem, 40), &[&data]) else { continue };
        found += check(&recording, &mut none);
    }
    for words in [
        "--op affine --exclusive",
        "--dtype f32 --exclusive",
        "--dtype i64 --op max",
        "--dtype u64 --op affine",
    ] {
        for name in ["horn", "hybrid", "packed"] {
            let words = format!("scan random:n=40,max=99 {words} -a {name}");
            let job = Job::parse(words.split(' ')).unwrap();
            let task = Task::of_job(&job).unwrap();
            let choice = job.choose(task.request(), gpu.device()).unwrap().choice;
            let recording = rasterscan::tools::record::record(&gpu, &choice, &task).unwrap();
            found += check(&recording, &mut none);
        }
    }
    println!("{found} programs; none for {none:#?}");
    assert!(found > 1000 && none.is_empty());
}

crate::tests![every_texel_has_a_program];
