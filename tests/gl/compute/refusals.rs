//! Errors that name what a device lacks, at planning time if possible.

use rasterscan::compact;
use rasterscan::compact::compute::{Scatter, Select};
use rasterscan::device::Compute;
use rasterscan::plan::Lanes;
use rasterscan::scan::compute::{Chained, LookBack, ReduceThenScan, Sam, ThreePhase, TileOptions};
use rasterscan::{Algorithm, CompactSpec, Device, Error, Moves, Operator, Plan, ScanSpec};
use rasterscan_runner::compaction::{CompactRunner, TestShape, compaction, execute, masked};
use rasterscan_runner::scan::choice;

use super::sizes::dispatches;

const SCANS: [&str; 5] = ["three_phase", "reduce_then_scan", "chained", "look_back", "sam"];

/// The same algorithms, without the registry.
fn scans(tile: TileOptions) -> [Box<dyn Algorithm<ScanSpec>>; 5] {
    [
        Box::new(ThreePhase { tile }),
        Box::new(ReduceThenScan { tile, ..Default::default() }),
        Box::new(Chained { tile }),
        Box::new(LookBack { tile, ..Default::default() }),
        Box::new(Sam { tile, ..Default::default() }),
    ]
}

/// OpenGL 4.3 with other limits.
fn device_with(change: impl FnOnce(&mut Compute)) -> Device {
    let mut device = Device::gl43();
    change(device.compute.as_mut().expect("compute shaders"));
    device
}

fn refused(plan: Result<Plan, Error>, parts: &[&str], of: &str) {
    match plan {
        Err(Error::Unsupported(reason)) => {
            let reason = reason.to_string();
            assert!(parts.iter().all(|part| reason.contains(part)), "{of}: {reason}, not {parts:?}");
        }
        Err(other) => panic!("{of}: {other}"),
        Ok(plan) => panic!("{of} is not refused:\n{plan}"),
    }
}

fn scan(algorithm: &str, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
    choice(algorithm).plan(spec, device).map(|plan| plan.expect("a plan"))
}

fn compacts(algorithm: &str, spec: &CompactSpec, device: &Device) -> Result<Plan, Error> {
    compaction(algorithm).plan(spec, device).map(|plan| plan.expect("a plan"))
}

fn without_compute_shaders() {
    for len in [0, 1000] {
        let device = Device::gl33();
        for algorithm in SCANS {
            let plan = scan(algorithm, &ScanSpec::new::<u32>(len), &device);
            refused(plan, &["needs compute shaders", "this is OpenGL 3.3"], algorithm);
        }
        for algorithm in ["scatter", "scatter:scan=sam", "select"] {
            let plan = compacts(algorithm, &CompactSpec::new::<u32>(len), &device);
            refused(plan, &["needs compute shaders", "this is OpenGL 3.3"], algorithm);
        }
        // Without the registry, which checks the card's needs.
        for algorithm in scans(TileOptions::default()) {
            let plan = algorithm.plan(&ScanSpec::new::<u32>(len), &device);
            refused(plan, &["needs compute shaders", "this is OpenGL 3.3"], "alone");
        }
        let spec = CompactSpec::new::<u32>(len);
        refused(Scatter::default().plan(&spec, &device), &["compute shaders"], "scatter alone");
        refused(Select::default().plan(&spec, &device), &["compute shaders"], "select alone");
    }
}

fn groups_and_rows_that_are_not_made() {
    let spec = ScanSpec::new::<u32>(1000);
    let device = device_with(|compute| compute.max_invocations = 128);
    for algorithm in SCANS {
        let plan = scan(&format!("{algorithm}:group=256"), &spec, &device);
        refused(plan, &["256", "more than this device allows; use at most 128"], algorithm);
        assert!(scan(&format!("{algorithm}:group=128"), &spec, &device).is_ok(), "{algorithm}");
        assert!(scan(algorithm, &spec, &device).is_ok(), "{algorithm}: the default is within the limit");
    }
    for (group, vectors) in [(Some(0), None), (Some(48), None)].into_iter().chain([
        (None, Some(0)),
        (None, Some(65)),
        (None, Some(u32::MAX)),
    ]) {
        for lanes in [Some(Lanes::Serial), Some(Lanes::Shared), None] {
            let tile = TileOptions { lanes, group, vectors };
            for algorithm in scans(tile) {
                refused(algorithm.plan(&spec, &Device::gl43()), &["cannot be"], &format!("{tile:?}"));
            }
            let plan =
                Select { tile, ..Default::default() }.plan(&CompactSpec::new::<u32>(1000), &Device::gl43());
            refused(plan, &["cannot be"], &format!("{tile:?}"));
        }
    }
    // Groups below a warp are for teaching, by single invocations, in the scans whose tiles look at each other.
    for group in [1, 4] {
        for lanes in [Lanes::Serial, Lanes::Shared] {
            let tile = TileOptions { lanes: Some(lanes), group: Some(group), vectors: None };
            let small = lanes == Lanes::Serial;
            for (algorithm, teaches) in scans(tile).iter().zip([false, false, false, true, true]) {
                let plan = algorithm.plan(&spec, &Device::gl43());
                match plan {
                    Ok(_) => assert!(teaches && small, "{tile:?}"),
                    plan if teaches && !small => refused(plan, &["need serial lanes"], &format!("{tile:?}")),
                    plan => refused(plan, &["cannot be"], &format!("{tile:?}")),
                }
            }
        }
    }
}

fn lanes_that_the_device_lacks() {
    let spec = ScanSpec::new::<u32>(1000);
    for (lanes, extension) in
        [("subgroup", "GL_KHR_shader_subgroup"), ("warp", "GL_NV_shader_thread_shuffle")]
    {
        for algorithm in SCANS {
            let plan = scan(&format!("{algorithm}:lanes={lanes}"), &spec, &Device::gl43());
            refused(plan, &["lanes", lanes, extension], algorithm);
        }
        let plan =
            compacts(&format!("select:lanes={lanes}"), &CompactSpec::new::<u32>(1000), &Device::gl43());
        refused(plan, &["lanes", lanes, extension], "select");
    }
    let device = device_with(|compute| (compute.subgroup, compute.warp) = (32, 32));
    for algorithm in SCANS {
        assert!(scan(&format!("{algorithm}:lanes=subgroup"), &spec, &device).is_ok());
        assert!(scan(&format!("{algorithm}:lanes=warp"), &spec, &device).is_ok());
        // Less than a warp.
        let plan = scan(&format!("{algorithm}:lanes=subgroup,group=16"), &spec, &device);
        refused(plan, &["work groups of 16", "32 lanes"], algorithm);
    }
}

fn more_shared_memory_than_there_is() {
    let spec = ScanSpec::new::<u64>(960).operator(Operator::AFFINE).tuple(16);
    let device = device_with(|compute| compute.max_shared_memory = 4096);
    for algorithm in SCANS {
        let plan = scan(&format!("{algorithm}:lanes=shared,group=256"), &spec, &device);
        refused(plan, &["shared memory", "4096"], algorithm);
        assert!(
            scan(&format!("{algorithm}:lanes=shared,group=16"), &spec.order(1), &device).is_ok(),
            "{algorithm}"
        );
    }
    // Higher orders carry more between chunks.
    refused(scan("sam:lanes=shared,group=16", &spec.order(16), &device), &["shared memory", "4096"], "sam");
}

fn streams_longer_than_a_buffer() {
    let most = (1 << 29) - 4;
    for algorithm in SCANS {
        let plan = |len: usize| scan(algorithm, &ScanSpec::new::<u32>(len), &Device::gl43());
        assert!(plan(most).is_ok(), "{algorithm}");
        refused(plan(most + 1), &[&format!("at most {most}")], algorithm);
        let longs = ScanSpec::new::<u64>(most / 4 + 1).operator(Operator::AFFINE);
        refused(scan(algorithm, &longs, &Device::gl43()), &[&format!("at most {}", most / 4)], algorithm);
    }
}

/// Where buffers may be longer than 2^31 bytes, streams are limited by their indices alone. Each binding still has fewer.
fn streams_longer_than_31_bits() {
    let device = device_with(|compute| (compute.max_buffer, compute.max_binding) = (1 << 32, (1 << 31) - 1));
    for algorithm in SCANS.into_iter().chain(["harris", "capannini"]) {
        for len in [(1 << 29) + 1, 1 << 30] {
            let plan = scan(algorithm, &ScanSpec::new::<u32>(len), &device).unwrap();
            let mut input = 0;
            for binding in dispatches(&plan).flat_map(|dispatch| &dispatch.bindings) {
                let bytes = 4 * (binding.items.end - binding.items.start);
                assert!(bytes < 1 << 31, "{algorithm} binds {bytes} bytes");
                input = if binding.slot == plan.input() { input.max(binding.items.end) } else { input };
            }
            assert_eq!(input, len as u64, "{algorithm} does not read all of it");
        }
        let long = scan(algorithm, &ScanSpec::new::<u64>((1 << 29) + 1), &device);
        refused(long, &[&format!("at most {}", 1 << 29)], algorithm);
    }
}

fn compactions_of_what_cannot_be_bound() {
    let device = device_with(|compute| compute.max_binding = 4096);
    for algorithm in ["scatter", "scatter:scan=three_phase", "select"] {
        let plan = |spec: CompactSpec| compacts(algorithm, &spec, &device);
        assert!(plan(CompactSpec::new::<u32>(1024)).is_ok(), "{algorithm}");
        refused(plan(CompactSpec::new::<u32>(1025)), &["at most 1024"], algorithm);
        refused(plan(CompactSpec::new::<i64>(513)), &["at most 512"], algorithm);
        refused(plan(CompactSpec::new::<u32>(1000).columns(10)), &["columns"], algorithm);
    }
}

/// OpenGL ES 3.1 promises four storage buffers, and some compactions need six.
fn more_buffers_than_can_be_bound() {
    let device = device_with(|compute| compute.max_bindings = 4);
    let all = CompactSpec::new::<u32>(1000).masked().moves(Moves::Both);
    for algorithm in ["scatter", "select"] {
        refused(compacts(algorithm, &all, &device), &["binds 6 buffers", "allows 4"], algorithm);
        let device = device_with(|compute| compute.max_bindings = 6);
        assert!(compacts(algorithm, &all, &device).is_ok(), "{algorithm}");
    }
    for algorithm in SCANS {
        assert!(scan(algorithm, &ScanSpec::new::<u32>(1000).order(2), &device).is_ok(), "{algorithm}");
    }
    let values = CompactSpec::new::<u32>(1000);
    assert!(compacts("select", &values, &device).is_ok());

    // They run with exactly as many as they need.
    let runner = CompactRunner::new();
    let input = masked::<u32>(1000, TestShape::Runs);
    let Ok(plan) = compacts("select", &all, runner.gpu.device()) else {
        return println!("not applicable: {}", runner.gpu.device().level());
    };
    let got = execute(&mut runner.gpu.prepare(&plan).unwrap(), &all, &input.data, &input.mask).unwrap();
    let expected = compact::sequential(&all, &input.data, &input.mask).unwrap();
    expected.verify(got.count, Some(&got.values), Some(&got.indices)).unwrap();
}

crate::tests![
    without_compute_shaders,
    groups_and_rows_that_are_not_made,
    lanes_that_the_device_lacks,
    more_shared_memory_than_there_is,
    streams_longer_than_a_buffer,
    streams_longer_than_31_bits,
    compactions_of_what_cannot_be_bound,
    more_buffers_than_can_be_bound,
];
