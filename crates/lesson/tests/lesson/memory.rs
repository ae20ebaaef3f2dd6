//! Shared memory as the shaders recorded it: there are bank conflicts exactly where the papers find them.

use rasterscan::tools::Numbers;
use rasterscan::tools::problem::SCAN;
use rasterscan::trace::Recording;
use rasterscan::{ElementType, Gpu, Operator, ScanSpec, tools::Request};
use rasterscan_kmodel::{Pattern, corrected};
use rasterscan_lesson::banks::{self, SharedMemory, Sweep, Taken};
use rasterscan_lesson::narrate;

use super::runs::{choice, numbers, record};

/// A scan of one block of 256 items on 16 banks, where the patterns have the most conflicts.
fn block(gpu: &Gpu, algorithm: &str) -> Option<Recording> {
    let values = Numbers::of(&numbers(256, 3));
    record(gpu, &choice(SCAN, algorithm), &Request::from(&ScanSpec::new::<u32>(256)), &[&values])
}

fn memory(gpu: &Gpu, algorithm: &str) -> Option<SharedMemory> {
    let recording = block(gpu, algorithm)?;
    Some(banks::of(&recording, 0).unwrap_or_else(|| panic!("{algorithm}: nothing was recorded")))
}

fn trees_in_place_have_conflicts_and_left_right_has_none() {
    let gpu = rasterscan_runner::gpu();
    let worst = |algorithm: &str| {
        memory(&gpu, algorithm).map(|memory| memory.worst().expect("there are steps").degree)
    };
    let Some(degree) = worst("capannini:pattern=no_padding,block=256,banks=16") else { return };
    assert!(degree >= 8, "{degree}");
    let left_right = memory(&gpu, "capannini:pattern=left_right,block=256,banks=16").unwrap();
    let lost: Vec<_> = left_right.steps.iter().filter(|step| step.conflicts()).collect();
    assert!(lost.is_empty(), "{:?}", lost.first());
    assert!(worst("harris:variant=work_efficient,block=256").unwrap() >= 4);
    let padded = memory(&gpu, "harris:variant=padded,block=256,banks=16").unwrap();
    let bare = memory(&gpu, "harris:variant=work_efficient,block=256").unwrap();
    assert!(padded.turns() < bare.turns() * 3 / 4, "{} and {}", padded.turns(), bare.turns());
}

/// Turns that the down-sweep takes less than the model counts, on 16 banks: in the four levels of up to eight nodes,
/// LeftRight has only left sums, and their left children already hold what they need.
fn spared(algorithm: &str) -> u64 {
    if algorithm.contains("left_right") { 4 } else { 0 }
}

/// T of the K-model is the turns of the stores of sums in the up-sweep.
fn what_was_recorded_is_what_the_k_model_counts() {
    let gpu = rasterscan_runner::gpu();
    for (algorithm, kept) in [("no_padding", false), ("padding", false), ("left_right", true)] {
        let name = format!("capannini:pattern={algorithm},block=256,banks=16");
        let Some(recording) = block(&gpu, &name) else { return };
        let predicted = banks::predicted(&recording, 0).expect("a tree is predicted");
        assert_eq!((predicted.model.n(), predicted.model.k()), (256, 16));
        let memory = banks::of(&recording, 0).unwrap();
        // The up-sweep lies between the first barriers, one per level; the first store of each level is the sum's.
        let levels = 8;
        let up = memory.steps.iter().filter(|step| (1..=levels).contains(&step.epoch) && step.written);
        let stores: u64 = up.clone().filter(|step| step.number == 2).map(|step| step.degree).sum();
        assert_eq!(stores, predicted.counts.latency, "{name}");
        assert_eq!(
            up.clone().any(|step| step.number > 2),
            kept,
            "{name}: displaced left operands are stored"
        );
        // All loads and stores of both sweeps, without loading the items, storing the results, and the root.
        let all = memory.steps.iter();
        let all = all.filter(|step| (1..=2 * levels + 1).contains(&step.epoch) && step.epoch != levels + 1);
        let both: u64 = all.map(|step| step.degree).sum();
        assert_eq!(both + spared(&name), predicted.whole, "{name}");
        let taken = banks::taken(&recording, 0, &memory, 0);
        assert_eq!(taken, Some(Taken { sums: stores, whole: both }), "{name}");
    }
    let texture = record(
        &gpu,
        &choice(SCAN, "horn"),
        &Request::from(&ScanSpec::new::<u32>(8)),
        &[&Numbers::of(&numbers(8, 1))],
    );
    let texture = texture.unwrap();
    assert_eq!(
        (banks::of(&texture, 0), banks::predicted(&texture, 0), banks::of(&texture, 99)),
        (None, None, None)
    );
}

/// In large arrays, a pass does one sweep and is checked against that half of the model, block by block.
fn each_work_group_takes_what_the_k_model_counts_for_its_way() {
    let gpu = rasterscan_runner::gpu();
    for pattern in ["no_padding", "padding", "left_right"] {
        let name = format!("capannini:pattern={pattern},block=64,banks=16");
        let values = Numbers::of(&numbers(300, 3));
        let request = Request::from(&ScanSpec::new::<u32>(300));
        let Some(recording) = record(&gpu, &choice(SCAN, &name), &request, &[&values]) else {
            return;
        };
        let mut ways = Vec::new();
        for pass in 0..recording.passes.len() {
            let predicted = banks::predicted(&recording, pass).expect("blocks are scanned");
            let memory = banks::of(&recording, pass).unwrap();
            for group in memory.groups() {
                let taken = banks::taken(&recording, pass, &memory, group).expect("the loops are known");
                let spared = if predicted.way == Sweep::Up { 0 } else { spared(&name) };
                assert_eq!(taken.whole + spared, predicted.whole, "{name}, pass {}, group {group}", pass + 1);
                let sums = if predicted.way == Sweep::Down { 0 } else { predicted.counts.latency };
                assert_eq!(taken.sums, sums, "{name}, pass {}, group {group}", pass + 1);
            }
            ways.push((recording.passes[pass].phase.clone(), predicted.way, memory.groups().len()));
        }
        let expected =
            [("up-sweep", Sweep::Up, 5), ("scan blocks", Sweep::Both, 1), ("down-sweep", Sweep::Down, 5)];
        assert_eq!(ways, expected.map(|(phase, way, groups)| (phase.into(), way, groups)), "{name}");
    }
}

/// A tree makes 7 accesses a node, each in as many turns as the stores of sums; LeftRight stores its displaced operands, too.
fn a_pattern_has_its_price() {
    let gpu = rasterscan_runner::gpu();
    for (own, told) in [
        ("no_padding", "Padding takes 35 and 3 words of padding, LeftRight 40 and 5 stores more."),
        ("padding", "3 words of padding beside 16; it saves 42 of the 77 turns in place."),
        (
            "left_right",
            "5 stores more, of the left operands that sums replace; with them it is 40 turns, in place 77.",
        ),
    ] {
        let choice = choice(SCAN, &format!("capannini:pattern={own},block=16,banks=4"));
        let request = Request::from(&ScanSpec::new::<u32>(16));
        let Some(recording) = record(&gpu, &choice, &request, &[&Numbers::of(&numbers(16, 3))]) else {
            return;
        };
        let predicted = banks::predicted(&recording, 0).unwrap();
        let model = predicted.model;
        let prices = predicted
            .prices()
            .into_iter()
            .map(|(name, price)| (name, price.turns, price.padding, price.kept));
        let expected = [Pattern::NoPadding, Pattern::Padding, Pattern::LeftRight].map(|pattern| {
            let kept =
                if pattern == Pattern::LeftRight { corrected::instructions(pattern, model) } else { 0 };
            let turns = 7 * corrected::latency(pattern, model) + kept;
            (pattern.label(), turns, corrected::words(pattern, model) - model.n(), kept)
        });
        assert!(prices.eq(expected), "{own}: {:?}", predicted.prices());
        assert!(predicted.told_price().ends_with(told), "{own}: {}", predicted.told_price());
    }
}

/// The recorded accesses of Harris's tree and of scans without a tree match their shaders.
fn loops_are_told_from_loads_roots_and_results() {
    let gpu = rasterscan_runner::gpu();
    let Some(recording) = block(&gpu, "harris:variant=work_efficient,block=256") else { return };
    let predicted = banks::predicted(&recording, 0).unwrap();
    let taken = banks::taken(&recording, 0, &banks::of(&recording, 0).unwrap(), 0).unwrap();
    // Its down-sweep loads an operand twice, which costs as much as a load in the up-sweep.
    assert_eq!((predicted.way, taken.sums), (Sweep::Both, predicted.counts.latency));
    assert_eq!(taken.whole, predicted.whole + predicted.counts.latency);
    for name in ["harris:variant=naive,block=256", "capannini:pattern=cm,block=256"] {
        let recording = block(&gpu, name).unwrap();
        assert_eq!(banks::predicted(&recording, 0).unwrap().way, Sweep::Steps, "{name}");
        let taken = banks::taken(&recording, 0, &banks::of(&recording, 0).unwrap(), 0).unwrap();
        // Eight steps of 256 items on 32 banks; unchanged items are stored, too.
        assert!(taken.sums >= 8 * 8 && taken.whole >= 2 * taken.sums, "{name}: {taken:?}");
    }
    let other = block(&gpu, "look_back:vectors=1,group=8").unwrap();
    let scan = other.passes.len() - 1;
    let memory = banks::of(&other, scan).expect("tiles are scanned in shared memory");
    assert_eq!(banks::taken(&other, scan, &memory, 0), None);
}

fn the_k_model_is_for_items_of_one_word() {
    let gpu = rasterscan_runner::gpu();
    let scan = |name: &str, spec: ScanSpec| {
        let text: Vec<String> = numbers(spec.elements() as usize, 3).iter().map(u32::to_string).collect();
        let values = Numbers::parse(spec.element, &text.join(" ")).unwrap();
        record(&gpu, &choice(SCAN, name), &Request::from(&spec), &[&values])
    };
    let left_right = "capannini:pattern=left_right,block=64,banks=16";
    for spec in [
        ScanSpec::of(ElementType::U64, 64),
        ScanSpec::of(ElementType::I64, 64),
        ScanSpec::new::<u32>(64).operator(Operator::AFFINE),
    ] {
        let Some(recording) = scan(left_right, spec) else { return };
        let memory = banks::of(&recording, 0).unwrap();
        assert_eq!((memory.item_words, banks::predicted(&recording, 0)), (2, None));
        for step in &memory.steps {
            assert_eq!(memory.asked(step).into_iter().max(), Some(step.degree));
        }
    }
    // 32 neighbours of two words each: two turns, which is the least possible.
    let recording = scan("capannini:pattern=cm,block=64", ScanSpec::of(ElementType::U64, 64)).unwrap();
    let memory = banks::of(&recording, 0).unwrap();
    assert!(memory.conflicts() == 0 && memory.turns() > memory.steps.len() as u64);
    let said = narrate(&recording, 1);
    assert!(said.contains("no more than their words need") && !said.contains("two words"), "{said}");
    let recording = scan("capannini:pattern=cm,block=64", ScanSpec::new::<u32>(64)).unwrap();
    assert!(narrate(&recording, 1).contains("two words at a time"));
}

/// Some shaders do not depend on the number of banks. Their accesses are still counted for the number asked for.
fn banks_are_as_many_as_were_asked_for() {
    let gpu = rasterscan_runner::gpu();
    for (name, banks) in [
        ("capannini:pattern=cm,block=256", 32),
        ("capannini:pattern=cm,block=256,banks=16", 16),
        ("capannini:pattern=cm,block=256,banks=32", 32),
        ("capannini:pattern=no_padding,block=256,banks=16", 16),
        ("capannini:block=256,banks=16", 16),
        ("harris:variant=naive,block=256,banks=16", 16),
        ("harris:variant=work_efficient,block=256,banks=16", 16),
        ("harris:block=256", 32),
    ] {
        let Some(recording) = block(&gpu, name) else { return };
        assert_eq!(banks::of(&recording, 0).unwrap().banks, banks, "{name}: {}", recording.algorithm);
        assert_eq!(banks::predicted(&recording, 0).unwrap().model.k(), banks, "{name}");
    }
}

crate::tests![
    trees_in_place_have_conflicts_and_left_right_has_none,
    what_was_recorded_is_what_the_k_model_counts,
    each_work_group_takes_what_the_k_model_counts_for_its_way,
    loops_are_told_from_loads_roots_and_results,
    a_pattern_has_its_price,
    the_k_model_is_for_items_of_one_word,
    banks_are_as_many_as_were_asked_for,
];
