//! Actions: what is done in one panel and concerns others. Each is carried out here.

use std::io::Read;
use std::path::{Path, PathBuf};

use egui::Context;
use rasterscan::tools::job::{Job, Source};
use rasterscan::trace::{Recording, ShaderText};
use rasterscan_drawing::theme::Theme;
use rasterscan_gallery::ALL;
use rasterscan_lesson::file::{GALLERY, Lesson, PUZZLES};
use rasterscan_lesson::phrases::{say, speak};
use rasterscan_lesson::puzzle::Puzzle;

use super::files::{self, What};
use super::keys::Deed;
use super::link::Opening;
use super::panels::SidePanel;
use super::shown::Shown;
use super::tour::Tour;
use super::view::Camera;
use super::{App, MOST_LESSON_BYTES, Wish, editor, job, looks, welcome};

/// An action of the user in a panel.
#[derive(Debug, Clone)]
pub enum Action {
    /// A deed that has a key.
    Deed(Deed),
    /// Go to a position, or to a step of the pass that ends there, from 0.
    Position(usize, Option<usize>),
    /// Choose the run that the controls and the explanations are for.
    Chosen(usize),
    /// Give a run another job, which runs at once, or when the typing stops.
    Job {
        index: usize,
        job: Box<Job>,
        typing: bool,
    },
    /// Run a job as it is.
    Run(usize),
    /// Open the first screen, play the run that it asks about, or leave it for another run.
    Welcome,
    Watch,
    Begin(Box<Opening>),
    /// Open or close a panel, or open the window with the costs, or with the race.
    Panel(SidePanel, bool),
    Costs,
    Race,
    /// Ask for a file; read or write one.
    File(What),
    Path(What, PathBuf),
    /// Save the answers of a student of this name.
    Answers(String, PathBuf),
    /// Open the gallery, or the lesson of its pieces.
    Gallery,
    GalleryLesson,
    /// Use the language of this name; English if it is empty.
    Language(&'static str),
    /// Copy what leads to the current picture.
    Link,
    CommandLine,
    /// Show the run as text.
    Read,
    /// Open the list of puzzles, or one of them.
    Puzzles,
    Puzzle(Box<Puzzle>),
    /// Show the run of a tour stop; hide its text or show it, and with it less of the picture or all.
    Stop(Box<Opening>),
    Fold(bool),
    /// Open a shader in the editor; run its changed text; check the puzzle; close the editor.
    Shader(ShaderText),
    Edited,
    Check,
    CloseEditor,
}

impl App {
    /// Carries out actions.
    pub(super) fn carry_out(&mut self, actions: impl IntoIterator<Item = Action>, ctx: &Context) {
        actions.into_iter().for_each(|action| self.act(action, ctx));
    }

    fn act(&mut self, action: Action, ctx: &Context) {
        let now = ctx.input(|input| input.time);
        let theme = looks::theme(&ctx.global_style().visuals);
        match action {
            Action::Deed(deed) => self.perform(deed, ctx),
            Action::Position(position, step) => {
                self.go(position);
                self.view.memory.stage = step;
            }
            Action::Chosen(index) => self.runs.editing = index,
            Action::Job { index, job, typing } => self.runs.set(index, *job, now, typing),
            Action::Run(index) => self.run(index),
            Action::Begin(opening) => {
                self.view.reset();
                self.begin(&opening);
            }
            Action::Welcome => self.welcome(),
            Action::Watch => {
                self.leave();
                self.view.go(0, self.last());
                self.view.toggle(self.last());
            }
            Action::Panel(panel, open) => {
                self.panels.set(panel, open, ctx.content_rect().width());
                self.leave();
                // The tour takes the controls' place.
                if panel == SidePanel::Controls {
                    self.tour.close();
                }
            }
            Action::Costs => self.why.open = true,
            Action::Race => self.race.open = true,
            Action::File(what) => self.ask_for_file(what, theme),
            Action::Path(what, path) => match self.use_file(what, path, theme) {
                Ok(()) => _ = self.files.close(),
                Err(wrong) => self.files.refuse(wrong),
            },
            Action::Answers(name, path) => {
                self.tour.answers.name = name;
                if self.page {
                    let bytes = self.tour.answers.to_json().into_bytes();
                    self.wishes.push(Wish::Save { name: path.display().to_string(), bytes });
                    self.files.close();
                } else {
                    self.act(Action::Path(What::SaveAnswers, path), ctx);
                }
            }
            Action::Language(code) => self.use_language(code),
            Action::Link => self.wishes.push(Wish::CopyLink),
            Action::Read => self.wishes.push(Wish::Read),
            Action::CommandLine => {
                let command = self.command();
                ctx.copy_text(command.clone());
                self.report(Ok(format!("{}: {command}", say("copied"))));
            }
            Action::Gallery => {
                self.leave();
                self.tour.close();
                self.gallery.open(Some(ALL[0]));
            }
            Action::GalleryLesson => {
                let stop =
                    self.gallery.piece.and_then(|piece| ALL.into_iter().position(|known| known == piece));
                match Lesson::parse(GALLERY) {
                    Ok(lesson) => self.teach(lesson),
                    Err(wrong) => self.report(Err(wrong.to_string())),
                }
                self.tour.stop = stop.unwrap_or(0);
            }
            Action::Puzzles => self.teach(PUZZLES.clone()),
            Action::Fold(true) => self.view.magnify(),
            Action::Fold(false) => self.view.fit(),
            Action::Stop(opening) => self.follow_tour(&opening),
            Action::Puzzle(puzzle) => {
                self.notices.close();
                self.open_puzzle(&puzzle);
            }
            Action::Shader(shader) => {
                self.editor.open(&shader.path, &shader.text);
                self.panels.open_side();
            }
            Action::Edited => self.runs.both[0].schedule(now + editor::PAUSE),
            Action::Check => self.check_puzzle(),
            Action::CloseEditor => self.close_editor(now),
        }
    }

    fn perform(&mut self, deed: Deed, ctx: &Context) {
        let last = self.last();
        // A later move counts, not the position that an unfinished run was asked for.
        self.wanted = None;
        match deed {
            // A page of the gallery is in front of the run. The stops of a lesson have their own buttons.
            Deed::Forward | Deed::Back if self.gallery.piece.is_some() => {
                if !self.tour.open {
                    self.gallery.step(deed == Deed::Forward);
                }
            }
            Deed::Play | Deed::Begin | Deed::End | Deed::Present | Deed::Values
                if self.gallery.piece.is_some() => {}
            Deed::Play => self.view.toggle(last),
            Deed::Forward => self.view.step(true, last),
            Deed::Back => self.view.step(false, last),
            Deed::Begin => self.view.go(0, last),
            Deed::End => self.view.go(last, last),
            Deed::Faster => self.view.hurry(true),
            Deed::Slower => self.view.hurry(false),
            Deed::Reset => self.view.reset(),
            Deed::SideBySide => {
                self.leave();
                self.runs.toggle_beside(ctx.input(|input| input.time));
            }
            Deed::Fit => self.view.fit(),
            Deed::OneToOne => self.view.one_to_one(ctx.pixels_per_point()),
            Deed::Present => self.presenting.on = !self.presenting.on,
            Deed::Values => {
                let position = self.view.position;
                let values = |shown: &Shown| format!("{}, {}", shown.title(position), shown.row(position));
                self.report(Ok(self.runs.shown().map(values).collect::<Vec<_>>().join("\n")));
            }
            Deed::Legend => self.legend.open = !self.legend.open,
            Deed::NextStop => self.tour.turn(true),
            Deed::StopBefore => self.tour.turn(false),
            Deed::Tour if self.tour.open => self.tour.close(),
            Deed::Tour => {
                self.leave();
                self.tour.open = true;
            }
            Deed::Close => self.close(),
            Deed::Quit => self.wishes.push(Wish::Quit),
        }
    }

    /// Leaves the first screen and the gallery.
    pub(super) fn leave(&mut self) {
        self.welcome.open = false;
        self.gallery.open(None);
    }

    /// Closes what is open, in this order; if nothing is, unpins the texels.
    fn close(&mut self) {
        let closed = self.files.close()
            || std::mem::take(&mut self.legend.open)
            || std::mem::take(&mut self.why.open)
            || self.notices.close()
            || std::mem::take(&mut self.presenting.on)
            || std::mem::take(&mut self.race.open)
            || std::mem::take(&mut self.welcome.open)
            || self.gallery.open(None);
        if !closed && self.tour.open {
            self.tour.close();
        } else if !closed {
            self.view.cameras.iter_mut().for_each(|camera| camera.pinned = None);
        }
    }

    /// Runs a job at once. The position stays, as far as the new run has it.
    pub fn ask(&mut self, job: Job) {
        self.runs.both[0].job = job;
        self.run(0);
    }

    /// Runs a job beside the first; `None` shows one run.
    pub fn ask_beside(&mut self, job: Option<Job>) {
        self.runs.beside = job.is_some();
        self.runs.both[1].wrong = None;
        if let Some(job) = job {
            self.runs.both[1].job = job;
            match self.runs.both[0].due {
                None => self.run(1),
                // An engine works on one job at a time.
                Some(due) => self.runs.both[1].schedule(due),
            }
        }
    }

    /// Runs the job of the controls at once.
    pub(super) fn run(&mut self, index: usize) {
        self.runs.both[index].schedule(f64::MIN);
        self.go_on(index);
    }

    /// Goes on with a run, and shows it once it is there.
    fn go_on(&mut self, index: usize) {
        let Some(shown) = self.runs.go_on(index, &mut self.editor) else {
            // The first picture does not wait for a slow engine.
            if let Some(shown) = self.runs.meanwhile(index) {
                self.view.range = shown.usual_range();
                self.view.go(self.wanted.unwrap_or(self.view.position), shown.passes());
                self.runs.both[index].shown = Some(shown);
            }
            return;
        };
        let first_wrong = shown.first_wrong;
        self.put(index, shown);
        if index == 0 && std::mem::take(&mut self.editor.arrives) {
            self.go(first_wrong.map_or(usize::MAX, |(position, _)| position));
        }
    }

    /// Shows a recording in the place of another.
    fn put(&mut self, index: usize, shown: Shown) {
        if index == 0 {
            self.view.range = shown.usual_range();
            // The same stage of a run with other numbers, but not of another scan.
            let position = self.view.position;
            let stages = |shown: &Shown| shown.stages_at(position).max(shown.moments_at(position));
            if self.runs.both[0].shown.as_ref().map(stages) != Some(stages(&shown)) || stages(&shown) == 0 {
                self.view.memory.stage = None;
            }
        }
        self.view.cameras[index] = Camera { pinned: shown.first_wrong, ..Camera::default() };
        self.runs.both[index].put(shown);
    }

    pub(super) fn run_what_is_due(&mut self, ctx: &Context) {
        let now = ctx.input(|input| input.time);
        for index in 0..self.runs.visible().len() {
            match self.runs.both[index].due {
                Some(due) if due <= now => {
                    self.go_on(index);
                    if self.runs.both[index].due.is_some() {
                        ctx.request_repaint();
                        // An engine works on one job at a time.
                        break;
                    }
                }
                Some(due) => ctx.request_repaint_after_secs((due - now) as f32),
                None => {}
            }
        }
        if !self.runs.is_busy() {
            if let Some(position) = self.wanted.take() {
                self.go(position);
            }
            if let Some(opening) = self.opening.take() {
                self.place(&opening);
            }
        }
    }

    /// Goes to a position, in completed passes: of the run shown, and of the one that is not there yet.
    pub fn go(&mut self, position: usize) {
        self.view.go(position, self.last());
        self.wanted = self.runs.is_busy().then_some(position);
    }

    /// Goes to a stage of the pass at the position, from 0, and shows it.
    pub fn go_to_stage(&mut self, stage: Option<usize>) {
        self.view.memory.stage = stage;
        let moments = |shown: &Shown| shown.moments_at(self.view.position);
        if stage.is_some() && self.runs.shown().all(|shown| moments(shown) == 0) {
            self.view.memory.wanted = Some(true);
        }
    }

    /// Shows the first screen until something is chosen; the run that it asks about is made meanwhile.
    pub fn welcome(&mut self) {
        self.leave();
        self.welcome.open = true;
        self.tour.close();
        self.ask_beside(None);
        self.ask(welcome::first_job());
        self.view.fit();
        self.go(usize::MAX);
    }

    /// Shows the run of a tour stop.
    fn follow_tour(&mut self, stop: &Opening) {
        self.notices.close();
        if self.editor.is_open() {
            self.close_editor(f64::MIN);
        }
        // Each stop has its own view.
        self.view.fit();
        self.view.fitted = true;
        (self.view.memory.wanted, self.view.memory.tiles) = (None, None);
        self.canvas.tiles = Default::default();
        self.begin(stop);
    }

    /// Opens a lesson file.
    ///
    /// Errors: as text, with the place; as [`Lesson::checked`].
    pub fn open_lesson(&mut self, text: &str) -> Result<(), String> {
        let lesson = Lesson::checked(text).map_err(|error| error.to_string())?;
        self.teach(lesson);
        Ok(())
    }

    /// Opens a lesson at its beginning.
    pub fn teach(&mut self, lesson: Lesson) {
        self.close_editor(f64::MIN);
        self.leave();
        self.report(Ok(format!("{} {}", say("opened the lesson"), say(&lesson.title))));
        self.tour = Tour::of(lesson);
    }

    /// Shows a puzzle: its run, and its shader in the editor.
    pub fn open_puzzle(&mut self, puzzle: &Puzzle) {
        let mut given = self.tour.answers.solutions.iter();
        let given = given.find(|given| given.puzzle == puzzle.name).map(|given| given.text.clone());
        self.editor.open_puzzle(puzzle, given);
        self.panels.open_side();
        self.ask_beside(None);
        self.ask(puzzle.job.clone());
        self.view.fit();
    }

    /// Replaces the text in the editor, and runs it soon.
    pub fn replace(&mut self, text: String, now: f64) {
        if self.editor.is_open() {
            self.editor.replace(text);
            self.runs.both[0].schedule(now + editor::PAUSE);
        }
    }

    /// Closes the editor; the algorithm has its own shaders again.
    fn close_editor(&mut self, now: f64) {
        self.editor.close();
        self.runs.both[0].schedule(now);
    }

    /// Checks the puzzle with all its runs.
    fn check_puzzle(&mut self) {
        let Some(puzzle) = self.editor.puzzle.clone() else { return };
        let text = self.editor.text().to_owned();
        let verdict = self.runs.judge(&puzzle, &text);
        if self.tour.lesson().puzzle(&puzzle.name).is_some() {
            self.tour.answers.solve(puzzle.name.clone(), text);
            if verdict.is_solved() {
                self.tour.solve(&puzzle.name);
            }
        }
        self.editor.verdict = Some(verdict);
    }

    /// Starts an action from the menu: a dialog that asks for a path, or in a page a wish to the shell.
    fn ask_for_file(&mut self, what: What, theme: Theme) {
        let name = files::name(what, self.recording().as_deref());
        // A page picks and saves files itself, and still asks for the name of who answered.
        if !self.page || what == What::SaveAnswers {
            self.files.ask(what, name, self.tour.answers.name.clone());
        } else if what.opens() {
            self.wishes.push(Wish::Pick);
        } else {
            match self.content(what, theme) {
                Ok(bytes) => self.wishes.push(Wish::Save { name, bytes }),
                Err(wrong) => self.report(Err(wrong)),
            }
        }
    }

    /// Opens a file, or writes it.
    pub(super) fn use_file(&mut self, what: What, path: PathBuf, theme: Theme) -> Result<(), String> {
        let named = |error: String| files::named(&path, &error);
        match what {
            What::OpenTrace => return self.open_trace(&path),
            What::OpenLesson => return self.open_lesson_file(&path),
            What::OpenNumbers => {
                std::fs::metadata(&path).map_err(|error| named(error.to_string()))?;
                self.open_numbers(path);
                return Ok(());
            }
            _ => {}
        }
        let bytes = self.content(what, theme)?;
        rasterscan::tools::output::write(&path, &bytes).map_err(|error| named(error.to_string()))?;
        let done = if matches!(what, What::SaveTrace | What::SaveAnswers) { "saved" } else { "exported" };
        self.report(Ok(format!("{} {}", say(done), path.display())));
        Ok(())
    }

    /// The bytes of a file that is written.
    fn content(&self, what: What, theme: Theme) -> Result<Vec<u8>, String> {
        match what {
            What::SaveAnswers => Ok(self.tour.answers.to_json().into_bytes()),
            What::SaveTrace => {
                let recording = self.recording().ok_or_else(|| say("nothing to save yet"))?;
                recording.to_json().map_err(|error| error.to_string())
            }
            _ => self.export(what, theme),
        }
    }

    /// The bytes of a picture: of all visible runs, without panels.
    ///
    /// Errors: as text, if nothing is shown or the picture is too large.
    pub fn export(&self, what: What, theme: Theme) -> Result<Vec<u8>, String> {
        // Their words are English, as their narration is.
        speak(None, || files::export(&self.runs, &self.view, what, theme))
    }

    /// Shows a recording that was read from a trace file.
    pub fn show(&mut self, recording: Recording, file: PathBuf) {
        self.runs.both[0].job = job::of_recording(&recording);
        self.leave();
        self.put(0, Shown::of_file(recording, file));
        self.ask_beside(None);
        self.view.reset();
    }

    /// Shows the recording in the bytes of a trace file.
    ///
    /// Errors: as text, with the file's name.
    pub fn open_recording(&mut self, path: PathBuf, bytes: &[u8]) -> Result<(), String> {
        let recording =
            Recording::from_json(bytes).map_err(|error| files::named(&path, &error.to_string()))?;
        self.report(Ok(format!("{} {}", say("opened"), path.display())));
        self.show(recording, path);
        Ok(())
    }

    /// Opens a trace file and shows its recording.
    ///
    /// Errors: as text, with the file's name.
    pub fn open_trace(&mut self, path: &Path) -> Result<(), String> {
        let recording = files::load_trace(path)?;
        self.show(recording, path.to_owned());
        self.report(Ok(format!("{} {}", say("opened"), path.display())));
        Ok(())
    }

    /// Opens a lesson file.
    ///
    /// Errors: as text, with the file's name.
    pub fn open_lesson_file(&mut self, path: &Path) -> Result<(), String> {
        let mut text = String::new();
        let most = MOST_LESSON_BYTES as u64 + 1;
        let read = std::fs::File::open(path).and_then(|file| file.take(most).read_to_string(&mut text));
        let opened = read.map_err(|error| error.to_string()).and_then(|_| self.open_lesson(&text));
        opened.map_err(|error| files::named(path, &error))
    }

    /// Runs the current job on the numbers of a file. Side by side, both runs get them.
    pub fn open_numbers(&mut self, path: PathBuf) {
        self.leave();
        let job = Job { source: Source::File(path), ..self.runs.both[0].job.clone() };
        self.runs.set(0, job, f64::MIN, false);
    }
}
