//! The editor in the right panel: the text of one shader, its errors at their lines, the first wrong pass and position of
//! its run, and the puzzle that it solves, if it is one.

use std::ops::Range;
use std::rc::Rc;

use egui::text::LayoutJob;
use egui::{Align, FontId, Label, Layout, RichText, ScrollArea, TextEdit, TextStyle, Ui};
use rasterscan::trace::{Place, Recording};
use rasterscan_lesson::edit::{Edits, Marked, marks};
use rasterscan_lesson::guard::MOST_TURNS;
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::puzzle::{Outcome, Puzzle, Verdict, check};
use rasterscan_picture::Spot;

use super::job::Resolved;
use super::side::coloured;
use super::{Action, looks};

/// The delay between the last edit and its run, in seconds.
pub(super) const PAUSE: f64 = 0.1;

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
        let path = self.path.clone()?;
        let mut action = None;
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
            let close = ui.button(say("Close the editor"));
            if close.on_hover_text(say("the algorithm has its own shaders again")).clicked() {
                action = Some(Action::CloseEditor);
            }
        });
        let action = action.or(self.reply(ui));
        let label = ui.label(RichText::new(format!("glsl/{path}")).small().color(looks::faint(ui.visuals())));
        let mut text = self.text.clone();
        let changed = field(ui, label.id, &mut text, &self.marks, &self.gaps, self.wanted.take());
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
        ui.add(Label::new(RichText::new(say(&puzzle.title)).heading().strong()).wrap());
        for paragraph in &puzzle.text {
            ui.add(Label::new(looks::prose(ui, &say(paragraph))).wrap());
        }
        for hint in puzzle.hints.iter().take(self.hints) {
            let text = format!("{}: {}", say("Hint"), say(hint));
            ui.add(Label::new(looks::prose(ui, &text)).wrap());
        }
        if self.hints < puzzle.hints.len() && ui.small_button(say("Hint")).clicked() {
            self.hints += 1;
        }
    }

    /// The error, the first wrong position, or the verdict.
    fn reply(&self, ui: &mut Ui) -> Option<Action> {
        let wrong = looks::wrong(ui.visuals());
        if let Some(verdict) = &self.verdict {
            let colour = if verdict.is_solved() { looks::right(ui.visuals()) } else { wrong };
            ui.add(Label::new(RichText::new(say(verdict.to_string())).color(colour)).wrap());
        }
        if let Some(error) = &self.error {
            let text = match self.marks.first() {
                Some(Marked { line, message }) => format!("{}: {message}", say(format!("Line {line}"))),
                None => error.clone(),
            };
            ui.add(Label::new(RichText::new(text).color(wrong)).wrap()).on_hover_text(error);
        }
        let outcome = self.outcome.as_ref()?;
        if let Some(pass) = outcome.stopped {
            let text =
                say(format!("Its loops were stopped after {MOST_TURNS} turns, first in pass {}.", pass + 1));
            ui.add(Label::new(RichText::new(text).color(wrong)).wrap());
        }
        match (&outcome.result, &outcome.difference) {
            (None, _) => {
                let text = RichText::new(say("The result of the run shown is right."));
                ui.add(Label::new(text.color(looks::right(ui.visuals()))).wrap());
            }
            (Some(_), Some(difference)) => {
                ui.add(
                    Label::new(RichText::new(say(format!("First wrong: {difference}."))).color(wrong)).wrap(),
                );
                if ui.button(say("Show it")).on_hover_text(say("goes to the first wrong pass")).clicked() {
                    return Some(Action::Position(difference.pass + 1, None));
                }
            }
            (Some(result), None) => {
                let text = say(format!("The result is wrong: {result}."));
                ui.add(Label::new(RichText::new(text).color(wrong)).wrap());
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

/// The text with the numbers of its lines; the gaps are lit. Returns true if it was changed.
fn field(
    ui: &mut Ui,
    label: egui::Id,
    text: &mut String,
    marks: &[Marked],
    gaps: &[Range<usize>],
    line: Option<(usize, Option<Align>)>,
) -> bool {
    let font = TextStyle::Monospace.resolve(ui.style());
    let mut changed = false;
    ScrollArea::both().id_salt("editor").auto_shrink(false).show(ui, |ui| {
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let numbers_left = ui.cursor().left();
            let numbers = ui.add(Label::new(numbers(ui, text, marks, &font)).selectable(false));
            if !marks.is_empty() {
                let all: Vec<String> = marks
                    .iter()
                    .map(|mark| format!("{}: {}", say(format!("Line {}", mark.line)), mark.message))
                    .collect();
                numbers.on_hover_text(all.join("\n"));
            }
            let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, _: f32| {
                let mut job = coloured(ui, text.as_str());
                job.wrap.max_width = f32::INFINITY;
                ui.fonts_mut(|fonts| fonts.layout_job(job))
            };
            let field = TextEdit::multiline(text).code_editor().margin(0.0).desired_width(f32::INFINITY);
            let field = ui.add(field.layouter(&mut layouter)).labelled_by(label);
            changed = field.changed();
            let row = field.rect.height() / text.split('\n').count().max(1) as f32;
            let rows = |lines: &Range<usize>, left, right| {
                let top = |line: usize| field.rect.top() + row * line as f32;
                egui::Rect::from_min_max(
                    egui::pos2(left, top(lines.start)),
                    egui::pos2(right, top(lines.end)),
                )
            };
            for gap in gaps {
                let lit = looks::right(ui.visuals()).gamma_multiply(0.18);
                ui.painter().rect_filled(rows(gap, numbers_left, field.rect.right()), 2.0, lit);
            }
            if let Some((line, align)) = line {
                ui.scroll_to_rect(rows(&(line..line + 1), numbers_left, numbers_left + 1.0), align);
            }
        });
    });
    changed
}

/// The numbers of the lines; those with errors stand out.
fn numbers(ui: &Ui, text: &str, marks: &[Marked], font: &FontId) -> LayoutJob {
    let mut job = LayoutJob::default();
    let count = text.split('\n').count();
    for line in 1..=count {
        let marked = marks.iter().any(|mark| mark.line == line);
        let colour = if marked { looks::wrong(ui.visuals()) } else { looks::faint(ui.visuals()) };
        let sign = if marked { ">" } else { " " };
        let end = if line < count { "\n" } else { "" };
        job.append(&format!("{sign}{line:3}{end}"), 0.0, egui::TextFormat::simple(font.clone(), colour));
    }
    job
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
