//! A random walk on a canvas of one's own: the library adds up its steps in the page's WebGL 2 context, and a vertex of the
//! line reads its height from the texture of the sums. Only the last sum comes back, some frames later.
//!
//! The page owns canvas, context and frame loop. In a browser the library leaves nothing bound, so the page sets what it
//! draws with in every frame. `index.html` starts it.

#![cfg(target_family = "wasm")]

use std::rc::Rc;

use glow::HasContext;
use rasterscan::Pending;
use rasterscan::prelude::*;
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};
use web_sys::{HtmlCanvasElement, WebGl2RenderingContext};

const STEPS: usize = 4096;

const VERTEX: &str = "#version 300 es
uniform highp isampler2D u_sums;
uniform int u_items; // in a texel
uniform vec2 u_scale;

void main() {
    int texel = gl_VertexID / u_items;
    int width = textureSize(u_sums, 0).x;
    int height = texelFetch(u_sums, ivec2(texel % width, texel / width), 0)[gl_VertexID % u_items];
    gl_Position = vec4(vec2(gl_VertexID, height) * u_scale - vec2(1.0, 0.0), 0.0, 1.0);
}";

const FRAGMENT: &str = "#version 300 es
out highp vec4 o_colour;
void main() {
    o_colour = vec4(0.1, 0.35, 0.75, 1.0);
}";

/// The walk, on the page's canvas.
#[wasm_bindgen]
pub struct Walk {
    scan: Prepared,
    steps: Stream,
    last: Option<Pending<i32>>,
    seed: u32,
    gl: Rc<glow::Context>,
    program: glow::Program,
    vertices: glow::VertexArray,
}

#[wasm_bindgen]
impl Walk {
    /// Takes the canvas.
    ///
    /// Errors: no WebGL 2.
    #[wasm_bindgen(constructor)]
    pub fn new(canvas: &HtmlCanvasElement) -> Result<Walk, JsValue> {
        // Yours: a context, and what you draw with.
        let context = canvas.get_context("webgl2")?.ok_or("this browser has no WebGL 2")?;
        let context: WebGl2RenderingContext = context.dyn_into()?;
        let gl = Rc::new(glow::Context::from_webgl2_context(context));
        let program = program(&gl)?;
        // SAFETY: the context is the canvas's.
        let vertices = unsafe { gl.create_vertex_array() }?;

        // Ours: a scan, prepared once.
        // SAFETY: the functions are those of the context.
        let gpu = unsafe { Gpu::from_glow(Rc::clone(&gl)) }.map_err(text)?;
        let scan = gpu.prepare_auto(&ScanSpec::new::<i32>(STEPS)).map_err(text)?;
        let steps = scan.upload(&[0i32; STEPS]).map_err(text)?;
        Ok(Walk { scan, steps, last: None, seed: 1, gl, program, vertices })
    }

    /// Draws another walk. Returns where one of the last ones ended, if that is known.
    ///
    /// Errors: the context is lost.
    pub fn frame(&mut self) -> Result<Option<i32>, JsValue> {
        self.draw().map_err(text)
    }

    fn draw(&mut self) -> Result<Option<i32>, Error> {
        let steps: Vec<i32> = (0..STEPS).map(|_| self.step()).collect();
        self.steps.write(&steps)?;
        let sums = self.scan.run(&self.steps)?;
        let items_per_texel = sums.layout().items_per_texel;
        let gl = &self.gl;
        // SAFETY: the texture is of this context.
        unsafe {
            gl.clear_color(1.0, 1.0, 1.0, 1.0);
            gl.clear(glow::COLOR_BUFFER_BIT);
            gl.use_program(Some(self.program));
            gl.bind_vertex_array(Some(self.vertices));
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, sums.texture());
            let place = |name| gl.get_uniform_location(self.program, name);
            gl.uniform_1_i32(place("u_items").as_ref(), items_per_texel as i32);
            gl.uniform_2_f32(place("u_scale").as_ref(), 2.0 / STEPS as f32, 1.0 / 200.0);
            gl.draw_arrays(glow::LINE_STRIP, 0, STEPS as i32);
        }
        // A readback arrives between two frames: it is started in one, and asked for in the next ones.
        let last = match &mut self.last {
            Some(pending) => pending.poll()?,
            None => None,
        };
        if self.last.is_none() || last.is_some() {
            self.last = Some(sums.read_later()?);
        }
        Ok(last.and_then(|sums| sums.last().copied()))
    }

    /// A step up or down.
    fn step(&mut self) -> i32 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 17;
        self.seed ^= self.seed << 5;
        if self.seed & 1 == 0 { -1 } else { 1 }
    }
}

fn program(gl: &glow::Context) -> Result<glow::Program, String> {
    // SAFETY: the objects are made here, of this context.
    unsafe {
        let program = gl.create_program()?;
        for (kind, source) in [(glow::VERTEX_SHADER, VERTEX), (glow::FRAGMENT_SHADER, FRAGMENT)] {
            let shader = gl.create_shader(kind)?;
            gl.shader_source(shader, source);
            gl.compile_shader(shader);
            gl.attach_shader(program, shader);
        }
        gl.link_program(program);
        if gl.get_program_link_status(program) { Ok(program) } else { Err(gl.get_program_info_log(program)) }
    }
}

fn text(error: Error) -> JsValue {
    error.to_string().into()
}
