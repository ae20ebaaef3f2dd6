//! The bottom panel: the run's passes on a line, and how time goes.

use egui::{Ui, Vec2};

use super::App;

/// Shows the timeline in a window of this size.
pub fn show(app: &mut App, ui: &mut Ui, _: Vec2) {
    ui.label(format!("pass {} of {}", app.view.position, app.last()));
}
