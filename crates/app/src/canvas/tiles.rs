//! A single pass as tiles: the switch between tiles and items, clicks that select a tile, and a sentence for each.

use std::rc::Rc;

use egui::{Painter, Rect, Response, Ui, UiBuilder, pos2, vec2};
use rasterscan_lesson::look_back::{self, Tiles};
use rasterscan_picture::{Drawing, Style, TilesPicture};

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

/// Shows a pass as tiles, if it has some and the reader has not chosen items. Returns whether it did.
pub fn show(
    ui: &mut Ui,
    state: &mut TilesState,
    (shown, position): (&Shown, usize),
    pane: (usize, Rect),
    response: &Response,
    style: &Style,
    painter: &Painter,
) -> bool {
    let Some(pass) = position.checked_sub(1) else { return false };
    let key = Key::of(&shown.recording, Some(pass));
    if state.seen.as_ref().is_none_or(|(known, _)| *known != key) {
        let tiles = look_back::tiles(&shown.recording, pass).filter(|tiles| tiles.tiles.len() > 1);
        let wanted = state.wanted;
        *state = TilesState { seen: Some((key, tiles.map(Rc::new))), wanted, ..TilesState::default() };
    }
    let Some(tiles) = state.seen.as_ref().and_then(|(_, tiles)| tiles.clone()) else { return false };
    let (index, inner) = pane;
    let as_tiles = state.wanted.unwrap_or(tiles.tiles.len() <= FEW);
    let switch = Rect::from_min_size(pos2(inner.right() - 110.0, inner.top()), vec2(110.0, 22.0));
    ui.scope_builder(UiBuilder::new().max_rect(switch).id_salt(("tiles", index)), |ui| {
        ui.horizontal(|ui| {
            let about = "the pass as tiles, or as the items that were read and written";
            for (name, value) in [("Tiles", true), ("Items", false)] {
                if ui.selectable_label(as_tiles == value, name).on_hover_text(about).clicked() {
                    state.wanted = Some(value);
                }
            }
        });
    });
    if !as_tiles {
        return false;
    }
    let room = inner.with_min_y((inner.top() + 26.0).min(inner.bottom()));
    if response.dragged() {
        state.scroll += response.drag_delta().y;
    }
    if response.hovered() {
        state.scroll += ui.input(|input| input.smooth_scroll_delta().y);
    }
    let placed = |state: &TilesState| {
        TilesPicture::new(&tiles, state.selected, room, state.scroll, style.theme.letters)
    };
    let beyond = (placed(state).height() as f32 - room.height()).max(0.0);
    state.scroll = state.scroll.clamp(-beyond, 0.0);
    let picture = placed(state);
    let at = response.hover_pos().filter(|_| !response.dragged());
    let pointed = at.and_then(|at| picture.tile_at(at));
    let mut drawing = Drawing::new(0.0, 0.0);
    picture.draw(style, &mut drawing);
    painter::paint(&painter.with_clip_rect(painter.clip_rect().intersect(room)), index, &drawing);
    if response.clicked() {
        state.selected = pointed;
    }
    if let Some(told) = pointed.and_then(|tile| tiles.sentence(tile)) {
        response.clone().on_hover_ui_at_pointer(|ui| {
            ui.set_max_width(420.0);
            ui.label(told);
        });
    }
    true
}
