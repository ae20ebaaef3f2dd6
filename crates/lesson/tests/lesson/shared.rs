//! Shared memory stage by stage: every stored word is what its operands combine to, and followed back, every result is
//! made of exactly the items before it.

use std::collections::HashMap;

use rasterscan::tools::Numbers;
use rasterscan::tools::problem::SCAN;
use rasterscan::trace::{Place, Recording};
use rasterscan::{Operator, ScanKind, ScanSpec, tools::Request};
use rasterscan_lesson::shared::{self, GroupMemory, Word};
use rasterscan_lesson::{Item, banks, worked};

use super::german::{hear, nothing_was_english};
use super::runs::{choice, numbers, record};

const KERNELS: [&str; 8] = [
    "harris:variant=naive",
    "harris:variant=work_efficient",
    "harris:variant=padded",
    "harris:variant=zero_conflict",
    "capannini:pattern=cm",
    "capannini:pattern=no_padding",
    "capannini:pattern=padding",
    "capannini:pattern=left_right",
];

/// Every kernel, in blocks of three sizes on few banks, with operators that do and do not commute. Together they see all
/// lengths from 1 to 70.
fn each(mut check: impl FnMut(&str, &Recording)) {
    let gpu = rasterscan_runner::gpu();
    let mut turn = 0;
    for kernel in KERNELS {
        for (block, banks) in [(8, 4), (16, 4), (32, 2)] {
            for operator in [Operator::ADD, Operator::AFFINE] {
                for exclusive in [false, true] {
                    turn += 1;
                    for n in [turn % 70 + 1, block + turn % 2] {
                        let name = format!("{kernel},block={block},banks={banks}");
                        let spec = ScanSpec::new::<u32>(n).operator(operator.clone());
                        let spec = if exclusive { spec.exclusive() } else { spec };
                        let values = Numbers::of(&numbers(n * operator.arity() as usize, n as u64));
                        let (choice, request) = (choice(SCAN, &name), Request::from(&spec));
                        let Some(recording) = record(&gpu, &choice, &request, &[&values]) else { return };
                        check(&format!("{name}, {request}"), &recording);
                    }
                }
            }
        }
    }
}

fn each_stage_adds_up_and_each_result_is_made_of_the_items_before_it() {
    let mut seen = 0;
    each(|name, recording| {
        seen += every_stored_word_is_what_its_operands_combine_to(name, recording);
        every_result_is_made_of_the_items_before_it_in_their_order(name, recording);
        turns_are_those_of_the_banks(name, recording);
        for memory in (0..recording.passes.len()).flat_map(|pass| groups(recording, pass)) {
            hear(&memory.price);
            (0..memory.stages.len()).for_each(|stage| _ = hear(&memory.describe(stage, None)));
        }
    });
    nothing_was_english();
    assert!(seen > 10_000 || seen == 0, "{seen}");
}

/// The groups of a pass whose shared memory is understood.
fn groups(recording: &Recording, pass: usize) -> Vec<GroupMemory> {
    let memory = banks::of(recording, pass);
    let groups = memory.map_or_else(Vec::new, |memory| memory.groups());
    groups.into_iter().filter_map(|group| shared::of(recording, pass, group)).collect()
}

fn every_stored_word_is_what_its_operands_combine_to(name: &str, recording: &Recording) -> usize {
    let mut seen = 0;
    for (pass, of) in recording.passes.iter().enumerate() {
        let groups = groups(recording, pass);
        assert_eq!(groups.is_empty(), of.phase == "uniform add", "{name}, {}", of.phase);
        for memory in groups {
            for (number, stage) in memory.stages.iter().enumerate() {
                let at = format!("{name}, pass {}, group {}, {}", pass + 1, memory.group, stage.stage);
                for operation in &stage.operations {
                    let values: Vec<Item> = operation.operands.iter().map(|operand| operand.value).collect();
                    let expected = Item::fold(&memory.operator, &values)
                        .unwrap_or(Item::identity(&memory.operator, operation.value.element()));
                    assert_eq!(expected, operation.value, "{at}: {}", memory.equation(operation));
                    for operand in &operation.operands {
                        if let Word::Cell(address) = operand.word {
                            let before = memory.stages[operand.stage].before[address as usize];
                            assert_eq!(before, Some(operand.value), "{at}: {}", memory.equation(operation));
                        }
                    }
                    seen += 1;
                }
                // Whatever changed was written by one of them, as it is afterwards.
                for address in 0..memory.cells {
                    let (before, after) = (stage.before[address as usize], stage.after[address as usize]);
                    let made = stage.writes(Word::Cell(address)).map(|number| stage.operations[number].value);
                    assert_eq!(made.or(before), after, "{at}: address {address}");
                }
                assert!(number == 0 || stage.before == memory.stages[number - 1].after);
            }
        }
    }
    seen
}

fn every_result_is_made_of_the_items_before_it_in_their_order(name: &str, recording: &Recording) {
    // The items of the input that each item of a stream was made of so far.
    let n = recording.request.len() as u32;
    let mut made: HashMap<usize, Vec<Vec<u32>>> = HashMap::new();
    made.insert(recording.inputs[0].stream, (0..n).map(|item| vec![item]).collect());
    for (number, pass) in recording.passes.iter().enumerate() {
        let mut after = made.clone();
        for (of, target) in pass.targets.iter().enumerate() {
            let len = recording.layout(target.stream).len as u32;
            let own = (0..len).map(|index| {
                let place = Place { of: of as u32, index };
                let origins = worked::origins(recording, number, place, index.into());
                let origins = origins.unwrap_or_else(|| panic!("{name}: {place:?} of pass {}", number + 1));
                let stream = |place: &Place| pass.sources[place.of as usize].stream;
                let items = |place: &Place| made[&stream(place)][place.index as usize].clone();
                origins.iter().flat_map(items).collect()
            });
            after.insert(target.stream, own.collect());
        }
        made = after;
    }
    let exclusive = recording.request.get::<ScanSpec>().unwrap().kind == ScanKind::Exclusive;
    for (result, items) in (0..n).zip(&made[&recording.outputs[0]]) {
        let end = if exclusive { result } else { result + 1 };
        assert_eq!(*items, (0..end).collect::<Vec<u32>>(), "{name}: result {result}");
    }
}

fn turns_are_those_of_the_banks(name: &str, recording: &Recording) {
    for pass in 0..recording.passes.len() {
        let Some(banks) = banks::of(recording, pass) else { continue };
        for memory in groups(recording, pass) {
            let steps = banks.of_group(memory.group);
            let sum = |of: fn(&banks::BankStep) -> u64| steps.iter().map(of).sum::<u64>();
            let all = (sum(|step| step.degree), sum(|step| step.least));
            assert_eq!(memory.turns_until(usize::MAX), all, "{name}, pass {}", pass + 1);
            for stage in &memory.stages {
                let rows: u64 = stage.accesses.iter().map(|row| row.turns).sum();
                assert_eq!(rows, stage.turns, "{name}");
                for row in &stage.accesses {
                    let last = row.served.iter().map(|served| served.turn).max();
                    assert_eq!(last, Some(row.turns), "{name}, {}", stage.stage);
                    let lost = row.turns > row.least;
                    assert_eq!(row.served.iter().any(|served| served.conflict), lost, "{name}");
                }
            }
        }
    }
}

fn stages_are_told_in_the_numbers_of_the_run() {
    let gpu = rasterscan_runner::gpu();
    let values = Numbers::of(&[3u32, 1, 7, 0, 4, 1, 6, 3, 5, 2, 9, 8, 1, 1, 2, 4]);
    let told = |name: &str| -> Option<Vec<String>> {
        let request = Request::from(&ScanSpec::new::<u32>(16));
        let recording = record(&gpu, &choice(SCAN, name), &request, &[&values])?;
        let memory = shared::of(&recording, 0, 0).expect("it is understood");
        Some((0..memory.stages.len()).map(|stage| memory.describe(stage, None)).collect())
    };
    let Some(tree) = told("harris:variant=work_efficient,block=16,banks=4") else { return };
    assert_eq!(
        tree[2],
        "Up-sweep, d = 1: invocation 0 writes s[3] = s[1] + s[3] = 4 + 7 = 11. 4 of 8 invocations work. s[1] and s[5] \
         are read at a time, and both lie in bank 1, which serves one after the other. Its 3 accesses take 12 turns; \
         without conflicts, 3 would be enough."
    );
    assert_eq!(
        tree[5],
        "The root is set: invocation 0 writes s[15] = 0, the identity. 1 of 8 invocations works. Its 2 accesses take 2 \
         turns, without a conflict."
    );
    let padded = told("harris:variant=padded,block=16,banks=4").unwrap();
    assert!(padded[2].contains("s[3] = s[1] + s[3] = 4 + 7 = 11"), "{}", padded[2]);
    assert!(padded[2].ends_with("Its 3 accesses take 3 turns, without a conflict."), "{}", padded[2]);
    let naive = told("harris:variant=naive,block=16,banks=4").unwrap();
    assert!(
        naive[1].starts_with("The loop, d = 1: invocation 1 writes b[1] = a[0] + a[1] = 3 + 1 = 4."),
        "{}",
        naive[1]
    );
}

crate::tests![
    each_stage_adds_up_and_each_result_is_made_of_the_items_before_it,
    stages_are_told_in_the_numbers_of_the_run,
];
