//! A drawing as the pixels of a PNG.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, RgbImage, RgbaImage};
use tiny_skia::{
    Color, FillRule, LineJoin, Paint as Ink, Path, PathBuilder, Pixmap, Stroke as Pen, StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

use super::colour::{Colour, PAPER};
use super::drawing::{Anchor, Drawing, Paint, Place, Shape, Stroke, WIDTH, Write};
use super::font;
use super::svg::HALO;

/// A reason why a drawing is not painted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PaintError {
    /// More pixels than there can be.
    #[error("the picture is too large")]
    TooLarge,
    /// The encoder of PNGs fails.
    #[error(transparent)]
    Encoder(#[from] image::ImageError),
}

/// At so many pixels a unit, on white.
pub fn paint(drawing: &Drawing, scale: f32) -> Result<Vec<u8>, PaintError> {
    let pixels = |length: f64| (length * f64::from(scale)).ceil() as u32;
    let mut canvas = Canvas::new(pixels(WIDTH), pixels(drawing.height), scale)?;
    for shape in &drawing.shapes {
        canvas.draw(shape);
    }
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::Adaptive);
    canvas.into_rgb()?.write_with_encoder(encoder)?;
    Ok(png)
}

/// Pixels that shapes are painted on, one after the other.
#[derive(Debug)]
pub struct Canvas {
    pixmap: Pixmap,
    transform: Transform,
}

impl Canvas {
    /// All paper, at so many pixels a unit.
    pub fn new(width: u32, height: u32, scale: f32) -> Result<Canvas, PaintError> {
        let mut pixmap = Pixmap::new(width, height).ok_or(PaintError::TooLarge)?;
        pixmap.fill(color(PAPER));
        Ok(Canvas { pixmap, transform: Transform::from_scale(scale, scale) })
    }

    /// What was painted.
    pub fn into_rgb(self) -> Result<RgbImage, PaintError> {
        let (width, height) = (self.pixmap.width(), self.pixmap.height());
        // Nothing is transparent: what is multiplied by alpha is the same as what is not.
        let image = RgbaImage::from_raw(width, height, self.pixmap.take());
        Ok(DynamicImage::ImageRgba8(image.ok_or(PaintError::TooLarge)?).into_rgb8())
    }

    /// Whole pixels of one colour; what is outside is left out.
    pub fn block(&mut self, left: u32, top: u32, width: u32, height: u32, colour: Colour) {
        let (columns, rows) = (self.pixmap.width(), self.pixmap.height());
        let (right, bottom) = (left.saturating_add(width).min(columns), top.saturating_add(height).min(rows));
        let pixel = color(colour).premultiply().to_color_u8();
        for y in top..bottom {
            let row = y as usize * columns as usize;
            if let Some(row) = self.pixmap.pixels_mut().get_mut(row + left as usize..row + right as usize) {
                row.fill(pixel);
            }
        }
    }

    /// Paints a shape over what is there.
    pub fn draw(&mut self, shape: &Shape) {
        let mut builder = PathBuilder::new();
        let paint = match shape {
            Shape::Path { points, closed, paint } => {
                for (i, (x, y)) in points.iter().map(|(x, y)| (*x as f32, *y as f32)).enumerate() {
                    if i == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
                }
                if *closed {
                    builder.close();
                }
                *paint
            }
            Shape::Circle { centre, radius, paint } => {
                builder.push_circle(centre.0 as f32, centre.1 as f32, *radius as f32);
                *paint
            }
            Shape::Text { at, text, write } => {
                font::outline(text, write.size, left(*at, text, write), at.1, &mut Letters(&mut builder));
                Paint::from(write.colour)
            }
        };
        // Nothing to draw: blank text, a point.
        let Some(path) = builder.finish() else { return };
        if matches!(shape, Shape::Text { write, .. } if write.halo) {
            self.stroke(&path, &Stroke::whole(PAPER, HALO));
        }
        if let Some(colour) = paint.fill {
            self.pixmap.fill_path(&path, &ink(colour), FillRule::Winding, self.transform, None);
        }
        if let Some(stroke) = paint.stroke {
            self.stroke(&path, &stroke);
        }
    }

    fn stroke(&mut self, path: &Path, stroke: &Stroke) {
        let pen = Pen {
            width: stroke.width as f32,
            line_join: LineJoin::Round,
            dash: StrokeDash::new(stroke.dashes.to_vec(), 0.0),
            ..Pen::default()
        };
        self.pixmap.stroke_path(path, &ink(stroke.colour), &pen, self.transform, None);
    }
}

fn left(at: Place, text: &str, write: &Write) -> f64 {
    let share = match write.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5,
        Anchor::End => 1.0,
    };
    at.0 - share * font::width(text, write.size)
}

fn color(colour: Colour) -> Color {
    Color::from_rgba8(colour.0, colour.1, colour.2, 255)
}

fn ink(colour: Colour) -> Ink<'static> {
    let mut ink = Ink { anti_alias: true, ..Ink::default() };
    ink.set_color(color(colour));
    ink
}

/// The outlines of letters, as parts of a path.
struct Letters<'a>(&'a mut PathBuilder);

impl OutlineBuilder for Letters<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
