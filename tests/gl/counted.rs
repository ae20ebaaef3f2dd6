//! Streams whose length is on the GPU: of any length up to the capacity the results are those of a shorter stream, and
//! chains of compactions need nothing from the CPU.

use rasterscan::tools::problem::{COMPACT, REDUCE, SCAN};
use rasterscan::tools::registry::{self, Choice};
use rasterscan::{
    CompactSpec, Comparison, Condition, Error, Moves, Operator, ReduceSpec, ScanSpec, scan,
    tools::{Numbers, Request, task::Task},
};

use rasterscan_runner::data::mix;

/// Many rows in every texture of an algorithm, so that some are not drawn.
const CAPACITY: u64 = 50_000;
/// Longer and longer, then shorter again: what a longer run has left past the end must not count.
const LENGTHS: [u32; 16] =
    [0, 1, 2, 31, 128, 129, 1000, 4097, 50_000, 700_000, 49_900, 35_000, 10_000, 1000, 30, 0];

/// Other numbers for each salt, and another share of them above 20: about half, few, most.
fn numbers(salt: u64) -> Vec<u32> {
    let most = [50, 22, 200][(salt % 3) as usize];
    (0..CAPACITY).map(|i| (mix(salt, i) % most) as u32).collect()
}

/// Runs a request with every length, each time on other numbers; returns whether the algorithm takes it here.
fn check(choice: &Choice, request: &Request, inputs: impl Fn(u64) -> Vec<Numbers>) -> bool {
    let gpu = rasterscan_runner::gpu();
    let plan = match choice.plan(request, gpu.device()) {
        Ok(Some(plan)) => plan,
        Ok(None) => return false,
        Err(Error::Unsupported(reason)) => {
            let lacks = choice.card.supported(gpu.device()).is_err();
            let reason = reason.to_string();
            assert!(lacks || reason.contains("does not take its length from the GPU"), "{choice}: {reason}");
            return false;
        }
        Err(other) => panic!("{choice}, {request}: {other}"),
    };
    let mut prepared = gpu.prepare(&plan).unwrap_or_else(|error| panic!("{choice}, {request}: {error}"));
    for (run, length) in (0..).zip(LENGTHS) {
        let inputs: Vec<Numbers> = inputs(run).into_iter().chain([Numbers::from(vec![length])]).collect();
        let task = Task::new(request, &inputs).unwrap();
        let streams = task.upload(&prepared).unwrap();
        let streams: Vec<_> = streams.iter().map(|stream| &**stream).collect();
        let results = task.read(prepared.run(&streams).unwrap()).unwrap();
        let verified = task.verify(Some(plan.cost().depth), &results);
        verified.unwrap_or_else(|wrong| panic!("{choice}, {request}, {length} items: {wrong}\n{plan}"));
    }
    true
}

fn every_scan_takes_its_length_from_the_gpu() {
    let mut run = 0;
    let plain = ScanSpec::new::<u32>(CAPACITY as usize);
    let seed = Numbers::from(vec![9u32]);
    let flags: Vec<u32> = (0..CAPACITY.div_ceil(32)).map(|word| 1 << (word % 32)).collect();
    for card in registry::of(SCAN) {
        let specs = [
            (plain.with_gpu_length(), vec![]),
            (plain.exclusive().order(2).tuple(4).with_gpu_length(), vec![]),
            (plain.operator(Operator::MAX).rows(50).with_gpu_length(), vec![]),
            (
                plain.segmented().with_seed().with_gpu_length(),
                vec![Numbers::from(flags.clone()), seed.clone()],
            ),
        ];
        for (spec, side_input) in specs {
            let inputs =
                |salt| [Numbers::from(numbers(salt))].into_iter().chain(side_input.clone()).collect();
            run += u32::from(check(&card.with_defaults(), &Request::from(&spec), inputs));
        }
    }
    assert!(run >= 16, "{run} runs");
    assert!(
        plain.reversed().with_gpu_length().check().is_err()
            && plain.columns(50).with_gpu_length().check().is_err()
    );
}

fn compactions_and_reductions_take_their_length_from_the_gpu() {
    let mut run = 0;
    let bright = Condition::new(Comparison::Greater, 20u32);
    let spec = CompactSpec::new::<u32>(CAPACITY as usize).moves(Moves::Both).with_gpu_length();
    let stream = |salt| vec![Numbers::from(numbers(salt))];
    let masked = |salt| {
        let mask: Vec<u32> = numbers(salt + 1).iter().map(|number| number.saturating_sub(20)).collect();
        vec![Numbers::from(numbers(salt)), Numbers::from(mask)]
    };
    for card in registry::of(COMPACT) {
        let choice = card.with_defaults();
        run += u32::from(check(&choice, &Request::from(&spec.keep(bright)), stream));
        run += u32::from(check(&choice, &Request::from(&spec.masked()), masked));
    }
    for card in registry::of(REDUCE) {
        for operator in [Operator::ADD, Operator::MIN] {
            let spec = ReduceSpec::new::<u32>(CAPACITY as usize).operator(operator).with_gpu_length();
            run += u32::from(check(&card.with_defaults(), &Request::from(&spec), stream));
        }
        let spec = ReduceSpec::new::<u32>(CAPACITY as usize / 2).operator(Operator::AFFINE).with_gpu_length();
        run += u32::from(check(&card.with_defaults(), &Request::from(&spec), stream));
    }
    assert!(run >= 5, "{run} runs");
}

/// Three compactions, each of what the one before has left, and a sum of the rest: the lengths never leave the GPU.
fn chained_compactions_need_nothing_from_the_cpu() {
    let gpu = rasterscan_runner::gpu();
    for (compaction, reduction) in [("packed", "packed"), ("select", "single_pass")] {
        let compaction = Choice::parse(COMPACT, compaction).unwrap();
        if compaction.card.supported(gpu.device()).is_err() {
            continue;
        }
        let keep = |most: u32| {
            let condition = Condition::new(Comparison::Less, most);
            CompactSpec::new::<u32>(CAPACITY as usize).keep(condition).with_gpu_length()
        };
        let plan = |spec: CompactSpec| compaction.plan(&spec, gpu.device()).unwrap().unwrap();
        let parts = [40, 25, 10].map(|most| plan(keep(most)));
        let sum = Choice::parse(REDUCE, reduction).unwrap();
        let sum = sum
            .plan(&ReduceSpec::new::<u32>(CAPACITY as usize).with_gpu_length(), gpu.device())
            .unwrap()
            .unwrap();

        let first = parts[0].inputs().collect::<Vec<_>>();
        let mut whole = rasterscan::Plan::new("chain", parts[0].item().clone(), *parts[0].layout(first[0]));
        whole.further_input("length", *parts[0].layout(first[1]));
        let mut slots: Vec<_> = whole.inputs().collect();
        for part in &parts {
            slots = whole.append_plan(part, &slots).unwrap();
        }
        let total = whole.append_plan(&sum, &slots).unwrap();
        let whole = whole.finish_with([total, slots].concat());

        let mut prepared = gpu.prepare(&whole).unwrap();
        let data = numbers(3);
        let stream = prepared.upload(&data).unwrap();
        for length in LENGTHS {
            let count = prepared.upload_input(1, &[length]).unwrap();
            let outputs = prepared.run([&stream, &count]).unwrap();
            let left: Vec<u32> =
                data.iter().take(length as usize).copied().filter(|number| *number < 10).collect();
            let [total, values, kept] = ["sum", "values", "count"].map(|name| outputs.get(name));
            let total = total.unwrap_or_else(|| outputs.first());
            assert_eq!(kept.unwrap().read::<u32>().unwrap(), [left.len() as u32], "{compaction}, {length}");
            assert_eq!(values.unwrap().read_first::<u32>(left.len() as u64).unwrap(), left);
            assert_eq!(
                total.read_first::<u32>(1).unwrap(),
                [left.iter().sum::<u32>()],
                "{compaction}, {length}"
            );
        }
    }
}

/// Items that do not count are not touched: the passes of a nearly empty stream draw few rows, and start few groups.
fn what_does_not_count_is_not_computed() {
    let gpu = rasterscan_runner::gpu();
    let len = 1 << 18;
    let spec = ScanSpec::new::<u32>(len).with_gpu_length();
    for name in ["horn", "packed", "look_back"] {
        let choice = Choice::parse(SCAN, name).unwrap();
        let Ok(Some(plan)) = choice.plan(&spec, gpu.device()) else { continue };
        let mut prepared = gpu.prepare(&plan).unwrap();
        let count = |length: u32| prepared.upload_input(1, &[length]).unwrap();
        let (all, few) = (count(len as u32), count(300));
        let [ones, twos] = [1u32, 2].map(|number| prepared.upload(&vec![number; len]).unwrap());
        let before: Vec<u32> = prepared.run([&ones, &all]).unwrap().first().read().unwrap();
        assert_eq!(before, scan::sequential(&ScanSpec::new::<u32>(len), &vec![1u32; len]).unwrap());
        let after: Vec<u32> = prepared.run([&twos, &few]).unwrap().first().read().unwrap();
        assert!((0..300).all(|i| after[i] == 2 * (i as u32 + 1)), "{name}");
        // Far from the end of what counts, the last run's results still stand.
        assert_eq!(after[len / 2..], before[len / 2..], "{name} computes what does not count");
    }
}

crate::tests![
    every_scan_takes_its_length_from_the_gpu,
    compactions_and_reductions_take_their_length_from_the_gpu,
    chained_compactions_need_nothing_from_the_cpu,
    what_does_not_count_is_not_computed,
];
