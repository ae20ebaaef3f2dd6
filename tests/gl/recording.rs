//! Recordings: what is written and what lies in shared memory. That every value is what its kernel makes of the recorded
//! reads, the kernels' tests show (`crates/kernels/tests/`).

mod shared;

use rasterscan::tools::Numbers;
use rasterscan::tools::registry::{self, Choice, Era};
use rasterscan::trace::{MAX_RECORDED, Recording};
use rasterscan::{
    CompactSpec, Comparison, Condition, ElementType, Error, Gpu, Moves, Operator, ScanSpec,
    tools::{Request, Task},
};
use rasterscan_kmodel::Pattern;
use rasterscan_runner::compaction::{compaction, compactions, tiles as compaction_tiles};
use rasterscan_runner::scan::{algorithms, blocks, choice, tiles};

/// A recording; `None` if the device or the request rules the algorithm out, or it has no passes.
fn record(gpu: &Gpu, choice: &Choice, request: &Request, streams: &[&Numbers]) -> Option<Recording> {
    let task = Task::new(request, streams.iter().copied()).unwrap();
    match rasterscan::tools::record::record(gpu, choice, &task) {
        Ok(recording) => Some(recording),
        Err(Error::Unsupported(_)) => None,
        Err(other) => panic!("{choice}, {request}: {other}"),
    }
}

/// Numbers whose partial sums are all different, except by intent.
fn values(element: ElementType, len: u64) -> Numbers {
    let numbers = (1..=len).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    match element {
        ElementType::U32 => Numbers::of(&numbers.map(|number| (number >> 32) as u32).collect::<Vec<_>>()),
        ElementType::I64 => Numbers::of(&numbers.map(|number| number as i64).collect::<Vec<_>>()),
        other => panic!("{other} is not among the cases"),
    }
}

/// Scans by every algorithm, with every option that changes its reads.
fn each_scan(gpu: &Gpu, mut look: impl FnMut(&Recording)) -> usize {
    let mut recorded = 0;
    let all = [algorithms(), blocks(), tiles()].concat();
    for algorithm in all.iter().filter(|algorithm| **algorithm != "sequential") {
        let choice = choice(algorithm);
        // Compute shaders compile slowly on llvmpipe, so each of these has fewer cases.
        let drawn = choice.card.era == Era::Texture;
        let plain = |len: usize| ScanSpec::new::<u32>(len);
        let affine = |len| ScanSpec::of(ElementType::I64, len).operator(Operator::AFFINE);
        let mut specs = vec![plain(33), plain(150).tuple(3).exclusive(), plain(600)];
        if drawn {
            let side_input =
                [plain(1), plain(16), plain(150).exclusive(), plain(600).tuple(3), affine(33), affine(600)];
            specs.extend(side_input);
        } else if algorithms().contains(algorithm) {
            specs.push(affine(33));
        }
        for spec in specs {
            let values = values(spec.element, spec.elements());
            let Some(recording) = record(gpu, &choice, &Request::from(&spec), &[&values]) else { continue };
            look(&recording);
            recorded += 1;
        }
    }
    recorded
}

/// Compactions of every algorithm.
fn each_compaction(gpu: &Gpu, lens: &[u64], mut look: impl FnMut(&Recording)) -> usize {
    let mut recorded = 0;
    for algorithm in compactions().iter().chain(&compaction_tiles()).filter(|name| **name != "sequential") {
        for &len in lens {
            let numbers: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(2_654_435_769) >> 28).collect();
            let mask: Vec<u32> = numbers.iter().map(|number| number % 3).collect();
            let condition = Condition::new(Comparison::Greater, 5u32);
            let spec = CompactSpec::new::<u32>(len as usize).keep(condition);
            for spec in [spec, spec.masked().moves(Moves::Both)] {
                let streams = [Numbers::of(&numbers), Numbers::of(&mask)];
                let masked = spec.keep == rasterscan::Keep::Mask;
                let streams: Vec<&Numbers> = streams.iter().take(if masked { 2 } else { 1 }).collect();
                let Some(recording) = record(gpu, &compaction(algorithm), &Request::from(&spec), &streams)
                else {
                    continue;
                };
                look(&recording);
                recorded += 1;
            }
        }
    }
    recorded
}

/// Checks that each changed texel was recorded as written. Returns the number of changed texels.
fn check_written(recording: &Recording) -> usize {
    let mut changed = 0;
    for (number, pass) in recording.passes.iter().enumerate() {
        for (target, written) in pass.targets.iter().zip(&pass.written) {
            let Some(written) = written else { continue };
            let layout = recording.layout(target.stream);
            let words = layout.words_per_texel() as usize;
            let before = recording.before(number, target.stream);
            for (texel, after) in target.values.words().chunks(words).enumerate() {
                let place = texel * words..texel * words + after.len();
                // A texel that was never written is undefined.
                let Some(before) = before.map(|before| &before.words()[place]) else { continue };
                let name = recording.name(target.stream);
                let pass = || format!("{}, pass {}", recording.algorithm, number + 1);
                assert!(before == after || written[texel], "{}: {name}, texel {texel}", pass());
                changed += usize::from(before != after);
            }
        }
    }
    changed
}

fn scans_change_what_is_written_and_have_no_races() {
    let gpu = rasterscan_runner::gpu();
    let mut read = 0;
    let recorded = each_scan(&gpu, |recording| {
        check_written(recording);
        read += shared::check_memory(recording);
    });
    println!("{recorded} recordings, {read} reads of shared memory");
    assert!(recorded > 50, "{recorded}");
    assert!(gpu.device().compute.is_none() || read > 10_000, "{read}");
}

fn shared_memory_is_accessed_where_the_paper_says() {
    let gpu = rasterscan_runner::gpu();
    if gpu.device().compute.is_none() {
        println!("not applicable: {} has no compute shaders", gpu.device().level());
        return;
    }
    for pattern in [Pattern::NoPadding, Pattern::Padding, Pattern::LeftRight] {
        for banks in [16u64, 32] {
            for len in [32u64, 64, 256] {
                let name = format!("capannini:pattern={},block={len},banks={banks}", pattern.name());
                let request = Request::from(&ScanSpec::new::<u32>(len as usize));
                let values = values(ElementType::U32, len);
                let recording = record(&gpu, &choice(&name), &request, &[&values]).expect("recorded");
                let steps = shared::check_tree(&recording, pattern, banks);
                assert_eq!(steps as u32, 2 * len.ilog2(), "{name}");
            }
        }
    }
}

fn compactions_change_what_is_written() {
    let gpu = rasterscan_runner::gpu();
    let mut changed = 0;
    let recorded = each_compaction(&gpu, &[1, 16, 700], |recording| changed += check_written(recording));
    println!("{recorded} recordings, {changed} texels changed");
    assert!(recorded > 50 && changed > 500, "{recorded}, {changed}");
}

fn every_algorithm_of_the_registry_can_be_recorded() {
    let gpu = rasterscan_runner::gpu();
    let numbers = Numbers::of(&(0..40u32).map(|i| i % 7).collect::<Vec<_>>());
    for card in registry::all() {
        let request = card.problem.plain(ElementType::U32, 40).unwrap();
        let streams = request.plain_streams(&numbers).unwrap();
        let task = Task::new(request, streams).unwrap();
        match rasterscan::tools::record::record(&gpu, &card.with_defaults(), &task) {
            Ok(recording) => {
                let read: u64 =
                    recording.passes.iter().flat_map(|pass| &pass.reads).map(|reads| reads.total()).sum();
                // A texel of four words is read at a time.
                assert!(read >= 10, "{}: {read} reads", card.name);
                assert!(recording.clock.is_some() && recording.passes.iter().all(|pass| pass.time.is_some()));
            }
            Err(Error::Unsupported(reason)) => println!("{}: {reason}", card.name),
            Err(other) => panic!("{}: {other}", card.name),
        }
    }
}

/// Recording does not change results: they equal those of a plain run.
fn a_recorded_run_gives_what_a_plain_run_gives() {
    let gpu = rasterscan_runner::gpu();
    let values = values(ElementType::U32, 700);
    let numbers = values.get::<u32>().unwrap();
    for algorithm in algorithms().iter().filter(|algorithm| **algorithm != "sequential") {
        let spec = ScanSpec::new::<u32>(numbers.len());
        let request = Request::from(&spec);
        let Some(recording) = record(&gpu, &choice(algorithm), &request, &[&values]) else {
            continue;
        };
        let output = recording.outputs[0];
        let got = recording.before(recording.passes.len(), output).unwrap();
        let expected = rasterscan::scan::sequential(&spec, numbers).unwrap();
        assert_eq!(got.get::<u32>().unwrap(), expected, "{algorithm}");
    }
}

fn what_is_too_long_or_has_no_passes_is_refused() {
    let gpu = rasterscan_runner::gpu();
    let task = |len: usize| Task::new(&ScanSpec::new::<u32>(len), [Numbers::of(&vec![1u32; len])]).unwrap();
    let refused = |name, len| {
        rasterscan::tools::record::record(&gpu, &choice(name), &task(len)).unwrap_err().to_string()
    };
    let long = refused("horn", MAX_RECORDED as usize + 1);
    assert!(long.contains("at most 65536"), "{long}");
    assert!(refused("sequential", 1).contains("no passes"));
    // Another length, and another element, than in the request.
    let wrong = |values| Task::new(&ScanSpec::new::<u32>(1), [values]).unwrap_err();
    assert!(matches!(wrong(Numbers::of(&[1u32, 2])), Error::Length { .. }));
    assert!(matches!(wrong(Numbers::of(&[1i32])), Error::ElementMismatch { .. }));
}

crate::tests![
    scans_change_what_is_written_and_have_no_races,
    shared_memory_is_accessed_where_the_paper_says,
    compactions_change_what_is_written,
    every_algorithm_of_the_registry_can_be_recorded,
    a_recorded_run_gives_what_a_plain_run_gives,
    what_is_too_long_or_has_no_passes_is_refused,
];
