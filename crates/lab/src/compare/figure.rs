//! A comparison as a picture: the time of a run and of an item against the length, and where the time of the longest stream
//! goes.

use super::document::CompareDocument;
use crate::cell::Row;
use crate::report::chart::{Axis, Bar, Bars, Figure, Lines, Panel, Point, Role, Scale, Segment, Series};

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
        bars: rows.into_iter().map(bar).collect(),
        marks: Vec::new(),
    }
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
