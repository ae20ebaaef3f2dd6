//! The centre: the picture of a pass, in one pane or two.
//!
//! `rasterscan_picture` turns the recording into shapes; `painter.rs` paints them.

mod hover;
mod painter;
mod pane;
pub mod shared;
mod tiles;

use egui::{Align, Color32, FontId, Id, Layout, Painter, Rect, Sense, Ui, UiBuilder, Vec2, vec2};
use rasterscan_drawing::shape::Drawing;
use rasterscan_lesson::phrases::say;
use rasterscan_picture::{Picture, Spot, Style, Travel, bar};

use super::runs::Runs;
use super::shown::Shown;
use super::view::View;
use super::{Action, looks};
use shared::MemoryPane;
use tiles::TilesState;

/// The state of the panes.
#[derive(Default)]
pub struct Canvas {
    /// The tiles of each run, where a pass has tiles.
    pub tiles: [TilesState; 2],
    /// The shared memory of each run, where a pass has some.
    pub memory: [MemoryPane; 2],
    /// True if titles give all parameters.
    parameters: bool,
    /// The longest way of the step at work in each pane; `None` where nothing moves.
    reach: [Option<f32>; 2],
}

impl Canvas {
    /// Shows what is at the position. Returns the choice of the run that is clicked.
    pub fn show(&mut self, ui: &mut Ui, runs: &Runs, view: &mut View) -> Option<Action> {
        let now = ui.input(|input| input.time);
        let moving = view.moving(now);
        let mut chosen = None;
        let mut room = ui.available_rect_before_wrap();
        let mut panes: Vec<(usize, Rect)> = panes(room, runs.beside).into_iter().enumerate().collect();
        if runs.beside && panes.iter().any(|(_, pane)| pane.size().min(LEAST) != LEAST) {
            chosen = choice(ui, runs, room);
            room.min.y += ui.spacing().interact_size.y + 4.0;
            panes = vec![(runs.chosen(), room)];
        }
        for (index, pane) in panes {
            chosen = chosen.or(self.pane(ui, runs, view, moving, index, pane));
            if let Some(shown) = &runs.both[index].shown {
                self.memory[index].choice(ui, shown, view, pane.shrink(6.0));
            }
        }
        chosen
    }
}

/// The least size of a pane beside another, in points. Where two have no room, one is shown.
const LEAST: Vec2 = vec2(240.0, 160.0);

/// Shows the choice between two runs at the top of a room. Returns the choice of the other.
fn choice(ui: &mut Ui, runs: &Runs, room: Rect) -> Option<Action> {
    let mut chosen = None;
    let row = room.shrink2(vec2(4.0, 2.0)).with_max_y(room.top() + ui.spacing().interact_size.y + 2.0);
    ui.scope_builder(UiBuilder::new().max_rect(row).layout(Layout::left_to_right(Align::Center)), |ui| {
        for (index, run) in runs.both.iter().enumerate() {
            let Some(shown) = &run.shown else { continue };
            let name = shown.name(runs.algorithm_beside(index));
            if ui.selectable_label(index == runs.chosen(), name).clicked() {
                chosen = Some(Action::Chosen(index));
            }
        }
    });
    chosen
}

/// One pane, or two: side by side if that is wide enough, else one above the other.
fn panes(rect: Rect, beside: bool) -> Vec<Rect> {
    match beside {
        false => vec![rect],
        true if rect.width() > rect.height() => {
            let (left, right) = rect.split_left_right_at_fraction(0.5);
            vec![left.with_max_x(left.right() - 1.0), right.with_min_x(right.left() + 1.0)]
        }
        true => {
            let (top, bottom) = rect.split_top_bottom_at_fraction(0.5);
            vec![top.with_max_y(top.bottom() - 1.0), bottom.with_min_y(bottom.top() + 1.0)]
        }
    }
}

/// Writes the run and its position into a pane's upper left corner; a click on it shows all parameters. Returns the
/// height at which the text ends.
fn heading(
    parameters: &mut bool,
    ui: &Ui,
    painter: &Painter,
    shown: &Shown,
    (index, position, beside): (usize, usize, Option<&str>),
    pane: Rect,
    lit: Option<&str>,
) -> f32 {
    let visuals = &painter.ctx().global_style().visuals;
    let recording = &shown.recording;
    let passes = shown.passes();
    let where_ = match position.checked_sub(1) {
        None => say("before the first pass"),
        Some(pass) => say(format!("pass {position} of {passes}: {}", recording.passes[pass].phase)),
    };
    let mut job = egui::text::LayoutJob::default();
    let format = |color, size| egui::TextFormat::simple(FontId::proportional(size), color);
    job.append(
        &shown.name(beside),
        0.0,
        format(visuals.strong_text_color(), if pane.width() < 200.0 { 15.0 } else { 18.0 }),
    );
    job.append(&where_, 10.0, format(looks::ink(visuals), 14.0));
    job.append("\n", 0.0, format(looks::faint(visuals), 12.5));
    job.append(&say(recording.request.to_string()), 0.0, format(looks::faint(visuals), 12.5));
    if *parameters {
        let all = recording.algorithm.replace(',', ", ");
        job.append(&format!(", {} {all}", say("by")), 0.0, format(looks::ink(visuals), 12.5));
    }
    // A recording that the device did not make is always marked as such.
    let text = match (&shown.file, &shown.instead) {
        (Some(_), _) => Some(format!("{} {}", say("a saved recording, made on"), recording.device)),
        (None, Some(_)) => Some(format!("{} {}", say("made by"), recording.device)),
        (None, None) => None,
    };
    if let Some(text) = text {
        job.append(&text, 12.0, format(looks::ink(visuals), 12.5));
    }
    // A line in every pass, so that the picture stays where it is.
    if position > 0 && (lit.is_some() || pane.width() >= 200.0) {
        job.append("\n", 0.0, format(looks::ink(visuals), 16.0));
        job.append(&lit.map_or_else(|| " ".into(), say), 0.0, format(looks::ink(visuals), 16.0));
    }
    job.wrap = egui::text::TextWrapping::wrap_at_width(pane.width().max(40.0));
    job.wrap.max_rows = if *parameters { 7 } else { 5 };
    let galley = painter.layout_job(job);
    let size = galley.size();
    let title = Rect::from_min_size(pane.min, vec2(size.x, size.y.min(40.0)));
    let name = format!("Parameters of run {}", index + 1);
    let response = ui.interact(title, Id::new(("title", index)), Sense::click());
    let response = looks::named(response, &name, "").on_hover_text(&recording.algorithm);
    if response.clicked() {
        *parameters = !*parameters;
    }
    painter.galley(pane.min, galley, Color32::PLACEHOLDER);
    pane.top() + size.y + 6.0
}

/// Draws the visible part of a picture in a pane, or its pass at work. Returns the longest way if something moves.
fn paint(
    painter: &Painter,
    pane: usize,
    picture: &Picture,
    style: &Style,
    travel: Option<Travel>,
    spot: Option<Spot>,
) -> Option<f32> {
    let clip = painter.clip_rect();
    let mut drawing = Drawing::new(0.0, 0.0);
    let reach = travel.and_then(|travel| picture.draw_moving(style, clip, &travel, &mut drawing));
    if reach.is_none() {
        picture.draw(style, clip, spot, &mut drawing);
    }
    painter::paint(painter, Some(pane), &drawing);
    reach
}

/// The least height of a pane that has room for a bar of colours, in points.
const BAR_FROM: f32 = 260.0;

/// Draws the bar of colours at the bottom of a pane, if all streams share one scale. Returns the height that it takes.
fn colours(painter: &Painter, pane: usize, shown: &Shown, style: &Style, room: Rect) -> f32 {
    let Some(scale) = bar::scale(shown, style).filter(|_| room.height() >= BAR_FROM) else { return 0.0 };
    let mut drawing = Drawing::new(0.0, 0.0);
    let top = f64::from(room.bottom()) - bar::HEIGHT;
    bar::draw(&mut drawing, (room.left().into(), top), room.width().into(), &scale, style);
    painter::paint(painter, Some(pane), &drawing);
    bar::HEIGHT as f32 + 8.0
}

/// Draws shapes in points of the screen. They have no images, which are kept by panes.
pub fn paint_drawing(painter: &Painter, drawing: &Drawing) {
    painter::paint(painter, None, drawing);
}
