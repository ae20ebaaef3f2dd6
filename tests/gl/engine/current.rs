//! The current context: several in a thread do not affect each other, and a host finds its own current after each call.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use glow::HasContext;
use glutin::context::PossiblyCurrentGlContext;
use rasterscan::{Api, Error, Gpu, HeadlessOptions, Prepared, ScanSpec};

use super::{numbers, plan, scan};
use crate::engine::foreign::{self, Foreign};

const NONE: *const std::ffi::c_void = std::ptr::null();

/// Everything that a `Gpu` without a window does, with a check of the current context after each call.
fn does_everything(mut look: impl FnMut(&str)) {
    let gpu = rasterscan_runner::own_gpu();
    look("making it");
    let spec = ScanSpec::new::<u32>(5000);
    let plan = plan("packed", &spec, &gpu);
    let mut prepared = gpu.prepare(&plan).unwrap();
    look("prepare");
    let stream = prepared.upload(&numbers(5000)).unwrap();
    look("upload");
    let result = prepared.run(&stream).unwrap();
    look("run");
    assert_eq!(result.read::<u32>().unwrap(), scan::sequential(&spec, &numbers(5000)).unwrap());
    look("read");
    prepared.trace(&stream).unwrap();
    prepared.record([&stream]).unwrap();
    look("trace and record");
    prepared.time(&stream).unwrap();
    prepared.time_passes(&stream).unwrap();
    look("time");
    gpu.finish().unwrap();
    look("finish");
    assert!(prepared.upload(&[1u32]).is_err());
    let panics = catch_unwind(AssertUnwindSafe(|| gpu.with_current(|_| panic!("on purpose"))));
    assert!(panics.is_err());
    look("what fails");
    let inside = gpu.with_current(|_| prepared.run(&stream).unwrap().read::<u32>().unwrap()).unwrap();
    assert_eq!(inside.len(), 5000);
    look("with_current");
    drop(stream);
    look("dropping a stream");
    drop(prepared);
    look("dropping what was prepared");
    drop(gpu);
    look("dropping it");
}

fn a_host_finds_its_context_current_after_every_call() {
    let host = foreign::context();
    let before = host.current();
    does_everything(|after| assert_eq!(host.current(), before, "after {after}"));
    assert!(host.context.is_current());
}

/// A host whose context is of another API, for which EGL keeps separate state.
fn a_host_of_another_api_finds_its_context_current() {
    let host = foreign::context();
    let before = host.current();
    for api in [Api::Gl, Api::Gles] {
        let options = HeadlessOptions { api, ..HeadlessOptions::from_env().unwrap() };
        // A level under test may lack one of the two.
        let Ok(gpu) = Gpu::headless_with(&options) else { continue };
        assert_eq!(host.current(), before, "{}", gpu.device());
        gpu.finish().unwrap();
        drop(gpu);
        assert_eq!(host.current(), before);
    }
}

fn where_no_context_was_current_none_is_afterwards() {
    let host = foreign::context();
    host.context.make_not_current_in_place().unwrap();
    let before = host.current();
    assert_eq!(before.1, NONE);
    does_everything(|after| assert_eq!(host.current(), before, "after {after}"));
}

/// Runs a scan, and a second one on its result.
fn scans_twice(prepared: &mut [Prepared; 2], expected: &[u32]) {
    let [first, second] = prepared;
    let stream = first.upload(&numbers(3000)).unwrap();
    let twice = second.run(first.run(&stream).unwrap()).unwrap();
    assert_eq!(twice.read::<u32>().unwrap(), expected);
}

/// Names of objects are the same numbers in each of these contexts.
fn contexts_in_a_thread_do_not_act_on_each_other() {
    let host = foreign::context();
    let gpus = [rasterscan_runner::own_gpu(), host.gpu(), rasterscan_runner::own_gpu()];
    let spec = ScanSpec::new::<u32>(3000);
    let expected = scan::sequential(&spec.order(2), &numbers(3000)).unwrap();
    let mut prepared = gpus.each_ref().map(|gpu| {
        let plan = plan("hybrid", &spec, gpu);
        [gpu.prepare(&plan).unwrap(), gpu.prepare(&plan).unwrap()]
    });
    for _ in 0..3 {
        prepared.iter_mut().for_each(|prepared| scans_twice(prepared, &expected));
    }
    // Inside one context, calls on another.
    let [first, second, third] = &mut prepared;
    gpus[0].with_current(|_| scans_twice(third, &expected)).unwrap();
    gpus[2].with_current(|_| scans_twice(first, &expected)).unwrap();
    match gpus[0].with_current(|_| second[0].upload(&numbers(3000))) {
        Ok(Err(Error::NotCurrent)) => {}
        _ => panic!("the host's context is not current within that of another"),
    }
    drop(gpus);
    drop(prepared);
    assert!(host.context.is_current());
}

/// The error of every call on a Gpu whose context is not current.
fn is_refused(gpu: &Gpu, prepared: &mut Prepared, stream: &rasterscan::Stream) {
    let plan = prepared.plan().clone();
    let layout = *prepared.input_layout(0).unwrap();
    let results: [(&str, Result<(), Error>); 9] = [
        ("prepare", gpu.prepare(&plan).map(drop)),
        ("upload", gpu.upload(&layout, &numbers(700)).map(drop)),
        ("finish", gpu.finish()),
        ("with_current", gpu.with_current(|_| panic!("nothing is current to work with"))),
        ("read", stream.read::<u32>().map(drop)),
        ("trace", prepared.trace(stream).map(drop)),
        ("record", prepared.record([stream]).map(drop)),
        ("time", prepared.time(stream).map(drop)),
        ("run", prepared.run(stream).map(drop)),
    ];
    for (call, result) in results {
        assert!(matches!(result, Err(Error::NotCurrent)), "{call}: {result:?}");
    }
}

/// Textures, buffers, framebuffers and programs of the names that a context gives first.
fn objects(host: &Foreign) -> Vec<bool> {
    let mut there = Vec::new();
    for name in (1..40).filter_map(std::num::NonZeroU32::new) {
        // SAFETY: the context is current.
        unsafe {
            there.push(host.gl.is_texture(glow::NativeTexture(name)));
            there.push(host.gl.is_buffer(glow::NativeBuffer(name)));
            there.push(host.gl.is_framebuffer(glow::NativeFramebuffer(name)));
            there.push(host.gl.is_program(glow::NativeProgram(name)));
        }
    }
    there
}

fn calls_in_another_context_are_refused_and_drops_delete_nothing_there() {
    let (one, other) = (foreign::context(), foreign::context());
    one.make_current();
    let gpu = one.gpu();
    let (mut prepared, stream, expected) = scan(&gpu, "hybrid", 700);

    other.make_current();
    let beside = other.gpu();
    let (mut kept, kept_stream, _) = scan(&beside, "hybrid", 700);
    let before = objects(&other);
    assert!(before.iter().any(|there| *there));
    is_refused(&gpu, &mut prepared, &stream);
    // A clone keeps the streams' context alive; what is dropped is a texture.
    drop(scan_of(&one, &other, &gpu));
    assert_eq!(objects(&other), before);

    one.context.make_not_current_in_place().unwrap();
    is_refused(&gpu, &mut prepared, &stream);
    assert!(matches!(one.try_gpu(), Err(Error::NoContext)), "adopting where none is current");

    one.make_current();
    assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
    other.make_current();
    drop((prepared, stream, gpu));
    assert_eq!(objects(&other), before);
    assert_eq!(kept.run(&kept_stream).unwrap().read::<u32>().unwrap(), expected);
}

/// A prepared scan and its input, made in `one`; then `other` is current.
fn scan_of(one: &Foreign, other: &Foreign, gpu: &Gpu) -> (Prepared, rasterscan::Stream) {
    one.make_current();
    let (prepared, stream, _) = scan(gpu, "hybrid", 700);
    other.make_current();
    (prepared, stream)
}

fn functions_may_be_shared_in_an_arc() {
    let host = foreign::context();
    #[allow(clippy::arc_with_non_send_sync, reason = "as painters share theirs")]
    let gl = Arc::new(host.load());
    // SAFETY: the functions are the context's, which is current.
    let gpu = unsafe { Gpu::from_glow(gl) }.unwrap();
    let (mut prepared, stream, expected) = scan(&gpu, "horn", 700);
    assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
}

crate::tests![
    a_host_finds_its_context_current_after_every_call,
    a_host_of_another_api_finds_its_context_current,
    where_no_context_was_current_none_is_afterwards,
    contexts_in_a_thread_do_not_act_on_each_other,
    calls_in_another_context_are_refused_and_drops_delete_nothing_there,
    functions_may_be_shared_in_an_arc,
];
