//! The editor in the right panel: the text of one shader, its errors at their lines, the first wrong pass and position of
//! its run, and the puzzle that it solves, if it is one.

use std::rc::Rc;

use egui::text::LayoutJob;
use egui::{Align, FontId, Label, Layout, RichText, ScrollArea, TextEdit, TextStyle, Ui};
use rasterscan::trace::{Place, Recording};
use rasterscan_lesson::edit::{Edits, Marked, marks};
use rasterscan_lesson::puzzle::{Failure, Outcome, Puzzle, Verdict, check};
use rasterscan_picture::Spot;

use super::job::Resolved;
use super::side::coloured;
use super::{App, job, looks};

/// The delay between the last edit and its run, in seconds.
const PAUSE: f64 = 0.1;

/// The state of the editor.
#[derive(Debug, Default)]
pub struct Editor {
    /// The shader that is open: its path.
    path: Option<String>,
    text: String,
    /// The text to go back to.
    start: String,
    puzzle: Option<Rc<Puzzle>>,
    /// The number of hints that are shown.
    hints: usize,
    verdict: Option<Verdict>,
    /// True until the first run of a puzzle, which is shown at its first wrong pass.
    pub(super) arrives: bool,
    /// The line that the next frame scrolls to.
    wanted: Option<usize>,
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

    /// The texts that replace shaders of the first run.
    pub fn edits(&self) -> &Edits {
        &self.edits
    }

    /// The text in the editor.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The outcome of the last check of a puzzle.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// The error of the last text, if it did not run.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// What the last run came to.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The run of a job with the edits; only the first of two runs is edited.
    pub(super) fn edited(&self, index: usize, resolved: Resolved) -> Resolved {
        let edits = if index == 0 { self.edits.clone() } else { Edits::default() };
        Resolved { edits, ..resolved }
    }

    pub(super) fn own_run(&self, own: &Resolved) -> Option<Rc<Recording>> {
        self.own.as_ref().filter(|(known, _)| known.is_like(own)).map(|(_, recording)| Rc::clone(recording))
    }

    pub(super) fn keep_own(&mut self, own: Resolved, recording: Recording) {
        self.own = Some((own, Rc::new(recording)));
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
        (self.error, self.outcome) = (Some(error), None);
    }
}

impl App {
    /// Opens a shader of the first run in the editor.
    pub fn edit(&mut self, path: &str, text: &str) {
        let editor = &mut self.editor;
        if editor.puzzle.as_ref().is_some_and(|puzzle| puzzle.shader != path) {
            editor.puzzle = None;
        }
        // The text as it stands in the algorithm, if an edited one is shown.
        let known = editor.own.as_ref().and_then(|(_, own)| {
            own.passes.iter().flat_map(|pass| &pass.shaders).find(|shader| shader.path == path)
        });
        editor.start = match known.filter(|_| editor.edits.text(path).is_some()) {
            Some(own) => own.text.clone(),
            None => text.to_owned(),
        };
        editor.text = text.to_owned();
        editor.path = Some(path.to_owned());
        self.panels.open_side();
    }

    /// Shows a puzzle: its run, and its shader in the editor.
    pub fn open_puzzle(&mut self, puzzle: &Puzzle) {
        let puzzle = Rc::new(puzzle.clone());
        self.editor = Editor {
            path: Some(puzzle.shader.clone()),
            text: puzzle.start.clone(),
            start: puzzle.start.clone(),
            edits: puzzle.edits(&puzzle.start),
            own: self.editor.own.take(),
            puzzle: Some(Rc::clone(&puzzle)),
            wanted: Some(puzzle.line),
            arrives: true,
            ..Editor::default()
        };
        let mut given = self.tour.answers.solutions.iter();
        if let Some(text) = given.find(|given| given.puzzle == puzzle.name).map(|given| given.text.clone()) {
            self.replace(text, f64::MIN);
        }
        self.panels.open_side();
        self.ask_beside(None);
        self.ask(puzzle.job.clone());
        self.view.fit();
    }

    /// Replaces the text in the editor, and runs it soon.
    pub fn replace(&mut self, text: String, now: f64) {
        let editor = &mut self.editor;
        let Some(path) = editor.path.clone() else { return };
        editor.text = text;
        match editor.puzzle.is_none() && editor.text == editor.start {
            true => editor.edits.remove(&path),
            false => editor.edits.set(path, editor.text.clone()),
        }
        (editor.verdict, editor.error, editor.outcome) = (None, None, None);
        editor.marks.clear();
        self.edited(0, now + PAUSE, false);
    }

    /// Closes the editor; the algorithm has its own shaders again.
    pub fn close_editor(&mut self, now: f64) {
        let own = self.editor.own.take();
        self.editor = Editor { own, ..Editor::default() };
        self.edited(0, now, false);
    }

    /// Checks the puzzle with all its runs.
    pub fn check_puzzle(&mut self) {
        let Some(puzzle) = self.editor.puzzle.clone() else { return };
        let text = self.editor.text.clone();
        let (engine, load) = (&mut self.engine, &mut self.load);
        let verdict = puzzle.judge(&text, &mut |job, edits| {
            let resolved = job::resolve(job, load).map_err(|wrong| Failure::Error(wrong.message))?;
            let resolved = Resolved { edits: edits.clone(), ..resolved };
            loop {
                if let Some(recording) = engine.run(&resolved).map_err(Failure::Error)? {
                    return Ok(recording);
                }
            }
        });
        if self.tour.lesson().puzzle(&puzzle.name).is_some() {
            self.tour.answers.solve(puzzle.name.clone(), text);
            if verdict.is_solved() {
                self.tour.solve(&puzzle.name);
            }
        }
        self.editor.verdict = Some(verdict);
    }

    /// Shows the editor.
    pub(super) fn show_editor(&mut self, ui: &mut Ui) {
        let now = ui.input(|input| input.time);
        let Some(path) = self.editor.path.clone() else { return };
        ui.add_space(4.0);
        self.puzzle_text(ui);
        ui.horizontal_wrapped(|ui| {
            if self.editor.puzzle.is_some()
                && ui.button("Check").on_hover_text("runs the hidden cases too").clicked()
            {
                self.check_puzzle();
            }
            let changed = self.editor.text != self.editor.start;
            let reset = ui.add_enabled(changed, egui::Button::new("Reset"));
            if reset.on_hover_text("back to the text at the beginning").clicked() {
                let start = self.editor.start.clone();
                self.replace(start, now);
            }
            let close = ui.button("Close the editor");
            if close.on_hover_text("the algorithm has its own shaders again").clicked() {
                self.close_editor(now);
            }
        });
        self.reply(ui);
        let label = ui.label(RichText::new(format!("glsl/{path}")).small().color(looks::faint(ui.visuals())));
        let mut text = std::mem::take(&mut self.editor.text);
        let changed = field(ui, label.id, &mut text, &self.editor.marks, self.editor.wanted.take());
        self.editor.text = text;
        if changed {
            let text = self.editor.text.clone();
            self.replace(text, now);
        }
    }

    fn puzzle_text(&mut self, ui: &mut Ui) {
        let Some(puzzle) = self.editor.puzzle.clone() else {
            ui.label(RichText::new("Edit the shader").heading().strong());
            ui.add(
                Label::new(
                    "Each change runs the algorithm with your text. The first wrong position is pinned.",
                )
                .wrap(),
            );
            return;
        };
        ui.add(Label::new(RichText::new(&puzzle.title).heading().strong()).wrap());
        for paragraph in &puzzle.text {
            ui.add(Label::new(paragraph).wrap());
        }
        for hint in puzzle.hints.iter().take(self.editor.hints) {
            ui.add(Label::new(RichText::new(format!("Hint: {hint}")).italics()).wrap());
        }
        if self.editor.hints < puzzle.hints.len() && ui.small_button("Hint").clicked() {
            self.editor.hints += 1;
        }
    }

    /// The error, the first wrong position, or the verdict.
    fn reply(&mut self, ui: &mut Ui) {
        let wrong = looks::wrong(ui.visuals());
        if let Some(verdict) = &self.editor.verdict {
            let colour = if verdict.is_solved() { looks::right(ui.visuals()) } else { wrong };
            ui.add(Label::new(RichText::new(verdict.to_string()).color(colour)).wrap());
        }
        if let Some(error) = &self.editor.error {
            let first = self.editor.marks.first();
            let text = match first {
                Some(Marked { line, message }) => format!("Line {line}: {message}"),
                None => error.clone(),
            };
            ui.add(Label::new(RichText::new(text).color(wrong)).wrap()).on_hover_text(error);
        }
        let Some(outcome) = self.editor.outcome.clone() else { return };
        match (&outcome.result, &outcome.difference) {
            (None, _) => {
                ui.add(Label::new("The result of the run shown is right.").wrap());
            }
            (Some(_), Some(difference)) => {
                ui.add(Label::new(RichText::new(format!("First wrong: {difference}.")).color(wrong)).wrap());
                if ui.button("Show it").on_hover_text("goes to the first wrong pass").clicked() {
                    self.go(difference.pass + 1);
                }
            }
            (Some(result), None) => {
                ui.add(
                    Label::new(RichText::new(format!("The result is wrong: {result}.")).color(wrong)).wrap(),
                );
            }
        }
    }
}

/// The text with the numbers of its lines. Returns true if it was changed.
fn field(ui: &mut Ui, label: egui::Id, text: &mut String, marks: &[Marked], line: Option<usize>) -> bool {
    let font = TextStyle::Monospace.resolve(ui.style());
    let mut changed = false;
    ScrollArea::both().id_salt("editor").auto_shrink(false).show(ui, |ui| {
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let numbers_left = ui.cursor().left();
            let numbers = ui.add(Label::new(numbers(ui, text, marks, &font)).selectable(false));
            if !marks.is_empty() {
                let all: Vec<String> =
                    marks.iter().map(|mark| format!("line {}: {}", mark.line, mark.message)).collect();
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
            if let Some(line) = line {
                let row = field.rect.height() / text.split('\n').count().max(1) as f32;
                let top = field.rect.top() + row * line as f32;
                let rect = egui::Rect::from_min_size(egui::pos2(numbers_left, top), egui::vec2(1.0, row));
                ui.scroll_to_rect(rect, Some(Align::Center));
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
