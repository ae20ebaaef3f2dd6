//! What the engine promises: the three verbs, the caller's context, and errors instead of panics.
#![allow(unsafe_code, reason = "the caller's side of a shared context is OpenGL itself")]

mod common;

use common::foreign::{self, Foreign};
use common::runner::choice;
use glow::HasContext;
use glutin::context::PossiblyCurrentGlContext;
use rasterscan::{
    Api, Clock, Error, Gpu, HeadlessOptions, Operator, Plan, Prepared, ScanSpec, Stream, reference,
};

const ALGORITHMS: [&str; 4] = ["horn", "hybrid:reduce=3", "blelloch", "packed"];

fn plan(algorithm: &str, spec: &ScanSpec, gpu: &Gpu) -> Plan {
    choice(algorithm).plan(spec, gpu.device()).unwrap().expect("a plan")
}

fn numbers(len: usize) -> Vec<u32> {
    (0..len as u64).map(|index| common::data::mix(1, index) as u32).collect()
}

/// A prepared scan, its input, and what it must give.
fn scan(gpu: &Gpu, algorithm: &str, len: usize) -> (Prepared, Stream, Vec<u32>) {
    let spec = ScanSpec::new::<u32>(len);
    let prepared = gpu.prepare(&plan(algorithm, &spec, gpu)).unwrap();
    let data = numbers(len);
    let stream = prepared.upload(&data).unwrap();
    (prepared, stream, reference::scan(&spec, &data).unwrap())
}

#[test]
fn a_prepared_plan_runs_again_and_again() {
    let gpu = common::gpu();
    for algorithm in ALGORITHMS {
        let (mut prepared, stream, expected) = scan(&gpu, algorithm, 5000);
        for _ in 0..3 {
            assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected, "{algorithm}");
        }
        // Another input, then the first one again: nothing is left over from the run before.
        let ones = prepared.upload(&vec![1u32; 5000]).unwrap();
        let counted: Vec<u32> = prepared.run(&ones).unwrap().read().unwrap();
        assert_eq!(counted, (1..=5000).collect::<Vec<u32>>(), "{algorithm}");
        assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected, "{algorithm}");
    }
}

#[test]
fn the_input_is_only_read() {
    let gpu = common::gpu();
    for algorithm in ALGORITHMS {
        let (mut prepared, stream, _) = scan(&gpu, algorithm, 5000);
        prepared.run(&stream).unwrap();
        prepared.trace(&stream).unwrap();
        prepared.time_passes(&stream).unwrap();
        assert_eq!(stream.read::<u32>().unwrap(), numbers(5000), "{algorithm}");
    }
}

#[test]
fn a_result_is_the_next_input_without_readback() {
    let gpu = common::gpu();
    let spec = ScanSpec::new::<u32>(3000);
    let data = numbers(3000);
    let expected = reference::scan(&spec.order(2), &data).unwrap();
    for algorithm in ALGORITHMS {
        let plan = plan(algorithm, &spec, &gpu);
        let mut first = gpu.prepare(&plan).unwrap();
        let mut second = gpu.prepare(&plan).unwrap();
        let stream = first.upload(&data).unwrap();
        let result = second.run(first.run(&stream).unwrap()).unwrap();
        assert_eq!(result.read::<u32>().unwrap(), expected, "{algorithm}");
    }
}

#[test]
fn a_trace_ends_with_the_result() {
    let gpu = common::gpu();
    for algorithm in ALGORITHMS {
        let (mut prepared, stream, expected) = scan(&gpu, algorithm, 700);
        let trace = prepared.trace(&stream).unwrap();
        assert_eq!(trace.steps.len(), prepared.plan().passes().len(), "{algorithm}");
        assert_eq!(trace.inputs[0].values::<u32>().unwrap(), numbers(700));
        let last = &trace.steps.last().unwrap().writes[0];
        assert_eq!(last.values::<u32>().unwrap(), expected, "{algorithm}");
        assert!(matches!(last.values::<f32>(), Err(Error::ElementMismatch { .. })));
    }
}

#[test]
fn times_come_from_the_right_clock_for_every_pass() {
    let gpu = common::gpu();
    let (mut prepared, stream, expected) = scan(&gpu, "hybrid:reduce=3", 100_000);
    let timing = prepared.time_passes(&stream).unwrap();
    let clock = if gpu.device().timer_queries { Clock::Gpu } else { Clock::Wall };
    assert_eq!(timing.clock, clock);
    assert!(!(gpu.device().software && gpu.device().timer_queries), "software queries lie");
    assert_eq!(timing.passes.len(), prepared.plan().passes().len());
    assert!(timing.total.as_nanos() > 0 && timing.passes.iter().all(|pass| pass.as_nanos() > 0));
    // A timed run is a run.
    prepared.time(&stream).unwrap();
    assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
}

#[test]
fn wrong_streams_are_refused() {
    let gpu = common::gpu();
    let (mut prepared, stream, _) = scan(&gpu, "horn", 100);
    match prepared.upload(&numbers(99)) {
        Err(Error::Length { got: 99, expected: 100, .. }) => {}
        other => panic!("{:?}", other.err()),
    }
    assert!(matches!(prepared.upload(&[0f32; 100]), Err(Error::ElementMismatch { .. })));
    assert!(matches!(stream.read::<u64>(), Err(Error::ElementMismatch { .. })));

    // The packed scan reads another layout, and another context has other textures.
    let (mut packed, ..) = scan(&gpu, "packed", 100);
    assert!(matches!(packed.run(&stream), Err(Error::LayoutMismatch { .. })));
    let other = common::gpu();
    let (_, foreign, _) = scan(&other, "horn", 100);
    assert!(matches!(prepared.run(&foreign), Err(Error::OtherContext)));
    // Two contexts on a thread do not disturb each other.
    assert_eq!(foreign.read::<u32>().unwrap(), numbers(100));
    assert_eq!(stream.read::<u32>().unwrap(), numbers(100));
}

#[test]
fn a_plan_for_a_larger_device_is_refused() {
    let gpu = common::gpu();
    let device = rasterscan::Device { max_texture_size: 1 << 15, ..gpu.device().clone() };
    if gpu.device().max_texture_size >= 1 << 15 {
        println!("not applicable: this device takes textures of 32768 texels");
        return;
    }
    let spec = ScanSpec::new::<u32>((1 << 28) + 1);
    let plan = choice("horn").plan(&spec, &device).unwrap().unwrap();
    assert!(matches!(gpu.prepare(&plan), Err(Error::Unsupported(_))));
}

#[test]
fn devices_can_be_chosen_and_refused() {
    use rasterscan::DeviceChoice;

    let with = |device| Gpu::headless_with(&HeadlessOptions { device, ..HeadlessOptions::default() });
    match with(DeviceChoice::Index(99)) {
        Err(Error::NoDevice(reason)) => assert!(reason.contains("no device 99"), "{reason}"),
        Err(other) => panic!("{other}"),
        Ok(gpu) => panic!("device 99 is {}", gpu.device()),
    }
    if let Ok(gpu) = with(DeviceChoice::Software) {
        assert!(gpu.device().software, "{}", gpu.device());
    }
    if let Ok(gpu) = with(DeviceChoice::Hardware) {
        assert!(!gpu.device().software, "{}", gpu.device());
    }
}

/// The driver's complaints become errors in a debug context, which tests have.
#[test]
fn the_debug_output_fails_a_call() {
    let options = HeadlessOptions { debug: true, ..HeadlessOptions::from_env().unwrap() };
    let gpu = Gpu::headless_with(&options).unwrap();
    assert!(cfg!(not(debug_assertions)) || HeadlessOptions::default().debug);
    let layout = *scan(&common::gpu(), "horn", 4).0.input_layout();
    let upload = || gpu.upload(&layout, &[1u32, 2, 3, 4]).map(|_| ());
    upload().unwrap();
    // SAFETY: the context is current; the call is wrong on purpose, and does nothing.
    unsafe {
        gpu.glow().bind_texture(0xDEAD, None);
        // What is left is what the debug output has kept.
        assert_eq!(gpu.glow().get_error(), glow::INVALID_ENUM);
    }
    match upload() {
        Err(Error::DebugOutput { messages, .. }) => {
            assert!(messages[0].starts_with("high: "), "{messages:?}")
        }
        other => panic!("{other:?}"),
    }
    // Once told is enough.
    upload().unwrap();
}

/// The switches that the crate promises to put back. They are listed here again and not taken from the
/// crate: what it forgets must be missed.
const SWITCHES: [u32; 7] = [
    glow::SCISSOR_TEST,
    glow::BLEND,
    glow::DEPTH_TEST,
    glow::STENCIL_TEST,
    glow::CULL_FACE,
    glow::RASTERIZER_DISCARD,
    glow::SAMPLE_ALPHA_TO_COVERAGE,
];

fn desktop_switches(api: Api) -> &'static [u32] {
    const DESKTOP: [u32; 9] = [
        glow::COLOR_LOGIC_OP,
        glow::CLIP_DISTANCE0,
        glow::CLIP_DISTANCE1,
        glow::CLIP_DISTANCE2,
        glow::CLIP_DISTANCE3,
        glow::CLIP_DISTANCE4,
        glow::CLIP_DISTANCE5,
        glow::CLIP_DISTANCE6,
        glow::CLIP_DISTANCE7,
    ];
    if api == Api::Gl { &DESKTOP } else { &[] }
}

/// All state that the crate promises to put back, as numbers.
fn state(gl: &glow::Context, api: Api) -> Vec<(String, Vec<i32>)> {
    let mut state = Vec::new();
    // SAFETY: the context is current, and the names exist in its API.
    unsafe {
        for (name, key, count) in [
            ("program", glow::CURRENT_PROGRAM, 1),
            ("vertex array", glow::VERTEX_ARRAY_BINDING, 1),
            ("draw framebuffer", glow::DRAW_FRAMEBUFFER_BINDING, 1),
            ("read framebuffer", glow::READ_FRAMEBUFFER_BINDING, 1),
            ("viewport", glow::VIEWPORT, 4),
            ("active texture", glow::ACTIVE_TEXTURE, 1),
            ("unpack buffer", glow::PIXEL_UNPACK_BUFFER_BINDING, 1),
            ("pack buffer", glow::PIXEL_PACK_BUFFER_BINDING, 1),
            ("unpack alignment", glow::UNPACK_ALIGNMENT, 1),
            ("unpack row length", glow::UNPACK_ROW_LENGTH, 1),
            ("unpack skip rows", glow::UNPACK_SKIP_ROWS, 1),
            ("unpack skip pixels", glow::UNPACK_SKIP_PIXELS, 1),
            ("pack alignment", glow::PACK_ALIGNMENT, 1),
            ("pack row length", glow::PACK_ROW_LENGTH, 1),
            ("pack skip rows", glow::PACK_SKIP_ROWS, 1),
            ("pack skip pixels", glow::PACK_SKIP_PIXELS, 1),
        ]
        .into_iter()
        .chain((api == Api::Gl).then_some(("unpack swap bytes", glow::UNPACK_SWAP_BYTES, 1)))
        .chain((api == Api::Gl).then_some(("pack swap bytes", glow::PACK_SWAP_BYTES, 1)))
        {
            let mut values = vec![0; 4];
            gl.get_parameter_i32_slice(key, &mut values);
            values.truncate(count);
            state.push((name.into(), values));
        }
        let mask: [bool; 4] = gl.get_parameter_bool_array(glow::COLOR_WRITEMASK);
        state.push(("colour mask".into(), mask.map(i32::from).to_vec()));
        for switch in SWITCHES.iter().chain(desktop_switches(api)) {
            state.push((format!("switch {switch:#x}"), vec![i32::from(gl.is_enabled(*switch))]));
        }
        if api == Api::Gl {
            let mut mode = [0; 2];
            gl.get_parameter_i32_slice(glow::POLYGON_MODE, &mut mode);
            state.push(("polygon mode".into(), vec![mode[0]]));
        }
        let active = gl.get_parameter_i32(glow::ACTIVE_TEXTURE) as u32;
        for unit in 0..8 {
            gl.active_texture(glow::TEXTURE0 + unit);
            let texture = gl.get_parameter_i32(glow::TEXTURE_BINDING_2D);
            let sampler = gl.get_parameter_i32(glow::SAMPLER_BINDING);
            state.push((format!("unit {unit}"), vec![texture, sampler]));
        }
        gl.active_texture(active);
        assert_eq!(gl.get_error(), glow::NO_ERROR, "reading the state");
    }
    state
}

/// Puts a context into a state in which a careless draw or transfer goes wrong.
fn make_hostile(foreign: &Foreign, api: Api) {
    let gl = &foreign.gl;
    // SAFETY: the context is current; everything made here lives as long as the context.
    unsafe {
        for switch in SWITCHES.iter().chain(desktop_switches(api)) {
            gl.enable(*switch);
        }
        gl.scissor(1, 1, 2, 2);
        gl.depth_func(glow::NEVER);
        gl.cull_face(glow::FRONT_AND_BACK);
        gl.color_mask(false, true, false, true);
        gl.viewport(3, 4, 5, 6);
        if api == Api::Gl {
            gl.pixel_store_i32(glow::UNPACK_SWAP_BYTES, 1);
            gl.pixel_store_i32(glow::PACK_SWAP_BYTES, 1);
            gl.polygon_mode(glow::FRONT_AND_BACK, glow::LINE);
        }
        for (mode, value) in [
            (glow::UNPACK_ALIGNMENT, 8),
            (glow::UNPACK_ROW_LENGTH, 77),
            (glow::UNPACK_SKIP_ROWS, 2),
            (glow::UNPACK_SKIP_PIXELS, 3),
            (glow::PACK_ALIGNMENT, 8),
            (glow::PACK_ROW_LENGTH, 99),
            (glow::PACK_SKIP_ROWS, 1),
            (glow::PACK_SKIP_PIXELS, 5),
        ] {
            gl.pixel_store_i32(mode, value);
        }
        let framebuffers = [(); 2].map(|()| gl.create_framebuffer().unwrap());
        gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(framebuffers[0]));
        gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(framebuffers[1]));
        let buffers = [(); 2].map(|()| gl.create_buffer().unwrap());
        gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, Some(buffers[0]));
        gl.buffer_data_size(glow::PIXEL_UNPACK_BUFFER, 16, glow::STATIC_DRAW);
        gl.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffers[1]));
        gl.buffer_data_size(glow::PIXEL_PACK_BUFFER, 16, glow::STATIC_DRAW);
        gl.bind_vertex_array(Some(gl.create_vertex_array().unwrap()));
        for unit in 0..8 {
            gl.active_texture(glow::TEXTURE0 + unit);
            gl.bind_texture(glow::TEXTURE_2D, Some(gl.create_texture().unwrap()));
            // A linear filter makes an integer texture incomplete: it reads as zero.
            let sampler = gl.create_sampler().unwrap();
            gl.sampler_parameter_i32(sampler, glow::TEXTURE_MIN_FILTER, glow::LINEAR as i32);
            gl.bind_sampler(unit, Some(sampler));
        }
        gl.active_texture(glow::TEXTURE5);
        assert_eq!(gl.get_error(), glow::NO_ERROR, "making the state");
    }
}

/// In the worst of contexts, results are right and every piece of state is put back.
#[test]
fn a_foreign_context_gets_its_state_back() {
    let foreign = foreign::context();
    let gpu = Gpu::from_glow(foreign.gl.clone()).unwrap();
    let api = gpu.device().api;
    make_hostile(&foreign, api);
    let before = state(&foreign.gl, api);
    let same = |after: &str| assert_eq!(state(&foreign.gl, api), before, "after {after}");

    let spec = ScanSpec::new::<u32>(5000).operator(Operator::Affine);
    let data = numbers(10_000);
    let expected = reference::scan(&spec, &data).unwrap();
    for algorithm in ALGORITHMS {
        let mut prepared = gpu.prepare(&plan(algorithm, &spec, &gpu)).unwrap();
        same("prepare");
        let stream = prepared.upload(&data).unwrap();
        same("upload");
        let result: Vec<u32> = prepared.run(&stream).unwrap().read().unwrap();
        same("run and read");
        assert_eq!(result, expected, "{algorithm}");
        prepared.trace(&stream).unwrap();
        same("trace");
        prepared.time_passes(&stream).unwrap();
        same("time");
    }
    drop(gpu);
    same("all is dropped");
    assert!(foreign.context.is_current());
}

/// `run` issues one draw a pass, and neither allocates nor compiles nor transfers nor waits.
#[test]
fn run_only_draws() {
    let foreign = foreign::context();
    let gpu = Gpu::from_glow(foreign.gl.clone()).unwrap();
    for algorithm in ALGORITHMS {
        let (mut prepared, stream, _) = scan(&gpu, algorithm, 5000);
        let passes = prepared.plan().passes().len() as u64;
        let before = foreign::counts();
        prepared.run(&stream).unwrap();
        let counts_of_run: Vec<_> = foreign::counts()
            .into_iter()
            .map(|(name, count)| (name, count - before.get(name).copied().unwrap_or(0)))
            .filter(|(_, count)| *count > 0)
            .collect();
        assert_eq!(counts_of_run, [("glDrawArrays", passes)], "{algorithm}");
    }
}
