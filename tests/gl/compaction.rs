//! Every compaction × element × shape × size gives the sequential one's result.

mod blocks;
mod conditions;
mod limits;
mod passes;
mod refusals;
mod scans;
mod sparse;
mod streams;
mod tiles;

use rasterscan::{
    CompactSpec, Moves,
    tools::{problem, registry},
};
use rasterscan_runner::compaction::{CompactRunner, TestShape, compactions, shaped};
use rasterscan_runner::data::TestElement;

fn the_runner_knows_every_compaction_of_the_registry() {
    for card in registry::of(problem::COMPACT) {
        let known = compactions().iter().any(|name| name.split(':').next() == Some(card.name));
        assert!(known, "{} is in the registry and not in the Runner", card.name);
    }
}

/// Algorithms × shapes × sizes around each kind of edge; what is moved at a few of them.
fn shapes<T: TestElement>() {
    let mut runner = CompactRunner::new();
    for algorithm in compactions() {
        for len in [0, 1, 2, 9, 63, 64, 65, 129, 1000] {
            runner.shapes::<T>(algorithm, &CompactSpec::new::<T>(len).moves(Moves::Both));
        }
        for len in [0, 65, 1000] {
            for moves in [Moves::Values, Moves::Indices] {
                runner.shapes::<T>(algorithm, &CompactSpec::new::<T>(len).moves(moves));
            }
        }
    }
    runner.finish(&format!("all shapes on {}", T::TYPE));
}

fn every_shape_on_u32() {
    shapes::<u32>();
}

fn every_shape_on_i32() {
    shapes::<i32>();
}

fn every_shape_on_f32() {
    shapes::<f32>();
}

fn every_shape_on_u64() {
    shapes::<u64>();
}

fn every_shape_on_i64() {
    shapes::<i64>();
}

/// Every length from one block of the default to two, and those around every size of block and some rows.
fn every_length() {
    let mut runner = CompactRunner::new();
    let few = [TestShape::Share(30), TestShape::Share(99), TestShape::Share(100), TestShape::OnlyLast];
    let blocks = (3..=10).map(|log2| 1 << log2);
    let rows = [2, 3, 13].map(|rows| rows * 256);
    let edges: Vec<usize> = blocks.chain(rows).flat_map(|edge| [edge - 1, edge, edge + 1]).collect();
    for algorithm in compactions() {
        let spec = |len: usize| CompactSpec::new::<u32>(len).moves(Moves::Both);
        for len in 64..128 {
            runner.inputs::<u32>(algorithm, &spec(len), &few.map(|shape| shaped(len, shape)));
        }
        for len in (0..8).chain(edges.iter().copied()).chain([1500]) {
            runner.shapes::<u32>(algorithm, &spec(len));
        }
    }
    runner.finish("every length");
}

/// A second stream decides, in every way in which a word can be nonzero.
fn masks() {
    fn on<T: TestElement>(runner: &mut CompactRunner, moves: &[Moves]) {
        for algorithm in compactions() {
            for len in [0, 1, 100, 1000] {
                for moves in moves {
                    let spec = CompactSpec::new::<T>(len).masked().moves(*moves);
                    runner.shapes::<T>(algorithm, &spec);
                }
            }
        }
    }
    let mut runner = CompactRunner::new();
    on::<u32>(&mut runner, &Moves::ALL);
    on::<i32>(&mut runner, &[Moves::Both]);
    on::<f32>(&mut runner, &[Moves::Both]);
    on::<u64>(&mut runner, &[Moves::Values]);
    on::<i64>(&mut runner, &[Moves::Both]);
    runner.finish("masks");
}

crate::tests![
    in blocks, conditions, limits, passes, refusals, scans, sparse, streams, tiles;
    the_runner_knows_every_compaction_of_the_registry,
    every_shape_on_u32,
    every_shape_on_i32,
    every_shape_on_f32,
    every_shape_on_u64,
    every_shape_on_i64,
    every_length,
    masks,
];
