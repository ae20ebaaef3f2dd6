//! The steps within a pass: stages of shared memory, or moments of tiles, and which of them is shown.

use crate::runs::Runs;
use crate::shown::Shown;

/// The part of a pass that is shown, and the step in the pass of the position.
#[derive(Debug, Clone, Default)]
pub struct MemoryView {
    /// True for memory, false for items; `None` for the run's usual view.
    pub wanted: Option<bool>,
    /// True for tiles, false for items; `None` for tiles if they are few.
    pub tiles: Option<bool>,
    /// The stage or moment, from 0; `None` for the whole pass.
    pub stage: Option<usize>,
    /// The stages of each pass that steps go through; none if items are shown.
    pub stages: Vec<usize>,
}

impl MemoryView {
    /// The stages that steps go through to reach a position.
    pub fn stages_at(&self, position: usize) -> usize {
        position.checked_sub(1).and_then(|pass| self.stages.get(pass)).copied().unwrap_or(0)
    }

    /// Goes a stage forward or back. False if the pass has no such stage: then its neighbour is next.
    pub fn step(&mut self, forward: bool, position: usize) -> bool {
        let stages = self.stages_at(position);
        match (forward, self.stage) {
            (true, Some(stage)) if stage < stages => {
                self.stage = Some(stage + 1).filter(|stage| *stage < stages);
            }
            (false, Some(stage)) if stage > 0 && stages > 0 => self.stage = Some(stage.min(stages) - 1),
            (false, None) if stages > 0 => self.stage = Some(stages - 1),
            _ => return false,
        }
        true
    }

    /// Enters a pass by a step: at its first stage, or behind its last.
    pub fn enter(&mut self, forward: bool, position: usize) {
        self.stage = (forward && self.stages_at(position) > 0).then_some(0);
    }

    /// Returns whether a run's pane shows shared memory at a position.
    pub fn shows(&self, shown: &Shown, position: usize) -> bool {
        self.wanted.unwrap_or(shown.passes() == 1) && shown.stages_at(position) > 0
    }

    /// Returns whether a run's pane shows tiles at a position, moment by moment.
    pub fn shows_tiles(&self, shown: &Shown, position: usize) -> bool {
        !self.shows(shown, position) && self.tiles != Some(false) && shown.moments_at(position) > 0
    }

    /// Finds the stages that steps go through: the most of the runs shown.
    pub fn find_stages(&mut self, runs: &Runs) {
        let of = |position: usize| {
            let steps = |shown: &Shown| match self.shows(shown, position) {
                true => shown.stages_at(position),
                false if self.shows_tiles(shown, position) => shown.moments_at(position),
                false => 0,
            };
            runs.shown().map(steps).max().unwrap_or(0)
        };
        self.stages = (1..=runs.last()).map(of).collect();
    }
}
