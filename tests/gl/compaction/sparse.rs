//! Few elements that are kept, far apart or in clusters: the data for which searches and walks take the most steps.

use rasterscan::{CompactSpec, Moves};
use rasterscan_runner::compaction::{CompactRunner, Input, TestShape, compactions, masked, shaped};
use rasterscan_runner::data::mix;

/// Elements between which `packed` once walked word by word: 65,535 words of 32, and more.
const FAR: usize = 1 << 22;

/// Every shape whose gaps are as long as a search can meet in a row, a block, a tile or the whole stream.
fn far_apart() {
    let shapes = [
        TestShape::Ends,
        TestShape::OneIn(1 << 20, 5),
        TestShape::OneIn(2048, 2047),
        TestShape::Clusters(1),
        TestShape::Clusters(2),
    ];
    let mut runner = CompactRunner::new();
    for algorithm in compactions() {
        // Some hundred passes make sorting slow.
        let len = if algorithm == "bitonic" { 1 << 17 } else { FAR + 1 };
        let inputs = shapes.map(|shape| shaped(len, shape));
        runner.inputs::<u32>(algorithm, &CompactSpec::new::<u32>(len).moves(Moves::Both), &inputs);
    }
    for moves in [Moves::Values, Moves::Indices] {
        let spec = CompactSpec::new::<u64>(FAR).masked().moves(moves);
        runner.inputs::<u64>(
            "packed",
            &spec,
            &[TestShape::Ends, TestShape::Clusters(3)].map(|shape| masked(FAR, shape)),
        );
    }
    runner.finish("elements far apart");
}

/// As many cases of each algorithm, of random lengths, with clusters and gaps at random.
fn clusters() {
    let cases =
        std::env::var("RASTERSCAN_SPARSE_CASES").map_or(300, |cases| cases.parse().expect("a number"));
    let mut runner = CompactRunner::new();
    for algorithm in compactions() {
        for plan in 0..cases / EACH {
            let len = mix(21, plan) as usize % (1 << (9 + plan % 9));
            let shape = |case| match case % 5 {
                0 => TestShape::OneIn(1 + mix(22, case) as usize % len.max(1), mix(23, case) as usize % 7),
                _ => TestShape::Clusters(mix(24, plan * EACH + case)),
            };
            let inputs: Vec<Input<u32>> = (0..EACH).map(|case| shaped(len, shape(case))).collect();
            runner.inputs::<u32>(algorithm, &CompactSpec::new::<u32>(len).moves(Moves::Both), &inputs);
        }
    }
    runner.finish("clusters");
}

/// Cases on each prepared plan.
const EACH: u64 = 25;

crate::tests![far_apart, clusters];
