//! Errors and notices, below the picture.

use egui::{Panel, Ui, vec2};
use rasterscan_lesson::phrases::say;

use super::job::Field;
use super::looks;
use super::runs::Runs;
use super::spoken::told;

/// The time for which a notice stays, in seconds.
const SAID: f64 = 8.0;

/// A message.
#[derive(Debug, Clone)]
struct Notice {
    text: String,
    wrong: bool,
    /// The time at which it disappears, on the shell's clock, once it has been seen. Errors stay until they are closed.
    until: Option<f64>,
}

/// The message of the last task, if it is still there.
#[derive(Debug, Default)]
pub struct Notices(Option<Notice>);

impl Notices {
    /// Shows the outcome of a task.
    pub fn report(&mut self, outcome: Result<String, String>) {
        let wrong = outcome.is_err();
        let (Ok(text) | Err(text)) = outcome;
        self.0 = Some(Notice { text, wrong, until: None });
    }

    /// Closes the message. False if there is none.
    pub fn close(&mut self) -> bool {
        self.0.take().is_some()
    }

    /// Shows the failure of a visible run, or else the message, below the picture.
    pub fn show(&mut self, ui: &mut Ui, runs: Option<&Runs>) {
        let mut wrong = runs.iter().flat_map(|runs| runs.visible()).filter_map(|run| run.wrong.as_ref());
        let failed = wrong.find(|wrong| wrong.field == Field::Run).map(|wrong| (wrong.message.clone(), true));
        let same = "Kernels in Rust run it here instead: the values and reads are the same.";
        let of_run = failed.or_else(|| Some((format!("{}. {}", runs?.instead()?, say(same)), false)));
        self.let_go(ui);
        let of_task = self.0.as_ref().map(|notice| (notice.text.clone(), notice.wrong));
        let closes = of_run.is_none();
        let Some((text, wrong)) = of_run.or(of_task) else { return };
        Panel::bottom("notice").resizable(false).show(ui, |ui| {
            let colour = if wrong { looks::wrong(ui.visuals()) } else { ui.visuals().text_color() };
            ui.horizontal_top(|ui| {
                let room = (ui.available_width() - 30.0).max(40.0);
                ui.allocate_ui(vec2(room, 0.0), |ui| {
                    ui.set_max_width(room);
                    told(ui, egui::RichText::new(text).color(colour));
                });
                if closes && ui.vertical(|ui| looks::sign(ui, "×", "Close", "esc", false).clicked()).inner {
                    self.0 = None;
                }
            });
        });
    }

    /// Removes a notice after its time.
    fn let_go(&mut self, ui: &Ui) {
        let now = ui.input(|input| input.time);
        let Some(notice) = self.0.as_mut().filter(|notice| !notice.wrong) else { return };
        let until = *notice.until.get_or_insert(now + SAID);
        if until <= now {
            self.0 = None;
        } else {
            ui.ctx().request_repaint_after_secs((until - now) as f32);
        }
    }
}
