//! Which colours values have: the same value has the same colour in all pictures of a recording.

use rasterscan::trace::colour::{Palette, Scale};
use rasterscan::trace::{Recording, Values};
use rasterscan::{Element, ElementType, Operator, Request};

use crate::report::chart::drawing::{Colour, Place, Shape, Stroke, Write};
use crate::report::chart::looks::{GREY, INK};
use crate::report::chart::png::Canvas;
use crate::report::chart::significant;

/// A scale for each element that there is.
pub struct Scales {
    scales: Vec<(ElementType, Scale)>,
    /// The request's own.
    main: ElementType,
}

impl Scales {
    pub fn new(recording: &Recording, palette: Palette) -> Scales {
        let contents =
            || recording.inputs.iter().chain(recording.passes.iter().flat_map(|pass| &pass.targets));
        let scale = |element: ElementType| {
            let identity = extreme_identity(&recording.request, element);
            let of_element = contents().filter(|content| content.values.element == element);
            let values = of_element.flat_map(|content| numbers(&content.values));
            (element, Scale::of(palette, values.filter(|value| Some(*value) != identity)))
        };
        Scales { scales: ElementType::ALL.map(scale).into(), main: recording.request.element() }
    }

    pub fn of(&self, element: ElementType) -> Scale {
        let found = self.scales.iter().find(|(known, _)| *known == element);
        found.map_or(Scale::of(Palette::Grey, []), |(_, scale)| *scale)
    }

    /// A bar of all colours, with the numbers at its ends, to the left of a place.
    pub fn bar(&self, (right, top): Place, canvas: &mut Canvas) {
        const LENGTH: f64 = 120.0;
        const THICK: f64 = 12.0;
        let scale = self.of(self.main);
        let text = |at: Place, text: String, write: Write| Shape::Text {
            at,
            text,
            write: Write { size: 12.0, ..write },
        };
        let high = number(scale.high);
        let end = right - crate::report::chart::font::width(&high, 12.0) - 8.0;
        for step in 0..LENGTH as u32 {
            let [red, green, blue] = scale.palette.at(f64::from(step) / (LENGTH - 1.0));
            let left = (end - LENGTH) as u32 + step;
            canvas.block(left, top as u32, 1, THICK as u32, Colour(red, green, blue));
        }
        let base = top + 10.5;
        canvas.draw(&text((right, base), high, Write::right(INK)));
        canvas.draw(&text((end - LENGTH - 8.0, base), number(scale.low), Write::right(INK)));
        let corners = [(0.0, 0.0), (LENGTH, 0.0), (LENGTH, THICK), (0.0, THICK)];
        let left = (end - LENGTH).floor();
        let points = corners.map(|(x, y)| (left + x, top.floor() + y)).to_vec();
        canvas.draw(&Shape::Path { points, closed: true, paint: Stroke::whole(GREY, 1.0).into() });
    }
}

/// An end of the bar: exact where it is short.
fn number(value: f64) -> String {
    let exact = value.to_string();
    if exact.len() <= 10 { exact } else { significant(value) }
}

pub fn numbers(values: &Values) -> impl Iterator<Item = f64> {
    (0..values.len()).filter_map(|index| values.to_f64(index))
}

/// The identity of an operator, where it is the highest or the lowest of all numbers: beside it all others would have one
/// colour. It has that of an end.
fn extreme_identity(request: &Request, element: ElementType) -> Option<f64> {
    fn of<T: Element>(operator: Operator) -> f64 {
        operator.identity::<T>()[0].to_f64()
    }
    let Request::Scan(spec) = request else { return None };
    if !matches!(spec.operator, Operator::Min | Operator::Max | Operator::And) {
        return None;
    }
    Some(match element {
        ElementType::U32 => of::<u32>(spec.operator),
        ElementType::I32 => of::<i32>(spec.operator),
        ElementType::F32 => of::<f32>(spec.operator),
        ElementType::U64 => of::<u64>(spec.operator),
        ElementType::I64 => of::<i64>(spec.operator),
    })
}
