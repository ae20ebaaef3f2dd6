//! The stops of a lesson, by default those of the guided tour: a panel with one stop at a time, its question, and the reply
//! to the answer; at the end, the lesson's puzzles.

use std::rc::Rc;

use egui::{Button, Context, Frame, Margin, Panel, RichText, ScrollArea, Ui, vec2};
use rasterscan::tools::registry::Choice;
use rasterscan::trace::{Place, Recording};
use rasterscan_gallery::Piece;
use rasterscan_lesson::answers::Answers;
use rasterscan_lesson::file::Lesson;
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::reference::{About, filled, without_values};
use rasterscan_lesson::tour::{Marked, Question, Stop, TOUR};
use rasterscan_picture::Spot;

use super::gallery::{Gallery, Outcome};
use super::link::Opening;
use super::runs::Runs;
use super::shown::Key;
use super::spoken::{labelled, told};
use super::view::Look;
use super::{Action, looks};

/// The state of the tour.
#[derive(Debug, Clone)]
pub struct Tour {
    /// True if it is shown.
    pub open: bool,
    /// The stop, from 0; past the last is the end.
    pub stop: usize,
    /// The stop and the seed that were shown last.
    arrived: Option<(usize, u64)>,
    /// The seed of the numbers of all stops.
    seed: u64,
    answer: String,
    verdict: Option<Marked>,
    /// The stops that were answered.
    answered: Vec<bool>,
    /// The lesson.
    lesson: Rc<Lesson>,
    /// What was answered and solved.
    pub answers: Answers,
    /// The puzzles that were solved, by name.
    solved: Vec<String>,
    question: Option<(Key, Option<Question>)>,
    /// The height of the question's panel in the last frame, in points.
    height: f32,
    /// True if a narrow window shows the question alone, and a larger picture.
    pub(super) folded: bool,
}

/// The current run, and the reason why the last one failed; the open piece of the gallery, and its facts or why it has none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Current<'a> {
    recording: Option<&'a Recording>,
    wrong: Option<&'a str>,
    gallery: Option<(&'static Piece, Outcome<'a>)>,
}

impl<'a> Current<'a> {
    /// The first run and the piece on the screen.
    pub fn of(runs: &'a Runs, gallery: &'a Gallery) -> Current<'a> {
        let run = &runs.both[0];
        let recording = run.shown.as_ref().map(|shown| &*shown.recording);
        let wrong = run.wrong.as_ref().map(|wrong| wrong.message.as_str());
        Current { recording, wrong, gallery: gallery.outcome() }
    }

    /// The subject of a stop's texts, if it is shown.
    fn about(&self, stop: &Stop) -> Option<About<'a>> {
        match (stop.gallery, self.gallery) {
            (None, _) => self.recording.filter(|recording| stop.is_of(recording)).map(About::Run),
            (Some(piece), Some((open, Some(Ok(facts))))) if piece == open => Some(About::Piece(facts)),
            _ => None,
        }
    }

    /// The reason why the run or the piece of a stop is not there.
    fn wrong(&self, stop: &Stop) -> Option<&'a str> {
        match (stop.gallery, self.gallery) {
            (None, _) => self.wrong,
            (Some(_), Some((_, Some(Err(wrong))))) => Some(wrong),
            _ => None,
        }
    }

    /// True while the piece of a stop runs.
    fn runs(&self, stop: &Stop) -> bool {
        matches!((stop.gallery, self.gallery), (Some(piece), Some((open, None))) if piece == open)
    }
}

/// The run of a stop where it begins.
pub(super) fn beginning(stop: &Stop, seed: u64) -> Opening {
    if stop.gallery.is_some() {
        return Opening { gallery: stop.gallery, ..Opening::default() };
    }
    let job = stop.job(seed);
    let beside = stop.beside.as_deref().and_then(|algorithm| Choice::parse(job.problem, algorithm).ok());
    let look = Look { rows: stop.texture_rows, ..Look::default() };
    let view =
        Opening { pass: stop.position, stage: stop.stage, pin: stop.pin.map(item), ..Opening::default() };
    Opening { job: Some(job), beside, look, ..view }
}

/// The run of a stop where it shows the answer to its question.
fn answered(stop: &Stop, seed: u64, question: &Question, last: usize) -> Opening {
    let (pass, pin) = (stop.answered.min(last), question.about.or(stop.pin).map(item));
    Opening { pass, pin, stage: stop.answered_stage, ..beginning(stop, seed) }
}

/// An item of a pass's first target.
fn item(index: u32) -> Spot {
    Spot { source: false, place: Place { of: 0, index } }
}

/// A stop of a lesson in words.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Its title.
    pub title: String,
    /// Its paragraphs.
    pub text: Vec<String>,
    /// Its question, in English; `None` if it has none, or its own run is not shown.
    pub question: Option<Question>,
}

/// The paragraphs of a stop. Without the stop's own run, its values are unknown.
fn paragraphs(stop: &Stop, run: Current) -> Vec<String> {
    let own = run.about(stop);
    let filled = |text: &String| own.and_then(|own| filled(own, text).ok());
    stop.text.iter().map(|text| say(filled(text).unwrap_or_else(|| without_values(text)))).collect()
}

impl Tour {
    /// The tour, open at a stop, counted from 0.
    pub fn at(stop: usize) -> Tour {
        Tour { open: true, stop, ..Tour::default() }
    }

    /// A lesson, open at its beginning.
    pub fn of(lesson: Lesson) -> Tour {
        Tour {
            open: true,
            stop: 0,
            arrived: None,
            seed: 0,
            answer: String::new(),
            verdict: None,
            answered: vec![false; lesson.stops.len()],
            answers: Answers::of(&lesson),
            solved: Vec::new(),
            question: None,
            height: 0.0,
            folded: false,
            lesson: Rc::new(lesson),
        }
    }

    /// The lesson.
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// Returns true if the built-in tour is open, whose stops links name.
    pub fn is_built_in(&self) -> bool {
        self.open && self.lesson.fingerprint == TOUR.fingerprint
    }

    /// Notes that a puzzle was solved.
    pub(super) fn solve(&mut self, puzzle: &str) {
        if !self.solved.iter().any(|known| known == puzzle) {
            self.solved.push(puzzle.into());
        }
    }

    /// Shows the stop in a panel, or below the picture in a window without room for one; `run` is the current run, and why the last one failed.
    pub(super) fn show(&mut self, ui: &mut Ui, run: Current, narrow: bool) -> Option<Action> {
        let folded = narrow && self.folded;
        // A bar that is seen says that there is more.
        ui.spacing_mut().scroll = egui::style::ScrollStyle::solid();
        // The question and the navigation buttons stay visible, however long the text is.
        let most = if folded { f32::INFINITY } else { ui.available_height() * 0.5 };
        let mut asks = |ui: &mut Ui| {
            // A panel has the height of its content before; without a least height, it would never grow.
            let area = ScrollArea::vertical().id_salt("question").max_height(most).min_scrolled_height(most);
            let asked = area.show(ui, |ui| self.ask(ui, run)).inner;
            let fold = self.steps(ui, narrow);
            asked.or(fold)
        };
        if folded {
            return asks(ui).or_else(|| self.arrive());
        }
        let below = Panel::bottom("tour's steps").frame(Frame::new().inner_margin(Margin::symmetric(0, 6)));
        let asked = below.show(ui, asks);
        let height = asked.response.rect.height();
        if std::mem::replace(&mut self.height, height) != height {
            ui.ctx().request_repaint();
        }
        let shown = ScrollArea::vertical().id_salt(self.stop).auto_shrink(false).show(ui, |ui| {
            ui.add_space(4.0);
            self.contents(ui, run)
        });
        asked.inner.or(shown.inner).or_else(|| self.arrive())
    }

    fn visit(&self, stop: &Stop) -> Action {
        Action::Stop(Box::new(beginning(stop, self.seed)))
    }

    /// The run of a stop that is not shown yet. Opening the tour again shows the stop's own run.
    pub(super) fn arrive(&mut self) -> Option<Action> {
        let here = (self.stop, self.seed);
        if !self.open || self.arrived == Some(here) {
            return None;
        }
        self.arrived = Some(here);
        self.answer.clear();
        (self.verdict, self.folded) = (None, false);
        self.lesson.stops.get(self.stop).map(|stop| self.visit(stop))
    }

    /// Goes to a stop. With `keep`, the current run stays instead of the stop's own.
    pub fn go(&mut self, stop: usize, keep: bool) {
        self.stop = stop;
        self.arrived = keep.then_some((stop, self.seed));
    }

    /// Goes to the next stop or to the one before, if there is one.
    pub(super) fn turn(&mut self, forward: bool) {
        let stop = if forward { self.stop + 1 } else { self.stop.saturating_sub(1) };
        if self.open && stop < self.lesson.stops.len() {
            self.stop = stop;
        }
    }

    /// The progress as text for [`Self::set_progress`]: the titles of the lesson and of each stop that was answered,
    /// then those of the current stop. Titles, so that stops may be added and moved.
    pub fn progress(&self) -> String {
        let (title, stops) = (&self.lesson.title, &self.lesson.stops);
        let line = |word: &str, stop: &Stop| format!("{word}\t{title}\t{}\n", stop.title);
        let answered = stops.iter().zip(&self.answered).filter(|(_, answered)| **answered);
        let answered: String = answered.map(|(stop, _)| line("answered", stop)).collect();
        answered + &stops.get(self.stop).map_or_else(String::new, |stop| line("at", stop))
    }

    /// Goes on from an earlier progress. Lines of other lessons and unknown stops are ignored.
    pub fn set_progress(&mut self, progress: &str) {
        for line in progress.lines() {
            let mut words = line.splitn(3, '\t');
            let (Some(word), Some(lesson), Some(title)) = (words.next(), words.next(), words.next()) else {
                continue;
            };
            if lesson != self.lesson.title {
                continue;
            }
            let Some(stop) = self.lesson.stops.iter().position(|stop| stop.title == title) else { continue };
            match word {
                "answered" => self.answered[stop] = true,
                "at" => self.stop = stop,
                _ => {}
            }
        }
    }

    /// Closes the tour, which stays at its stop.
    pub fn close(&mut self) {
        self.open = false;
        self.arrived = None;
    }

    fn contents(&mut self, ui: &mut Ui, run: Current) -> Option<Action> {
        let lesson = Rc::clone(&self.lesson);
        self.stop = self.stop.min(lesson.stops.len());
        self.stops(ui);
        if self.stop == 0 {
            for paragraph in &lesson.text {
                let text = looks::prose(ui, &say(paragraph));
                told(ui, text);
            }
        }
        let Some(stop) = lesson.stops.get(self.stop) else {
            return self.end(ui);
        };
        told(ui, RichText::new(say(&stop.title)).heading().strong());
        for paragraph in paragraphs(stop, run) {
            let text = looks::prose(ui, &paragraph);
            told(ui, text);
            ui.add_space(3.0);
        }
        None
    }

    /// The current stop in words, for a shell that shows texts instead of panels; `None` past the last stop.
    pub(super) fn reading(&self, run: Current) -> Option<Reading> {
        let stop = self.lesson.stops.get(self.stop)?;
        let question = run.about(stop).and_then(|about| stop.question(about));
        Some(Reading { title: say(&stop.title), text: paragraphs(stop, run), question })
    }

    /// The buttons to the previous and next stop, and in a narrow window that of the text.
    fn steps(&mut self, ui: &mut Ui, narrow: bool) -> Option<Action> {
        let count = self.lesson.stops.len();
        if self.stop >= count {
            return None;
        }
        ui.horizontal_wrapped(|ui| {
            let back = ui.add_enabled(self.stop > 0, Button::new(say("Back"))).clicked();
            let next = if self.stop + 1 == count { "Finish" } else { "Next" };
            let next = ui.button(say(next)).clicked();
            let other = self.lesson.stops[self.stop].gallery.is_none() && {
                let other = ui.button(say("Other numbers"));
                other.on_hover_text(say("the same question with other numbers")).clicked()
            };
            let fold =
                narrow && ui.button(say(if self.folded { "Show text" } else { "Hide text" })).clicked();
            self.folded ^= fold;
            self.stop = self.stop + usize::from(next) - usize::from(back);
            if other {
                self.seed = self.seed.wrapping_add(1);
            }
            fold.then_some(Action::Fold(self.folded))
        })
        .inner
    }

    /// The stops as a row of numbers; the answered ones are underlined.
    fn stops(&mut self, ui: &mut Ui) {
        let lesson = Rc::clone(&self.lesson);
        ui.horizontal_wrapped(|ui| {
            // All stops of the tour in one row.
            ui.spacing_mut().item_spacing.x = 1.0;
            ui.spacing_mut().button_padding.x = 1.0;
            let wide = (ui.available_width() + 1.0) / lesson.stops.len().max(1) as f32 - 1.0;
            for (number, stop) in lesson.stops.iter().enumerate() {
                let done = self.answered[number];
                let text = RichText::new((number + 1).to_string()).small();
                // The same width with and without a mark, so that nothing moves.
                let button = Button::selectable(number == self.stop, text)
                    .min_size(vec2(wide.clamp(14.0, 26.0).floor(), 0.0));
                let label = ui.add(button);
                if done {
                    let below = label.rect.shrink2(vec2(3.0, 1.0));
                    ui.painter().hline(below.x_range(), below.bottom(), (2.0, looks::right(ui.visuals())));
                }
                let name = say(format!("Stop {}: {}", number + 1, stop.title));
                let name = if done { format!("{name}, {}", say("answered")) } else { name };
                let label = looks::named_as(label, name, "", Some(number == self.stop));
                if label.clicked() {
                    self.stop = number;
                }
            }
        });
    }

    /// The question, if the stop has one, a field for the answer, and the reply.
    fn ask(&mut self, ui: &mut Ui, run: Current) -> Option<Action> {
        let lesson = Rc::clone(&self.lesson);
        let stop = lesson.stops.get(self.stop).filter(|stop| stop.question.is_some())?;
        let Some(question) = self.question(stop, run) else {
            if run.runs(stop) {
                return None;
            }
            let text = match run.wrong(stop) {
                Some(wrong) => format!("{}: {wrong}.", say("The run of this stop cannot be shown here")),
                None => say("You have changed the run: this is not the picture of this stop."),
            };
            told(ui, format!("{text} {}", say("You can continue anyway.")));
            let again = ui.button(say("Show it again")).clicked();
            return again.then(|| self.visit(stop));
        };
        told(ui, RichText::new(say(&question.text)).strong());
        let mut asked = false;
        // After a reply the arrow keys step again, and digits are another answer.
        let typed = if self.takes_digits(ui.ctx()) { digits(ui) } else { String::new() };
        if !typed.is_empty() {
            self.answer.clone_from(&typed);
            self.verdict = None;
        }
        ui.horizontal_wrapped(|ui| {
            let label = ui.label(say("Your answer"));
            let field = ui.add(looks::line(ui, &mut self.answer).desired_width(90.0));
            let field = labelled(field, &label, say("Your answer"));
            if field.changed() {
                self.verdict = None;
            }
            if !typed.is_empty() {
                field.request_focus();
            }
            asked = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            asked |= ui.add(looks::primary(ui, say("Check"))).clicked();
        });
        if asked {
            let verdict = question.check(&self.answer);
            let right = matches!(verdict, Marked::Right(_));
            if right || !self.answered[self.stop] {
                self.answers.answer(self.stop + 1, self.seed, self.answer.trim());
            }
            self.answered[self.stop] |= right;
            self.verdict = Some(verdict);
        }
        let verdict = self.verdict.as_ref()?;
        let right = matches!(verdict, Marked::Right(_));
        let colour = if right { looks::right(ui.visuals()) } else { looks::wrong(ui.visuals()) };
        let [sign, text] = verdict.words();
        told(ui, RichText::new(say(sign)).color(colour).strong());
        told(ui, say(text));
        let last = run.recording.map_or(0, |recording| recording.passes.len());
        let ahead = stop.gallery.is_none() && stop.position < stop.answered.min(last)
            || question.about.is_some()
            || stop.answered_stage.is_some();
        let see = right
            && ahead
            && ui
                .button(say("See it happen"))
                .on_hover_text(say("goes to the pass that shows the answer"))
                .clicked();
        see.then(|| Action::Stop(Box::new(answered(stop, self.seed, &question, last))))
    }

    /// Returns true if digits that are typed are an answer, although the field does not have the focus: after a reply.
    pub(super) fn takes_digits(&self, ctx: &Context) -> bool {
        self.open && self.verdict.is_some() && !ctx.text_edit_focused()
    }

    /// The open stop's name and question, in words.
    pub(super) fn asked(&mut self, run: Current) -> Option<[String; 2]> {
        let lesson = Rc::clone(&self.lesson);
        let stop = lesson.stops.get(self.stop).filter(|_| self.open)?;
        let name = say(format!("Stop {}: {}", self.stop + 1, stop.title));
        Some([name, self.question(stop, run).map_or_else(String::new, |question| say(question.text))])
    }

    /// The question of a stop; about a run it is made once.
    fn question(&mut self, stop: &Stop, run: Current) -> Option<Question> {
        let recording = match run.about(stop)? {
            About::Run(recording) => recording,
            about => return stop.question(about),
        };
        let key = Key::of(recording, Some(self.stop));
        if self.question.as_ref().is_none_or(|(known, _)| *known != key) {
            let question = stop.question(recording);
            // Another run of the same job has the same question, and the reply stays.
            if self.question.as_ref().is_none_or(|(_, known)| *known != question) {
                self.verdict = None;
            }
            self.question = Some((key, question));
        }
        self.question.as_ref().and_then(|(_, question)| question.clone())
    }

    /// The end of the lesson. Returns the puzzle that is chosen.
    fn end(&mut self, ui: &mut Ui) -> Option<Action> {
        let right = self.answered.iter().filter(|answered| **answered).count();
        let lesson = Rc::clone(&self.lesson);
        let count = lesson.stops.len();
        if count > 0 {
            ui.heading(say(format!("The end of the {}", lesson.title.to_lowercase())));
            let questions = lesson.stops.iter().filter(|stop| stop.question.is_some()).count();
            let answered = format!("You have answered {right} of {questions} questions.");
            told(ui, say(&answered));
        } else {
            ui.heading(say(&lesson.title));
        }
        for paragraph in &lesson.end {
            let text = looks::prose(ui, &say(paragraph));
            told(ui, text);
        }
        let mut chosen = None;
        for (number, puzzle) in lesson.puzzles.iter().enumerate() {
            let solved = self.solved.contains(&puzzle.name);
            let solved = if solved { format!(" ({})", say("solved")) } else { String::new() };
            if ui.button(format!("{}. {}{solved}", number + 1, say(&puzzle.title))).clicked() {
                chosen = Some(Action::Puzzle(Box::new(puzzle.clone())));
            }
        }
        if lesson.puzzles.is_empty() && ui.button(say("Puzzles: write the shaders yourself")).clicked() {
            chosen = Some(Action::Puzzles);
        }
        if count > 0 {
            ui.horizontal(|ui| {
                if ui.button(say("Back")).clicked() {
                    self.stop = count - 1;
                }
                if ui.button(say("Begin again")).clicked() {
                    *self = Tour { seed: self.seed.wrapping_add(1), ..Tour::of((*lesson).clone()) };
                }
            });
        }
        chosen
    }
}

/// The digits that were typed since the last frame.
fn digits(ui: &Ui) -> String {
    ui.input(|input| {
        let typed = input.events.iter().filter_map(|event| match event {
            egui::Event::Text(text) => Some(text.as_str()),
            _ => None,
        });
        typed.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit())).collect()
    })
}

impl Default for Tour {
    /// The guided tour, closed.
    fn default() -> Tour {
        Tour { open: false, ..Tour::of(TOUR.clone()) }
    }
}
