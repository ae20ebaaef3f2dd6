//! The paper's figure 4 as SVG: T(n) of its four patterns on k banks, both axes logarithmic.
//!
//! Source: capannini2011, section VII. The lines are the corrected closed forms, which are what the simulator counts.
//! They differ in dashes and marks as well as in colour, and each has its name beside it, so that neither colours nor a
//! legend have to be matched. The colours are those of Okabe and Ito, which remain distinct to the colour-blind.

use std::ops::Range;

use anyhow::anyhow;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use rasterscan_kmodel::{Model, Pattern, corrected};

use super::banks;
use rasterscan_lab::number;
use rasterscan_lab::number::grouped;

const SIZE: (u32, u32) = (960, 640);
/// Room on the right for the names of the lines.
const NAMES: i32 = 130;
/// Names are at least so far from one another.
const LINE_HEIGHT: i32 = 20;
const GREY: RGBColor = RGBColor(90, 90, 90);
const GRID: RGBColor = RGBColor(225, 225, 225);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Logarithms, Logarithms>>;

/// An axis of logarithms, with a line at each whole one.
struct Logarithms(Range<f64>);

impl Ranged for Logarithms {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.0.start) / (self.0.end - self.0.start);
        limit.0 + (share * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        (self.0.start.ceil() as i32..=self.0.end.floor() as i32).map(f64::from).collect()
    }

    fn range(&self) -> Range<f64> {
        self.0.clone()
    }
}

/// How a pattern's line looks.
struct Look {
    colour: RGBColor,
    width: u32,
    /// Lengths of a dash and of the gap after it; `None` is a whole line.
    dashes: Option<(u32, u32)>,
    mark: Mark,
}

enum Mark {
    Disc,
    Ring,
    Triangle,
    Cross,
}

fn look(pattern: Pattern) -> Look {
    let look = |red, green, blue, width, dashes, mark| Look {
        colour: RGBColor(red, green, blue),
        width,
        dashes,
        mark,
    };
    match pattern {
        Pattern::Cm => look(213, 94, 0, 2, Some((3, 4)), Mark::Cross),
        Pattern::NoPadding => look(160, 80, 130, 2, Some((14, 6)), Mark::Triangle),
        Pattern::Padding => look(0, 114, 178, 2, Some((8, 4)), Mark::Ring),
        _ => look(0, 0, 0, 2, None, Mark::Disc),
    }
}

/// The figure for k banks, from k elements on, so far that n and what comes after k² are seen.
pub fn figure(n: u64, k: u64) -> anyhow::Result<String> {
    let log_k = k.trailing_zeros();
    // One element has nothing to add, and no place on a logarithmic axis.
    let first = log_k.max(1);
    let last = (4 * log_k).max(n.trailing_zeros()).clamp(first + 8, 20.max(first + 8));
    let mut text = String::new();
    draw(&mut text, k, first, last).map_err(|error| anyhow!("cannot draw the figure: {error}"))?;
    Ok(described(&text, k))
}

/// What a screen reader says.
fn described(text: &str, k: u64) -> String {
    let names = Pattern::PAPER.map(Pattern::label).join(", ");
    let description = format!(
        "<title>K-model: T(n) on k = {}</title>\n\
         <desc>Latency of the stores of results of a scan against its number of elements, for {names}.</desc>\n",
        banks(k)
    );
    match text.find("<svg").and_then(|start| text[start..].find('>').map(|end| start + end + 1)) {
        Some(place) => format!("{}\n{description}{}\n", &text[..place], text[place..].trim_start()),
        None => text.into(),
    }
}

type Drawn<T> = Result<T, Box<dyn std::error::Error>>;

/// A pattern with log2 n and log2 T of each size.
type Line = (Pattern, Vec<(f64, f64)>);

fn lines(k: u64, first: u32, last: u32) -> [Line; 4] {
    let point = |pattern, model: Model| {
        (f64::from(model.log_n()), (corrected::latency(pattern, model) as f64).log2())
    };
    Pattern::PAPER.map(|pattern| {
        let models = (first..=last).filter_map(|p| Model::new(1 << p, k).ok());
        (pattern, models.map(|model| point(pattern, model)).collect())
    })
}

fn draw(text: &mut String, k: u64, first: u32, last: u32) -> Drawn<()> {
    let lines = lines(k, first, last);
    let heights = || lines.iter().flat_map(|(_, points)| points).map(|(_, y)| *y);
    let lowest = heights().fold(f64::INFINITY, f64::min).floor();
    let highest = heights().fold(0.0, f64::max).ceil();

    let root: Area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    // White, so that it can be read in dark viewers too.
    root.fill(&WHITE)?;
    let x = Logarithms(f64::from(first) - 0.25..f64::from(last) + 0.1);
    let y = Logarithms(lowest - 0.25..highest + 0.25);
    let mut chart = ChartBuilder::on(&root)
        .caption(
            format!("K-model: T(n), the latency of a scan's stores, on k = {}", banks(k)),
            ("sans-serif", 24),
        )
        .margin(14)
        .margin_right(NAMES)
        .x_label_area_size(58)
        .y_label_area_size(70)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(GREY)
        .x_desc("n, elements (log scale)")
        .y_desc("T, accesses one after the other (log scale)")
        .x_label_formatter(&|x| power(*x))
        .y_label_formatter(&|y| power(*y))
        .label_style(("sans-serif", 18))
        .axis_desc_style(("sans-serif", 19))
        .draw()?;
    mark_limit(&root, &chart, k)?;
    // LeftRight first: where Padding is as fast, its dashes are seen on the other's whole line.
    for (pattern, points) in lines.iter().rev() {
        draw_line(&chart, &look(*pattern), points)?;
    }
    draw_names(&root, &chart, &lines)?;
    root.present()?;
    Ok(())
}

/// Where Padding ends to be free of conflicts.
fn mark_limit(root: &Area, chart: &Chart, k: u64) -> Drawn<()> {
    let area = chart.plotting_area();
    let at = 2.0 * f64::from(k.trailing_zeros());
    let (x, y) = (area.get_x_range(), area.get_y_range());
    // On one bank there are no conflicts: a single unit has nobody to wait for.
    if k == 1 || !x.contains(&at) {
        return Ok(());
    }
    area.draw(&DashedPathElement::new([(at, y.start), (at, y.end)], 2, 4, GREY))?;
    // On the side that has the room.
    let (side, away) = if at < x.start.midpoint(x.end) { (HPos::Left, 6) } else { (HPos::Right, -6) };
    let style = ("sans-serif", 17).into_font().color(&GREY).pos(Pos::new(side, VPos::Bottom));
    let (x, y) = area.map_coordinate(&(at, y.start));
    let limit = grouped(k * k);
    root.draw(&Text::new(
        format!("n = k² = {limit}: Padding has conflicts beyond"),
        (x + away, y - 8),
        style,
    ))?;
    Ok(())
}

fn draw_line(chart: &Chart, look: &Look, points: &[(f64, f64)]) -> Drawn<()> {
    let area = chart.plotting_area();
    let stroke = look.colour.stroke_width(look.width);
    match look.dashes {
        Some((dash, gap)) => {
            area.draw(&DashedPathElement::new(points.iter().copied(), dash, gap, stroke))?;
        }
        None => area.draw(&PathElement::new(points, stroke))?,
    }
    for point in points {
        match look.mark {
            Mark::Disc => area.draw(&Circle::new(*point, 3, look.colour.filled()))?,
            Mark::Ring => area.draw(&Circle::new(*point, 6, stroke))?,
            Mark::Triangle => area.draw(&TriangleMarker::new(*point, 6, look.colour.filled()))?,
            Mark::Cross => area.draw(&Cross::new(*point, 4, stroke))?,
        }
    }
    Ok(())
}

/// The name of each line at its right end; where two lines end at the same height, one name below the other.
fn draw_names(root: &Area, chart: &Chart, lines: &[Line; 4]) -> Drawn<()> {
    let end = |(pattern, points): &Line| {
        let end = points.last().map(|point| chart.plotting_area().map_coordinate(point));
        end.map(|(x, y)| (y, x, *pattern))
    };
    let mut ends: Vec<(i32, i32, Pattern)> = lines.iter().filter_map(end).collect();
    ends.sort_by_key(|(y, ..)| *y);
    let mut free = i32::MIN;
    for (y, x, pattern) in ends {
        let height = y.max(free);
        free = height + LINE_HEIGHT;
        let colour = look(pattern).colour;
        let style = ("sans-serif", 19).into_font().color(&colour).pos(Pos::new(HPos::Left, VPos::Center));
        root.draw(&Text::new(pattern.label(), (x + 14, height), style))?;
    }
    Ok(())
}

/// 2 with a raised exponent, which is a whole number.
fn power(exponent: f64) -> String {
    number::power(2, exponent as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_raised() {
        assert_eq!([0.0, 4.0, 10.0].map(power), ["2⁰", "2⁴", "2¹⁰"]);
    }

    /// The height of a line's name, which the figure has once.
    fn height_of(name: &str, svg: &str) -> i32 {
        let text = format!("\n{name}\n</text>");
        assert_eq!(svg.matches(&text).count(), 1, "{name}\n{svg}");
        let (before, _) = svg.split_once(&text).unwrap();
        let (_, height) = before.rsplit_once(" y=\"").unwrap();
        height.split('"').next().unwrap().parse().unwrap()
    }

    /// For all that the command takes.
    #[test]
    fn all_lines_are_named_apart_and_have_heights() {
        for q in 0..=10 {
            for n in [1 << q, 1 << 20] {
                let svg = figure(n, 1 << q).unwrap();
                let heights = Pattern::PAPER.map(|pattern| height_of(pattern.label(), &svg));
                // From the slowest to the fastest, downwards, and inside.
                let apart = heights.windows(2).all(|pair| pair[1] - pair[0] >= LINE_HEIGHT);
                assert!(apart && heights[0] > 0 && heights[3] < SIZE.1 as i32, "k = 2^{q}: {heights:?}");
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "k = 2^{q}, n = {n}");
            }
        }
    }
}
