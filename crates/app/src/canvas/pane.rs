//! A pane of the picture: zooming about the pointer, panning, pointing and clicking.

use egui::{Id, Rect, Sense, Ui, Vec2, WidgetInfo, WidgetType, vec2};
use rasterscan_lesson::phrases::say;
use rasterscan_picture::{Picture, Travel};

use super::tiles::TilesState;
use super::{Canvas, hover, shared};
use crate::job::Wrong;
use crate::runs::Runs;
use crate::view::{Camera, Step, View};
use crate::{Action, looks, spoken};

/// The smallest and the largest width of a number, in points.
const ZOOMS: std::ops::RangeInclusive<f32> = 0.25..=160.0;

/// The least width of a pane with a title and a switch in one line, in points.
const NARROW: f32 = 300.0;

impl Canvas {
    /// Shows one of the runs in its pane. Returns the choice of the run if it is clicked.
    pub(super) fn pane(
        &mut self,
        ui: &mut Ui,
        runs: &Runs,
        view: &mut View,
        moving: Option<(Step, Travel)>,
        index: usize,
        pane: Rect,
    ) -> Option<Action> {
        let response = ui.interact(pane, Id::new(("pane", index)), Sense::click_and_drag());
        let chosen = (response.clicked() || response.dragged()).then_some(Action::Chosen(index));
        let run = &runs.both[index];
        let Some(shown) = &run.shown else {
            empty(run.wrong.as_ref(), ui, pane);
            return chosen;
        };
        // The first frame of a step finds how far it goes.
        let goes_on = |travel: &Travel| match self.reach[index] {
            _ if travel.age == 0.0 => true,
            reach => reach.is_some_and(|reach| !travel.is_over(reach)),
        };
        let moving = moving.filter(|((pass, _), travel)| *pass <= shown.passes() && goes_on(travel));
        if moving.is_some() {
            ui.ctx().request_repaint();
        }
        let travel = moving.map(|(_, travel)| travel);
        let (position, stage) = moving.map_or((view.position, view.memory.stage), |(step, _)| step);
        let position = position.min(shown.passes());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, shown.title(position)));
        let response = spoken::live(response);
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(shown.narration(position)));

        let painter = ui.painter().with_clip_rect(pane.intersect(ui.clip_rect()));
        if runs.beside {
            let edge = if pane.left() > ui.max_rect().left() { pane.left_top() } else { pane.right_top() };
            let stroke = ui.visuals().widgets.noninteractive.bg_stroke;
            painter.vline(edge.x, pane.y_range(), stroke);
        }
        let margin = if pane.width() < 300.0 { 6.0 } else { 12.0 };
        let pass = position.checked_sub(1);
        let pinned = view.cameras[index].pinned_at(position);
        let memory = view.memory.shows(shown, position);
        let state = &mut self.tiles[index];
        let tiles = state.of(shown, position).filter(|_| !memory);
        let as_tiles = tiles.as_ref().filter(|tiles| super::tiles::shows(&view.memory, tiles));
        // The equation and the colours are those of items.
        let items = !memory && as_tiles.is_none();
        let worked = pass.filter(|_| items).and_then(|pass| shown.told(pass, pinned));
        let text = worked.as_ref().map(|worked| worked.text.as_str());
        let room = pane.shrink(margin);
        let taken = if tiles.is_some() { super::tiles::SWITCH } else { shared::taken(shown, position) };
        if let Some(tiles) = &tiles {
            TilesState::switch(ui, &mut view.memory, tiles, index, pane.shrink(6.0));
        }
        // A narrow pane has its switch above the title.
        let room = match pane.width() < NARROW && taken > 0.0 {
            true => room.with_min_y(room.top() + ui.spacing().interact_size.y + 2.0),
            false => room.with_max_x(room.right() - taken),
        };
        let beside = runs.algorithm_beside(index);
        let head =
            super::heading(&mut self.parameters, ui, &painter, shown, (index, position, beside), room, text);
        let inner = pane.shrink(margin).with_min_y(head.min(pane.bottom() - 20.0));
        let style = view.style(looks::theme(ui.visuals()));
        let bar = if items { super::colours(&painter, index, shown, &style, inner) } else { 0.0 };
        let inner = inner.with_max_y(inner.bottom() - bar);
        let painter = painter.with_clip_rect(inner.expand(margin).with_min_y(inner.top()).intersect(pane));

        if memory {
            let step = ((position, stage), travel);
            self.reach[index] = self.memory[index].show(ui, shown, step, (index, inner, &painter), response);
            return chosen;
        }
        if let Some(tiles) = as_tiles {
            let moment = stage.filter(|_| moving.is_some() || position == view.position);
            self.reach[index] = super::tiles::show(
                ui,
                state,
                (tiles, moment, travel),
                (index, inner),
                &response,
                &style,
                &painter,
            );
            return chosen;
        }
        let camera = &mut view.cameras[index];
        camera.pane = Some(inner);
        let picture_of = |camera: &Camera| Picture::new(shown, position, &style, camera.part(), inner);
        match camera.magnified_in.take() {
            None => {}
            Some(0) => {
                let part = picture_of(camera).legible(inner, camera.pinned_at(position));
                (camera.zoom, camera.pan) = (part.zoom, part.pan);
            }
            Some(frames) => {
                camera.magnified_in = Some(frames - 1);
                ui.ctx().request_repaint();
            }
        }
        move_camera(ui, &response, picture_of, camera, inner);
        let picture = picture_of(camera);
        let at = response.hover_pos().filter(|_| !response.dragged());
        let pointed = at.and_then(|at| picture.spot_at(at));
        if response.clicked() {
            let other =
                pointed.map(|(spot, _)| spot).filter(|spot| camera.pinned_at(position) != Some(*spot));
            camera.pinned = other.map(|spot| (position, spot));
        }
        let spot = pointed.map(|(spot, _)| spot).or(camera.pinned_at(position));
        self.reach[index] = super::paint(&painter, index, &picture, &style, travel, spot);
        if let Some((spot, number)) = pointed
            && let Some(block) = picture.block_of(spot)
        {
            response.on_hover_ui_at_pointer(|ui| hover::show(ui, shown, pass, block, spot, number));
        }
        chosen
    }
}

/// Moves the camera: wheel and pinch zoom about the pointer, dragging pans, a double click fits the picture.
fn move_camera<'a>(
    ui: &Ui,
    response: &egui::Response,
    picture_of: impl Fn(&Camera) -> Picture<'a>,
    camera: &mut Camera,
    pane: Rect,
) {
    if response.double_clicked() {
        (camera.zoom, camera.pan) = (None, Vec2::ZERO);
        return;
    }
    if response.dragged() && response.drag_delta() != Vec2::ZERO {
        camera.zoom = Some(picture_of(camera).zoom());
        camera.pan += response.drag_delta();
    }
    let Some(at) = response.hover_pos() else { return };
    let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
    let factor = pinch * (scroll / 200.0).exp();
    if factor == 1.0 {
        return;
    }
    let mut picture = picture_of(camera);
    let zoom = (picture.zoom() * factor).clamp(*ZOOMS.start(), *ZOOMS.end());
    picture.zoom_about(at, zoom);
    camera.zoom = Some(zoom);
    camera.pan = picture.centre() - pane.center();
}

/// Shows the error in a pane without a run.
fn empty(wrong: Option<&Wrong>, ui: &mut Ui, pane: Rect) {
    let (text, colour) = match wrong {
        Some(wrong) => (wrong.message.clone(), looks::wrong(ui.visuals())),
        None => (say("The run is on its way."), looks::faint(ui.visuals())),
    };
    let rect = Rect::from_center_size(pane.center(), (pane.size() * 0.8).min(vec2(420.0, 400.0)));
    ui.place(rect, egui::Label::new(egui::RichText::new(text).color(colour)).wrap());
}
