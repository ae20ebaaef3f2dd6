//! Every pass executes some line of the pseudo-code, and every marked line is executed by some pass.

use std::collections::{BTreeMap, BTreeSet};

use rasterscan::tools::problem::SCAN;
use rasterscan::trace::{Recording, SharedAccess, Work};
use rasterscan::{Gpu, ScanSpec, tools::Request};
use rasterscan_kmodel::Pattern;
use rasterscan_lesson::listing::{At, keys_of, listing, lit, lit_at, marks};
use rasterscan_lesson::shared::{self, Stage};

use super::runs::{choice, choices, record, request, values};

/// The keys of the bibliography.
fn keys() -> BTreeSet<String> {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/references.bib")).unwrap();
    let entries = text.lines().filter(|line| line.starts_with('@'));
    entries.filter_map(|line| Some(line.split_once('{')?.1.trim_end_matches(',').to_owned())).collect()
}

fn every_pass_lights_a_line_and_every_mark_is_of_a_pass() {
    let gpu = rasterscan_runner::gpu();
    let cited = keys();
    assert!(cited.contains("roger2007"));
    // For each listing, by title, the marks not yet seen.
    let mut open: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut met: BTreeSet<String> = BTreeSet::new();
    for choice in choices() {
        for len in [1, 7, 300] {
            let family = choice.card.problem;
            let mut requests = vec![request(family, len)];
            if let Some(spec) = requests[0].get::<rasterscan::ScanSpec>() {
                requests.push(rasterscan::tools::Request::from(&spec.exclusive()));
            }
            for request in requests {
                let Some(recording) = record(&gpu, &choice, &request, &[&values(family, len, 3)]) else {
                    continue;
                };
                let listing = listing(&recording);
                assert!(!listing.sections.is_empty(), "no pseudo-code for {}", recording.algorithm);
                for section in &listing.sections {
                    assert!(!section.sources.is_empty() && !section.lines.is_empty(), "{}", section.title);
                    assert!(section.sources.iter().all(|key| cited.contains(*key)), "{:?}", section.sources);
                    let corrected = section.lines.iter().any(|line| line.corrected);
                    assert_eq!(
                        corrected,
                        !section.corrected.is_empty(),
                        "{}: corrections are explained",
                        section.title
                    );
                }
                open.entry(format!("{choice}").split(':').next().unwrap().into())
                    .or_default()
                    .extend(marks(&listing));
                for pass in 0..recording.passes.len() {
                    let lit = lit(&recording, pass);
                    let phase = &recording.passes[pass].phase;
                    assert!(
                        !lit.is_empty(),
                        "{}: pass {} ({phase}) executes no line",
                        recording.algorithm,
                        pass + 1
                    );
                    assert!(lit.iter().all(|at| at.line < listing.sections[at.section].lines.len()));
                    met.extend(keys_of(&recording, pass));
                }
            }
        }
    }
    // A device without compute shaders sees none of their marks.
    if gpu.device().compute.is_some() {
        let unmet: BTreeSet<&str> =
            open.values().flatten().copied().filter(|mark| !met.contains(*mark)).collect();
        assert!(unmet.is_empty(), "marks without a pass: {unmet:?}");
    }
}

fn an_unknown_algorithm_has_no_listing_and_does_no_harm() {
    let gpu = rasterscan_runner::gpu();
    let horn = super::runs::choice(rasterscan::tools::problem::SCAN, "horn");
    let family = horn.card.problem;
    let mut recording = record(&gpu, &horn, &request(family, 7), &[&values(family, 7, 3)]).unwrap();
    recording.algorithm = "sklansky:height=3".into();
    recording.passes[0].shaders.clear();
    assert!(listing(&recording).sections.is_empty());
    assert!(lit(&recording, 0).is_empty() && lit(&recording, 99).is_empty());
}

/// The texts of the lines.
fn texts(recording: &Recording, lines: &[At]) -> Vec<&'static str> {
    let listing = listing(recording);
    lines.iter().map(|at| listing.sections[at.section].lines[at.line].text).collect()
}

fn scan(gpu: &Gpu, algorithm: &str, spec: &ScanSpec) -> Option<Recording> {
    let request = Request::from(spec);
    record(gpu, &choice(SCAN, algorithm), &request, &[&values(SCAN, spec.len as usize, 3)])
}

/// The pseudo-code covers both kinds of scan: the kind that print leaves out has a line, lit if the shader executes it.
fn the_other_kind_of_scan_has_a_line_that_is_lit_where_it_is_made() {
    let gpu = rasterscan_runner::gpu();
    let shifting = |recording: &Recording, pass: usize| {
        let pass = &recording.passes[pass];
        let defined =
            |name: &str| pass.defines.iter().find(|(given, _)| given == name).map(|(_, value)| *value);
        match pass.main_shader().unwrap().path.as_str() {
            "scan/horn/step.frag" => defined("MOVED") == Some(1),
            "scan/harris/naive.comp" | "scan/capannini/cm.comp" | "scan/packed/down_sweep.frag" => {
                defined("EXCLUSIVE") == Some(1)
            }
            "scan/harris/work_efficient.comp"
            | "scan/capannini/scan.comp"
            | "scan/capannini/down_sweep.comp" => defined("EXCLUSIVE") == Some(0),
            _ => false,
        }
    };
    for algorithm in [
        "horn",
        "packed:block=2",
        "harris:variant=naive,block=32",
        "harris:variant=work_efficient,block=32",
        "harris:block=32",
        "capannini:pattern=cm,block=32",
        "capannini:pattern=no_padding,block=32",
        "capannini:pattern=left_right,block=32",
    ] {
        for len in [20, 100] {
            let mut seen = 0;
            for spec in [ScanSpec::new::<u32>(len), ScanSpec::new::<u32>(len).exclusive()] {
                let Some(recording) = scan(&gpu, algorithm, &spec) else { continue };
                for pass in 0..recording.passes.len() {
                    let lit = texts(&recording, &lit(&recording, pass));
                    let shifts =
                        lit.iter().any(|text| text.contains("if inclusive") || text.contains("if exclusive"));
                    assert_eq!(
                        shifts,
                        shifting(&recording, pass),
                        "{algorithm}, {spec}, pass {}: {lit:?}",
                        pass + 1
                    );
                    seen += usize::from(shifts);
                }
            }
            assert!(seen > 0 || gpu.device().compute.is_none(), "{algorithm}: nothing of {len} is shifted");
        }
    }
}

/// The accesses of the first work group between two barriers.
fn between(recording: &Recording, pass: usize, epoch: u32) -> Vec<&SharedAccess> {
    let Work::Dispatch { invocations, .. } = recording.passes[pass].work else { panic!("a dispatch") };
    let own = recording.passes[pass].shared.iter();
    own.filter(|access| access.invocation < invocations && access.epoch == epoch).collect()
}

/// The numbers of the lit lines of capannini2011; the line that is not in print has none.
fn numbers_of(recording: &Recording, lit: &[At]) -> Vec<u32> {
    let tree: Vec<At> = lit.iter().copied().filter(|at| at.section == 1).collect();
    texts(recording, &tree).iter().map(|text| text.split(' ').next().unwrap().parse().unwrap_or(0)).collect()
}

fn each_stretch_between_barriers_lights_the_lines_whose_addresses_it_has() {
    let gpu = rasterscan_runner::gpu();
    for (pattern, up) in [
        (Pattern::NoPadding, vec![1, 2, 3, 4]),
        (Pattern::Padding, vec![1, 2, 3, 4]),
        (Pattern::LeftRight, vec![1, 2, 3, 4, 5, 6]),
    ] {
        let down: Vec<u32> =
            if pattern == Pattern::LeftRight { vec![8, 9, 11, 12, 13] } else { (8..=13).collect() };
        let name = format!("capannini:pattern={},block=64,banks=16", pattern.name());
        // Node i of level d, and the children of all nodes of level d + 1.
        let address = |i: u64, d: u32| pattern.address(16, i, d) as u32;
        let nodes = |d: u32| -> BTreeSet<u32> { (0..64 >> d).map(|i| address(i, d)).collect() };
        for len in [64, 300] {
            let Some(recording) = scan(&gpu, &name, &ScanSpec::new::<u32>(len)) else { return };
            for pass in 0..recording.passes.len() {
                let phase = recording.passes[pass].phase.as_str();
                let last = recording.passes[pass].shared.iter().map(|access| access.epoch).max().unwrap();
                let stages = shared::stages(&recording, pass);
                assert_eq!(stages.len() as u32, last + 1, "{name}: {phase}");
                let mut levels = Vec::new();
                for (epoch, stage) in (0..).zip(&stages) {
                    let accesses = between(&recording, pass, epoch);
                    let touched: BTreeSet<u32> = accesses.iter().map(|access| access.address).collect();
                    let of = |written| accesses.iter().filter(|access| access.written == written).count();
                    let lit = numbers_of(&recording, &lit_at(&recording, pass, epoch));
                    let [stage] = stage[..] else { panic!("{name}: {stage:?}") };
                    match stage {
                        Stage::Load => {
                            assert_eq!((of(false), touched, lit), (0, nodes(0), vec![]), "{name}: {phase}");
                        }
                        Stage::Up(d) => {
                            assert_eq!((touched, lit), (nodes(d), up.clone()), "{name}: {phase}, {d}");
                            levels.push(d);
                        }
                        Stage::Root => {
                            assert_eq!(touched, nodes(6), "{name}: {phase}");
                            let clears: &[u32] = if phase == "down-sweep" { &[] } else { &[7] };
                            assert_eq!(lit, clears, "{name}: {phase}");
                            levels.push(100);
                        }
                        Stage::Down(d) => {
                            assert_eq!((touched, lit), (nodes(d), down.clone()), "{name}: {phase}, {d}");
                            levels.push(10 + d);
                        }
                        Stage::Store => {
                            let shifts = phase == "down-sweep" || (phase == "scan blocks" && len == 64);
                            assert_eq!(
                                (of(true), lit),
                                (0, if shifts { vec![0, 0] } else { vec![] }),
                                "{name}: {phase}"
                            );
                        }
                        Stage::Step(_) => panic!("{name} is a tree"),
                    }
                }
                let (up, down) = ([0, 1, 2, 3, 4, 5], [15, 14, 13, 12, 11, 10]);
                let expected = match phase {
                    "up-sweep" => up.to_vec(),
                    "down-sweep" => [&[100], &down[..]].concat(),
                    _ => [&up[..], &[100], &down[..]].concat(),
                };
                assert_eq!(levels, expected, "{name}: {phase}");
            }
        }
    }
}

/// In every scan of blocks, all epochs together light the lines of the pass, except those about the pass as a whole.
fn stretches_light_parts_of_what_the_pass_lights() {
    let gpu = rasterscan_runner::gpu();
    for algorithm in [
        "harris:variant=naive,block=32",
        "harris:variant=work_efficient,block=32",
        "harris:variant=zero_conflict,block=32",
        "capannini:pattern=cm,block=32",
        "capannini:block=32",
    ] {
        for spec in [ScanSpec::new::<u32>(100), ScanSpec::new::<u32>(20).exclusive()] {
            let Some(recording) = scan(&gpu, algorithm, &spec) else { return };
            for pass in 0..recording.passes.len() {
                let (stages, whole) = (shared::stages(&recording, pass), lit(&recording, pass));
                let last = recording.passes[pass].shared.iter().map(|access| access.epoch).max();
                let mut parts = BTreeSet::new();
                for (epoch, stage) in (0..).zip(&stages) {
                    let now = lit_at(&recording, pass, epoch);
                    assert!(now.iter().all(|at| whole.contains(at)), "{algorithm}: {stage:?}");
                    let loops = stage.iter().any(|stage| stage.is_counted());
                    assert!(!loops || (!now.is_empty() && now.len() < whole.len()), "{algorithm}: {stage:?}");
                    parts.extend(now);
                }
                match stages.len() {
                    0 => assert_eq!(lit_at(&recording, pass, 0), whole, "{algorithm}: nothing is known"),
                    epochs => {
                        assert_eq!(last, Some(epochs as u32 - 1), "{algorithm}");
                        assert!(whole.iter().filter(|at| at.section == 1).all(|at| parts.contains(at)));
                    }
                }
                assert!(stages.is_empty() || lit_at(&recording, pass, u32::MAX).is_empty());
            }
        }
    }
    // The items that a work group adds between barriers are those of the loops.
    let Some(recording) = scan(&gpu, "capannini:pattern=cm,block=64", &ScanSpec::new::<u32>(64)) else {
        return;
    };
    for (epoch, stage) in (0..).zip(shared::stages(&recording, 0)) {
        let [Stage::Step(d)] = stage[..] else { continue };
        let accesses = between(&recording, 0, epoch);
        let read = accesses.iter().filter(|access| !access.written).count();
        let reads = if epoch % 2 == 1 { 64 + 64 - (1 << (d - 1)) } else { 0 };
        assert_eq!(read, reads, "step {d}");
    }
}

crate::tests![
    every_pass_lights_a_line_and_every_mark_is_of_a_pass,
    an_unknown_algorithm_has_no_listing_and_does_no_harm,
    the_other_kind_of_scan_has_a_line_that_is_lit_where_it_is_made,
    each_stretch_between_barriers_lights_the_lines_whose_addresses_it_has,
    stretches_light_parts_of_what_the_pass_lights,
];
