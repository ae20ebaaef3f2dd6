//! Groups that wait for each other in vain: what is missing is computed anew, and the result is the same.

use super::common::data::TestElement;
use super::common::rerecorded::{Memory, changed, forgetful, redefine};
use super::common::runner::Runner;
use super::common::tile_twins::tile_of;
use super::{KINDS, SINGLE_PASS, finish, plan, run};
use rasterscan::{Element, Operator, ScanSpec};

/// Runs a spec of some ten tiles forgetfully, in both ways.
fn forgets<T: TestElement>(runner: &mut Runner, algorithm: &str, spec: ScanSpec, tiles: u64) {
    let device = runner.gpu.device().clone();
    let Some(first) = plan(runner, algorithm, &spec, &device) else { return };
    // Two tuples into the last tile.
    let tuple = u64::from(spec.tuple);
    let len = (tile_of(&first) as u64 * tiles).next_multiple_of(tuple) + 2 * tuple;
    let spec = ScanSpec { len, ..spec };
    for memory in [Memory::Nothing, Memory::AThird] {
        let plan = plan(runner, algorithm, &spec, &device).expect("a plan");
        run::<T>(runner, algorithm, &spec, forgetful(&plan, memory), &format!("groups know {memory:?}"));
    }
}

/// Every algorithm, on items of one to four words, alone and in tuples, at several orders.
#[test]
fn what_is_missing_is_computed_anew() {
    fn on<T: TestElement + Element>(runner: &mut Runner, operator: Operator, shapes: &[[u32; 2]]) {
        for algorithm in SINGLE_PASS {
            for kind in KINDS {
                for &[order, tuple] in shapes {
                    let spec = ScanSpec::new::<T>(1 << 16).operator(operator).kind(kind);
                    forgets::<T>(runner, algorithm, ScanSpec { len: 960, ..spec }.order(order).tuple(tuple), 13);
                }
            }
        }
    }
    let mut runner = Runner::new();
    on::<u32>(&mut runner, Operator::Affine, &[[1, 1], [3, 1], [1, 3], [2, 4]]);
    on::<i32>(&mut runner, Operator::Add, &[[1, 1]]);
    on::<f32>(&mut runner, Operator::Add, &[[1, 1], [2, 1]]);
    on::<u64>(&mut runner, Operator::Affine, &[[1, 1], [2, 3]]);
    on::<i64>(&mut runner, Operator::Min, &[[1, 2]]);
    finish(&runner, "what is missing is computed anew");
}

/// The tiles of every day, with all that an invocation has to go round for: large tuples of large items.
#[test]
fn no_invocation_goes_round_too_often() {
    let mut runner = Runner::new();
    for algorithm in ["chained", "look_back", "sam", "sam:groups=1"] {
        forgets::<u32>(&mut runner, algorithm, ScanSpec::new::<u32>(1 << 16), 9);
    }
    for algorithm in ["chained:rows=2", "look_back:rows=2", "sam:rows=2", "sam:rows=2,groups=1"] {
        let spec = ScanSpec::new::<u64>(1 << 12).operator(Operator::Affine).tuple(16);
        forgets::<u64>(&mut runner, algorithm, spec, 5);
    }
    finish(&runner, "rounds of loops");
}

/// Patience of no look and of one, and nothing forgotten: who has not published by then is helped.
#[test]
fn without_patience() {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    for algorithm in ["chained:rows=1", "look_back:rows=1", "sam:rows=1,groups=2", "sam:rows=1,groups=7"] {
        for kind in KINDS {
            let spec = ScanSpec::new::<u32>(100_003).operator(Operator::Affine).kind(kind);
            let Some(plan) = plan(&mut runner, algorithm, &spec, &device) else { continue };
            for spins in [0, 1] {
                let plan = changed(&plan, |dispatch| redefine(dispatch, "SPINS", spins));
                for _ in 0..5 {
                    run::<u32>(&mut runner, algorithm, &spec, plan.clone(), &format!("{spins} looks"));
                }
            }
        }
    }
    finish(&runner, "without patience");
}
