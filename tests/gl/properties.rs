//! Properties that hold for every input: proptest looks for one that breaks them.

use proptest::prelude::*;
use rasterscan::compact;
use rasterscan::scan;
use rasterscan::{CompactSpec, Comparison, Condition, Error, Moves, Operator, ScanKind, ScanSpec};
use rasterscan_runner::compaction::{self, compaction, execute};
use rasterscan_runner::data::TestElement;
use rasterscan_runner::scan::{algorithms, choice};

fn scan(algorithm: &str, spec: &ScanSpec, data: &[u32]) -> Vec<u32> {
    let gpu = rasterscan_runner::gpu();
    match choice(algorithm).plan(spec, gpu.device()) {
        Ok(Some(plan)) => {
            let mut prepared = gpu.prepare(&plan).unwrap();
            let stream = prepared.upload(data).unwrap();
            prepared.run(&stream).unwrap().read().unwrap()
        }
        // A feature that this level lacks is tested on other levels.
        Ok(None) | Err(Error::Unsupported(_)) => scan::sequential(spec, data).unwrap(),
        Err(other) => panic!("{algorithm}: {other}"),
    }
}

/// The kept elements, and their indices.
fn compact<T: TestElement>(
    algorithm: &str,
    spec: &CompactSpec,
    data: &[T],
    mask: &[u32],
) -> (Vec<T>, Vec<u32>) {
    let spec = spec.moves(Moves::Both);
    let gpu = rasterscan_runner::gpu();
    match compaction(algorithm).plan(&spec, gpu.device()) {
        Ok(Some(plan)) => {
            let got = execute(&mut gpu.prepare(&plan).unwrap(), &spec, data, mask).unwrap();
            assert_eq!(got.count, got.values.len() as u64);
            (got.values, got.indices)
        }
        // A feature that this level lacks is tested on other levels.
        Ok(None) | Err(Error::Unsupported(_)) => {
            let kept = compact::sequential(&spec, data, mask).unwrap();
            (kept.values, kept.indices)
        }
        Err(other) => panic!("{algorithm}: {other}"),
    }
}

fn compactions() -> impl Strategy<Value = &'static str> {
    prop::sample::select(compaction::compactions())
}

fn comparisons() -> impl Strategy<Value = Comparison> {
    prop::sample::select(Comparison::ALL.to_vec())
}

/// Numbers with few different values, so that both equality and order occur.
fn few() -> impl Strategy<Value = Vec<u32>> {
    (1u32..1000).prop_flat_map(|most| prop::collection::vec(0..=most, 0..3000))
}

fn operators() -> impl Strategy<Value = Operator> {
    prop::sample::select(Operator::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any spec, any data, any algorithm: the sequential scan's result.
    fn equals_the_sequential_scan(
        algorithm in prop::sample::select(algorithms().to_vec()),
        operator in operators(),
        exclusive in any::<bool>(),
        order in 1u32..=4,
        tuple in 1u32..=16,
        values in prop::collection::vec(any::<u32>(), 0..3000),
    ) {
        let group = (tuple * operator.arity()) as usize;
        let data = &values[..values.len() / group * group];
        let kind = if exclusive { ScanKind::Exclusive } else { ScanKind::Inclusive };
        let spec = ScanSpec::new::<u32>(data.len() / operator.arity() as usize)
            .operator(&operator)
            .kind(kind)
            .order(order)
            .tuple(tuple);
        prop_assert_eq!(scan(algorithm, &spec, data), scan::sequential(&spec, data).unwrap());
    }

    /// Differences of a sum are the input.
    fn sums_can_be_undone(
        algorithm in prop::sample::select(algorithms().to_vec()),
        data in prop::collection::vec(any::<u32>(), 1..2000),
    ) {
        let sums = scan(algorithm, &ScanSpec::new::<u32>(data.len()), &data);
        let before = std::iter::once(0).chain(sums.iter().copied());
        let differences: Vec<u32> = sums.iter().zip(before).map(|(s, b)| s.wrapping_sub(b)).collect();
        prop_assert_eq!(differences, data);
    }

    /// A scan of a whole continues the scan of its front.
    fn the_front_does_not_depend_on_the_rest(
        algorithm in prop::sample::select(algorithms().to_vec()),
        operator in operators(),
        data in prop::collection::vec(any::<u32>(), 2..2000),
        cut in 0.0..1.0,
    ) {
        let arity = operator.arity() as usize;
        let items = data.len() / arity;
        let front = (items as f64 * cut) as usize;
        let spec = |items| ScanSpec::new::<u32>(items).operator(&operator);
        let whole = scan(algorithm, &spec(items), &data[..items * arity]);
        let part = scan(algorithm, &spec(front), &data[..front * arity]);
        prop_assert_eq!(&whole[..front * arity], &part[..]);
    }

    /// Any data and any condition: what a filter keeps.
    fn a_compaction_is_a_filter(
        algorithm in compactions(),
        comparison in comparisons(),
        constant in any::<u32>(),
        data in few(),
    ) {
        let constant = if data.is_empty() { constant } else { data[constant as usize % data.len()] };
        let spec = CompactSpec::new::<u32>(data.len()).keep(Condition::new(comparison, constant));
        let holds = |x: u32| match comparison {
            Comparison::Greater => x > constant,
            Comparison::AtLeast => x >= constant,
            Comparison::Less => x < constant,
            Comparison::AtMost => x <= constant,
            Comparison::Equal => x == constant,
            Comparison::NotEqual => x != constant,
        };
        let (values, indices) = compact(algorithm, &spec, &data, &[]);
        prop_assert_eq!(values, data.iter().copied().filter(|x| holds(*x)).collect::<Vec<u32>>());
        let kept = (0..data.len() as u32).filter(|index| holds(data[*index as usize]));
        prop_assert_eq!(indices, kept.collect::<Vec<u32>>());
    }

    /// Any mask: it and its opposite together keep every element once.
    fn kept_and_dropped_are_all(
        algorithm in compactions(),
        items in prop::collection::vec((any::<u64>(), prop::sample::select(vec![0, 0, 1, 1 << 31])), 0..2000),
    ) {
        let (data, mask): (Vec<u64>, Vec<u32>) = items.into_iter().unzip();
        let spec = CompactSpec::new::<u64>(data.len()).masked();
        let opposite: Vec<u32> = mask.iter().map(|mask| u32::from(*mask == 0)).collect();
        let (kept, kept_indices) = compact(algorithm, &spec, &data, &mask);
        let (dropped, dropped_indices) = compact(algorithm, &spec, &data, &opposite);
        prop_assert_eq!(kept.len(), mask.iter().filter(|mask| **mask != 0).count());
        let mut all: Vec<(u32, u64)> = kept_indices.into_iter().zip(kept).collect();
        all.extend(dropped_indices.into_iter().zip(dropped));
        all.sort_unstable();
        prop_assert_eq!(all, (0..).zip(data).collect::<Vec<_>>());
    }

    /// One condition and then another: both at once, in either order.
    fn conditions_compose(
        first in compactions(),
        second in compactions(),
        bounds in (0u32..500, 0u32..500),
        data in few(),
    ) {
        let least = Condition::new(Comparison::AtLeast, bounds.0);
        let below = Condition::new(Comparison::Less, bounds.1);
        let keep = |algorithm, condition, data: &[u32]| {
            compact(algorithm, &CompactSpec::new::<u32>(data.len()).keep(condition), data, &[]).0
        };
        let one_way = keep(second, below, &keep(first, least, &data));
        let other_way = keep(first, least, &keep(second, below, &data));
        let both: Vec<u32> = data.into_iter().filter(|x| (bounds.0..bounds.1).contains(x)).collect();
        prop_assert_eq!(&one_way, &both);
        prop_assert_eq!(&other_way, &both);
    }
}

crate::tests![
    equals_the_sequential_scan,
    sums_can_be_undone,
    the_front_does_not_depend_on_the_rest,
    a_compaction_is_a_filter,
    kept_and_dropped_are_all,
    conditions_compose,
];
