//! The operands of an item combine to what the pass wrote, and it has read them. A recorded pass has the same.

use std::collections::{BTreeMap, BTreeSet};

use rasterscan::plan::{Command, Pass, Slot, Uniform};
use rasterscan::trace::{Place, Recording, Work};
use rasterscan::{
    CompactSpec, ElementType, Moves, Operator, Plan, ScanSpec,
    tools::{Numbers, Request},
};
use rasterscan_kernels::{Engine, Item, Operation, Word, replay};
use rasterscan_runner::compaction::{compaction, compactions};
use rasterscan_runner::scan::{algorithms, blocks, choice, tiles};

/// For each shader the items whose operands are known, and the others.
type Counts = BTreeMap<String, [usize; 2]>;

/// The slots that reads number.
fn sources(pass: &Pass) -> Vec<Slot> {
    match &pass.command {
        Command::Draw(draw) => draw.reads.iter().map(|(_, slot)| *slot).collect(),
        Command::Dispatch(dispatch) => dispatch.bindings.iter().map(|binding| binding.slot).collect(),
        _ => Vec::new(),
    }
}

/// Whether a pass writes items of the stream to a slot, and not the states or the sums of tiles, of which those of the last
/// tile may be undefined.
fn is_result(pass: &Pass, slot: Slot) -> bool {
    match &pass.command {
        Command::Dispatch(dispatch) => {
            dispatch.bindings.iter().any(|binding| binding.slot == slot && binding.name == "TARGET")
        }
        _ => true,
    }
}

fn check(plan: &Plan, request: &Request, inputs: &[&Numbers], counts: &mut Counts) {
    let mut engine = Engine::new(plan).unwrap();
    engine.upload(inputs).unwrap();
    let recording = Recording::of(&engine.record().unwrap(), request, "kernels".into());
    for number in 0..plan.passes().len() {
        let sources: Vec<(Numbers, usize)> = sources(&plan.passes()[number])
            .iter()
            .map(|slot| (engine.get(*slot), plan.layout(*slot)))
            .map(|(numbers, layout)| (numbers, (layout.arity * layout.element.words()) as usize))
            .collect();
        let (ran, operands) = engine.operands(number).unwrap();
        let step = &ran.step;
        let item = &step.pass.item;
        // A recording does not say which outputs a capture writes.
        let replayed = replay(&recording, number, None);
        let captures = matches!(recording.passes[number].work, Work::Capture { .. });
        assert_eq!(replayed.is_none(), captures, "{}, pass {}", plan.name(), number + 1);
        let replayed = replayed.unwrap_or_default();
        let path = step.pass.main_shader().path();
        let known = counts.entry(path.into()).or_default();
        for (of, write) in (0..).zip(&step.writes) {
            let words = (write.layout.arity * write.layout.element.words()) as usize;
            let content: Vec<u32> = bytemuck::pod_collect_to_vec(write.bytes());
            let result = is_result(&step.pass, write.slot);
            let operation = Operation::of(item.element, &item.operator).unwrap();
            // In a split stream items are without their flags.
            let operation = if words == operation.words { &operation } else { operation.values() };
            for (index, value) in (0..).zip(content.chunks(words)) {
                let word = Word::Item { of, item: index };
                let store = operands.of(word);
                let again = replayed.of(word).and_then(|store| replayed.reads(store));
                let Some(reads) = store.and_then(|store| operands.reads(store)) else {
                    let written = step.recorded.written.get(of as usize).and_then(Option::as_deref);
                    let texel = index as usize / write.layout.items_per_texel as usize;
                    known[1] += usize::from(result && written.is_some_and(|written| written[texel]));
                    continue;
                };
                let what = format!("{}, pass {}, {path}, item {index} of {of}", plan.name(), number + 1);
                assert_eq!(again.as_ref(), Some(&reads), "{what}: replayed");
                let mut items = Vec::new();
                for read in &reads {
                    let (numbers, words) = &sources[read.of as usize];
                    let first = read.item as usize * words;
                    let there = numbers.words().get(first..first + words);
                    items.push(Item::of(there.unwrap_or_else(|| panic!("{what}: {read:?} is past the end"))));
                    let layout = plan.layout(self::sources(&step.pass)[read.of as usize]);
                    let place =
                        Place { of: read.of, index: (read.item / u64::from(layout.items_per_texel)) as u32 };
                    let listed = step.recorded.reads.iter().filter_map(|reads| reads.of(read.by));
                    assert!(
                        listed.flatten().any(|listed| *listed == place),
                        "{what}: {read:?} is not listed"
                    );
                }
                // An arranged item has a flag that is not read.
                if words != operation.words || sources.is_empty() || path.contains("/around/arrange.") {
                    continue;
                }
                let combined = items.into_iter().reduce(|left, right| operation.combine(&left, &right));
                let combined = combined.unwrap_or(operation.identity());
                assert_eq!(combined.words()[..words], *value, "{what}: {reads:?}");
                known[0] += 1;
            }
        }
    }
}

fn operands_combine_to_what_is_written() {
    let device = rasterscan_kernels::device();
    let mut counts = Counts::new();
    let scans: Vec<&str> = [algorithms(), blocks(), tiles()].concat();
    for name in scans.into_iter().filter(|name| *name != "sequential") {
        let plain = ScanSpec::new::<u32>(300);
        let affine = ScanSpec::of(ElementType::I64, 70).operator(Operator::AFFINE);
        for spec in [plain.clone(), plain.tuple(3).exclusive(), affine.clone(), affine.exclusive()] {
            if let Ok(Some(plan)) = choice(name).plan(Request::from(&spec), &device) {
                check(
                    &plan,
                    &Request::from(&spec),
                    &[&crate::values(spec.element, spec.elements())],
                    &mut counts,
                );
            }
        }
    }
    let some: Vec<u32> = (0..600u32).map(|i| i.wrapping_mul(2_654_435_769) >> 30).collect();
    for name in compactions().into_iter().filter(|name| *name != "sequential") {
        let spec = CompactSpec::new::<u32>(600).moves(Moves::Both);
        if let Ok(Some(plan)) = compaction(name).plan(Request::from(&spec), &device) {
            check(&plan, &Request::from(&spec), &[&Numbers::of(&some)], &mut counts);
        }
    }
    println!("by shader [known, unknown]: {counts:#?}");
    let known: usize = counts.values().map(|[known, _]| known).sum();
    assert!(known > 90_000, "{known}");
    let unknown = |(path, [_, unknown]): (&String, &[usize; 2])| (*unknown > 0).then(|| path.clone());
    let unknown: BTreeSet<String> = counts.iter().filter_map(unknown).collect();
    let of_scans: Vec<&String> = unknown.iter().filter(|path| !path.starts_with("compact/")).collect();
    assert_eq!(of_scans, Vec::<&String>::new());
}

/// A recording from a file of any origin may have any numbers.
fn no_numbers_lead_a_kernel_astray() {
    let device = rasterscan_kernels::device();
    let spec = ScanSpec::new::<u32>(70);
    let mut tried = 0;
    for name in [
        "packed",
        "hybrid",
        "harris:variant=padded,block=16",
        "capannini:pattern=cm,block=16",
        "capannini:block=16,banks=4",
        "look_back:group=8,vectors=1",
        "sam:group=8,vectors=1",
        "three_phase:group=8,vectors=1",
    ] {
        let plan = choice(name).plan(Request::from(&spec), &device).unwrap().unwrap();
        let mut engine = Engine::new(&plan).unwrap();
        engine.upload(&[&crate::values(ElementType::U32, 70)]).unwrap();
        let recording = Recording::of(&engine.record().unwrap(), &Request::from(&spec), "kernels".into());
        for (number, pass) in recording.passes.iter().enumerate() {
            for value in [-1, 0, 3, 1000, 65536, i32::MAX] {
                for define in 0..pass.defines.len() {
                    let mut damaged = recording.clone();
                    damaged.passes[number].defines[define].1 = value.into();
                    tried += usize::from(replay(&damaged, number, Some(0)).is_some());
                }
                for uniform in 0..pass.uniforms.len() {
                    let mut damaged = recording.clone();
                    damaged.passes[number].uniforms[uniform].1 = Uniform::Int(value);
                    tried += usize::from(replay(&damaged, number, None).is_some());
                }
            }
        }
    }
    println!("{tried} were run");
}

crate::tests![operands_combine_to_what_is_written, no_numbers_lead_a_kernel_astray];
