//! The gallery: a page for each piece, which runs on this device when its page is opened, and is checked.

use egui::text::LayoutJob;
use egui::{
    ColorImage, Context, Image, Label, RichText, ScrollArea, TextFormat, TextStyle, TextureHandle,
    TextureOptions, Ui, Vec2, vec2,
};
use rasterscan::tools::job::Job;
use rasterscan_drawing::pixels;
use rasterscan_drawing::shape::Drawing;
use rasterscan_drawing::theme::Theme;
use rasterscan_gallery::{ALL, Exhibit, Fact, GalleryError, Piece};
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::reference::filled;
use rasterscan_lesson::tour::{STOPS, Stop};

use super::controls::capital;
use super::engine::Engine;
use super::job::choice;
use super::link::Opening;
use super::{Action, looks};

/// Pixels in a point of a piece's drawing: a pixel of its picture is half a point.
const SCALE: f32 = 2.0;
const RUNNING: &str = "Running on this device, to be checked on the CPU ...";
/// The most that a picture is enlarged.
const LARGEST: f32 = 1.5;
/// The height of the heading and of what stands below the picture, in points.
const CAPTION: f32 = 100.0;
/// The width from which on text stands beside the picture, in points.
const BESIDE: f32 = 760.0;

/// The facts of a piece, or the reason why there are none, once it was run.
pub type Outcome<'a> = Option<Result<&'a [Fact], &'a str>>;

/// The pages of the gallery.
#[derive(Default)]
pub struct Gallery {
    /// The piece whose page is open.
    pub piece: Option<&'static Piece>,
    /// Pieces that were run, with what came of each.
    ran: Vec<(&'static Piece, Result<Shown, Failed>)>,
    /// True once a frame has said that the open piece is running.
    announced: bool,
}

struct Shown {
    facts: Vec<Fact>,
    picture: Drawing,
    /// The picture on the paper of a theme.
    painted: Option<(Theme, TextureHandle)>,
    device: String,
}

impl Shown {
    /// The size of the picture in this room, in points.
    fn size(&self, room: f32, high: f32) -> Vec2 {
        let size = vec2(self.picture.width as f32, self.picture.height as f32) * SCALE;
        size * (room / size.x).min(high / size.y).clamp(0.2, LARGEST)
    }

    /// The picture on the paper of the theme; `None` if it cannot be painted.
    fn texture(&mut self, ui: &Ui) -> Option<&TextureHandle> {
        let theme = looks::theme(ui.visuals());
        if self.painted.as_ref().is_none_or(|(known, _)| *known != theme) {
            let painted = pixels::paint(&self.picture.clone().on(&theme), SCALE).ok()?;
            let image = ColorImage::from_rgb(painted.size.map(|side| side as usize), &painted.rgb);
            self.painted = Some((theme, ui.ctx().load_texture("piece", image, TextureOptions::LINEAR)));
        }
        self.painted.as_ref().map(|(_, texture)| texture)
    }
}

/// The reason why there is no picture.
enum Failed {
    /// It cannot run here.
    Run(String),
    /// The check found a wrong result.
    Wrong(String),
}

impl Gallery {
    /// Opens a page; `None` closes the gallery. False if nothing was open.
    pub fn open(&mut self, piece: Option<&'static Piece>) -> bool {
        self.announced = false;
        std::mem::replace(&mut self.piece, piece).is_some()
    }

    /// The outcome of a piece, once it was run.
    fn of(&self, piece: &Piece) -> Option<&Result<Shown, Failed>> {
        self.ran.iter().find(|(known, _)| *known == piece).map(|(_, outcome)| outcome)
    }

    /// Goes to the next page, or to the one before.
    pub fn step(&mut self, forward: bool) {
        let Some(number) = ALL.into_iter().position(|piece| Some(piece) == self.piece) else { return };
        let number = if forward { number + 1 } else { number + ALL.len() - 1 };
        self.open(Some(ALL[number % ALL.len()]));
    }

    /// The open piece, and what came of it, once it was run: its facts, or the reason why there are none.
    pub fn outcome(&self) -> Option<(&'static Piece, Outcome<'_>)> {
        let piece = self.piece?;
        let outcome = self.of(piece).map(|outcome| match outcome {
            Ok(shown) => Ok(&shown.facts[..]),
            Err(Failed::Run(wrong) | Failed::Wrong(wrong)) => Err(wrong.as_str()),
        });
        Some((piece, outcome))
    }

    /// The open page in words.
    pub fn narration(&self) -> String {
        let Some((piece, outcome)) = self.outcome() else { return String::new() };
        let outcome = match outcome {
            None => say(RUNNING),
            Some(Err(wrong)) => format!("{}: {wrong}", say("There is no picture")),
            Some(Ok(facts)) => {
                let facts =
                    facts.iter().map(|fact| format!("{}: {}", say(fact.name), say(fact.value.to_string())));
                format!("{} {}.", say("Verified on the CPU."), facts.collect::<Vec<_>>().join("; "))
            }
        };
        format!("{}: {} {} {outcome}", say(piece.title), say(piece.shows), say(piece.step))
    }

    /// Runs the open piece, unless it was. A frame says so first, because the run takes a second or more.
    fn run(&mut self, engine: &mut dyn Engine, ctx: &Context) {
        let Some((piece, None)) = self.outcome() else { return };
        if !std::mem::replace(&mut self.announced, true) {
            return ctx.request_repaint();
        }
        let device = engine.device();
        let exhibit = engine.gpu().map_err(Failed::Run).and_then(|gpu| {
            (piece.run)(gpu).map_err(|error| match error {
                GalleryError::Wrong(_) => Failed::Wrong(error.to_string()),
                error => Failed::Run(error.to_string()),
            })
        });
        let shown = exhibit.map(|Exhibit { facts, picture }| Shown { facts, picture, painted: None, device });
        self.ran.push((piece, shown));
        ctx.request_repaint();
    }

    /// Shows the open page. Returns what is chosen on it.
    pub fn show(&mut self, ui: &mut Ui, engine: &mut dyn Engine, links: Links) -> Option<Action> {
        self.run(engine, ui.ctx());
        let piece = self.piece?;
        if !links.lesson {
            self.pages(ui, piece);
        }
        let area = ScrollArea::vertical().id_salt(piece.name).auto_shrink(false);
        area.show(ui, |ui| {
            ui.add(Label::new(RichText::new(say(piece.title)).heading().strong()).wrap());
            ui.add_space(4.0);
            let room = ui.available_width();
            if room < BESIDE {
                self.picture(ui, piece, room, f32::INFINITY);
                return self.words(ui, piece, links);
            }
            ui.horizontal_top(|ui| {
                let high = ui.clip_rect().height() - CAPTION;
                let wide = match self.of(piece) {
                    Some(Ok(shown)) => shown.size(room * 0.6, high).x,
                    _ => room * 0.6,
                };
                ui.vertical(|ui| {
                    ui.set_width(wide);
                    self.picture(ui, piece, wide, high);
                });
                ui.add_space(12.0);
                ui.vertical(|ui| self.words(ui, piece, links)).inner
            })
            .inner
        })
        .inner
    }

    /// The names of all pages, in a row.
    fn pages(&mut self, ui: &mut Ui, open: &Piece) {
        ui.horizontal_wrapped(|ui| {
            for piece in ALL {
                let button = ui.selectable_label(piece == open, say(capital(&piece.name.replace('-', " "))));
                if looks::named(button, piece.title, "").clicked() && piece != open {
                    self.open(Some(piece));
                }
            }
        });
        ui.separator();
    }

    /// The picture, which has this room, or the reason why there is none.
    fn picture(&mut self, ui: &mut Ui, piece: &Piece, room: f32, high: f32) {
        match self.ran.iter_mut().find(|(known, _)| *known == piece).map(|(_, outcome)| outcome) {
            None => {
                ui.label(say(RUNNING));
            }
            Some(Ok(shown)) => {
                let size = shown.size(room, high);
                if let Some(texture) = shown.texture(ui) {
                    ui.add(Image::new((texture.id(), size)).alt_text(say(piece.shows)));
                }
            }
            Some(Err(failed)) => {
                let text = match failed {
                    Failed::Wrong(wrong) => {
                        format!(
                            "{}: {wrong}. {}",
                            say("Wrong"),
                            say("There is no picture of a wrong result.")
                        )
                    }
                    Failed::Run(wrong) => format!("{}: {wrong}", say("It cannot run here")),
                };
                ui.add(Label::new(RichText::new(text).color(looks::wrong(ui.visuals())).strong()).wrap());
            }
        }
        ui.add_space(4.0);
        ui.add(Label::new(RichText::new(say(piece.shows)).color(looks::faint(ui.visuals()))).wrap());
        ui.add_space(8.0);
    }

    /// The text beside the picture or below it.
    fn words(&mut self, ui: &mut Ui, piece: &'static Piece, links: Links) -> Option<Action> {
        let mut action = None;
        let mut again = false;
        if let Some(Ok(shown)) = self.of(piece) {
            if let Ok(text) = filled(&shown.facts[..], piece.text.trim_end()) {
                ui.add(Label::new(say(text)).wrap());
                ui.add_space(6.0);
            }
            ui.horizontal_wrapped(|ui| {
                let verified = RichText::new(say("Verified")).color(looks::right(ui.visuals())).strong();
                ui.label(verified);
                ui.label(format!("{} {}.", say("on the CPU. It ran on"), shown.device));
                again = ui.button(say("Run again")).clicked();
            });
            ui.add_space(6.0);
            for fact in &shown.facts {
                let mut text = LayoutJob::default();
                let font = TextStyle::Body.resolve(ui.style());
                let colours = [looks::faint(ui.visuals()), ui.visuals().strong_text_color()];
                let parts = [format!("{}: ", say(fact.name)), say(fact.value.to_string())];
                for (part, colour) in parts.into_iter().zip(colours) {
                    text.append(&part, 0.0, TextFormat::simple(font.clone(), colour));
                }
                ui.add(Label::new(text).wrap());
            }
            ui.add_space(6.0);
        }
        ui.add(Label::new(RichText::new(say("The step that matters")).strong()));
        ui.add(Label::new(say(piece.step)).wrap());
        ui.add_space(2.0);
        let job = Job::parse(piece.job.split(' ')).ok();
        if let Some(job) = &job {
            let button = ui.button(say("See this step, pass by pass")).on_hover_text(piece.job);
            if button.clicked() {
                action =
                    Some(Action::Begin(Box::new(Opening { job: Some(job.clone()), ..Opening::default() })));
            }
            if let Some(stop) = stop_of(job).filter(|_| links.tour) {
                let text = format!("Stop {} of the tour: {}", stop + 1, STOPS[stop].title);
                if ui.button(say(text)).clicked() {
                    action =
                        Some(Action::Begin(Box::new(Opening { tour: Some(stop), ..Opening::default() })));
                }
            }
        }
        if !links.lesson && ui.button(say("The gallery as a lesson, with a question each")).clicked() {
            action = Some(Action::GalleryLesson);
        }
        ui.add_space(6.0);
        let sources = format!("Sources: {}", piece.sources.join(", "));
        ui.label(RichText::new(say(sources)).small().color(looks::faint(ui.visuals())));
        if again {
            self.ran.retain(|(known, _)| *known != piece);
            self.announced = false;
            ui.ctx().request_repaint();
        }
        action
    }
}

/// The links that a page has.
#[derive(Debug, Clone, Copy)]
pub struct Links {
    /// True if stops of the tour can be opened.
    pub tour: bool,
    /// True if the page is a stop of a lesson, which has the others.
    pub lesson: bool,
}

/// The first stop of the tour with a job's algorithm, or else with its problem.
fn stop_of(job: &Job) -> Option<usize> {
    let alike = |stop: &Stop| stop.job.problem == job.problem;
    let same = |stop: &Stop| alike(stop) && choice(&stop.job).card.name == choice(job).card.name;
    STOPS.iter().position(same).or_else(|| STOPS.iter().position(alike))
}
