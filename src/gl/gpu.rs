//! A context to run plans on: headless or the caller's own.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use glow::HasContext;

use super::debug::DebugLog;
use super::program::{Program, ProgramKey};
use super::state::StateGuard;
use super::{Prepared, Stream, capabilities, lanes, lines, texture};
use crate::device::Device;
use crate::element::Element;
use crate::error::Error;
use crate::plan::{Layout, Plan};
use crate::tuning::Tuning;

/// An OpenGL context that runs plans. Cheap to clone; bound to its thread.
///
/// # The caller's context
///
/// With [`Gpu::from_glow`] the context must be current on this thread whenever a method of this
/// crate runs or one of its objects is dropped. Every call puts back the state that it changes:
/// program, vertex array, array buffer, framebuffers, viewport, textures and samplers of units 0 to
/// 15, active unit, pixel storage and pixel buffers, transform feedback object and buffer, storage
/// buffers of numbers 0 to 7, line width, and the switches of the fragment pipeline (scissor, blend, depth, stencil, culling,
/// discard, logic op, polygon mode, line smoothing, point sizes, clip distances, colour mask).
///
/// Not restored: colour masks and blend switches that differ between draw buffers, viewports and
/// scissor switches that differ between viewports (all get the first one's); in OpenGL before 4.0,
/// the indexed bindings of transform feedback. Transform feedback and conditional rendering must
/// not be active, nor a `TIME_ELAPSED` query while something is timed. Where the caller has called
/// `glClipControl` with `GL_UPPER_LEFT`, plans that place vertices are refused, and where
/// `glClampColor` clamps what is read, readback of floats ([`Error::CallersState`]). An error that
/// the caller has left pending in `glGetError` is taken and reported as that of earlier work.
#[derive(Clone)]
pub struct Gpu(pub(super) Rc<Context>);

pub(super) struct Context {
    pub gl: Rc<glow::Context>,
    pub device: Device,
    pub debug: DebugLog,
    owner: Owner,
    programs: RefCell<HashMap<ProgramKey, Rc<Program>>>,
    pub empty_vertex_array: glow::VertexArray,
    /// Holds the bindings of captures, where there are such objects: OpenGL 4.0 and ES 3.0.
    pub feedback: Option<glow::TransformFeedback>,
    pub nowhere: Nowhere,
}

/// A framebuffer of one texel, for draws that draw nothing.
pub(super) struct Nowhere {
    pub framebuffer: glow::Framebuffer,
    renderbuffer: glow::Renderbuffer,
}

/// Whose context it is.
pub(super) enum Owner {
    /// The caller keeps it current, and gets its state back after every call.
    Caller,
    #[cfg(feature = "headless")]
    Us(super::headless::OwnedContext),
}

impl Gpu {
    /// Uses the caller's context, which must be OpenGL 3.3 or ES 3.0 at least, and current.
    ///
    /// Errors: [`Error::Unsupported`] for an older context, [`Error::Gl`].
    pub fn from_glow(gl: Rc<glow::Context>) -> Result<Gpu, Error> {
        let mut device = capabilities::detect(&gl)?;
        // Before OpenGL 4.5, glow reads queries by the names of an extension, unless its loader is told
        // otherwise, as ours is.
        device.timer_queries &= device.version >= (4, 5);
        Gpu::new(gl, device, DebugLog::none(), Owner::Caller)
    }

    /// A context without a window on the best device: `RASTERSCAN_DEVICE` and `RASTERSCAN_API` if
    /// they are set, else hardware before software, desktop OpenGL before ES.
    ///
    /// Errors: [`Error::NoDevice`] where there is no EGL or no usable device.
    #[cfg(feature = "headless")]
    pub fn headless() -> Result<Gpu, Error> {
        Gpu::headless_with(&super::HeadlessOptions::from_env()?)
    }

    /// A context without a window, with a choice of device and API.
    #[cfg(feature = "headless")]
    pub fn headless_with(options: &super::HeadlessOptions) -> Result<Gpu, Error> {
        let (owned, gl, debug) = super::headless::create(options)?;
        let device = capabilities::detect(&gl)?;
        Gpu::new(Rc::new(gl), device, debug, Owner::Us(owned))
    }

    /// How many devices EGL knows, working or not: [`super::DeviceChoice::Index`] counts them from 0.
    ///
    /// Errors: [`Error::NoDevice`] where there is no EGL, or it cannot tell.
    #[cfg(feature = "headless")]
    pub fn device_count() -> Result<usize, Error> {
        super::headless::device_count()
    }

    fn new(gl: Rc<glow::Context>, mut device: Device, debug: DebugLog, owner: Owner) -> Result<Gpu, Error> {
        let failed = |what| Error::Gl { during: "setting up", what };
        let foreign = matches!(owner, Owner::Caller);
        let guard = foreign.then(|| StateGuard::save(&gl, &device));
        // SAFETY: the context is current: just made so, or by the contract of `from_glow`.
        let (empty_vertex_array, feedback, nowhere) = unsafe {
            (
                gl.create_vertex_array().map_err(failed)?,
                match device.has_feedback_objects() {
                    true => Some(gl.create_transform_feedback().map_err(failed)?),
                    false => None,
                },
                Nowhere::new(&gl).map_err(failed)?,
            )
        };
        device.exact_lines = lines::are_exact(&gl, device.api, empty_vertex_array)?;
        if let Some(compute) = &mut device.compute {
            lanes::keep_what_works(&gl, device.api, compute)?;
        }
        drop(guard);
        Ok(Gpu(Rc::new(Context {
            gl,
            device,
            debug,
            owner,
            programs: RefCell::default(),
            empty_vertex_array,
            feedback,
            nowhere,
        })))
    }

    /// The same with what was measured on this device, which [`Self::device`] then says to every plan.
    ///
    /// To be called before this is cloned or used: a clone, and what was prepared or uploaded with it, would know
    /// another device.
    ///
    /// Errors: [`Error::InUse`] where it is too late.
    pub fn with_tuning(mut self, tuning: Tuning) -> Result<Gpu, Error> {
        let context = Rc::get_mut(&mut self.0).ok_or(Error::InUse)?;
        context.device.tuning = tuning;
        Ok(self)
    }

    /// What the context can do.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// The functions of the context once more, for somebody who must own them; `None` where the caller made it, who can
    /// load them again.
    #[cfg(feature = "window")]
    pub(super) fn load_again(&self) -> Option<glow::Context> {
        match &self.0.owner {
            Owner::Caller => None,
            Owner::Us(context) => Some(context.load_again()),
        }
    }

    /// The context itself, for a caller who draws with the results. Current only while a method of
    /// this crate has made it so, or the caller has.
    pub fn glow(&self) -> &Rc<glow::Context> {
        &self.0.gl
    }

    /// Compiles the plan's programs and allocates its textures and framebuffers, once.
    ///
    /// Errors: [`Error::Plan`], [`Error::Shader`], [`Error::Include`], [`Error::Unsupported`] where
    /// a texture is too large for the device, [`Error::Gl`] where memory runs out.
    pub fn prepare(&self, plan: &Plan) -> Result<Prepared, Error> {
        plan.check()?;
        self.enter("preparing a plan", || Prepared::new(self, plan))
    }

    /// Makes a stream of numbers in the given layout. Upload is the only copy.
    ///
    /// Errors: [`Error::Length`], [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn upload<T: Element>(&self, layout: &Layout, data: &[T]) -> Result<Stream, Error> {
        self.enter("uploading a stream", || Stream::upload(self, layout, data))
    }

    /// Runs `work` with the context current, its state kept, and its complaints collected.
    pub(super) fn enter<R>(
        &self,
        during: &'static str,
        work: impl FnOnce() -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.make_current()?;
        let foreign = matches!(self.0.owner, Owner::Caller);
        let guard = foreign.then(|| StateGuard::save(&self.0.gl, &self.0.device));
        let result = work();
        drop(guard);
        // What has failed says more of itself than the driver's words about it.
        let complaints = self.0.debug.check(during);
        let value = result?;
        complaints?;
        Ok(value)
    }

    pub(super) fn make_current(&self) -> Result<(), Error> {
        self.0.make_current()
    }

    /// Waits until everything issued has been done.
    pub fn finish(&self) -> Result<(), Error> {
        self.make_current()?;
        // SAFETY: the context is current.
        unsafe { self.0.gl.finish() };
        Ok(())
    }

    pub(super) fn program(&self, key: ProgramKey) -> Result<Rc<Program>, Error> {
        if let Some(program) = self.0.programs.borrow().get(&key) {
            return Ok(Rc::clone(program));
        }
        let program = Rc::new(Program::compile(&self.0.gl, &key)?);
        self.0.programs.borrow_mut().insert(key, Rc::clone(&program));
        Ok(program)
    }

    /// The first error that OpenGL has kept, as ours.
    pub(super) fn check_error(&self, during: &'static str) -> Result<(), Error> {
        texture::check_error(&self.0.gl, during)
    }

    pub(super) fn same_context(&self, other: &Gpu) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Nowhere {
    /// # Safety
    ///
    /// The context must be current. Its framebuffer and renderbuffer bindings change.
    unsafe fn new(gl: &glow::Context) -> Result<Nowhere, String> {
        // SAFETY: by the caller's promise.
        unsafe {
            let renderbuffer = gl.create_renderbuffer()?;
            let bound = gl.get_parameter_renderbuffer(glow::RENDERBUFFER_BINDING);
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(renderbuffer));
            gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, 1, 1);
            gl.bind_renderbuffer(glow::RENDERBUFFER, bound);
            let framebuffer = gl.create_framebuffer()?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            gl.framebuffer_renderbuffer(
                glow::FRAMEBUFFER,
                glow::COLOR_ATTACHMENT0,
                glow::RENDERBUFFER,
                Some(renderbuffer),
            );
            Ok(Nowhere { framebuffer, renderbuffer })
        }
    }
}

impl Context {
    pub fn make_current(&self) -> Result<(), Error> {
        match &self.owner {
            Owner::Caller => Ok(()),
            #[cfg(feature = "headless")]
            Owner::Us(context) => context.make_current(),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.make_current().is_err() {
            return;
        }
        // SAFETY: the context is current; the objects are ours and nothing uses them any more.
        unsafe {
            for program in self.programs.borrow().values() {
                self.gl.delete_program(program.id);
            }
            self.gl.delete_vertex_array(self.empty_vertex_array);
            self.feedback.iter().for_each(|feedback| self.gl.delete_transform_feedback(*feedback));
            self.gl.delete_framebuffer(self.nowhere.framebuffer);
            self.gl.delete_renderbuffer(self.nowhere.renderbuffer);
        }
    }
}
