//! The visual app: a viewer of recordings, in any shell that has egui.
//!
//! [`App`] holds everything and draws one frame at a time ([`App::ui`]). It draws recordings, which are plain data;
//! an [`Engine`] makes them. Only `window`, behind the feature of that name, opens windows and calls OpenGL.
//!
//! | file | what it is |
//! | --- | --- |
//! | `job.rs`, `link.rs` | the job to run, its numbers, and the state in words: a command line or a link |
//! | `engine.rs`, `runs.rs` | running jobs, by kernels where a device cannot |
//! | `examples.rs` | jobs to look at |
//! | `shown.rs` | a run on screen |
//! | `view.rs` | the position in the run, the speed, and the look |
//! | `bar.rs`, `controls.rs`, `canvas/`, `timeline.rs`, `side.rs` | the panels: top, left, centre, bottom, right |
//! | `shared_memory.rs` | a part of the right panel |
//! | `tour.rs` | the stops of a lesson, in the left panel |
//! | `editor.rs` | a shader that is edited, in the right panel |
//! | `why.rs` | costs against n: a part of the right panel, and a window |
//! | `welcome.rs`, `presenting.rs` | the first screen; presentation mode |
//! | `legend.rs`, `files.rs` | windows |
//! | `panels.rs` | the panels that fit |
//! | `keys.rs` | keys |
//! | `looks.rs` | colours, spacing, buttons |
//! | `window/` | a shell: a window of its own, and pictures without one |

#![deny(missing_docs, unsafe_code)]

mod bar;
mod canvas;
mod controls;
mod counters;
pub mod editor;
pub mod engine;
pub mod examples;
pub mod files;
pub mod job;
mod keys;
mod legend;
pub mod link;
mod looks;
mod panels;
mod presenting;
mod runs;
pub mod shared_memory;
mod shown;
pub mod side;
mod timeline;
pub mod tour;
pub mod view;
mod welcome;
mod why;
#[cfg(feature = "window")]
pub mod window;

use std::path::PathBuf;
use std::rc::Rc;

pub use egui::Theme;
use egui::{CentralPanel, Color32, Context, Panel, Ui};
pub use files::load_trace;
pub use looks::fonts;
use rasterscan::Job;
use rasterscan::problem::SCAN;
use rasterscan::trace::{Place, Recording};
use rasterscan_lesson::file::Lesson;
pub use rasterscan_lesson::file::MOST_BYTES as MOST_LESSON_BYTES;
use rasterscan_picture::Spot;

use engine::Engine;
use job::{Load, Wrong};
use panels::Panels;
use shown::Shown;
use side::SideState;
use tour::Tour;
use view::View;

/// Keeps the tour's progress for the next start.
pub type Keep = Box<dyn FnMut(&str)>;

/// The app with its whole state.
pub struct App {
    engine: Box<dyn Engine>,
    load: Load,
    /// The current view.
    pub view: View,
    /// The jobs of the controls: of the first run, and of the one beside it.
    jobs: [Job; 2],
    shown: [Option<Shown>; 2],
    wrong: [Option<Wrong>; 2],
    /// The times at which the jobs run.
    due: [Option<f64>; 2],
    /// The jobs that the engine works on, with their numbers.
    unfinished: [Option<job::Resolved>; 2],
    /// The opening whose rest is applied once its run is there.
    opening: Option<link::Opening>,
    /// The position to go to then.
    wanted: Option<usize>,
    /// True if two runs are shown side by side.
    beside: bool,
    /// The run that the controls are for.
    editing: usize,
    panels: Panels,
    side: SideState,
    why: why::Why,
    /// True while the first screen is shown.
    welcoming: bool,
    /// True in presentation mode.
    presentation: bool,
    before_presenting: Option<presenting::Before>,
    /// Keeps the tour's progress, and the progress that was kept last.
    keep: Option<Keep>,
    kept: String,
    /// The tiles of each run, where a pass has tiles.
    tiles: [canvas::TilesState; 2],
    /// The editor of a shader, and the puzzle that is being solved.
    pub editor: editor::Editor,
    /// The guided tour.
    pub tour: Tour,
    dialog: Option<files::Dialog>,
    notice: Option<Notice>,
    wishes: Vec<Wish>,
    /// The pass that is seen at work, and the share of its way.
    moving: Option<(usize, f32)>,
    begun: bool,
    /// True if only the picture and its timeline are shown.
    embedded: bool,
    /// True if the shell is a page: it picks and saves files, and has links instead of command lines.
    page: bool,
    /// True if points are smaller than the monitor's scale makes them.
    shrunk: bool,
    pixels_per_point: f32,
    /// The title of the window.
    titled: String,
    /// The name of the program in command lines.
    pub program: String,
}

/// A message at the bottom of the picture.
#[derive(Debug, Clone)]
struct Notice {
    text: String,
    wrong: bool,
    /// True if it stays until it is closed, as errors do.
    stays: bool,
    /// The time at which it disappears otherwise, on the shell's clock, once it has been seen.
    until: Option<f64>,
}

/// A wish of the app to its shell: the app itself opens and closes no windows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Close the window: no more frames are drawn.
    Quit,
    /// Let the user pick a file, and give it to [`App::open_recording`] or [`App::open_numbers`].
    Pick,
    /// Save bytes as a file of this name.
    Save {
        /// The proposed name.
        name: String,
        /// The content of the file.
        bytes: Vec<u8>,
    },
    /// Copy a link to the current state.
    CopyLink,
}

impl App {
    /// An app that shows Horn's scan of sixteen digits.
    pub fn new(engine: Box<dyn Engine>) -> App {
        App {
            engine,
            load: Box::new(|path, _, _| {
                Err(format!("cannot read {}: this app has no file readers", path.display()))
            }),
            view: View::default(),
            jobs: [job::first(SCAN), job::second(SCAN)]
                .map(|choice| Job::new(SCAN, job::digits(SCAN)).by(choice)),
            shown: [None, None],
            wrong: [None, None],
            due: [Some(f64::MIN), None],
            unfinished: [None, None],
            opening: None,
            wanted: None,
            beside: false,
            editing: 0,
            panels: Panels::default(),
            side: SideState::default(),
            why: why::Why::default(),
            welcoming: false,
            presentation: false,
            before_presenting: None,
            keep: None,
            kept: String::new(),
            tiles: Default::default(),
            editor: editor::Editor::default(),
            tour: Tour::default(),
            dialog: None,
            notice: None,
            wishes: Vec::new(),
            moving: None,
            begun: false,
            embedded: false,
            page: false,
            shrunk: false,
            pixels_per_point: 1.0,
            titled: String::new(),
            program: "rasterscan".into(),
        }
    }

    /// The same app with a reader for files of numbers.
    pub fn with_files(self, load: Load) -> App {
        App { load, ..self }
    }

    /// The same app with the tour's progress of an earlier start; `keep` is given each later one.
    pub fn with_progress(mut self, progress: &str, keep: Keep) -> App {
        self.tour.set_progress(progress);
        self.kept = self.tour.progress();
        App { keep: Some(keep), ..self }
    }

    /// The same app in a page, where the shell picks and saves files ([`Wish`]), and links name states.
    pub fn in_page(self) -> App {
        App { page: true, ..self }
    }

    /// Runs a job at once. The position stays, as far as the new run has it.
    pub fn ask(&mut self, job: Job) {
        self.jobs[0] = job;
        self.run(0);
    }

    /// Runs a job beside the first; `None` shows one run.
    pub fn ask_beside(&mut self, job: Option<Job>) {
        self.beside = job.is_some();
        self.wrong[1] = None;
        if let Some(job) = job {
            self.jobs[1] = job;
            self.run(1);
        }
    }

    /// Shows a recording that was read from a trace file.
    pub fn show(&mut self, recording: Recording, file: PathBuf) {
        self.jobs[0] = job::of_recording(&recording);
        self.welcoming = false;
        self.put(0, Shown::of_file(recording, file));
        self.ask_beside(None);
        self.view.reset();
    }

    /// The recording of the first run, if one is shown.
    pub fn recording(&self) -> Option<Rc<Recording>> {
        self.shown[0].as_ref().map(|shown| Rc::clone(&shown.recording))
    }

    /// The reason why kernels made the run, and not the engine; `None` if the engine made it.
    pub fn instead(&self) -> Option<&str> {
        let shown = self.visible().filter_map(|index| self.shown[index].as_ref());
        shown.filter_map(|shown| shown.instead.as_deref()).next()
    }

    /// Notes on changes to the job, such as a length that was cut.
    pub fn notes(&self) -> &[String] {
        self.shown[0].as_ref().map_or(&[], |shown| &shown.notes)
    }

    /// The error of the last job, if it failed.
    pub fn wrong(&self) -> Option<&Wrong> {
        self.wrong.iter().flatten().next()
    }

    /// The number of passes of the longer run shown.
    pub fn last(&self) -> usize {
        let passes = self.visible().map(|index| self.shown[index].as_ref().map_or(0, |shown| shown.passes()));
        passes.max().unwrap_or(0)
    }

    /// Goes to a position, in completed passes: of the run shown, and of the one that is not there yet.
    pub fn go(&mut self, position: usize) {
        self.view.go(position, self.last());
        self.wanted = self.is_busy().then_some(position);
    }

    /// Takes the wishes for the shell.
    pub fn take_wishes(&mut self) -> Vec<Wish> {
        std::mem::take(&mut self.wishes)
    }

    /// Shows the outcome of a task.
    pub fn report(&mut self, outcome: Result<String, String>) {
        self.notice = Some(match outcome {
            Ok(text) => Notice { text, wrong: false, stays: false, until: None },
            Err(text) => Notice { text, wrong: true, stays: true, until: None },
        });
    }

    /// The current step in words: the title, and the narration of each run shown.
    pub fn narration(&self) -> String {
        let shown = self.visible().filter_map(|index| self.shown[index].as_ref());
        let told = shown.map(|shown| {
            let position = self.view.position.min(shown.passes());
            let text = rasterscan_lesson::narrate(&shown.recording, position);
            format!("{}, pass {position} of {}: {text}", shown.recording.algorithm, shown.passes())
        });
        told.collect::<Vec<_>>().join("\n")
    }

    /// The title of the window: the run and the position.
    pub fn title(&self) -> String {
        match &self.shown[0] {
            Some(shown) => {
                let position = self.view.position.min(shown.passes());
                format!("rasterscan: {}, pass {position} of {}", shown.recording.algorithm, shown.passes())
            }
            None => "rasterscan".into(),
        }
    }

    /// The visible runs.
    fn visible(&self) -> std::ops::Range<usize> {
        0..if self.beside { 2 } else { 1 }
    }

    /// The colour with which a shell clears its frame before it paints [`Self::ui`].
    pub fn background(ctx: &Context) -> Color32 {
        looks::paper(&ctx.global_style().visuals)
    }

    /// Draws one frame, and handles the input since the last.
    pub fn ui(&mut self, ui: &mut Ui) {
        if !self.begun {
            self.begun = true;
            looks::set(ui.ctx());
        }
        self.keep_presenting(ui.ctx());
        if !self.presentation {
            self.keep_legible(ui.ctx());
        }
        self.pixels_per_point = ui.ctx().pixels_per_point();
        self.find_stages();
        keys::take(self, ui);
        files::take_dropped(self, ui);
        self.run_what_is_due(ui);
        let now = ui.input(|input| input.time);
        if let Some(wait) = self.view.advance(now, self.last()) {
            ui.ctx().request_repaint_after_secs(wait as f32);
        }

        let size = ui.available_size();
        if self.embedded {
            Panel::bottom("timeline").show(ui, |ui| {
                timeline::show(self, ui, size);
                let whole = link::Opening { embed: false, ..self.opening() };
                ui.hyperlink_to("Open in rasterscan", format!("?{}", whole.link()));
                ui.add_space(2.0);
            });
            CentralPanel::no_frame().show(ui, |ui| canvas::show(self, ui));
            return;
        }
        if self.presentation {
            presenting::show(self, ui);
        } else {
            Panel::top("bar").show(ui, |ui| bar::show(self, ui));
            Panel::bottom("timeline").show(ui, |ui| timeline::show(self, ui, size));
            match self.welcoming {
                true => welcome::show(self, ui),
                false => self.panels(ui, size),
            }
        }
        self.keep_progress();

        let title = self.title();
        if self.titled != title {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.titled = title;
        }
        legend::show(self, ui.ctx());
        why::window(self, ui.ctx());
        files::show(self, ui.ctx());
    }

    fn keep_progress(&mut self) {
        let Some(keep) = &mut self.keep else { return };
        let progress = self.tour.progress();
        if progress != self.kept {
            keep(&progress);
            self.kept = progress;
        }
    }

    /// Shows the run of a tour stop.
    fn follow_tour(&mut self, wish: tour::TourWish) {
        self.notice = None;
        if self.editor.is_open() {
            self.close_editor(f64::MIN);
        }
        self.ask(*wish.job);
        self.ask_beside(wish.beside.map(|job| *job));
        self.view.fit();
        self.go(wish.position);
        // Each stop has its own view.
        self.view.memory.wanted = None;
        self.tiles = Default::default();
        self.view.fitted = !wish.texture_rows;
        self.go_to_stage(wish.stage);
        if let Some(index) = wish.pin {
            let place = Place { of: 0, index };
            self.view.cameras[0].pinned = Some((wish.position, Spot { source: false, place }));
        }
    }

    /// Opens the puzzle that was chosen in the lesson's list.
    fn follow_puzzle(&mut self) {
        let puzzle = self.tour.puzzle.take();
        if let Some(puzzle) = puzzle.and_then(|number| self.tour.lesson().puzzles.get(number).cloned()) {
            self.notice = None;
            self.open_puzzle(&puzzle);
        }
    }

    /// Opens a lesson file.
    ///
    /// Errors: as text, with the place.
    pub fn open_lesson(&mut self, text: &str) -> Result<(), String> {
        let lesson = Lesson::parse(text).map_err(|error| error.to_string())?;
        self.teach(lesson);
        Ok(())
    }

    /// Opens a lesson at its beginning.
    pub fn teach(&mut self, lesson: Lesson) {
        self.close_editor(f64::MIN);
        self.welcoming = false;
        self.report(Ok(format!("opened the lesson {}", lesson.title)));
        self.tour = Tour::of(lesson);
    }
}
