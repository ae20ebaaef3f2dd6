//! Compactions by packed texels, and by a scan of flags in buffers.

use rasterscan::compact::{compute, texture};
use rasterscan::{CompactSpec, ElementType, Moves, tools::Numbers};
use rasterscan_runner::compaction::TestShape;

use crate::compactions::{self, Case, compacted, variants_of};
use crate::{enough, values};

fn packed_compactions() {
    let mut cases = compactions::cases();
    for (len, shape) in [
        (127, TestShape::Share(60)),
        (128, TestShape::Share(100)),
        (129, TestShape::Runs),
        (4000, TestShape::Share(1)),
        (4000, TestShape::Clusters(6)),
        (4000, TestShape::Ends),
        (4000, TestShape::Share(60)),
    ] {
        for element in [ElementType::U32, ElementType::U64] {
            let spec = CompactSpec::of(element, len).moves(Moves::Both);
            cases.push(Case::shaped(spec, shape, 0));
        }
        let spec = CompactSpec::new::<u32>(len as usize).with_gpu_length().moves(Moves::Both);
        cases.push(Case::shaped(spec, shape, 1000));
    }
    // Every fourth: a run ends where the second group after it begins.
    let mask: Vec<u32> = (0..1500).map(|i| u32::from(i % 4 == 0)).collect();
    let spec = CompactSpec::new::<u32>(1500).masked().moves(Moves::Both);
    cases.push(Case { spec, streams: vec![values(ElementType::U32, 1500), Numbers::of(&mask)] });
    let seen = compacted(&variants_of(&["packed"]), &cases);
    assert!(seen.passes > 200 && seen.words > 50_000 && seen.reads > 30_000, "{seen:?}");
}

fn compactions_by_scatter() {
    let seen = compacted(&variants_of(&["scatter"]), &compactions::cases());
    enough(seen, [10_000, 10_000], [0, 0]);
}

/// Every comparison, of every element.
fn comparisons_of_packed_and_scattered() {
    if rasterscan_runner::gpu().device().compute.is_some() {
        compactions::comparisons(&["packed", "scatter"], &ElementType::ALL);
    } else {
        compactions::comparisons(&["packed"], &ElementType::ALL);
    }
}

fn sides_and_bases_of_packed_and_scattered() {
    let gpu = rasterscan_runner::gpu();
    let mut seen = compactions::sides_and_bases(&texture::PackedCompaction::default());
    if gpu.device().compute.is_some() {
        seen += compactions::sides_and_bases(&compute::Scatter::default());
    }
    enough(seen, [5000, 5000], [3000, 2000]);
}

crate::tests![
    packed_compactions,
    compactions_by_scatter,
    comparisons_of_packed_and_scattered,
    sides_and_bases_of_packed_and_scattered,
];
