//! The state of a caller's context that a run changes, and that it restores.

use glow::HasContext;

use super::bound;
use super::functions::GlFunctions;
use crate::device::{Api, Device};
use crate::error::Error;

/// Texture units that any pass may use: as many as every fragment stage has.
pub const UNITS: u32 = 16;

/// Switches that would change what a draw writes; off during a run.
const SWITCHES: [u32; 7] = [
    glow::SCISSOR_TEST,
    glow::BLEND,
    glow::DEPTH_TEST,
    glow::STENCIL_TEST,
    glow::CULL_FACE,
    glow::RASTERIZER_DISCARD,
    glow::SAMPLE_ALPHA_TO_COVERAGE,
];

/// The same, for desktop OpenGL only. Every context has at least eight clip distances.
const DESKTOP_SWITCHES: [u32; 10] = [
    glow::COLOR_LOGIC_OP,
    glow::LINE_SMOOTH,
    glow::CLIP_DISTANCE0,
    glow::CLIP_DISTANCE1,
    glow::CLIP_DISTANCE2,
    glow::CLIP_DISTANCE3,
    glow::CLIP_DISTANCE4,
    glow::CLIP_DISTANCE5,
    glow::CLIP_DISTANCE6,
    glow::CLIP_DISTANCE7,
];

/// Pixel storage modes and the values that transfers use.
const PIXEL_STORE: [(u32, i32); 10] = [
    (glow::UNPACK_ALIGNMENT, 4),
    (glow::UNPACK_ROW_LENGTH, 0),
    (glow::UNPACK_IMAGE_HEIGHT, 0),
    (glow::UNPACK_SKIP_IMAGES, 0),
    (glow::UNPACK_SKIP_ROWS, 0),
    (glow::UNPACK_SKIP_PIXELS, 0),
    (glow::PACK_ALIGNMENT, 4),
    (glow::PACK_ROW_LENGTH, 0),
    (glow::PACK_SKIP_ROWS, 0),
    (glow::PACK_SKIP_PIXELS, 0),
];

const DESKTOP_PIXEL_STORE: [(u32, i32); 2] = [(glow::UNPACK_SWAP_BYTES, 0), (glow::PACK_SWAP_BYTES, 0)];

/// WebGL's own, which change what is uploaded: rows upside down, and colours times alpha. glow does not name them.
const PAGE_PIXEL_STORE: [(u32, i32); 2] = [(0x9240, 0), (0x9241, 0)];

/// Modes at most.
const MODES: usize = PIXEL_STORE.len() + DESKTOP_PIXEL_STORE.len();

fn switches(api: Api) -> impl Iterator<Item = u32> {
    let desktop: &[u32] = if api == Api::Gl { &DESKTOP_SWITCHES } else { &[] };
    SWITCHES.iter().chain(desktop).copied()
}

fn pixel_store(api: Api) -> impl Iterator<Item = (u32, i32)> {
    let own: &[(u32, i32)] = match api {
        Api::Gl => &DESKTOP_PIXEL_STORE,
        Api::Gles if cfg!(target_family = "wasm") => &PAGE_PIXEL_STORE,
        Api::Gles => &[],
    };
    PIXEL_STORE.iter().chain(own).copied()
}

/// Sets everything that a draw depends on, apart from program, textures and framebuffer. In a caller's context the guard has set it.
pub fn set_for_drawing(gl: &GlFunctions, api: Api) {
    // SAFETY: the context is current, and these names exist in its API.
    unsafe {
        for switch in switches(api) {
            gl.disable(switch);
        }
        gl.color_mask(true, true, true, true);
        if gl.has_wide_lines() {
            gl.line_width(1.0);
        }
        if api == Api::Gl {
            set_for_desktop_drawing(gl);
        }
    }
}

/// # Safety
///
/// The context must be current, and of desktop OpenGL.
unsafe fn set_for_desktop_drawing(gl: &GlFunctions) {
    // SAFETY: by the caller's promise.
    unsafe {
        gl.polygon_mode(glow::FRONT_AND_BACK, glow::FILL);
        // The vertex stage sets the size of points, as it always does in ES.
        gl.enable(glow::PROGRAM_POINT_SIZE);
    }
}

/// Sets everything that a transfer depends on, apart from textures and framebuffer.
pub fn set_for_transfer(gl: &glow::Context, api: Api) {
    // SAFETY: the context is current, and these names exist in its API.
    unsafe {
        gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
        gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
        for (mode, value) in pixel_store(api) {
            gl.pixel_store_i32(mode, value);
        }
    }
}

/// `CLIP_ORIGIN` and its value `UPPER_LEFT`, which glow does not name.
const CLIP_ORIGIN: u32 = 0x935C;
const UPPER_LEFT: i32 = 0x8CA2;

/// Refuses a context in which the caller has flipped clip space: glow has no call that flips it back.
pub fn check_clip_origin(gl: &glow::Context, device: &Device) -> Result<(), Error> {
    if device.api == Api::Gl && device.version >= (4, 5) {
        // SAFETY: the context is current, and the name exists from this version on.
        if unsafe { gl.get_parameter_i32(CLIP_ORIGIN) } == UPPER_LEFT {
            return Err(Error::CallersState("glClipControl(GL_UPPER_LEFT)"));
        }
    }
    Ok(())
}

/// Refuses a context that clamps floats when they are read: glow has no call that ends it.
pub fn check_clamping(gl: &glow::Context, api: Api) -> Result<(), Error> {
    const CLAMP_READ_COLOR: u32 = 0x891C;
    // SAFETY: the context is current, and the name exists in desktop OpenGL.
    if api == Api::Gl && unsafe { gl.get_parameter_i32(CLAMP_READ_COLOR) } == i32::from(glow::TRUE) {
        return Err(Error::CallersState("glClampColor(GL_CLAMP_READ_COLOR, GL_TRUE)"));
    }
    Ok(())
}

/// The state that a call changes, besides bindings of objects and the viewport. What it leaves alone is not asked for: in a page
/// some questions wait until everything issued before is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effects {
    /// Nothing else.
    Bindings,
    /// Pixel storage and pixel buffers.
    Transfers,
    /// Program, captures, switches and masks; and so many texture units.
    Draws(u32),
    /// All of it.
    Both,
}

impl Effects {
    fn draw(self) -> bool {
        matches!(self, Effects::Draws(_) | Effects::Both)
    }

    /// The texture units. The first one is bound by whatever handles a texture.
    fn units(self) -> u32 {
        match self {
            Effects::Bindings | Effects::Transfers => 1,
            Effects::Draws(units) => units.max(1),
            Effects::Both => UNITS,
        }
    }

    fn transfer(self) -> bool {
        matches!(self, Effects::Transfers | Effects::Both)
    }
}

/// The bindings of a texture unit.
#[derive(Default)]
struct Unit {
    texture: Option<bound::Texture>,
    array: Option<bound::Texture>,
    /// The buffer texture; `None` if the API has none.
    buffer: Option<Option<bound::Texture>>,
    sampler: Option<bound::Sampler>,
}

impl Unit {
    /// Makes the unit active.
    ///
    /// # Safety
    ///
    /// The context must be current, and have buffer textures if `buffers` says so.
    unsafe fn save(gl: &GlFunctions, unit: u32, buffers: bool) -> Result<Unit, Error> {
        // SAFETY: by the caller's promise.
        unsafe {
            gl.active_texture(glow::TEXTURE0 + unit);
            Ok(Unit {
                texture: bound::texture(gl, glow::TEXTURE_BINDING_2D)?,
                array: bound::texture(gl, glow::TEXTURE_BINDING_2D_ARRAY)?,
                buffer: match buffers {
                    true => Some(bound::texture(gl, glow::TEXTURE_BINDING_BUFFER)?),
                    false => None,
                },
                sampler: bound::sampler(gl, unit)?,
            })
        }
    }

    /// # Safety
    ///
    /// As for [`Self::save`].
    unsafe fn restore(&self, gl: &GlFunctions, unit: u32) {
        // SAFETY: by the caller's promise.
        unsafe {
            gl.active_texture(glow::TEXTURE0 + unit);
            bound::bind_texture(gl, glow::TEXTURE_2D, &self.texture);
            bound::bind_texture(gl, glow::TEXTURE_2D_ARRAY, &self.array);
            if let Some(buffer) = &self.buffer {
                bound::bind_texture(gl, glow::TEXTURE_BUFFER, buffer);
            }
            bound::bind_sampler(gl, unit, &self.sampler);
        }
    }
}

/// The targets of dispatches that have no number, and the names of their bindings.
const GENERAL: [(u32, u32); 3] = [
    (glow::SHADER_STORAGE_BUFFER, glow::SHADER_STORAGE_BUFFER_BINDING),
    (glow::UNIFORM_BUFFER, glow::UNIFORM_BUFFER_BINDING),
    (glow::DISPATCH_INDIRECT_BUFFER, glow::DISPATCH_INDIRECT_BUFFER_BINDING),
];

/// The buffer bound to a number of a target; all of it if the size is 0.
struct Numbered {
    target: u32,
    number: u32,
    buffer: Option<bound::Buffer>,
    start: i64,
    size: i64,
}

impl Numbered {
    /// # Safety
    ///
    /// The context must be current, and the target one of storage buffers, if it has them, or of uniforms.
    unsafe fn save(gl: &GlFunctions, target: u32, number: u32) -> Result<Numbered, Error> {
        let [binding, start, size] = match target {
            glow::UNIFORM_BUFFER => {
                [glow::UNIFORM_BUFFER_BINDING, glow::UNIFORM_BUFFER_START, glow::UNIFORM_BUFFER_SIZE]
            }
            _ => [
                glow::SHADER_STORAGE_BUFFER_BINDING,
                glow::SHADER_STORAGE_BUFFER_START,
                glow::SHADER_STORAGE_BUFFER_SIZE,
            ],
        };
        // SAFETY: by the caller's promise.
        unsafe {
            Ok(Numbered {
                target,
                number,
                buffer: bound::numbered_buffer(gl, binding, number)?,
                start: gl.get_parameter_indexed_i64(start, number),
                size: gl.get_parameter_indexed_i64(size, number),
            })
        }
    }

    /// # Safety
    ///
    /// As for [`Self::save`].
    unsafe fn restore(&self, gl: &GlFunctions) {
        let Numbered { target, number, .. } = *self;
        #[cfg(target_family = "wasm")]
        let _ = (gl, target, number, &self.buffer, self.start, self.size); // a page has no dispatches
        #[cfg(not(target_family = "wasm"))]
        // SAFETY: by the caller's promise.
        unsafe {
            match (i32::try_from(self.start), i32::try_from(self.size)) {
                (Ok(start), Ok(size)) if size > 0 => {
                    gl.bind_buffer_range(target, number, self.buffer, start, size);
                }
                _ => gl.bind_buffer_base(target, number, self.buffer),
            }
        }
    }
}

/// The saved state of a context; restored when dropped.
pub struct StateGuard<'a> {
    gl: &'a GlFunctions,
    api: Api,
    vertex_array: Option<bound::VertexArray>,
    draw_framebuffer: Option<bound::Framebuffer>,
    read_framebuffer: Option<bound::Framebuffer>,
    viewport: [i32; 4],
    active_unit: u32,
    units: Vec<Unit>,
    array_buffer: Option<bound::Buffer>,
    /// The general bindings, those of [`GENERAL`], and the numbered ones; `None` without dispatches.
    dispatching: Option<([Option<bound::Buffer>; 3], Vec<Numbered>)>,
    /// `None` if the call does not transfer.
    transfer: Option<Transferring>,
    /// `None` if the call does not draw.
    drawing: Option<Drawing>,
}

/// The state that transfers depend on, and draws do not.
struct Transferring {
    unpack_buffer: Option<bound::Buffer>,
    pack_buffer: Option<bound::Buffer>,
    /// In the order of `pixel_store`.
    modes: [i32; MODES],
}

impl Transferring {
    /// # Safety
    ///
    /// The context must be current.
    unsafe fn save(gl: &GlFunctions, api: Api) -> Result<Transferring, Error> {
        // SAFETY: by the caller's promise, and these names exist in its API.
        unsafe {
            let mut modes = [0; MODES];
            for ((mode, _), value) in pixel_store(api).zip(&mut modes) {
                // A page has some that are booleans, and no numbers.
                let set = cfg!(target_family = "wasm") && gl.get_parameter_bool(mode);
                *value = if set { 1 } else { gl.get_parameter_i32(mode) };
            }
            Ok(Transferring {
                unpack_buffer: bound::buffer(gl, glow::PIXEL_UNPACK_BUFFER_BINDING)?,
                pack_buffer: bound::buffer(gl, glow::PIXEL_PACK_BUFFER_BINDING)?,
                modes,
            })
        }
    }

    /// # Safety
    ///
    /// As for [`Self::save`].
    unsafe fn restore(&self, gl: &GlFunctions, api: Api) {
        // SAFETY: by the caller's promise.
        unsafe {
            bound::bind_buffer(gl, glow::PIXEL_UNPACK_BUFFER, &self.unpack_buffer);
            bound::bind_buffer(gl, glow::PIXEL_PACK_BUFFER, &self.pack_buffer);
            for ((mode, _), value) in pixel_store(api).zip(&self.modes) {
                gl.pixel_store_i32(mode, *value);
            }
        }
    }
}

/// The state that draws depend on, and transfers do not.
struct Drawing {
    program: Option<bound::Program>,
    feedback_buffer: Option<bound::Buffer>,
    /// `None` without transform feedback objects.
    feedback: Option<Option<bound::TransformFeedback>>,
    /// True if the caller captures, which is paused.
    paused: bool,
    /// `None` if there is but one.
    line_width: Option<f32>,
    program_point_size: bool,
    /// In the order of `switches`; those that the API lacks are off.
    switches: [bool; SWITCHES.len() + DESKTOP_SWITCHES.len()],
    colour_mask: [bool; 4],
    polygon_mode: u32,
}

impl Drawing {
    /// Saves it, and sets it for draws ([`set_for_drawing`]) where it is otherwise. Ends captures for the time being: while the caller captures, neither the program nor the object of the captures
    /// could change; and while that object is bound, paused or not, Chromium links no program.
    ///
    /// # Safety
    ///
    /// The context must be current.
    unsafe fn save(gl: &GlFunctions, device: &Device) -> Result<Drawing, Error> {
        let api = device.api;
        // SAFETY: by the caller's promise, and these names exist in its API.
        unsafe {
            let mut on = [false; SWITCHES.len() + DESKTOP_SWITCHES.len()];
            for (switch, on) in switches(api).zip(&mut on) {
                *on = gl.is_enabled(switch);
            }
            // Old drivers return two values, for front and back.
            let mut polygon_mode = [glow::FILL as i32; 2];
            if api == Api::Gl {
                gl.get_parameter_i32_slice(glow::POLYGON_MODE, &mut polygon_mode);
            }
            let point = glow::TRANSFORM_FEEDBACK_BINDING;
            let mut drawing = Drawing {
                program: bound::program(gl)?,
                feedback_buffer: bound::buffer(gl, glow::TRANSFORM_FEEDBACK_BUFFER_BINDING)?,
                feedback: device.has_feedback_objects().then(|| bound::transform_feedback(gl, point)),
                paused: false,
                line_width: gl.has_wide_lines().then(|| gl.get_parameter_f32(glow::LINE_WIDTH)),
                program_point_size: api == Api::Gl && gl.is_enabled(glow::PROGRAM_POINT_SIZE),
                switches: on,
                colour_mask: gl.colour_mask(),
                polygon_mode: polygon_mode[0].unsigned_abs(),
            };
            if let Some(feedback) = &drawing.feedback {
                drawing.paused = gl.leave_captures(feedback);
            }
            for switch in drawing.switched_on(api) {
                gl.disable(switch);
            }
            if drawing.is_masked() {
                gl.color_mask(true, true, true, true);
            }
            if drawing.line_width.is_some_and(|width| width != 1.0) {
                gl.line_width(1.0);
            }
            if api == Api::Gl {
                set_for_desktop_drawing(gl);
            }
            Ok(drawing)
        }
    }

    /// # Safety
    ///
    /// As for [`Self::save`].
    unsafe fn restore(&self, gl: &GlFunctions, api: Api) {
        // SAFETY: by the caller's promise.
        unsafe {
            bound::use_program(gl, &self.program);
            if let Some(feedback) = &self.feedback {
                bound::bind_transform_feedback(gl, glow::TRANSFORM_FEEDBACK, feedback);
            }
            bound::bind_buffer(gl, glow::TRANSFORM_FEEDBACK_BUFFER, &self.feedback_buffer);
            if self.paused {
                gl.resume_transform_feedback();
            }
            if let Some(width) = self.line_width.filter(|width| *width != 1.0) {
                gl.line_width(width);
            }
            for switch in self.switched_on(api) {
                gl.enable(switch);
            }
            if self.is_masked() {
                let [red, green, blue, alpha] = self.colour_mask;
                gl.color_mask(red, green, blue, alpha);
            }
            if api == Api::Gl {
                gl.polygon_mode(glow::FRONT_AND_BACK, self.polygon_mode);
                if !self.program_point_size {
                    gl.disable(glow::PROGRAM_POINT_SIZE);
                }
            }
        }
    }
}

impl Drawing {
    fn switched_on(&self, api: Api) -> impl Iterator<Item = u32> {
        switches(api).zip(self.switches).filter_map(|(switch, on)| on.then_some(switch))
    }

    fn is_masked(&self) -> bool {
        self.colour_mask != [true; 4]
    }
}

impl<'a> StateGuard<'a> {
    /// Saves what a call of these effects changes.
    ///
    /// Errors: [`Error::DeletedObject`] if something is bound that could not be bound again; then nothing is changed.
    pub fn save(gl: &'a GlFunctions, device: &Device, effects: Effects) -> Result<StateGuard<'a>, Error> {
        let api = device.api;
        // SAFETY: the context is current, and these names exist in its API.
        unsafe {
            let mut viewport = [0; 4];
            gl.get_parameter_i32_slice(glow::VIEWPORT, &mut viewport);
            let active_unit = gl.leave_active_unit();
            let buffers = device.max_buffer_texels > 0;
            let units: Result<Vec<Unit>, Error> =
                (0..effects.units()).map(|unit| Unit::save(gl, unit, buffers)).collect();
            gl.active_texture(glow::TEXTURE0 + active_unit);
            let units = units?;
            let dispatching = match &device.compute {
                Some(compute) => {
                    let storage = (0..compute.bindings()).map(|number| (glow::SHADER_STORAGE_BUFFER, number));
                    let numbered = storage.chain([(glow::UNIFORM_BUFFER, 0)]);
                    let numbered = numbered.map(|(target, number)| Numbered::save(gl, target, number));
                    let [storage, uniforms, indirect] =
                        GENERAL.map(|(_, binding)| bound::buffer(gl, binding));
                    Some(([storage?, uniforms?, indirect?], numbered.collect::<Result<_, _>>()?))
                }
                None => None,
            };
            Ok(StateGuard {
                gl,
                api,
                vertex_array: bound::vertex_array(gl, glow::VERTEX_ARRAY_BINDING),
                draw_framebuffer: bound::framebuffer(gl, glow::DRAW_FRAMEBUFFER_BINDING),
                read_framebuffer: bound::framebuffer(gl, glow::READ_FRAMEBUFFER_BINDING),
                viewport,
                active_unit,
                units,
                array_buffer: bound::buffer(gl, glow::ARRAY_BUFFER_BINDING)?,
                dispatching,
                transfer: effects.transfer().then(|| Transferring::save(gl, api)).transpose()?,
                // Last, since it changes something.
                drawing: effects.draw().then(|| Drawing::save(gl, device)).transpose()?,
            })
        }
    }
}

impl Drop for StateGuard<'_> {
    fn drop(&mut self) {
        let gl = self.gl;
        // SAFETY: the context is still current, and everything was read from it.
        unsafe {
            bound::bind_vertex_array(gl, &self.vertex_array);
            bound::bind_framebuffer(gl, glow::DRAW_FRAMEBUFFER, &self.draw_framebuffer);
            bound::bind_framebuffer(gl, glow::READ_FRAMEBUFFER, &self.read_framebuffer);
            let [x, y, width, height] = self.viewport;
            gl.viewport(x, y, width, height);
            for (unit, bound) in (0..).zip(&self.units) {
                bound.restore(gl, unit);
            }
            gl.active_texture(glow::TEXTURE0 + self.active_unit);
            bound::bind_buffer(gl, glow::ARRAY_BUFFER, &self.array_buffer);
            if let Some((general, numbered)) = &self.dispatching {
                for binding in numbered {
                    binding.restore(gl);
                }
                for ((target, _), buffer) in GENERAL.iter().zip(general) {
                    bound::bind_buffer(gl, *target, buffer);
                }
            }
            if let Some(transfer) = &self.transfer {
                transfer.restore(gl, self.api);
            }
            if let Some(drawing) = &self.drawing {
                drawing.restore(gl, self.api);
            }
        }
    }
}
