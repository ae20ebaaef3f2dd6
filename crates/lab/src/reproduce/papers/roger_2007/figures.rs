//! Figures 8 to 13, redrawn. Their points are lost in print, except those that table I has.

use super::parts::AlgorithmPart;
use super::setup::{
    BEST, BLELLOCH, COPY, GEOMETRY, HORN, LINES_ALONE, PAPER, PLAIN, SEARCH_ALONE, SHARE, SHORTEST, SIZES,
    SOME_SIZES, compacted, fixed, lengths, sized, table_1,
};
use super::speed_ups::COLUMNS;
use super::turns;
use crate::case::length;
use crate::report::chart::{
    Axis, Bar, Bars, Figure, Lines, Mark, Panel, Point, Role, Scale, Segment, Series,
};
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{axis, drawn, lines, log2_n, printed_line, series, times};
use crate::reproduce::rows::PaperRows;

pub fn figures(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Figure> {
    vec![
        turns::figure(),
        figure_8(rows),
        figure_9(rows, bounds),
        figure_10(rows, bounds),
        figure_11(rows, bounds),
        figure_12(rows),
        figure_13(rows, bounds),
    ]
}

fn linear_n() -> Axis {
    axis("n, elements", Scale::LinearFromZero)
}

fn panel(x: Axis, series: impl IntoIterator<Item = Series>, marks: Vec<Mark>) -> Panel {
    Panel::Lines(Lines { marks, ..lines("", x, axis("time, ms", Scale::LinearFromZero), drawn(series)) })
}

/// Time against n under another name, at the paper's share.
fn against_n(rows: &PaperRows<'_>, name: &str, shown: &str) -> Series {
    let own = rows.all().filter(|row| row.name == name && row.case.share() == Some(SHARE));
    series(shown, Role::Data, own, |row| row.case.n() as f64, |_, ms| ms)
}

fn figure_8(rows: &PaperRows<'_>) -> Figure {
    let sizes = SOME_SIZES.map(|size| against_n(rows, &sized(size), &format!("blocks of {size}")));
    Figure {
        title: "Figure 8: time against n, by the size of blocks".into(),
        description: "Blocks as the paper describes them, of five sizes, with even steps of n.".into(),
        panels: vec![panel(linear_n(), sizes, Vec::new())],
    }
}

fn figure_9(rows: &PaperRows<'_>, bounds: &Bounds) -> Figure {
    let n = fixed(bounds);
    let own = rows.all().filter(|row| row.case.n() == n && row.name == PAPER);
    let line = series("blocks", Role::Data, own, |row| 100.0 * row.case.share().unwrap_or(0.0), |_, ms| ms);
    let slowest = Mark::Vertical { at: 70.0, label: "the paper's slowest".into() };
    Figure {
        title: format!("Figure 9: time against the share kept, {} elements", length(n)),
        description: "Blocks as the paper describes them, by the share of elements that are kept.".into(),
        panels: vec![panel(axis("elements kept, %", Scale::Linear), [line], vec![slowest])],
    }
}

fn figure_10(rows: &PaperRows<'_>, bounds: &Bounds) -> Figure {
    let case = compacted(fixed(bounds));
    let bar = |size: u32| {
        let segment = |part: AlgorithmPart| {
            Some(Segment { name: part.name().into(), value: part.ms(rows, size, &case)? })
        };
        let parts = AlgorithmPart::OF_THE_PAPER.into_iter().chain([AlgorithmPart::Count]);
        let segments: Option<Vec<Segment>> = parts.map(segment).collect();
        Some(Bar { name: format!("blocks of {size}"), segments: segments? })
    };
    Figure {
        title: format!("Figure 10: time in each step, {} elements", length(case.n())),
        description: "Each pass timed alone, for each size of blocks.".into(),
        panels: vec![Panel::Bars(Bars {
            title: "Each pass timed alone".into(),
            axis: axis("time, ms", Scale::LinearFromZero),
            bars: SIZES.into_iter().filter_map(bar).collect(),
            marks: Vec::new(),
        })],
    }
}

fn figure_11(rows: &PaperRows<'_>, bounds: &Bounds) -> Figure {
    let case = compacted(fixed(bounds));
    let of_size = |name: &str| SIZES.into_iter().find(|size| sized(*size) == name);
    let own = rows.all().filter(|row| row.case == case && of_size(&row.name).is_some());
    let line =
        series("blocks", Role::Data, own, |row| of_size(&row.name).unwrap_or_default().into(), |_, ms| ms);
    let best = Mark::Vertical { at: BEST.into(), label: "the paper's best".into() };
    Figure {
        title: format!("Figure 11: time against the size of blocks, {} elements", length(case.n())),
        description: "Blocks as the paper describes them, by the number of elements in a block.".into(),
        panels: vec![panel(axis("elements in a block", Scale::Log2), [line], vec![best])],
    }
}

fn figure_12(rows: &PaperRows<'_>) -> Figure {
    let variants = [
        (PLAIN, "neither"),
        (LINES_ALONE, "single line drawing"),
        (SEARCH_ALONE, "improved search"),
        (PAPER, "both"),
    ];
    let lines = variants.map(|(name, shown)| {
        let mut line = against_n(rows, name, shown);
        // The others are not timed on shorter streams.
        line.points.retain(|point| point.x >= SHORTEST as f64);
        line
    });
    Figure {
        title: "Figure 12: time against n, with and without the two optimisations".into(),
        description: "Blocks with neither optimisation, with each of them, and with both.".into(),
        panels: vec![panel(linear_n(), lines, Vec::new())],
    }
}

fn figure_13(rows: &PaperRows<'_>, bounds: &Bounds) -> Figure {
    let names = [HORN, BLELLOCH, GEOMETRY, PAPER, COPY];
    let own = times("60% kept", rows, &names, |row| row.case.share() == Some(SHARE));
    let speed_up = |slow: &str, n: u64| {
        rows.factor(slow, PAPER, &compacted(n)).map(|factor| Point::new(n as f64, factor))
    };
    let ours = COLUMNS.map(|(column, slow, _)| Series {
        name: format!("over {column}"),
        points: lengths(bounds).into_iter().filter_map(|n| speed_up(slow, n)).collect(),
        role: Role::Data,
    });
    let paper = COLUMNS.map(|(column, ..)| printed_line(&format!("over {column}"), table_1().column(column)));
    let all = drawn(ours.into_iter().chain(paper));
    let title = "Table I: speed-up of blocks over the others";
    let mut speed_ups = lines(title, log2_n(), axis("speed-up", Scale::Log10), all);
    speed_ups.marks.push(Mark::Horizontal { at: 1.0, label: "as fast".into() });
    Figure {
        title: "Figure 13 and table I: blocks against three other compactions".into(),
        description: "Time against n of the paper's four compactions and of a copy pass; below, the \
                      speed-up of blocks, with the paper's own numbers."
            .into(),
        panels: vec![Panel::Lines(own), Panel::Lines(speed_ups)],
    }
}
