//! The centre: the textures of a pass, what was read for what, and what became of them.
//!
//! Row 0 stands on top, so that indices grow as text does. Large texels are one mesh, small ones an image a stream, and all marks another mesh.

mod arrows;
mod block;
mod hover;
mod marks;
mod pane;
mod placing;
mod texels;

use egui::{Align2, Color32, FontId, Id, Painter, Rect, Ui, pos2, vec2};

use super::shown::Shown;
use super::view::{Camera, ColourRange, Spot, View};
use super::{App, counters, looks};
use block::Block;
use texels::Shapes;

use crate::colour::Scale;

/// Below this, in points, numbers cannot be read in their squares.
const SMALL: f32 = 16.0;

/// Shows what is at the position.
pub fn show(app: &mut App, ui: &mut Ui) {
    let rect = ui.available_rect_before_wrap();
    let panes = panes(rect, app.beside);
    for (index, pane) in panes.into_iter().enumerate() {
        pane::show(app, ui, index, pane);
    }
    messages(app, ui, rect);
}

/// The picture for a file: a title over each run, all of it in sight, and the counts below.
pub fn picture(app: &mut App, ui: &mut Ui) {
    let rect = ui.available_rect_before_wrap();
    for (index, pane) in panes(rect, app.beside).into_iter().enumerate() {
        let Some(shown) = &app.shown[index] else { continue };
        let position = app.view.position.min(shown.passes());
        let faint = looks::faint(ui.visuals());
        let counts = counters::line(shown, position);
        let counts = ui.painter().layout(counts, FontId::proportional(12.0), faint, pane.width());
        let foot = Rect::from_min_size(pane.left_bottom() - vec2(0.0, counts.size().y), counts.size());
        ui.painter().galley(foot.min, counts, faint);
        let head = heading(ui.painter(), shown, position, pane);
        let inner = Rect::from_min_max(pos2(pane.left(), head), pos2(pane.right(), foot.top() - 8.0));
        let camera = Camera { zoom: None, pan: vec2(0.0, 0.0), ..app.view.cameras[index] };
        let painter = ui.painter().with_clip_rect(inner.expand(6.0));
        let (blocks, _) = placed(shown, &app.view, position, &camera, inner);
        paint(&painter, index, shown, &app.view, position, &blocks, camera.pinned_at(position));
    }
}

impl App {
    /// Where a texel stood in the last frame, in points; `None` where it is not shown.
    pub fn rect_of(&self, run: usize, spot: Spot) -> Option<Rect> {
        let shown = self.shown.get(run)?.as_ref()?;
        let camera = self.view.cameras.get(run)?;
        let position = self.view.position.min(shown.passes());
        let (blocks, _) = placed(shown, &self.view, position, camera, camera.pane?);
        arrows::rect_of(&blocks, spot.source, spot.place)
    }
}

/// One pane, or two side by side; above each other where that is narrow.
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

/// What is shown, in words, in a pane's upper left corner. Gives the height at which it ends.
fn heading(painter: &Painter, shown: &Shown, position: usize, pane: Rect) -> f32 {
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
    // Where it was not made here, that is said wherever it is seen.
    let text = match (&shown.file, &shown.instead) {
        (Some(_), _) => Some(format!("a trace, made on {}", recording.device)),
        (None, Some(_)) => Some(format!("a saved run, made on {}", recording.device)),
        (None, None) => None,
    };
    if let Some(text) = text {
        job.append(&text, 12.0, format(looks::ink(visuals), 11.0));
    }
    job.wrap = egui::text::TextWrapping::wrap_at_width(pane.width().max(40.0));
    job.wrap.max_rows = 3;
    let galley = painter.layout_job(job);
    let height = galley.size().y;
    painter.galley(pane.min, galley, Color32::PLACEHOLDER);
    pane.top() + height + 6.0
}

/// The streams of a position where a camera sees them, and the zoom at which it does.
fn placed<'a>(
    shown: &'a Shown,
    view: &View,
    position: usize,
    camera: &Camera,
    pane: Rect,
) -> (Vec<Block<'a>>, f32) {
    let mut blocks = block::blocks(shown, position, view.in_a_row);
    let (mut fit, mut way) = placing::fit(&blocks, pane.size());
    if view.in_a_row && fit < SMALL {
        // Where the numbers of a row could not be read, the texture is shown as it is.
        let squarer = block::blocks(shown, position, false);
        let (larger, otherwise) = placing::fit(&squarer, pane.size());
        if larger > fit {
            (blocks, fit, way) = (squarer, larger, otherwise);
        }
    }
    let zoom = camera.zoom.unwrap_or(fit);
    placing::place(&mut blocks, zoom, way, pane.size(), pane.center() + camera.pan);
    (blocks, zoom)
}

/// Paints everything that a camera sees in one of the panes.
fn paint(
    painter: &Painter,
    pane: usize,
    shown: &Shown,
    view: &View,
    position: usize,
    blocks: &[Block],
    spot: Option<Spot>,
) {
    let visuals = painter.ctx().global_style().visuals.clone();
    let (paper, ink, faint) = (looks::paper(&visuals), looks::ink(&visuals), looks::faint(&visuals));
    let clip = painter.clip_rect();
    let pass = position.checked_sub(1).and_then(|pass| Some((pass, shown.recording.passes.get(pass)?)));
    let (mut squares, mut over) = (Shapes::default(), Shapes::default());
    let mut texts = Vec::new();
    for block in blocks {
        let numbers = texels::visible(block, clip);
        let scale = scale(shown, view, block, blocks);
        let name = Id::new(("texels", pane, block.source, block.of.first()));
        if !texels::image(painter, name, block, &scale, paper) {
            texels::squares(&mut squares, block, &numbers, &scale, paper);
        }
        texels::frames(&mut squares, block, &numbers, ink);
        marks::crosses(&mut squares, block, &numbers, paper);
        marks::marks(&mut over, block, &numbers, paper);
        texels::seams(&mut over, block, ink);
        texts.push((block, numbers, scale));
    }
    if let Some((number, pass)) = pass {
        if let Some(target) = blocks.iter().find(|block| !block.source && block.of == [0]) {
            marks::drawn(&mut over, pass, target, clip);
        }
        if view.arrows && spot.is_none() {
            arrows::all(&mut over, shown, number, blocks, ink);
        }
    }
    squares.draw(painter);
    for (block, numbers, scale) in texts {
        texels::texts(painter, block, &numbers, &scale, view.format);
        texels::titles(painter, block, faint, ink);
    }
    if let (Some((_, pass)), Some(spot)) = (pass, spot) {
        arrows::strong(&mut over, &arrows::of_spot(pass, spot), blocks, paper, ink);
        if let Some(rect) = arrows::rect_of(blocks, spot.source, spot.place) {
            arrows::outline(&mut over, rect, paper, ink);
        }
    }
    over.draw(painter);
}

fn scale(shown: &Shown, view: &View, block: &Block, all: &[Block]) -> Scale {
    match view.range {
        ColourRange::Run => {
            let (low, high) = shown.extent(block.values.element());
            Scale { palette: view.palette, low, high }
        }
        ColourRange::Stream => {
            // What goes from one stream to another of its shape keeps its colour. What is of no account says nothing of
            // the rest.
            let alike = all.iter().filter(|other| other.shape == block.shape);
            let numbers = alike.flat_map(|block| {
                let len = block.end.map_or(block.values.len(), |end| block.values.len().min(end as usize));
                (0..len).filter_map(|index| block.values.to_f64(index))
            });
            Scale::of(view.palette, numbers)
        }
    }
}

/// How long it is said that something was done, in seconds.
const SAID: f64 = 8.0;

impl App {
    /// What was said long enough is said no more. What is wrong stays until it is closed.
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

/// What is wrong, or was done, at the bottom of the picture.
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
        text: format!("{reason}. Shown instead is a saved run of the same algorithm."),
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
