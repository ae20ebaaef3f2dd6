//! The bar of colours: which colour stands for which value.

use rasterscan_drawing::colour::{Colour, Scale};
use rasterscan_drawing::font;
use rasterscan_drawing::number::{significant, thousands};
use rasterscan_drawing::shape::{Drawing, Paint, Stroke, Write};
use rasterscan_lesson::phrases::say;

use crate::style::{ColourRange, Style};
use crate::subject::Subject;

/// The height of the bar, in points.
pub const HEIGHT: f64 = 12.0;
/// Greatest length and text size of the bar, and the space beside it.
const LENGTH: f64 = 160.0;
const SIZE: f64 = 12.0;
const SPACE: f64 = 8.0;

/// The scale of the whole run; `None` if each stream has its own.
pub fn scale(subject: &Subject, style: &Style) -> Option<Scale> {
    let element = subject.recording.request.element();
    (style.range == ColourRange::Run).then(|| subject.scale(element, style.palette))
}

/// Draws all colours, from the least value to the greatest, in a room of this width.
pub fn draw(drawing: &mut Drawing, (left, top): (f64, f64), room: f64, scale: &Scale, style: &Style) {
    let write = Write { size: SIZE, ..Write::left(style.theme.faint) };
    let base = top + HEIGHT - 2.0;
    let (low, high) = (end(scale.low), end(scale.high));
    drawing.text((left, base), &low, &write);
    let high = if scale.log { format!("{high}, {}", say("log scale")) } else { high };
    let ends = font::width(&low, SIZE) + font::width(&high, SIZE) + 2.0 * SPACE;
    const STEP: f64 = 2.0;
    let steps = ((room - ends).min(LENGTH) / STEP).max(8.0) as u32;
    let length = f64::from(steps) * STEP;
    let left = (left + font::width(&low, SIZE) + SPACE).round();
    for step in 0..steps {
        let colour = scale.palette.at(f64::from(step) / f64::from(steps - 1));
        let from = (left + f64::from(step) * STEP, top);
        drawing.rectangle(from, (from.0 + STEP, top + HEIGHT), Paint::from(Colour::from(colour)));
    }
    let frame = Paint::from(Stroke::whole(style.theme.faint, 1.0));
    drawing.rectangle((left, top), (left + length, top + HEIGHT), frame);
    drawing.text((left + length + SPACE, base), &high, &write);
}

/// The number at an end of the bar: exact if it is short.
fn end(value: f64) -> String {
    let exact = value.to_string();
    match exact.chars().all(|c| c.is_ascii_digit()) {
        true if exact.len() <= 12 => thousands(&exact),
        false if exact.len() <= 8 => exact,
        _ => significant(value),
    }
}
