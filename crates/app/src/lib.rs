//! The visual app: a viewer of recordings, in any shell that has egui.
//!
//! [`App`] holds the panels and what they share, and draws one frame at a time ([`App::ui`]). It draws recordings, which
//! are plain data; an [`Engine`] makes them. A panel owns its state. What the user does in it and concerns others is an
//! action, which the app carries out. Only `window`, behind the feature of that name, opens windows and calls OpenGL.
//!
//! | file | what it is |
//! | --- | --- |
//! | `job.rs`, `link.rs` | the job to run, its numbers, and the state in words: a command line or a link |
//! | `engine.rs`, `runs.rs` | running jobs, by kernels where a device cannot |
//! | `actions.rs` | what is done in one panel and concerns others |
//! | `examples.rs` | jobs to look at |
//! | `shown.rs` | a run on screen |
//! | `view.rs` | the position in the run, the speed, and the look |
//! | `bar.rs`, `controls.rs`, `canvas/`, `timeline.rs`, `side.rs` | the panels: top, left, centre, bottom, right |
//! | `shared_memory.rs` | a part of the right panel |
//! | `gallery.rs` | the pieces of the gallery, in place of a run |
//! | `tour.rs` | the stops of a lesson, in the left panel |
//! | `editor.rs` | a shader that is edited, in the right panel |
//! | `why.rs` | costs against n: a part of the right panel, and a window |
//! | `race.rs` | a window: steps against the number of processors |
//! | `welcome.rs`, `sketch.rs`, `presenting.rs` | the first screen, and what is drawn there; presentation mode |
//! | `legend.rs`, `files.rs`, `notices.rs` | windows, and messages on the picture |
//! | `panels.rs` | the panels that fit |
//! | `keys.rs` | keys |
//! | `looks.rs`, `spoken.rs` | colours, spacing, buttons; texts for screen readers |
//! | `window/` | a shell: a window of its own, and pictures without one |

#![deny(missing_docs, unsafe_code)]

mod actions;
mod bar;
mod canvas;
mod controls;
mod counters;
pub mod editor;
pub mod engine;
pub mod examples;
pub mod files;
mod gallery;
pub mod job;
mod keys;
mod legend;
pub mod link;
mod looks;
mod notices;
mod panels;
mod presenting;
mod race;
mod runs;
pub mod shared_memory;
mod shown;
pub mod side;
mod sketch;
mod spoken;
mod timeline;
pub mod tour;
pub mod view;
mod welcome;
mod why;
#[cfg(feature = "window")]
pub mod window;

use std::rc::Rc;

pub use egui::Theme;
use egui::{CentralPanel, Color32, Context, Panel, Rect, Ui, Vec2};
pub use files::load_trace;
pub use looks::fonts;
use rasterscan::tools::Job;
use rasterscan::tools::problem::SCAN;
use rasterscan::trace::Recording;
pub use rasterscan_lesson::file::MOST_BYTES as MOST_LESSON_BYTES;
use rasterscan_lesson::phrases::{LANGUAGES, Phrases, say, speak};
use rasterscan_lesson::tour::TOUR;
use rasterscan_picture::{Picture, Spot};

use actions::Action;
use bar::Bar;
use canvas::Canvas;
use counters::Counts;
use engine::Engine;
use files::{Files, What};
use gallery::{Gallery, Links};
use job::{Load, Wrong};
use legend::Legend;
use notices::Notices;
use panels::{Panels, SidePanel};
use presenting::Presenting;
use race::Race;
use runs::Runs;
use shown::Shown;
use side::Side;
use spoken::Spoken;
use tour::{Reading, Tour};
use view::View;
use welcome::Welcome;
use why::Why;

/// Below this height, in points, a window shows counts in one line.
const LOW: f32 = 700.0;

/// Keeps the tour's progress for the next start.
pub type Keep = Box<dyn FnMut(&str)>;

/// The app: its panels, and what they share.
pub struct App {
    runs: Runs,
    /// The current view.
    pub view: View,
    /// The opening whose rest is applied once its run is there.
    opening: Option<link::Opening>,
    /// The position to go to then.
    wanted: Option<usize>,
    panels: Panels,
    canvas: Canvas,
    side: Side,
    why: Why,
    race: Race,
    legend: Legend,
    welcome: Welcome,
    gallery: Gallery,
    presenting: Presenting,
    files: Files,
    notices: Notices,
    spoken: Spoken,
    /// The editor of a shader, and the puzzle that is being solved.
    pub editor: editor::Editor,
    /// The guided tour.
    pub tour: Tour,
    /// Keeps the tour's progress, and the progress that was kept last.
    progress: Option<(Keep, String)>,
    wishes: Vec<Wish>,
    /// The language, by its name in options; empty for English. Its phrases, once they are there.
    language: String,
    phrases: Option<Phrases>,
    begun: bool,
    /// True if only the picture and its timeline are shown.
    embedded: bool,
    /// True if the shell is a page: it picks and saves files, and has links instead of command lines.
    page: bool,
    /// The title of the window.
    titled: String,
    /// The name of the program in command lines.
    pub program: String,
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
    /// Show the current state as text: [`App::reading`] and [`App::history`].
    Read,
    /// Fetch the catalogue of the language of this name, and give it to [`App::speak`].
    Language(String),
}

impl App {
    /// An app that shows Horn's scan of sixteen digits.
    pub fn new(engine: Box<dyn Engine>) -> App {
        let jobs = [job::first(SCAN), job::second(SCAN)];
        App {
            runs: Runs::new(engine, jobs.map(|choice| Job::new(SCAN, job::digits(SCAN)).by(choice))),
            view: View::default(),
            opening: None,
            wanted: None,
            panels: Panels::default(),
            canvas: Canvas::default(),
            side: Side::default(),
            why: Why::default(),
            race: Race::default(),
            legend: Legend::default(),
            welcome: Welcome::default(),
            gallery: Gallery::default(),
            presenting: Presenting::default(),
            files: Files::default(),
            notices: Notices::default(),
            spoken: Spoken::default(),
            editor: editor::Editor::default(),
            tour: Tour::default(),
            progress: None,
            wishes: Vec::new(),
            language: String::new(),
            phrases: None,
            begun: false,
            embedded: false,
            page: false,
            titled: String::new(),
            program: "rasterscan".into(),
        }
    }

    /// The same app with a reader for files of numbers.
    pub fn with_files(self, load: Load) -> App {
        App { runs: Runs { load, ..self.runs }, ..self }
    }

    /// The same app with the tour's progress of an earlier start; `keep` is given each later one.
    pub fn with_progress(mut self, progress: &str, keep: Keep) -> App {
        self.tour.set_progress(progress);
        App { progress: Some((keep, self.tour.progress())), ..self }
    }

    /// The same app in a page, where the shell picks and saves files ([`Wish`]), and links name states.
    pub fn in_page(self) -> App {
        App { page: true, ..self }
    }

    /// The recording of the first run, if one is shown.
    pub fn recording(&self) -> Option<Rc<Recording>> {
        self.runs.both[0].shown.as_ref().map(|shown| Rc::clone(&shown.recording))
    }

    /// The reason why kernels made the run, and not the engine; `None` if the engine made it.
    pub fn instead(&self) -> Option<&str> {
        self.runs.instead()
    }

    /// Notes on changes to the job, such as a length that was cut.
    pub fn notes(&self) -> &[String] {
        self.runs.both[0].shown.as_ref().map_or(&[], |shown| &shown.notes)
    }

    /// The error of the last job, if it failed.
    pub fn wrong(&self) -> Option<&Wrong> {
        self.runs.both.iter().find_map(|run| run.wrong.as_ref())
    }

    /// Returns true while a run is due or unfinished, when the last run is still shown, or a piece of the gallery is.
    pub fn is_busy(&self) -> bool {
        self.runs.is_busy() || matches!(self.gallery.outcome(), Some((_, None)))
    }

    /// The number of passes of the longer run shown.
    pub fn last(&self) -> usize {
        self.runs.last()
    }

    /// The steps within the pass at the position: stages of shared memory, or moments of tiles.
    pub fn stages(&self) -> usize {
        let position = self.view.position;
        let stages = self.runs.shown().map(|shown| {
            let position = position.min(shown.passes());
            shown.stages_at(position).max(shown.moments_at(position))
        });
        stages.max().unwrap_or(0)
    }

    /// Returns true while the first screen is shown.
    pub fn is_welcoming(&self) -> bool {
        self.welcome.open
    }

    /// Takes the wishes for the shell.
    pub fn take_wishes(&mut self) -> Vec<Wish> {
        std::mem::take(&mut self.wishes)
    }

    /// Shows the outcome of a task.
    pub fn report(&mut self, outcome: Result<String, String>) {
        self.notices.report(outcome);
    }

    /// Uses a language by its name in options, English if it is empty. One that is not built in is wished for.
    pub fn use_language(&mut self, code: &str) {
        if self.language == code {
            return;
        }
        (self.language, self.phrases) = (code.into(), None);
        let built_in = LANGUAGES.iter().find(|known| known.code == code && !known.text.is_empty());
        match built_in {
            _ if code.is_empty() => {}
            None => self.wishes.push(Wish::Language(code.into())),
            Some(language) => {
                if let Err(wrong) = self.speak(code, language.text) {
                    self.report(Err(wrong));
                }
            }
        }
    }

    /// Uses the phrases of a catalogue, as docs/lessons.md describes it, if this is still the language that is wished for.
    ///
    /// Errors: as [`Phrases::parse`].
    pub fn speak(&mut self, code: &str, catalogue: &str) -> Result<(), String> {
        let phrases = Phrases::parse(catalogue)?;
        if self.language == code {
            self.phrases = Some(phrases);
        }
        Ok(())
    }

    /// The phrases of the language, for tests of what they lack.
    pub fn phrases(&self) -> Option<&Phrases> {
        self.phrases.as_ref()
    }

    /// A text in the app's language.
    pub fn say(&self, text: &str) -> String {
        speak(self.phrases.as_ref(), || say(text))
    }

    /// The current step in words: the title, and the narration of each run shown; or what is shown in its place.
    pub fn narration(&self) -> String {
        if self.gallery.piece.is_some() {
            return speak(self.phrases.as_ref(), || self.gallery.narration());
        }
        if self.welcome.open {
            return self.say(welcome::QUESTION);
        }
        let position = self.view.position;
        let told = |shown: &Shown| format!("{}: {}", shown.title(position), shown.narration(position));
        let told = || self.runs.shown().map(told).collect::<Vec<_>>().join("\n");
        speak(self.phrases.as_ref(), told)
    }

    /// The stop of the tour in words; `None` if no stop is open.
    pub fn reading(&self) -> Option<Reading> {
        let current = tour::Current::of(&self.runs, &self.gallery);
        speak(self.phrases.as_ref(), || self.tour.reading(current)).filter(|_| self.tour.open)
    }

    /// Each position of the first run in words: its narration, and the values of its row.
    pub fn history(&self) -> Vec<[String; 2]> {
        let Some(shown) = &self.runs.both[0].shown else { return Vec::new() };
        let told = |position| [shown.narration(position), shown.row(position)];
        speak(self.phrases.as_ref(), || (0..=shown.passes()).map(told).collect())
    }

    /// The title of the window: the run and the position, or the piece of the gallery.
    pub fn title(&self) -> String {
        if let Some(piece) = self.gallery.piece {
            return format!("rasterscan: {}", self.say(piece.title));
        }
        match &self.runs.both[0].shown {
            Some(shown) => {
                let title = speak(self.phrases.as_ref(), || shown.title(self.view.position));
                format!("rasterscan: {title}")
            }
            None => "rasterscan".into(),
        }
    }

    /// The rectangle of a texel in the last frame, in points; `None` if the texel is not shown.
    pub fn rect_of(&self, run: usize, spot: Spot) -> Option<Rect> {
        let shown = self.runs.both.get(run)?.shown.as_ref()?;
        let camera = self.view.cameras.get(run)?;
        let position = self.view.position.min(shown.passes());
        let style = self.view.style(rasterscan_drawing::theme::Theme::DARK);
        Picture::new(shown, position, &style, camera.part(), camera.pane?).rect_of(spot)
    }

    /// The colour with which a shell clears its frame before it paints [`Self::ui`].
    pub fn background(ctx: &Context) -> Color32 {
        looks::paper(&ctx.global_style().visuals)
    }

    /// Draws one frame, and handles the input since the last.
    pub fn ui(&mut self, ui: &mut Ui) {
        speak(self.phrases.clone().as_ref(), || self.frame(ui));
        let mut spoken = std::mem::take(&mut self.spoken);
        speak(self.phrases.as_ref(), || spoken.take_frame(ui.ctx(), || self.narration()));
        // A window has its tree of widgets instead.
        if self.page {
            self.spoken = spoken;
        }
    }

    /// Takes the texts that a page's shell is to have spoken: what was used or got the focus, and what is new.
    /// [`Self::narration`] is not among them.
    pub fn take_spoken(&mut self) -> Option<String> {
        self.spoken.take()
    }

    fn frame(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        if !self.begun {
            self.begun = true;
            looks::set(&ctx);
        }
        looks::fit_controls(&ctx);
        self.presenting.apply(&ctx);
        if !self.presenting.on {
            self.panels.keep_legible(&ctx);
        }
        self.view.memory.find_stages(&self.runs);
        let deeds = keys::deeds(ui, self.tour.takes_digits(&ctx));
        self.carry_out(deeds.into_iter().map(Action::Deed), &ctx);
        for (what, path) in files::dropped(ui) {
            if what == What::OpenNumbers {
                self.open_numbers(path);
            } else if let Err(wrong) = self.use_file(what, path, looks::theme(ui.visuals())) {
                self.report(Err(wrong));
            }
        }
        self.run_what_is_due(&ctx);
        let now = ui.input(|input| input.time);
        if let Some(wait) = self.view.advance(now, self.last()) {
            ctx.request_repaint_after_secs(wait as f32);
        }

        self.panels.crowded = self.tour.open && self.runs.beside;
        let size = ui.available_size();
        if self.embedded {
            if self.gallery.piece.is_none() {
                self.timeline(ui, size);
            }
            self.picture(ui);
            return;
        }
        if self.presenting.on {
            let stop = self.tour.asked(tour::Current::of(&self.runs, &self.gallery));
            let action = self.presenting.show(ui, &self.runs, &mut self.view, stop);
            let action = action.or_else(|| self.tour.arrive());
            self.carry_out(action, &ctx);
            self.picture(ui);
        } else {
            let width = ctx.content_rect().width();
            let hidden = self.welcome.open || self.gallery.piece.is_some();
            let shows = |panel| self.panels.shows(panel, width) && !hidden;
            let bar = Bar {
                language: &self.language,
                page: self.page,
                // The tour replaces the controls.
                controls: shows(SidePanel::Controls) && !self.tour.open,
                tour: self.tour.open,
                side: shows(SidePanel::Side),
                beside: self.runs.beside,
            };
            let action = Panel::top("bar").show(ui, |ui| bar.show(ui, &mut self.view)).inner;
            self.carry_out(action, &ctx);
            if self.welcome.open {
                let action = self.welcome.show(ui);
                self.carry_out(action, &ctx);
            } else {
                if !hidden {
                    self.timeline(ui, size);
                }
                self.panels(ui, size);
            }
        }
        if let Some((keep, kept)) = &mut self.progress {
            let before = std::mem::replace(kept, self.tour.progress());
            if *kept != before {
                keep(kept);
            }
        }

        let title = self.title();
        if self.titled != title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.titled = title;
        }
        self.legend.show(&ctx);
        self.why.window(&ctx, &self.runs);
        self.race.window(&ctx);
        let action = self.files.show(&ctx);
        self.carry_out(action, &ctx);
    }

    /// Shows the timeline in a window of this size.
    fn timeline(&mut self, ui: &mut Ui, size: Vec2) {
        // In a narrow window one set of counts has room, and the tour or the editor needs it.
        let crowded = self.tour.open || self.runs.beside || self.editor.is_open();
        let sheet = crowded && size.x < panels::NARROW;
        let counts = size.y >= 400.0 && !self.embedded && !sheet;
        let action = Panel::bottom("timeline").show(ui, |ui| {
            // Times of single runs of a few numbers say nothing about an algorithm.
            let room = size.x / if self.runs.beside { 2.0 } else { 1.0 } - 16.0;
            let counts = counts.then_some(Counts { timed: !self.tour.open, low: size.y < LOW, room });
            let action = timeline::show(ui, &self.runs, &mut self.view, counts);
            if self.embedded {
                let whole = link::Opening { embed: false, ..self.opening() };
                ui.hyperlink_to(say("Open in rasterscan"), format!("?{}", whole.link()));
                ui.add_space(2.0);
            }
            action
        });
        self.carry_out(action.inner, ui.ctx());
    }

    /// Shows the picture in the room that is left, or a piece of the gallery.
    fn picture(&mut self, ui: &mut Ui) {
        if self.gallery.piece.is_some() {
            let tour = self.tour.lesson().fingerprint == TOUR.fingerprint;
            let links = Links { tour, lesson: self.tour.open };
            let action = CentralPanel::default().show(ui, |ui| {
                self.notices.show(ui, None);
                self.gallery.show(ui, &mut *self.runs.engine, links)
            });
            return self.carry_out(action.inner, ui.ctx());
        }
        // The shell has cleared the window with the background colour: no need to fill it again.
        let action = CentralPanel::no_frame().show(ui, |ui| {
            self.notices.show(ui, Some(&self.runs));
            self.canvas.show(ui, &self.runs, &mut self.view)
        });
        self.carry_out(action.inner, ui.ctx());
    }

    /// Shows as many of the controls, the picture and the explanations as fit.
    fn panels(&mut self, ui: &mut Ui, size: Vec2) {
        let ctx = ui.ctx().clone();
        let narrow = size.x < panels::NARROW;
        let no_piece = self.gallery.piece.is_none();
        let [controls, side] =
            [SidePanel::Controls, SidePanel::Side].map(|panel| no_piece && self.panels.shows(panel, size.x));
        let tour = self.tour.open;
        // The editor needs the room of the tour's sheet.
        let edits = narrow && side && self.editor.is_open();
        if tour && !edits {
            let run = tour::Current::of(&self.runs, &self.gallery);
            let action = if narrow {
                // Below the picture, which keeps more than half of the window.
                let sheet = Panel::bottom(egui::Id::new(("tour's sheet", self.tour.folded))).resizable(false);
                let most = (size.y * panels::SHEET).floor();
                let sheet = if self.tour.folded { sheet.max_size(most) } else { sheet.exact_size(most) };
                sheet.show(ui, |ui| self.tour.show(ui, run, true)).inner
            } else {
                // As wide as a column of text is read with ease, where the picture keeps its room.
                let panel = Panel::left("tour").default_size((size.x * 0.27).clamp(264.0, 400.0));
                let panel = panel.size_range(190.0..=460.0);
                panel.show(ui, |ui| self.tour.show(ui, run, false)).inner
            };
            self.carry_out(action, &ctx);
        }
        if narrow && controls {
            let actions = CentralPanel::default().show(ui, |ui| controls::show(ui, &mut self.runs)).inner;
            return self.carry_out(actions, &ctx);
        }
        if edits {
            let sheet = Panel::bottom("editor's sheet").resizable(false);
            let sheet = sheet.exact_size((size.y * panels::EDITOR).floor());
            let action = sheet.show(ui, |ui| self.explanations(ui)).inner;
            self.carry_out(action, &ctx);
        } else if narrow && side {
            let action = CentralPanel::default().show(ui, |ui| self.explanations(ui)).inner;
            return self.carry_out(action, &ctx);
        }
        // The tour replaces the controls, which it sets itself.
        if controls && !tour {
            let panel = Panel::left("controls").default_size(236.0).size_range(190.0..=340.0);
            let actions = panel.show(ui, |ui| controls::show(ui, &mut self.runs)).inner;
            self.carry_out(actions, &ctx);
        }
        if side && !edits {
            // In a window of medium width, both leave room for the picture.
            let (wide, most) = if size.x < panels::WIDE { (220.0, 300.0) } else { (300.0, 560.0) };
            let panel = match self.editor.is_open() {
                true => Panel::right("editor").default_size(wide * 1.5).size_range(200.0..=most * 1.5),
                false => Panel::right("side").default_size(wide).size_range(200.0..=most),
            };
            let action = panel.show(ui, |ui| self.explanations(ui)).inner;
            self.carry_out(action, &ctx);
        }
        self.picture(ui);
    }

    /// Shows the explanations, or what takes their place.
    fn explanations(&mut self, ui: &mut Ui) -> Option<Action> {
        if self.editor.is_open() {
            return self.editor.show(ui);
        }
        let index = self.runs.chosen();
        let Some(shown) = &self.runs.both[index].shown else {
            ui.weak(say("The run is on its way."));
            return None;
        };
        let position = self.view.position.min(shown.passes());
        // Moments of tiles are no stages of shared memory; who chooses one of these sees it.
        let tiles = self.view.memory.shows_tiles(shown, position);
        let mut stage = self.view.memory.stage.filter(|_| !tiles);
        let pass = position.checked_sub(1);
        let edited = egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            if self.runs.beside {
                // Of two runs, the one that was clicked last.
                ui.label(egui::RichText::new(shown.name(self.runs.algorithm_beside(index))).strong());
            }
            self.why.panel(ui, &self.runs);
            self.side.show(ui, shown, pass, &mut stage, tiles, &mut self.view.cameras[index])
        });
        if !tiles || stage.is_some() && shown.stages_at(position) > 0 {
            self.view.memory.stage = stage;
            self.view.memory.wanted = if tiles { Some(true) } else { self.view.memory.wanted };
        }
        edited.inner.filter(|_| index == 0).map(Action::Shader)
    }
}
