//! The figure of the K-model: T(n), the latency of a scan's stores, of each access pattern.
//!
//! Source: capannini2011, figure 4 and section VII. The lines are the corrected formulas, which match the simulator.

use std::ops::RangeInclusive;

use rasterscan_kmodel::{Model, Pattern, corrected};
use rasterscan_picture::number::grouped;

use super::chart::{Axis, Figure, Lines, Mark, Panel, Point, Role, Scale, Series};

/// The paper's four patterns on k banks, for n of these powers of two.
pub fn figure(k: u64, title: String, log_n: RangeInclusive<u32>) -> Figure {
    let line = |pattern: Pattern| Series {
        name: pattern.label().into(),
        points: log_n
            .clone()
            .filter_map(|log_n| Model::new(1 << log_n, k).ok())
            .map(|model| Point::new(model.n() as f64, corrected::latency(pattern, model) as f64))
            .collect(),
        role: Role::Data,
    };
    let limit = k * k;
    // One bank has no conflicts.
    let marked = k > 1 && log_n.contains(&limit.ilog2());
    let label = format!("n = k² = {}: Padding has conflicts beyond", grouped(limit));
    let mark = marked.then_some(Mark::Vertical { at: limit as f64, label });
    Figure {
        title,
        description:
            "Latency of the stores of a scan's results against its number of elements, for four patterns: \
                      corrected formulas, which the simulator counts as well."
                .into(),
        panels: vec![Panel::Lines(Lines {
            title: String::new(),
            x: Axis { label: "n, elements".into(), scale: Scale::Log2 },
            y: Axis { label: "T, accesses one after the other".into(), scale: Scale::Log10 },
            series: Pattern::PAPER.map(line).into(),
            marks: mark.into_iter().collect(),
        })],
    }
}
