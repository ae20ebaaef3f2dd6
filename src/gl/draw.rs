//! A draw made ready: its program, its target, its inputs looked up by name; and how it is issued.

use std::rc::Rc;

use glow::HasContext;

use super::gpu::Gpu;
use super::pass::Slots;
use super::program::{Program, ProgramKey, Value};
use super::state;
use super::stream::Memory;
use crate::error::{Error, Unsupported};
use crate::plan::{Draw, Layout, Pass, Plan, Primitives, Region, Slot, Storage};

/// A draw with all its names looked up.
pub struct PreparedDraw {
    program: Rc<Program>,
    target: Target,
    mode: u32,
    /// Whether it is anything but a full-screen draw.
    places: bool,
    /// The primitives that a capture sees.
    captured: u32,
    vertices: i32,
    samplers: Vec<Sampler>,
    attributes: Vec<Attribute>,
    /// The pass's own, if it has attributes.
    vertex_array: Option<glow::VertexArray>,
    /// By their number in the program.
    uniforms: Vec<(usize, Value)>,
}

enum Target {
    Textures { framebuffer: glow::Framebuffer, region: Region },
    Buffers(Vec<Slot>),
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

/// What shaders know of a texture: width, log2 of the width or -1, height, length in items.
fn shape_value(layout: &Layout) -> Value {
    Value::Int4([
        layout.width as i32,
        layout.width_log2().map_or(-1, |log2| log2 as i32),
        layout.height as i32,
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
        let gl = &gpu.0.gl;
        check(gpu, draw, plan)?;
        let program = gpu.program(ProgramKey::of(pass.dialect(gpu.device().api, plan.slots()), pass))?;
        let mut samplers = Vec::new();
        let mut named: Vec<(String, Value)> = Vec::new();
        for (unit, &(name, slot)) in (0..).zip(&draw.reads) {
            let kind = match plan.layout(slot).storage {
                Storage::Texture => glow::TEXTURE_2D,
                Storage::Buffer => glow::TEXTURE_BUFFER,
            };
            samplers.push(Sampler { unit, kind, slot });
            named.push((name.into(), Value::Int(unit as i32)));
            named.push((format!("{name}_shape"), shape_value(plan.layout(slot))));
        }
        if let Some(target) = draw.writes.first() {
            named.push(("u_target_shape".into(), shape_value(plan.layout(*target))));
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
        let slots = Slots { own, inputs: &[] };
        let target = match draw.stages.fragment {
            None => Target::Buffers(draw.writes.clone()),
            Some(_) => {
                let textures = draw.writes.iter().map(|slot| slots.texture(*slot));
                Target::Textures { framebuffer: framebuffer(gl, textures)?, region: draw.region }
            }
        };
        let vertex_array = match &attributes[..] {
            [] => None,
            some => Some(vertex_array(gl, some)?),
        };
        let mode = match draw.primitives {
            Primitives::Screen | Primitives::Triangles(_) => glow::TRIANGLES,
            Primitives::Rectangle => glow::TRIANGLE_STRIP,
            Primitives::Points(_) => glow::POINTS,
            Primitives::Lines(_) => glow::LINES,
        };
        Ok(PreparedDraw {
            program,
            target,
            mode,
            places: draw.primitives != Primitives::Screen,
            // Geometry stages of captures put out points.
            captured: if draw.stages.geometry.is_some() { glow::POINTS } else { mode },
            vertices: draw.primitives.vertices() as i32,
            samplers,
            attributes,
            vertex_array,
            uniforms,
        })
    }

    /// Issues the draw. The state that all passes share is set already ([`state::set_for_drawing`]).
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
                Target::Textures { framebuffer, region } => {
                    gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(*framebuffer));
                    gl.viewport(0, 0, region.width as i32, region.height as i32);
                    gl.draw_arrays(self.mode, 0, self.vertices);
                }
                Target::Buffers(buffers) => {
                    // Nothing is drawn, but a draw needs a framebuffer that one could draw into.
                    gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(gpu.0.nowhere.framebuffer));
                    gl.enable(glow::RASTERIZER_DISCARD);
                    for (index, slot) in (0..).zip(buffers) {
                        let buffer = slots.buffer(*slot).map(|buffer| buffer.id);
                        gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, index, buffer);
                    }
                    gl.begin_transform_feedback(self.captured);
                    gl.draw_arrays(self.mode, 0, self.vertices);
                    gl.end_transform_feedback();
                    // A buffer that is bound for captures may not be read.
                    for (index, _) in (0..).zip(buffers) {
                        gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, index, None);
                    }
                    gl.disable(glow::RASTERIZER_DISCARD);
                }
            }
        }
    }

    /// Whether the vertex stage places what is drawn, so that it matters which way is up.
    pub fn places_vertices(&self) -> bool {
        matches!(self.target, Target::Textures { .. }) && self.places
    }

    /// Deletes what the pass has made. The context must be current.
    pub fn delete(&self, gl: &glow::Context) {
        // SAFETY: the context is current, and the objects are the pass's.
        unsafe {
            if let Target::Textures { framebuffer, .. } = &self.target {
                gl.delete_framebuffer(*framebuffer);
            }
            if let Some(vertex_array) = self.vertex_array {
                gl.delete_vertex_array(vertex_array);
            }
        }
    }
}

/// Whether the device has what the pass uses.
fn check(gpu: &Gpu, draw: &Draw, plan: &Plan) -> Result<(), Unsupported> {
    let device = gpu.device();
    if draw.reads.len() > state::UNITS as usize {
        return Err(Unsupported(format!("a pass reads more than {} textures", state::UNITS)));
    }
    if draw.stages.geometry.is_some() {
        Unsupported::unless_geometry(device, "a pass")?;
    }
    let buffers = draw.reads.iter().map(|(_, slot)| plan.layout(*slot));
    for layout in buffers.filter(|layout| layout.storage == Storage::Buffer) {
        if layout.len > u64::from(device.max_buffer_texels) {
            return Err(Unsupported(format!(
                "a pass reads a buffer of {} items as a texture; this device allows {}",
                layout.len, device.max_buffer_texels
            )));
        }
    }
    Ok(())
}

fn framebuffer(
    gl: &glow::Context,
    targets: impl Iterator<Item = Option<glow::Texture>>,
) -> Result<glow::Framebuffer, Error> {
    let failed = |what| Error::Gl { during: "making a framebuffer", what };
    // SAFETY: the context is current, and the textures are ours.
    unsafe {
        let framebuffer = gl.create_framebuffer().map_err(failed)?;
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        let mut buffers = Vec::new();
        for (number, texture) in (0..).zip(targets) {
            let attachment = glow::COLOR_ATTACHMENT0 + number;
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, attachment, glow::TEXTURE_2D, texture, 0);
            buffers.push(attachment);
        }
        gl.draw_buffers(&buffers);
        match gl.check_framebuffer_status(glow::FRAMEBUFFER) {
            glow::FRAMEBUFFER_COMPLETE => Ok(framebuffer),
            status => {
                gl.delete_framebuffer(framebuffer);
                Err(failed(format!("the framebuffer is incomplete ({status:#06x})")))
            }
        }
    }
}

/// A vertex array with these attributes switched on; where they come from is set at each draw.
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
