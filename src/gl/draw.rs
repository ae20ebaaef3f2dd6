//! A prepared draw: its program, its target, its inputs looked up by name, and how it is issued.

use std::rc::Rc;

use glow::HasContext;

use super::gpu::Gpu;
use super::pass::Slots;
use super::program::{Program, ProgramKey, Records, Value};
use super::state;
use super::stream::Memory;
use super::texture::{self, Attachment};
use crate::error::Error;
use crate::plan::{Draw, Layout, Pass, Plan, Primitives, Region, Slot, Storage};
use crate::unsupported::Unsupported;

/// A draw with all its names looked up.
pub struct PreparedDraw {
    program: Rc<Program>,
    target: PassTarget,
    mode: u32,
    /// True if it is not a full-screen draw.
    places: bool,
    /// The primitives that a capture receives.
    captured: u32,
    vertices: i32,
    samplers: Vec<Sampler>,
    attributes: Vec<Attribute>,
    /// The pass's own, if it has attributes.
    vertex_array: Option<glow::VertexArray>,
    /// By their number in the program.
    uniforms: Vec<(usize, Value)>,
}

enum PassTarget {
    Textures {
        framebuffer: glow::Framebuffer,
        writes: Vec<Slot>,
        region: Region,
    },
    Buffers(Vec<Slot>),
    /// Buffers that are not slots, for recordings.
    Recorded(Vec<glow::Buffer>),
}

/// The data that a draw records, and its destination.
pub enum Recorded<'a> {
    /// The fragments' reads, in these textures after the draw's own targets.
    Fragments([glow::Texture; 2]),
    /// The vertices' reads and positions, without the later stages, in three buffers.
    Vertices(&'a [glow::Buffer]),
    /// The positions that a geometry stage emits, in one buffer.
    Positions(&'a [glow::Buffer]),
}

/// The textures that a recording of fragments takes.
const RECORDING: u32 = 2;

impl Recorded<'_> {
    fn recording(&self, draw: &Draw, plan: &Plan) -> Records {
        match self {
            Recorded::Fragments(_) => Records::Fragments { own_targets: targets(draw, plan) },
            Recorded::Vertices(_) => Records::Vertices,
            Recorded::Positions(_) => Records::Positions,
        }
    }
}

struct Sampler {
    unit: u32,
    kind: u32,
    slot: Slot,
}

struct Attribute {
    location: u32,
    words: i32,
    slot: Slot,
}

/// The shape of a texture for shaders: width, log2 of the width or -1, height, length in items. `number` is the
/// source's number if reads are recorded, else 0.
fn shape_value(layout: &Layout, number: i32) -> Value {
    Value::Int4([
        layout.width as i32,
        layout.width_log2().map_or(-1, |log2| log2 as i32),
        number << 16 | layout.height as i32,
        layout.len as i32,
    ])
}

impl PreparedDraw {
    pub fn new(
        gpu: &Gpu,
        plan: &Plan,
        pass: &Pass,
        draw: &Draw,
        own: &[Option<Rc<Memory>>],
    ) -> Result<PreparedDraw, Error> {
        PreparedDraw::make(gpu, plan, pass, draw, own, None)
    }

    /// The same draw, which also records. It still writes its own targets if it has fragments.
    pub fn recording(
        gpu: &Gpu,
        plan: &Plan,
        pass: &Pass,
        draw: &Draw,
        own: &[Option<Rc<Memory>>],
        recorded: &Recorded<'_>,
    ) -> Result<PreparedDraw, Error> {
        PreparedDraw::make(gpu, plan, pass, draw, own, Some(recorded))
    }

    fn make(
        gpu: &Gpu,
        plan: &Plan,
        pass: &Pass,
        draw: &Draw,
        own: &[Option<Rc<Memory>>],
        recorded: Option<&Recorded<'_>>,
    ) -> Result<PreparedDraw, Error> {
        let gl = &gpu.0.gl;
        check(gpu, draw, plan, recorded)?;
        let key = ProgramKey::of(gpu, plan, pass);
        let program = gpu.program(match recorded {
            Some(recorded) => key.recording(recorded.recording(draw, plan)),
            None => key,
        })?;
        let mut samplers = Vec::new();
        let mut named: Vec<(String, Value)> = Vec::new();
        for (unit, &(name, slot)) in (0..).zip(&draw.reads) {
            let kind = match plan.layout(slot).storage {
                Storage::Texture => texture::kind_of(plan.layout(slot)),
                Storage::Buffer => glow::TEXTURE_BUFFER,
            };
            samplers.push(Sampler { unit, kind, slot });
            named.push((name.into(), Value::Int(unit as i32)));
            let number = recorded.map_or(0, |_| unit as i32);
            named.push((format!("{name}_shape"), shape_value(plan.layout(slot), number)));
        }
        if let Some((name, slot)) = pass.computed() {
            named.push((format!("{name}_shape"), shape_value(plan.layout(slot), 0)));
        }
        if let Some(target) = draw.writes.first() {
            named.push(("u_target_shape".into(), shape_value(plan.layout(*target), 0)));
        }
        named.extend(draw.uniforms.iter().map(|&(name, value)| (name.into(), value.into())));
        let uniforms = named
            .into_iter()
            .filter_map(|(name, value)| Some((program.uniform(gl, &name)?, value)))
            .collect();
        let attributes: Vec<Attribute> = (0..)
            .zip(&draw.attributes)
            .map(|(location, &slot)| {
                let words = plan.layout(slot).words_per_texel() as i32;
                Attribute { location, words, slot }
            })
            .collect();
        let slots = Slots { own, inputs: &[], outputs: &[] };
        let target = match (recorded, &draw.stages.fragment) {
            (Some(Recorded::Vertices(buffers) | Recorded::Positions(buffers)), _) => {
                PassTarget::Recorded(buffers.to_vec())
            }
            (_, None) => PassTarget::Buffers(draw.writes.clone()),
            (recorded, Some(_)) => {
                let own = draw.writes.iter().flat_map(|slot| slots.targets(*slot));
                let side_input = match recorded {
                    Some(Recorded::Fragments(side_input)) => {
                        side_input.map(|id| Attachment::texture(Some(id))).to_vec()
                    }
                    _ => Vec::new(),
                };
                let framebuffer = framebuffer_of(gl, own.chain(side_input))?;
                PassTarget::Textures { framebuffer, writes: draw.writes.clone(), region: draw.region }
            }
        };
        let vertex_array = match &attributes[..] {
            [] => None,
            some => Some(vertex_array(gl, some)?),
        };
        let mode = match draw.primitives {
            _ if matches!(recorded, Some(Recorded::Vertices(_))) => glow::POINTS,
            Primitives::Screen | Primitives::Triangles(_) => glow::TRIANGLES,
            Primitives::Rectangle => glow::TRIANGLE_STRIP,
            Primitives::Points(_) => glow::POINTS,
            Primitives::Lines(_) => glow::LINES,
        };
        // The primitives that a capture receives.
        let captured = match (recorded, &draw.stages.geometry) {
            (Some(Recorded::Vertices(_)), _) | (_, None) => mode,
            (Some(_), Some(_)) => program.geometry_output(gl),
            // Geometry stages of captures emit points.
            (None, Some(_)) => glow::POINTS,
        };
        Ok(PreparedDraw {
            program,
            target,
            mode,
            places: draw.primitives != Primitives::Screen,
            captured,
            vertices: draw.primitives.vertices() as i32,
            samplers,
            attributes,
            vertex_array,
            uniforms,
        })
    }

    /// Issues the draw. The state that all passes share is already set ([`state::set_for_drawing`]).
    pub fn issue(&self, gpu: &Gpu, slots: &Slots<'_>) {
        let gl = &gpu.0.gl;
        // SAFETY: the context is current; program, framebuffer, textures and buffers are alive.
        unsafe {
            gl.use_program(Some(self.program.id));
            for sampler in &self.samplers {
                gl.active_texture(glow::TEXTURE0 + sampler.unit);
                gl.bind_texture(sampler.kind, slots.texture(sampler.slot));
            }
            for &(uniform, value) in &self.uniforms {
                self.program.set(gl, uniform, value);
            }
            gl.bind_vertex_array(Some(self.vertex_array.unwrap_or(gpu.0.empty_vertex_array)));
            for attribute in &self.attributes {
                gl.bind_buffer(glow::ARRAY_BUFFER, slots.buffer(attribute.slot).map(|buffer| buffer.id));
                let (location, words) = (attribute.location, attribute.words);
                gl.vertex_attrib_pointer_i32(location, words, glow::UNSIGNED_INT, 4 * words, 0);
            }
            match &self.target {
                PassTarget::Textures { framebuffer, writes, region } => {
                    let replaced = slots.outputs.iter().any(|(slot, _)| writes.contains(slot));
                    // Only a lost context has no name for a framebuffer, and the check after the run reports that.
                    let other = replaced.then(|| {
                        let targets = writes.iter().flat_map(|slot| slots.targets(*slot));
                        attached(gl, targets).unwrap_or(*framebuffer)
                    });
                    gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(other.unwrap_or(*framebuffer)));
                    gl.viewport(0, 0, region.width as i32, region.height as i32);
                    gl.draw_arrays(self.mode, 0, self.vertices);
                    if let Some(other) = other.filter(|other| other != framebuffer) {
                        gl.delete_framebuffer(other);
                    }
                }
                PassTarget::Buffers(buffers) => {
                    let buffers = buffers.iter().map(|slot| slots.buffer(*slot).map(|buffer| buffer.id));
                    self.capture(gpu, buffers);
                }
                PassTarget::Recorded(buffers) => self.capture(gpu, buffers.iter().copied().map(Some)),
            }
        }
    }

    /// Draws with everything bound except the buffers that capture the last stage before the fragments.
    ///
    /// # Safety
    ///
    /// The context must be current, and the program, its inputs and the buffers alive.
    unsafe fn capture(&self, gpu: &Gpu, buffers: impl ExactSizeIterator<Item = Option<glow::Buffer>>) {
        let gl = &gpu.0.gl;
        let bindings = buffers.len() as u32;
        // SAFETY: by the caller's promise.
        unsafe {
            // Nothing is drawn, but a draw needs a complete framebuffer.
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(gpu.0.empty_target.framebuffer));
            gl.enable(glow::RASTERIZER_DISCARD);
            if let Some(feedback) = gpu.0.feedback {
                gl.bind_transform_feedback(glow::TRANSFORM_FEEDBACK, Some(feedback));
            }
            // WebGL refuses to capture into a buffer that is also bound here, as an upload or an attribute left it.
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
            for (index, buffer) in (0..).zip(buffers) {
                gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, index, buffer);
            }
            gl.begin_transform_feedback(self.captured);
            gl.draw_arrays(self.mode, 0, self.vertices);
            gl.end_transform_feedback();
            // A buffer that is bound for captures must not be read.
            for index in 0..bindings {
                gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, index, None);
            }
            gl.disable(glow::RASTERIZER_DISCARD);
        }
    }

    /// The program, and the uniforms that are set.
    pub fn uniforms(&self) -> (&Program, Vec<usize>) {
        (&self.program, self.uniforms.iter().map(|(uniform, _)| *uniform).collect())
    }

    /// Changes a uniform from its prepared value, from the next issue on.
    pub fn set(&mut self, gpu: &Gpu, name: &str, value: Value) {
        let Some(uniform) = self.program.uniform(&gpu.0.gl, name) else { return };
        self.uniforms.retain(|(other, _)| *other != uniform);
        self.uniforms.push((uniform, value));
    }

    /// The vertices of a captured primitive.
    pub fn captured_vertices(&self) -> usize {
        match self.captured {
            glow::TRIANGLES => 3,
            glow::LINES => 2,
            _ => 1,
        }
    }

    /// The texture units that it reads.
    pub fn units(&self) -> u32 {
        self.samplers.len() as u32
    }

    /// Returns true if the vertex stage places what is drawn, so that the clip origin matters.
    pub fn places_vertices(&self) -> bool {
        matches!(self.target, PassTarget::Textures { .. }) && self.places
    }

    /// Deletes the pass's objects. The context must be current.
    pub fn delete(&self, gl: &glow::Context) {
        // SAFETY: the context is current, and the objects are the pass's.
        unsafe {
            if let PassTarget::Textures { framebuffer, .. } = &self.target {
                gl.delete_framebuffer(*framebuffer);
            }
            if let Some(vertex_array) = self.vertex_array {
                gl.delete_vertex_array(vertex_array);
            }
        }
    }
}

/// The textures that a draw draws into: a plane each.
fn targets(draw: &Draw, plan: &Plan) -> u32 {
    draw.writes.iter().map(|slot| plan.layout(*slot).planes()).sum()
}

/// Errors if a draw has more targets than the device allows, those of its recording included.
fn check_targets(own: u32, recorded: bool, most: u32) -> Result<(), Unsupported> {
    let reason = match own {
        _ if own > most => format!(
            "a pass draws into {own} textures at once, and this device into at most {most}; use smaller items, or an \
             algorithm over buffers"
        ),
        _ if recorded && own + RECORDING > most => format!(
            "a pass draws into {own} textures at once, and its recording into {RECORDING} more, but this device draws into \
             at most {most}; run it without recording it, or record smaller items"
        ),
        _ => return Ok(()),
    };
    Err(Unsupported::too_large(reason))
}

/// Checks that the device has what the pass uses.
fn check(gpu: &Gpu, draw: &Draw, plan: &Plan, recorded: Option<&Recorded<'_>>) -> Result<(), Unsupported> {
    let device = gpu.device();
    if draw.stages.fragment.is_some() {
        let recorded = matches!(recorded, Some(Recorded::Fragments(_)));
        check_targets(targets(draw, plan), recorded, device.max_targets)?;
    }
    if draw.reads.len() > state::UNITS as usize {
        let (reads, most) = (draw.reads.len(), state::UNITS);
        return Err(Unsupported::too_large(format!(
            "a pass reads {reads} textures, and at most {most} can be read; split the pass"
        )));
    }
    if draw.stages.geometry.is_some() {
        Unsupported::unless_geometry(device, "a pass")?;
    }
    draw.check_vertices(device)?;
    let buffers = draw.reads.iter().map(|(_, slot)| plan.layout(*slot));
    for layout in buffers.filter(|layout| layout.storage == Storage::Buffer) {
        if layout.len > u64::from(device.max_buffer_texels) {
            return Err(Unsupported::too_large(format!(
                "a pass reads a buffer of {} items as a texture, and this device allows {}; use a shorter \
                 stream",
                layout.len, device.max_buffer_texels
            )));
        }
    }
    Ok(())
}

/// A framebuffer with these textures attached, which must be complete.
fn framebuffer_of(
    gl: &glow::Context,
    targets: impl Iterator<Item = Attachment>,
) -> Result<glow::Framebuffer, Error> {
    let failed = |what| Error::Gl { during: "making a framebuffer", what };
    let framebuffer = attached(gl, targets).map_err(failed)?;
    // SAFETY: the context is current, and the framebuffer is bound.
    unsafe {
        match gl.check_framebuffer_status(glow::FRAMEBUFFER) {
            glow::FRAMEBUFFER_COMPLETE => Ok(framebuffer),
            status => {
                gl.delete_framebuffer(framebuffer);
                Err(failed(format!("the framebuffer is incomplete ({status:#06x})")))
            }
        }
    }
}

/// A framebuffer with these textures attached, bound. A draw into an incomplete one is an error of OpenGL's.
fn attached(
    gl: &glow::Context,
    targets: impl Iterator<Item = Attachment>,
) -> Result<glow::Framebuffer, String> {
    // SAFETY: the context is current, and the textures are alive.
    unsafe {
        let framebuffer = gl.create_framebuffer()?;
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        let mut buffers = Vec::new();
        for (number, target) in (0..).zip(targets) {
            let attachment = glow::COLOR_ATTACHMENT0 + number;
            target.attach(gl, glow::FRAMEBUFFER, attachment);
            buffers.push(attachment);
        }
        gl.draw_buffers(&buffers);
        Ok(framebuffer)
    }
}

/// A vertex array with these attributes enabled; their buffers are set at each draw.
fn vertex_array(gl: &glow::Context, attributes: &[Attribute]) -> Result<glow::VertexArray, Error> {
    // SAFETY: the context is current.
    unsafe {
        let vertex_array =
            gl.create_vertex_array().map_err(|what| Error::Gl { during: "making a vertex array", what })?;
        gl.bind_vertex_array(Some(vertex_array));
        for attribute in attributes {
            gl.enable_vertex_attrib_array(attribute.location);
        }
        Ok(vertex_array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_takes_two_more_targets() {
        assert_eq!(check_targets(4, false, 4), Ok(()));
        assert_eq!(check_targets(2, true, 4), Ok(()));
        let refused = |own, recorded| check_targets(own, recorded, 4).unwrap_err().to_string();
        assert!(refused(5, false).contains("into 5 textures at once, and this device into at most 4"));
        assert!(refused(3, true).contains("its recording into 2 more"));
    }
}
