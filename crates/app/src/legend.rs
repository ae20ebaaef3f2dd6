//! The legend: the meaning of marks and colours, and the keys.

use egui::{Context, Grid, Window};
use rasterscan_lesson::phrases::say;

use super::keys::BINDINGS;
use super::looks;

const MARKS: &[(&str, &str)] = &[
    ("a square", "a number in a texel or a buffer; its colour shows its value"),
    ("squares in one frame", "a texel of two or four numbers"),
    ("orange line", "surrounds the numbers that this pass changed, unless it changed all"),
    ("hatched", "this pass did not write it"),
    ("crossed out", "an element that the compaction removes"),
    ("pale", "past the last kept element: undefined"),
    (
        "an arrow",
        "a read, as the shader recorded it: the arrow points from the item read to the item made from it. In a compute \
      shader it points to every item written by the invocation that read",
    ),
    ("a dashed arrow", "a read whose value is no part of the item"),
    ("an orange line through texels", "a drawn line: its texels move together"),
    ("row 0", "at the top; row numbers grow downwards. OpenGL puts row 0 at the bottom"),
];

/// The legend, a window.
#[derive(Debug, Default)]
pub struct Legend {
    /// True if it is open.
    pub open: bool,
}

impl Legend {
    /// Shows the legend if it is open.
    pub fn show(&mut self, ctx: &Context) {
        let window = Window::new(say("Legend"))
            .open(&mut self.open)
            .collapsible(false)
            .default_pos(looks::BELOW_BAR)
            .default_width(460.0)
            .default_height(640.0)
            .vscroll(true);
        window.show(ctx, |ui| {
            let rows = |ui: &mut egui::Ui, rows: &[(&str, &str)]| {
                for (sign, about) in rows {
                    ui.strong(say(sign));
                    ui.add(egui::Label::new(say(about)).wrap());
                    ui.end_row();
                }
            };
            Grid::new("marks").num_columns(2).min_row_height(looks::POINTED).show(ui, |ui| rows(ui, MARKS));
            ui.separator();
            let keys: Vec<(&str, &str)> = BINDINGS.iter().map(|key| (key.written, key.about)).collect();
            Grid::new("keys").num_columns(2).min_row_height(looks::POINTED).show(ui, |ui| {
                rows(ui, &keys);
                rows(ui, &[("wheel", "zoom at the pointer"), ("drag", "move the picture")]);
                rows(ui, &[("click", "pin the arrows of a texel"), ("double click", "fit the picture")]);
            });
        });
    }
}
