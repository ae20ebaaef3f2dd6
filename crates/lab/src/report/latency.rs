//! The figure of the K-model: T(n), the latency of a scan's stores, of each access pattern.
//!
//! Source: capannini2011, figure 4 and section VII. The lines are the corrected formulas, which match the simulator; the
//! printed ones can stand beside them.

use std::ops::RangeInclusive;

use rasterscan_drawing::number::grouped;
use rasterscan_kmodel::{Model, Pattern, corrected, printed};

use super::chart::{Axis, Figure, Lines, Mark, Panel, Point, Role, Scale, Series};

/// The paper's four patterns on k banks, for n of these powers of two.
pub fn figure(k: u64, title: String, log_n: RangeInclusive<u32>) -> Figure {
    Figure {
        title,
        description:
            "Latency of the stores of a scan's results against its number of elements, for four patterns: \
                      corrected formulas, which the simulator counts as well."
                .into(),
        panels: vec![Panel::Lines(panel(k, String::new(), log_n))],
    }
}

/// The lines of the figure.
pub fn panel(k: u64, title: String, log_n: RangeInclusive<u32>) -> Lines {
    let limit = k * k;
    // One bank has no conflicts.
    let marked = k > 1 && log_n.contains(&limit.ilog2());
    let label = format!("n = k² = {}: Padding has conflicts beyond", grouped(limit));
    let mark = marked.then_some(Mark::Vertical { at: limit as f64, label });
    let line = |pattern: Pattern| Series {
        name: pattern.label().into(),
        points: points(k, &log_n, |model| Some(corrected::latency(pattern, model) as f64)),
        role: Role::Data,
    };
    Lines {
        title,
        x: Axis { label: "n, elements".into(), scale: Scale::Log2 },
        y: Axis { label: "T, accesses one after the other".into(), scale: Scale::Log10 },
        series: Pattern::PAPER.map(line).into(),
        marks: mark.into_iter().collect(),
    }
}

/// The same lines by the formulas as they are printed.
pub fn in_print(k: u64, log_n: RangeInclusive<u32>) -> Vec<Series> {
    let line = |pattern: Pattern| Series {
        name: format!("{} (paper)", pattern.label()),
        points: points(k, &log_n, |model| printed::latency(pattern, model)),
        role: Role::Paper,
    };
    Pattern::PAPER.map(line).into()
}

fn points(k: u64, log_n: &RangeInclusive<u32>, t: impl Fn(Model) -> Option<f64>) -> Vec<Point> {
    let models = log_n.clone().filter_map(|log_n| Model::new(1 << log_n, k).ok());
    models.filter_map(|model| Some(Point::new(model.n() as f64, t(model)?))).collect()
}
