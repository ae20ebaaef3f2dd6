//! The C interface: the library's `tools::recipe` behind handles. `include/rasterscan.h` is written from this crate by
//! cbindgen (tests/header.rs), so the comments here are the documentation of C.

#![allow(unsafe_code, reason = "pointers of C")]
#![allow(clippy::missing_safety_doc, reason = "the header's first comment says it for all calls")]
#![expect(non_camel_case_types, reason = "names of C")]

mod handles;
mod status;

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::num::NonZeroU32;
use std::ptr;
use std::rc::Rc;

use rasterscan::gl::LongBuffers;
use rasterscan::tools::recipe::{Bound, Known, Recipe};
use rasterscan::tools::{Numbers, for_element};
use rasterscan::{ElementType, Error, Gpu, HeadlessOptions, Stream, glow};

use handles::Kind;
pub use status::rs_status;
use status::{Failure, c_text, call};

/// The version of this interface: another one has other functions or structures.
pub const RS_ABI_VERSION: u32 = 1;

/// An OpenGL context that runs plans.
pub type rs_gpu = u64;

/// A job that is compiled for a context, with its memory.
pub type rs_plan = u64;

/// Numbers in a texture or a buffer.
pub type rs_stream = u64;

/// A function that finds the functions of the current OpenGL context, such as eglGetProcAddress or SDL_GL_GetProcAddress.
pub type rs_find = Option<unsafe extern "C" fn(name: *const c_char) -> *mut c_void>;

/// An input of a plan: numbers, a stream, a texture or a buffer. Set the members that say which, and leave the others 0.
#[repr(C)]
pub struct rs_input {
    /// "input"; the name of the option that reads it, such as "mask"; a name of your own, which the GLSL reads; or "length", a
    /// stream of one u32 such as the count of a compaction: so many items of "input" count.
    name: *const c_char,
    /// The type of the numbers: u32, i32, f32, u64 or i64. A texture of 32-bit channels has its own; one of 8 bits is read as f32
    /// from 0 to 1, or as u32 from 0 to 255 if that is said here.
    dtype: *const c_char,
    /// How many numbers there are. Of a texture, the items that count; 0 is all.
    length: u64,
    /// The numbers, which are copied.
    data: *const c_void,
    /// A result of another plan of the same rs_gpu.
    stream: rs_stream,
    /// The name of a 2-D texture in OpenGL, of which level 0 is read.
    texture: u32,
    /// The name of a buffer in OpenGL, whose size is a multiple of 16 bytes.
    buffer: u32,
    /// The texture's format: R, RG or RGBA with 32UI, 32I, 32F, 16F or 8, as in RGBA32F.
    format: *const c_char,
    /// Columns of the texture.
    width: u32,
    /// Rows of the texture.
    height: u32,
    /// The only channel of the texture that is read: 1 for red, to 4. 0 reads all channels of 32 bits in order, and red alone
    /// of other formats.
    channel: u32,
}

/// Where a stream lies: in a buffer from byte 0 on, or in a texture, where item i is channel i % items_per_texel of texel
/// t = i / items_per_texel, at column t % width of row t / width. Plans with compute shaders take buffers, and all others textures.
#[repr(C)]
pub struct rs_stream_info {
    /// Numbers in it.
    length: u64,
    /// The name of its texture in OpenGL; 0 if it lies in a buffer.
    texture: u32,
    /// The name of its buffer in OpenGL; 0 if it lies in a texture.
    buffer: u32,
    /// Columns of the texture.
    width: u32,
    /// Rows of the texture.
    height: u32,
    /// Consecutive items in a texel.
    items_per_texel: u32,
    /// The type of the numbers: u32, i32, f32, u64 or i64.
    dtype: [c_char; 4],
    /// The texture's format, as in RGBA32F.
    format: [c_char; 12],
}

impl Kind for Gpu {
    const NAME: &'static str = "GPU";
}

impl Kind for Stream {
    const NAME: &'static str = "stream";
}

/// A plan in its context.
struct Plan {
    gpu: Gpu,
    bound: RefCell<Bound>,
    /// The descriptions of its inputs, by their names.
    inputs: Vec<(String, Known)>,
}

impl Kind for Plan {
    const NAME: &'static str = "plan";
}

/// The version of this interface in the library that is loaded. Compare it with RS_ABI_VERSION.
#[unsafe(no_mangle)]
pub extern "C" fn rs_abi_version() -> u32 {
    RS_ABI_VERSION
}

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn rs_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The sentence of this thread's last call, if it failed; empty if it did not. It lives until this thread's next call.
#[unsafe(no_mangle)]
pub extern "C" fn rs_last_error() -> *const c_char {
    status::last()
}

/// An object in words: the device of a GPU, the passes and costs of a plan, the layout of a stream. NULL is an error. The text
/// lives until this thread's next rs_describe().
#[unsafe(no_mangle)]
pub extern "C" fn rs_describe(object: u64) -> *const c_char {
    thread_local! {
        static TEXT: RefCell<CString> = RefCell::default();
    }
    let mut address = ptr::null();
    call(|| {
        let text = match (handles::get::<Plan>(object), handles::get::<Stream>(object)) {
            (Ok(plan), _) => plan.bound.borrow().prepared().plan().to_string(),
            (_, Ok(stream)) => stream.layout().to_string(),
            _ => handles::get::<Gpu>(object)?.device().to_string(),
        };
        address = TEXT.with(|kept| {
            *kept.borrow_mut() = c_text(&text);
            kept.borrow().as_ptr()
        });
        Ok(())
    });
    address
}

/// The context that is current on this thread: OpenGL 3.3, OpenGL ES 3.0 or newer. `find` finds its functions; NULL looks for
/// them in EGL, GLX, WGL or CGL. Every call with this GPU, or with what is made of it, needs the context to be current, and
/// restores the state that it changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rs_gpu_current(find: rs_find, gpu: *mut rs_gpu) -> rs_status {
    call(|| {
        let gpu = out(gpu, "gpu")?;
        let current = match find {
            None => Gpu::current()?,
            // SAFETY: the caller's function finds those of the current context.
            Some(find) => unsafe {
                let functions =
                    glow::Context::from_loader_function_cstr(|name| find(name.as_ptr()).cast_const());
                Gpu::from_glow(Rc::new(functions))?
            },
        };
        *gpu = handles::insert(current);
        Ok(())
    })
}

/// A context of its own, without a window, on the best device or the one that RASTERSCAN_DEVICE names: a number, software or
/// hardware. A call makes it current, and then what was current before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rs_gpu_headless(gpu: *mut rs_gpu) -> rs_status {
    call(|| {
        let gpu = out(gpu, "gpu")?;
        let headless = Gpu::headless_with(&HeadlessOptions { debug: false, ..HeadlessOptions::from_env()? })?;
        // For a few runs, others take longer to make than they save.
        headless.set_long_buffers(LongBuffers::Ordinary);
        *gpu = handles::insert(headless);
        Ok(())
    })
}

/// Compiles a job and allocates its memory, once. `job` has the words of the command line, with - in place of a file:
/// "scan - --op max", "sort - --moves indices -a radix", "compact - --mask -". `glsl` is NULL, or has a function that makes keys
/// or keeps items: "float key(uint item, int index) { ... }", "bool keep(vec4 item, int index) { ... }". An item is a uint, int,
/// float or uvec2; of a texture of several channels a vector, but for a compaction that moves values, which are single channels.
/// The GLSL reads an input of a name of yours, such as "weight", by weight_at(i), and has uniforms of float, int, uint and ivec2.
/// A sort by such keys gives the keys as values. Inputs with numbers, a stream, a texture or a buffer are bound as by
/// rs_plan_bind(); of the others the members that say how they lie are enough.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rs_plan_new(
    gpu: rs_gpu,
    job: *const c_char,
    glsl: *const c_char,
    inputs: *const rs_input,
    count: usize,
    plan: *mut rs_plan,
) -> rs_status {
    call(|| {
        let gpu = handles::get::<Gpu>(gpu)?;
        let plan = out(plan, "plan")?;
        let mut recipe = Recipe::new(text(job, "job")?.split_whitespace());
        if !glsl.is_null() {
            recipe.snippet(text(glsl, "glsl")?)?;
        }
        let inputs = slice(inputs, count, "inputs")?;
        let mut told = Vec::new();
        for input in inputs {
            let (name, known) = (text(input.name, "the name of an input")?, known(input)?);
            told.push((name.to_owned(), known));
            recipe.stream(name, known);
        }
        let planned = recipe.plan(gpu.device())?;
        let bound = Bound::new(gpu.prepare(&planned.plan)?, planned)?;
        let made = Plan { gpu: Gpu::clone(&gpu), bound: RefCell::new(bound), inputs: told };
        for input in inputs {
            let has_memory = input.stream != 0 || input.texture != 0 || input.buffer != 0;
            if has_memory || !input.data.is_null() {
                made.bind(input)?;
            }
        }
        *plan = handles::insert(made);
        Ok(())
    })
}

/// Binds an input for the next runs: `data` is uploaded; a stream, a texture or a buffer must lie as the one that the plan was
/// made for, and is not copied. The caller keeps a texture and a buffer while they are bound.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rs_plan_bind(plan: rs_plan, input: *const rs_input) -> rs_status {
    call(|| {
        let (plan, input) = (handles::get::<Plan>(plan)?, &slice(input, 1, "input")?[0]);
        let is_described = !input.dtype.is_null() || !input.format.is_null();
        let name = text(input.name, "the name of an input")?;
        let told = plan.told(name);
        if told.is_some() && input.stream == 0 && is_described && told != Some(&known(input)?) {
            return Err(Failure::Request(format!(
                "{name} has another type, length, format, size or channel than the plan was made for"
            )));
        }
        plan.bind(input)
    })
}

/// Sets a uniform of the GLSL for the next runs, from one number, or two for an ivec2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rs_plan_set(
    plan: rs_plan,
    name: *const c_char,
    values: *const f64,
    count: usize,
) -> rs_status {
    call(|| {
        let plan = handles::get::<Plan>(plan)?;
        let values = slice(values, count, "values")?;
        Ok(plan.bound.borrow_mut().set(text(name, "name")?, values)?)
    })
}

/// Runs all passes. Nothing is read back, and nothing waits for the GPU.
#[unsafe(no_mangle)]
pub extern "C" fn rs_plan_run(plan: rs_plan) -> rs_status {
    call(|| Ok(handles::get::<Plan>(plan)?.bound.borrow_mut().run()?))
}

/// A result of the last run, which the next one overwrites: "values", "indices", "count" ..., or NULL for the first. Of a
/// compaction, "count" says how many of the others count. Each call gives a new handle; one is valid after every run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rs_plan_result(
    plan: rs_plan,
    name: *const c_char,
    stream: *mut rs_stream,
) -> rs_status {
    call(|| {
        let (plan, stream) = (handles::get::<Plan>(plan)?, out(stream, "stream")?);
        let name = (!name.is_null()).then(|| text(name, "name")).transpose()?;
        let bound = plan.bound.borrow();
        let mut results = bound.outputs().iter().zip(bound.results());
        let result = results.find(|(output, _)| name.is_none_or(|name| name == output.name));
        let (_, result) = result.ok_or_else(|| {
            let names: Vec<_> = bound.outputs().iter().map(|output| output.name).collect();
            let names = names.join(", ");
            Failure::Request(match (bound.results(), name) {
                ([], _) => {
                    "the plan has no results before rs_plan_run(), nor after an input was bound".into()
                }
                (_, name) => {
                    format!("the plan has no result '{}'; expected {names}", name.unwrap_or_default())
                }
            })
        })?;
        *stream = handles::insert(result.clone());
        Ok(())
    })
}

/// Where a stream lies, for the caller's own shaders.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rs_stream_where(stream: rs_stream, info: *mut rs_stream_info) -> rs_status {
    call(|| {
        let (stream, info) = (handles::get::<Stream>(stream)?, out(info, "info")?);
        let layout = stream.layout();
        *info = rs_stream_info {
            length: layout.elements(),
            texture: stream.texture().map_or(0, |name| name.0.get()),
            buffer: stream.buffer().map_or(0, |name| name.0.get()),
            width: layout.width,
            height: layout.height,
            items_per_texel: layout.items_per_texel,
            dtype: characters(layout.element.name()),
            format: characters(&layout.format().to_string()),
        };
        Ok(())
    })
}

/// Waits for the GPU and copies the first `length` numbers, of the stream's type, to `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rs_stream_read(stream: rs_stream, data: *mut c_void, length: u64) -> rs_status {
    call(|| {
        let stream = handles::get::<Stream>(stream)?;
        if data.is_null() {
            return Err(Failure::Null("data"));
        }
        for_element!(stream.layout().element, T => {
            let numbers = stream.read_first::<T>(length)?;
            // SAFETY: the caller has room for so many numbers.
            unsafe { ptr::copy_nonoverlapping(numbers.as_ptr(), data.cast::<T>(), numbers.len()) };
        });
        Ok(())
    })
}

/// Frees a GPU, a plan or a stream. Each may be freed first: what another one needs lives on with it. While the caller's context
/// is not current, what it has in OpenGL stays there until the context ends.
#[unsafe(no_mangle)]
pub extern "C" fn rs_free(object: u64) -> rs_status {
    call(|| handles::remove(object))
}

impl Plan {
    /// The description of an input.
    fn told(&self, name: &str) -> Option<&Known> {
        self.inputs.iter().find(|(known, _)| known == name).map(|(_, known)| known)
    }

    fn bind(&self, input: &rs_input) -> Result<(), Failure> {
        let name = text(input.name, "the name of an input")?;
        let mut bound = self.bound.borrow_mut();
        let number = bound.inputs().position(|(known, _)| known == name);
        let number = number.ok_or_else(|| {
            let names: Vec<_> = bound.inputs().map(|(name, _)| name.to_owned()).collect();
            Failure::Request(format!("the plan has no input '{name}'; expected {}", names.join(", ")))
        })?;
        if input.stream != 0 {
            return Ok(bound.bind(number, Stream::clone(&*handles::get::<Stream>(input.stream)?))?);
        }
        let (layout, is_narrow) = bound.layout(number)?;
        // SAFETY: the caller keeps textures and buffers while they are bound.
        let stream = match (NonZeroU32::new(input.texture), NonZeroU32::new(input.buffer)) {
            (Some(texture), _) if is_narrow => unsafe {
                self.gpu.wrap_pixels(glow::NativeTexture(texture), layout)
            },
            (Some(texture), _) => unsafe { self.gpu.wrap_texture(glow::NativeTexture(texture), layout) },
            (None, Some(buffer)) => unsafe { self.gpu.wrap_buffer(glow::NativeBuffer(buffer), layout) },
            (None, None) => {
                let element = match self.told(name) {
                    Some(Known::Array { element, .. }) => *element,
                    _ => {
                        return Err(Failure::Request(format!(
                            "the plan was not made for {name} as an array"
                        )));
                    }
                };
                return Ok(bound.upload(number, numbers(element, input)?)?);
            }
        };
        // An object of another size or format is a mistake in the call, not a failure of the driver.
        let stream = stream.map_err(|error| match error {
            Error::Gl { what, .. } => Failure::Request(format!("{name}: {what}")),
            error => error.into(),
        });
        Ok(bound.bind(number, stream?)?)
    }
}

/// The description of an input.
fn known(input: &rs_input) -> Result<Known, Failure> {
    let places = [input.stream != 0, input.texture != 0, input.buffer != 0, !input.data.is_null()];
    if places.into_iter().filter(|is_set| *is_set).count() > 1 {
        return Err(Failure::Request("an input sets one of data, stream, texture and buffer".into()));
    }
    if input.texture != 0 && input.format.is_null() {
        return Err(Failure::Null("format"));
    }
    if input.stream != 0 {
        return Ok(Known::Stream(*handles::get::<Stream>(input.stream)?.layout()));
    }
    let dtype = (!input.dtype.is_null()).then(|| text(input.dtype, "dtype")).transpose()?;
    let element = dtype.map(|name| {
        ElementType::named(name).ok_or_else(|| {
            Failure::Request(format!("dtype cannot be '{name}'; expected u32, i32, f32, u64 or i64"))
        })
    });
    let element = element.transpose()?;
    if !input.format.is_null() {
        let items = Some(input.length).filter(|length| *length > 0);
        let (size, channel) = ([input.width, input.height], input.channel.checked_sub(1));
        return Ok(Known::texture(text(input.format, "format")?, element, size, items, channel)?);
    }
    let (element, len) = (element.ok_or(Failure::Null("dtype"))?, input.length);
    Ok(if input.buffer == 0 { Known::Array { element, len } } else { Known::Buffer { element, len } })
}

/// The numbers of an input.
fn numbers(element: ElementType, input: &rs_input) -> Result<Numbers, Failure> {
    let bytes = input.length as usize * element.words() as usize * 4;
    Ok(Numbers::of_bytes(element, slice(input.data.cast::<u8>(), bytes, "data")?))
}

/// A text of the caller's.
fn text<'a>(pointer: *const c_char, what: &'static str) -> Result<&'a str, Failure> {
    if pointer.is_null() {
        return Err(Failure::Null(what));
    }
    // SAFETY: the caller's texts end with a zero, and live while the call runs.
    unsafe { CStr::from_ptr(pointer) }.to_str().map_err(|_| Failure::Text(what))
}

/// An array of the caller's.
fn slice<'a, T>(pointer: *const T, count: usize, what: &'static str) -> Result<&'a [T], Failure> {
    match (pointer.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::Null(what)),
        // SAFETY: the caller's arrays are so long, and live while the call runs.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
    }
}

/// A place for a result.
fn out<'a, T>(pointer: *mut T, what: &'static str) -> Result<&'a mut T, Failure> {
    // SAFETY: the caller's place is valid, if it is not null.
    unsafe { pointer.as_mut() }.ok_or(Failure::Null(what))
}

/// A short text, filled up with zeros.
fn characters<const N: usize>(text: &str) -> [c_char; N] {
    let mut characters = [0; N];
    for (place, byte) in characters[..N - 1].iter_mut().zip(text.bytes()) {
        *place = byte as c_char;
    }
    characters
}
