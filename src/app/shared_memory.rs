//! Shared memory of a dispatch: its banks, and who meets in them.

use egui::Ui;

use crate::trace::Recording;

/// What it keeps from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct SharedState {}

/// Shows what the work groups of a pass did with shared memory.
pub fn show(ui: &mut Ui, recording: &Recording, pass: usize, _: &mut SharedState) {
    let accesses = recording.passes.get(pass).map_or(0, |pass| pass.shared.len());
    ui.label(format!("{accesses} accesses to shared memory"));
}
