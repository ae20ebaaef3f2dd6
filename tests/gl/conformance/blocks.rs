//! The scans of blocks in shared memory: all their kernels, and streams that are bound in parts.

use rasterscan::plan::Command;
use rasterscan::{Device, Operator, ScanSpec};
use rasterscan_runner::data::{TestData, input};
use rasterscan_runner::scan::{Runner, blocks, choice};

use super::KINDS;

/// Items in a block of an algorithm.
fn size(algorithm: &str) -> usize {
    let given = algorithm.split_once("block=").and_then(|(_, rest)| rest.split(',').next());
    given.map_or(512, |size| size.parse().expect("a number"))
}

/// Tuples, because a work group takes one member of a block, at the ends of the range; and orders of floats. Lengths
/// are proven in [`super::proof`].
fn every_way_through_blocks() {
    let mut runner = Runner::new();
    if runner.gpu.device().compute.is_none() {
        return println!("not applicable: {} has no compute shaders", runner.gpu.device().level());
    }
    for algorithm in blocks() {
        let size = size(algorithm);
        for tuple in [2, 3, 16] {
            for kind in KINDS {
                let spec = ScanSpec::new::<u64>((3 * size - 1) * tuple).kind(kind).tuple(tuple as u32);
                runner.case::<u64>(algorithm, &spec, TestData::Extreme);
            }
        }
        let spec = ScanSpec::new::<f32>(5000).operator(Operator::AFFINE).order(3).tuple(5).exclusive();
        runner.case::<f32>(algorithm, &spec, TestData::Constant);
    }
    runner.finish("every way through blocks");
}

/// A stream longer than one binding: its sums are still in one buffer.
fn streams_that_are_bound_in_parts() {
    let mut runner = Runner::new();
    let mut device = runner.gpu.device().clone();
    let Some(compute) = &mut device.compute else {
        return println!("not applicable: {} has no compute shaders", device.level());
    };
    compute.max_binding = 1 << 16;
    for algorithm in ["harris", "harris:variant=naive,block=2", "capannini:pattern=cm,block=64", "capannini"]
    {
        for (tuple, len) in [(1, 100_003), (3, 60_003)] {
            for kind in KINDS {
                let spec = ScanSpec::new::<u32>(len).kind(kind).tuple(tuple).operator(Operator::AFFINE);
                let plan = choice(algorithm).plan(&spec, &device).unwrap().expect("a plan");
                let mut bound = plan.passes().iter().flat_map(|pass| match &pass.command {
                    Command::Dispatch(dispatch) => &dispatch.bindings[..],
                    _ => &[],
                });
                assert!(bound.clone().any(|binding| binding.items.start > 0), "{plan}");
                assert!(bound.all(|binding| binding.items.end - binding.items.start <= 1 << 13), "{plan}");
                let data: Vec<u32> = input(&spec, TestData::Random);
                runner.plan(algorithm, &spec, Some(plan), &data, "data in parts");
            }
        }
    }
    runner.finish("streams that are bound in parts");
}

/// A device without enough room refuses, and the error names the shortage.
fn blocks_that_do_not_fit_are_refused() {
    let spec = ScanSpec::new::<u64>(1000).operator(Operator::AFFINE);
    let mut device = Device::gl43();
    let mut refused = |algorithm: &str, max_invocations: u32, max_shared_memory: u32| {
        let compute = device.compute.as_mut().expect("compute shaders");
        (compute.max_invocations, compute.max_shared_memory) = (max_invocations, max_shared_memory);
        match choice(algorithm).plan(&spec, &device) {
            Ok(plan) => plan.expect("a plan").name().to_owned(),
            Err(error) => error.to_string(),
        }
    };
    let naive = "harris:variant=naive,block=2048";
    assert_eq!(
        refused(naive, 1024, 32768),
        "blocks of 2048 take work groups of 2048 invocations, and this device allows 1024; use smaller blocks"
    );
    assert_eq!(
        refused(naive, 2048, 32768),
        "blocks of 2048 need 65536 bytes of shared memory, and this device has 32768; use smaller blocks"
    );
    assert_eq!(
        refused("capannini:pattern=padding,block=2048", 1024, 32768),
        "blocks of 2048 need 33776 bytes of shared memory, and this device has 32768; use smaller blocks"
    );
    let fits = "capannini:pattern=left_right,block=2048,banks=32";
    assert_eq!(refused(fits, 1024, 32768), fits, "the space complexity of the table: O(1)");
    // By default, blocks are as large as there is room for: ES 3.1 guarantees 128 invocations.
    assert_eq!(refused("harris:variant=naive", 128, 16384), "harris:variant=naive,block=128");
    assert_eq!(refused("capannini", 128, 16384), "capannini:pattern=left_right,block=256,banks=32");
    assert_eq!(refused("capannini", 1024, 16384), "capannini:pattern=left_right,block=1024,banks=32");
    assert_eq!(refused("capannini", 8, 16384), "capannini:pattern=left_right,block=16,banks=32");
    assert_eq!(
        refused("capannini:block=32", 8, 16384),
        "blocks of 32 take work groups of 16 invocations, and this device allows 8; use smaller blocks"
    );

    let without = choice("harris").plan(&spec, &Device::gl33()).unwrap_err().to_string();
    assert_eq!(
        without,
        "harris needs compute shaders (OpenGL 4.3 or OpenGL ES 3.1), and this is OpenGL 3.3; \
         choose an algorithm of the texture era"
    );
}

crate::tests![every_way_through_blocks, streams_that_are_bound_in_parts, blocks_that_do_not_fit_are_refused,];
