//! A single pass as tiles: the switch between tiles and items, clicks that select a tile, and a sentence for each.

use std::rc::Rc;

use egui::{Align, Layout, Painter, Rect, Response, Ui, UiBuilder, pos2};
use rasterscan_drawing::shape::Drawing;
use rasterscan_lesson::look_back::{self, MOST_IN_TIME, Tiles};
use rasterscan_lesson::phrases::say;
use rasterscan_picture::{Style, TilesPicture, Travel};

use super::painter;
use crate::shown::{Key, Shown};
use crate::view::MemoryView;

/// The state kept from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct TilesState {
    seen: Option<(Key, Option<Rc<Tiles>>)>,
    selected: Option<usize>,
    /// The distance by which the reader moved the picture; `None` shows what it is about.
    scroll: Option<f32>,
    /// The moment in the last frame: another one selects its own tile.
    moment: Option<usize>,
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
            *self = TilesState { seen: Some((key, tiles.map(Rc::new))), ..TilesState::default() };
        }
        self.seen.as_ref().and_then(|(_, tiles)| tiles.clone())
    }

    /// Shows the choice between tiles and items in the upper right corner of a pane.
    pub fn switch(ui: &mut Ui, view: &mut MemoryView, tiles: &Tiles, index: usize, pane: Rect) {
        let shows = shows(view, tiles);
        let corner = pos2(pane.right(), pane.top() + ui.spacing().interact_size.y);
        let switch = Rect::from_min_max(pos2((corner.x - SWITCH).max(pane.left()), pane.top()), corner);
        let layout = Layout::right_to_left(Align::Center);
        ui.scope_builder(UiBuilder::new().max_rect(switch).layout(layout).id_salt(("tiles", index)), |ui| {
            let about = "the pass as tiles, or as the items that were read and written";
            for (name, value) in [("Items", false), ("Tiles", true)] {
                if ui.selectable_label(shows == value, say(name)).on_hover_text(say(about)).clicked() {
                    (view.tiles, view.stage) = (Some(value), None);
                }
            }
        });
    }
}

/// True if a pass is shown as tiles, false if as items.
pub fn shows(view: &MemoryView, tiles: &Tiles) -> bool {
    view.tiles.unwrap_or(tiles.tiles.len() <= MOST_IN_TIME)
}

/// Shows a pass as tiles, after a moment, while it is at work, or after the pass. Returns its longest way.
pub fn show(
    ui: &mut Ui,
    state: &mut TilesState,
    (tiles, moment, travel): (&Tiles, Option<usize>, Option<Travel>),
    (index, room): (usize, Rect),
    response: &Response,
    style: &Style,
    painter: &Painter,
) -> Option<f32> {
    if std::mem::replace(&mut state.moment, moment) != moment {
        (state.selected, state.scroll) = (None, None);
    }
    let placed = |scroll| TilesPicture::new(tiles, moment, state.selected, room, scroll, style.theme.letters);
    let unmoved = placed(0.0);
    // Where not all has room, the tiles move, and their texts stay.
    let texts = unmoved.texts_height() as f32;
    let stay = unmoved.height() as f32 > room.height() && texts < room.height() * 0.5;
    let cards = if stay { room.with_max_y(room.bottom() - texts) } else { room };
    let [beyond, needed] = unmoved.scrolls(cards);
    let beyond = if stay { beyond } else { beyond.max(unmoved.height() as f32 - room.height()) };
    let dragged = if response.dragged() { response.drag_delta().y } else { 0.0 };
    let wheel = if response.hovered() { ui.input(|input| input.smooth_scroll_delta().y) } else { 0.0 };
    let scroll = (state.scroll.unwrap_or(-needed) + dragged + wheel).clamp(-beyond, 0.0);
    let picture = placed(scroll).at_work(travel).cut(cards.bottom());
    if dragged + wheel != 0.0 {
        state.scroll = Some(scroll);
    }
    let at = response.hover_pos().filter(|_| !response.dragged());
    let pointed = at.and_then(|at| picture.tile_at(at));
    let paint = |room: Rect, draw: &dyn Fn(&mut Drawing)| {
        let mut drawing = Drawing::new(0.0, 0.0);
        draw(&mut drawing);
        painter::paint(&painter.with_clip_rect(painter.clip_rect().intersect(room)), Some(index), &drawing);
    };
    let texts = if stay { cards.bottom().into() } else { picture.texts_top() };
    paint(cards, &|drawing| picture.draw_tiles(style, drawing));
    paint(room, &|drawing| picture.draw_texts(style, drawing, texts));
    if response.clicked() {
        state.selected = pointed;
    }
    if let Some(told) = pointed.and_then(|tile| tiles.sentence(tile)) {
        response.clone().on_hover_ui_at_pointer(|ui| {
            ui.set_max_width(420.0);
            ui.label(say(told));
        });
    }
    picture.reach()
}
