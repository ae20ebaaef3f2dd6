//! The first screen: a question that the user answers by drawing, and four ways in.

use egui::{Button, CentralPanel, Label, RichText, ScrollArea, Ui, vec2};
use rasterscan::tools::job::Job;
use rasterscan::tools::problem::{COMPACT, Problem, SCAN};
use rasterscan::tools::registry;
use rasterscan_lesson::phrases::say;

use super::keys::Deed;
use super::link::Opening;
use super::sketch::{NUMBERS, SketchView};
use super::{Action, job, looks};

/// The question.
const QUESTION: &str =
    "Eight numbers. A loop needs seven steps for all sums from the left. Can eight workers do it in three?";

/// What this is, in one sentence.
const SENTENCE: &str = "Watch a GPU compute prefix sums and compactions: every number, every read and every pass \
                        was recorded while the shaders ran.";

/// A way in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Tour,
    Compaction,
    LookBack,
    Gallery,
}

impl Entry {
    const ALL: [Entry; 4] = [Entry::Tour, Entry::Compaction, Entry::LookBack, Entry::Gallery];

    /// The name, and the sentence below it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Entry::Tour => ("Take the tour", "short stops, each with a question"),
            Entry::Compaction => ("Compaction", "keep some numbers, close the gaps"),
            Entry::LookBack => ("Look-back", "one pass, by compute shaders"),
            Entry::Gallery => ("What scans are for", "a lexer, a ray tracer, six more"),
        }
    }
}

/// The least width of a button, in points.
const LEAST: f32 = 184.0;

/// The algorithm of a name with parameters for few numbers.
fn small(problem: &'static Problem, name: &str, n: u64) -> Option<Job> {
    let card = registry::of(problem).find(|card| card.name == name)?;
    Some(Job::new(problem, job::digits(problem).with_len(n)).by(job::small(card, n)))
}

/// Horn's scan of the numbers on the first screen.
pub fn first_job() -> Job {
    let numbers: Vec<String> = NUMBERS.iter().map(u32::to_string).collect();
    Job::parse(["scan", &format!("values:{}", numbers.join(",")), "-a", "horn"]).expect("a job")
}

/// The first screen.
#[derive(Debug, Default)]
pub struct Welcome {
    /// True until something is chosen.
    pub open: bool,
    sketch: SketchView,
}

impl Welcome {
    /// Shows the question, and the ways in below it. Returns the one that is chosen.
    pub fn show(&mut self, ui: &mut Ui) -> Option<Action> {
        let shown = CentralPanel::default().show(ui, |ui| {
            let area = ScrollArea::vertical().auto_shrink(false);
            area.show(ui, |ui| (self.question(ui), ways(ui))).inner
        });
        let (watched, way) = shown.inner;
        if watched {
            return Some(Action::Watch);
        }
        let way = way?;
        self.open = false;
        let job = match way {
            Entry::Tour => return Some(Action::Deed(Deed::Tour)),
            Entry::Gallery => return Some(Action::Gallery),
            Entry::Compaction => small(COMPACT, "points", 16),
            Entry::LookBack => small(SCAN, "look_back", 32),
        };
        Some(Action::Begin(Box::new(Opening { job: Some(job?), ..Opening::default() })))
    }

    fn question(&mut self, ui: &mut Ui) -> bool {
        ui.add_space(6.0);
        ui.vertical_centered(|ui| {
            ui.add(Label::new(RichText::new(say(QUESTION)).size(19.0).strong()).wrap())
        });
        ui.add_space(10.0);
        self.sketch.show(ui)
    }
}

fn ways(ui: &mut Ui) -> Option<Entry> {
    let mut chosen = None;
    ui.add_space(28.0);
    ui.add(Label::new(RichText::new(say(SENTENCE)).size(14.0)).wrap());
    ui.add_space(4.0);
    let room = ui.available_width();
    let gap = ui.spacing().item_spacing.x;
    let columns = [4, 2, 1].into_iter().find(|count| room >= *count as f32 * (LEAST + gap)).unwrap_or(1);
    let width = (room - gap * (columns - 1) as f32) / columns as f32;
    for row in Entry::ALL.chunks(columns) {
        ui.horizontal(|ui| {
            for &way in row {
                let (name, about) = way.words();
                let mut text = egui::text::LayoutJob::default();
                let visuals = ui.visuals();
                let format = |size, color| egui::TextFormat::simple(egui::FontId::proportional(size), color);
                text.append(&say(name), 0.0, format(16.0, visuals.strong_text_color()));
                text.append("\n", 0.0, format(12.0, visuals.text_color()));
                text.append(&say(about), 0.0, format(12.0, visuals.text_color()));
                // A text that is wider is wrapped: the last button of a row would leave the window.
                let room = ui.allocate_ui(vec2(width, 46.0), |ui| {
                    ui.set_max_width(width);
                    ui.add(Button::new(text).right_text("").wrap().min_size(vec2(width, 46.0)))
                });
                let button = room.inner;
                if looks::named(button, name, "").clicked() {
                    chosen = Some(way);
                }
            }
        });
    }
    ui.add_space(4.0);
    chosen
}
