//! A defect of Mesa's softpipe: it numbers the vertices of a draw wrong after the first 4,096.

use rasterscan::{CompactSpec, Error, Moves};
use rasterscan_runner::compaction::{CompactRunner, TestShape, compaction};

/// Its vertices after the first 4,096 have the numbers of the first ones.
const NUMBERED: u32 = 4096;

fn vertices_are_tested_and_not_believed() {
    assert_eq!(rasterscan_runner::gpu().device().exact_vertices, NUMBERED);
    assert!(rasterscan_runner::gpu().device().software && rasterscan_runner::gpu().device().float_targets);
}

/// Compactions that number vertices: right as long as the numbers are, and then refused, with the reason.
fn what_numbers_vertices_is_right_or_refused() {
    let mut runner = CompactRunner::new();
    let device = runner.gpu.device().clone();
    for algorithm in ["points", "blocks:size=64,draw=lines", "blocks:size=8,draw=quads"] {
        let plan =
            |len| compaction(algorithm).plan(&CompactSpec::new::<u32>(len).moves(Moves::Both), &device);
        let (mut most, mut refused) = (1, 1 << 20);
        while most + 1 < refused {
            let len = usize::midpoint(most, refused);
            if plan(len).is_ok() { most = len } else { refused = len }
        }
        assert!(most > 600, "{algorithm} takes {most} at most");
        match plan(refused) {
            Err(Error::Unsupported(reason)) => {
                assert!(reason.to_string().contains("restarts at 0 after 4096"), "{algorithm}: {reason}");
            }
            other => panic!("{algorithm} of {refused}: {:?}", other.map(|plan| plan.is_some())),
        }
        for len in [600, most - 1, most] {
            runner.case::<u32>(algorithm, len, TestShape::Share(60), Moves::Both);
        }
    }
    for algorithm in ["geometry", "blocks:wrap=geometry"] {
        match compaction(algorithm).plan(&CompactSpec::new::<u32>(2), &device) {
            Err(Error::Unsupported(reason)) => {
                assert!(reason.to_string().contains("wrong from draw to draw"), "{algorithm}: {reason}");
            }
            other => panic!("{algorithm}: {:?}", other.map(|plan| plan.is_some())),
        }
    }
    assert_eq!(runner.not_applicable.len(), 0);
    runner.finish("compactions that number vertices");
}

crate::tests![vertices_are_tested_and_not_believed, what_numbers_vertices_is_right_or_refused];
