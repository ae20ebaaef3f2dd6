//! Lengths around every tile, every ring of sums, every number of work groups and every binding.

use rasterscan::plan::{Command, Dispatch};
use rasterscan::{ElementType, Operator, Plan, ScanSpec};
use rasterscan_runner::data::TestData;
use rasterscan_runner::rerecorded::{Memory, forgetful};
use rasterscan_runner::scan::{Runner, tiles};
use rasterscan_runner::tiles::{define, tile_of};

use super::{KINDS, SINGLE_PASS, finish, plan};

/// Tuples at the ends of the range, and orders of floats, by every variant whose programs compile quickly. Lengths are
/// proven elsewhere.
fn every_way_through_tiles() {
    let mut runner = Runner::new();
    for algorithm in tiles().into_iter().filter(|algorithm| algorithm.contains("vectors=")) {
        runner.case::<u64>(algorithm, &ScanSpec::new::<u64>(5 * 333).tuple(5), TestData::Extreme);
        let spec = ScanSpec::new::<f32>(5000).operator(Operator::AFFINE).order(3).exclusive();
        runner.case::<f32>(algorithm, &spec, TestData::Constant);
    }
    finish(&runner, "every way through tiles");
}

/// Every length from one tile to two, in the smallest tiles: proven in both dialects of compute shaders.
fn every_length_from_one_tile_to_two() {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    let algorithms = [
        "three_phase:vectors=1",
        "three_phase:lanes=shared,group=8,vectors=1",
        "reduce_then_scan:lanes=shared,group=8,vectors=1",
        "reduce_then_scan:vectors=1",
    ];
    for algorithm in algorithms.into_iter().chain(SINGLE_PASS) {
        let spec = |len: usize| ScanSpec::new::<u32>(len).operator(Operator::INTERVAL);
        let Some(long) = plan(&mut runner, algorithm, &spec(1 << 14), &device) else { continue };
        let tile = tile_of(&long);
        assert!(tile <= 32 || !device.software, "{algorithm}: tiles of {tile}");
        for len in tile..2 * tile {
            KINDS.into_iter().for_each(|kind| runner.proof(algorithm, &spec(len).kind(kind)));
        }
    }
    finish(&runner, "every length from one tile to two");
}

/// Tiles so large that an invocation of a CPU goes over its items twice, and holds one vector at a time: proven, also where
/// some tiles never publish.
fn tiles_that_are_gone_over_twice() {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    for algorithm in [
        "chained:vectors=33",
        "look_back:vectors=33",
        "look_back:vectors=33,prefixes=block",
        "sam:vectors=33,groups=3",
    ] {
        for (tuple, kind) in [(1, KINDS[0]), (1, KINDS[1]), (3, KINDS[1])] {
            let spec = |len: u64| {
                let spec = ScanSpec::of(ElementType::U64, len).operator(Operator::INTERVAL).kind(kind);
                spec.tuple(tuple)
            };
            let Some(long) = plan(&mut runner, algorithm, &spec(9_600), &device) else { continue };
            let twice = dispatches(&long).any(|dispatch| define(dispatch, "IN_SERIES") == Some(1));
            assert_eq!(twice, device.software, "{algorithm}");
            let (tile, tuple) = (tile_of(&long) as u64, u64::from(tuple));
            let edges = [0, 1, tile / tuple / 2, tile / tuple - 1, tile / tuple, tile / tuple + 1];
            let long = [2, 5, 30].map(|tiles| tiles * tile / tuple + 7);
            for tuples in edges.into_iter().chain(long) {
                runner.proof(algorithm, &spec(tuples * tuple));
            }
            let spec = spec((12 * tile / tuple + 1) * tuple);
            let plan = plan(&mut runner, algorithm, &spec, &device).expect("a plan");
            for memory in [Memory::Nothing, Memory::AThird] {
                let silent = forgetful(&plan, memory);
                runner.proof_by(algorithm, &spec, &silent, &format!("groups know {memory:?}"));
            }
        }
        let spec = ScanSpec::new::<f32>(30_000);
        runner.case::<f32>(algorithm, &spec, TestData::Random);
        runner.case::<f32>(algorithm, &spec.operator(Operator::MAX).exclusive(), TestData::Extreme);
        runner.case::<i64>(algorithm, &ScanSpec::new::<i64>(30_000).order(2), TestData::Extreme);
    }
    finish(&runner, "tiles that are gone over twice");
}

/// Lengths at which products of indices have overflowed elsewhere.
fn from_2_23_to_2_24() {
    let mut runner = Runner::new();
    for algorithm in ["three_phase", "reduce_then_scan", "chained", "look_back", "sam"] {
        let few = [(1 << 23) - 1, (1 << 24) + 1];
        let all = [(1 << 23) - 1, (1 << 23) + 1, (1 << 24) - 1, 1 << 24, (1 << 24) + 1];
        let fast = ["reduce_then_scan", "look_back"].contains(&algorithm);
        for len in if fast { &all[..] } else { &few[..] } {
            runner.case::<u32>(algorithm, &ScanSpec::new::<u32>(*len), TestData::Random);
        }
    }
    finish(&runner, "2^23 to 2^24");
}

/// A stream that the device cannot bind at once.
fn longer_than_a_binding() {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    let limit = device.compute.as_ref().map_or(0, |compute| compute.max_binding);
    if limit > 1 << 27 {
        return println!("not applicable: {limit} bytes of a buffer can be bound here");
    }
    for algorithm in ["three_phase", "reduce_then_scan", "chained", "look_back", "sam"] {
        let spec = ScanSpec::new::<u32>((1 << 25) + 1031);
        let Some(plan) = plan(&mut runner, algorithm, &spec, &device) else { continue };
        let parts = |dispatch: &Dispatch| dispatch.bindings.iter().any(|binding| binding.items.start > 0);
        assert!(dispatches(&plan).any(parts), "{algorithm} binds all of it at once");
        runner.case::<u32>(algorithm, &spec, TestData::Random);
    }
    finish(&runner, "longer than a binding");
}

/// More work groups than one dimension of a dispatch holds.
fn groups_in_two_dimensions() {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    let most = device.compute.as_ref().map_or(0, |compute| compute.max_groups);
    if most > 65535 {
        return println!("not applicable: {most} work groups fit into one dimension here");
    }
    for algorithm in
        ["three_phase:vectors=1", "reduce_then_scan:vectors=1", "chained:vectors=1", "look_back:vectors=1"]
    {
        let spec = ScanSpec::new::<u32>((1 << 21) + 77);
        let Some(plan) = plan(&mut runner, algorithm, &spec, &device) else { continue };
        assert!(dispatches(&plan).any(|dispatch| dispatch.groups > u64::from(most)), "{algorithm}");
        runner.case::<u32>(algorithm, &spec, TestData::Random);
    }
    finish(&runner, "groups in two dimensions");
}

pub fn dispatches(plan: &Plan) -> impl Iterator<Item = &Dispatch> {
    plan.passes().iter().filter_map(|pass| match &pass.command {
        Command::Dispatch(dispatch) => Some(dispatch),
        _ => None,
    })
}

crate::tests![
    every_way_through_tiles,
    every_length_from_one_tile_to_two,
    tiles_that_are_gone_over_twice,
    from_2_23_to_2_24,
    longer_than_a_binding,
    groups_in_two_dimensions,
];
