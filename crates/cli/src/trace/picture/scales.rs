//! Which colours values have: the same value has the same colour in all pictures of a recording.

use rasterscan::ElementType;
use rasterscan::Numbers;
use rasterscan::trace::{Content, Recording};
use rasterscan_app::colour::{Palette, Scale, extreme_identity};

use rasterscan_lab::number::{significant, thousands};
use rasterscan_lab::report::chart::colour::{Colour, GREY, INK};
use rasterscan_lab::report::chart::drawing::{Place, Shape, Stroke, Write};
use rasterscan_lab::report::chart::font;
use rasterscan_lab::report::chart::png::Canvas;

/// Where sums leave what they are made of so far behind, colours go by logarithms: from this many times as large on.
const FAR: f64 = 100.0;

/// The bar, its text, and the space between both.
const LENGTH: f64 = 120.0;
const THICK: f64 = 12.0;
const SIZE: f64 = 12.0;
const SPACE: f64 = 8.0;

/// A scale for each element that there is.
pub struct Scales {
    scales: Vec<(ElementType, Scale)>,
    /// Whether colours go by logarithms.
    log: bool,
    /// The request's own.
    main: ElementType,
}

impl Scales {
    pub fn new(recording: &Recording, palette: Palette) -> Scales {
        let contents =
            || recording.inputs.iter().chain(recording.passes.iter().flat_map(|pass| &pass.targets));
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            let scale = Scale::of(palette, values);
            (scale.low, scale.high)
        };
        let main = recording.request.element();
        let identity = extreme_identity(&recording.request, main);
        let own = |content: &&Content| content.values.element() == main;
        let of = |contents: &mut dyn Iterator<Item = &Content>| {
            let all = contents.filter(own).flat_map(|content| numbers(&content.values));
            ends(&mut all.filter(|value| Some(*value) != identity))
        };
        let (given, (low, high)) = (of(&mut recording.inputs.iter()), of(&mut contents()));
        let log = low >= 0.0 && high > given.1 * FAR && high > FAR;
        let scale = |element: ElementType| {
            let identity = extreme_identity(&recording.request, element);
            let of_element = contents().filter(|content| content.values.element() == element);
            let values = of_element.flat_map(|content| numbers(&content.values));
            let values = values.filter(|value| Some(*value) != identity);
            (element, Scale::of(palette, values.map(|value| placed(value, log))))
        };
        Scales { scales: ElementType::ALL.map(scale).into(), log, main }
    }

    fn of(&self, element: ElementType) -> Scale {
        let found = self.scales.iter().find(|(known, _)| *known == element);
        found.map_or(Scale::of(Palette::Grey, []), |(_, scale)| *scale)
    }

    /// The colour of a value of a stream; `None` behind the last.
    pub fn colour(&self, values: &Numbers, index: usize) -> Option<Colour> {
        let value = placed(values.to_f64(index)?, self.log);
        let [red, green, blue] = self.of(values.element()).colour(value);
        Some(Colour(red, green, blue))
    }

    /// The numbers at the ends of the bar.
    fn ends(&self) -> [String; 2] {
        let scale = self.of(self.main);
        let value = |place: f64| if self.log { place.exp_m1().round() } else { place };
        let high = number(value(scale.high)) + if self.log { ", log scale" } else { "" };
        [number(value(scale.low)), high]
    }

    /// What [`Self::bar`] takes of the width.
    pub fn bar_width(&self) -> f64 {
        self.ends().iter().map(|end| font::width(end, SIZE)).sum::<f64>() + LENGTH + 2.0 * SPACE
    }

    /// A bar of all colours, with the numbers at its ends, to the left of a place.
    pub fn bar(&self, (right, top): Place, canvas: &mut Canvas) {
        let palette = self.of(self.main).palette;
        let [low, high] = self.ends();
        let write = |at: Place, text: String| Shape::Text {
            at,
            text,
            write: Write { size: SIZE, ..Write::right(INK) },
        };
        let end = right - font::width(&high, SIZE) - SPACE;
        for step in 0..LENGTH as u32 {
            let [red, green, blue] = palette.at(f64::from(step) / (LENGTH - 1.0));
            let left = (end - LENGTH) as u32 + step;
            canvas.block(left, top as u32, 1, THICK as u32, Colour(red, green, blue));
        }
        let base = top + 10.5;
        canvas.draw(&write((right, base), high));
        canvas.draw(&write((end - LENGTH - SPACE, base), low));
        let corners = [(0.0, 0.0), (LENGTH, 0.0), (LENGTH, THICK), (0.0, THICK)];
        let left = (end - LENGTH).floor();
        let points = corners.map(|(x, y)| (left + x, top.floor() + y)).to_vec();
        canvas.draw(&Shape::Path { points, closed: true, paint: Stroke::whole(GREY, 1.0).into() });
    }
}

/// An end of the bar: exact where it is short.
fn number(value: f64) -> String {
    let exact = value.to_string();
    match exact.chars().all(|c| c.is_ascii_digit()) {
        true if exact.len() <= 12 => thousands(&exact),
        false if exact.len() <= 8 => exact,
        _ => significant(value),
    }
}

/// Where a value stands on a scale.
fn placed(value: f64, log: bool) -> f64 {
    if log && value >= 0.0 { value.ln_1p() } else { value }
}

fn numbers(values: &Numbers) -> impl Iterator<Item = f64> {
    (0..values.len()).filter_map(|index| values.to_f64(index))
}
