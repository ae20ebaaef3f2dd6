//! A fountain in a window of one's own: the library moves and removes its drops, and OpenGL draws them where they lie.
//!
//! The program owns window, context and frame loop. The library runs in that context, between the program's own draws, and
//! restores the state that it changes. A vertex of the draw reads its drop from the textures of the streams, and the number
//! of drops, too: nothing comes back to the CPU. With `--frames N` the program ends after N frames, reads the drops once,
//! and compares them with those of the CPU.

mod drops;
mod shell;

use std::error::Error;
use std::process::ExitCode;
use std::rc::Rc;

use glow::HasContext;
use rasterscan::plan::Uniform;
use rasterscan::{Gpu, Prepared, Stream};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::WindowId;

use drops::{CAPACITY, HEIGHT};
use shell::Shell;

const TITLE: &str = "rasterscan: a fountain; drops that land are removed on the GPU";

const VERTEX: &str = "
uniform isampler2D u_x;
uniform isampler2D u_y;
uniform isampler2D u_vy;
uniform usampler2D u_number;
uniform float u_height;
uniform vec2 u_size;
out vec4 v_colour;

void main() {
    int drop = gl_VertexID;
    if (uint(drop) >= texelFetch(u_number, ivec2(0), 0).x) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside of the picture
        return;
    }
    // Four drops lie in a texel.
    int width = textureSize(u_x, 0).x;
    ivec2 texel = ivec2(drop / 4 % width, drop / 4 / width);
    vec2 place = vec2(texelFetch(u_x, texel, 0)[drop % 4], texelFetch(u_y, texel, 0)[drop % 4]) / u_height;
    float speed = abs(float(texelFetch(u_vy, texel, 0)[drop % 4])) / 1000.0;
    gl_Position = vec4(place * vec2(2.0 * u_size.y / u_size.x, 1.8) - vec2(0.0, 0.9), 0.0, 1.0);
    gl_PointSize = max(u_size.y / 260.0, 1.5);
    v_colour = vec4(mix(vec3(0.1, 0.35, 0.9), vec3(0.75, 0.95, 1.0), speed), 0.5);
}";

const FRAGMENT: &str = "
in vec4 v_colour;
out vec4 o_colour;
void main() {
    vec2 place = gl_PointCoord * 2.0 - 1.0;
    o_colour = v_colour * max(1.0 - dot(place, place), 0.0);
}";

fn main() -> ExitCode {
    shell::end(run())
}

fn run() -> Result<(), Box<dyn Error>> {
    let frames = shell::frames()?;
    let outcome = match frames {
        Some(_) => Err("closed before the last frame".into()),
        None => Ok(()),
    };
    let mut host = Host { frames, fountain: None, outcome };
    EventLoop::new()?.run_app(&mut host)?;
    host.outcome
}

struct Host {
    frames: Option<u32>,
    fountain: Option<Fountain>,
    outcome: Result<(), Box<dyn Error>>,
}

impl ApplicationHandler for Host {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        match Fountain::new(event_loop) {
            Ok(fountain) => self.fountain = Some(fountain),
            Err(error) => self.end(event_loop, Err(error)),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(fountain) = &mut self.fountain else { return };
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::KeyboardInput { event, .. } if event.logical_key == Key::Named(NamedKey::Escape) => {
                event_loop.exit();
            }
            WindowEvent::Resized(_) => fountain.shell.resize(),
            WindowEvent::RedrawRequested => match fountain.frame() {
                Err(error) => self.end(event_loop, Err(error)),
                Ok(()) if Some(fountain.frame) == self.frames => {
                    let outcome = fountain.check();
                    self.end(event_loop, outcome);
                }
                Ok(()) => {}
            },
            _ => {}
        }
    }

    /// Drops what belongs to the context while there is one.
    fn exiting(&mut self, _: &ActiveEventLoop) {
        self.fountain = None;
    }
}

impl Host {
    fn end(&mut self, event_loop: &ActiveEventLoop, outcome: Result<(), Box<dyn Error>>) {
        self.outcome = outcome;
        event_loop.exit();
    }
}

/// The library's part and the window. Fields are dropped in this order, the context last.
struct Fountain {
    gpu: Gpu,
    plan: Prepared,
    /// The streams of the last frame, and those of the next one, in turns.
    drops: Vec<Stream>,
    next: Vec<Stream>,
    /// Frames until now.
    frame: u32,
    gl: Rc<glow::Context>,
    program: glow::Program,
    shell: Shell,
}

impl Fountain {
    fn new(event_loop: &ActiveEventLoop) -> Result<Fountain, Box<dyn Error>> {
        // Yours: a window, its context, and state that stays as you set it.
        let shell = Shell::open(event_loop, TITLE, [1000, 700])?;
        let gl = Rc::new(shell.load());
        let program = shell::program(&gl, VERTEX, FRAGMENT)?;
        // SAFETY: the context is current, and the objects are its own.
        unsafe {
            gl.use_program(Some(program));
            for (unit, name) in (0..).zip(["u_x", "u_y", "u_vy", "u_number"]) {
                gl.uniform_1_i32(gl.get_uniform_location(program, name).as_ref(), unit);
            }
            gl.uniform_1_f32(gl.get_uniform_location(program, "u_height").as_ref(), HEIGHT as f32);
            gl.bind_vertex_array(Some(gl.create_vertex_array()?));
            gl.enable(glow::BLEND);
            gl.blend_func(glow::SRC_ALPHA, glow::ONE);
            if !gl.version().is_embedded {
                gl.enable(glow::PROGRAM_POINT_SIZE);
            }
        }

        // Ours: a plan, prepared once, and two sets of streams.
        // SAFETY: the functions were loaded for the context, which is current and stays so.
        let gpu = unsafe { Gpu::from_glow(Rc::clone(&gl)) }?;
        let plan = gpu.prepare(&drops::frame(gpu.device())?)?;
        let (drops, next) = (plan.new_outputs()?, plan.new_outputs()?);
        drops[4].write(&[0u32])?;
        Ok(Fountain { gpu, plan, drops, next, frame: 0, gl, program, shell })
    }

    /// Moves the drops, draws them, and asks for the next frame.
    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        self.plan.set("u_frame", Uniform::Int(self.frame as i32))?;
        self.plan.set("u_sway", Uniform::Int(drops::sway(self.frame)))?;
        let (from, to): (Vec<_>, Vec<_>) = (self.drops.iter().collect(), self.next.iter().collect());
        self.plan.run_into(&from, &to)?;
        std::mem::swap(&mut self.drops, &mut self.next);
        self.frame += 1;

        let [x, y, _, vy, number] = &self.drops[..] else { return Err("five streams".into()) };
        let size = self.shell.window.inner_size();
        let gl = &self.gl;
        // SAFETY: the context is current, and the textures are of this context.
        unsafe {
            gl.viewport(0, 0, size.width as i32, size.height as i32);
            gl.clear_color(0.02, 0.03, 0.07, 1.0);
            gl.clear(glow::COLOR_BUFFER_BIT);
            // The pool, below the ground.
            gl.enable(glow::SCISSOR_TEST);
            gl.scissor(0, 0, size.width as i32, size.height as i32 / 20);
            gl.clear_color(0.05, 0.16, 0.36, 1.0);
            gl.clear(glow::COLOR_BUFFER_BIT);
            gl.disable(glow::SCISSOR_TEST);
            for (unit, stream) in (glow::TEXTURE0..).zip([x, y, vy, number]) {
                gl.active_texture(unit);
                gl.bind_texture(glow::TEXTURE_2D, stream.texture());
            }
            let place = gl.get_uniform_location(self.program, "u_size");
            gl.uniform_2_f32(place.as_ref(), size.width as f32, size.height as f32);
            gl.draw_arrays(glow::POINTS, 0, CAPACITY as i32);
        }
        self.shell.window.pre_present_notify();
        self.shell.swap()?;
        self.shell.window.request_redraw();
        Ok(())
    }

    /// Reads the drops back and compares them with those of the CPU.
    fn check(&self) -> Result<(), Box<dyn Error>> {
        let mut expected = Vec::new();
        (0..self.frame).for_each(|frame| drops::step(&mut expected, frame));
        let number = self.drops[4].read::<u32>()?[0];
        if number as usize != expected.len() {
            return Err(format!("{number} drops, expected {}", expected.len()).into());
        }
        for (part, stream) in self.drops[..4].iter().enumerate() {
            let got = stream.read_first::<i32>(number.into())?;
            if let Some(drop) = (0..expected.len()).find(|&drop| got[drop] != expected[drop][part]) {
                let name = ["x", "y", "vx", "vy"][part];
                let (got, expected) = (got[drop], expected[drop][part]);
                return Err(format!("{name} of drop {drop} is {got}, expected {expected}").into());
            }
        }
        println!("frame {}: {number} drops, equal to the CPU's, on {}", self.frame, self.gpu.device());
        Ok(())
    }
}
