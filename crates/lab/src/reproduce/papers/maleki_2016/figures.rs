//! The paper's figures of the Titan X, with ours over its printed numbers. Those of the K40 are left to its
//! tables.

use rasterscan::ElementType;

use super::setup::{
    COPY, ELEMENTS, KEY, LOOK_BACK, SAM, SIZES, Shape, THREE_PHASE, VERY_LARGE, few, lengths, throughput,
    titan,
};
use crate::report::chart::{Figure, Panel, Role, Scale, Series};
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{axis, drawn, lines, log2_n, printed_line, series};
use crate::reproduce::printed::printed;
use crate::reproduce::rows::PaperRows;

/// Figures 6.1, 6.2, 6.5, 6.6, 6.9 and 6.10.
pub fn figures(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Figure> {
    let mut figures = Vec::new();
    let of = |numbers: [&'static str; 2]| ELEMENTS.into_iter().zip(numbers);
    figures.extend(of(["6.1", "6.2"]).map(|(element, number)| sums(rows, bounds, element, number)));
    for (numbers, shape) in
        [(["6.5", "6.6"], Shape::Order as fn(u32) -> Shape), (["6.9", "6.10"], Shape::Tuple)]
    {
        figures
            .extend(of(numbers).map(|(element, number)| generalized(rows, bounds, element, number, shape)));
    }
    figures
}

fn bits(element: ElementType) -> u32 {
    32 * element.words()
}

fn sums(rows: &PaperRows<'_>, bounds: &Bounds, element: ElementType, number: &str) -> Figure {
    let (shape, mut lengths) = (Shape::Order(1), lengths(bounds, element));
    let copies = ours(rows, COPY, Role::Limit, shape, element, &lengths);
    if element == ElementType::U32 {
        lengths.push(VERY_LARGE);
    }
    let mut lines = vec![copies];
    lines.extend(
        [THREE_PHASE, LOOK_BACK, SAM].map(|name| ours(rows, name, Role::Data, shape, element, &lengths)),
    );
    for (library, name) in [("THRUST", "Thrust"), ("CUDPP", "CUDPP"), ("CUB", "CUB"), ("SAM", SAM)] {
        lines.push(paper(library, name, shape, element));
    }
    Figure {
        title: format!(
            "Figure {number}: throughput of {}-bit integers, here and on the paper's Titan X",
            bits(element)
        ),
        description: "Items a second against n: three_phase, look_back and sam here, with a copy as the \
                      limit, and Thrust, CUDPP, CUB and SAM in the paper."
            .into(),
        panels: vec![panel(String::new(), lines)],
    }
}

fn generalized(
    rows: &PaperRows<'_>,
    bounds: &Bounds,
    element: ElementType,
    number: &str,
    shape: fn(u32) -> Shape,
) -> Figure {
    let lengths = few(bounds, element);
    let panels = SIZES.map(|size| {
        let shape = shape(size);
        let mut lines =
            Vec::from([LOOK_BACK, SAM].map(|name| ours(rows, name, Role::Data, shape, element, &lengths)));
        lines.extend(
            [("CUB", "CUB"), ("SAM", SAM)].map(|(library, name)| paper(library, name, shape, element)),
        );
        panel(shape.text(), lines)
    });
    let (what, how) = match shape(2) {
        Shape::Order(_) => ("Higher-order", "an iterated scan of first order"),
        Shape::Tuple(_) => ("Tuple-based", "a scan of a tuple-typed element"),
    };
    Figure {
        title: format!(
            "Figure {number}: {} throughput of {}-bit integers, here and on the paper's Titan X",
            what.to_lowercase(),
            bits(element)
        ),
        description: format!(
            "{what} sums, items a second against n: look_back, as {how}, and sam here, CUB and SAM in the \
             paper."
        ),
        panels: panels.into(),
    }
}

fn panel(title: String, series: Vec<Series>) -> Panel {
    let y = axis("items a second, 10\u{2079}", Scale::Log10);
    Panel::Lines(lines(title, log2_n(), y, drawn(series)))
}

fn ours(
    rows: &PaperRows<'_>,
    name: &str,
    role: Role,
    shape: Shape,
    element: ElementType,
    lengths: &[u32],
) -> Series {
    let own = lengths.iter().filter_map(|log2| rows.row(name, &shape.case(element, *log2)));
    series(name, role, own, |row| row.case.n() as f64, |row, ms| throughput(row.case.n(), ms))
}

/// The printed numbers at powers of two. A throughput that is printed as 0 has no place on the axis.
fn paper(library: &str, name: &str, shape: Shape, element: ElementType) -> Series {
    let (table, column) = titan(element).column(library, shape);
    let points = printed(KEY, table).column(&column).into_iter();
    printed_line(name, points.filter(|(n, y)| n.log2().fract() == 0.0 && *y > 0.0))
}
