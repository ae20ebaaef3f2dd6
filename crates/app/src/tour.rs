//! The guided tour: a panel with a stop at a time, its question, and what is said of the answer.

use egui::{
    Button, Color32, Context, Frame, Label, Margin, Panel, RichText, ScrollArea, TextEdit, Ui, Window, vec2,
};
use rasterscan::Job;
use rasterscan::registry::Choice;
use rasterscan::trace::Recording;
use rasterscan_lesson::tour::{Marked, Question, STOPS, Stop};

use super::looks;
use super::shown::Key;

/// Where the tour is.
#[derive(Debug, Clone, Default)]
pub struct Tour {
    /// Whether it is shown.
    pub open: bool,
    /// The stop, from 0; behind the last is the end.
    pub stop: usize,
    /// The stop, and the numbers, that were asked to be shown last.
    arrived: Option<(usize, u64)>,
    /// Other numbers for every stop.
    seed: u64,
    answer: String,
    verdict: Option<Marked>,
    /// Which stops were answered.
    answered: [bool; STOPS.len()],
    question: Option<(Key, Option<Question>)>,
}

/// What a stop wants to be shown.
#[derive(Debug, Clone)]
pub struct TourWish {
    pub job: Box<Job>,
    /// How many passes have been made.
    pub position: usize,
    /// Another run, side by side with it.
    pub beside: Option<Box<Job>>,
}

/// Shows the stop in a panel; `recording` is the run that is shown now.
pub fn show(ui: &mut Ui, tour: &mut Tour, recording: Option<&Recording>) -> Option<TourWish> {
    // Where one goes on stays in sight, however long the text is.
    let below = Panel::bottom("tour's steps").frame(Frame::new().inner_margin(Margin::symmetric(0, 6)));
    below.show(ui, |ui| tour.steps(ui));
    let shown = ScrollArea::vertical().id_salt(tour.stop).auto_shrink(false).show(ui, |ui| {
        ui.add_space(4.0);
        tour.contents(ui, recording)
    });
    shown.inner.or_else(|| tour.arrive())
}

/// The same in a window, where there is no room for a panel.
pub fn window(ctx: &Context, tour: &mut Tour, recording: Option<&Recording>) -> Option<TourWish> {
    let room = ctx.content_rect();
    let width = (room.width() - 30.0).clamp(60.0, 340.0);
    let height = (room.height() - 106.0).max(60.0);
    let mut open = tour.open;
    let mut wish = None;
    let window = Window::new("Tour").open(&mut open).resizable(false).default_pos([6.0, 30.0]);
    window.default_size([width + 14.0, 60.0]).show(ctx, |ui| {
        ui.set_width(width);
        let area = ScrollArea::vertical().min_scrolled_height(height).max_height(height);
        wish = area.id_salt(tour.stop).show(ui, |ui| tour.contents(ui, recording)).inner;
        tour.steps(ui);
    });
    if !open {
        tour.close();
    }
    wish.or_else(|| tour.arrive())
}

/// The run of a stop, after so many passes; `None` of a stop whose job is none, which a test rules out.
fn wished(stop: &Stop, seed: u64, position: usize) -> Option<TourWish> {
    let job = Box::new(stop.job(seed).ok()?);
    let beside = stop.beside.and_then(|algorithm| by(stop, seed, algorithm)).map(Box::new);
    Some(TourWish { job, position, beside })
}

/// The numbers of a stop by another algorithm.
pub(super) fn by(stop: &Stop, seed: u64, algorithm: &str) -> Option<Job> {
    let job = stop.job(seed).ok()?;
    let choice = Choice::parse(job.problem, algorithm).ok()?;
    Some(job.by(choice))
}

impl Tour {
    /// Opens it at a stop, counted from 0.
    pub fn at(stop: usize) -> Tour {
        Tour { open: true, stop, ..Tour::default() }
    }

    /// What a stop wants that was not there before. Whoever opens the tour again sees the stop's own run.
    fn arrive(&mut self) -> Option<TourWish> {
        let here = (self.stop, self.seed);
        if !self.open || self.arrived == Some(here) {
            return None;
        }
        self.arrived = Some(here);
        self.answer.clear();
        self.verdict = None;
        STOPS.get(self.stop).and_then(|stop| wished(stop, self.seed, stop.position))
    }

    /// Shuts it; the stop stays.
    pub fn close(&mut self) {
        self.open = false;
        self.arrived = None;
    }

    fn contents(&mut self, ui: &mut Ui, recording: Option<&Recording>) -> Option<TourWish> {
        self.stop = self.stop.min(STOPS.len());
        self.progress(ui);
        let Some(stop) = STOPS.get(self.stop) else {
            self.end(ui);
            return None;
        };
        ui.add(Label::new(RichText::new(stop.title).heading().strong()).wrap());
        for paragraph in stop.text {
            ui.add(Label::new(*paragraph).wrap());
            ui.add_space(3.0);
        }
        ui.separator();
        self.ask(ui, stop, recording)
    }

    /// Back and on, as long as there is a stop.
    fn steps(&mut self, ui: &mut Ui) {
        if self.stop >= STOPS.len() {
            return;
        }
        ui.horizontal_wrapped(|ui| {
            if ui.add_enabled(self.stop > 0, Button::new("Back")).clicked() {
                self.stop -= 1;
            }
            let next = if self.stop + 1 == STOPS.len() { "Finish" } else { "Next" };
            if ui.button(next).clicked() {
                self.stop += 1;
            }
            let other = ui.button("Other numbers").on_hover_text("the same question over other numbers");
            if other.clicked() {
                self.seed = self.seed.wrapping_add(1);
            }
        });
    }

    /// The stops as a row of numbers; those that were answered are underlined.
    fn progress(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (number, stop) in STOPS.iter().enumerate() {
                let done = self.answered[number];
                let text = RichText::new((number + 1).to_string()).small();
                // As wide with a mark as without, so that nothing moves.
                let button = Button::selectable(number == self.stop, text).min_size(vec2(19.0, 0.0));
                let label = ui.add(button);
                if done {
                    let below = label.rect.shrink2(vec2(3.0, 1.0));
                    ui.painter().hline(below.x_range(), below.bottom(), (2.0, right(ui)));
                }
                let label = looks::named(label, &format!("Stop {}: {}", number + 1, stop.title), "");
                if label.clicked() {
                    self.stop = number;
                }
            }
        });
    }

    /// The question, a field for the answer, and what is said of it.
    fn ask(&mut self, ui: &mut Ui, stop: &Stop, recording: Option<&Recording>) -> Option<TourWish> {
        let question = recording.and_then(|recording| self.question(stop, recording));
        let Some(question) = question else {
            let text = "What is shown is not this stop's run: it was changed, or it cannot run here. The message in the middle \
                        says why; you can go on all the same.";
            ui.add(Label::new(text).wrap());
            let again = ui.button("Show it again").clicked();
            return again.then(|| wished(stop, self.seed, stop.position)).flatten();
        };
        ui.add(Label::new(RichText::new(&question.text).strong()).wrap());
        let mut asked = false;
        ui.horizontal(|ui| {
            let label = ui.label("Your answer");
            let field =
                ui.add(TextEdit::singleline(&mut self.answer).desired_width(90.0)).labelled_by(label.id);
            if field.changed() {
                self.verdict = None;
            }
            asked = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            asked |= ui.button("Check").clicked();
            if asked {
                // What is typed next is another answer, and no keys of the app.
                field.request_focus();
            }
        });
        if asked {
            let verdict = question.check(&self.answer);
            self.answered[self.stop] |= matches!(verdict, Marked::Right(_));
            self.verdict = Some(verdict);
        }
        let (sign, text, colour) = match &self.verdict {
            None => return None,
            Some(Marked::Right(text)) => ("Right", text, right(ui)),
            Some(Marked::Wrong(text)) => ("Not yet", text, looks::wrong(ui.visuals())),
            Some(Marked::NoNumber(text)) => ("No number", text, looks::wrong(ui.visuals())),
        };
        ui.colored_label(colour, RichText::new(sign).strong());
        ui.add(Label::new(text).wrap());
        let last = recording.map_or(0, |recording| recording.passes.len());
        let ahead = stop.position < last;
        let seen = matches!(self.verdict, Some(Marked::Right(_))) && ahead;
        let see = seen && ui.button("See it happen").on_hover_text("goes to where the answer is").clicked();
        see.then(|| wished(stop, self.seed, stop.answered.min(last))).flatten()
    }

    /// The question to what is shown, made once.
    fn question(&mut self, stop: &Stop, recording: &Recording) -> Option<Question> {
        let key = Key::of(recording, Some(self.stop));
        if self.question.as_ref().is_none_or(|(known, _)| *known != key) {
            let question = stop.question(recording);
            // Another run of the same has the same question, and what was said of the answer stays.
            if self.question.as_ref().is_none_or(|(_, known)| *known != question) {
                self.verdict = None;
            }
            self.question = Some((key, question));
        }
        self.question.as_ref().and_then(|(_, question)| question.clone())
    }

    fn end(&mut self, ui: &mut Ui) {
        let right = self.answered.iter().filter(|answered| **answered).count();
        ui.heading("The end of the tour");
        let text = format!("You have answered {right} of {} questions.", STOPS.len());
        ui.add(Label::new(text).wrap());
        for paragraph in END {
            ui.add(Label::new(*paragraph).wrap());
        }
        ui.horizontal(|ui| {
            if ui.button("Back").clicked() {
                self.stop = STOPS.len() - 1;
            }
            if ui.button("Begin again").clicked() {
                *self = Tour { seed: self.seed.wrapping_add(1), ..Tour::at(0) };
            }
        });
    }
}

/// What to do next.
const END: &[&str] = &[
    "Now change something. In the controls at the left are all algorithms, with their parameters, operators and kinds of \
     numbers; the size goes up to 4096. Two algorithms side by side show best what sets them apart.",
    "Every run can be saved as a trace, which opens again without a GPU, and the command line that shows the same is in the \
     menu.",
];

fn right(ui: &Ui) -> Color32 {
    looks::colour(if ui.visuals().dark_mode { [120, 200, 130] } else { [20, 110, 40] })
}
