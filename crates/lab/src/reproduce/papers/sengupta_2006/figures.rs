//! Figures and tables of what was timed. The paper has neither.

use super::setup::{BLELLOCH, COPY, HORN, KNEE, LENGTHS, LEVEL, Length, SHARE, compaction, hybrid, lengths};
use crate::case::{Case, length};
use crate::cell::Row;
use crate::report::chart::{Figure, Mark, Panel, Role, Scale, Series};
use crate::report::page::Table;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{axis, lines, or_dash, series, times};
use crate::reproduce::rows::PaperRows;
use crate::reproduce::unit::times as factor;

/// The factors in print, beside ours. Section 5 gives no number of steps.
pub fn speeds(rows: &PaperRows<'_>) -> Table {
    let compacted = LENGTHS.iter().map(|length| ("section 4", "compaction", length));
    let alone = LENGTHS.iter().map(|length| ("section 5", "scan", length));
    let line = |(place, what, of): (&str, &str, &Length)| {
        let Length { n, steps, factor: paper, .. } = of;
        let (ours, paper) = match what {
            "scan" => (rows.factor(HORN, &hybrid(*steps), &Case::scan(*n)), LENGTHS[1].factor),
            _ => (rows.factor(HORN, &compaction(*steps), &Case::compact(*n, SHARE)), *paper),
        };
        let steps = if what == "scan" { format!("{steps} (ours)") } else { steps.to_string() };
        vec![place.into(), what.into(), length(*n), steps, format!("{paper}x"), or_dash(ours, factor)]
    };
    Table::new(
        "The hybrid's speed relative to Horn's, as the paper says it in two places",
        ["place", "of a", "n", "reduce steps", "paper", "ours"],
        compacted.chain(alone).map(line),
    )
}

pub fn figures(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Figure> {
    vec![against_steps(rows, bounds), against_n(rows), scans(rows)]
}

fn against_steps(rows: &PaperRows<'_>, bounds: &Bounds) -> Figure {
    let line = |n: u64| {
        let own = rows
            .all()
            .filter(move |row| row.case == Case::compact(n, SHARE) && steps_of(&row.name).is_some());
        let name = format!("n = {}", length(n));
        series(&name, Role::Data, own, |row| steps_of(&row.name).unwrap_or_default().into(), |_, ms| ms)
    };
    let (x, y) = (axis("reduce steps", Scale::LinearFromZero), axis("time, ms", Scale::Log10));
    let all: Vec<Series> = lengths(bounds).map(|length| line(length.n)).collect();
    let mut against = lines("0 reduce steps are Horn's scan", x, y, all);
    against.marks.push(Mark::Vertical { at: LEVEL.into(), label: "the paper levels off".into() });
    Figure {
        title: "Time of a compaction against reduce steps (section 4)".into(),
        description: "Each length has a line; 0 reduce steps are Horn's scan.".into(),
        panels: vec![Panel::Lines(against)],
    }
}

fn against_n(rows: &PaperRows<'_>) -> Figure {
    let level = compaction(LEVEL);
    let mut lines =
        times("Compactions with Horn's scan and with the hybrid", rows, &[HORN, &level, COPY], |row| {
            row.case.share() == Some(SHARE)
        });
    lines.marks.push(Mark::Vertical { at: KNEE as f64, label: "the paper's sharp rise".into() });
    Figure {
        title: "Time of a compaction against n (section 4)".into(),
        description: "Horn's compaction, the one with the hybrid, and a copy pass.".into(),
        panels: vec![Panel::Lines(lines)],
    }
}

fn scans(rows: &PaperRows<'_>) -> Figure {
    let alone = |row: &Row| row.case == Case::scan(row.case.n());
    let mut lines = times("Scans alone", rows, &[HORN, BLELLOCH], alone);
    let tuned = rows.all().filter(|row| {
        LENGTHS.iter().any(|length| row.case == Case::scan(length.n) && row.name == hybrid(length.steps))
    });
    lines.series.push(series("hybrid", Role::Data, tuned, |row| row.case.n() as f64, |_, ms| ms));
    lines.marks.push(Mark::Vertical { at: KNEE as f64, label: "the paper's degree of parallelism".into() });
    Figure {
        title: "Time of the three scans against n (section 2.4)".into(),
        description: "Horn's scan, the work-efficient one down to one row, and the hybrid with the paper's \
                      9 and 10 steps."
            .into(),
        panels: vec![Panel::Lines(lines)],
    }
}

/// The reduce steps of a compaction; Horn's has none.
fn steps_of(name: &str) -> Option<u32> {
    if name == HORN { Some(0) } else { name.strip_prefix("horn:scan=hybrid:reduce=")?.parse().ok() }
}
