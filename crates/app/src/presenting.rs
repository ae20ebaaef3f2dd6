//! Presentation mode: the picture as large as the screen, the narration under it in large letters, no panels.

use egui::{Context, Label, Panel, RichText, ScrollArea, Ui, ViewportCommand};

use super::runs::Runs;
use super::view::View;
use super::{Action, timeline};

/// Points grow by this much: the smallest text, of 11 points, is then larger than 18.
const FACTOR: f32 = 1.65;

/// Presentation mode.
#[derive(Debug, Default)]
pub struct Presenting {
    /// True in this mode.
    pub on: bool,
    /// The zoom before it, once the window has changed.
    zoom: Option<f32>,
}

impl Presenting {
    /// Applies a change of the mode to the window, which fills the screen.
    pub fn apply(&mut self, ctx: &Context) {
        if self.on == self.zoom.is_some() {
            return;
        }
        let before = self.zoom.take();
        self.zoom = self.on.then(|| ctx.zoom_factor());
        ctx.set_zoom_factor(before.unwrap_or_else(|| ctx.zoom_factor() * FACTOR));
        ctx.send_viewport_cmd(ViewportCommand::Fullscreen(self.on));
    }

    /// Shows the narration, to stand under the picture.
    pub fn show(&self, ui: &mut Ui, runs: &Runs, view: &mut View) -> Option<Action> {
        let height = ui.available_height();
        let below = Panel::bottom("presented").resizable(false).max_size(height * 0.5);
        let action = below.show(ui, |ui| {
            ui.add_space(2.0);
            let area = ScrollArea::vertical().max_height(height * 0.3).auto_shrink([false, true]);
            area.show(ui, |ui| {
                for shown in runs.shown() {
                    let text = shown.narration(view.position);
                    let name = &shown.recording.algorithm;
                    let text = if runs.beside { format!("{name}: {text}") } else { text };
                    let strong = ui.visuals().strong_text_color();
                    ui.add(Label::new(RichText::new(text).color(strong)).wrap());
                }
            });
            let action = timeline::show_line(ui, runs, view);
            ui.add_space(2.0);
            action
        });
        action.inner
    }
}
