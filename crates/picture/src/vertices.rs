//! The vertices of a pass that draws segments, counted beside its target, and those that points would take.

use emath::{Rect, pos2};
use rasterscan::trace::RecordedPass;
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::work;

use rasterscan_drawing::colour::Colour;
use rasterscan_drawing::font;
use rasterscan_drawing::shape::{Drawing, LINE, Paint, Place, Stroke, Write};
use rasterscan_drawing::theme::{ACCENT, Theme};

use crate::block::Block;

/// The size of text.
const TEXT: f64 = 12.5;
/// The radius of a vertex among the counted ones, and the distance from one to the next.
const RADIUS: f64 = 2.8;
const STEP: f64 = 9.5;
/// The distance from the target, whose last vertices may lie beyond its edge.
const APART: f32 = 14.0;
/// The least room that is used, and the most of it.
const ROOM: (f32, f32) = (150.0, 230.0);
/// The most vertices that are drawn one by one.
const MOST: u64 = 128;

/// A vertex: at the beginning of a line a disc, at its end a ring.
pub fn vertex(drawing: &mut Drawing, at: Place, radius: f64, ends: bool, theme: &Theme) {
    let edge = Stroke::whole(if ends { ACCENT } else { Colour::grey(20) }, if ends { 1.6 } else { 0.8 });
    let fill = if ends { theme.paper } else { ACCENT };
    drawing.circle(at, radius, Paint { fill: Some(fill), stroke: Some(edge) });
}

/// Counts the vertices of a pass at the right of its target, where there is room beside all streams.
pub fn counted(
    drawing: &mut Drawing,
    (pass, elements): (&RecordedPass, u64),
    (target, blocks): (&Block, &[Block]),
    clip: Rect,
    theme: &Theme,
) {
    let Some([all, each]) = work::segment_vertices(pass) else { return };
    let beside = target.rect.right() + target.zoom() + APART;
    let room = Rect::from_min_max(pos2(beside, target.rect.top()), clip.max);
    let room = room.with_max_x(room.right().min(beside + ROOM.1));
    if room.width() < ROOM.0 || all > MOST || elements > MOST {
        return;
    }
    let lines = format!("{} segments, {each} vertices each: {all}", all / each);
    let points = format!("As points, one for each element: {elements}");
    let size = TEXT * theme.letters;
    let [lines, points] = [lines, points].map(|text| font::wrap(&say(text), size, room.width().into()));
    // Whole segments in a row.
    let columns = ((f64::from(room.width()) / STEP) as u64 / each * each).clamp(each, 32 / each * each);
    let rows = |count: u64| count.div_ceil(columns) as f64 * STEP;
    let texts = (lines.len() + points.len()) as f64 * size * LINE;
    let height = texts + rows(all) + rows(elements) + 26.0;
    let room = room.with_max_y(room.top() + height as f32);
    if room.bottom() > clip.bottom() || blocks.iter().any(|block| block.rect.intersects(room)) {
        return;
    }
    let left = f64::from(room.left());
    let mut top = f64::from(room.top());
    for (text, count, each) in [(lines, all, each), (points, elements, 1)] {
        for line in &text {
            top += size * LINE;
            drawing.text((left, top - size * 0.3), line, &Write { size: TEXT, ..Write::left(theme.ink) });
        }
        top += 6.0;
        let at = |number: u64| {
            let (column, row) = (number % columns, number / columns);
            (left + RADIUS + column as f64 * STEP, top + RADIUS + row as f64 * STEP)
        };
        for number in 0..count {
            let ends = each > 1 && number % each + 1 == each;
            if each > 1 && !ends {
                drawing.line(vec![at(number), at(number + 1)], Stroke::whole(ACCENT, 1.6));
            }
            vertex(drawing, at(number), RADIUS, ends, theme);
        }
        top += rows(count) + 14.0;
    }
}
