//! Properties that hold for every input: proptest looks for one that breaks them.

mod common;

use common::runner::{ALGORITHMS, choice};
use proptest::prelude::*;
use rasterscan::{Gpu, Operator, ScanKind, ScanSpec, reference};

thread_local! {
    static GPU: Gpu = common::gpu();
}

fn scan(algorithm: &str, spec: &ScanSpec, data: &[u32]) -> Vec<u32> {
    GPU.with(|gpu| match choice(algorithm).plan(spec, gpu.device()).unwrap() {
        None => reference::scan(spec, data).unwrap(),
        Some(plan) => {
            let mut prepared = gpu.prepare(&plan).unwrap();
            let stream = prepared.upload(data).unwrap();
            prepared.run(&stream).unwrap().read().unwrap()
        }
    })
}

fn operators() -> impl Strategy<Value = Operator> {
    prop::sample::select(Operator::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any spec, any data, any algorithm: the sequential scan's result.
    #[test]
    fn equals_the_sequential_scan(
        algorithm in prop::sample::select(ALGORITHMS.to_vec()),
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
            .operator(operator)
            .kind(kind)
            .order(order)
            .tuple(tuple);
        prop_assert_eq!(scan(algorithm, &spec, data), reference::scan(&spec, data).unwrap());
    }

    /// Differences of a sum are the input.
    #[test]
    fn sums_can_be_undone(
        algorithm in prop::sample::select(ALGORITHMS.to_vec()),
        data in prop::collection::vec(any::<u32>(), 1..2000),
    ) {
        let sums = scan(algorithm, &ScanSpec::new::<u32>(data.len()), &data);
        let before = std::iter::once(0).chain(sums.iter().copied());
        let differences: Vec<u32> = sums.iter().zip(before).map(|(s, b)| s.wrapping_sub(b)).collect();
        prop_assert_eq!(differences, data);
    }

    /// A scan of a whole continues the scan of its front.
    #[test]
    fn the_front_does_not_depend_on_the_rest(
        algorithm in prop::sample::select(ALGORITHMS.to_vec()),
        operator in operators(),
        data in prop::collection::vec(any::<u32>(), 2..2000),
        cut in 0.0..1.0,
    ) {
        let arity = operator.arity() as usize;
        let items = data.len() / arity;
        let front = (items as f64 * cut) as usize;
        let spec = |items| ScanSpec::new::<u32>(items).operator(operator);
        let whole = scan(algorithm, &spec(items), &data[..items * arity]);
        let part = scan(algorithm, &spec(front), &data[..front * arity]);
        prop_assert_eq!(&whole[..front * arity], &part[..]);
    }
}
