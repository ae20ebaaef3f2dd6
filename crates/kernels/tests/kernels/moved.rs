//! One execution of a kernel gives its values, its reads and its operands: where one read is moved, all are others.

use std::collections::{BTreeMap, BTreeSet};

use rasterscan::trace::{Recorded, Trace};
use rasterscan::{
    CompactSpec, Device, ElementType, Moves, Plan, ReduceSpec, ScanSpec,
    tools::{Numbers, Request},
};
use rasterscan_kernels::{Engine, Operands, Read, Word};
use rasterscan_runner::compaction::{compaction, compactions};
use rasterscan_runner::scan::{algorithms, choice, tiles};

/// The first reads of a pass, which are moved one after the other until one shows.
const TRIED: u64 = 200;

/// For each shader, whether a moved read has changed what it reads, what it writes, and its operands, if they are known.
type Seen = BTreeMap<String, (bool, bool, Option<bool>)>;

fn all((reads, values, operands): &(bool, bool, Option<bool>)) -> bool {
    *reads && *values && *operands != Some(false)
}

/// The operands of all items that were written, as far as they are known.
fn known(operands: &Operands) -> Vec<(Word, Vec<Read>)> {
    let items = operands.stores.iter().filter(|store| matches!(store.word, Word::Item { .. }));
    items
        .filter_map(|store| Some((store.word, operands.reads(store)?)))
        .filter(|(_, reads)| !reads.is_empty())
        .collect()
}

/// Moves reads of each pass of a plan.
fn move_reads(plan: &Plan, inputs: &[&Numbers], seen: &mut Seen) {
    let ready = |before: Option<(&Trace, usize)>| {
        let mut engine = Engine::new(plan).unwrap();
        engine.upload(inputs).unwrap();
        for write in
            before.iter().flat_map(|(trace, passes)| &trace.steps[..*passes]).flat_map(|step| &step.writes)
        {
            engine.set(write.slot, &bytemuck::pod_collect_to_vec(write.bytes())).unwrap();
        }
        engine
    };
    let trace = ready(None).record().unwrap();
    for (number, step) in trace.steps.iter().enumerate() {
        let reads = |recorded: &Recorded| recorded.reads.iter().map(|reads| reads.total()).sum::<u64>();
        let before = known(&ready(Some((&trace, number))).operands(number).unwrap().1);
        let of = seen.entry(step.pass.main_shader().path().into()).or_default();
        if !before.is_empty() {
            of.2.get_or_insert(false);
        }
        for moved in 0..TRIED.min(reads(&step.recorded)) {
            if all(of) {
                break;
            }
            let mut engine = ready(Some((&trace, number)));
            engine.move_read(moved);
            // A search that is misled may fail, which shows, too.
            match engine.operands(number) {
                Ok((other, operands)) => {
                    of.2 = of.2.map(|seen| seen || known(&operands) != before);
                    of.0 |= other.step.recorded.reads != step.recorded.reads;
                    of.1 |= other.step.writes != step.writes;
                }
                Err(_) => *of = (true, true, of.2.map(|_| true)),
            }
        }
    }
}

fn a_moved_read_changes_reads_values_and_operands() {
    let device: Device = rasterscan_kernels::device();
    let mut seen = Seen::new();
    let numbers = crate::values(ElementType::U32, 300);
    for name in algorithms().into_iter().chain(tiles()).filter(|name| *name != "sequential") {
        for spec in [ScanSpec::new::<u32>(300), ScanSpec::new::<u32>(300).tuple(3).exclusive()] {
            if let Ok(Some(plan)) = choice(name).plan(Request::from(&spec), &device) {
                move_reads(&plan, &[&numbers], &mut seen);
            }
        }
    }
    let some: Vec<u32> =
        (0..5000u32).map(|i| if i.wrapping_mul(2_654_435_769) >> 30 == 0 { i + 1 } else { 0 }).collect();
    let some = Numbers::of(&some);
    for name in compactions().into_iter().filter(|name| *name != "sequential") {
        let spec = CompactSpec::new::<u32>(5000).moves(Moves::Both);
        if let Ok(Some(plan)) = compaction(name).plan(Request::from(&spec), &device) {
            move_reads(&plan, &[&some], &mut seen);
        }
    }
    for name in rasterscan_runner::variants(rasterscan::tools::problem::REDUCE, false, |_| true) {
        let choice =
            rasterscan::tools::registry::Choice::parse(rasterscan::tools::problem::REDUCE, name).unwrap();
        if let Ok(Some(plan)) = choice.plan(Request::from(&ReduceSpec::new::<u32>(300)), &device) {
            move_reads(&plan, &[&numbers], &mut seen);
        }
    }
    let noticed = seen.values().filter(|seen| all(seen)).count();
    let others: BTreeSet<&str> =
        seen.iter().filter(|(_, seen)| !all(seen)).map(|(path, _)| path.as_str()).collect();
    println!("{noticed} kernels, not {others:?}");
    // The first reads attributes, which no kernel addresses; the second the only texel that there is; the last nothing.
    let silent = ["compact/geometry/keep.geom", "compact/histopyramid/count.frag", "scan/common/clear.comp"];
    assert_eq!(others, BTreeSet::from(silent));
    assert!(noticed >= 40, "{noticed}");
}

crate::tests![a_moved_read_changes_reads_values_and_operands];
