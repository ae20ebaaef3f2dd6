//! A context that runs plans: headless, or the caller's own.
//!
//! A wait for the GPU ends with [`Error::ContextLost`] after a minute ([`Gpu::set_patience`]), or as soon as the driver
//! reports a reset. Contexts without a window are robust where the driver supports it, so that it does report. Calls
//! after that are refused. Objects of a lost context are never deleted, since that can hang too.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

use glow::HasContext;

use super::answers::AutoChecks;
use super::binaries::{self, ProgramCache};
use super::debug::DebugLog;
use super::functions::GlFunctions;
use super::mark::Mark;
use super::pieces::{Pieces, Transfer, TransferKind, Transfers};
use super::program::{self, Kept, Program, ProgramKey, Started};
use super::sparse::{LongBuffers, Sparse};
use super::state::{Effects, StateGuard};
use super::stream::Wrapped;
use super::texture::{Owner as TextureOwner, Wanted};
use super::wide::{Calls, Wide};
use super::{Prepared, Stream, bound, capabilities, lanes, lines, selftest, state, texture};
use crate::clock::Instant;
use crate::device::{Api, Device};
use crate::element::{Element, TexelFormat};
use crate::error::Error;
use crate::plan::{Construct, Dispatch, Layout, Plan, Storage};
use crate::tuning::Tuning;

/// An OpenGL context that runs plans. Cheap to clone; bound to its thread.
///
/// # Which context is current
///
/// A `Gpu` of [`Gpu::headless`] makes its own context current for each call and then restores what was current before,
/// on drop too. Other OpenGL calls in its context belong inside [`Gpu::with_current`].
///
/// A `Gpu` of [`Gpu::from_glow`] adopts the context that is current then, and makes none current. That context must be
/// current on this thread whenever a method of this crate runs. If another one or none is, methods do nothing and
/// return [`Error::NotCurrent`], and dropped objects stay in the context until it is destroyed. A context that shares
/// objects with it is another one. (The methods look for a mark that this crate left in its context.)
///
/// # The state of the caller's context
///
/// Every call restores the state that it changes: program, vertex array, array buffer, framebuffers, viewport, textures
/// and samplers of units 0 to 15, active unit, pixel storage (in a page also `UNPACK_FLIP_Y_WEBGL` and
/// `UNPACK_PREMULTIPLY_ALPHA_WEBGL`) and pixel buffers, transform feedback object and buffer,
/// storage buffers of numbers 0 to 7, the uniform buffer of number 0, line width, and the switches of the fragment
/// pipeline (scissor, blend, depth, stencil, culling, discard, logic op, polygon mode, line smoothing, point sizes, clip distances, colour mask).
///
/// Not restored: colour masks and blend switches that differ between draw buffers, viewports and scissor switches that
/// differ between viewports (all get the first one's); in OpenGL before 4.0, the indexed bindings of transform
/// feedback. Transform feedback that is active is paused during a call; before 4.0 it must not be. Conditional rendering must
/// not be active, nor a `TIME_ELAPSED` query during timing.
/// Other queries that are active count what this crate draws: OpenGL cannot suspend a query. End an occlusion query
/// before a run.
///
/// An object that has been deleted lives on while it is bound, and cannot be bound again: a program that was deleted while
/// it was current, or an object that another context of the share group has deleted. A call that would have to bind such a
/// one again does nothing and returns [`Error::DeletedObject`]; programs and buffers of captures matter only to
/// [`Self::prepare`] and to runs, pixel buffers not to runs, and of texture units those that a call binds.
/// (A name that was given to a new object since then cannot be told from the old one, and gets the new one bound.)
///
/// If the caller has called `glClipControl` with `GL_UPPER_LEFT`, plans that place vertices are refused; if
/// `glClampColor` clamps reads, so is readback of floats ([`Error::CallersState`]).
///
/// An error that the caller left pending in `glGetError` fails no call, unless memory ran out: a call that asks for errors of its
/// own takes it before, and [`Gpu::check_error`] returns it. (Runs do not ask: an error that one leaves cannot be told from the
/// caller's. In a page uploads do not ask either.)
///
/// # A context that is lost
///
/// A device that is reset loses its contexts, and a device that hangs stops answering. Calls that wait do so for a
/// limited time ([`Gpu::set_patience`]). In both cases the call returns [`Error::ContextLost`], as do all later calls
/// on this `Gpu`; a new one can be made: in a page after `webglcontextrestored`, of the same context.
#[derive(Clone)]
pub struct Gpu(pub(super) Rc<Context>);

pub(super) struct Context {
    /// Dropped while the context is current: functions with a debug callback end it in the current context.
    pub gl: ManuallyDrop<GlFunctions>,
    /// The device as it was detected.
    pub device: Device,
    /// Collected debug messages.
    pub debug: DebugLog,
    owner: Owner,
    /// True while calls are made together, before which the caller's state was saved.
    is_saved: Cell<bool>,
    /// True while a caller may call the functions of this crate's own context.
    is_lent: Cell<bool>,
    /// The reason, if the context was lost.
    lost: RefCell<Option<String>>,
    /// The longest time that a call waits for the device; `None` waits forever.
    patience: Cell<Option<Duration>>,
    /// How numbers are uploaded and read back, and the memory for it in each direction: nothing until it is first needed,
    /// and then `None` where the driver has no memory that stays mapped.
    transfers: Cell<Transfers>,
    pieces: [OnceCell<Option<RefCell<Pieces>>>; 2],
    /// Memory for long buffers, where it is faster than ordinary memory, and whether it is used.
    sparse: Option<Sparse>,
    wide: Wide,
    long_buffers: Cell<LongBuffers>,
    /// Invocations that run each instruction together, once that is tested.
    lockstep: OnceCell<u32>,
    programs: RefCell<HashMap<ProgramKey, Rc<Program>>>,
    /// Where binaries of programs and answers are kept.
    pub program_cache: RefCell<Option<Box<dyn ProgramCache>>>,
    /// Whether the driver gives binaries for it.
    gives_binaries: Cell<bool>,
    /// Questions about the driver, and their answers.
    pub answers: RefCell<HashMap<String, bool>>,
    pub auto_checks: Cell<AutoChecks>,
    /// The constructs that were tried, and whether they hold.
    pub tried: RefCell<HashMap<Construct, bool>>,
    /// Formats of textures, and whether OpenGL ES reads them back without channels that they lack.
    pub read_as_they_are: RefCell<HashMap<TexelFormat, bool>>,
    on_compile: RefCell<Option<Observer>>,
    on_transfer: RefCell<Option<TransferObserver>>,
    /// A vertex array without attributes, for full-screen draws.
    pub empty_vertex_array: glow::VertexArray,
    /// Holds the bindings of captures, where such objects exist: OpenGL 4.0 and ES 3.0.
    pub feedback: Option<glow::TransformFeedback>,
    /// The target of draws that draw nothing.
    pub empty_target: EmptyTarget,
    /// How textures are read: without filters and levels, whatever a caller's texture says.
    pub nearest: glow::Sampler,
    /// The numbers of runs, once a shader asks for its own.
    runs: OnceCell<glow::Buffer>,
}

/// A framebuffer of one texel, for draws that draw nothing.
pub(super) struct EmptyTarget {
    /// The framebuffer; the renderbuffer is its only attachment.
    pub framebuffer: glow::Framebuffer,
    renderbuffer: glow::Renderbuffer,
}

/// The owner of the context.
pub(super) enum Owner {
    /// The caller keeps it current, and gets its state back after every call. The mark identifies it.
    Caller(Mark),
    #[cfg(feature = "headless")]
    Us(super::headless::OwnedContext),
}

/// Keeps a context current until dropped, then restores what was current before.
#[must_use]
pub(super) struct Current {
    #[cfg(feature = "headless")]
    _before: Option<super::headless::Before>,
}

/// Calls that are made together, until dropped; and whether some were before.
struct Together<'a>(&'a Cell<bool>, bool);

impl Drop for Together<'_> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

/// A context whose functions the caller may call until this is dropped; and whether it could before.
struct Lent<'a>(&'a Context, bool);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.0.is_lent.set(self.1);
        self.0.gl.forget_program();
    }
}

/// A function that is called when a compilation begins and ends.
type Observer = Box<dyn Fn(Option<&str>)>;

/// A function that is told how far a transfer is.
type TransferObserver = Box<dyn Fn(Transfer)>;

/// The time after which a call stops waiting for a GPU, unless [`Gpu::set_patience`] changes it. Drivers with a
/// watchdog reset a device after 2 to 10 seconds; the longest run measured takes half a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// The bytes from one number to the next: no device needs more between the parts of a buffer that it binds for uniforms.
pub(super) const RUN_BYTES: u32 = 256;

/// Programs of edited texts that are kept.
const MOST_EDITED: usize = 64;

/// The longest single wait; after it the device is asked whether it was reset.
const SLICE: Duration = Duration::from_millis(500);

impl Gpu {
    /// Uses the context that is current on this thread, at least OpenGL 3.3 or ES 3.0. `gl` has its functions, in an
    /// `Rc` or an `Arc`.
    ///
    /// Errors: [`Error::NoContext`] if no context is current, [`Error::Unsupported`] for an older context,
    /// [`Error::DeletedObject`], [`Error::Gl`].
    ///
    /// # Safety
    ///
    /// `gl` must have been loaded for the context that is current, or for one of the same driver and version.
    pub unsafe fn from_glow(gl: impl Into<GlFunctions>) -> Result<Gpu, Error> {
        let gl = gl.into();
        gl.forget_program();
        // Known since the functions were loaded; the calls below need functions of that version.
        capabilities::check_version(&gl)?;
        if !gl.has_context() {
            return Err(Error::NoContext);
        }
        let mut device = capabilities::detect(&gl, false, None)?;
        // Before OpenGL 4.5, glow reads queries by the names of an extension, unless its loader tells it otherwise, as
        // ours does.
        device.timer_queries &= device.version >= (4, 5);
        gl.set_aside_errors()?;
        // Before the mark, whose buffer may get the name of one that was deleted while it is bound.
        let guard = StateGuard::save(&gl, &device, Effects::Both)?;
        // SAFETY: by the caller's promise.
        let mark = unsafe { Mark::leave(&gl) }.ok_or(Error::NoContext)?;
        let gpu = Gpu::new(gl.clone(), device, DebugLog::none(), Owner::Caller(mark))?;
        drop(guard);
        Ok(gpu)
    }

    /// Uses the context that is current on this thread, whoever made it: [`Self::from_glow`], with functions from EGL, GLX, WGL or
    /// CGL.
    ///
    /// Errors: as [`Self::from_glow`].
    #[cfg(all(feature = "headless", not(target_family = "wasm")))]
    pub fn current() -> Result<Gpu, Error> {
        let functions = super::headless::current::load().ok_or(Error::NoContext)?;
        // SAFETY: the functions were found for the context that is current.
        unsafe { Gpu::from_glow(Rc::new(functions)) }
    }

    /// A context without a window on the best device: as `RASTERSCAN_DEVICE` and `RASTERSCAN_API` say, else hardware
    /// before software, desktop OpenGL before ES.
    ///
    /// Through EGL: one of its devices, or its default display if it lists none that works. On Windows WGL, on macOS CGL, in a
    /// browser a canvas.
    ///
    /// Errors: [`Error::NoDevice`] if there is no usable device.
    #[cfg(feature = "headless")]
    pub fn headless() -> Result<Gpu, Error> {
        Gpu::headless_with(&super::HeadlessOptions::from_env()?)
    }

    /// A context without a window, with a choice of device and API.
    #[cfg(feature = "headless")]
    pub fn headless_with(options: &super::HeadlessOptions) -> Result<Gpu, Error> {
        let super::headless::Created { gl, before, context, debug, software } =
            super::headless::create(options)?;
        let device = capabilities::detect(&gl, software, options.newest)?;
        let gpu = Gpu::new(gl, device, debug, Owner::Us(context))?;
        drop(before);
        Ok(gpu)
    }

    /// The number of devices, working or not: [`super::DeviceChoice::Index`] counts them from 0. Windows, macOS, browsers,
    /// and an EGL that lists none, choose the device themselves and have one.
    ///
    /// Errors: [`Error::NoDevice`] if EGL, where devices are EGL's, is missing, or lists none and has no default display.
    #[cfg(feature = "headless")]
    pub fn device_count() -> Result<usize, Error> {
        super::headless::device_count()
    }

    /// Changes the state of the context.
    fn new(gl: GlFunctions, mut device: Device, debug: DebugLog, owner: Owner) -> Result<Gpu, Error> {
        let failed = |what| Error::Gl { during: "setting up", what };
        // SAFETY: the context is current: just made so, or by the contract of `from_glow`.
        let (empty_vertex_array, feedback, empty_target, nearest) = unsafe {
            (
                gl.create_vertex_array().map_err(failed)?,
                match device.has_feedback_objects() {
                    true => Some(gl.create_transform_feedback().map_err(failed)?),
                    false => None,
                },
                EmptyTarget::new(&gl)?,
                nearest(&gl).map_err(failed)?,
            )
        };
        let painter = selftest::Painter::new(&gl, device.api, empty_vertex_array)?;
        device.exact_lines = lines::are_exact(&painter)?;
        device.exact_vertices = selftest::exact_vertices(&painter)?;
        drop(painter);
        device.float_targets &= selftest::float_targets(&gl, device.api)?;
        device.max_texture_bytes = capabilities::most_bytes(&gl, &device);
        if let Some(compute) = &mut device.compute {
            lanes::keep_what_works(&gl, device.api, compute)?;
        }
        let (sparse, wide) = match &owner {
            // The caller's loader is not known.
            Owner::Caller(_) => (None, Wide::default()),
            #[cfg(feature = "headless")]
            Owner::Us(context) => {
                let find = |name: &std::ffi::CStr| context.function(name);
                (Sparse::find(&gl, &device, find), Wide::find(find))
            }
        };
        if let Some(compute) = &mut device.compute {
            compute.max_buffer = wide.longest(device.software);
        }
        Ok(Gpu(Rc::new(Context {
            sparse,
            wide,
            long_buffers: Cell::new(LongBuffers::Sparse),
            gl: ManuallyDrop::new(gl),
            transfers: Cell::new(if device.software { Transfers::Direct } else { Transfers::Pieces }),
            pieces: Default::default(),
            lockstep: OnceCell::new(),
            patience: Cell::new((!device.software && !cfg!(target_family = "wasm")).then_some(PATIENCE)),
            device,
            debug,
            owner,
            is_saved: Cell::default(),
            is_lent: Cell::default(),
            lost: RefCell::default(),
            programs: RefCell::default(),
            program_cache: RefCell::default(),
            gives_binaries: Cell::default(),
            answers: RefCell::default(),
            auto_checks: Cell::default(),
            tried: RefCell::default(),
            read_as_they_are: RefCell::default(),
            on_compile: RefCell::default(),
            on_transfer: RefCell::default(),
            empty_vertex_array,
            feedback,
            empty_target,
            nearest,
            runs: OnceCell::new(),
        })))
    }

    /// The same `Gpu` with measurements of this device, which [`Self::device`] then gives to every plan.
    ///
    /// Must be called before this is cloned or used: a clone, and anything prepared or uploaded, would know another
    /// device.
    ///
    /// Errors: [`Error::InUse`] if it is too late.
    pub fn with_tuning(mut self, tuning: Tuning) -> Result<Gpu, Error> {
        let context = Rc::get_mut(&mut self.0).ok_or(Error::InUse)?;
        context.device.tuning = tuning;
        Ok(self)
    }

    /// The capabilities of the context.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// A second copy of the functions of a context of [`Gpu::headless`], for code that must own them, such as a
    /// painter. They work while the context is current ([`Self::with_current`]) and a clone of this `Gpu` is alive.
    /// `None` in a caller's context: the caller can load them again.
    ///
    /// Errors: [`Error::ContextLost`], [`Error::Gl`].
    #[cfg(feature = "headless")]
    pub fn load_glow(&self) -> Result<Option<glow::Context>, Error> {
        let _current = self.make_current()?;
        Ok(match &self.0.owner {
            Owner::Caller(_) => None,
            Owner::Us(context) => Some(context.load()),
        })
    }

    /// The functions of the context, for a caller that draws with the results. In this crate's own context, call it
    /// within [`Self::with_current`].
    pub fn glow(&self) -> &glow::Context {
        &self.0.gl
    }

    /// Runs `work` with the context current. Calls on this `Gpu` from within do not switch contexts, which makes many
    /// short ones cheaper.
    ///
    /// Errors: [`Error::NotCurrent`], [`Error::ContextLost`], [`Error::Gl`].
    pub fn with_current<R>(&self, work: impl FnOnce(&glow::Context) -> R) -> Result<R, Error> {
        let _current = self.make_current()?;
        let _lent = Lent(&self.0, self.0.is_lent.replace(true));
        Ok(work(&self.0.gl))
    }

    /// Calls `observer` with a shader's name whenever a program's compilation begins, and with `None` when it ends. A
    /// compilation can take seconds. The observer must not call this `Gpu`.
    pub fn on_compile(&self, observer: impl Fn(Option<&str>) + 'static) {
        *self.0.on_compile.borrow_mut() = Some(Box::new(observer));
    }

    /// Calls `observer` whenever a part of an upload or a readback is done: after each piece of it, or, where transfers are
    /// direct, when it begins and after every 64 MB. A texture of several planes is as many transfers. The observer must not call
    /// this `Gpu`.
    pub fn on_transfer(&self, observer: impl Fn(Transfer) + 'static) {
        *self.0.on_transfer.borrow_mut() = Some(Box::new(observer));
    }

    /// Tells the observer of a transfer how far it is.
    pub(super) fn report(&self, kind: TransferKind, bytes: usize, of: usize) {
        if let Some(observer) = &*self.0.on_transfer.borrow() {
            observer(Transfer { kind, bytes, of });
        }
    }

    /// Does a direct transfer of `of` bytes in steps of whole rows of `row` bytes, and reports each.
    pub(super) fn in_steps(
        &self,
        kind: TransferKind,
        of: usize,
        row: usize,
        mut transfer: impl FnMut(Range<usize>),
    ) {
        const STEP: usize = 64 << 20;
        self.report(kind, 0, of);
        let step = (STEP / row).max(1) * row;
        for first in (0..of).step_by(step) {
            let end = of.min(first + step);
            transfer(first..end);
            self.report(kind, end, of);
        }
    }

    /// Keeps the binaries of programs that are compiled from now on, and takes them from there: a new process then starts
    /// without compiling. Also keeps what was found out about the driver, some bytes: whether it passes the trial of
    /// compute shaders, and the checks of `auto` ([`Self::set_auto_checks`]). There are no binaries below OpenGL 4.1 and ES
    /// 3.0, in pages, and of some drivers.
    ///
    /// Errors: [`Error::NotCurrent`], [`Error::ContextLost`], [`Error::Gl`].
    pub fn set_program_cache(&self, cache: impl ProgramCache + 'static) -> Result<(), Error> {
        let _current = self.make_current()?;
        self.0.gives_binaries.set(binaries::has_binaries(&self.0.gl, &self.0.device));
        *self.0.program_cache.borrow_mut() = Some(Box::new(cache));
        Ok(())
    }

    /// Sets how long a call waits for the device before it returns [`Error::ContextLost`]; `None` waits forever. The
    /// default is 60 seconds on hardware, and `None` on software renderers, which may take that long.
    pub fn set_patience(&self, patience: Option<Duration>) {
        self.0.patience.set(patience);
    }

    /// Sets how numbers are uploaded and read back. The default is in pieces on hardware, and direct on software renderers,
    /// whose memory is the CPU's own. Pieces need OpenGL 4.4; without it, transfers are direct.
    pub fn set_transfers(&self, transfers: Transfers) {
        self.0.transfers.set(transfers);
    }

    /// Sets how buffers of 256 MB to 2 GB are made from now on; longer ones are ordinary. The default is
    /// [`LongBuffers::Sparse`], for streams that are used again and again: on an H200 a copy of 2^28 words takes 0.52 ms
    /// instead of 0.99, but the buffers some 2 seconds to make instead of 0.4. For a single run, ordinary ones are better.
    pub fn set_long_buffers(&self, made: LongBuffers) {
        self.0.long_buffers.set(made);
    }

    /// The calls of the context, with those that take sizes and offsets of buffers.
    pub(super) fn calls(&self) -> Calls<'_> {
        Calls { gl: &self.0.gl, wide: self.0.wide }
    }

    /// Sparse memory, if long buffers are to have it.
    pub(super) fn sparse(&self) -> Option<Sparse> {
        self.0.sparse.filter(|_| self.0.long_buffers.get() == LongBuffers::Sparse)
    }

    /// The buffer of runs' numbers, of which a dispatch binds its own. To bind another part of a buffer costs an H200 nothing, to set a
    /// uniform to another value 0.6 microseconds. The context must be current.
    ///
    /// Errors: [`Error::Gl`].
    pub(super) fn run_numbers(&self) -> Result<glow::Buffer, Error> {
        if let Some(runs) = self.0.runs.get() {
            return Ok(*runs);
        }
        self.0.gl.check_earlier()?;
        let mut numbers = vec![0u32; (Dispatch::MOST_RUNS * RUN_BYTES / 4) as usize];
        numbers.chunks_mut(RUN_BYTES as usize / 4).zip(0..).for_each(|(words, run)| words[0] = run);
        // SAFETY: the context is current.
        let runs = unsafe {
            let runs = self.0.gl.create_buffer();
            let runs = runs.map_err(|what| Error::Gl { during: "numbering runs", what })?;
            self.0.gl.bind_buffer(glow::ARRAY_BUFFER, Some(runs));
            let bytes = bytemuck::cast_slice(&numbers);
            self.0.gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, glow::STATIC_DRAW);
            runs
        };
        texture::check_error(&self.0.gl, "numbering runs")?;
        Ok(*self.0.runs.get_or_init(|| runs))
    }

    /// Invocations that run each instruction together; 0 if that is not known. The first call tests it. The context must be
    /// current, and its state saved.
    pub(super) fn lockstep(&self) -> u32 {
        let test = || lanes::lockstep(&self.0.gl, self.0.device.api, &self.0.device.renderer);
        *self.0.lockstep.get_or_init(|| test().unwrap_or(0))
    }

    /// Does a transfer in pieces; `None` if transfers are direct. The context must be current.
    pub(super) fn in_pieces<R>(
        &self,
        kind: TransferKind,
        transfer: impl FnOnce(&mut Pieces) -> R,
    ) -> Option<R> {
        if self.0.transfers.get() == Transfers::Direct {
            return None;
        }
        let pieces = &self.0.pieces[kind as usize];
        let pieces = pieces.get_or_init(|| Pieces::new(&self.0.gl, kind).map(RefCell::new)).as_ref()?;
        Some(transfer(&mut pieces.borrow_mut()))
    }

    /// Compiles the plan's programs and allocates its textures and framebuffers, once.
    ///
    /// Errors: [`Error::Plan`], [`Error::Shader`], [`Error::Include`], [`Error::Unsupported`] if a texture is too large
    /// for the device, [`Error::Gl`] if memory runs out.
    pub fn prepare(&self, plan: &Plan) -> Result<Prepared, Error> {
        plan.check()?;
        self.enter("preparing a plan", Effects::Both, || Prepared::new(self, plan))
    }

    /// Compiles the program of one pass ahead of [`Self::prepare`], for work in pieces.
    pub(crate) fn compile_pass(&self, plan: &Plan, number: usize) -> Result<(), Error> {
        let pass = &plan.passes()[number];
        let compile = || super::pass::PreparedPass::compile(self, plan, pass);
        self.enter("preparing a plan", Effects::Both, compile)
    }

    /// Uploads numbers as a stream in the given layout. The upload is the only copy.
    ///
    /// Errors: [`Error::Length`], [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn upload<T: Element>(&self, layout: &Layout, data: &[T]) -> Result<Stream, Error> {
        self.enter("uploading a stream", Effects::Transfers, || Stream::upload(self, layout, data))
    }

    /// A stream in a buffer of the caller's, laid out as [`Layout::buffer`] or [`Layout::in_buffer`] says: bits of the
    /// elements, one after the other from byte 0. Nothing is copied, and the stream never deletes the buffer.
    ///
    /// Errors: [`Error::Gl`] if there is no such buffer in this context, or it is too small: it must hold a multiple of
    /// four words.
    ///
    /// # Safety
    ///
    /// The buffer must belong to this context, or to one that shares objects with it, and must not be deleted or made
    /// smaller while the stream or a clone of it is used.
    pub unsafe fn wrap_buffer(&self, buffer: glow::Buffer, layout: &Layout) -> Result<Stream, Error> {
        self.wrap(Wrapped::Buffer(buffer), layout, Storage::Buffer)
    }

    /// A stream in a 2-D texture of the caller's: level 0, of 32-bit channels as [`Layout::format`] says. Its texels are
    /// read without filters, whatever its own parameters are. Nothing is copied, and the stream never deletes the texture.
    ///
    /// A texture of any width and height has [`Layout::texture`]. For a plan that needs another layout, or a rectangle of
    /// the texture, [`Plan::for_inputs`] adds a pass that moves it.
    ///
    /// Errors: [`Error::Gl`] if there is no such texture in this context, or it has another size or format.
    ///
    /// # Safety
    ///
    /// As for [`Self::wrap_buffer`].
    pub unsafe fn wrap_texture(&self, texture: glow::Texture, layout: &Layout) -> Result<Stream, Error> {
        self.wrap(Wrapped::Texture(texture, TextureOwner::Caller, Wanted::Layout), layout, Storage::Texture)
    }

    /// A stream of floats in a 2-D texture of the caller's whose texels are normalised integers or floats of any width, such as
    /// `RGBA8`, `R8`, `R16F` or `RGBA16F`: level 0, in a [`Layout::pixels`] of f32, of as many channels as the texture has or
    /// fewer. It is an input for [`Plan::for_channel`], and can be neither read back nor written.
    ///
    /// Errors: as [`Self::wrap_texture`].
    ///
    /// # Safety
    ///
    /// As for [`Self::wrap_buffer`].
    pub unsafe fn wrap_pixels(&self, texture: glow::Texture, layout: &Layout) -> Result<Stream, Error> {
        self.wrap(Wrapped::Texture(texture, TextureOwner::Caller, Wanted::Floats), layout, Storage::Texture)
    }

    pub(super) fn wrap(&self, object: Wrapped, layout: &Layout, storage: Storage) -> Result<Stream, Error> {
        if layout.storage != storage {
            let (got, expected) = (Box::new(*layout), Box::new(Layout { storage, ..*layout }));
            return Err(Error::LayoutMismatch { got, expected });
        }
        self.enter("wrapping a stream", Effects::Transfers, || Stream::wrap(self, object, layout))
    }

    /// Runs `work`, whose calls on this `Gpu` ask for the caller's state and restore it once, all together. It must not call OpenGL
    /// itself: it would find another state. In a context of this crate's own it only keeps the context current.
    ///
    /// Errors: [`Error::NotCurrent`], [`Error::ContextLost`], [`Error::DeletedObject`], [`Error::Gl`].
    pub fn together<R>(&self, work: impl FnOnce() -> R) -> Result<R, Error> {
        self.enter("several calls", Effects::Both, || {
            let _outer = Together(&self.0.is_saved, self.0.is_saved.replace(true));
            Ok(work())
        })
    }

    /// Runs `work` with the context current, its state saved, and its debug messages collected.
    pub(super) fn enter<R>(
        &self,
        during: &'static str,
        effects: Effects,
        work: impl FnOnce() -> Result<R, Error>,
    ) -> Result<R, Error> {
        let _current = self.make_current().map_err(|error| error.in_call(during))?;
        let save = || StateGuard::save(&self.0.gl, &self.0.device, effects);
        let noted = |error| self.0.note_loss(error).in_call(during);
        // A run must not wait, and in a page the question waits.
        let asks = !matches!(effects, Effects::Draws(_)) && !cfg!(target_family = "wasm");
        if self.is_callers() && asks {
            self.0.gl.set_aside_errors().map_err(noted)?;
        }
        if self.is_callers() || self.0.is_lent.get() {
            self.0.gl.forget_program();
        }
        let saves = self.is_callers() && !self.0.is_saved.get();
        let guard = saves.then(save).transpose().map_err(noted)?;
        let result = work();
        drop(guard);
        // An error says more than the driver's messages about it.
        let complaints = self.0.debug.check(during);
        let value = result.map_err(noted)?;
        complaints?;
        Ok(value)
    }

    /// Returns true if the context is the caller's, which gets its state back after every call.
    pub(super) fn is_callers(&self) -> bool {
        matches!(self.0.owner, Owner::Caller(_))
    }

    pub(super) fn make_current(&self) -> Result<Current, Error> {
        self.0.make_current()
    }

    /// Waits until everything issued has been done.
    ///
    /// Errors: [`Error::NotCurrent`], [`Error::ContextLost`]; [`Error::Gl`] if an earlier run failed.
    pub fn finish(&self) -> Result<(), Error> {
        self.enter("finishing", Effects::Transfers, || self.wait("finishing"))
    }

    /// Waits until everything issued is done, within the patience set. The context must be current.
    pub(super) fn wait(&self, during: &'static str) -> Result<(), Error> {
        if self.0.patience.get().is_none() {
            // SAFETY: the context is current.
            unsafe { self.0.empty_target.finish(&self.0.gl) };
        } else {
            // SAFETY: the context is current.
            let fence = unsafe { self.0.gl.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0) };
            self.wait_for(fence.map_err(|what| Error::Gl { during, what })?, during)?;
        }
        // Without it a device that did nothing would be one that was done at once.
        self.0.gl.check_earlier()
    }

    /// Waits for a fence, within the patience set, and deletes it. The context must be current.
    pub(super) fn wait_for(&self, fence: glow::Fence, during: &'static str) -> Result<(), Error> {
        let gl: &glow::Context = &self.0.gl;
        let patience = self.0.patience.get();
        let failed = |what| Error::Gl { during, what };
        let lost = |reason| Error::ContextLost { during, reason };
        let start = Instant::now();
        // SAFETY: the context is current, and the fence is ours.
        unsafe {
            let result = loop {
                let left = patience.map_or(SLICE, |patience| patience.saturating_sub(start.elapsed()));
                let slice = left.min(SLICE).as_nanos() as i32;
                match gl.client_wait_sync(fence, glow::SYNC_FLUSH_COMMANDS_BIT, slice) {
                    glow::ALREADY_SIGNALED | glow::CONDITION_SATISFIED => break Ok(()),
                    glow::TIMEOUT_EXPIRED if !left.is_zero() => {}
                    glow::TIMEOUT_EXPIRED => {
                        let waited = patience.unwrap_or_default().as_secs_f64();
                        break Err(lost(format!("the device has not answered for {waited} s")));
                    }
                    _ => {
                        let known = texture::check_error(gl, during);
                        break known.and(Err(failed("waiting for the device failed".into())));
                    }
                }
                if let Some(reason) = self.0.reset() {
                    break Err(lost(reason.into()));
                }
            };
            gl.delete_sync(fence);
            result
        }
    }

    /// Waits as [`Self::wait`] does before a call that blocks by itself, without a limit.
    pub(super) fn wait_if_bounded(&self, during: &'static str) -> Result<(), Error> {
        if self.0.patience.get().is_some() { self.wait(during) } else { Ok(()) }
    }

    /// The program of a key: compiled now, unless it is known.
    pub(super) fn program(&self, key: ProgramKey) -> Result<Rc<Program>, Error> {
        let known = self.0.programs.borrow().get(&key).map(Rc::clone);
        match known {
            Some(program) => Ok(program),
            None => {
                let started = Started::new(&self.0.gl, &key, self.0.kept(&self.0.program_cache.borrow()))?;
                self.finish_program(key, started)
            }
        }
    }

    /// Compiles the programs of these keys, several at a time where the driver does that.
    pub(super) fn compile_all(&self, keys: impl Iterator<Item = ProgramKey>) -> Result<(), Error> {
        let mut result = Ok(());
        for (key, started) in self.start_all(keys)? {
            result = match result {
                Ok(()) => self.finish_program(key, started).map(drop),
                Err(error) => {
                    // SAFETY: the context is current.
                    unsafe { started.discard(&self.0.gl) };
                    Err(error)
                }
            };
        }
        result
    }

    /// Starts to compile the programs of these keys that are not known.
    pub(super) fn start_all(
        &self,
        keys: impl Iterator<Item = ProgramKey>,
    ) -> Result<Vec<(ProgramKey, Started)>, Error> {
        let mut all: Vec<(ProgramKey, Started)> = Vec::new();
        for key in keys {
            let known = self.0.programs.borrow().contains_key(&key);
            if known || all.iter().any(|(started, _)| *started == key) {
                continue;
            }
            match Started::new(&self.0.gl, &key, self.0.kept(&self.0.program_cache.borrow())) {
                Ok(started) => all.push((key, started)),
                Err(error) => {
                    // SAFETY: the context is current.
                    all.into_iter().for_each(|(_, started)| unsafe { started.discard(&self.0.gl) });
                    return Err(error);
                }
            }
        }
        Ok(all)
    }

    /// Returns true if the driver tells when a program is compiled.
    pub(super) fn tells_completion(&self) -> bool {
        let names = [
            "KHR_parallel_shader_compile",
            "GL_KHR_parallel_shader_compile",
            "GL_ARB_parallel_shader_compile",
        ];
        names.iter().any(|name| self.0.gl.supported_extensions().contains(*name))
    }

    /// The program of a key, which replaces no other.
    pub(super) fn finish_program(&self, key: ProgramKey, started: Started) -> Result<Rc<Program>, Error> {
        if let Some(known) = self.0.programs.borrow().get(&key) {
            // SAFETY: the context is current.
            unsafe { started.discard(&self.0.gl) };
            return Ok(Rc::clone(known));
        }
        let told = |name: Option<&str>| {
            if let Some(observer) = &*self.0.on_compile.borrow() {
                observer(name);
            }
        };
        told(Some(&key.name()));
        let program = started.finish(&self.0.gl, &key, self.0.kept(&self.0.program_cache.borrow()));
        told(None);
        let program = Rc::new(program?);
        let mut programs = self.0.programs.borrow_mut();
        if key.is_edited() {
            self.0.drop_edited(&mut programs);
        }
        programs.insert(key, Rc::clone(&program));
        Ok(program)
    }

    /// Takes the first pending OpenGL error, after the caller's own calls within [`Self::with_current`]. `during` names
    /// those calls. An error that another call has taken comes first.
    ///
    /// Errors: [`Error::Gl`], [`Error::ContextLost`].
    pub fn check_error(&self, during: &'static str) -> Result<(), Error> {
        match self.0.gl.unread.take() {
            glow::NO_ERROR => texture::check_error(&self.0.gl, during),
            error => Err(texture::named(error, texture::CALLERS)),
        }
    }

    pub(super) fn same_context(&self, other: &Gpu) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Context {
    /// The programs that are kept for this device.
    fn kept<'a>(&'a self, cache: &'a Option<Box<dyn ProgramCache>>) -> Option<Kept<'a>> {
        let cache = cache.as_deref().filter(|_| self.gives_binaries.get())?;
        Some(Kept { cache, device: &self.device })
    }

    /// Deletes the programs of edited texts that nothing uses, once there are many: every change of a text makes some.
    fn drop_edited(&self, programs: &mut HashMap<ProgramKey, Rc<Program>>) {
        if programs.keys().filter(|key| key.is_edited()).count() < MOST_EDITED {
            return;
        }
        programs.retain(|key, program| {
            let kept = !key.is_edited() || Rc::strong_count(program) > 1;
            if !kept {
                // SAFETY: the context is current, and the program is its own and in no plan.
                unsafe { program::delete(&self.gl, program.id) };
            }
            kept
        });
    }
}

/// A sampler that reads texels as they are.
///
/// # Safety
///
/// The context must be current.
unsafe fn nearest(gl: &glow::Context) -> Result<glow::Sampler, String> {
    // SAFETY: by the caller's promise.
    unsafe {
        let sampler = gl.create_sampler()?;
        for name in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
            gl.sampler_parameter_i32(sampler, name, glow::NEAREST as i32);
        }
        Ok(sampler)
    }
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gpu({})", self.0.device)
    }
}

impl EmptyTarget {
    /// # Safety
    ///
    /// The context must be current. Its framebuffer and renderbuffer bindings change.
    unsafe fn new(gl: &GlFunctions) -> Result<EmptyTarget, Error> {
        let failed = |what| Error::Gl { during: "setting up", what };
        // SAFETY: by the caller's promise.
        unsafe {
            let bound = bound::renderbuffer(gl, glow::RENDERBUFFER_BINDING)?;
            let renderbuffer = gl.create_renderbuffer().map_err(failed)?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(renderbuffer));
            gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, 1, 1);
            bound::bind_renderbuffer(gl, glow::RENDERBUFFER, &bound);
            let framebuffer = gl.create_framebuffer().map_err(failed)?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            gl.framebuffer_renderbuffer(
                glow::FRAMEBUFFER,
                glow::COLOR_ATTACHMENT0,
                glow::RENDERBUFFER,
                Some(renderbuffer),
            );
            Ok(EmptyTarget { framebuffer, renderbuffer })
        }
    }

    /// Waits until everything issued is done.
    ///
    /// # Safety
    ///
    /// The context must be current. In a page, state of transfers changes.
    unsafe fn finish(&self, gl: &GlFunctions) {
        // SAFETY: by the caller's promise; the slice holds the pixel.
        unsafe {
            if cfg!(target_family = "wasm") {
                // There `finish` only sends the commands; reading a pixel waits for them.
                state::set_for_transfer(gl, Api::Gles);
                gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.framebuffer));
                let mut pixel = [0; 4];
                let data = glow::PixelPackData::Slice(Some(&mut pixel));
                gl.read_pixels(0, 0, 1, 1, glow::RGBA, glow::UNSIGNED_BYTE, data);
            } else {
                gl.finish();
            }
        }
    }
}

impl Context {
    /// Makes the context current, and tells whether the caller's is.
    pub fn make_current(&self) -> Result<Current, Error> {
        if let Some(reason) = &*self.lost.borrow() {
            return Err(Error::ContextLost { during: texture::EARLIER, reason: reason.clone() });
        }
        match &self.owner {
            Owner::Caller(mark) => {
                let lost = |reason: &str| {
                    Err(Error::ContextLost { during: texture::EARLIER, reason: reason.into() })
                };
                if let Some(reason) = self.reset() {
                    return lost(reason);
                }
                // SAFETY: by the promise of `from_glow`; a mark may be looked for in any context, and in none.
                if !unsafe { mark.is_here(&self.gl) } {
                    return match cfg!(target_family = "wasm") {
                        true => lost("the browser took the context away and made it again; make another Gpu"),
                        false => Err(Error::NotCurrent),
                    };
                }
                Ok(Current {
                    #[cfg(feature = "headless")]
                    _before: None,
                })
            }
            #[cfg(feature = "headless")]
            Owner::Us(context) => Ok(Current { _before: context.make_current()? }),
        }
    }

    /// The reason for a reset of the device, if there was one. The context must be current.
    fn reset(&self) -> Option<&'static str> {
        match &self.owner {
            #[cfg(target_family = "wasm")]
            Owner::Caller(_) => super::page::lost(self.gl.page()),
            #[cfg(not(target_family = "wasm"))]
            Owner::Caller(_) => None,
            #[cfg(feature = "headless")]
            Owner::Us(context) => context.reset(),
        }
    }

    /// Notes the loss of the context, if the error is one.
    fn note_loss(&self, error: Error) -> Error {
        match error {
            Error::ContextLost { during, mut reason } => {
                if let Some(known) = self.reset() {
                    reason = known.into();
                }
                *self.lost.borrow_mut() = Some(reason.clone());
                Error::ContextLost { during, reason }
            }
            other => other,
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let Ok(_current) = self.make_current() else {
            #[cfg(feature = "headless")]
            if let Owner::Us(context) = &self.owner {
                context.give_up();
            }
            return;
        };
        // SAFETY: the context is current; the objects are ours, and neither they nor the functions are used any more.
        unsafe {
            for program in self.programs.borrow().values() {
                program::delete(&self.gl, program.id);
            }
            self.gl.delete_vertex_array(self.empty_vertex_array);
            self.feedback.iter().for_each(|feedback| self.gl.delete_transform_feedback(*feedback));
            self.runs.get().into_iter().for_each(|runs| self.gl.delete_buffer(*runs));
            self.gl.delete_framebuffer(self.empty_target.framebuffer);
            self.gl.delete_renderbuffer(self.empty_target.renderbuffer);
            match &self.owner {
                Owner::Caller(mark) => mark.remove(&self.gl),
                #[cfg(feature = "headless")]
                Owner::Us(_) => {}
            }
            ManuallyDrop::drop(&mut self.gl);
        }
    }
}
