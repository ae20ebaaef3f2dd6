//! Refusals of what would silently give wrong results: a plan on its own result, and state of the caller's that the
//! crate cannot set.

use rasterscan::compact;
use rasterscan::{Api, CompactSpec, Compacted, Error, Gpu, ScanSpec, Stream};
use rasterscan_runner::compaction::{TestShape, compaction, shaped};
use rasterscan_runner::scan::choice;

use crate::engine::foreign;

/// The memory of a stream, wrapped once more.
fn wrapped(gpu: &Gpu, stream: &Stream) -> Stream {
    match (stream.texture(), stream.buffer()) {
        (Some(texture), _) => unsafe { gpu.wrap_texture(texture, stream.layout()) },
        (_, Some(buffer)) => unsafe { gpu.wrap_buffer(buffer, stream.layout()) },
        _ => unreachable!("a stream is in a texture or a buffer"),
    }
    .unwrap()
}

fn a_plan_does_not_run_on_its_own_result() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u32>(5000);
    for algorithm in ["horn", "hybrid", "packed", "reduce_then_scan"] {
        let Ok(Some(plan)) = choice(algorithm).plan(&spec, gpu.device()) else {
            assert!(gpu.device().compute.is_none(), "{algorithm}");
            continue;
        };
        let (mut first, mut second) = (gpu.prepare(&plan).unwrap(), gpu.prepare(&plan).unwrap());
        let ones = first.upload(&[1u32; 5000]).unwrap();
        let sums = first.run(&ones).unwrap().clone();
        assert!(matches!(first.run(&sums), Err(Error::OwnResult)), "{algorithm}");
        assert!(matches!(first.trace(&sums), Err(Error::OwnResult)), "{algorithm}");
        // Nor when its memory comes as the caller's own.
        let again = wrapped(&gpu, &sums);
        assert!(matches!(first.run(&again), Err(Error::OwnResult)), "{algorithm}");
        let (input, output) = (wrapped(&gpu, &ones), wrapped(&gpu, &ones));
        assert!(matches!(second.run_into([&input], [&output]), Err(Error::OwnResult)), "{algorithm}");
        // It runs if prepared twice.
        let twice: Vec<u32> = second.run(&sums).unwrap().read().unwrap();
        assert_eq!(twice, (1..=5000u32).map(|i| i * (i + 1) / 2).collect::<Vec<_>>(), "{algorithm}");
    }
}

const CLIP_ORIGINS: [u32; 2] = [0x8CA1, 0x8CA2]; // lower left, upper left
const DEPTHS: [u32; 2] = [0x935E, 0x935F]; // -1 to 1, 0 to 1

/// `glClipControl` turns the positions of vertices upside down. Full-screen draws are not affected.
fn clip_space_upside_down() {
    let foreign = foreign::context();
    let gpu = foreign.gpu();
    if gpu.device().api != Api::Gl || gpu.device().version < (4, 5) {
        println!("not applicable: {} has no glClipControl", gpu.device().level());
        return;
    }
    let spec = CompactSpec::new::<f32>(5000);
    let data = shaped::<f32>(5000, TestShape::Share(60)).data;
    let expected = compact::sequential(&spec, &data, &[]).unwrap();
    for (algorithm, places) in [("blocks", true), ("points", true), ("packed", true), ("horn", false)] {
        let plan = compaction(algorithm).plan(&spec, gpu.device()).unwrap().unwrap();
        let mut prepared = gpu.prepare(&plan).unwrap();
        let input = prepared.upload(&data).unwrap();
        for depth in DEPTHS {
            assert!(foreign.call("glClipControl", [CLIP_ORIGINS[1], depth]));
            match prepared.run([&input]) {
                Err(Error::CallersState(what)) => assert!(places && what.contains("glClipControl"), "{what}"),
                Err(other) => panic!("{algorithm}: {other}"),
                Ok(outputs) => {
                    assert!(!places, "{algorithm} has run upside down");
                    assert_eq!(
                        Compacted::try_from(outputs).unwrap().read_values::<f32>().unwrap(),
                        expected.values
                    );
                }
            }
            foreign.call("glClipControl", [CLIP_ORIGINS[0], depth]);
            let kept = Compacted::try_from(prepared.run([&input]).unwrap()).unwrap();
            assert_eq!(kept.read_values::<f32>().unwrap(), expected.values, "{algorithm}");
        }
    }
}

/// `glClampColor` would clamp floats to 0 to 1 on their way back.
fn floats_clamped_when_read() {
    const CLAMP_READ_COLOR: u32 = 0x891C;
    let foreign = foreign::context();
    let gpu = foreign.gpu();
    if gpu.device().api != Api::Gl {
        println!("not applicable: {} has no glClampColor", gpu.device().level());
        return;
    }
    let plan = choice("horn").plan(&ScanSpec::new::<f32>(300), gpu.device()).unwrap().unwrap();
    let mut prepared = gpu.prepare(&plan).unwrap();
    let input = prepared.upload(&[-99.5f32; 300]).unwrap();
    assert!(foreign.call("glClampColor", [CLAMP_READ_COLOR, 1]));
    assert!(matches!(input.read::<f32>(), Err(Error::CallersState(_))));
    foreign.call("glClampColor", [CLAMP_READ_COLOR, 0]);
    assert_eq!(input.read::<f32>().unwrap(), [-99.5; 300]);
    assert_eq!(prepared.run(&input).unwrap().read::<f32>().unwrap()[1], -199.0);
}

crate::tests![a_plan_does_not_run_on_its_own_result, clip_space_upside_down, floats_clamped_when_read,];
