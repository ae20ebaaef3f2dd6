//! The left panel: what is run, and on which numbers.

use egui::Ui;

use super::App;

/// Shows the controls.
pub fn show(app: &mut App, ui: &mut Ui) {
    ui.label(&app.asks[app.editing].algorithm);
}

/// How the picture looks.
pub fn view_menu(app: &mut App, ui: &mut Ui) {
    ui.checkbox(&mut app.view.arrows, "Arrows of all reads");
}
