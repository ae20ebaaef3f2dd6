//! The legend: what marks and colours mean, and what keys do.

use egui::{Context, Grid, Window};

use super::App;
use super::keys::BINDINGS;

const MARKS: &[(&str, &str)] = &[
    ("a square", "a number in a texel, or in a buffer; its colour is its value"),
    ("squares in one frame", "a texel of two or four numbers"),
    ("orange frame", "the pass changed it: another number stood in this place"),
    ("hatched", "the pass did not write it"),
    ("crossed out", "an element that the compaction removes"),
    ("pale", "behind the last element that is kept: of no account"),
    (
        "an arrow",
        "a fetch that the shader itself recorded: from what was read to what was made of it; of a compute shader, to \
      all that the invocation wrote that read it",
    ),
    ("an orange line", "a line that was drawn: its texels are moved as one"),
    ("row 0", "on top, as indices grow; OpenGL has it at the bottom"),
];

/// Shows the legend where it is open.
pub fn show(app: &mut App, ctx: &Context) {
    let mut open = app.panels.legend;
    let window = Window::new("Legend")
        .open(&mut open)
        .collapsible(false)
        .default_width(460.0)
        .default_height(640.0)
        .vscroll(true);
    window.show(ctx, |ui| {
        let rows = |ui: &mut egui::Ui, rows: &[(&str, &str)]| {
            for (sign, about) in rows {
                ui.strong(*sign);
                ui.add(egui::Label::new(*about).wrap());
                ui.end_row();
            }
        };
        Grid::new("marks").num_columns(2).show(ui, |ui| rows(ui, MARKS));
        ui.separator();
        let keys: Vec<(&str, &str)> = BINDINGS.iter().map(|key| (key.written, key.about)).collect();
        Grid::new("keys").num_columns(2).show(ui, |ui| {
            rows(ui, &keys);
            rows(ui, &[("wheel", "zoom about the pointer"), ("drag", "move the picture")]);
            rows(ui, &[("click", "keep the arrows of a texel"), ("double click", "fit the picture")]);
        });
    });
    app.panels.legend = open;
}
