//! The self-tests of drawing: a picture to draw into and read, and the tests of vertices and float targets.
//!
//! `points`, `geometry` and `blocks` take the index of an element from `gl_VertexID`. Mesa's softpipe starts again at 0
//! after 4,096 vertices. So 9,216 points are drawn, each on the texel of its number, and `Device::exact_vertices` is
//! the number that arrived correctly. Longer draws are `Unsupported`, and so are geometry stages on such a device: it
//! numbers their vertices differently from draw to draw. The test adds 1 ms to the 16 ms that a context takes on
//! llvmpipe, since it shares its program with the test of lines.
//!
//! Float targets are tested by clearing them to values and reading these back, which takes 0.1 ms.

use glow::HasContext;

use super::functions::GlFunctions;
use super::program::{self, Program, ProgramKey, Value};
use super::{bound, state, texture};
use crate::device::Api;
use crate::error::Error;
use crate::plan::{Dialect, shader};

/// Draws pictures for self-tests with a single program: compiling it takes longer than drawing them.
pub struct Painter<'a> {
    gl: &'a GlFunctions,
    api: Api,
    vertex_array: glow::VertexArray,
    program: Program,
}

impl<'a> Painter<'a> {
    /// The context must be current.
    pub fn new(gl: &'a GlFunctions, api: Api, vertex_array: glow::VertexArray) -> Result<Painter<'a>, Error> {
        let (vertex, fragment) = (shader!("selftest/draw.vert"), shader!("selftest/draw.frag"));
        let key = ProgramKey::bare(Dialect::needed(api, false), vertex, fragment);
        Ok(Painter { gl, api, vertex_array, program: Program::compile(gl, &key)? })
    }

    /// Draws points or lines into a cleared RGBA picture and reads it. Changes state that a guard restores.
    pub fn draw(
        &self,
        [width, height]: [i32; 2],
        primitives: u32,
        vertices: i32,
        during: &'static str,
    ) -> Result<Vec<[u8; 4]>, Error> {
        let (gl, program) = (self.gl, &self.program);
        let failed = |what| Error::Gl { during, what };
        state::set_for_drawing(gl, self.api);
        state::set_for_transfer(gl, self.api);
        let mut pixels = vec![[0u8; 4]; (width * height) as usize];
        // SAFETY: the context is current, and the slice holds the whole picture.
        unsafe {
            let bound = bound::renderbuffer(gl, glow::RENDERBUFFER_BINDING)?;
            let picture = gl.create_renderbuffer().map_err(failed)?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(picture));
            gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, width, height);
            bound::bind_renderbuffer(gl, glow::RENDERBUFFER, &bound);
            let framebuffer = gl.create_framebuffer().map_err(failed)?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            gl.framebuffer_renderbuffer(
                glow::FRAMEBUFFER,
                glow::COLOR_ATTACHMENT0,
                glow::RENDERBUFFER,
                Some(picture),
            );
            gl.viewport(0, 0, width, height);
            gl.clear_buffer_f32_slice(glow::COLOR, 0, &[0.0; 4]);
            gl.use_program(Some(program.id));
            if let Some(lines) = program.uniform(gl, "u_lines") {
                program.set(gl, lines, Value::Int(i32::from(primitives == glow::LINES)));
            }
            gl.bind_vertex_array(Some(self.vertex_array));
            gl.draw_arrays(primitives, 0, vertices);
            let data = glow::PixelPackData::Slice(Some(bytemuck::cast_slice_mut(&mut pixels)));
            gl.read_pixels(0, 0, width, height, glow::RGBA, glow::UNSIGNED_BYTE, data);
            gl.delete_framebuffer(framebuffer);
            gl.delete_renderbuffer(picture);
        }
        texture::check_error(gl, during)?;
        Ok(pixels)
    }
}

impl Drop for Painter<'_> {
    fn drop(&mut self) {
        // SAFETY: the context is current as long as a painter exists; the program is its own.
        unsafe { program::delete(self.gl, self.program.id) };
    }
}

/// Columns and rows of points: more than twice the 4,096 vertices after which Mesa's softpipe restarts at 0.
/// `glsl/selftest/draw.vert` uses the same numbers.
const POINTS: [i32; 2] = [128, 72];

/// The number of vertices of a draw with reliable numbers: `u32::MAX` if all are. Each point covers the texel of its
/// number.
pub fn exact_vertices(painter: &Painter<'_>) -> Result<u32, Error> {
    let vertices = POINTS[0] * POINTS[1];
    let pixels = painter.draw(POINTS, glow::POINTS, vertices, "testing the numbers of vertices")?;
    let right = |(number, pixel): (u32, &[u8; 4])| *pixel == [number as u8, (number >> 8) as u8, 0, 255];
    let first_wrong = (0..).zip(&pixels).position(|at| !right(at));
    Ok(first_wrong.map_or(u32::MAX, |wrong| wrong as u32))
}

/// Returns true if textures of floats can be rendered to, with one, two and four channels. The test clears to values
/// that a target with fewer bits would cut, and reads them back.
pub fn float_targets(gl: &GlFunctions, api: Api) -> Result<bool, Error> {
    let failed = |what| Error::Gl { during: "testing float targets", what };
    const VALUES: [f32; 4] = [-1.0e30, 16_777_215.0, 0.1, -7.5];
    state::set_for_drawing(gl, api);
    state::set_for_transfer(gl, api);
    // Errors mean that there are none; an earlier error must not.
    gl.check_earlier()?;
    // SAFETY: the context is current, and the slice holds the texel.
    unsafe {
        let framebuffer = gl.create_framebuffer().map_err(failed)?;
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        let mut works = true;
        let formats =
            [(glow::R32F, glow::RED, 1), (glow::RG32F, glow::RG, 2), (glow::RGBA32F, glow::RGBA, 4)];
        for (internal, external, channels) in formats {
            let target = gl.create_texture().map_err(failed)?;
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(target));
            let nothing = glow::PixelUnpackData::Slice(None);
            gl.tex_image_2d(glow::TEXTURE_2D, 0, internal as i32, 1, 1, 0, external, glow::FLOAT, nothing);
            let attachment = glow::COLOR_ATTACHMENT0;
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, attachment, glow::TEXTURE_2D, Some(target), 0);
            let mut read = [0f32; 4];
            let complete = gl.check_framebuffer_status(glow::FRAMEBUFFER) == glow::FRAMEBUFFER_COMPLETE;
            if complete {
                gl.clear_buffer_f32_slice(glow::COLOR, 0, &VALUES);
                let data = glow::PixelPackData::Slice(Some(bytemuck::cast_slice_mut(&mut read)));
                gl.read_pixels(0, 0, 1, 1, glow::RGBA, glow::FLOAT, data);
            }
            works &= complete && read[..channels] == VALUES[..channels];
            gl.delete_texture(target);
        }
        gl.delete_framebuffer(framebuffer);
        match texture::check_error(gl, "testing float targets") {
            Err(lost @ Error::ContextLost { .. }) => Err(lost),
            error => Ok(works && error.is_ok()),
        }
    }
}
