//! A comparison as a picture: the time of a run and of an item against the length, and where the time of the longest stream
//! goes.

use super::document::CompareDocument;
use crate::cell::Row;
use crate::report::chart::{
    Axis, Bar, Bars, Figure, Lines, Panel, Point, Role, SEGMENTS, Scale, Segment, Series,
};

/// The most bars: those of the fastest contenders.
const MOST_BARS: usize = 16;

/// The chart of a comparison.
pub fn figure(comparison: &CompareDocument) -> Figure {
    let cases = comparison.distinct_cases();
    let title = match cases.first() {
        Some(case) => {
            let alone = case.with_len(0);
            let same = cases.iter().all(|other| other.with_len(0) == alone);
            let particulars = if same { case.particulars() } else { String::new() };
            let comma = if particulars.is_empty() { "" } else { ", " };
            let problem = comparison.rows[0].case.problem();
            format!("{problem}{comma}{particulars}: {}", comparison.machine.renderer)
        }
        None => format!("nothing was measured: {}", comparison.machine.renderer),
    };
    let rows = &comparison.rows;
    Figure {
        description: format!("{title}. The time of a run, of an item, and of the passes."),
        title,
        panels: vec![
            Panel::Lines(lines("Time of a run", "time, ms", rows, |_, ms| ms)),
            Panel::Lines(lines("Time of an item", "time, ns", rows, |row, ms| {
                ms * 1e6 / row.case.n() as f64
            })),
            Panel::Bars(phases(comparison)),
        ],
    }
}

/// A row as a point at the height `y` of its time; without an interval, it has no bars.
pub(crate) fn point(row: &Row, x: f64, y: impl Fn(&Row, f64) -> f64) -> Point {
    let (low, high) = row.interval().unwrap_or((row.ms, row.ms));
    let (one, other) = (y(row, low), y(row, high));
    Point { x, y: y(row, row.ms), low: one.min(other), high: one.max(other) }
}

fn lines(title: &str, unit: &str, rows: &[Row], y: impl Fn(&Row, f64) -> f64) -> Lines {
    let mut series: Vec<Series> = Vec::new();
    let several = rows.iter().any(|row| row.case.particulars() != rows[0].case.particulars());
    for row in rows {
        let name = match row.case.particulars() {
            particulars if several && !particulars.is_empty() => format!("{} ({particulars})", row.name),
            _ => row.name.clone(),
        };
        let place = match series.iter().position(|series| series.name == name) {
            Some(place) => place,
            None => {
                let role = if row.name.starts_with("copy:") { Role::Limit } else { Role::Data };
                series.push(Series { name, points: Vec::new(), role });
                series.len() - 1
            }
        };
        series[place].points.push(point(row, row.case.n() as f64, &y));
    }
    Lines {
        title: title.into(),
        x: Axis { label: "n, items".into(), scale: Scale::Log2 },
        y: Axis { label: unit.into(), scale: Scale::Log10 },
        series,
        marks: Vec::new(),
    }
}

/// The bars of the longest stream, by phases.
fn phases(comparison: &CompareDocument) -> Bars {
    let case = comparison.distinct_cases().into_iter().max_by_key(|case| case.n());
    let mut rows: Vec<&Row> = comparison.rows.iter().filter(|row| Some(&row.case) == case).collect();
    rows.sort_by(|a, b| a.ms.total_cmp(&b.ms));
    rows.truncate(MOST_BARS);
    Bars {
        title: match case {
            Some(case) => format!("The passes, each timed alone: {case}"),
            None => "The passes".into(),
        },
        axis: Axis { label: "time, ms".into(), scale: Scale::LinearFromZero },
        bars: in_few_colours(rows.into_iter().map(bar).collect()),
        marks: Vec::new(),
    }
}

/// The same bars without more names of segments than there are colours: those stay that are the largest part of some bar.
fn in_few_colours(mut bars: Vec<Bar>) -> Vec<Bar> {
    let mut parts: Vec<(String, f64)> = Vec::new();
    for bar in &bars {
        let whole: f64 = bar.segments.iter().map(|segment| segment.value).sum();
        for segment in &bar.segments {
            let part = segment.value / whole;
            match parts.iter_mut().find(|(name, _)| *name == segment.name) {
                Some((_, most)) => *most = most.max(part),
                None => parts.push((segment.name.clone(), part)),
            }
        }
    }
    if parts.len() <= SEGMENTS {
        return bars;
    }
    parts.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    for bar in &mut bars {
        let is_kept = |segment: &Segment| parts[..SEGMENTS - 1].iter().any(|(name, _)| *name == segment.name);
        let (mut kept, others): (Vec<Segment>, Vec<Segment>) = bar.segments.drain(..).partition(is_kept);
        if !others.is_empty() {
            let value = others.iter().map(|segment| segment.value).sum();
            kept.push(Segment { name: "others".into(), value });
        }
        bar.segments = kept;
    }
    bars
}

/// The bar of a row: its phases or, if there are none, the whole time.
fn bar(row: &Row) -> Bar {
    let mut segments: Vec<Segment> = Vec::new();
    for phase in &row.phases {
        match segments.iter_mut().find(|segment| segment.name == phase.name) {
            Some(segment) => segment.value += phase.ms,
            None => segments.push(Segment { name: phase.name.clone(), value: phase.ms }),
        }
    }
    if segments.is_empty() {
        segments.push(Segment { name: "all".into(), value: row.ms });
    }
    Bar { name: row.name.clone(), segments }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_of_one_colour_have_one_name() {
        let bar = |name: &str, values: &[(&str, f64)]| Bar {
            name: name.into(),
            segments: values
                .iter()
                .map(|(name, value)| Segment { name: (*name).into(), value: *value })
                .collect(),
        };
        let few = [("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 1.0), ("e", 1.0), ("f", 2.0)];
        let bars = || vec![bar("slow", &few), bar("fast", &[("g", 0.1), ("h", 0.2)])];
        assert_eq!(in_few_colours(bars()), bars());
        let more = [bars(), vec![bar("another", &[("i", 0.03), ("a", 0.27), ("j", 0.6)])]].concat();
        let drawn = in_few_colours(more);
        assert_eq!(drawn[1], bars()[1], "small, but all there is");
        assert_eq!(drawn[2], bar("another", &[("a", 0.27), ("j", 0.6), ("others", 0.03)]));
        let sum = |bar: &Bar| bar.segments.iter().map(|segment| segment.value).sum::<f64>();
        assert_eq!(sum(&drawn[0]), 7.0);
        let mut names: Vec<&str> =
            drawn.iter().flat_map(|bar| &bar.segments).map(|part| &*part.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SEGMENTS);
    }
}
