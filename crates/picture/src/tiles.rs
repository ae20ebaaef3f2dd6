//! The picture of a single pass as tiles: a card for each, the states that they published, and the looks of one of them.
//!
//! A card shows the tile's items and their sum. The box on top of it is its state in memory. One tile is selected: the
//! boxes of the tiles that it looked at show what it found there, curves lead from it to them in the order of its looks,
//! and all other cards are pale. A look that found nothing is dashed, and the tile that was then computed again is
//! framed. Below the cards stands a sentence on the selected tile; `sam` has its ring there, too.

use std::borrow::Cow;

use emath::{Pos2, Rect, pos2, vec2};
use rasterscan_lesson::look_back::{Act, Kind, Look, Moment, Status, TileStory, Tiles};

use rasterscan_drawing::colour::Colour;
use rasterscan_drawing::font;
use rasterscan_drawing::shape::{Drawing, LINE, Paint, Place, Stroke, Write};
use rasterscan_drawing::theme::ACCENT;
use rasterscan_lesson::phrases::say;

use crate::style::Style;
use crate::texels::{corners, dashed, fill};
use crate::travel::{Travel, length};

/// The least width of a card, and the widest that is useful, in points, as all lengths here. In a narrow picture SAM's, whose
/// words are short, are less wide.
const LEAST: f64 = 66.0;
const LEAST_SAM: f64 = 53.0;
const NARROW: f64 = 460.0;
const WIDEST: f64 = 150.0;
const GAP: f64 = 4.0;
/// The height of a card, of one without its sum and its end, and of the box of its state above it.
const CARD: f64 = 98.0;
const LOW_CARD: f64 = 62.0;
const STATE: f64 = 36.0;
/// The room for curves above a row of cards, for those of one row among several, and for those of low cards.
const CURVES: f64 = 96.0;
const LOW_CURVES: f64 = 64.0;
const LEAST_CURVES: f64 = 52.0;
/// The height at which a curve is clear of the circles at the ends of others.
const CLEAR: f64 = 20.0;
/// The width of a curve's corners.
const CORNER: f64 = 60.0;
/// The most room for curves, where a pane has it.
const MOST_CURVES: f64 = 150.0;
/// Sizes of text: of sentences, and of small text in cards, the largest first.
const TEXT: f64 = 14.0;
const SMALL: f64 = 11.5;
/// The least size, for the word on top of a narrow card.
const LEAST_SIZE: f64 = 10.5;
const SIZES: [f64; 3] = [13.5, 12.5, SMALL];
/// The height of a slot of the ring, the room for its number, the greatest width of one, and the room at both ends of the ring.
const SLOT: f64 = 34.0;
const NUMBER: f64 = 14.0;
const WIDEST_SLOT: f64 = 64.0;
const BEND: f64 = 14.0;
/// The least width of a slot in a ring of two rows.
const LEAST_SLOT: f64 = 36.0;
/// The most slots that are drawn.
const MOST_SLOTS: u64 = 64;

const AGGREGATE: Colour = Colour(0x1F, 0x6A, 0xAE);
const PREFIX: Colour = Colour(0x1B, 0x75, 0x48);
const LIGHT: Colour = Colour(0xFF, 0xFF, 0xFF);

/// A placed picture.
#[derive(Debug)]
pub struct TilesPicture<'a> {
    tiles: &'a Tiles,
    /// The tiles as they are at the moment that is shown.
    stories: Cow<'a, [TileStory]>,
    /// The tiles that wait then.
    waiting: Vec<usize>,
    /// The moment, and its travel while it is at work.
    moment: Option<Moment>,
    travel: Option<Travel>,
    selected: usize,
    left: f64,
    /// The left edge of texts and of the ring.
    margin: f64,
    top: f64,
    width: f64,
    columns: usize,
    card: f64,
    /// The height of a card.
    high: f64,
    curves: f64,
    /// The size of small text in cards, and whether only short words have room.
    small: f64,
    terse: bool,
    /// True if the ring is not drawn.
    bare: bool,
    /// The sentence on the selected tile, in lines.
    words: Vec<String>,
    /// The meaning of the marks, in lines.
    legend: Vec<String>,
}

impl<'a> TilesPicture<'a> {
    /// Places the tiles in a room, moved down by `scroll`, after a moment of the pass or, without one, after its end.
    /// `selected` is a number among them; by default the one that the moment is of, or that looked at the most.
    pub fn new(
        tiles: &'a Tiles,
        moment: Option<usize>,
        selected: Option<usize>,
        room: Rect,
        scroll: f32,
        letters: f64,
    ) -> TilesPicture<'a> {
        // Edges of cards are lines of some width.
        let room = room.shrink2(vec2(3.0, 0.0));
        let width = f64::from(room.width()).max(LEAST);
        let least = if matches!(tiles.kind, Kind::Sam { .. }) && width < NARROW { LEAST_SAM } else { LEAST };
        let count = tiles.tiles.len().max(1);
        let most = (((width + GAP) / (least + GAP)) as usize).max(1);
        let rows = count.div_ceil(most);
        let columns = count.div_ceil(rows);
        let card = ((width + GAP) / columns as f64 - GAP).clamp(least, WIDEST);
        let moment = moment.filter(|moment| *moment < tiles.moments.len());
        let acting = moment.map(|moment| tiles.moments[moment].tile);
        let selected = selected.filter(|index| *index < count);
        let selected = selected.or(acting).unwrap_or_else(|| tiles.told());
        let told = match moment {
            Some(moment) => tiles.sentence_at(moment),
            None => tiles.sentence(selected),
        };
        let told = told.unwrap_or_default();
        let words = font::wrap(&say(told), TEXT * letters, width);
        let legend = font::wrap(&say(legend(tiles, selected)), SMALL * letters, width);
        let curves = if rows == 1 { CURVES } else { LOW_CURVES };
        let starts = tiles.tiles.iter().filter_map(|tile| tile.before);
        let longest = starts.map(|before| say(format!("starts at {before}")));
        let longest = font::widest(&longest.collect::<Vec<_>>(), letters);
        let small = SIZES.into_iter().find(|size| size * longest <= card - 6.0);
        let mut picture = TilesPicture {
            tiles,
            stories: moment.map_or(Cow::Borrowed(&tiles.tiles[..]), |moment| Cow::Owned(tiles.until(moment))),
            waiting: moment.map_or_else(Vec::new, |moment| tiles.waiting(moment)),
            moment: moment.map(|moment| tiles.moments[moment]),
            travel: None,
            selected,
            left: f64::from(room.left()),
            margin: f64::from(room.left()),
            top: f64::from(room.top()),
            width,
            columns,
            card,
            high: CARD,
            curves,
            small: small.unwrap_or(SMALL),
            terse: small.is_none(),
            bare: false,
            words,
            legend,
        };
        if picture.height() > f64::from(room.height()) && rows > 1 {
            (picture.high, picture.curves) = (LOW_CARD, LEAST_CURVES);
        }
        // A whole row matters more than the meaning of its marks.
        if picture.row() + picture.texts_height() > f64::from(room.height()) {
            picture.legend.clear();
        }
        if rows == 1 {
            let spare = f64::from(room.height()) - picture.height();
            picture.curves += spare.clamp(0.0, MOST_CURVES - CURVES);
        }
        let used = columns as f64 * (card + GAP) - GAP;
        picture.left += ((width - used) / 2.0).max(0.0);
        picture.top += ((f64::from(room.height()) - picture.height()) / 2.0).max(0.0) + f64::from(scroll);
        picture
    }

    /// The same with its moment at work: a value is on its way to the tile that finds it, or a state appears.
    pub fn at_work(self, travel: Option<Travel>) -> TilesPicture<'a> {
        TilesPicture { travel: travel.filter(|_| self.moment.is_some()), ..self }
    }

    /// The same without its ring, if that ends below a height: a part of it is no ring.
    pub fn cut(self, bottom: f32) -> TilesPicture<'a> {
        TilesPicture { bare: self.texts_top() > f64::from(bottom) + 1.0, ..self }
    }

    /// The longest way of a moment, 0 if a state appears; `None` where nothing moves.
    pub fn reach(&self) -> Option<f32> {
        self.moment.map(|_| self.way().map_or(0.0, |(from, to, _)| length(from, to)))
    }

    /// The way of the value that a tile finds: from the other's state, or its items, to the tile.
    fn way(&self) -> Option<(Rect, Rect, &Look)> {
        let Moment { tile, act: Act::Look(look) } = self.moment? else { return None };
        let look = self.tiles.tiles[tile].looks.get(look)?;
        let other = usize::try_from(look.tile.checked_sub(self.tiles.tiles.first()?.number)?).ok()?;
        let of = |index: usize, state: bool| {
            let card = self.card(index);
            let [top, bottom] = if state { [0.0, STATE] } else { [STATE, STATE + 40.0] };
            card.with_min_y(card.top() + top as f32).with_max_y(card.top() + bottom as f32)
        };
        (other < self.tiles.tiles.len()).then(|| (of(other, !look.fell_back), of(tile, false), look))
    }

    /// The share to which a tile's published state has appeared.
    fn appeared(&self, index: usize) -> f32 {
        match (self.travel, self.moment) {
            (Some(travel), Some(Moment { tile, act: Act::Publish(_) })) if tile == index => travel.share(0.0),
            _ => 1.0,
        }
    }

    /// The height of all of it.
    pub fn height(&self) -> f64 {
        self.tiles_height() + self.texts_height()
    }

    /// The height of the tiles and the ring.
    pub fn tiles_height(&self) -> f64 {
        self.tiles.tiles.len().div_ceil(self.columns) as f64 * self.row() + self.ring_height()
    }

    /// The height at which the texts below them begin.
    pub fn texts_top(&self) -> f64 {
        self.top + self.tiles_height()
    }

    /// The height of these texts.
    pub fn texts_height(&self) -> f64 {
        28.0 + self.words.len() as f64 * TEXT * LINE + self.legend.len() as f64 * SMALL * LINE
    }

    /// The greatest distance by which to move the tiles up in a room, and that by which it shows the selected one, with the ring
    /// if there is room for both. Whole rows leave the room.
    pub fn scrolls(&self, room: Rect) -> [f32; 2] {
        let rows_up = |beyond: f64| ((beyond.max(0.0) / self.row()).ceil() * self.row()) as f32;
        let above = (self.selected / self.columns) as f64 * self.row();
        let all = self.texts_top();
        let row = self.card(self.selected);
        let fits = all - f64::from(row.top()) + self.curves <= f64::from(room.height());
        let bottom = if fits { all } else { f64::from(row.bottom()) + 6.0 };
        let [beyond, needed] = [all, bottom].map(|bottom| rows_up(bottom - f64::from(room.bottom())));
        [beyond, needed.min(above as f32)]
    }

    /// The selected tile, by its number among those shown.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// The card of a tile, with the box of its state.
    pub fn card(&self, index: usize) -> Rect {
        let (column, row) = (index % self.columns, index / self.columns);
        let left = self.left + column as f64 * (self.card + GAP);
        let top = self.top + row as f64 * self.row() + self.curves;
        Rect::from_min_size(pos2(left as f32, top as f32), vec2(self.card as f32, (STATE + self.high) as f32))
    }

    /// The tile whose card is at a point.
    pub fn tile_at(&self, at: Pos2) -> Option<usize> {
        (0..self.tiles.tiles.len()).find(|index| self.card(*index).contains(at))
    }

    fn row(&self) -> f64 {
        self.curves + STATE + self.high + 10.0
    }

    fn ring_height(&self) -> f64 {
        match self.tiles.kind {
            Kind::Sam { ring, .. } if ring <= MOST_SLOTS => {
                24.0 + self.ring_rows(ring).1 as f64 * (SLOT + NUMBER + 4.0)
            }
            _ => 0.0,
        }
    }

    /// Slots in a row of the ring, and rows. Two rows are bent to a ring, if they have room.
    fn ring_rows(&self, ring: u64) -> (u64, u64) {
        if ring >= 4 && self.width >= (ring / 2) as f64 * LEAST_SLOT + 2.0 * BEND {
            return (ring.div_ceil(2), 2);
        }
        let most = ((self.width / 44.0) as u64).clamp(1, 32);
        (most.min(ring), ring.div_ceil(most))
    }

    /// Draws the picture.
    pub fn draw(&self, style: &Style, drawing: &mut Drawing) {
        self.draw_tiles(style, drawing);
        self.draw_texts(style, drawing, self.texts_top());
    }

    /// Draws the tiles and the ring.
    pub fn draw_tiles(&self, style: &Style, drawing: &mut Drawing) {
        let theme = &style.theme;
        let Some(chosen) = self.stories.get(self.selected) else { return };
        let look_at = |number: u64| chosen.looks.iter().find(|look| look.tile == number);
        for (index, tile) in self.stories.iter().enumerate() {
            let look = look_at(tile.number);
            let carried = chosen.carried.is_some_and(|(_, from)| tile.number + 1 == from);
            let lit = index == self.selected || look.is_some() || carried;
            self.draw_card(drawing, style, index, tile, look, lit);
        }
        let first = self.tiles.tiles.first().map_or(0, |tile| tile.number);
        let all = self.tiles.tiles[self.selected].looks.len();
        for (order, look) in chosen.looks.iter().enumerate().rev() {
            let Some(to) = look.tile.checked_sub(first).map(|to| to as usize) else { continue };
            let (colour, of) = (if look.fell_back { ACCENT } else { theme.ink }, (order + 1, all));
            self.curve(drawing, style, to, (colour, look.fell_back), of);
        }
        if let Some((item, from)) = chosen.carried
            && let Some(to) = (from - 1).checked_sub(first)
        {
            self.curve(drawing, style, to as usize, (theme.faint, false), (0, all));
            let card = self.card(to as usize);
            let at = (f64::from(card.center().x) - 6.0, f64::from(card.top()) - 8.0);
            let write = Write { size: SMALL, ..Write::right(theme.ink) };
            drawing.text(at, &say(format!("carries {item}")), &write);
        }
        if let (Some(travel), Some((from, to, look))) = (self.travel, self.way())
            && let Some(value) = look.value
        {
            let rect =
                Rect::from_center_size(travel.between(from, to).center(), vec2(self.card as f32 - 8.0, 20.0));
            fill(drawing, &corners(rect), if look.status == Status::Prefix { PREFIX } else { AGGREGATE });
            let write = Write { mono: true, ..Write::centre(LIGHT) };
            let text = fitted(&value.to_string(), TEXT, self.card - 10.0);
            drawing.block((rect.center().x.into(), rect.center().y.into()), &[text], &write);
        }
        let rows = self.tiles.tiles.len().div_ceil(self.columns) as f64;
        let base = self.top + rows * self.row();
        if let Kind::Sam { ring, groups } = self.tiles.kind
            && ring <= MOST_SLOTS
            && !self.bare
        {
            self.ring(drawing, style, base, (ring, groups), chosen);
        }
    }

    /// Draws the texts, which begin at a height.
    pub fn draw_texts(&self, style: &Style, drawing: &mut Drawing, top: f64) {
        let theme = &style.theme;
        let mut base = top;
        let texts = [(8.0, &self.words, TEXT, theme.ink), (6.0, &self.legend, SMALL, theme.faint)];
        for (above, lines, size, colour) in texts {
            base += above;
            for line in lines {
                base += size * LINE;
                drawing.text((self.margin, base), line, &Write { size, ..Write::left(colour) });
            }
        }
    }

    fn draw_card(
        &self,
        drawing: &mut Drawing,
        style: &Style,
        index: usize,
        tile: &TileStory,
        look: Option<&Look>,
        lit: bool,
    ) {
        let theme = &style.theme;
        // Without light, an outline and faint text: enough contrast to read.
        let pale = |colour: Colour| if lit { colour } else { theme.faint };
        let rect = self.card(index);
        let (left, right) = (f64::from(rect.left()), f64::from(rect.right()));
        let (top, bottom) = (f64::from(rect.top()), f64::from(rect.bottom()));
        let middle = (left + right) / 2.0;
        let selected = index == self.selected;
        let again = look.is_some_and(|look| look.fell_back);
        // The state as the selected tile found it, else as the pass left it.
        let own = tile.published.last().map(|(status, _)| *status).unwrap_or(Status::Empty);
        let status = look.map_or(own, |look| look.status);
        let value = match look {
            Some(look) if look.fell_back => None,
            Some(look) => look.value,
            None => tile.published.last().and_then(|(_, item)| *item),
        };
        let (fill, ink) = match status {
            Status::Empty => (theme.paper, theme.ink),
            Status::Aggregate | Status::Sum(_) => (AGGREGATE, LIGHT),
            Status::Prefix => (PREFIX, LIGHT),
        };
        let appears = |colour: Colour| colour.towards(theme.paper, 1.0 - self.appeared(index));
        let edge = if status == Status::Empty { theme.faint } else { fill };
        let ground = appears(if lit { fill } else { fill.towards(theme.paper, 0.88) });
        let paint = Paint { fill: Some(ground), stroke: Some(Stroke::whole(edge, 1.0)) };
        drawing.rectangle((left, top), (right, top + STATE), paint);
        glyph(drawing, (left + 9.0, top + 10.0), status, pale(ink));
        let text = match self.waiting.contains(&index) {
            // The sign says what it has published.
            true => say("waits"),
            false => say(status.to_string()),
        };
        let room = self.card - 19.0;
        let fits = |size: &f64| font::width(&text, size * theme.letters) <= room;
        let size = [self.small, SMALL].into_iter().find(fits).unwrap_or(LEAST_SIZE);
        let word = Write { size, ..Write::left(pale(ink)) };
        drawing.text((left + 17.0, top + 14.0), &font::shortened(&text, size * theme.letters, room), &word);
        if let Some(value) = value {
            let text = fitted(&value.to_string(), TEXT, self.card - 6.0);
            let write = Write { size: TEXT + 1.0, mono: true, ..Write::centre(pale(ink)) };
            drawing.text((middle, top + 31.0), &text, &write);
        }
        // The tile itself, which starts where the value on its way leads it.
        let arrives =
            self.travel.is_some() && self.way().is_some() && self.moment.is_some_and(|of| of.tile == index);
        let [before, prefix] = [tile.before, tile.prefix].map(|item| item.filter(|_| !arrives));
        let (colour, width) = if selected { (ACCENT, 2.5) } else { (pale(theme.faint), 1.0) };
        let body = [(left, top + STATE), (right, top + STATE), (right, bottom), (left, bottom)];
        drawing.polygon(body.to_vec(), Stroke::whole(colour, width).into());
        if again {
            let frame = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
            dashed(drawing, &frame, Stroke::whole(ACCENT, 2.0));
        }
        let room = self.card - 4.0;
        let name = match self.tiles.kind {
            Kind::Sam { .. } => say(format!("chunk {}, g{}", tile.number, tile.group)),
            _ => say(format!("tile {}", tile.number)),
        };
        let mut base = top + STATE + 14.0;
        let mut line = |text: &str, size: f64, colour: Colour, mono: bool| {
            let text = match mono {
                true => fitted(text, size, room),
                false => font::shortened(text, size * theme.letters, room),
            };
            drawing.text((middle, base), &text, &Write { size, mono, ..Write::centre(colour) });
            base += size * LINE;
        };
        let fits = |(name, size): &(&str, f64)| font::width(name, size * theme.letters) <= room;
        let short = name.split_once(' ').map_or("", |(_, number)| number);
        let choices = [(name.as_str(), TEXT), (&name, self.small), (&name, SMALL), (short, SMALL)];
        let (name, size) = choices.into_iter().find(fits).unwrap_or((short, SMALL));
        line(name, size, pale(if selected { theme.accent_ink() } else { theme.ink }), false);
        let items: Vec<String> = tile.values.iter().take(16).map(ToString::to_string).collect();
        let items = items.join(" ");
        let size = (room / (0.612 * items.chars().count() as f64)).clamp(SMALL, TEXT);
        line(&items, size, pale(theme.ink), true);
        let ink = pale(theme.ink);
        let (sum, colour) = if again { ("again:", theme.accent_ink()) } else { ("its sum", ink) };
        let [start, end] = if self.terse { ["from", "to"] } else { ["starts at", "ends at"] };
        // A low card has room for one.
        let low = self.high < CARD;
        let sums = [
            (sum, tile.aggregate.filter(|_| again || !low), colour),
            (start, before, ink),
            (end, prefix.filter(|_| !low), ink),
        ];
        for (what, item, colour) in sums {
            if let Some(item) = item {
                line(&say(format!("{what} {item}")), self.small, colour, false);
            }
        }
    }

    /// A curve from the selected card to one that it looked at, with the look's number where it ends.
    fn curve(
        &self,
        drawing: &mut Drawing,
        style: &Style,
        to: usize,
        (colour, dashes): (Colour, bool),
        (order, all): (usize, usize),
    ) {
        if to >= self.tiles.tiles.len() {
            return;
        }
        let (source, target) = (self.card(self.selected), self.card(to));
        let end = (f64::from(target.center().x), f64::from(target.top()));
        let badge = (end.0, end.1 - 11.0);
        if to / self.columns == self.selected / self.columns {
            // The nearest begins at the left, so that curves lie within each other; of chunks it is the last.
            let nearer = match self.tiles.kind {
                Kind::Sam { .. } => all - order,
                _ => order.saturating_sub(1),
            };
            let along = (nearer as f32 + 1.0) / (all as f32 + 2.0);
            // All of them clear the circles, as high as the widest has room to be round.
            let whole = &self.tiles.tiles[self.selected];
            let carried = whole.carried.map(|(_, from)| from.saturating_sub(1));
            let looked = whole.looks.iter().map(|look| look.tile).chain(carried);
            let widest =
                looked.map(|tile| whole.number.abs_diff(tile)).max().unwrap_or(1).min(self.columns as u64);
            let most = (0.45 * widest as f64 * (self.card + GAP)).clamp(CLEAR, self.curves - 12.0);
            let count = all + usize::from(carried.is_some());
            let height = CLEAR + (most - CLEAR) * (nearer as f64 + 1.0) / count.max(1) as f64;
            let start = (f64::from(source.left() + source.width() * along), f64::from(source.top()));
            // Corners of one size, so that curves do not cross: a quarter of an ellipse at each end.
            let wide = CORNER.min((start.0 - badge.0).abs() / 2.0).copysign(badge.0 - start.0);
            let corner = |end: Place, wide: f64, step: i32| {
                let (sine, cosine) = (f64::from(step) / 16.0 * std::f64::consts::FRAC_PI_2).sin_cos();
                (end.0 + wide * (1.0 - cosine), end.1 + (start.1 - height - end.1) * sine)
            };
            let up = (0..=16).map(|step| corner(start, wide, step));
            let points: Vec<Place> =
                up.chain((0..=16).rev().map(|step| corner(badge, -wide, step))).collect();
            let stroke = Stroke::whole(colour, 1.5);
            match dashes {
                true => dashed(drawing, &points, stroke),
                false => drawing.line(points, stroke),
            }
        }
        let tip = vec![(end.0 - 4.0, end.1 - 6.0), (end.0 + 4.0, end.1 - 6.0), end];
        drawing.polygon(tip, colour.into());
        if order == 0 {
            return;
        }
        let edge = Paint { fill: Some(style.theme.paper), stroke: Some(Stroke::whole(colour, 1.5)) };
        drawing.circle(badge, 7.5, edge);
        let write = Write { size: SMALL, ..Write::centre(style.theme.ink) };
        drawing.text((badge.0, badge.1 + 3.6), &order.to_string(), &write);
    }

    /// The ring of slots, each with the chunk whose sum it holds at the end.
    fn ring(
        &self,
        drawing: &mut Drawing,
        style: &Style,
        top: f64,
        (ring, groups): (u64, u64),
        chosen: &TileStory,
    ) {
        let theme = &style.theme;
        let who = match groups {
            1 => "1 resident group (g0)".into(),
            _ => format!("{groups} resident groups (g0 to g{})", groups - 1),
        };
        let titles = [
            say(format!("the ring: {ring} slots for the sums of chunks, used again and again by {who}")),
            say(format!("the ring: {ring} slots, used again and again by {groups} groups")),
            say("the ring"),
        ];
        let fits = |title: &&String| font::width(title, SMALL * theme.letters) <= self.width;
        let title = titles.iter().find(fits).unwrap_or(&titles[2]);
        drawing.text((self.margin, top + 14.0), title, &Write { size: SMALL, ..Write::left(theme.faint) });
        let (columns, rows) = self.ring_rows(ring);
        let bent = rows == 2 && columns * 2 == ring;
        let bend = if bent { BEND } else { 0.0 };
        let side = ((self.width - 2.0 * bend) / columns as f64).min(WIDEST_SLOT);
        let (left, top) = (self.margin + bend, top + 22.0);
        let small = |text: &str| (1.0 / font::width(text, theme.letters) * (side - 4.0)).min(SMALL);
        for slot in 0..ring {
            // The second row of a ring runs back.
            let (column, row) = match slot < columns {
                false if bent => (ring - 1 - slot, 1),
                _ => (slot % columns, slot / columns),
            };
            let below = bent && row == 1;
            let left = left + column as f64 * side;
            let top = top + row as f64 * (SLOT + NUMBER + 4.0) + if below { -NUMBER } else { 0.0 } + NUMBER;
            let held = self.stories.iter().rev();
            let held = held.filter(|tile| !tile.published.is_empty()).find(|tile| tile.number % ring == slot);
            let seen = held.is_some_and(|held| {
                held.number == chosen.number || chosen.looks.iter().any(|look| look.tile == held.number)
            });
            let edge = if seen { ACCENT } else { theme.faint };
            let paint = Paint::from(Stroke::whole(edge, if seen { 2.0 } else { 1.0 }));
            drawing.rectangle((left + 1.0, top), (left + side - 1.0, top + SLOT), paint);
            let middle = left + side / 2.0;
            let write = |size: f64, colour: Colour| Write { size, ..Write::centre(colour) };
            let number = top + if below { SLOT + NUMBER - 3.0 } else { -3.0 };
            drawing.text((middle, number), &slot.to_string(), &write(11.0, theme.faint));
            match held {
                Some(held) => {
                    let value = held.aggregate.map(|item| item.to_string()).unwrap_or_default();
                    let text = fitted(&value, TEXT, side - 4.0);
                    drawing.text(
                        (middle, top + 14.0),
                        &text,
                        &Write { mono: true, ..write(TEXT, theme.ink) },
                    );
                    let name = say(format!("chunk {}", held.number));
                    drawing.text((middle, top + 28.0), &name, &write(small(&name), theme.faint));
                }
                None => {
                    let empty = say("empty");
                    drawing.text((middle, top + 20.0), &empty, &write(small(&empty), theme.faint));
                }
            }
        }
        if bent {
            let ends = [(left + columns as f64 * side, 1.0, 0), (left, -1.0, 1)];
            let middles = [top + NUMBER + SLOT / 2.0, top + NUMBER + 1.5 * SLOT + 4.0];
            for (x, way, from) in ends {
                let (from, to) = (middles[from], middles[1 - from]);
                let far = x + way * (BEND - 4.0);
                drawing
                    .line(vec![(x, from), (far, from), (far, to), (x, to)], Stroke::whole(theme.faint, 1.5));
                let tip = vec![(x + way * 6.0, to - 3.5), (x + way * 6.0, to + 3.5), (x, to)];
                drawing.polygon(tip, theme.faint.into());
            }
        }
    }
}

/// The meaning of the marks.
fn legend(tiles: &Tiles, selected: usize) -> String {
    let Some(chosen) = tiles.tiles.get(selected) else { return String::new() };
    let (noun, number) = (tiles.noun(), chosen.number);
    let mut text = format!("On top of a card: what it has published. Lit: as {noun} {number} found it.");
    if !chosen.looks.is_empty() {
        text.push_str(" Circles: the order of its looks.");
    }
    if chosen.fell_back() {
        text.push_str(&format!(" Dashed: found empty, so {noun} {number} computed it again."));
    }
    text
}

/// A number, cut off if it is too wide.
fn fitted(text: &str, size: f64, room: f64) -> String {
    let most = (room / (size * 0.61)) as usize;
    match text.chars().count() <= most {
        true => text.into(),
        false => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The shape of a status: a ring, a square, and an arrow that points to all before it.
fn glyph(drawing: &mut Drawing, (x, y): Place, status: Status, colour: Colour) {
    const HALF: f64 = 4.0;
    match status {
        Status::Empty => drawing.circle((x, y), HALF, Stroke::whole(colour, 1.5).into()),
        Status::Aggregate | Status::Sum(_) => {
            drawing.rectangle((x - HALF, y - HALF), (x + HALF, y + HALF), colour.into());
        }
        Status::Prefix => {
            let points = vec![(x - HALF - 1.0, y), (x + HALF, y - HALF - 1.0), (x + HALF, y + HALF + 1.0)];
            drawing.polygon(points, colour.into());
        }
    }
}
