//! Presentation mode: the picture as large as the screen, the narration under it in large letters, no panels.

use egui::{CentralPanel, Context, Label, Panel, RichText, ScrollArea, Ui, ViewportCommand};

use super::{App, canvas, timeline};

/// Points grow by this much: the smallest text, of 11 points, is then larger than 18.
const FACTOR: f32 = 1.65;

/// The state while presenting: the zoom of before.
#[derive(Debug, Clone, Copy)]
pub struct Before {
    zoom: f32,
}

impl App {
    /// Presents, or stops presenting. A window fills the screen.
    pub fn present(&mut self, on: bool) {
        self.presentation = on;
    }

    /// Returns true while presenting.
    pub fn is_presenting(&self) -> bool {
        self.presentation
    }

    /// Applies a change of the mode to the window.
    pub(super) fn keep_presenting(&mut self, ctx: &Context) {
        match (self.presentation, self.before_presenting) {
            (true, None) => {
                self.before_presenting = Some(Before { zoom: ctx.zoom_factor() });
                ctx.set_zoom_factor(ctx.zoom_factor() * FACTOR);
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(true));
            }
            (false, Some(Before { zoom })) => {
                self.before_presenting = None;
                ctx.set_zoom_factor(zoom);
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(false));
            }
            _ => {}
        }
    }

    /// The narration of each run shown at the position.
    fn told(&self) -> Vec<String> {
        let shown = self.visible().filter_map(|index| self.shown[index].as_ref());
        let told = shown.map(|shown| {
            let position = self.view.position.min(shown.passes());
            let text = rasterscan_lesson::narrate(&shown.recording, position);
            if self.beside { format!("{}: {text}", shown.recording.algorithm) } else { text }
        });
        told.collect()
    }
}

/// Shows the picture with the narration under it.
pub fn show(app: &mut App, ui: &mut Ui) {
    let height = ui.available_height();
    let below = Panel::bottom("presented").resizable(false).max_size(height * 0.5);
    below.show(ui, |ui| {
        ui.add_space(2.0);
        let area = ScrollArea::vertical().max_height(height * 0.3).auto_shrink([false, true]);
        area.show(ui, |ui| {
            for text in app.told() {
                let strong = ui.visuals().strong_text_color();
                ui.add(Label::new(RichText::new(text).color(strong)).wrap());
            }
        });
        timeline::show_line(app, ui);
        ui.add_space(2.0);
    });
    CentralPanel::no_frame().show(ui, |ui| canvas::show(app, ui));
}
