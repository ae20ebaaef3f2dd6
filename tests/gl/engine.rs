//! The engine's guarantees: the three verbs, the caller's context, and errors instead of panics.
#![allow(unsafe_code, reason = "the caller's side of a shared context is OpenGL itself")]

mod calls;
mod compactions;
mod context;
mod current;
mod deleted;
mod dispatches;
mod foreign;
mod host;
mod lies;
mod moves;
mod programs;
mod refusals;
mod slots;
mod taken;
mod transfers;
mod trials;
mod units;

use glow::HasContext;
use rasterscan::scan;
use rasterscan::{Api, Error, Gpu, HeadlessOptions, Level, Plan, Prepared, ScanSpec, Stream, device::Clock};
use rasterscan_runner::scan::choice;

const ALGORITHMS: [&str; 4] = ["horn", "hybrid:reduce=3", "blelloch", "packed"];

/// Dispatches: several passes, one pass, and one with resident groups.
const DISPATCHES: [&str; 4] = [
    "three_phase:vectors=1",
    "reduce_then_scan:lanes=shared,group=8,vectors=1",
    "look_back:vectors=1",
    "sam:lanes=shared,group=8,vectors=1",
];

/// The algorithms that the device supports.
fn algorithms(gpu: &Gpu) -> Vec<&'static str> {
    let dispatches = if gpu.device().compute.is_some() { &DISPATCHES[..] } else { &[] };
    ALGORITHMS.iter().chain(dispatches).copied().collect()
}

/// One algorithm for each kind of pass.
const COMPACTIONS: [&str; 12] = [
    "horn",
    "blocks:draw=lines",
    "blocks:draw=quads,ends=fetched",
    "blocks:size=8,inner=packed,draw=lines,wrap=geometry",
    "blocks:size=8,inner=packed,draw=quads,wrap=geometry",
    "geometry",
    "bitonic",
    "histopyramid",
    "points",
    "packed",
    "scatter",
    "select:vectors=1",
];

fn plan(algorithm: &str, spec: &ScanSpec, gpu: &Gpu) -> Plan {
    choice(algorithm).plan(spec, gpu.device()).unwrap().expect("a plan")
}

fn numbers(len: usize) -> Vec<u32> {
    (0..len as u64).map(|index| rasterscan_runner::data::mix(1, index) as u32).collect()
}

/// A prepared scan, its input, and the expected result.
fn scan(gpu: &Gpu, algorithm: &str, len: usize) -> (Prepared, Stream, Vec<u32>) {
    let spec = ScanSpec::new::<u32>(len);
    let prepared = gpu.prepare(&plan(algorithm, &spec, gpu)).unwrap();
    let data = numbers(len);
    let stream = prepared.upload(&data).unwrap();
    (prepared, stream, scan::sequential(&spec, &data).unwrap())
}

fn a_prepared_plan_runs_again_and_again() {
    let gpu = rasterscan_runner::gpu();
    for algorithm in algorithms(&gpu) {
        let (mut prepared, stream, expected) = scan(&gpu, algorithm, 5000);
        for _ in 0..3 {
            assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected, "{algorithm}");
        }
        // Another input, then the first one again: a run leaves nothing behind.
        let ones = prepared.upload(&vec![1u32; 5000]).unwrap();
        let counted: Vec<u32> = prepared.run(&ones).unwrap().read().unwrap();
        assert_eq!(counted, (1..=5000).collect::<Vec<u32>>(), "{algorithm}");
        assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected, "{algorithm}");
    }
}

fn the_input_is_only_read() {
    let gpu = rasterscan_runner::gpu();
    for algorithm in algorithms(&gpu) {
        let (mut prepared, stream, _) = scan(&gpu, algorithm, 5000);
        prepared.run(&stream).unwrap();
        prepared.trace(&stream).unwrap();
        prepared.time_passes(&stream).unwrap();
        assert_eq!(stream.read::<u32>().unwrap(), numbers(5000), "{algorithm}");
    }
}

fn a_result_is_the_next_input_without_readback() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u32>(3000);
    let data = numbers(3000);
    let expected = scan::sequential(&spec.order(2), &data).unwrap();
    for algorithm in algorithms(&gpu) {
        let plan = plan(algorithm, &spec, &gpu);
        let mut first = gpu.prepare(&plan).unwrap();
        let mut second = gpu.prepare(&plan).unwrap();
        let stream = first.upload(&data).unwrap();
        let result = second.run(first.run(&stream).unwrap()).unwrap();
        assert_eq!(result.read::<u32>().unwrap(), expected, "{algorithm}");
    }
}

fn a_trace_ends_with_the_result() {
    let gpu = rasterscan_runner::gpu();
    for algorithm in algorithms(&gpu) {
        let (mut prepared, stream, expected) = scan(&gpu, algorithm, 700);
        let trace = prepared.trace(&stream).unwrap();
        assert_eq!(trace.steps.len(), prepared.plan().passes().len(), "{algorithm}");
        assert_eq!(trace.inputs[0].values::<u32>().unwrap(), numbers(700));
        let last = &trace.steps.last().unwrap().writes[0];
        assert_eq!(last.values::<u32>().unwrap(), expected, "{algorithm}");
        assert!(matches!(last.values::<f32>(), Err(Error::ElementMismatch { .. })));
    }
}

fn times_come_from_the_right_clock_for_every_pass() {
    let gpu = rasterscan_runner::gpu();
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

/// Several runs under one clock, if possible, are complete runs; also of a plan without passes.
fn runs_are_timed_together() {
    let gpu = rasterscan_runner::gpu();
    let algorithms: &[&str] =
        if gpu.device().compute.is_some() { &["horn", "look_back", "three_phase"] } else { &["horn"] };
    for algorithm in algorithms {
        let (mut prepared, stream, expected) = scan(&gpu, algorithm, 10_000);
        for runs in [0, 1, 7] {
            let timing = prepared.time_runs([&stream], runs).unwrap();
            assert!(timing.total.as_nanos() > 0 && timing.passes.is_empty(), "{algorithm}, {runs} runs");
        }
        assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected, "{algorithm}");
    }
    let (mut nothing, stream, _) = scan(&gpu, "horn", 1);
    assert!(nothing.plan().passes().is_empty());
    nothing.time_runs([&stream], 7).unwrap();
}

fn wrong_streams_are_refused() {
    let gpu = rasterscan_runner::gpu();
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
    let other = rasterscan_runner::own_gpu();
    let (_, foreign, _) = scan(&other, "horn", 100);
    assert!(matches!(prepared.run(&foreign), Err(Error::OtherContext)));
    // Two contexts on a thread do not disturb each other.
    assert_eq!(foreign.read::<u32>().unwrap(), numbers(100));
    assert_eq!(stream.read::<u32>().unwrap(), numbers(100));
}

fn a_plan_for_a_larger_device_is_refused() {
    let gpu = rasterscan_runner::gpu();
    let device = rasterscan::Device { max_texture_size: 1 << 15, ..gpu.device().clone() };
    if gpu.device().max_texture_size >= 1 << 15 {
        println!("not applicable: this device takes textures of 32768 texels");
        return;
    }
    let spec = ScanSpec::new::<u32>((1 << 28) + 1);
    let plan = choice("horn").plan(&spec, &device).unwrap().unwrap();
    assert!(matches!(gpu.prepare(&plan), Err(Error::Unsupported(_))));
}

fn devices_can_be_chosen_and_refused() {
    use rasterscan::gl::DeviceChoice;

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

/// A context is as one of an older driver: what is newer is not used, and `auto` finds what runs without it.
fn a_level_can_be_asked_for() {
    let names = [("gl3.3", "OpenGL 3.3"), ("gles3.0", "OpenGL ES 3.0"), ("gl4.2", "OpenGL 4.2")];
    for (name, level) in names {
        let Level { api, newest } = name.parse().unwrap();
        assert_eq!(name.parse::<Level>().unwrap().to_string(), name);
        let options = HeadlessOptions { api, newest, or_es: false, ..HeadlessOptions::from_env().unwrap() };
        // A driver limited to one API has no other.
        let Ok(gpu) = Gpu::headless_with(&options) else { continue };
        let device = gpu.device();
        assert!(device.version <= newest.unwrap() && device.compute.is_none(), "{name}: {device}");
        assert_eq!(device.version == newest.unwrap(), device.level() == level, "{name}: {device}");
        assert!(api == Api::Gl || !device.geometry && device.max_buffer_texels == 0, "{name}");
        let plan = choice("look_back").plan(&ScanSpec::new::<u32>(9), device);
        assert!(matches!(plan, Err(Error::Unsupported(_))), "{name}");
        let data = numbers(5000);
        let expected = scan::sequential(&ScanSpec::new::<u32>(5000), &data).unwrap();
        assert_eq!(gpu.scan(&data).unwrap(), expected, "{name}");
    }
    for wrong in ["gl3.2", "gles2.0", "gl3", "gl3.3.0", "glx", "gles-1.0", "", "4.3"] {
        assert!(wrong.parse::<Level>().is_err(), "{wrong}");
    }
}

/// Driver messages become errors in a debug context, which tests use.
fn the_debug_output_fails_a_call() {
    let options = HeadlessOptions { debug: true, ..HeadlessOptions::from_env().unwrap() };
    let gpu = Gpu::headless_with(&options).unwrap();
    assert!(cfg!(not(debug_assertions)) || HeadlessOptions::default().debug);
    let layout = *scan(&rasterscan_runner::gpu(), "horn", 4).0.input_layout(0).unwrap();
    let upload = || gpu.upload(&layout, &[1u32, 2, 3, 4]).map(|_| ());
    upload().unwrap();
    // SAFETY: the context is current; the call is wrong on purpose, and does nothing.
    gpu.with_current(|gl| unsafe {
        gl.bind_texture(0xDEAD, None);
        // The rest is in the debug output.
        assert_eq!(gl.get_error(), glow::INVALID_ENUM);
    })
    .unwrap();
    match upload() {
        Err(Error::DebugOutput { messages, .. }) => {
            assert!(messages[0].starts_with("high: "), "{messages:?}")
        }
        other => panic!("{other:?}"),
    }
    // Reported only once.
    upload().unwrap();
}

/// Every compilation is reported at its start and end; cached programs are not.
fn compilations_are_announced() {
    use std::cell::RefCell;
    use std::rc::Rc;

    let gpu = rasterscan_runner::own_gpu();
    let told = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&told);
    gpu.on_compile(move |name| sink.borrow_mut().push(name.map(str::to_owned)));
    let (first, ..) = scan(&gpu, "horn", 100);
    let once = vec![Some("glsl/scan/horn/step.frag (u32 add)".to_owned()), None];
    assert_eq!(*told.borrow(), once);
    let (second, ..) = scan(&gpu, "horn", 100);
    assert_eq!(*told.borrow(), once);
    drop((first, second));
}

crate::tests![
    in calls, compactions, context, current, deleted, dispatches, host, lies, moves, programs, refusals, slots, taken, transfers, trials, units;
    a_prepared_plan_runs_again_and_again,
    the_input_is_only_read,
    a_result_is_the_next_input_without_readback,
    a_trace_ends_with_the_result,
    times_come_from_the_right_clock_for_every_pass,
    runs_are_timed_together,
    wrong_streams_are_refused,
    a_plan_for_a_larger_device_is_refused,
    devices_can_be_chosen_and_refused,
    a_level_can_be_asked_for,
    the_debug_output_fails_a_call,
    compilations_are_announced,
];
