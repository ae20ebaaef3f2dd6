//! The limits of a device: streams that are too long, and algorithms that need a geometry stage.

use rasterscan::compact;
use rasterscan::compact::texture::{Blocks, Geometry, Wrap};
use rasterscan::{Algorithm, Api, CompactSpec, Device, Error, Moves};
use rasterscan_runner::compaction::{CompactRunner, TestShape, compaction, execute, shaped};

/// The largest stream that fits, and the first that does not, on a device made small.
fn the_device_limit() {
    let runner = CompactRunner::new();
    let device = Device { max_texture_size: 128, max_buffer_texels: 1000, ..runner.gpu.device().clone() };
    for (algorithm, limit) in [
        ("horn", 1 << 14),
        ("horn:scan=packed", 1 << 14),
        ("blocks", 1 << 14),
        ("blocks:size=128,inner=packed", 1 << 14),
        ("blocks:size=8,inner=blelloch", 1 << 14),
        ("geometry", 1000),
        ("bitonic", 1 << 14),
        ("histopyramid", 1 << 14),
        ("points", 1 << 14),
        ("packed", 1 << 16),
    ] {
        let choice = compaction(algorithm);
        let spec = |len: usize| CompactSpec::new::<u32>(len).moves(Moves::Both);
        let Ok(plan) = choice.plan(&spec(limit), &device) else {
            assert!(algorithm == "geometry" && !device.geometry, "{algorithm}");
            continue;
        };
        let plan = plan.expect("a plan");
        let textures = plan.slots().iter().map(|slot| &slot.layout).filter(|layout| layout.height > 1);
        assert!(textures.into_iter().all(|layout| layout.width <= 128 && layout.height <= 128), "{plan}");
        let mut prepared = runner.gpu.prepare(&plan).unwrap();
        for shape in [TestShape::Share(60), TestShape::Share(100)] {
            let data = shaped::<u32>(limit, shape).data;
            let expected = compact::sequential(&spec(limit), &data, &[]).unwrap();
            let got = execute(&mut prepared, &spec(limit), &data, &[]).unwrap();
            let verified = expected.verify(got.count, Some(&got.values), Some(&got.indices));
            verified.unwrap_or_else(|mismatch| panic!("{algorithm}: {mismatch}"));
        }
        let refused = choice.plan(&spec(limit + 1), &device).unwrap_err();
        assert!(matches!(refused, Error::Unsupported(_)), "{refused:?}");
        let most = format!("at most {limit}");
        assert!(refused.to_string().contains(&most), "{algorithm}: {refused}");
    }
}

/// Blocks are within rows, so no device holds blocks longer than its rows.
fn blocks_longer_than_a_row_are_refused() {
    let device = Device { max_texture_size: 512, ..Device::gl33() };
    let spec = CompactSpec::new::<u32>(10);
    assert!(compaction("blocks:size=512").plan(&spec, &device).is_ok());
    assert!(matches!(compaction("blocks:size=1024").plan(&spec, &device), Err(Error::Unsupported(_))));
}

/// The error for a missing feature names the algorithm, the feature, and the device's level.
fn without_geometry_shaders() {
    let device = Device { api: Api::Gles, version: (3, 0), geometry: false, ..Device::gl33() };
    for len in [0, 1000] {
        for (algorithm, asks) in [
            ("geometry", "geometry needs"),
            ("blocks:wrap=geometry", "blocks:wrap=geometry needs"),
            ("blocks:size=8,inner=packed,wrap=geometry,draw=quads", "blocks:wrap=geometry needs"),
        ] {
            let error = compaction(algorithm).plan(&CompactSpec::new::<u32>(len), &device).unwrap_err();
            assert!(matches!(error, Error::Unsupported(_)), "{error:?}");
            let text = error.to_string();
            for part in [asks, "geometry shaders", "OpenGL ES 3.2", "this is OpenGL ES 3.0"] {
                assert!(text.contains(part), "{algorithm}: {text}");
            }
        }
        for algorithm in ["blocks", "blocks:inner=packed,draw=quads", "histopyramid", "points", "packed"] {
            assert!(
                compaction(algorithm).plan(&CompactSpec::new::<u32>(len), &device).is_ok(),
                "{algorithm}"
            );
        }
    }
}

/// The same without the registry.
fn geometry_asks_for_itself() {
    let device = Device { api: Api::Gles, version: (3, 0), geometry: false, ..Device::gl33() };
    let wrap = Blocks { wrap: Wrap::Geometry, ..Blocks::default() };
    for len in [0, 1000] {
        let spec = CompactSpec::new::<u32>(len);
        assert!(matches!(Geometry.plan(&spec, &device), Err(Error::Unsupported(_))));
        assert!(matches!(wrap.plan(&spec, &device), Err(Error::Unsupported(_))));
        assert!(Blocks::default().plan(&spec, &device).is_ok());
    }
}

fn floats_need_float_targets_only_where_they_are_moved() {
    let device = Device { api: Api::Gles, version: (3, 0), float_targets: false, ..Device::gl33() };
    for algorithm in ["horn", "blocks", "bitonic", "histopyramid", "points", "packed"] {
        let plan = |spec: CompactSpec| compaction(algorithm).plan(&spec, &device);
        for moves in [Moves::Values, Moves::Both] {
            let error = plan(CompactSpec::new::<f32>(8).moves(moves)).unwrap_err().to_string();
            assert!(error.contains("EXT_color_buffer_float"), "{algorithm}: {error}");
        }
        assert!(plan(CompactSpec::new::<f32>(8).moves(Moves::Indices)).is_ok(), "{algorithm}");
        assert!(plan(CompactSpec::new::<u32>(8)).is_ok(), "{algorithm}");
    }
}

crate::tests![
    the_device_limit,
    blocks_longer_than_a_row_are_refused,
    without_geometry_shaders,
    geometry_asks_for_itself,
    floats_need_float_targets_only_where_they_are_moved,
];
