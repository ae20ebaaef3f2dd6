//! A map in a window of egui: the library compacts its land in egui's own context, and egui shows the result in place.
//!
//! egui paints through a `glow::Context`; the library gets the same one, and restores the state that it changes. Whenever
//! the slider moves, one compaction keeps the heights above the sea. Paint callbacks draw both streams from the library's
//! textures. Only the number of cells, for the line of text, comes back to the CPU, by a readback that waits for nothing.
//! With `--frames N` the sea rises by itself; after N frames the program reads the land once, compares it with that of the
//! CPU, and ends.

mod heights;
mod picture;
#[path = "../../winit/src/shell.rs"]
mod shell;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use egui::{CentralPanel, Slider, Ui};
use egui_glow::EguiGlow;
use rasterscan::compact::texture::PackedCompaction;
use rasterscan::{Algorithm, CompactSpec, Comparison, Condition, Gpu, Pending, Prepared, Stream};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::WindowId;

use heights::{PEAK, SIDE};
use picture::Pictures;
use shell::Shell;

const TITLE: &str = "rasterscan in egui: land above the sea";

fn main() -> ExitCode {
    shell::end(run())
}

fn run() -> Result<(), Box<dyn Error>> {
    let frames = shell::frames()?;
    let outcome = match frames {
        Some(_) => Err("closed before the last frame".into()),
        None => Ok(()),
    };
    let mut host = Host { frames, room: None, outcome };
    EventLoop::new()?.run_app(&mut host)?;
    host.outcome
}

struct Host {
    frames: Option<u32>,
    room: Option<Room>,
    outcome: Result<(), Box<dyn Error>>,
}

/// The contents of the window. Fields are dropped in this order, the context last.
struct Room {
    map: Map,
    egui: EguiGlow,
    /// Frames until now.
    frame: u32,
    shell: Shell,
}

impl ApplicationHandler for Host {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        match Room::new(event_loop) {
            Ok(room) => self.room = Some(room),
            Err(error) => self.end(event_loop, Err(error)),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(room) = &mut self.room else { return };
        match &event {
            WindowEvent::CloseRequested => return event_loop.exit(),
            WindowEvent::KeyboardInput { event, .. } if event.logical_key == Key::Named(NamedKey::Escape) => {
                return event_loop.exit();
            }
            WindowEvent::RedrawRequested => {
                match room.frame(self.frames) {
                    Err(error) => self.end(event_loop, Err(error)),
                    Ok(()) if Some(room.frame) == self.frames => {
                        let outcome = room.map.check(room.frame);
                        self.end(event_loop, outcome);
                    }
                    Ok(()) => {}
                }
                return;
            }
            WindowEvent::Resized(_) => room.shell.resize(),
            _ => {}
        }
        if room.egui.on_window_event(&room.shell.window, &event).repaint {
            room.shell.window.request_redraw();
        }
    }

    /// Drops what belongs to the context while there is one.
    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(mut room) = self.room.take() {
            room.egui.destroy();
        }
    }
}

impl Host {
    fn end(&mut self, event_loop: &ActiveEventLoop, outcome: Result<(), Box<dyn Error>>) {
        self.outcome = outcome;
        event_loop.exit();
    }
}

impl Room {
    fn new(event_loop: &ActiveEventLoop) -> Result<Room, Box<dyn Error>> {
        let shell = Shell::open(event_loop, TITLE, [1060, 660])?;
        #[allow(
            clippy::arc_with_non_send_sync,
            reason = "egui_glow asks for an Arc, and keeps it on its thread"
        )]
        let gl = Arc::new(shell.load());
        let egui = EguiGlow::new(event_loop, Arc::clone(&gl), None, None, true);
        Ok(Room { map: Map::new(gl)?, egui, frame: 0, shell })
    }

    /// Draws a frame, and asks for the next one if egui or `--frames` wants it.
    fn frame(&mut self, frames: Option<u32>) -> Result<(), Box<dyn Error>> {
        self.frame += 1;
        if let Some(frames) = frames {
            self.map.sea = (u64::from(PEAK) * u64::from(self.frame) / (2 * u64::from(frames))) as u32;
        }
        self.map.update()?;
        self.egui.run(&self.shell.window, |ui| self.map.ui(ui));
        self.egui.paint(&self.shell.window);
        self.shell.window.pre_present_notify();
        self.shell.swap()?;
        // egui asks by itself while something moves, and we do until the number has arrived.
        if frames.is_some() || self.map.is_behind() || self.egui.egui_ctx.has_requested_repaint() {
            self.shell.window.request_redraw();
        }
        Ok(())
    }
}

/// The library's part: heights, and those above the sea.
struct Map {
    gpu: Gpu,
    pictures: Pictures,
    /// Keeps the heights above the sea.
    keep: Prepared,
    heights: Stream,
    /// The heights that are kept, at the front, and their number.
    land: Vec<Stream>,
    /// As the slider has it, and as the land was found for.
    sea: u32,
    done: Option<u32>,
    /// The number of cells on its way to the CPU, and the last one that has arrived.
    coming: Option<Pending<u32>>,
    cells: u32,
}

fn above(sea: u32) -> Condition {
    Condition::new(Comparison::Greater, sea)
}

impl Map {
    fn new(gl: Arc<glow::Context>) -> Result<Map, Box<dyn Error>> {
        let pictures = Pictures::new(&gl)?;
        // SAFETY: the functions were loaded for the context, which is current and stays so.
        let gpu = unsafe { Gpu::from_glow(gl) }?;
        let sea = PEAK / 5;
        let spec = CompactSpec::new::<u32>((SIDE * SIDE) as usize).keep(above(sea));
        let keep = gpu.prepare(&PackedCompaction::default().plan(&spec, gpu.device())?)?;
        let (heights, land) = (keep.upload(&heights::heights())?, keep.new_outputs()?);
        Ok(Map { gpu, pictures, keep, heights, land, sea, done: None, coming: None, cells: 0 })
    }

    /// Finds the land if the sea has moved, and takes its number of cells if that has arrived.
    fn update(&mut self) -> Result<(), rasterscan::Error> {
        if self.done != Some(self.sea) {
            // One plan serves every level: its constant is a uniform.
            let (name, value) = above(self.sea).uniform();
            self.keep.set(name, value)?;
            self.keep.run_into([&self.heights], [&self.land[0], &self.land[1]])?;
            self.done = Some(self.sea);
            self.coming = Some(self.land[1].read_later()?);
        }
        if let Some(coming) = &mut self.coming
            && let Some(cells) = coming.poll()?
        {
            self.cells = cells[0];
            self.coming = None;
        }
        Ok(())
    }

    /// Returns true if the text or the pictures are not those of the slider yet.
    fn is_behind(&self) -> bool {
        self.coming.is_some() || self.done != Some(self.sea)
    }

    fn ui(&mut self, ui: &mut Ui) {
        CentralPanel::default().show(ui, |ui| {
            ui.heading("Land above the sea, compacted on the GPU");
            ui.label("Both pictures are drawn from the library's textures, in egui's own OpenGL context.");
            ui.add_space(8.0);
            ui.spacing_mut().slider_width = 400.0;
            ui.add(Slider::new(&mut self.sea, 0..=PEAK).text("sea level, in metres"));
            ui.label(format!("{} of {} cells are land.", self.cells, SIDE * SIDE));
            ui.add_space(8.0);
            let side = ((ui.available_width() - 16.0) / 2.0).min(ui.available_height() - 24.0).max(1.0);
            ui.horizontal(|ui| {
                let shown = [
                    ("The input: the map, row by row", &self.heights, Some(self.sea)),
                    ("The result: the land alone, in the same order", &self.land[0], None),
                ];
                for (text, heights, sea) in shown {
                    ui.vertical(|ui| {
                        ui.label(text);
                        self.pictures.show(ui, side, heights, &self.land[1], sea);
                    });
                }
            });
        });
    }

    /// Reads the land back and compares it with that of the CPU.
    fn check(&self, frame: u32) -> Result<(), Box<dyn Error>> {
        let expected: Vec<u32> = heights::heights().into_iter().filter(|&height| height > self.sea).collect();
        let number = self.land[1].read::<u32>()?[0];
        if number as usize != expected.len() {
            return Err(format!("{number} cells above {} m, expected {}", self.sea, expected.len()).into());
        }
        let got = self.land[0].read_first::<u32>(number.into())?;
        if let Some(cell) = (0..expected.len()).find(|&cell| got[cell] != expected[cell]) {
            return Err(format!("height {cell} is {}, expected {}", got[cell], expected[cell]).into());
        }
        let device = self.gpu.device();
        println!("frame {frame}: {number} cells above {} m, equal to the CPU's, on {device}", self.sea);
        Ok(())
    }
}
