//! Shares a context: the scan runs in the caller's context, and the caller draws with its result.
//!
//! A program with a window already has a `glow::Context`. Here, a context without a window stands in for it.

use std::error::Error;
use std::rc::Rc;

use glow::HasContext;
use rasterscan::scan::texture::Hybrid;
use rasterscan::{Algorithm, Gpu, ScanSpec};

pub fn main() -> Result<(), Box<dyn Error>> {
    // Stands in for your window: a context of its own, current on this thread while `draw` runs.
    let window = Gpu::headless()?;
    let gl = window.load_glow()?.ok_or("no functions")?;
    window.with_current(|_| draw(Rc::new(gl)))?
}

fn draw(gl: Rc<glow::Context>) -> Result<(), Box<dyn Error>> {
    // Yours: the functions of the current context, and state of your own.
    let picture = YourPicture::new(&gl)?;

    // Ours: a scan in that context. It restores all state that it changes. Your context must be current for each call;
    // otherwise the call does nothing and returns an error.
    // SAFETY: the functions were loaded for the context, which is current.
    let gpu = unsafe { Gpu::from_glow(Rc::clone(&gl)) }?;
    let data = vec![1u32; 64 * 64];
    let spec = ScanSpec::new::<u32>(data.len());
    // One number per texel, row by row: the easiest layout for your shader to read.
    let mut scan = gpu.prepare(&Hybrid::default().plan(&spec, gpu.device())?)?;
    let input = scan.upload(&data)?;
    let sums = scan.run(&input)?;
    assert_eq!((sums.layout().width, sums.layout().height), (64, 64));

    // Yours again: draw with the result in place. Nothing is read back to the CPU first.
    let shades = picture.draw(sums.texture().expect("a texture"))?;
    let expected: Vec<u8> = (1..=4096u32).map(|sum| (sum * 255 / 4096) as u8).collect();
    assert_eq!(shades, expected);
    println!("4096 running sums on {}, drawn as shades from {} to {}", gpu.device(), shades[0], shades[4095]);
    Ok(())
}

/// The caller's own drawing: a grey picture of 64 x 64 from a texture of integers.
struct YourPicture {
    gl: Rc<glow::Context>,
    framebuffer: glow::Framebuffer,
}

const VERTEX: &str = "#version 330 core
void main() {
    gl_Position = vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0, 0.0, 1.0);
}";

const FRAGMENT: &str = "#version 330 core
uniform usampler2D u_sums;
layout(location = 0) out uvec4 o_shade;
void main() {
    o_shade = uvec4(texelFetch(u_sums, ivec2(gl_FragCoord.xy), 0).r * 255u / 4096u);
}";

impl YourPicture {
    /// Sets program, viewport, vertex array and framebuffer, and relies on them not changing.
    fn new(gl: &Rc<glow::Context>) -> Result<YourPicture, Box<dyn Error>> {
        // SAFETY: the context is current, and every object is made here.
        unsafe {
            let program = gl.create_program()?;
            for (kind, source) in [(glow::VERTEX_SHADER, VERTEX), (glow::FRAGMENT_SHADER, FRAGMENT)] {
                let shader = gl.create_shader(kind)?;
                gl.shader_source(shader, source);
                gl.compile_shader(shader);
                gl.attach_shader(program, shader);
            }
            gl.link_program(program);
            if !gl.get_program_link_status(program) {
                return Err(gl.get_program_info_log(program).into());
            }
            gl.use_program(Some(program));
            gl.bind_vertex_array(Some(gl.create_vertex_array()?));
            let target = gl.create_renderbuffer()?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(target));
            gl.renderbuffer_storage(glow::RENDERBUFFER, glow::R8UI, 64, 64);
            let framebuffer = gl.create_framebuffer()?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            let attachment = glow::COLOR_ATTACHMENT0;
            gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, attachment, glow::RENDERBUFFER, Some(target));
            gl.viewport(0, 0, 64, 64);
            Ok(YourPicture { gl: Rc::clone(gl), framebuffer })
        }
    }

    fn draw(&self, sums: glow::Texture) -> Result<Vec<u8>, Box<dyn Error>> {
        let gl = &self.gl;
        let mut shades = vec![0; 64 * 64];
        // SAFETY: the context is current, and the slice holds 64 x 64 bytes.
        unsafe {
            gl.bind_texture(glow::TEXTURE_2D, Some(sums));
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            assert_eq!(gl.get_parameter_framebuffer(glow::READ_FRAMEBUFFER_BINDING), Some(self.framebuffer));
            let pixels = glow::PixelPackData::Slice(Some(&mut shades));
            gl.read_pixels(0, 0, 64, 64, glow::RED_INTEGER, glow::UNSIGNED_BYTE, pixels);
            match gl.get_error() {
                glow::NO_ERROR => Ok(shades),
                error => Err(format!("OpenGL error {error:#06x}").into()),
            }
        }
    }
}
