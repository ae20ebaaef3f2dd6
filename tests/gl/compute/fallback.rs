//! Groups that wait for each other in vain: they compute the missing values, and the result is the same.

use rasterscan::{Batch, ElementType, Operator, ScanSpec};
use rasterscan_runner::data::TestElement;
use rasterscan_runner::rerecorded::{Memory, changed, forgetful, held_up, redefine};
use rasterscan_runner::scan::Runner;
use rasterscan_runner::tiles::tile_of;

use super::{KINDS, SINGLE_PASS, finish, plan, run};

/// Runs a spec of some ten tiles that forget published values, in both ways, and with a first tile that is late.
fn forgets<T: TestElement>(runner: &mut Runner, algorithm: &str, spec: ScanSpec, tiles: u64) {
    let device = runner.gpu.device().clone();
    let Some(first) = plan(runner, algorithm, &spec, &device) else { return };
    // Two tuples into the last tile, or whole rows.
    let tuple = u64::from(spec.tuple);
    let tiles = tile_of(&first) as u64 * tiles;
    let len = match spec.batch {
        Batch::Rows(width) => tiles.next_multiple_of(width),
        _ => tiles.next_multiple_of(tuple) + 2 * tuple,
    };
    let spec = spec.with_len(len);
    let plan = plan(runner, algorithm, &spec, &device).expect("a plan");
    for memory in [Memory::Nothing, Memory::AThird] {
        run::<T>(runner, algorithm, &spec, forgetful(&plan, memory), &format!("groups know {memory:?}"));
    }
    run::<T>(runner, algorithm, &spec, held_up(&plan), "the first group is held up");
}

/// Every algorithm, on items of one to four words, alone and in tuples, at several orders.
fn what_is_missing_is_computed_anew() {
    let mut runner = Runner::new();
    for algorithm in SINGLE_PASS {
        let affine = ScanSpec::new::<u32>(960).operator(Operator::AFFINE);
        let rows = [affine.rows(96).exclusive(), affine.rows(20)];
        let others = [affine.clone(), affine.tuple(3).exclusive(), affine.order(2).tuple(4).exclusive()];
        for spec in others.into_iter().chain(rows) {
            forgets::<u32>(&mut runner, algorithm, spec, 13);
        }
        forgets::<i32>(&mut runner, algorithm, ScanSpec::new::<i32>(960).operator(Operator::MIN), 40);
        forgets::<f32>(&mut runner, algorithm, ScanSpec::new::<f32>(960).order(2), 13);
        let longs = ScanSpec::new::<u64>(960).operator(Operator::AFFINE).tuple(3).exclusive();
        forgets::<u64>(&mut runner, algorithm, longs, 13);
    }
    finish(&runner, "what is missing is computed anew");
}

/// Tiles that never publish, anywhere: at the rates of late groups in smith2025, four seeds each. The result is proven,
/// so no choice of the missing tiles changes the sums or their order.
fn at_every_rate_of_tiles_that_never_publish() {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    for algorithm in SINGLE_PASS {
        for (tuple, kind) in [(1, KINDS[0]), (3, KINDS[1])] {
            let spec =
                ScanSpec::of(ElementType::U64, 960).operator(Operator::INTERVAL).tuple(tuple).kind(kind);
            let Some(first) = plan(&mut runner, algorithm, &spec, &device) else { continue };
            // As many tiles as `sam` has groups here: each takes one.
            let len = (tile_of(&first) as u64 * 63).next_multiple_of(tuple.into()) + u64::from(tuple);
            let spec = spec.with_len(len);
            let plan = plan(&mut runner, algorithm, &spec, &device).expect("a plan");
            for percent in [1, 10, 25, 50] {
                for seed in 0..4 {
                    let silent = forgetful(&plan, Memory::AllBut { percent, seed });
                    runner.proof_by(
                        algorithm,
                        &spec,
                        &silent,
                        &format!("{percent}% are silent, seed {seed}"),
                    );
                }
            }
        }
    }
    finish(&runner, "rates of tiles that never publish");
}

/// Tiles of the default size with the longest loops: large tuples of large items. With many rows loops are not unrolled.
fn no_invocation_goes_round_too_often() {
    let mut runner = Runner::new();
    for algorithm in ["chained", "look_back", "sam", "sam:groups=1"] {
        forgets::<u32>(&mut runner, algorithm, ScanSpec::new::<u32>(1 << 16), 9);
    }
    for algorithm in ["sam:vectors=64", "sam:vectors=48,groups=1"] {
        forgets::<u32>(&mut runner, algorithm, ScanSpec::new::<u32>(1 << 19), 200);
    }
    for algorithm in ["chained:vectors=2", "look_back:vectors=2", "sam:vectors=2", "sam:vectors=2,groups=1"] {
        let spec = ScanSpec::new::<u64>(1 << 12).operator(Operator::AFFINE).tuple(16);
        forgets::<u64>(&mut runner, algorithm, spec, 5);
    }
    finish(&runner, "rounds of loops");
}

/// No look and one look before a group computes the missing values, with nothing forgotten.
fn without_patience() {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    for algorithm in
        ["chained:vectors=1", "look_back:vectors=1", "sam:vectors=1,groups=2", "sam:vectors=1,groups=7"]
    {
        let spec = ScanSpec::new::<u32>(100_003).operator(Operator::AFFINE);
        let Some(plan) = plan(&mut runner, algorithm, &spec, &device) else { continue };
        for spins in [0, 1] {
            let plan = changed(&plan, |dispatch| redefine(dispatch, "SPINS", spins));
            for _ in 0..5 {
                run::<u32>(&mut runner, algorithm, &spec, plan.clone(), &format!("{spins} looks"));
            }
        }
    }
    finish(&runner, "without patience");
}

crate::tests![
    what_is_missing_is_computed_anew,
    at_every_rate_of_tiles_that_never_publish,
    no_invocation_goes_round_too_often,
    without_patience,
];
