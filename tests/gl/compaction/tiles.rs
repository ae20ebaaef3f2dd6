//! Compactions in tiles: every edge of a tile, and groups that wait for each other in vain.

use rasterscan::compact;
use rasterscan::plan::Command;
use rasterscan::{CompactSpec, Error, Keep, Moves, Plan};
use rasterscan_runner::compaction::{
    CompactRunner, Input, SHAPES, TestShape, compaction, compactions, execute, masked, shaped, tiles,
};
use rasterscan_runner::data::TestElement;
use rasterscan_runner::rerecorded::{Memory, changed, forgetful, held_up, redefine};
use rasterscan_runner::tiles::{ring_of, tile_of};

/// The plan; `None` if the device cannot run it.
fn plan(runner: &CompactRunner, algorithm: &str, spec: &CompactSpec) -> Option<Plan> {
    match compaction(algorithm).plan(spec, runner.gpu.device()) {
        Ok(plan) => plan,
        Err(Error::Unsupported(reason)) => {
            println!("not applicable: {algorithm}: {reason}");
            None
        }
        Err(other) => panic!("{algorithm}, {spec}: {other}"),
    }
}

fn every_edge_of_a_tile() {
    let mut runner = CompactRunner::new();
    let in_tiles = compactions().into_iter().filter(|name| name.starts_with("sc") || name.starts_with("sel"));
    for algorithm in in_tiles.chain(tiles()) {
        let spec = |len: usize| CompactSpec::new::<u32>(len).moves(Moves::Both);
        let Some(long) = plan(&runner, algorithm, &spec(1 << 20)) else { continue };
        let tile = tile_of(&long);
        let ring = ring_of(&long).map(|ring| ring * tile);
        for edge in [tile, 2 * tile, 5 * tile].into_iter().chain(ring) {
            for len in [edge - 1, edge, edge + 1] {
                let few =
                    [TestShape::Share(0), TestShape::Share(60), TestShape::Share(100), TestShape::OnlyLast];
                runner.inputs::<u32>(algorithm, &spec(len), &few.map(|shape| shaped(len, shape)));
            }
        }
        // Every length from one tile to two, if tiles are small.
        for len in (tile..2 * tile).filter(|_| tile <= 64) {
            runner.inputs::<u32>(algorithm, &spec(len), &[shaped(len, TestShape::Share(60))]);
        }
    }
    if runner.gpu.device().compute.is_some() {
        runner.finish("edges of tiles");
    }
}

/// More work groups than one dimension of a dispatch holds, and as many elements as one binding holds.
fn groups_in_two_dimensions() {
    let mut runner = CompactRunner::new();
    let Some(compute) = runner.gpu.device().compute.clone() else {
        return println!("not applicable: {} has no compute shaders", runner.gpu.device().level());
    };
    if compute.max_groups > 65535 || compute.max_binding > 1 << 27 {
        return println!("not applicable: {compute:?}");
    }
    for (algorithm, len) in [("select:vectors=1", (1 << 21) + 77), ("scatter", 1 << 25)] {
        let spec = CompactSpec::new::<u32>(len);
        let plan = plan(&runner, algorithm, &spec).expect("a plan");
        let groups = plan.passes().iter().map(|pass| match &pass.command {
            Command::Dispatch(dispatch) => dispatch.groups,
            _ => 0,
        });
        assert!(groups.max() > Some(compute.max_groups.into()), "{algorithm}");
        runner.inputs::<u32>(algorithm, &spec, &[shaped(len, TestShape::Share(60))]);
    }
    runner.finish("groups in two dimensions");
}

/// Runs some shapes on a changed plan.
fn run<T: TestElement>(runner: &CompactRunner, spec: &CompactSpec, plan: &Plan, of: &str) -> usize {
    let mut prepared = runner.gpu.prepare(plan).unwrap();
    for shape in SHAPES {
        let len = spec.len as usize;
        let Input { data, mask, .. } = match spec.keep {
            Keep::Condition(_) => shaped::<T>(len, shape),
            Keep::Mask => masked::<T>(len, shape),
        };
        let expected = compact::sequential(spec, &data, &mask).unwrap();
        let got = execute(&mut prepared, spec, &data, &mask).unwrap();
        let values = spec.moves.values().then_some(&got.values[..]);
        let indices = spec.moves.indices().then_some(&got.indices[..]);
        let verified = expected.verify(got.count, values, indices);
        verified.unwrap_or_else(|mismatch| panic!("{spec}, {shape:?}, {of}: {mismatch}\n{plan}"));
    }
    SHAPES.len()
}

/// Missing counts are computed again.
fn groups_that_forget() {
    let runner = CompactRunner::new();
    let mut cases = 0;
    let algorithms = [
        "select:vectors=1",
        "select:lanes=shared,group=8,vectors=1",
        "select:lanes=shared,group=16,vectors=5",
        "select:group=16,vectors=1,prefixes=block",
        "select:lanes=shared,group=8,vectors=1,prefixes=block",
    ];
    for algorithm in algorithms {
        for spec in [
            CompactSpec::new::<u32>(1).moves(Moves::Both),
            CompactSpec::new::<i64>(1).masked().moves(Moves::Values),
        ] {
            let Some(first) = plan(&runner, algorithm, &spec.with_len(1 << 16)) else {
                continue;
            };
            let spec = spec.with_len(tile_of(&first) as u64 * 13 + 2);
            let plan = plan(&runner, algorithm, &spec).expect("a plan");
            let impatient = |spins| changed(&plan, |dispatch| redefine(dispatch, "SPINS", spins));
            let rates = [1, 10, 25, 50].map(|percent| {
                (forgetful(&plan, Memory::AllBut { percent, seed: 1 }), "some tiles never publish")
            });
            for (plan, of) in rates.into_iter().chain([
                (forgetful(&plan, Memory::Nothing), "groups know nothing"),
                (forgetful(&plan, Memory::AThird), "groups know a third"),
                (held_up(&plan), "the first group is held up"),
                (impatient(0), "no patience"),
                (impatient(1), "hardly any patience"),
            ]) {
                cases += match spec.keep {
                    Keep::Mask => run::<i64>(&runner, &spec, &plan, of),
                    Keep::Condition(_) => run::<u32>(&runner, &spec, &plan, of),
                };
            }
        }
    }
    println!("groups that forget: {cases} cases");
    assert!(cases > 0 || runner.gpu.device().compute.is_none());
}

crate::tests![every_edge_of_a_tile, groups_in_two_dimensions, groups_that_forget,];
