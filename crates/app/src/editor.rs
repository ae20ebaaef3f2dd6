//! The editor in the right panel: the text of one shader, its errors at their lines, the first wrong pass and position of
//! its run, and the puzzle that it solves, if it is one.

use std::ops::Range;
use std::rc::Rc;

use egui::{Align, CollapsingHeader, Label, RichText, ScrollArea, Sense, TextEdit, TextStyle, Ui};
use rasterscan::plan::Plan;
use rasterscan::trace::{Place, Recording};
use rasterscan_lesson::edit::{Edits, Marked, functions, marks};
use rasterscan_lesson::guard::MOST_TURNS;
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::puzzle::{Outcome, Puzzle, Verdict, check};
use rasterscan_picture::Spot;

use super::job::Resolved;
use super::side::coloured;
use super::spoken::{labelled, told};
use super::{Action, looks};

/// The delay between the last edit and its run, in seconds.
pub(super) const PAUSE: f64 = 0.1;

/// A panel of less than this height, in points, has no room for the task above a scrolled text.
const LOW: f32 = 520.0;

/// The state of the editor.
#[derive(Debug, Default)]
pub struct Editor {
    /// The shader that is open: its path.
    path: Option<String>,
    text: String,
    /// The text to go back to.
    start: String,
    pub(super) puzzle: Option<Rc<Puzzle>>,
    /// The number of hints that are shown.
    hints: usize,
    /// The outcome of the last check of a puzzle.
    pub(super) verdict: Option<Verdict>,
    /// True until the first run of a puzzle, which is shown at its first wrong pass.
    pub(super) arrives: bool,
    /// The lines of a puzzle's gaps, from 0; they grow as they are filled.
    gaps: Vec<Range<usize>>,
    /// The line that the next frame scrolls to: into the middle, or only into sight.
    wanted: Option<(usize, Option<Align>)>,
    edits: Edits,
    /// The run without edits.
    own: Option<(Resolved, Rc<Recording>)>,
    /// The error of the last text.
    error: Option<String>,
    marks: Vec<Marked>,
    outcome: Option<Outcome>,
    /// The functions that the shader calls, once its plan is known.
    functions: Option<Vec<String>>,
}

impl Editor {
    /// Returns true if a shader is open.
    pub fn is_open(&self) -> bool {
        self.path.is_some()
    }

    /// The text in the editor.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The error of the last text, if it did not run.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// The run of a job with the edits; only the first of two runs is edited.
    pub(super) fn edited(&self, index: usize, resolved: Resolved) -> Resolved {
        let edits = if index == 0 { self.edits.clone() } else { Edits::default() };
        Resolved { edits, ..resolved }
    }

    pub(super) fn own_run(&self, own: &Resolved) -> Option<Rc<Recording>> {
        self.own.as_ref().filter(|(known, _)| known.is_like(own)).map(|(_, recording)| Rc::clone(recording))
    }

    pub(super) fn keep_own(&mut self, own: Resolved, recording: Recording) -> Rc<Recording> {
        let recording = Rc::new(recording);
        self.own = Some((own, Rc::clone(&recording)));
        recording
    }

    /// Notes the functions that the shader calls, once, from the plan of its run.
    pub(super) fn note_functions(&mut self, plan: impl FnOnce() -> Option<Plan>) {
        let Some(path) = self.path.as_deref().filter(|_| self.functions.is_none()) else { return };
        let plan = plan();
        let mut shaders = plan.iter().flat_map(|plan| plan.passes()).flat_map(|pass| pass.shaders());
        self.functions = Some(shaders.find(|shader| shader.path() == path).map_or_else(Vec::new, functions));
    }

    /// Takes an edited run. Returns its first wrong texel, at its position in the run.
    pub(super) fn take_run(&mut self, own: &Recording, edited: &Recording) -> Option<(usize, Spot)> {
        let outcome = check(own, edited);
        let spot = outcome.difference.as_ref().map(|difference| {
            let place = Place { of: difference.target as u32, index: difference.texel };
            (difference.pass + 1, Spot { source: false, place })
        });
        (self.error, self.outcome) = (None, Some(outcome));
        self.marks.clear();
        spot
    }

    pub(super) fn refuse(&mut self, error: String) {
        self.marks = self.path.as_deref().map_or(Vec::new(), |path| marks(&error, path));
        // The caret stays where it is: the line is only moved into sight.
        self.wanted = self.marks.first().map(|mark| (mark.line.saturating_sub(1), None));
        (self.error, self.outcome) = (Some(error), None);
    }

    /// Opens a shader of the first run.
    pub(super) fn open(&mut self, path: &str, text: &str) {
        if self.puzzle.as_ref().is_some_and(|puzzle| puzzle.shader != path) {
            self.puzzle = None;
        }
        // The text as it stands in the algorithm, if an edited one is shown.
        let known = self.own.as_ref().and_then(|(_, own)| {
            own.passes.iter().flat_map(|pass| &pass.shaders).find(|shader| shader.path == path)
        });
        self.start = match known.filter(|_| self.edits.text(path).is_some()) {
            Some(own) => own.text.clone(),
            None => text.to_owned(),
        };
        self.text = text.to_owned();
        self.path = Some(path.to_owned());
        self.functions = None;
    }

    /// Opens a puzzle's shader: with the text at its beginning, or with one that was `given` as its solution.
    pub(super) fn open_puzzle(&mut self, puzzle: &Puzzle, given: Option<String>) {
        *self = Editor {
            path: Some(puzzle.shader.clone()),
            text: puzzle.start.clone(),
            start: puzzle.start.clone(),
            edits: puzzle.edits(&puzzle.start),
            own: self.own.take(),
            puzzle: Some(Rc::new(puzzle.clone())),
            wanted: puzzle.gaps.first().map(|gap| (gap.start, Some(Align::Center))),
            gaps: puzzle.gaps.clone(),
            arrives: true,
            ..Editor::default()
        };
        given.into_iter().for_each(|text| self.replace(text));
    }

    /// Replaces the text.
    pub(super) fn replace(&mut self, text: String) {
        let Some(path) = self.path.clone() else { return };
        match (&self.puzzle, text == self.start) {
            (Some(puzzle), true) => self.gaps = puzzle.gaps.clone(),
            _ => move_gaps(&mut self.gaps, &self.text, &text),
        }
        self.text = text;
        match self.puzzle.is_none() && self.text == self.start {
            true => self.edits.remove(&path),
            false => self.edits.set(path, self.text.clone()),
        }
        (self.verdict, self.error, self.outcome) = (None, None, None);
        self.marks.clear();
    }

    /// Closes the shader; the algorithm has its own again.
    pub(super) fn close(&mut self) {
        *self = Editor { own: self.own.take(), ..Editor::default() };
    }

    /// Shows the editor.
    pub(super) fn show(&mut self, ui: &mut Ui) -> Option<Action> {
        if ui.available_height() >= LOW {
            return self.contents(ui, false);
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| self.contents(ui, true)).inner
    }

    /// Shows the contents; where they are `low`, they are scrolled together, from the task on.
    fn contents(&mut self, ui: &mut Ui, low: bool) -> Option<Action> {
        let path = self.path.clone()?;
        let (mut action, mut sought) = (None, false);
        ui.add_space(4.0);
        self.puzzle_text(ui);
        ui.horizontal_wrapped(|ui| {
            if self.puzzle.is_some()
                && ui.button(say("Check")).on_hover_text(say("runs the hidden cases too")).clicked()
            {
                action = Some(Action::Check);
            }
            let changed = self.text != self.start;
            let reset = ui.add_enabled(changed, egui::Button::new(say("Reset")));
            if reset.on_hover_text(say("back to the text at the beginning")).clicked() {
                self.replace(self.start.clone());
                action = Some(Action::Edited);
            }
            sought = low && !self.gaps.is_empty() && ui.button(say("To the gap")).clicked();
            let close = ui.button(say("Close the editor"));
            if close.on_hover_text(say("the algorithm has its own shaders again")).clicked() {
                action = Some(Action::CloseEditor);
            }
        });
        let action = action.or(self.reply(ui));
        if let Some(functions) = self.functions.as_ref().filter(|functions| !functions.is_empty()) {
            let list = CollapsingHeader::new(say("Functions that it may call"));
            list.show_unindented(ui, |ui| {
                for signature in functions {
                    ui.add(Label::new(RichText::new(signature).monospace()).wrap());
                }
            });
        }
        let label = ui.label(RichText::new(format!("glsl/{path}")).small().color(looks::faint(ui.visuals())));
        let mut text = self.text.clone();
        let (line, marks, gaps) = (self.wanted.take(), &self.marks, &self.gaps);
        // The task comes before the gap.
        let line = line.filter(|(_, align)| !low || align.is_none());
        let gap = gaps.first().filter(|_| sought).map(|gap| (gap.start, Some(Align::Center)));
        let line = gap.or(line);
        let mut show = |ui: &mut Ui| field(ui, &label, &mut text, marks, gaps, line);
        let changed = match low {
            true => show(ui),
            false => ScrollArea::vertical().id_salt("editor").auto_shrink(false).show(ui, show).inner,
        };
        if changed {
            self.replace(text);
        }
        action.or(changed.then_some(Action::Edited))
    }

    fn puzzle_text(&mut self, ui: &mut Ui) {
        let Some(puzzle) = &self.puzzle else {
            ui.label(RichText::new(say("Edit the shader")).heading().strong());
            let about = "Each change runs the algorithm with your text. The first wrong position is pinned.";
            ui.add(Label::new(say(about)).wrap());
            return;
        };
        told(ui, RichText::new(say(&puzzle.title)).heading().strong());
        for paragraph in &puzzle.text {
            let text = looks::prose(ui, &say(paragraph));
            told(ui, text);
        }
        for hint in puzzle.hints.iter().take(self.hints) {
            let text = looks::prose(ui, &format!("{}: {}", say("Hint"), say(hint)));
            told(ui, text);
        }
        if self.hints < puzzle.hints.len() && ui.button(say("Hint")).clicked() {
            self.hints += 1;
        }
    }

    /// The error, the first wrong position, or the verdict.
    fn reply(&self, ui: &mut Ui) -> Option<Action> {
        // The text that a puzzle begins with is no mistake of the student.
        let untouched = self.puzzle.is_some() && self.text == self.start;
        let wrong = if untouched { looks::ink(ui.visuals()) } else { looks::wrong(ui.visuals()) };
        if let Some(verdict) = &self.verdict {
            let colour = if verdict.is_solved() { looks::right(ui.visuals()) } else { wrong };
            told(ui, RichText::new(say(verdict.to_string())).color(colour));
        }
        if let Some(error) = &self.error {
            let text = match self.marks.first() {
                Some(Marked { line, message }) => format!("{}: {message}", say(format!("Line {line}"))),
                None => error.clone(),
            };
            told(ui, RichText::new(text).color(wrong)).on_hover_text(error);
        }
        let outcome = self.outcome.as_ref()?;
        if let Some(pass) = outcome.stopped {
            let text =
                say(format!("Its loops were stopped after {MOST_TURNS} turns, first in pass {}.", pass + 1));
            told(ui, RichText::new(text).color(wrong));
        }
        match (&outcome.result, &outcome.difference) {
            (None, _) => {
                let text = RichText::new(say("The result of the run shown is right."));
                told(ui, text.color(looks::right(ui.visuals())));
            }
            (Some(_), Some(difference)) => {
                told(ui, RichText::new(say(format!("First wrong: {difference}."))).color(wrong));
                if ui.button(say("Show it")).on_hover_text(say("goes to the first wrong pass")).clicked() {
                    return Some(Action::Position(difference.pass + 1, None));
                }
            }
            (Some(result), None) => {
                let text = say(format!("The result is wrong: {result}."));
                told(ui, RichText::new(text).color(wrong));
            }
        }
        None
    }
}

/// Moves the lines of gaps as a text changes: those behind the change move, and one that it touches grows or shrinks.
fn move_gaps(gaps: &mut [Range<usize>], before: &str, after: &str) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    let first = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - first.min(old.len().min(new.len()));
    let last = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let (end, grown) = (old.len() - last, new.len() - last);
    for gap in gaps {
        if end <= gap.start && first < gap.start {
            *gap = gap.start + grown - end..gap.end + grown - end;
        } else if first < gap.end {
            *gap = gap.start.min(first)..gap.end.max(end) + grown - end;
        }
    }
}

/// The text with the numbers of its lines, which are wrapped; the gaps are lit. Returns true if it was changed.
fn field(
    ui: &mut Ui,
    label: &egui::Response,
    text: &mut String,
    marks: &[Marked],
    gaps: &[Range<usize>],
    line: Option<(usize, Option<Align>)>,
) -> bool {
    let font = TextStyle::Monospace.resolve(ui.style());
    let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, width: f32| {
        let mut job = coloured(ui, text.as_str());
        job.wrap.max_width = width;
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let gutter = 5.0 * ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    let left = ui.cursor().left();
    let field = ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(gutter);
        let field = TextEdit::multiline(text).code_editor().margin(0.0).desired_width(f32::INFINITY);
        field.layouter(&mut layouter).show(ui)
    });
    let field = field.inner;
    let response = labelled(field.response.response, label, say("Shader"));
    // The tops of the lines, each of which may be of several rows, and the end of the last.
    let rows = &field.galley.rows;
    let begins = |row: &usize| *row == 0 || rows[row - 1].ends_with_newline;
    let tops = (0..rows.len()).filter(begins).map(|row| rows[row].pos.y).chain([field.galley.rect.bottom()]);
    let tops: Vec<f32> = tops.map(|top| field.galley_pos.y + top).collect();
    let rect_of = |lines: &Range<usize>, right| {
        let top = |line: usize| tops[line.min(tops.len() - 1)];
        egui::Rect::from_min_max(egui::pos2(left, top(lines.start)), egui::pos2(right, top(lines.end)))
    };
    for number in 1..tops.len() {
        let marked = marks.iter().any(|mark| mark.line == number);
        let colour = if marked { looks::wrong(ui.visuals()) } else { looks::faint(ui.visuals()) };
        let sign = if marked { ">" } else { " " };
        let at = egui::pos2(left, tops[number - 1]);
        ui.painter().text(at, egui::Align2::LEFT_TOP, format!("{sign}{number:3}"), font.clone(), colour);
    }
    if !marks.is_empty() {
        let all =
            marks.iter().map(|mark| format!("{}: {}", say(format!("Line {}", mark.line)), mark.message));
        let numbers = rect_of(&(0..tops.len() - 1), left + gutter);
        let numbers = ui.interact(numbers, response.id.with("numbers"), Sense::hover());
        numbers.on_hover_text(all.collect::<Vec<_>>().join("\n"));
    }
    for gap in gaps {
        let lit = looks::right(ui.visuals()).gamma_multiply(0.18);
        ui.painter().rect_filled(rect_of(gap, response.rect.right()), 2.0, lit);
    }
    if let Some((line, align)) = line {
        ui.scroll_to_rect(rect_of(&(line..line + 1), left + 1.0), align);
    }
    response.changed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_follow_the_text() {
        let of = |gap: Range<usize>, before: &str, after: &str| {
            let mut gaps = [gap];
            move_gaps(&mut gaps, before, after);
            let [gap] = gaps;
            gap
        };
        assert_eq!(of(1..2, "a\ngap\nb", "a\nfilled\nb"), 1..2);
        assert_eq!(of(1..2, "a\ngap\nb", "a\none\ntwo\nthree\nb"), 1..4);
        assert_eq!(of(1..4, "a\none\ntwo\nthree\nb", "a\nb"), 1..1);
        assert_eq!(of(1..2, "a\ngap\nb", "new\na\ngap\nb"), 2..3);
        assert_eq!(of(1..2, "a\ngap\nb", "a\ngap\nb\nc"), 1..2);
        assert_eq!(of(2..3, "a\nb\ngap\nc", "a\ngap\nc"), 1..2);
        assert_eq!(of(0..1, "gap", ""), 0..1);
    }
}
