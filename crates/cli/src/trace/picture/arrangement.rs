//! Where the streams of a pass stand: what is read beside what is written, or above it where rows are long.

use super::arrows::Way;
use super::frame::Frame;
use super::panel::Panel;
use rasterscan_lab::report::chart::drawing::Place;

/// Above the panels of a side, for what these are.
pub const HEAD: f64 = 34.0;
/// Between two panels, one above the other.
const BETWEEN: f64 = 22.0;
/// Between the sides, with arrows and without: the least, and the most that is left to the sides.
const ARROWS: (f64, f64) = (90.0, 240.0);
const PLAIN: (f64, f64) = (48.0, 120.0);
const ARROWS_DOWN: f64 = 64.0;
const PLAIN_DOWN: f64 = 16.0;

/// The same for all pictures of a recording.
#[derive(Debug, Clone, Copy)]
pub struct Arrangement {
    pub way: Way,
    /// The side of an element's square.
    pub cell: u32,
    /// What it needs.
    pub width: f64,
    pub height: f64,
    /// The widest and the highest side of what is read.
    sources: (f64, f64),
    targets: f64,
    /// Between the sides, and how far it may be widened.
    gap: (f64, f64),
}

impl Arrangement {
    pub fn new(frames: &[Frame], way: Way, cell: u32) -> Arrangement {
        let most = |size: &dyn Fn(&Frame) -> f64| frames.iter().map(size).fold(0.0, f64::max);
        let width = |panels: &[Panel]| panels.iter().map(|panel| panel.width(cell)).fold(0.0, f64::max);
        let height = |panels: &[Panel]| {
            let heights: f64 = panels.iter().map(|panel| panel.height(cell)).sum();
            HEAD + heights + BETWEEN * panels.len().saturating_sub(1) as f64
        };
        let sources = (most(&|frame| width(&frame.sources)), most(&|frame| height(&frame.sources)));
        let targets = (most(&|frame| width(&frame.targets)), most(&|frame| height(&frame.targets)));
        let arrows = frames.iter().any(|frame| !frame.arrows.is_empty());
        let gap = match (way, arrows) {
            (Way::Beside, true) => ARROWS,
            (Way::Beside, false) => PLAIN,
            (Way::Above, true) => (ARROWS_DOWN, ARROWS_DOWN),
            (Way::Above, false) => (PLAIN_DOWN, PLAIN_DOWN),
        };
        let (width, height) = match way {
            Way::Beside => (sources.0 + gap.0 + targets.0, sources.1.max(targets.1)),
            Way::Above => (sources.0.max(targets.0), sources.1 + gap.0 + targets.1),
        };
        Arrangement { way, cell, width, height, sources, targets: targets.0, gap }
    }

    /// Where a picture's sources and targets stand, from this corner on and in this width.
    pub fn places(&self, frame: &Frame, (left, top): Place, width: f64) -> (Vec<Place>, Vec<Place>) {
        let stack = |panels: &[Panel], (left, top): Place| -> Vec<Place> {
            let mut top = top + HEAD;
            let place = |panel: &Panel| {
                let at = (left, top);
                top += panel.height(self.cell) + BETWEEN;
                at
            };
            panels.iter().map(place).collect()
        };
        let targets = match self.way {
            Way::Beside => {
                let gap = (width - self.sources.0 - self.targets).clamp(self.gap.0, self.gap.1);
                (left + self.sources.0 + gap, top)
            }
            Way::Above => (left, top + self.sources.1 + self.gap.0),
        };
        (stack(&frame.sources, (left, top)), stack(&frame.targets, targets))
    }
}
