//! Floats: the same bits every time, in all algorithms, unless they are asked for prefixes of every tile.

use rasterscan::{Operator, Plan, ScanSpec};
use rasterscan_runner::data::{TestData, input};
use rasterscan_runner::rerecorded::{Memory, forgetful};
use rasterscan_runner::scan::Runner;

use super::{finish, plan};

fn bits(runner: &Runner, plan: &Plan, data: &[f32]) -> Vec<Vec<u32>> {
    let mut prepared = runner.gpu.prepare(plan).unwrap();
    let stream = prepared.upload(data).unwrap();
    let mut run =
        || prepared.run(&stream).unwrap().read::<f32>().unwrap().into_iter().map(f32::to_bits).collect();
    (0..3).map(|_| run()).collect()
}

/// Returns true if all of some algorithms give the same bits, each time.
fn all_the_same(runner: &mut Runner, algorithms: &[&str], spec: &ScanSpec) {
    let data: Vec<f32> = input(spec, TestData::Random);
    let device = runner.gpu.device().clone();
    let mut first = None;
    for algorithm in algorithms {
        let Some(plan) = plan(runner, algorithm, spec, &device) else { continue };
        // If waiting fails, sums are combined in another way, but with the same bits.
        let waits = ["chained", "sam", "look_back"].iter().any(|name| algorithm.starts_with(name));
        let forgets = [Memory::AThird].map(|memory| forgetful(&plan, memory));
        for plan in std::iter::once(plan).chain(forgets.into_iter().filter(|_| waits)) {
            for run in bits(runner, &plan, &data) {
                runner.run += 1;
                runner.compared += run.len() as u64;
                let first = first.get_or_insert_with(|| run.clone());
                let differs = (0..run.len()).find(|&place| run[place] != first[place]);
                assert_eq!(differs, None, "{algorithm}, {spec}: the first index with other bits");
            }
        }
    }
}

fn the_same_bits_every_time() {
    let mut runner = Runner::new();
    for (operator, order, tuple) in [(Operator::ADD, 1, 1), (Operator::ADD, 2, 3), (Operator::AFFINE, 1, 1)] {
        let spec = ScanSpec::new::<f32>(6000).operator(&operator).order(order).tuple(tuple);
        for algorithm in [
            "three_phase:vectors=1",
            "reduce_then_scan:vectors=1",
            "chained:vectors=1",
            "look_back:vectors=1",
            "look_back:lanes=shared,group=8,vectors=1",
        ] {
            all_the_same(&mut runner, &[algorithm], &spec);
        }
        // The number of groups does not matter.
        all_the_same(
            &mut runner,
            &["sam:vectors=1,groups=1", "sam:vectors=1,groups=2", "sam:vectors=1,groups=7"],
            &spec,
        );
    }
    let spec = ScanSpec::new::<f32>(100_000);
    for algorithm in ["three_phase", "reduce_then_scan", "chained", "look_back", "sam"] {
        all_the_same(&mut runner, &[algorithm], &spec);
    }
    let shared =
        ["sam:lanes=shared,group=8,vectors=1,groups=1", "sam:lanes=shared,group=8,vectors=1,groups=3"];
    all_the_same(&mut runner, &shared, &ScanSpec::new::<f32>(3000));
    finish(&runner, "the same bits");
}

crate::tests![the_same_bits_every_time,];
