//! Drawings as pixels, and pixels as PNG: a picture, or a film of several.

use std::borrow::Cow;

use tiny_skia::{
    Color, FillRule, LineJoin, Paint as Ink, Path, PathBuilder, Pixmap, Rect, Stroke as Pen, StrokeDash,
    Transform,
};
use ttf_parser::OutlineBuilder;

use crate::colour::Colour;
use crate::font;
use crate::shape::{Anchor, Drawing, Paint, Place, Shape, Stroke, Write};
use crate::svg::HALO;

/// A reason why a drawing is not painted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PaintError {
    /// More pixels than there can be.
    #[error("the picture is too large")]
    TooLarge,
    /// A film without frames, or with frames of several sizes.
    #[error("an animation needs frames, all of one size")]
    Frames,
    /// The encoder of PNGs fails.
    #[error(transparent)]
    Encoder(#[from] png::EncodingError),
}

/// A painted drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Width and height.
    pub size: [u32; 2],
    /// Row by row from the top; red, green and blue of each pixel.
    pub rgb: Vec<u8>,
}

/// Paints a drawing at `scale` pixels per point.
///
/// Errors: [`PaintError::TooLarge`].
pub fn paint(drawing: &Drawing, scale: f32) -> Result<Pixels, PaintError> {
    let pixels = |length: f64| (length * f64::from(scale)).ceil() as u32;
    let size = [pixels(drawing.width), pixels(drawing.height)];
    let mut pixmap = Pixmap::new(size[0], size[1]).ok_or(PaintError::TooLarge)?;
    pixmap.fill(color(drawing.paper));
    let transform = Transform::from_scale(scale, scale);
    let mut canvas = Canvas { pixmap, transform, paper: drawing.paper };
    for shape in &drawing.shapes {
        canvas.draw(shape);
    }
    // Nothing is transparent, so that the premultiplied colours are the colours themselves.
    let rgb = canvas.pixmap.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    Ok(Pixels { size, rgb: rgb.collect() })
}

impl Pixels {
    /// A PNG.
    ///
    /// Errors: [`PaintError::Encoder`].
    pub fn png(&self) -> Result<Vec<u8>, PaintError> {
        let mut bytes = Vec::new();
        self.encoder(&mut bytes).write_header()?.write_image_data(&self.rgb)?;
        Ok(bytes)
    }

    fn encoder<'a>(&self, bytes: &'a mut Vec<u8>) -> png::Encoder<'static, &'a mut Vec<u8>> {
        let mut encoder = png::Encoder::new(bytes, self.size[0], self.size[1]);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder
    }
}

/// The time of a frame, and of the last one, in tenths of a second.
const SHOWN: u16 = 10;
const LAST_SHOWN: u16 = 25;

/// An animated PNG of `count` frames, which repeats for ever. A viewer that does not know animations shows the first
/// frame. Each frame is painted when it is needed.
///
/// Errors: [`PaintError::Frames`], [`PaintError::Encoder`], and those of the frames.
pub fn film<E: From<PaintError>>(
    count: usize,
    mut frames: impl FnMut(usize) -> Result<Pixels, E>,
) -> Result<Vec<u8>, E> {
    let failed = |error: png::EncodingError| E::from(PaintError::from(error));
    if count == 0 {
        return Err(PaintError::Frames.into());
    }
    let mut bytes = Vec::new();
    let first = frames(0)?;
    let mut encoder = first.encoder(&mut bytes);
    if count > 1 {
        encoder.set_animated(count as u32, 0).map_err(failed)?;
        encoder.set_frame_delay(SHOWN, 10).map_err(failed)?;
    }
    let mut writer = encoder.write_header().map_err(failed)?;
    for number in 0..count {
        if number > 0 && number + 1 == count {
            writer.set_frame_delay(LAST_SHOWN, 10).map_err(failed)?;
        }
        let frame = if number == 0 { Cow::Borrowed(&first) } else { Cow::Owned(frames(number)?) };
        if frame.size != first.size {
            return Err(PaintError::Frames.into());
        }
        writer.write_image_data(&frame.rgb).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

/// Pixels that shapes are painted on, one after the other.
struct Canvas {
    pixmap: Pixmap,
    transform: Transform,
    paper: Colour,
}

impl Canvas {
    /// Paints a shape over what is there.
    fn draw(&mut self, shape: &Shape) {
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
            Shape::Cells { at, side, columns, colours } => {
                self.cells(*at, *side, *columns, colours);
                return;
            }
            Shape::Text { at, text, write } => {
                font::outline(text, write.size, left(*at, text, write), at.1, &mut Letters(&mut builder));
                Paint::from(write.colour)
            }
        };
        // Nothing to draw: blank text, a point.
        let Some(path) = builder.finish() else { return };
        if matches!(shape, Shape::Text { write, .. } if write.halo) {
            self.stroke(&path, &Stroke::whole(self.paper, HALO));
        }
        if let Some(colour) = paint.fill {
            self.pixmap.fill_path(&path, &ink(colour), FillRule::Winding, self.transform, None);
        }
        if let Some(stroke) = paint.stroke {
            self.stroke(&path, &stroke);
        }
    }

    /// Paints squares without anti-aliasing: neighbours share their edges.
    fn cells(&mut self, at: Place, side: f64, columns: usize, colours: &[Colour]) {
        let crisp = |colour| Ink { anti_alias: false, ..ink(colour) };
        for (number, colour) in colours.iter().enumerate() {
            let (column, row) = (number % columns.max(1), number / columns.max(1));
            let (x, y) = (at.0 + column as f64 * side, at.1 + row as f64 * side);
            if let Some(rect) = Rect::from_xywh(x as f32, y as f32, side as f32, side as f32) {
                self.pixmap.fill_rect(rect, &crisp(*colour), self.transform, None);
            }
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
