//! The centre: the picture of a pass, in one pane or two.
//!
//! `rasterscan_picture` turns the recording into shapes; `painter.rs` paints them.

mod hover;
mod painter;
mod pane;
pub mod shared;
mod tiles;

pub use tiles::TilesState;

use egui::{Align2, Color32, FontId, Painter, Rect, Ui, vec2};
use rasterscan_drawing::shape::Drawing;
use rasterscan_picture::{Picture, Spot, bar};

use super::shown::Shown;
use super::{App, looks};

/// Shows what is at the position.
pub fn show(app: &mut App, ui: &mut Ui) {
    let rect = ui.available_rect_before_wrap();
    let now = ui.input(|input| input.time);
    app.moving = app.view.moving(now);
    if app.moving.is_some() {
        ui.ctx().request_repaint();
    }
    let panes = panes(rect, app.beside);
    for (index, pane) in panes.into_iter().enumerate() {
        pane::show(app, ui, index, pane);
        shared::choice(app, ui, index, pane.shrink(6.0));
    }
    messages(app, ui, rect);
}

impl App {
    /// The rectangle of a texel in the last frame, in points; `None` if the texel is not shown.
    pub fn rect_of(&self, run: usize, spot: Spot) -> Option<Rect> {
        let shown = self.shown.get(run)?.as_ref()?;
        let camera = self.view.cameras.get(run)?;
        let position = self.view.position.min(shown.passes());
        let style = self.view.style(rasterscan_drawing::theme::Theme::DARK);
        Picture::new(shown, position, &style, camera.part(), camera.pane?).rect_of(spot)
    }
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

/// Writes the run and its position into a pane's upper left corner. Returns the height at which the text ends.
fn heading(painter: &Painter, shown: &Shown, position: usize, pane: Rect, lit: Option<&str>) -> f32 {
    let visuals = &painter.ctx().global_style().visuals;
    let recording = &shown.recording;
    let passes = shown.passes();
    let where_ = match position.checked_sub(1) {
        None => "before the first pass".into(),
        Some(pass) => format!("pass {position} of {passes}: {}", recording.passes[pass].phase),
    };
    let mut job = egui::text::LayoutJob::default();
    let format = |color, size| egui::TextFormat::simple(FontId::proportional(size), color);
    job.append(&recording.algorithm, 0.0, format(looks::ink(visuals), 15.0));
    job.append(&where_, 10.0, format(looks::ink(visuals), 13.0));
    job.append("\n", 0.0, format(looks::faint(visuals), 11.0));
    job.append(&recording.request.to_string(), 0.0, format(looks::faint(visuals), 11.0));
    // A recording that the device did not make is always marked as such.
    let text = match (&shown.file, &shown.instead) {
        (Some(_), _) => Some(format!("a saved recording, made on {}", recording.device)),
        (None, Some(_)) => Some(format!("made by {}", recording.device)),
        (None, None) => None,
    };
    if let Some(text) = text {
        job.append(&text, 12.0, format(looks::ink(visuals), 11.0));
    }
    // A line in every pass, so that the picture stays where it is.
    if position > 0 {
        job.append("\n", 0.0, format(looks::ink(visuals), 15.0));
        job.append(lit.unwrap_or(" "), 0.0, format(looks::ink(visuals), 15.0));
    }
    job.wrap = egui::text::TextWrapping::wrap_at_width(pane.width().max(40.0));
    job.wrap.max_rows = 4;
    let galley = painter.layout_job(job);
    let height = galley.size().y;
    painter.galley(pane.min, galley, Color32::PLACEHOLDER);
    pane.top() + height + 6.0
}

/// Draws the visible part of a picture in a pane.
fn paint(painter: &Painter, pane: usize, picture: &Picture, app: &App, spot: Option<Spot>) {
    let theme = looks::theme(&painter.ctx().global_style().visuals);
    let clip = painter.clip_rect();
    let mut drawing = Drawing::new(0.0, 0.0);
    let style = app.view.style(theme);
    let moved = match app.moving.filter(|(pass, _)| *pass == picture.position()) {
        Some((_, share)) => picture.draw_moving(&style, clip, share, &mut drawing),
        None => false,
    };
    if !moved {
        picture.draw(&style, clip, spot, &mut drawing);
    }
    painter::paint(painter, pane, &drawing);
}

/// The least height of a pane that has room for a bar of colours, in points.
const BAR_FROM: f32 = 260.0;

/// Draws the bar of colours at the bottom of a pane, if all streams share one scale. Returns the height that it takes.
fn colours(painter: &Painter, pane: usize, shown: &Shown, app: &App, room: Rect) -> f32 {
    let theme = looks::theme(&painter.ctx().global_style().visuals);
    let style = app.view.style(theme);
    let Some(scale) = bar::scale(shown, &style).filter(|_| room.height() >= BAR_FROM) else { return 0.0 };
    let mut drawing = Drawing::new(0.0, 0.0);
    let top = f64::from(room.bottom()) - bar::HEIGHT;
    bar::draw(&mut drawing, (room.left().into(), top), &scale, &style);
    painter::paint(painter, pane, &drawing);
    bar::HEIGHT as f32 + 8.0
}

/// Draws shapes in points of the screen. They have no images, which are kept by panes.
pub fn paint_drawing(painter: &Painter, drawing: &Drawing) {
    painter::paint(painter, usize::MAX, drawing);
}

/// The time for which a notice stays, in seconds.
const SAID: f64 = 8.0;

impl App {
    /// Removes a notice after its time. Errors stay until they are closed.
    fn let_notice_go(&mut self, ui: &Ui) {
        let now = ui.input(|input| input.time);
        let Some(notice) = self.notice.as_mut().filter(|notice| !notice.stays) else { return };
        let until = *notice.until.get_or_insert(now + SAID);
        if until <= now {
            self.notice = None;
        } else {
            ui.ctx().request_repaint_after_secs((until - now) as f32);
        }
    }
}

/// Errors and notices, at the bottom of the picture.
fn messages(app: &mut App, ui: &mut Ui, rect: Rect) {
    let wrong = app.visible().filter_map(|index| app.wrong[index].as_ref());
    let run_failed = wrong.into_iter().find(|wrong| wrong.field == super::job::Field::Run);
    let failed = run_failed.map(|wrong| super::Notice {
        text: wrong.message.clone(),
        wrong: true,
        stays: true,
        until: None,
    });
    let instead = app.instead().map(|reason| super::Notice {
        text: format!("{reason}. Kernels in Rust run it here instead: the values and reads are the same."),
        wrong: false,
        stays: true,
        until: None,
    });
    let failed = failed.or(instead);
    app.let_notice_go(ui);
    let Some(notice) = failed.clone().or_else(|| app.notice.clone()) else { return };
    let area = egui::Area::new(ui.id().with("notice"))
        .pivot(Align2::CENTER_BOTTOM)
        .fixed_pos(rect.center_bottom() - vec2(0.0, 8.0))
        .constrain_to(rect);
    area.show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width((rect.width() - 40.0).max(60.0));
            let colour = if notice.wrong { looks::wrong(ui.visuals()) } else { ui.visuals().text_color() };
            ui.horizontal_top(|ui| {
                let room = (ui.available_width() - 30.0).max(40.0);
                ui.allocate_ui(vec2(room, 0.0), |ui| {
                    ui.set_max_width(room);
                    ui.add(egui::Label::new(egui::RichText::new(&notice.text).color(colour)).wrap());
                });
                if failed.is_none() && ui.small_button("×").on_hover_text("Close (esc)").clicked() {
                    app.notice = None;
                }
            });
        });
    });
}
