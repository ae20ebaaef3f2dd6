//! Presentation mode: the picture as large as the screen, the narration under it in large letters, no panels.

use egui::{Context, Label, Panel, RichText, ScrollArea, Ui, Vec2, ViewportCommand};

use super::panels::NARROW;
use super::runs::Runs;
use super::spoken::live;
use super::view::View;
use super::{Action, looks, timeline};

/// The height of a screen in this mode, in points: the smallest text, of 9 points, then has 20 of 1080 lines.
const HEIGHT: f32 = 480.0;
/// The most that points grow: where a screen has more lines, the picture gains room instead.
const MOST: f32 = 4.5;

/// The zoom for a window of this size, in points that have not grown. Narrow ones keep room for the picture.
fn zoom(size: Vec2) -> f32 {
    (size.y / HEIGHT).min(size.x / NARROW).clamp(1.0, MOST)
}

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
        let now = ctx.zoom_factor();
        if self.on != self.zoom.is_some() {
            ctx.set_zoom_factor(self.zoom.take().unwrap_or(now));
            self.zoom = self.on.then_some(now);
            ctx.send_viewport_cmd(ViewportCommand::Fullscreen(self.on));
        }
        // In every frame: the window fills the screen only later.
        let wanted = zoom(ctx.content_rect().size() * now);
        if self.on && (wanted - now).abs() > 0.01 {
            ctx.set_zoom_factor(wanted);
        }
    }

    /// Shows the narration, to stand under the picture, and a stop's name and question.
    pub fn show(
        &self,
        ui: &mut Ui,
        runs: &Runs,
        view: &mut View,
        stop: Option<[String; 2]>,
    ) -> Option<Action> {
        let height = ui.available_height();
        let below = Panel::bottom("presented").resizable(false).max_size(height * 0.5);
        let action = below.show(ui, |ui| {
            ui.add_space(2.0);
            let area = ScrollArea::vertical().max_height(height * 0.3).auto_shrink([false, true]);
            area.show(ui, |ui| {
                let strong = ui.visuals().strong_text_color();
                if let Some([name, question]) = stop {
                    ui.label(RichText::new(name).color(looks::faint(ui.visuals())));
                    let question = RichText::new(question).heading().color(looks::asked(ui.visuals()));
                    live(ui.add(Label::new(question).wrap()));
                }
                for shown in runs.shown() {
                    // Pictures of tiles and of stages have their own sentences.
                    if view.memory.stage.is_some() || view.memory.shows_tiles(shown, view.position) {
                        continue;
                    }
                    let text = shown.narration(view.position);
                    let name = &shown.recording.algorithm;
                    let text = if runs.beside { format!("{name}: {text}") } else { text };
                    live(ui.add(Label::new(RichText::new(text).heading().color(strong)).wrap()));
                }
            });
            let action = timeline::show_line(ui, runs, view);
            ui.add_space(2.0);
            action
        });
        action.inner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_grows_with_the_screen_and_the_picture_keeps_room() {
        let of = |width, height| zoom(Vec2::new(width, height));
        assert!(9.0 * of(1920.0, 1080.0) >= 18.0);
        assert!((of(3840.0, 2160.0) - 2.0 * of(1920.0, 1080.0)).abs() < 0.01);
        assert!(1280.0 / of(1280.0, 1080.0) >= NARROW && of(390.0, 844.0) == 1.0);
    }
}
