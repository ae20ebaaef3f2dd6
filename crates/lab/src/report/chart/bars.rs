//! Horizontal bars, stacked from segments: a legend of segments, the bars with their sums, the axis below.

use super::figure::{Bar, Bars, MARGIN, SHEET, Scale, Segment, WIDTH};
use super::looks::Looks;
use crate::table::distinct;
use rasterscan_drawing::chart::Labels;
use rasterscan_drawing::colour::{GREY, GRID, INK};
use rasterscan_drawing::font;
use rasterscan_drawing::number::significant;
use rasterscan_drawing::ruler::Ruler;
use rasterscan_drawing::shape::{Drawing, LINE, Paint, Place, Stroke, TEXT, Write};

/// Thickness of a bar.
const THICK: f64 = 22.0;
/// Space between two bars.
const BETWEEN: f64 = 9.0;
/// Names wider than this are written in several lines.
const NAME: f64 = 440.0;
/// Width of the seam between two segments, in the colour of the paper.
const SEAM: f64 = 1.5;
const SWATCH: f64 = 14.0;

/// Draws the panel from `top` down, and returns the height at which it ends.
pub fn draw(bars: &Bars, looks: &Looks, drawing: &mut Drawing, top: f64) -> f64 {
    let mut top = SHEET.heading(drawing, &bars.title, top);
    let below = 2.0 * TEXT * LINE + 16.0;
    // Bars have a length, and so begin at zero, where there is one.
    let scale = if bars.axis.scale == Scale::Linear { Scale::LinearFromZero } else { bars.axis.scale };
    let sums: Vec<f64> =
        bars.bars.iter().map(|bar| segments(bar).map(|segment| segment.value).sum()).collect();
    let values: Vec<String> = sums.iter().map(|sum| value(*sum, &bars.axis.label)).collect();
    let names: Vec<Vec<String>> = bars.bars.iter().map(|bar| font::wrap(&bar.name, TEXT, NAME)).collect();

    let left = MARGIN + font::widest(names.iter().flatten(), TEXT) + 10.0;
    let measured = values.iter().zip(&sums).filter(|(_, sum)| **sum > 0.0).map(|(value, _)| value);
    let right = WIDTH - MARGIN - font::widest(measured, TEXT) - 8.0;
    let ends = bars.bars.iter().flat_map(ends).chain(bars.marks.iter().map(|(at, _)| *at));
    let most = ((right - left) / 64.0) as usize;
    let ruler =
        Ruler::new(scale, ends, most).filter(|_| sums.iter().any(|sum| scale.admits(*sum) && *sum > 0.0));
    let Some(ruler) = ruler else {
        return SHEET.nothing(drawing, top);
    };
    let x = |value: f64| left + ruler.share(value) * (right - left);

    top = legend(bars, looks, drawing, top);
    let marks =
        bars.marks.iter().filter(|(at, _)| scale.admits(*at)).map(|(at, label)| (x(*at), label.clone()));
    let labels = Labels::new(&SHEET, marks.collect(), MARGIN);
    top += labels.height();
    let heights: Vec<f64> =
        names.iter().map(|lines| THICK.max(lines.len() as f64 * TEXT * LINE) + BETWEEN).collect();
    let bottom = top + BETWEEN + heights.iter().sum::<f64>();

    for (share, text) in &ruler.ticks {
        let x = left + share * (right - left);
        drawing.line(vec![(x, top), (x, bottom)], Stroke::whole(GRID, 1.0));
        drawing.text((x, bottom + TEXT + 6.0), text, &Write::centre(INK));
    }
    drawing.text((left.midpoint(right), bottom + below - 8.0), &bars.axis.label, &Write::centre(GREY));

    let mut middles = Vec::new();
    let mut y = top + BETWEEN;
    for ((bar, lines), height) in bars.bars.iter().zip(&names).zip(&heights) {
        let middle = y + (height - BETWEEN) / 2.0;
        drawing.block((left - 10.0, middle), lines, &Write::right(INK));
        stack(bar, looks, x, middle, drawing);
        middles.push(middle);
        y += height;
    }
    drawing.line(vec![(left, top), (left, bottom), (right, bottom)], Stroke::whole(GREY, 1.0));
    labels.draw(drawing, (top, bottom));
    // Above the marks, which they may meet.
    for ((sum, value), middle) in sums.iter().zip(&values).zip(middles) {
        let end = if *sum > 0.0 { x(*sum) } else { left };
        drawing.block(
            (end + 6.0, middle),
            std::slice::from_ref(value),
            &Write { halo: true, ..Write::left(INK) },
        );
    }
    bottom + below
}

/// The segments that have a length.
fn segments(bar: &Bar) -> impl Iterator<Item = &Segment> {
    bar.segments.iter().filter(|segment| Scale::Log10.admits(segment.value))
}

/// The ends of a bar's segments.
fn ends(bar: &Bar) -> Vec<f64> {
    let sum = |sum: &mut f64, segment: &Segment| {
        *sum += segment.value;
        Some(*sum)
    };
    segments(bar).scan(0.0, sum).collect()
}

/// A sum with the unit of the axis, which is what follows its last comma.
fn value(sum: f64, label: &str) -> String {
    match label.rsplit_once(", ") {
        _ if sum <= 0.0 => "not measured".into(),
        Some((_, unit)) => format!("{} {unit}", significant(sum)),
        None => significant(sum),
    }
}

fn stack(bar: &Bar, looks: &Looks, x: impl Fn(f64) -> f64, middle: f64, drawing: &mut Drawing) {
    let ends = ends(bar);
    let mut start = x(0.0);
    for (i, (segment, end)) in segments(bar).zip(&ends).enumerate() {
        let end = x(*end);
        let seam = if i + 1 < ends.len() { SEAM.min((end - start) / 2.0) } else { 0.0 };
        let (top, bottom) = (middle - THICK / 2.0, middle + THICK / 2.0);
        drawing.rectangle((start, top), (end - seam, bottom), Paint::from(looks.segment(&segment.name)));
        start = end;
    }
}

/// The names of the segments, in rows; none if there is only one. Returns the height at which the panel continues.
fn legend(bars: &Bars, looks: &Looks, drawing: &mut Drawing, top: f64) -> f64 {
    let names = distinct(bars.bars.iter().flat_map(segments).map(|segment| segment.name.as_str()));
    if names.len() < 2 {
        return top;
    }
    let row = TEXT * LINE + 4.0;
    let (mut x, mut middle) = (MARGIN, top + row / 2.0);
    for name in names {
        let lines = font::wrap(name, TEXT, WIDTH - 2.0 * MARGIN - SWATCH - 6.0);
        let width = SWATCH + 6.0 + font::widest(&lines, TEXT);
        if x > MARGIN && x + width > WIDTH - MARGIN {
            (x, middle) = (MARGIN, middle + row);
        }
        let corner = |sign: f64| -> Place { (x + SWATCH / 2.0 * (1.0 + sign), middle + sign * SWATCH / 2.0) };
        drawing.rectangle(corner(-1.0), corner(1.0), Paint::from(looks.segment(name)));
        // A name of several lines pushes the next rows down.
        middle += (lines.len() as f64 - 1.0) * row / 2.0;
        drawing.block((x + SWATCH + 6.0, middle), &lines, &Write::left(INK));
        middle += (lines.len() as f64 - 1.0) * row / 2.0;
        x += width + 22.0;
    }
    middle + row / 2.0 + 6.0
}
