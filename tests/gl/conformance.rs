//! Every algorithm × element × operator × kind gives the sequential scan's result; proofs cover the lengths.

mod blocks;
mod proof;

use rasterscan::tools::registry::Era;
use rasterscan::{
    ElementType, Operator, ScanKind, ScanSpec,
    tools::{problem, registry},
};
use rasterscan_runner::data::{PATTERNS, TestData, TestElement};
use rasterscan_runner::scan::{Runner, algorithms};

const KINDS: [ScanKind; 2] = [ScanKind::Inclusive, ScanKind::Exclusive];

fn era(algorithm: &str) -> Era {
    rasterscan_runner::scan::choice(algorithm).card.era
}

fn the_runner_knows_every_scan_of_the_registry() {
    for card in registry::of(problem::SCAN) {
        let known = algorithms().iter().any(|name| name.split(':').next() == Some(card.name));
        assert!(known, "{} is in the registry and not in the Runner", card.name);
    }
}

/// Elements × operators × kinds × patterns, at a size around each kind of edge.
fn operators<T: TestElement>() {
    let mut runner = Runner::new();
    for operator in Operator::ALL {
        for kind in KINDS {
            for pattern in PATTERNS {
                for len in [0, 1, 2, 31, 257, 1000] {
                    let spec = ScanSpec::new::<T>(len).operator(&operator).kind(kind);
                    if !operator.accepts(T::TYPE) {
                        assert!(spec.check().is_err());
                        continue;
                    }
                    // Compute shaders are slow to compile, and the kind is independent of the operator.
                    let both = [Operator::ADD, Operator::AFFINE].contains(&operator);
                    for algorithm in algorithms() {
                        if both || kind == ScanKind::Inclusive || era(algorithm) == Era::Texture {
                            runner.case::<T>(algorithm, &spec, pattern);
                        }
                    }
                }
            }
        }
    }
    runner.finish(&format!("all operators on {}", T::TYPE));
}

fn every_operator_on_u32() {
    operators::<u32>();
}

fn every_operator_on_i32() {
    operators::<i32>();
}

fn every_operator_on_f32() {
    operators::<f32>();
}

fn every_operator_on_u64() {
    operators::<u64>();
}

fn every_operator_on_i64() {
    operators::<i64>();
}

/// Orders, alone and with tuples, on items of one, two and four words: they combine results, which proofs do not cover.
fn orders_and_tuples() {
    let mut runner = Runner::new();
    for tuple in 1..=16 {
        for kind in KINDS {
            let long = ScanSpec::new::<u64>(tuple * 333).kind(kind).tuple(tuple as u32);
            let affine = long.operator(Operator::AFFINE).order(2);
            for algorithm in ["sequential", "horn", "hybrid:reduce=4", "packed"] {
                runner.case::<u64>(algorithm, &long, TestData::Extreme);
                runner.case::<u64>(algorithm, &affine, TestData::Random);
            }
        }
    }
    for order in 1..=16 {
        for kind in KINDS {
            let spec = ScanSpec::new::<i32>(700).kind(kind).order(order);
            for algorithm in algorithms() {
                runner.case::<i32>(algorithm, &spec, TestData::Random);
            }
        }
    }
    runner.finish("orders and tuples");
}

/// Float errors grow with the order, and stay within bounds that grow with it.
fn floats_of_higher_order_and_tuple() {
    let mut runner = Runner::new();
    // Products of higher order leave the range of f32.
    runner.expects_unbounded = true;
    for operator in [Operator::ADD, Operator::MIN, Operator::MUL, Operator::AFFINE] {
        for (order, tuple) in [(2, 1), (3, 2), (1, 5)] {
            let spec = ScanSpec::new::<f32>(500).operator(&operator).order(order).tuple(tuple);
            for algorithm in algorithms() {
                runner.case::<f32>(algorithm, &spec, TestData::Constant);
                runner.case::<f32>(algorithm, &spec, TestData::Random);
            }
        }
    }
    runner.finish("floats of higher order and tuple");
}

/// NaN, infinities and overflow: results are right as far as they are defined.
fn floats_beyond_the_range() {
    let mut runner = Runner::new();
    runner.expects_unbounded = true;
    for operator in Operator::ALL.into_iter().filter(|operator| operator.accepts(ElementType::F32)) {
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e-42] {
            for kind in KINDS {
                let spec = ScanSpec::new::<f32>(300).operator(&operator).kind(kind);
                let mut data: Vec<f32> = rasterscan_runner::data::input(&spec, TestData::Near);
                for place in [200, 201, 255] {
                    data[place] = odd;
                }
                data[240] = 0.0;
                for algorithm in algorithms() {
                    runner.data::<f32>(algorithm, &spec, &data, &format!("{odd} at 200, 201, 255"));
                }
            }
        }
    }
    runner.finish("floats beyond the range");
}

/// Lengths at which products of indices have overflowed elsewhere.
fn long_streams() {
    let mut runner = Runner::new();
    for (len, algorithms) in [
        ((1 << 20) - 1, &["horn", "hybrid", "blelloch", "packed"][..]),
        ((1 << 20) + 1, &["horn", "hybrid", "blelloch", "packed"][..]),
        ((1 << 23) + 1, &["hybrid", "blelloch", "packed"][..]),
        ((1 << 24) + 1, &["packed"][..]),
    ] {
        for algorithm in algorithms {
            let spec = ScanSpec::new::<u32>(len);
            runner.case::<u32>(algorithm, &spec, TestData::Random);
            runner.case::<u32>(algorithm, &spec.exclusive(), TestData::Constant);
        }
    }
    // A tuple that is not a power of two, over many rows.
    let spec = ScanSpec::new::<u32>(3 * 100_000).tuple(3).exclusive();
    for algorithm in algorithms() {
        runner.case::<u32>(algorithm, &spec, TestData::Extreme);
    }
    runner.finish("long streams");
}

/// The largest stream that fits, and the first that does not, on a device made small.
fn the_device_limit() {
    let runner = Runner::new();
    let mut device = runner.gpu.device().clone();
    device.max_texture_size = 128;
    for (algorithm, limit) in
        [("horn", 1 << 14), ("hybrid", 1 << 14), ("blelloch", 1 << 14), ("packed", 1 << 16)]
    {
        let choice = rasterscan_runner::scan::choice(algorithm);
        let spec = ScanSpec::new::<u32>(limit);
        let plan = choice.plan(&spec, &device).unwrap().expect("a plan");
        let data: Vec<u32> = rasterscan_runner::data::input(&spec, TestData::Random);
        let mut prepared = runner.gpu.prepare(&plan).unwrap();
        let stream = prepared.upload(&data).unwrap();
        let result: Vec<u32> = prepared.run(&stream).unwrap().read().unwrap();
        rasterscan::scan::verify(&spec, plan.cost().depth, &data, &result).unwrap();
        assert!(plan.slots().iter().all(|slot| slot.layout.width <= 128 && slot.layout.height <= 128));

        let refused = choice.plan(&ScanSpec::new::<u32>(limit + 1), &device).unwrap_err().to_string();
        assert!(refused.contains(&format!("at most {limit} ")), "{algorithm}: {refused}");
    }
}

/// Two runs of a float scan give the same bits.
fn the_same_bits_twice() {
    let runner = Runner::new();
    let spec = ScanSpec::new::<f32>(100_000);
    let data: Vec<f32> = rasterscan_runner::data::input(&spec, TestData::Random);
    for algorithm in ["horn", "hybrid", "blelloch", "packed"] {
        let plan =
            rasterscan_runner::scan::choice(algorithm).plan(&spec, runner.gpu.device()).unwrap().unwrap();
        let mut prepared = runner.gpu.prepare(&plan).unwrap();
        let stream = prepared.upload(&data).unwrap();
        let first: Vec<f32> = prepared.run(&stream).unwrap().read().unwrap();
        let second: Vec<f32> = prepared.run(&stream).unwrap().read().unwrap();
        let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&first), bits(&second), "{algorithm}");
    }
}

crate::tests![
    in blocks, proof;
    the_runner_knows_every_scan_of_the_registry,
    every_operator_on_u32,
    every_operator_on_i32,
    every_operator_on_f32,
    every_operator_on_u64,
    every_operator_on_i64,
    orders_and_tuples,
    floats_of_higher_order_and_tuple,
    floats_beyond_the_range,
    long_streams,
    the_device_limit,
    the_same_bits_twice,
];
