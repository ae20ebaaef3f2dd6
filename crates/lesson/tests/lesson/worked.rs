//! Every value of a scan's passes has an equation, and the equations are true.

use std::collections::BTreeMap;

use rasterscan::Operator;
use rasterscan::tools::problem::{COMPACT, SCAN, SORT};
use rasterscan::trace::{Place, RecordedPass, Recording, Work};
use rasterscan::{ElementType, tools::Request};
use rasterscan::{Moves, ScanKind, ScanSpec, SortSpec};
use rasterscan_lesson::worked::{Role, Worked, worked};
use rasterscan_lesson::{Example, narrate_pass};

use super::equations;
use super::german::{hear, nothing_was_english};
use super::runs::{choice, choices, numbers, record, values};

/// All items of a target that a pass wrote, each with its making.
fn all(recording: &Recording, pass: usize) -> Vec<((u32, u64), Option<Worked>)> {
    let step = &recording.passes[pass];
    let mut found = Vec::new();
    for (of, target) in (0..).zip(&step.targets) {
        let layout = recording.layout(target.stream);
        let per_texel = u64::from(layout.items_per_texel.max(1));
        for item in 0..layout.len {
            let place = Place { of, index: (item / per_texel) as u32 };
            if !step.read_for(place).is_empty() {
                found.push(((of, item), worked(recording, pass, place, item)));
            }
        }
    }
    found
}

/// Whether a target has items of the stream, and not the states or the sums of tiles.
fn result_of(pass: &RecordedPass) -> impl Fn(u32) -> bool {
    let drawn = !matches!(pass.work, Work::Dispatch { .. });
    let scanned = pass.sources.iter().find(|source| source.name == "TARGET").map(|source| source.stream);
    let streams: Vec<usize> = pass.targets.iter().map(|target| target.stream).collect();
    move |of| drawn || Some(streams[of as usize]) == scanned
}

fn every_value_that_a_scan_computes_has_an_equation() {
    let gpu = rasterscan_runner::gpu();
    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let mut found = 0;
    let scans = choices().into_iter().filter(|choice| choice.card.problem == SCAN);
    for choice in scans {
        for (operator, kind) in [
            (Operator::ADD, ScanKind::Inclusive),
            (Operator::ADD, ScanKind::Exclusive),
            (Operator::AFFINE, ScanKind::Inclusive),
        ] {
            let arity = operator.arity() as usize;
            let spec = ScanSpec::new::<u32>(20).operator(operator.clone()).kind(kind);
            let data = rasterscan::tools::Numbers::of(&numbers(20 * arity, 5));
            let Some(recording) = record(&gpu, &choice, &Request::from(&spec), &[&data]) else { continue };
            for (number, pass) in recording.passes.iter().enumerate() {
                let result = result_of(pass);
                let shader = &pass.main_shader().expect("a shader").path;
                for ((of, item), worked) in all(&recording, number) {
                    let what = format!(
                        "{}: {}, pass {}, item {item}",
                        recording.algorithm,
                        recording.request,
                        number + 1
                    );
                    let Some(worked) = worked else { panic!("{what}: nothing was read") };
                    hear(&worked.text);
                    // The names in between stand for the same numbers.
                    let sides: Vec<&str> = worked.text.split(" = ").collect();
                    if let ([result, _, numbers], false) = (&sides[..], worked.text.contains('…')) {
                        let text = format!("{numbers} = {result}");
                        found += equations::check(&text, ElementType::U32, arity as u32);
                    }
                    let count = counts.entry(shader.clone()).or_default();
                    count[usize::from(worked.derived)] += 1;
                    assert!(worked.derived || !result(of), "{what}: {}", worked.text);
                }
                if let Some(Example { place, item }) =
                    narrate_pass(&recording, number).and_then(|told| told.example)
                {
                    assert!((place.of as usize) < pass.targets.len(), "{shader}: item {item} at {place:?}");
                }
            }
        }
    }
    println!("{found} equations; by shader [not derived, derived]: {counts:#?}");
    assert!(found > 1000);
    nothing_was_english();
}

fn every_element_that_a_compaction_moves_is_named() {
    let gpu = rasterscan_runner::gpu();
    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for choice in choices().into_iter().filter(|choice| choice.card.problem == COMPACT) {
        let data = values(COMPACT, 40, 3);
        let request = COMPACT.plain(ElementType::U32, 40).expect("a request");
        let Some(recording) = record(&gpu, &choice, &request, &[&data]) else { continue };
        let kept = recording.kept().expect("a compaction counts");
        for (number, pass) in recording.passes.iter().enumerate() {
            let shader = &pass.main_shader().expect("a shader").path;
            for ((_, item), worked) in all(&recording, number) {
                let Some(worked) = worked else { continue };
                hear(&worked.text);
                let count = counts.entry(shader.clone()).or_default();
                count[usize::from(worked.derived)] += 1;
                let probes: Vec<u32> = worked
                    .reads
                    .iter()
                    .filter_map(|read| if let Role::Probe(number) = read.role { Some(number) } else { None })
                    .collect();
                assert!(probes.iter().copied().eq(1..=probes.len() as u32), "{shader}: {probes:?}");
                let moves = ["search.frag", "gather.frag", "traverse.frag", "concatenate.frag"];
                if item < kept
                    && moves.iter().any(|name| shader.ends_with(name))
                    && shader.starts_with("compact/")
                {
                    let last = number + 2 >= recording.passes.len() || !shader.contains("search");
                    assert!(
                        worked.derived || !last,
                        "{}, {shader}, item {item}: {}",
                        recording.algorithm,
                        worked.text
                    );
                }
            }
        }
    }
    println!("by shader [not derived, derived]: {counts:#?}");
    assert!(counts.len() > 10);
    nothing_was_english();
}

/// Where a sort gathers keys, each is one that was read, and what else was read are the probes of its search.
fn every_key_that_a_sort_moves_is_named() {
    let gpu = rasterscan_runner::gpu();
    let mut moved = 0;
    let plain = SortSpec::new::<u32>(40);
    let both = plain.moves(Moves::Both);
    for (name, spec) in
        [("bitonic", plain), ("split", plain), ("split:scan=horn", plain), ("radix", plain), ("radix", both)]
    {
        let (data, request) = (values(SORT, 40, 3), Request::from(&spec));
        let Some(recording) = record(&gpu, &choice(SORT, name), &request, &[&data]) else { continue };
        let gathers = |number: &usize| recording.passes[*number].phase == "gather";
        for number in (0..recording.passes.len()).filter(gathers).take(8) {
            for ((_, item), worked) in all(&recording, number) {
                let worked = worked.expect("a key was read");
                let keys = worked.reads.iter().filter(|read| read.role == Role::Operand).count();
                let probes = worked.reads.iter().filter(|read| matches!(read.role, Role::Probe(_))).count();
                assert!(worked.derived && keys == 1, "{name}, pass {number}, item {item}: {}", worked.text);
                assert!(worked.text.contains(" = ") && probes > 0, "{name}: {}", worked.text);
                moved += 1;
            }
        }
    }
    // A pair is an item of either stream; the last digit writes both.
    assert!(moved >= 40 * (1 + 8 + 8 + 8 + 9), "{moved}");
}

super::tests![
    every_key_that_a_sort_moves_is_named,
    every_value_that_a_scan_computes_has_an_equation,
    every_element_that_a_compaction_moves_is_named
];
