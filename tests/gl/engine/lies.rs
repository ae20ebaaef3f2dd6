//! Faulty drivers: replaced functions return what a software driver never would. A lost context, a device that does not
//! respond, names with terminal escapes, float targets that lose their values, dispatches that do nothing.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::rc::Rc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;

use rasterscan::{Condition, ElementType, Error, Gpu, ScanSpec, gl::AutoChecks, scan};

use super::numbers;
use crate::engine::foreign;

const CONTEXT_LOST: u32 = 0x0507;

thread_local! {
    /// The replaced return values; at first, the driver's own.
    static ERROR: Cell<Option<u32>> = const { Cell::new(None) };
    static WAIT: Cell<Option<u32>> = const { Cell::new(None) };
    static RENDERER: Cell<Option<&'static CStr>> = const { Cell::new(None) };
    static KEEPS_FLOATS: Cell<bool> = const { Cell::new(true) };
    static DISPATCHES: Cell<bool> = const { Cell::new(true) };
    static DELETED: Cell<u32> = const { Cell::new(0) };
}

/// The driver's own function, by its stored address.
macro_rules! real {
    ($name:ident as $kind:ty) => {{
        // SAFETY: the pointer is the driver's function of this name and signature.
        unsafe { std::mem::transmute::<*mut c_void, $kind>($name.load(Ordering::SeqCst)) }
    }};
}

static GET_ERROR: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static CLIENT_WAIT: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static GET_STRING: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static READ_PIXELS: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static DISPATCH: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static DELETE_TEXTURES: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

extern "system" fn get_error() -> u32 {
    ERROR.get().unwrap_or_else(|| real!(GET_ERROR as extern "system" fn() -> u32)())
}

extern "system" fn client_wait(sync: *mut c_void, flags: u32, timeout: u64) -> u32 {
    type Real = extern "system" fn(*mut c_void, u32, u64) -> u32;
    WAIT.get().unwrap_or_else(|| real!(CLIENT_WAIT as Real)(sync, flags, timeout))
}

extern "system" fn get_string(name: u32) -> *const c_char {
    match RENDERER.get() {
        Some(renderer) if name == glow::RENDERER => renderer.as_ptr(),
        _ => real!(GET_STRING as extern "system" fn(u32) -> *const c_char)(name),
    }
}

extern "system" fn read_pixels(x: i32, y: i32, w: i32, h: i32, format: u32, kind: u32, pixels: *mut c_void) {
    type Real = extern "system" fn(i32, i32, i32, i32, u32, u32, *mut c_void);
    if kind != glow::FLOAT || KEEPS_FLOATS.get() {
        real!(READ_PIXELS as Real)(x, y, w, h, format, kind, pixels);
    }
}

extern "system" fn dispatch(x: u32, y: u32, z: u32) {
    if DISPATCHES.get() {
        real!(DISPATCH as extern "system" fn(u32, u32, u32))(x, y, z);
    }
}

extern "system" fn delete_textures(count: i32, names: *const u32) {
    DELETED.set(DELETED.get() + count as u32);
    real!(DELETE_TEXTURES as extern "system" fn(i32, *const u32))(count, names);
}

/// A Gpu in a context with these functions, and the context, which must outlive it.
fn liar() -> (foreign::Foreign, Gpu) {
    let host = foreign::context();
    let gl = host.load_with(|name, address| {
        let (kept, stub) = match name {
            "glGetError" => (&GET_ERROR, get_error as *const c_void),
            "glClientWaitSync" => (&CLIENT_WAIT, client_wait as *const c_void),
            "glGetString" => (&GET_STRING, get_string as *const c_void),
            "glReadPixels" => (&READ_PIXELS, read_pixels as *const c_void),
            "glDispatchCompute" => (&DISPATCH, dispatch as *const c_void),
            "glDeleteTextures" => (&DELETE_TEXTURES, delete_textures as *const c_void),
            _ => return address,
        };
        kept.store(address.cast_mut(), Ordering::SeqCst);
        stub
    });
    // SAFETY: the functions are those of the context, which is current.
    let gpu = unsafe { Gpu::from_glow(Rc::new(gl)) }.unwrap();
    (host, gpu)
}

/// The error of a call in a lost context.
fn reason_of<R>(result: Result<R, Error>) -> String {
    match result.map(drop) {
        Err(Error::ContextLost { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

fn a_lost_context_is_an_error_of_its_own() {
    let (_host, gpu) = liar();
    let (mut prepared, stream, expected) = super::scan(&gpu, "hybrid", 700);
    assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);

    ERROR.set(Some(CONTEXT_LOST));
    let error = stream.read::<u32>().unwrap_err();
    assert!(matches!(error, Error::ContextLost { during: "reading a stream", .. }), "{error}");
    // A lost context stays lost, whatever the driver reports later, and its objects are not touched.
    ERROR.set(None);
    reason_of(prepared.run(&stream));
    reason_of(prepared.upload(&numbers(700)));
    reason_of(gpu.prepare(prepared.plan()));
    reason_of(gpu.finish());
    reason_of(prepared.time(&stream));
    let deleted = DELETED.get();
    drop((prepared, stream, gpu));
    assert_eq!(DELETED.get(), deleted);
}

fn a_device_that_does_not_answer_is_given_up() {
    let finish: fn(&Gpu) -> String = |gpu| reason_of(gpu.finish());
    let read: fn(&Gpu) -> String = |gpu| reason_of(super::scan(gpu, "horn", 700).1.read::<u32>());
    let time: fn(&Gpu) -> String = |gpu| {
        let (mut prepared, stream, _) = super::scan(gpu, "horn", 700);
        reason_of(prepared.time(&stream))
    };
    for call in [finish, read, time] {
        let (_host, gpu) = liar();
        // With a longer limit, and a device that responds.
        gpu.set_patience(Some(Duration::from_secs(600)));
        let (mut prepared, stream, expected) = super::scan(&gpu, "hybrid", 700);
        prepared.time(&stream).unwrap();
        assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
        gpu.finish().unwrap();

        gpu.set_patience(Some(Duration::ZERO));
        WAIT.set(Some(glow::TIMEOUT_EXPIRED));
        assert_eq!(call(&gpu), "the device has not answered for 0 s");
        WAIT.set(None);
        reason_of(prepared.run(&stream));
    }
}

fn names_have_no_control_characters() {
    RENDERER.set(Some(c"evil\x1b[2J\x07 softpipe\n"));
    let (_host, gpu) = liar();
    RENDERER.set(None);
    assert_eq!(gpu.device().renderer, "evil\\u{1b}[2J\\u{7} softpipe\\n");
    assert!(gpu.device().software);
}

/// As virgl did with a shader that its host did not compile.
fn compute_shaders_that_do_nothing_are_not_used() {
    DISPATCHES.set(false);
    let (_host, gpu) = liar();
    if gpu.device().compute.is_none() {
        println!("not applicable: no compute shaders");
        return;
    }
    for algorithm in super::DISPATCHES {
        let spec = ScanSpec::new::<u32>(700);
        let error = gpu.prepare(&super::plan(algorithm, &spec, &gpu)).unwrap_err();
        let says = "this driver computes shared memory wrongly";
        assert!(matches!(&error, Error::Unsupported(why) if why.reason.contains(says)), "{error}");
    }
    // `auto` is another algorithm then.
    let data = numbers(100_000);
    assert_eq!(gpu.scan(&data).unwrap(), scan::sequential(&ScanSpec::new::<u32>(data.len()), &data).unwrap());
    assert_eq!(gpu.sum(&data).unwrap(), data.iter().fold(0, |sum: u32, x| sum.wrapping_add(*x)));
    assert_eq!(gpu.compact(&data, Condition::nonzero(ElementType::U32)).unwrap(), data);
    // The answer holds for the context.
    DISPATCHES.set(true);
    assert!(gpu.prepare(&super::plan("sam:vectors=1", &ScanSpec::new::<u32>(700), &gpu)).is_err());
}

/// The trial passes, and the algorithm itself is wrong.
fn auto_checks_its_choice_on_a_renderer_that_is_not_known() {
    RENDERER.set(Some(c"Quick Software GPU 3"));
    let data = numbers(100_000);
    let spec = ScanSpec::new::<u32>(data.len());
    let expected = scan::sequential(&spec, &data).unwrap();
    for (checks, right) in [(AutoChecks::Unknown, true), (AutoChecks::Never, false)] {
        DISPATCHES.set(true);
        let (_host, gpu) = liar();
        if gpu.device().compute.is_none() {
            println!("not applicable: no compute shaders");
            break;
        }
        assert!(gpu.device().software && !gpu.device().is_known());
        for algorithm in super::DISPATCHES {
            gpu.prepare(&super::plan(algorithm, &spec, &gpu)).unwrap();
        }
        gpu.set_auto_checks(checks);
        DISPATCHES.set(false);
        assert_eq!(gpu.scan(&data).unwrap() == expected, right, "{checks:?}");
        let mut chunks = gpu.scan_chunks(&spec).unwrap();
        let got = [chunks.next_chunk(&data[..60_000]).unwrap(), chunks.next_chunk(&data[60_000..]).unwrap()]
            .concat();
        assert_eq!(got == expected, right, "{checks:?}, in chunks");
        // Once is enough: other numbers of about this length are not checked again, but by an algorithm that is right.
        let others: Vec<u32> = data.iter().rev().copied().collect();
        let expected = scan::sequential(&spec, &others).unwrap();
        assert_eq!(gpu.scan(&others).unwrap() == expected, right, "{checks:?}, again");
    }
    DISPATCHES.set(true);
    RENDERER.set(None);
}

fn float_targets_are_tried() {
    assert!(liar().1.device().float_targets);
    KEEPS_FLOATS.set(false);
    let (_host, gpu) = liar();
    KEEPS_FLOATS.set(true);
    assert!(!gpu.device().float_targets);
}

crate::tests![
    a_lost_context_is_an_error_of_its_own,
    a_device_that_does_not_answer_is_given_up,
    names_have_no_control_characters,
    compute_shaders_that_do_nothing_are_not_used,
    auto_checks_its_choice_on_a_renderer_that_is_not_known,
    float_targets_are_tried,
];
