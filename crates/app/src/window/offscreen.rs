//! Frames as pixels, without a window: for screenshots, exports and tests.

use egui::{Context, FullOutput, Pos2, RawInput, Rect, Theme, Ui, ViewportId, vec2};
use egui_glow::Painter;
use rasterscan::{Error, Gpu, HeadlessOptions};
use rasterscan_drawing::pixels::Pixels;

use super::gl::{Offscreen, PainterGl, for_painter};
use crate::App;

/// The look of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// Pixels per point.
    pub scale: f32,
    /// Light or dark.
    pub theme: Theme,
}

/// A drawn frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// The pixels, row by row from the top, four bytes each: red, green, blue, alpha.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// A PNG.
    ///
    /// Errors: as text.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        let rgb = self.pixels.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        Pixels { size: self.size, rgb }.png().map_err(|error| error.to_string())
    }
}

/// Draws frames into pixels.
pub struct Pictures {
    painter: Painter,
    canvas: Offscreen,
    ctx: Context,
    time: f64,
}

/// The frames that panels need to find their sizes.
const FRAMES: usize = 3;
/// The most frames for a picture that keeps asking for another.
const MOST_FRAMES: usize = 20;

impl Pictures {
    /// Makes pictures in a context of its own, without a window.
    ///
    /// Errors: as [`Gpu::headless`].
    pub fn headless() -> Result<Pictures, Error> {
        Pictures::headless_with(&HeadlessOptions::from_env()?)
    }

    /// Makes pictures in a context of its own, of this device and API.
    ///
    /// Errors: as [`Gpu::headless_with`].
    pub fn headless_with(options: &HeadlessOptions) -> Result<Pictures, Error> {
        // No debug output: this crate is not the place to report on the painter.
        let gpu = Gpu::headless_with(&HeadlessOptions { debug: false, ..*options })?;
        let failed = |what: String| Error::Gl { during: "making a painter", what };
        let gl = gpu.load_glow()?.ok_or_else(|| failed("the context cannot be loaded".into()))?;
        Pictures::new(gpu, for_painter(gl)).map_err(failed)
    }

    /// Makes pictures in an existing context, such as a window's.
    pub(super) fn new(gpu: Gpu, gl: PainterGl) -> Result<Pictures, String> {
        let painter = gpu.with_current(|_| Painter::new(gl, "", None, false));
        let painter = painter.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
        let canvas = Offscreen::new(gpu).map_err(|error| error.to_string())?;
        Ok(Pictures { painter, canvas, ctx: Context::default(), time: 0.0 })
    }

    /// Draws until nothing moves any more, and returns the last frame.
    ///
    /// Errors: as text, if the device cannot hold a picture of this size.
    pub fn draw(&mut self, look: &Look, mut ui: impl FnMut(&mut Ui)) -> Result<Picture, String> {
        self.ctx.set_theme(look.theme);
        let mut drawn = None;
        for frame in 1..=MOST_FRAMES {
            let output = self.frame(look, &mut ui);
            let again = output.viewport_output.values().any(|viewport| viewport.repaint_delay.is_zero());
            let last = (frame >= FRAMES && !again) || frame == MOST_FRAMES;
            self.take_textures(&output)?;
            drawn = Some(output);
            if last {
                break;
            }
        }
        match drawn {
            Some(output) => self.paint(look.size, output),
            None => Err("nothing was drawn".into()),
        }
    }

    /// Draws a single frame and returns the time it takes, painting included.
    pub fn time(&mut self, look: &Look, ui: impl FnMut(&mut Ui)) -> Result<std::time::Duration, String> {
        let begin = std::time::Instant::now();
        let output = self.frame(look, ui);
        self.take_textures(&output)?;
        self.paint(look.size, output)?;
        Ok(begin.elapsed())
    }

    fn frame(&mut self, look: &Look, ui: impl FnMut(&mut Ui)) -> FullOutput {
        self.time += 1.0 / 60.0;
        let [width, height] = look.size;
        let points = vec2(width as f32, height as f32) / (look.scale * self.ctx.zoom_factor());
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, points)),
            max_texture_side: Some(self.painter.max_texture_side()),
            time: Some(self.time),
            focused: true,
            ..RawInput::default()
        };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(look.scale);
        self.ctx.run_ui(input, ui)
    }

    fn take_textures(&mut self, output: &FullOutput) -> Result<(), String> {
        let painter = &mut self.painter;
        let taken = self.canvas.with(|| {
            for (id, delta) in &output.textures_delta.set {
                painter.set_texture(*id, delta);
            }
            for id in &output.textures_delta.free {
                painter.free_texture(*id);
            }
        });
        taken.map_err(|error| error.to_string())
    }

    /// Paints egui's output, whose textures are already loaded.
    fn paint(&mut self, size: [u32; 2], output: FullOutput) -> Result<Picture, String> {
        let primitives = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        let background = App::background(&self.ctx).to_normalized_gamma_f32();
        let painter = &mut self.painter;
        let pixels = self.canvas.fill(size, || {
            painter.clear(size, background);
            painter.paint_primitives(size, output.pixels_per_point, &primitives);
        });
        Ok(Picture { size, pixels: pixels.map_err(|error| error.to_string())? })
    }

    /// Paints the output of another egui context, such as a test's.
    pub fn paint_foreign(
        &mut self,
        ctx: &Context,
        output: &FullOutput,
        size: [u32; 2],
    ) -> Result<Picture, String> {
        let own = std::mem::replace(&mut self.ctx, ctx.clone());
        let picture = self.paint(size, output.clone());
        self.ctx = own;
        picture
    }

    /// Loads the textures of another egui context.
    pub fn take_foreign(&mut self, delta: &egui::TexturesDelta) -> Result<(), String> {
        self.take_textures(&FullOutput { textures_delta: delta.clone(), ..FullOutput::default() })
    }
}

impl Drop for Pictures {
    fn drop(&mut self) {
        // If the context is gone, so are the painter's objects.
        let _ = self.canvas.gpu().with_current(|_| self.painter.destroy());
    }
}
