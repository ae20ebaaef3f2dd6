//! The visual app: a viewer of recorded runs, in any shell that has egui.
//!
//! [`App`] holds everything and draws one frame at a time ([`App::ui`]). It draws recordings, which are plain data;
//! who makes them is a [`Runner`]. It opens no window and calls no OpenGL.
//!
//! | file | what it is |
//! | --- | --- |
//! | `ask.rs`, `data.rs` | what is to be run, and its numbers |
//! | `runner.rs` | who runs it |
//! | `shown.rs` | a run that is shown |
//! | `view.rs` | where in the run, how fast, and how it looks |
//! | `bar.rs`, `controls.rs`, `canvas/`, `timeline.rs`, `side.rs` | the panels: top, left, centre, bottom, right |
//! | `shared_memory.rs` | a part of the right panel |
//! | `tour.rs`, `legend.rs`, `files.rs` | windows |
//! | `keys.rs` | keys |
//! | `looks.rs` | colours, spacing, buttons |
//! | `window/` | a shell: a window of its own, and pictures without one |

pub mod ask;
mod bar;
mod canvas;
mod controls;
mod counters;
pub mod data;
mod files;
mod keys;
mod legend;
mod looks;
pub mod runner;
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
use egui::{CentralPanel, Frame, Panel, Ui};
pub use files::load_trace;

use crate::trace::Recording;
use ask::{Ask, Field, Wrong};
use data::Load;
use runner::Runner;
use shown::Shown;
use side::SideState;
use tour::Tour;
use view::{ColourRange, View};

/// How long after the last edit of a text its run is made, in seconds.
const PAUSE: f64 = 0.4;

/// Below this width, in points, there is one panel at a time.
const NARROW: f32 = 620.0;
/// From this width on there are all panels at once.
const WIDE: f32 = 1000.0;
/// What a window has at least, in points.
const LEAST: egui::Vec2 = egui::vec2(320.0, 240.0);

/// The app: all that it knows.
pub struct App {
    runner: Box<dyn Runner>,
    load: Load,
    pub view: View,
    /// What the controls say, for the first run and for the one beside it.
    asks: [Ask; 2],
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
    /// What the window is called.
    titled: String,
}

/// Which panels are open.
#[derive(Debug, Clone, Copy)]
struct Panels {
    controls: bool,
    side: bool,
    legend: bool,
}

/// What is said at the bottom of the picture until something else happens.
#[derive(Debug, Clone)]
struct Notice {
    text: String,
    wrong: bool,
}

/// What a shell must do for the app, since it needs to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// The picture as it is now, as a PNG.
    Png(PathBuf),
    /// The picture after every pass, as an animated PNG.
    Apng(PathBuf),
}

impl App {
    /// An app that shows Horn's scan of sixteen digits.
    pub fn new(runner: Box<dyn Runner>) -> App {
        App {
            runner,
            load: Box::new(|path, _, _| Err(format!("cannot read {}: there are no readers", path.display()))),
            view: View::default(),
            asks: [Ask::scan("horn"), Ask::scan("hybrid:reduce=2")],
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
            titled: String::new(),
        }
    }

    /// The same with somebody who reads files of numbers.
    pub fn with_files(self, load: Load) -> App {
        App { load, ..self }
    }

    /// Asks for a run, which is made at once; the position stays where it is, as far as it can.
    pub fn ask(&mut self, ask: Ask) {
        self.asks[0] = ask;
        self.run(0);
    }

    /// Asks for a run beside the first; `None` for none.
    pub fn ask_beside(&mut self, ask: Option<Ask>) {
        self.beside = ask.is_some();
        if let Some(ask) = ask {
            self.asks[1] = ask;
            self.run(1);
        }
    }

    /// Shows a recording that was made elsewhere.
    pub fn show(&mut self, recording: Recording, file: PathBuf) {
        self.put(0, Shown::of_file(recording, file));
        self.beside = false;
        self.view.reset();
    }

    /// What is shown now, of the first run.
    pub fn recording(&self) -> Option<Rc<Recording>> {
        self.shown[0].as_ref().map(|shown| Rc::clone(&shown.recording))
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
            Ok(text) => Notice { text, wrong: false },
            Err(text) => Notice { text, wrong: true },
        });
    }

    /// The command line that shows this.
    pub fn command(&self) -> String {
        let position = self.view.position;
        match self.shown[0].as_ref().and_then(|shown| shown.file.as_ref()) {
            Some(file) => {
                let file = ask::quoted(&file.display().to_string());
                let pass = if position > 0 { format!(" --pass {position}") } else { String::new() };
                format!("rasterscan app --trace {file}{pass}")
            }
            None => {
                let beside = self.beside.then_some(self.asks[1].algorithm.as_str());
                self.asks[0].command(position, beside)
            }
        }
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

    /// Makes the run that the controls ask for. Where it fails, what was shown stays.
    fn run(&mut self, index: usize) {
        self.due[index] = None;
        let ask = self.asks[index].clone();
        let outcome = ask.settle(&mut self.load).and_then(|job| {
            let failed = |message| Wrong { field: Field::Run, message };
            let recording = self.runner.run(&job).map_err(failed)?;
            Ok(Shown::of_run(recording, job))
        });
        match outcome {
            Ok(shown) => self.put(index, shown),
            Err(wrong) => self.wrong[index] = Some(wrong),
        }
    }

    fn put(&mut self, index: usize, shown: Shown) {
        if index == 0 {
            // Where sums stand beside flags, or grow by powers of ten, small numbers would all look alike.
            let small_ones_are_lost = shown.kept.is_some() || shown.recording.request.len() > 256;
            self.view.range = if small_ones_are_lost { ColourRange::Stream } else { ColourRange::Run };
        }
        self.wrong[index] = None;
        self.due[index] = None;
        self.view.cameras[index] = Default::default();
        self.shown[index] = Some(shown);
    }

    /// Says that the controls have changed: at once, or once nothing more is typed.
    fn edited(&mut self, index: usize, now: f64, typing: bool) {
        self.due[index] = Some(if typing { now + PAUSE } else { now });
    }

    fn run_what_is_due(&mut self, ui: &Ui) {
        let now = ui.input(|input| input.time);
        for index in self.visible() {
            match self.due[index] {
                Some(due) if due <= now => self.run(index),
                Some(due) => ui.ctx().request_repaint_after_secs((due - now) as f32),
                None => {}
            }
        }
    }

    /// Draws one frame, and takes what was typed and clicked since the last.
    pub fn ui(&mut self, ui: &mut Ui) {
        if !self.begun {
            self.begun = true;
            looks::set(ui.ctx());
            // In a small window the picture comes first.
            let width = ui.available_width();
            self.panels.side &= width >= WIDE;
            self.panels.controls &= width >= NARROW;
        }
        self.keep_legible(ui.ctx());
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
        let recording = self.recording();
        let wish = tour::show(ui.ctx(), &mut self.tour, recording.as_deref());
        if let Some(wish) = wish {
            self.ask(*wish.ask);
            self.ask_beside(wish.beside.map(|ask| *ask));
            self.view.fit();
            self.go(wish.position);
        }
    }

    /// A window that is small and whose monitor's scale is large has room for little more than a button: then points
    /// become smaller, until there are as many as the panels need, or one a pixel.
    fn keep_legible(&mut self, ctx: &egui::Context) {
        let zoom = ctx.zoom_factor();
        let native = ctx.pixels_per_point() / zoom;
        let size = ctx.content_rect().size() * zoom;
        let enough = (size.x / LEAST.x).min(size.y / LEAST.y).min(1.0);
        let wanted = enough.max((1.0 / native).min(1.0));
        // Whoever has zoomed otherwise has meant it.
        let ours = self.shrunk || zoom == 1.0;
        if ours && (wanted - zoom).abs() > 0.01 {
            self.shrunk = wanted < 1.0;
            ctx.set_zoom_factor(wanted);
        }
    }

    /// The controls, the picture and the explanations: as many of them as there is room for.
    fn panels(&mut self, ui: &mut Ui, size: egui::Vec2) {
        let narrow = size.x < NARROW;
        if size.x < WIDE && self.panels.controls && self.panels.side {
            // Whichever was opened last stays.
            self.panels.side = false;
        }
        if narrow && (self.panels.controls || self.panels.side) {
            CentralPanel::default().show(ui, |ui| match self.panels.controls {
                true => controls::show(self, ui),
                false => self.show_side(ui),
            });
            return;
        }
        if self.panels.controls {
            let panel = Panel::left("controls").default_size(236.0).size_range(190.0..=340.0);
            panel.show(ui, |ui| controls::show(self, ui));
        }
        if self.panels.side {
            let panel = Panel::right("side").default_size(300.0).size_range(200.0..=560.0);
            panel.show(ui, |ui| self.show_side(ui));
        }
        let frame = Frame::new().fill(looks::paper(ui.visuals()));
        CentralPanel::default().frame(frame).show(ui, |ui| canvas::show(self, ui));
    }

    fn show_side(&mut self, ui: &mut Ui) {
        let index = if self.beside { self.editing } else { 0 };
        let Some(shown) = &self.shown[index] else {
            ui.weak("Nothing has been run yet.");
            return;
        };
        let recording = Rc::clone(&shown.recording);
        let pass = self.view.position.min(recording.passes.len()).checked_sub(1);
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            side::show(ui, &recording, pass, &mut self.side);
        });
    }

    /// The picture alone, for files: a title, the textures of a pass, and the counts so far.
    pub fn picture(&mut self, ui: &mut Ui) {
        let frame = Frame::new().fill(looks::paper(ui.visuals())).inner_margin(10);
        CentralPanel::default().frame(frame).show(ui, |ui| canvas::picture(self, ui));
    }
}
