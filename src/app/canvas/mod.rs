//! The centre: the textures of a pass, and what was read for what.

use egui::Ui;

use super::App;

/// Shows what is at the position.
pub fn show(app: &mut App, ui: &mut Ui) {
    ui.label(app.recording().map_or(String::new(), |recording| recording.algorithm.clone()));
}

/// The same for a file.
pub fn picture(app: &mut App, ui: &mut Ui) {
    show(app, ui);
}
