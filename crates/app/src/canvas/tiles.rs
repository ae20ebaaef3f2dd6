//! A single pass as tiles: the switch between tiles and items, clicks that select a tile, and a sentence for each.

use std::rc::Rc;

use egui::{Align, Layout, Painter, Rect, Response, Ui, UiBuilder, pos2};
use rasterscan_drawing::shape::Drawing;
use rasterscan_lesson::look_back::{self, Tiles};
use rasterscan_picture::{Style, TilesPicture};

use super::painter;
use crate::shown::{Key, Shown};

/// The most tiles that are shown as tiles unless the reader chooses.
const FEW: usize = 32;

/// The state kept from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct TilesState {
    seen: Option<(Key, Option<Rc<Tiles>>)>,
    /// The reader's choice: true for tiles, false for items.
    wanted: Option<bool>,
    selected: Option<usize>,
    scroll: f32,
}

/// The room that the switch takes in the upper right corner of a pane.
pub const SWITCH: f32 = 120.0;

impl TilesState {
    /// The tiles of the pass that ends at a position, if it has several.
    pub fn of(&mut self, shown: &Shown, position: usize) -> Option<Rc<Tiles>> {
        let pass = position.checked_sub(1)?;
        let key = Key::of(&shown.recording, Some(pass));
        if self.seen.as_ref().is_none_or(|(known, _)| *known != key) {
            let tiles = look_back::tiles(&shown.recording, pass).filter(|tiles| tiles.tiles.len() > 1);
            let wanted = self.wanted;
            *self = TilesState { seen: Some((key, tiles.map(Rc::new))), wanted, ..TilesState::default() };
        }
        self.seen.as_ref().and_then(|(_, tiles)| tiles.clone())
    }

    /// True if a pass is shown as tiles, false if as items.
    pub fn shows(&self, tiles: &Tiles) -> bool {
        self.wanted.unwrap_or(tiles.tiles.len() <= FEW)
    }

    /// Shows the choice between tiles and items in the upper right corner of a pane.
    pub fn switch(&mut self, ui: &mut Ui, tiles: &Tiles, index: usize, pane: Rect) {
        let shows = self.shows(tiles);
        let corner = pos2(pane.right(), pane.top() + 22.0);
        let switch = Rect::from_min_max(pos2((corner.x - SWITCH).max(pane.left()), pane.top()), corner);
        let layout = Layout::right_to_left(Align::Min);
        ui.scope_builder(UiBuilder::new().max_rect(switch).layout(layout).id_salt(("tiles", index)), |ui| {
            let about = "the pass as tiles, or as the items that were read and written";
            for (name, value) in [("Items", false), ("Tiles", true)] {
                if ui.selectable_label(shows == value, name).on_hover_text(about).clicked() {
                    self.wanted = Some(value);
                }
            }
        });
    }
}

/// Shows a pass as tiles.
pub fn show(
    ui: &mut Ui,
    state: &mut TilesState,
    tiles: &Tiles,
    (index, room): (usize, Rect),
    response: &Response,
    style: &Style,
    painter: &Painter,
) {
    if response.dragged() {
        state.scroll += response.drag_delta().y;
    }
    if response.hovered() {
        state.scroll += ui.input(|input| input.smooth_scroll_delta().y);
    }
    let placed = |state: &TilesState| {
        TilesPicture::new(tiles, state.selected, room, state.scroll, style.theme.letters)
    };
    let beyond = (placed(state).height() as f32 - room.height()).max(0.0);
    state.scroll = state.scroll.clamp(-beyond, 0.0);
    let picture = placed(state);
    let at = response.hover_pos().filter(|_| !response.dragged());
    let pointed = at.and_then(|at| picture.tile_at(at));
    let mut drawing = Drawing::new(0.0, 0.0);
    picture.draw(style, &mut drawing);
    painter::paint(&painter.with_clip_rect(painter.clip_rect().intersect(room)), Some(index), &drawing);
    if response.clicked() {
        state.selected = pointed;
    }
    if let Some(told) = pointed.and_then(|tile| tiles.sentence(tile)) {
        response.clone().on_hover_ui_at_pointer(|ui| {
            ui.set_max_width(420.0);
            ui.label(told);
        });
    }
}
