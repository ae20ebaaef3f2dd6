//! Pages for files: the picture of a position in the run, with a title above it, and costs, a legend and the colours
//! below it.
//!
//! The pages of a film have one size, and their streams are at the same positions. A page alone has no empty rows for the
//! streams of others.

use std::iter;
use std::ops::Range;

use emath::{Rect, Vec2, pos2, vec2};
use rasterscan::operator::Operator;
use rasterscan::plan::Cost;
use rasterscan::trace::{RecordedPass, Recording};
use rasterscan_lesson::look_back::{self, Tiles};
use rasterscan_lesson::work::{self, Moved};

use crate::arrows::LEAST_ZOOM;
use crate::bar;
use crate::block::{self, Block, Rows};
use crate::picture::{self, Picture};
use crate::placing::Placing;
use crate::style::{Spot, Style};
use crate::subject::Subject;
use crate::texels;
use crate::tiles::TilesPicture;
use rasterscan_drawing::font;
use rasterscan_drawing::number::{grouped, milliseconds};
#[cfg(feature = "pixels")]
use rasterscan_drawing::pixels::{self, PaintError};
use rasterscan_drawing::shape::{Drawing, LINE, Stroke, Write};
use rasterscan_drawing::svg;

/// The margin on all sides, in points, as all lengths here.
const MARGIN: f64 = 24.0;
const TITLE: f64 = 20.0;
/// The room for the name of a stream, above it or below.
const NAMES: f32 = 36.0;
const TEXT: f64 = 13.0;
/// The least width: room for a title.
const LEAST: f64 = 880.0;
/// The rooms to try until all numbers can be read; `UNREADABLE` is for runs whose numbers never can.
const ROOMS: [Vec2; 3] = [vec2(900.0, 620.0), vec2(1240.0, 900.0), vec2(1600.0, 1100.0)];
const UNREADABLE: Vec2 = vec2(1240.0, 1000.0);
/// The most numbers of a stream that can all be read.
const MOST_READ: usize = 1 << 13;

/// All pages of one run, or of two side by side.
#[derive(Debug)]
pub struct Pages<'a> {
    columns: Vec<Column<'a>>,
    style: Style,
    height: f64,
}

/// A run on the pages.
#[derive(Debug)]
struct Column<'a> {
    subject: &'a Subject,
    /// The text of each page.
    pages: Vec<Words>,
    rows: Rows,
    placing: Placing,
    width: f64,
    /// The tiles at each position, where a pass has a few, and the room for them between the picture and the text.
    tiles: Vec<Option<Tiles>>,
    under: f64,
    /// The heights of the texts above and below the picture.
    above: f64,
    below: f64,
}

/// The text of a page.
#[derive(Debug)]
struct Words {
    title: String,
    subtitle: String,
    /// The narration, the costs, then the legend.
    below: Vec<String>,
}

impl<'a> Pages<'a> {
    /// Lays out the pages of these runs, the first at the left.
    pub fn new(subjects: &[&'a Subject], style: Style) -> Pages<'a> {
        let columns: Vec<Column> =
            subjects.iter().map(|subject| Column::new(subject, &style, subjects.len())).collect();
        let most = |size: &dyn Fn(&Column) -> f64| columns.iter().map(size).fold(0.0, f64::max);
        let (above, below) = (most(&|column| column.above), most(&|column| column.below));
        let picture = most(&|column| f64::from(column.placing.size().y));
        let columns = columns.into_iter().map(|column| Column { above, below, ..column }).collect();
        Pages { columns, style, height: (above + picture + below).ceil() }
    }

    /// The pages: the inputs, and one for each pass of the longest run.
    pub fn count(&self) -> usize {
        self.columns.iter().map(|column| column.subject.passes()).max().unwrap_or(0) + 1
    }

    /// A page as PNG, at so many pixels a point.
    ///
    /// Errors: [`PaintError`].
    #[cfg(feature = "pixels")]
    pub fn png(&self, number: usize, spots: &[Option<Spot>], scale: f32) -> Result<Vec<u8>, PaintError> {
        pixels::paint(&self.draw_alone(number, spots), scale)?.png()
    }

    /// All pages as an animated PNG.
    ///
    /// Errors: [`PaintError`].
    #[cfg(feature = "pixels")]
    pub fn film(&self, scale: f32) -> Result<Vec<u8>, PaintError> {
        pixels::film(self.count(), |number| pixels::paint(&self.draw(number, &[]), scale))
    }

    /// A page as SVG. A screen reader reads its title, its costs and its legend.
    pub fn svg(&self, number: usize, spots: &[Option<Spot>]) -> String {
        let words = self.columns.iter().map(|column| &column.pages[column.position(number)]);
        let (titles, below): (Vec<&str>, Vec<String>) =
            words.map(|words| (words.title.as_str(), words.below.join(". "))).unzip();
        svg::write(&self.draw_alone(number, spots), &titles.join(" beside "), &below.join(" "))
    }

    /// Draws a page of a film. A run that has ended stays at its last pass. The arrows of `spots` are bold, one spot for
    /// each run.
    pub fn draw(&self, number: usize, spots: &[Option<Spot>]) -> Drawing {
        self.draw_without(0.0..0.0, number, spots)
    }

    /// Draws a page without the empty rows above and below its streams.
    fn draw_alone(&self, number: usize, spots: &[Option<Spot>]) -> Drawing {
        let empty = |column: &Column| column.empty(column.position(number), self.height);
        let empty = self.columns.iter().map(empty);
        let empty = empty.reduce(|a, b| a.start.min(b.start)..a.end.min(b.end)).unwrap_or(0.0..0.0);
        self.draw_without(empty, number, spots)
    }

    /// Draws a page without so many points above and below the streams.
    fn draw_without(&self, empty: Range<f64>, number: usize, spots: &[Option<Spot>]) -> Drawing {
        let width = self.columns.iter().map(|column| column.width).sum::<f64>();
        let height = self.height - empty.start - empty.end;
        let mut drawing = Drawing::new(width.ceil(), height);
        drawing.paper = self.style.theme.paper;
        let mut left = 0.0;
        for (index, column) in self.columns.iter().enumerate() {
            let spot = spots.get(index).copied().flatten();
            let room = column.room(left, self.height).translate(vec2(0.0, -empty.start as f32));
            column.draw(column.position(number), room, height, &self.style, spot, &mut drawing);
            left += column.width;
        }
        drawing
    }
}

impl<'a> Column<'a> {
    fn new(subject: &'a Subject, style: &Style, columns: usize) -> Column<'a> {
        let all = || 0..=subject.passes();
        let share = |room: Vec2| vec2(room.x / columns as f32, room.y);
        let fitted = |room| picture::frames(subject, all(), style, share(room));
        let first = fitted(ROOMS[0]);
        let readable = wanted(&first.0, style).and_then(|wanted| {
            let mut rooms = iter::once(first).chain(ROOMS[1..].iter().map(|room| fitted(*room)));
            rooms.find(|(_, placing, _)| placing.zoom >= wanted)
        });
        let (_, placing, rows) = readable.unwrap_or_else(|| fitted(UNREADABLE));
        let least = LEAST / columns as f64;
        let width = (f64::from(placing.size().x) + 2.0 * MARGIN).max(least).ceil();
        let text = width - 2.0 * MARGIN;
        let (mut above, mut below) = (0.0_f64, 0.0_f64);
        let moved = work::running_totals(&subject.recording);
        let pages: Vec<Words> =
            all().map(|position| words(subject, &moved, position, style, placing.zoom)).collect();
        for words in &pages {
            let lines = |text_: &str, size: f64| font::wrap(text_, size, text).len() as f64 * size * LINE;
            above = above.max(lines(&words.title, TITLE) + lines(&words.subtitle, TEXT));
            below = below.max(words.below.iter().map(|line| lines(line, TEXT)).sum());
        }
        let bar = bar::scale(subject, style).map_or(0.0, |_| bar::HEIGHT + 10.0);
        let tiles: Vec<Option<Tiles>> = all().map(|position| tiles(subject, position)).collect();
        let high = |tiles: &Tiles| placed(tiles, (MARGIN, 0.0), (text, 0.0), style).height();
        let under = tiles.iter().flatten().map(high).fold(0.0, f64::max);
        Column {
            subject,
            pages,
            tiles,
            under,
            rows,
            placing,
            width,
            above: MARGIN + above + 14.0,
            below: 20.0 + under + below + bar + MARGIN,
        }
    }

    /// The position of a page: a run that has ended stays at its last pass.
    fn position(&self, number: usize) -> usize {
        number.min(self.subject.passes())
    }

    /// The room of the streams on a page of a film.
    fn room(&self, left: f64, height: f64) -> Rect {
        let (top, bottom) = (self.above as f32, (height - self.below) as f32);
        let (left, right) = (left + MARGIN, left + self.width - MARGIN);
        Rect::from_min_max(pos2(left as f32, top), pos2(right as f32, bottom.max(top)))
    }

    /// The streams at a position.
    fn picture(&self, position: usize, room: Rect) -> Picture<'a> {
        let blocks = block::blocks(self.subject, position, self.rows);
        Picture::placed(self.subject, position, blocks, self.placing.clone(), room.center())
    }

    /// The empty points above and below the streams and their names.
    fn empty(&self, position: usize, height: f64) -> Range<f64> {
        let room = self.room(0.0, height);
        let blocks = self.picture(position, room).blocks;
        let streams = blocks.iter().map(|block| block.rect.expand2(vec2(0.0, NAMES)));
        let streams = streams.reduce(Rect::union).unwrap_or(room);
        let [above, below] = [streams.top() - room.top(), room.bottom() - streams.bottom()];
        f64::from(above.max(0.0).floor())..f64::from(below.max(0.0).floor())
    }

    fn draw(
        &self,
        position: usize,
        room: Rect,
        height: f64,
        style: &Style,
        spot: Option<Spot>,
        drawing: &mut Drawing,
    ) {
        let theme = &style.theme;
        let words = &self.pages[position];
        let (left, right) = (f64::from(room.left()), f64::from(room.right()));
        let mut base = MARGIN;
        for (text, size, colour) in [(&words.title, TITLE, theme.ink), (&words.subtitle, TEXT, theme.faint)] {
            for line in font::wrap(text, size, right - left) {
                base += size * LINE;
                drawing.text((left, base - size * 0.35), &line, &Write { size, ..Write::left(colour) });
            }
        }
        let bottom = height - self.below;
        self.picture(position, room).draw(style, room.expand(MARGIN as f32), spot, drawing);
        if let Some(tiles) = &self.tiles[position] {
            placed(tiles, (left, bottom), (right - left, self.under), style).draw(style, drawing);
        }
        let bottom = bottom + self.under;
        let rule = bottom + 10.0;
        drawing.line(vec![(left, rule), (right, rule)], Stroke::whole(theme.faint, 0.5));
        let mut base = bottom + 18.0;
        for (number, text) in words.below.iter().enumerate() {
            let colour = if number == 0 { theme.ink } else { theme.faint };
            for line in font::wrap(text, TEXT, right - left) {
                base += TEXT * LINE;
                let write = Write { size: TEXT, ..Write::left(colour) };
                drawing.text((left, base - TEXT * 0.3), &line, &write);
            }
        }
        if let Some(scale) = bar::scale(self.subject, style) {
            let top = height - MARGIN - bar::HEIGHT;
            bar::draw(drawing, (left, top), right - left, &scale, style);
        }
    }
}

/// The most tiles that a page shows.
const MOST_TILES: usize = 32;

/// The tiles at a position, if its pass has a few.
fn tiles(subject: &Subject, position: usize) -> Option<Tiles> {
    let tiles = look_back::tiles(&subject.recording, position.checked_sub(1)?)?;
    (2..=MOST_TILES).contains(&tiles.tiles.len()).then_some(tiles)
}

/// The picture of tiles from a corner on, in a room of this size.
fn placed<'a>(
    tiles: &'a Tiles,
    (left, top): (f64, f64),
    (width, height): (f64, f64),
    style: &Style,
) -> TilesPicture<'a> {
    let size = vec2(width as f32, height as f32);
    let room = Rect::from_min_size(pos2(left as f32, top as f32), size);
    TilesPicture::new(tiles, None, None, room, 0.0, style.theme.letters)
}

/// The zoom at which every number can be read; `None` if there are too many.
fn wanted(frames: &[Vec<Block>], style: &Style) -> Option<f32> {
    let blocks = || frames.iter().flatten();
    if blocks().any(|block| block.values.len() > MOST_READ) {
        return None;
    }
    let letters = |block: &Block| {
        let text = |index| texels::written(block, index, style.format).chars().count();
        (0..block.values.len()).map(text).max().unwrap_or(0)
    };
    let most = blocks().map(letters).max().unwrap_or(0);
    Some((most as f32 * 0.61 * 9.0 + 3.0).clamp(22.0, 64.0))
}

// --- Words -------------------------------------------------------------------------------------------

fn words(subject: &Subject, moved: &[Moved], position: usize, style: &Style, zoom: f32) -> Words {
    let recording = &*subject.recording;
    let passes = recording.passes.len();
    let number = position.min(passes).checked_sub(1);
    let Some((number, pass)) = number.map(|number| (number, &recording.passes[number])) else {
        let follow = match passes {
            0 => "no pass is needed".into(),
            1 => "1 pass follows".into(),
            _ => format!("{passes} passes follow"),
        };
        return Words {
            title: format!("{} · input", recording.algorithm),
            subtitle: recording.request.to_string(),
            below: vec![
                rasterscan_lesson::narrate(recording, position),
                format!(
                    "{follow}: {} in all",
                    counts(recording, recording.cost_before(passes), moved[passes])
                ),
                format!("recorded on {}", recording.device),
            ],
        };
    };
    let mut below = vec![rasterscan_lesson::narrate(recording, position)];
    let of_pass = counts(recording, pass.cost, work::moved(recording, number));
    below.push(format!("this pass: {of_pass}{}", took(recording, pass)));
    if number > 0 {
        let so_far = counts(recording, recording.cost_before(number + 1), moved[number + 1]);
        below.push(format!("passes 1 to {}: {so_far}", number + 1));
    }
    below.push(legend(subject, position, style, zoom));
    let round = recording.round(number);
    let round = round.map_or_else(String::new, |[round, of]| format!(" · round {round} of {of}"));
    Words {
        title: format!("{} · pass {} of {passes} · {}{round}", recording.algorithm, number + 1, pass.phase),
        subtitle: subtitle(recording, pass),
        below,
    }
}

/// The meaning of the marks in the picture of a pass, whose numbers are `zoom` points wide.
fn legend(subject: &Subject, position: usize, style: &Style, zoom: f32) -> String {
    let blocks = block::blocks(subject, position, Rows { row: None, own: true });
    let all = |block: &Block| 0..block.values.len() as u32;
    let any = |mark: &dyn Fn(&Block, u32) -> bool| {
        blocks.iter().any(|block| all(block).any(|number| mark(block, number)))
    };
    let Some(pass) = position.checked_sub(1).and_then(|pass| subject.recording.passes.get(pass)) else {
        return String::new();
    };
    let mut legend = Vec::new();
    if blocks.iter().any(|block| block.outlined().is_some()) {
        legend.push("outlined: changed by this pass".to_owned());
    }
    if any(&|block, number| block.left_alone(number / block.numbers)) {
        legend.push("hatched: not written".into());
    }
    if any(&|block, number| block.removed.is_some_and(|kept| kept.get(number as usize) == Some(&false))) {
        legend.push("crossed out: removed".into());
    }
    if pass.drawn.iter().any(|drawn| !drawn.is_empty()) {
        legend.push("orange points and lines: drawn by this pass".into());
    }
    if any(&|block, number| block.undefined(number)) {
        legend.push("pale: undefined".into());
    }
    if blocks.iter().any(|block| block.bits) {
        legend.push("hexadecimal: bits, coloured by their number of ones".into());
    }
    let total: u64 = pass.reads.iter().map(|reads| reads.total()).sum();
    if total > 0 && style.arrows {
        legend.push(if zoom < LEAST_ZOOM {
            format!("{} reads, between texels too small for arrows", grouped(total))
        } else if subject.example(position - 1).is_some() {
            "bold arrows: from what was read to the value that the text derives".into()
        } else if !picture::has_arrows(subject, position - 1, &blocks) {
            format!("{} reads, too many for arrows", grouped(total))
        } else {
            "arrows: from a texel that was read to the texel made from it".into()
        });
    }
    legend.join("; ")
}

/// The request, the shader, and the uniforms of the pass.
fn subtitle(recording: &Recording, pass: &RecordedPass) -> String {
    let uniforms = pass.uniforms.iter().take(6).map(|(name, value)| format!("{name} = {value}"));
    let mut parts = vec![recording.request.to_string()];
    parts.extend(pass.main_shader().map(|shader| shader.path.clone()));
    parts.push(uniforms.collect::<Vec<_>>().join(", "));
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

/// The work of some passes in words: the texels as they were recorded, all else as the plan states it.
fn counts(recording: &Recording, cost: Cost, moved: Moved) -> String {
    let count =
        |number: u64, noun: &str| format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" });
    let adds = recording.request.item().operator == Operator::ADD;
    let adds = count(cost.adds, if adds { "add" } else { "operation" });
    if cost.texels_read + cost.texels_written == 0 {
        let (read, written) = (count(cost.words_read, "word"), grouped(cost.words_written));
        return format!("{adds}, {read} read, {written} written");
    }
    let (read, written) = (count(moved.texels_read, "texel"), grouped(moved.texels_written));
    let most = if moved.at_most { "at most " } else { "" };
    format!("{adds}, {most}{read} read, {written} written, {} words moved", grouped(moved.words))
}

/// The pass's time, if it was taken.
fn took(recording: &Recording, pass: &RecordedPass) -> String {
    match (pass.time, recording.clock) {
        (Some(time), Some(clock)) => {
            format!(", {} ms ({} clock)", milliseconds(time.as_secs_f64() * 1e3), clock.name())
        }
        _ => String::new(),
    }
}
