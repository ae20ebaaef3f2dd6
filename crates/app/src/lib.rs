//! The visual app: a viewer of recorded runs, in any shell that has egui.
//!
//! [`App`] holds everything and draws one frame at a time ([`App::ui`]). It draws recordings, which are plain data;
//! an [`Engine`] makes them. Only `window`, behind the feature of that name, opens windows and calls OpenGL.
//!
//! | file | what it is |
//! | --- | --- |
//! | `job.rs`, `command.rs` | what is to be run, its numbers, and the command line for it |
//! | `engine.rs`, `runs.rs`, `saved.rs` | how and when it is run; the saved runs for devices that cannot |
//! | `shown.rs` | a run that is shown |
//! | `view.rs` | where in the run, how fast, and how it looks |
//! | `bar.rs`, `controls.rs`, `canvas/`, `timeline.rs`, `side.rs` | the panels: top, left, centre, bottom, right |
//! | `shared_memory.rs` | a part of the right panel |
//! | `tour.rs` | the guided tour, in the left panel |
//! | `legend.rs`, `files.rs` | windows |
//! | `panels.rs` | which panels there is room for |
//! | `keys.rs` | keys |
//! | `colour.rs` | the colours of numbers |
//! | `looks.rs` | colours, spacing, buttons |
//! | `window/` | a shell: a window of its own, and pictures without one |

#![deny(unsafe_code)]

mod bar;
mod canvas;
pub mod colour;
mod command;
mod controls;
mod counters;
pub mod engine;
mod files;
pub mod job;
mod keys;
mod legend;
mod looks;
mod panels;
mod runs;
pub mod saved;
pub mod shared_memory;
mod shown;
pub mod side;
mod timeline;
pub mod tour;
pub mod view;
#[cfg(feature = "window")]
pub mod window;

use std::path::PathBuf;
use std::rc::Rc;

pub use egui::Theme;
use egui::{CentralPanel, Color32, Context, Frame, Panel, Ui};
pub use files::load_trace;
use rasterscan::Job;
use rasterscan::problem::SCAN;
use rasterscan::trace::Recording;

use engine::Engine;
use job::{Load, Wrong};
use panels::Panels;
use shown::Shown;
use side::SideState;
use tour::Tour;
use view::View;

/// The app: all that it knows.
pub struct App {
    engine: Box<dyn Engine>,
    load: Load,
    pub view: View,
    /// What the controls say, for the first run and for the one beside it.
    jobs: [Job; 2],
    shown: [Option<Shown>; 2],
    wrong: [Option<Wrong>; 2],
    /// When what the controls say is run.
    due: [Option<f64>; 2],
    /// Whether two runs are side by side.
    beside: bool,
    /// Which of them the controls are for.
    editing: usize,
    panels: Panels,
    side: SideState,
    pub tour: Tour,
    dialog: Option<files::Dialog>,
    notice: Option<Notice>,
    wishes: Vec<Wish>,
    begun: bool,
    /// Whether points are smaller than the monitor's scale makes them.
    shrunk: bool,
    pixels_per_point: f32,
    /// What the window is called.
    titled: String,
    /// What the program is called in command lines.
    pub program: String,
}

/// What is said at the bottom of the picture until something else happens.
#[derive(Debug, Clone)]
struct Notice {
    text: String,
    wrong: bool,
    /// Whether it stays until it is closed, as what is wrong does.
    stays: bool,
    /// When it goes else, on the shell's clock, once it has been seen.
    until: Option<f64>,
}

/// What a shell must do for the app, which opens no windows and draws no pixels itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// The picture as it is now, as a PNG.
    Png(PathBuf),
    /// The picture after every pass, as an animated PNG.
    Apng(PathBuf),
    /// No more frames.
    Quit,
}

impl App {
    /// An app that shows Horn's scan of sixteen digits.
    pub fn new(engine: Box<dyn Engine>) -> App {
        App {
            engine,
            load: Box::new(|path, _, _| Err(format!("cannot read {}: there are no readers", path.display()))),
            view: View::default(),
            jobs: [job::first(SCAN), job::second(SCAN)]
                .map(|choice| Job::new(SCAN, job::digits(SCAN)).by(choice)),
            shown: [None, None],
            wrong: [None, None],
            due: [Some(f64::MIN), None],
            beside: false,
            editing: 0,
            panels: Panels { controls: true, side: true, legend: false },
            side: SideState::default(),
            tour: Tour::default(),
            dialog: None,
            notice: None,
            wishes: Vec::new(),
            begun: false,
            shrunk: false,
            pixels_per_point: 1.0,
            titled: String::new(),
            program: "rasterscan".into(),
        }
    }

    /// The same with somebody who reads files of numbers.
    pub fn with_files(self, load: Load) -> App {
        App { load, ..self }
    }

    /// Asks for a run, which is made at once; the position stays where it is, as far as it can.
    pub fn ask(&mut self, job: Job) {
        self.jobs[0] = job;
        self.run(0);
    }

    /// Asks for a run beside the first; `None` for none.
    pub fn ask_beside(&mut self, job: Option<Job>) {
        self.beside = job.is_some();
        self.wrong[1] = None;
        if let Some(job) = job {
            self.jobs[1] = job;
            self.run(1);
        }
    }

    /// Shows a recording that was made elsewhere.
    pub fn show(&mut self, recording: Recording, file: PathBuf) {
        self.jobs[0] = job::of_recording(&recording);
        self.put(0, Shown::of_file(recording, file));
        self.ask_beside(None);
        self.view.reset();
    }

    /// What is shown now, of the first run.
    pub fn recording(&self) -> Option<Rc<Recording>> {
        self.shown[0].as_ref().map(|shown| Rc::clone(&shown.recording))
    }

    /// Why a saved run is shown in place of what was asked for; `None` where that is shown.
    pub fn instead(&self) -> Option<&str> {
        let shown = self.visible().filter_map(|index| self.shown[index].as_ref());
        shown.filter_map(|shown| shown.instead.as_deref()).next()
    }

    /// What became of what was asked for, such as a length that was cut.
    pub fn notes(&self) -> &[String] {
        self.shown[0].as_ref().map_or(&[], |shown| &shown.notes)
    }

    /// What is wrong with what was asked for last.
    pub fn wrong(&self) -> Option<&Wrong> {
        self.wrong.iter().flatten().next()
    }

    /// Passes of the longer of the runs that are shown.
    pub fn last(&self) -> usize {
        let passes = self.visible().map(|index| self.shown[index].as_ref().map_or(0, Shown::passes));
        passes.max().unwrap_or(0)
    }

    /// Goes to a position, counted in passes made.
    pub fn go(&mut self, position: usize) {
        self.view.go(position, self.last());
    }

    /// What the shell has to do, once.
    pub fn take_wishes(&mut self) -> Vec<Wish> {
        std::mem::take(&mut self.wishes)
    }

    /// Says how a wish went.
    pub fn tell(&mut self, outcome: Result<String, String>) {
        self.notice = Some(match outcome {
            Ok(text) => Notice { text, wrong: false, stays: false, until: None },
            Err(text) => Notice { text, wrong: true, stays: true, until: None },
        });
    }

    /// Says something to whoever has just come, until they close it or take the tour.
    pub fn greet(&mut self, text: &str) {
        self.notice = Some(Notice { text: text.into(), wrong: false, stays: true, until: None });
    }

    /// What is shown, in a few words.
    pub fn title(&self) -> String {
        match &self.shown[0] {
            Some(shown) => {
                let position = self.view.position.min(shown.passes());
                format!("rasterscan: {}, pass {position} of {}", shown.recording.algorithm, shown.passes())
            }
            None => "rasterscan".into(),
        }
    }

    /// The runs that are in sight.
    fn visible(&self) -> std::ops::Range<usize> {
        0..if self.beside { 2 } else { 1 }
    }

    /// What a shell clears its frame with, before it paints what [`Self::ui`] or [`Self::picture`] have drawn.
    pub fn background(ctx: &Context) -> Color32 {
        looks::paper(&ctx.global_style().visuals)
    }

    /// Draws one frame, and takes what was typed and clicked since the last.
    pub fn ui(&mut self, ui: &mut Ui) {
        if !self.begun {
            self.begun = true;
            looks::set(ui.ctx());
            // In a small window the picture comes first.
            let width = ui.available_width();
            self.panels.side &= width >= panels::WIDE;
            self.panels.controls &= width >= panels::NARROW;
        }
        self.keep_legible(ui.ctx());
        self.pixels_per_point = ui.ctx().pixels_per_point();
        keys::take(self, ui);
        files::take_dropped(self, ui);
        self.run_what_is_due(ui);
        let now = ui.input(|input| input.time);
        if let Some(wait) = self.view.advance(now, self.last()) {
            ui.ctx().request_repaint_after_secs(wait as f32);
        }

        let size = ui.available_size();
        Panel::top("bar").show(ui, |ui| bar::show(self, ui));
        Panel::bottom("timeline").show(ui, |ui| timeline::show(self, ui, size));
        self.panels(ui, size);

        let title = self.title();
        if self.titled != title {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.titled = title;
        }
        legend::show(self, ui.ctx());
        files::show(self, ui.ctx());
    }

    /// Shows what a stop of the tour wants to be shown.
    fn follow_tour(&mut self, wish: tour::TourWish) {
        self.notice = None;
        self.ask(*wish.job);
        self.ask_beside(wish.beside.map(|job| *job));
        self.view.fit();
        self.go(wish.position);
    }

    /// The picture alone, for files: a title, the textures of a pass, and the counts so far.
    pub fn picture(&mut self, ui: &mut Ui) {
        let frame = Frame::new().inner_margin(10);
        CentralPanel::default().frame(frame).show(ui, |ui| canvas::picture(self, ui));
    }
}
