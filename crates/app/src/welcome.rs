//! The first screen: a question that the user answers by drawing, and four ways in.

use egui::epaint::QuadraticBezierShape;
use egui::{
    Atom, Button, CentralPanel, Color32, Id, Label, Painter, Rect, RichText, ScrollArea, Stroke, Ui, Vec2,
    vec2,
};
use rasterscan::tools::job::Job;
use rasterscan::tools::problem::{COMPACT, Problem, SCAN};
use rasterscan::tools::registry;
use rasterscan_drawing::colour::Palette;
use rasterscan_lesson::phrases::say;

use super::keys::Deed;
use super::link::Opening;
use super::sketch::{NUMBERS, SketchView};
use super::spoken::live;
use super::{Action, job, looks};

/// The question.
pub const QUESTION: &str =
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

impl Entry {
    /// Draws a small picture, in squares of a fifth of its width.
    fn draw(self, painter: &Painter, rect: Rect, faint: Color32) {
        let side = rect.width() / 5.0;
        let shade = |share: f32| looks::colour(Palette::default().at(share.into()));
        let at = |column: f32, row: f32| rect.min + vec2(column, row) * side;
        let square = |column: f32, row: f32, colour| {
            painter.rect_filled(Rect::from_min_size(at(column, row), Vec2::splat(side - 1.5)), 2.0, colour);
        };
        let stroke = Stroke::new(1.5, looks::ACCENT);
        let read = |from: f32, to: f32| {
            painter.line_segment([at(from + 0.45, 0.9), at(to + 0.45, 1.9)], stroke);
        };
        let columns = (0..5u8).map(f32::from);
        match self {
            Entry::Tour => columns.for_each(|column| {
                square(column, 0.0, shade(0.25));
                square(column, 2.0, shade(0.25 + column * 0.18));
                if column < 4.0 {
                    read(column, column + 1.0);
                }
            }),
            Entry::Compaction => {
                for column in columns {
                    square(column, 0.0, faint.gamma_multiply(0.35));
                }
                for (to, from) in [0.0, 2.0, 4.0].into_iter().enumerate() {
                    square(from, 0.0, shade(0.3 + from * 0.15));
                    square(to as f32, 2.0, shade(0.3 + from * 0.15));
                    read(from, to as f32);
                }
            }
            Entry::LookBack => {
                for column in columns {
                    square(column, 2.0, shade(0.3 + column * 0.1));
                }
                for (to, height) in [(3.0, 1.0), (2.0, -0.1), (1.0, -1.2)] {
                    let points = [at(4.45, 1.9), at((to + 4.9) / 2.0, height), at(to + 0.45, 1.9)];
                    painter.add(QuadraticBezierShape::from_points_stroke(
                        points,
                        false,
                        Color32::TRANSPARENT,
                        stroke,
                    ));
                }
            }
            Entry::Gallery => {
                for column in columns {
                    square(column, 2.0, shade(if column % 2.0 == 0.0 { 0.15 } else { 0.4 }));
                }
                painter.circle_filled(at(2.4, 1.3), side * 1.3, shade(0.6));
                painter.circle_filled(at(2.0, 0.8), side * 0.4, shade(0.95));
            }
        }
    }
}

/// The least width of a button, and the size of its picture, in points.
const LEAST: f32 = 184.0;
const PICTURE: Vec2 = vec2(50.0, 30.0);

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
            live(ui.add(Label::new(RichText::new(say(QUESTION)).size(19.0).strong()).wrap()))
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
                    let picture = Id::new(name);
                    let button = Button::new((Atom::custom(picture, PICTURE), text)).right_text("").wrap();
                    let shown = button.min_size(vec2(width, 46.0)).atom_ui(ui);
                    let faint = looks::faint(ui.visuals());
                    shown.rect(picture).into_iter().for_each(|rect| way.draw(ui.painter(), rect, faint));
                    shown.response
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
