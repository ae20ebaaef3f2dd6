//! The painter of drawings in egui: meshes, texts, and images of many small squares.

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{
    Align2, Color32, ColorImage, FontId, Id, Painter, Pos2, Rect, TextureHandle, TextureOptions, pos2, vec2,
};
use rasterscan_drawing::shape::Drawing;
use rasterscan_drawing::shape::{Anchor, Paint, Place, Shape, Stroke, Write};

use crate::looks;

/// The most shapes whose edges are smooth: more of them are drawn fast.
const MOST_SMOOTH: usize = 4096;

/// Paints a drawing in points of the screen. Images are kept from frame to frame, by `pane`. Lines that lie along pixels are
/// sharp without smoothing, except in a drawing without a pane, whose lines have dashes.
pub fn paint(painter: &Painter, pane: Option<usize>, drawing: &Drawing) {
    let mut mesh = Meshes::default();
    let few = drawing.shapes.iter().filter(|shape| is_slanted(shape)).nth(MOST_SMOOTH).is_none();
    for (number, shape) in drawing.shapes.iter().enumerate() {
        let smooths = few && is_slanted(shape);
        match shape {
            Shape::Path { points, closed: false, paint: Paint { fill: None, stroke: Some(stroke) } }
                if smooths || pane.is_none() =>
            {
                mesh.flush(painter);
                painter.extend(smooth(points, stroke));
            }
            Shape::Path { points, closed: true, paint: Paint { fill, stroke } } if smooths => {
                mesh.flush(painter);
                let points = points.iter().copied().map(point).collect();
                let fill = fill.map_or(Color32::TRANSPARENT, looks::of);
                painter.add(egui::Shape::convex_polygon(points, fill, edge(stroke.as_ref())));
            }
            Shape::Circle { centre, radius, paint: Paint { fill, stroke } } if smooths => {
                mesh.flush(painter);
                let fill = fill.map_or(Color32::TRANSPARENT, looks::of);
                painter.circle(point(*centre), *radius as f32, fill, edge(stroke.as_ref()));
            }
            Shape::Path { points, closed, paint } => mesh.path(points, *closed, paint),
            Shape::Circle { centre, radius, paint } => mesh.path(&round(*centre, *radius), true, paint),
            Shape::Cells { at, side, columns, colours } => {
                let pixels: Vec<Color32> = colours.iter().map(|colour| looks::of(*colour)).collect();
                let size = [*columns, colours.len() / (*columns).max(1)];
                let rect =
                    Rect::from_min_size(point(*at), vec2(size[0] as f32, size[1] as f32) * *side as f32);
                let most = painter.ctx().input(|input| input.max_texture_side);
                if size.iter().all(|side| *side > 0 && *side <= most) {
                    mesh.flush(painter);
                    image(painter, Id::new(("cells", pane, number)), ColorImage::new(size, pixels), rect);
                } else {
                    mesh.cells(rect.min, *side as f32, *columns, &pixels, painter.clip_rect());
                }
            }
            Shape::Text { at, text, write } => {
                mesh.flush(painter);
                letters(painter, *at, text, write);
            }
        }
    }
    mesh.flush(painter);
}

/// Returns whether a shape has an edge that does not lie along pixels.
fn is_slanted(shape: &Shape) -> bool {
    match shape {
        Shape::Path { points, .. } => {
            points.windows(2).any(|ends| ends[0].0 != ends[1].0 && ends[0].1 != ends[1].1)
        }
        Shape::Circle { .. } => true,
        Shape::Cells { .. } | Shape::Text { .. } => false,
    }
}

/// The edge of a shape that egui smooths.
fn edge(stroke: Option<&Stroke>) -> egui::Stroke {
    stroke
        .map_or(egui::Stroke::NONE, |stroke| egui::Stroke::new(stroke.width as f32, looks::of(stroke.colour)))
}

/// A line that egui smooths, dash by dash.
fn smooth(points: &[Place], stroke: &Stroke) -> Vec<egui::Shape> {
    let points: Vec<Pos2> = points.iter().copied().map(point).collect();
    let ink = egui::Stroke::new(stroke.width.max(1.0) as f32, looks::of(stroke.colour));
    let pairs = stroke.dashes.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    let (dashes, gaps): (Vec<f32>, Vec<f32>) = pairs.unzip();
    // A segment is moved to whole pixels: so are the lines of a grid, but not dots, some of which would be lost.
    let unmoved = |shape| match shape {
        egui::Shape::LineSegment { points, .. } => egui::Shape::line(points.to_vec(), ink),
        shape => shape,
    };
    match points[..] {
        [from, to] if dashes.is_empty() => vec![egui::Shape::line_segment([from, to], ink)],
        _ if dashes.is_empty() => vec![egui::Shape::line(points, ink)],
        _ => {
            let pieces = egui::Shape::dashed_line_with_offset(&points, ink, &dashes, &gaps, 0.0);
            pieces.into_iter().map(unmoved).collect()
        }
    }
}

fn point((x, y): Place) -> Pos2 {
    pos2(x as f32, y as f32)
}

fn round(centre: Place, radius: f64) -> Vec<Place> {
    const CORNERS: u32 = 20;
    let corner = |number| {
        let (sin, cos) = (f64::from(number) / f64::from(CORNERS) * std::f64::consts::TAU).sin_cos();
        (centre.0 + radius * cos, centre.1 + radius * sin)
    };
    (0..CORNERS).map(corner).collect()
}

/// Writes text on a base line. egui places text by its middle.
fn letters(painter: &Painter, at: Place, text: &str, write: &Write) {
    let font = match write.mono {
        true => FontId::monospace(write.size as f32),
        false => FontId::proportional(write.size as f32),
    };
    let align = match write.anchor {
        Anchor::Start => Align2::LEFT_CENTER,
        Anchor::Middle => Align2::CENTER_CENTER,
        Anchor::End => Align2::RIGHT_CENTER,
    };
    let middle = pos2(at.0 as f32, (at.1 - write.size * 0.36) as f32);
    if painter.clip_rect().expand(write.size as f32 * text.len() as f32).contains(middle) {
        painter.text(middle, align, text, font, looks::of(write.colour));
    }
}

fn image(painter: &Painter, name: Id, image: ColorImage, rect: Rect) {
    let known = painter.ctx().data(|data| data.get_temp::<TextureHandle>(name));
    let handle = match known {
        Some(mut handle) => {
            handle.set(image, TextureOptions::NEAREST);
            handle
        }
        None => {
            let handle = painter.ctx().load_texture("cells", image, TextureOptions::NEAREST);
            painter.ctx().data_mut(|data| data.insert_temp(name, handle.clone()));
            handle
        }
    };
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    painter.image(handle.id(), rect, whole, Color32::WHITE);
}

/// A mesh that collects polygons and lines, to be drawn in one call.
#[derive(Default)]
struct Meshes(Mesh);

impl Meshes {
    fn path(&mut self, points: &[Place], closed: bool, paint: &Paint) {
        let points: Vec<Pos2> = points.iter().copied().map(point).collect();
        if let (Some(fill), true) = (paint.fill, points.len() > 2) {
            let first = self.vertices(&points, looks::of(fill));
            for corner in 2..points.len() as u32 {
                self.0.add_triangle(first, first + corner - 1, first + corner);
            }
        }
        let Some(stroke) = paint.stroke else { return };
        let (width, colour) = (stroke.width as f32, looks::of(stroke.colour));
        let ends = points.iter().zip(points.iter().skip(1));
        let last = points.last().zip(points.first()).filter(|_| closed);
        for (from, to) in ends.chain(last) {
            // Corners are filled: lines of a closed path reach half a width beyond their ends.
            self.line(*from, *to, width, if closed { width / 2.0 } else { 0.0 }, colour);
        }
    }

    fn line(&mut self, from: Pos2, to: Pos2, width: f32, beyond: f32, colour: Color32) {
        let length = (to - from).length();
        if length <= 0.0 {
            return;
        }
        let along = (to - from) / length;
        let (across, beyond) = (along.rot90() * (width / 2.0), along * beyond);
        let (from, to) = (from - beyond, to + beyond);
        let first = self.vertices(&[from + across, to + across, to - across, from - across], colour);
        self.0.add_triangle(first, first + 1, first + 2);
        self.0.add_triangle(first, first + 2, first + 3);
    }

    /// Adds the visible squares.
    fn cells(&mut self, corner: Pos2, side: f32, columns: usize, colours: &[Color32], clip: Rect) {
        for (number, colour) in colours.iter().enumerate() {
            let (column, row) = (number % columns.max(1), number / columns.max(1));
            let corner = corner + vec2(column as f32, row as f32) * side;
            let rect = Rect::from_min_size(corner, vec2(side, side));
            if clip.intersects(rect) {
                self.0.add_colored_rect(rect, *colour);
            }
        }
    }

    fn vertices(&mut self, corners: &[Pos2], color: Color32) -> u32 {
        let first = self.0.vertices.len() as u32;
        self.0.vertices.extend(corners.iter().map(|pos| Vertex { pos: *pos, uv: WHITE_UV, color }));
        first
    }

    fn flush(&mut self, painter: &Painter) {
        if !self.0.is_empty() {
            painter.add(std::mem::take(&mut self.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_chart_differ_by_their_dashes() {
        let theme = rasterscan_drawing::theme::Theme::LIGHT;
        let pieces = |number| {
            let line = [(0.0, 0.0), (60.0, 80.0), (160.0, 80.0)];
            smooth(&line, &rasterscan_drawing::chart::stroke(number, &theme)).len()
        };
        let counts: Vec<usize> = (0..8).map(pieces).collect();
        assert!(counts[0] == 1 && counts[1..].iter().all(|count| *count > 8), "{counts:?}");
    }

    #[test]
    fn slanted_edges_are_smooth_unless_they_are_too_many() {
        let meshes = |lines: usize| {
            let ctx = egui::Context::default();
            looks::set(&ctx);
            let output = ctx.run_ui(egui::RawInput::default(), |ui| {
                let mut drawing = Drawing::new(0.0, 0.0);
                let stroke = Stroke::whole(rasterscan_drawing::colour::INK, 1.0);
                (0..lines).for_each(|_| drawing.line(vec![(0.0, 0.0), (10.0, 7.0)], stroke));
                paint(ui.painter(), Some(0), &drawing);
            });
            output.shapes.iter().filter(|shape| matches!(shape.shape, egui::Shape::Mesh(_))).count()
        };
        assert_eq!([meshes(2), meshes(MOST_SMOOTH + 1)], [0, 1]);
    }
}
