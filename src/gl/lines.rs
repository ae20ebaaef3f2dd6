//! The self-test of lines: whether this context draws them as concatenation by lines needs it.
//!
//! A horizontal line from the centre of texel `x0` to that of `x1` should cover `[x0, x1)` of its row and
//! nothing else. The diamond-exit rule says so, and lets drivers be off by one.

use glow::HasContext;

use super::program::{Program, ProgramKey};
use super::{state, texture};
use crate::device::Api;
use crate::error::Error;
use crate::plan::{Dialect, shader};

/// Columns and rows of the picture: row `y` holds a line from `y * 37 % 256` on, of a length of its own.
/// `glsl/selftest/line.vert` knows the same numbers.
const SIZE: i32 = 256;

/// The texels of row `y` that its line covers.
fn expected(y: i32) -> std::ops::Range<i32> {
    let start = y * 37 % SIZE;
    start..start + y * 101 % (SIZE - start + 1)
}

/// Draws the lines and looks at every texel. Changes state that a guard puts back.
pub fn are_exact(gl: &glow::Context, api: Api, vertex_array: glow::VertexArray) -> Result<bool, Error> {
    let failed = |what| Error::Gl { during: "testing lines", what };
    let dialect = Dialect::needed(api, false);
    let key = ProgramKey::bare(dialect, shader!("selftest/line.vert"), shader!("selftest/line.frag"));
    let program = Program::compile(gl, &key)?;
    state::set_for_drawing(gl, api);
    state::set_for_transfer(gl, api);
    let mut pixels = vec![0u8; (SIZE * SIZE * 4) as usize];
    // SAFETY: the context is current, and the slice holds the whole picture.
    unsafe {
        let picture = gl.create_renderbuffer().map_err(failed)?;
        let bound = gl.get_parameter_renderbuffer(glow::RENDERBUFFER_BINDING);
        gl.bind_renderbuffer(glow::RENDERBUFFER, Some(picture));
        gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, SIZE, SIZE);
        gl.bind_renderbuffer(glow::RENDERBUFFER, bound);
        let framebuffer = gl.create_framebuffer().map_err(failed)?;
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        gl.framebuffer_renderbuffer(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::RENDERBUFFER,
            Some(picture),
        );
        gl.viewport(0, 0, SIZE, SIZE);
        gl.clear_buffer_f32_slice(glow::COLOR, 0, &[0.0; 4]);
        gl.use_program(Some(program.id));
        gl.bind_vertex_array(Some(vertex_array));
        gl.draw_arrays(glow::LINES, 0, 2 * SIZE);
        let data = glow::PixelPackData::Slice(Some(&mut pixels));
        gl.read_pixels(0, 0, SIZE, SIZE, glow::RGBA, glow::UNSIGNED_BYTE, data);
        gl.delete_framebuffer(framebuffer);
        gl.delete_renderbuffer(picture);
        gl.delete_program(program.id);
    }
    texture::check_error(gl, "testing lines")?;
    let covered = |x: i32, y: i32| pixels[((y * SIZE + x) * 4) as usize] > 0;
    Ok((0..SIZE).all(|y| (0..SIZE).all(|x| covered(x, y) == expected(y).contains(&x))))
}
