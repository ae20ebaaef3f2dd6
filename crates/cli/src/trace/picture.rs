//! A recording as pictures: what it began with, then for each pass what that read beside what it wrote.
//!
//! All pictures of a recording are of one size, with cells of one size in the same places, so that they can be leafed
//! through and shown as a film.

mod arrangement;
mod arrows;
mod frame;
mod panel;
mod scales;

use image::RgbImage;

use rasterscan::trace::Recording;
use rasterscan_app::colour::Palette;

use arrangement::{Arrangement, HEAD};
use arrows::Way;
use frame::Frame;
use panel::Panel;
use rasterscan_lab::report::chart::colour::{GREY, GRID, INK};
use rasterscan_lab::report::chart::drawing::{Drawing, LINE, Place, Stroke, Write};
use rasterscan_lab::report::chart::font;
use rasterscan_lab::report::chart::png::Canvas;
use scales::Scales;

/// Free on all sides, in pixels as everything here.
const MARGIN: f64 = 24.0;
const TITLE: f64 = 22.0;
const TEXT: f64 = 13.0;
/// The least size of a title that is too long for a line.
const SMALL_TITLE: f64 = 15.0;
/// The least width: what a title needs.
const LEAST: f64 = 880.0;
/// Widths to try until values can be read, and the height beside them.
const SIZES: [(f64, f64); 3] = [(940.0, 1100.0), (1280.0, 1200.0), (1640.0, 1400.0)];
/// Where they never can.
const UNREADABLE: (f64, f64) = (1280.0, 1280.0);
/// What no picture exceeds.
const MOST: (f64, f64) = (2000.0, 2000.0);
/// The largest cell.
const LARGEST: u32 = 72;

/// All pictures of a recording.
pub struct Pictures<'a> {
    frames: Vec<Frame<'a>>,
    scales: Scales,
    arrangement: Arrangement,
    /// Size of the titles.
    title: f64,
    width: f64,
    height: f64,
    /// Where the panels begin, and where the text below them does.
    top: f64,
    bottom: f64,
}

impl<'a> Pictures<'a> {
    pub fn new(recording: &'a Recording, palette: Palette) -> Pictures<'a> {
        let frames: Vec<Frame> = (0..=recording.passes.len()).map(|n| Frame::new(recording, n)).collect();
        let scales = Scales::new(recording, palette);
        let arrangement = Arrangement::new(&frames, Way::Beside, 1);
        let (title, width, height, top, bottom) = (TITLE, LEAST, 0.0, 0.0, 0.0);
        let mut pictures = Pictures { frames, scales, arrangement, title, width, height, top, bottom };
        let wanted = pictures.wanted_cell();
        let readable = SIZES.into_iter().map(|size| pictures.largest(size)).find(|best| best.cell >= wanted);
        let least = || Some(pictures.largest(UNREADABLE)).filter(|best| pictures.fits(best, UNREADABLE));
        pictures.arrangement = readable.or_else(least).unwrap_or_else(|| pictures.largest(MOST));
        let arrangement = &pictures.arrangement;
        let width = pictures.width_of(arrangement);
        (pictures.title, pictures.top) = (pictures.title_size(width), pictures.above(width).ceil());
        pictures.bottom = pictures.top + pictures.arrangement.height.ceil();
        pictures.height = (pictures.bottom + pictures.below(width)).ceil().min(MOST.1);
        pictures.width = width.ceil().min(MOST.0);
        pictures
    }

    /// The inputs, and one for each pass.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    fn panels(&self) -> impl Iterator<Item = &Panel<'a>> {
        self.frames.iter().flat_map(|frame| frame.sources.iter().chain(&frame.targets))
    }

    /// The smallest cell in which all values can be read.
    fn wanted_cell(&self) -> u32 {
        let widest = self.panels().map(|panel| panel.widest_text(10.0)).fold(0.0, f64::max);
        (widest.ceil() as u32 + 8).clamp(22, 64)
    }

    /// The way in which cells can be the largest, with these cells. One above the other only where that is worth it.
    fn largest(&self, size: (f64, f64)) -> Arrangement {
        let largest = |way: Way| {
            let mut all = (1..=LARGEST).rev().map(|cell| Arrangement::new(&self.frames, way, cell));
            all.find(|arrangement| self.fits(arrangement, size))
        };
        let smallest = || Arrangement::new(&self.frames, Way::Beside, 1);
        let (beside, above) = (largest(Way::Beside).unwrap_or_else(smallest), largest(Way::Above));
        above.filter(|above| above.cell * 4 > beside.cell * 5).unwrap_or(beside)
    }

    fn fits(&self, arrangement: &Arrangement, size: (f64, f64)) -> bool {
        let width = self.width_of(arrangement);
        width <= size.0 && self.above(width) + arrangement.height + self.below(width) <= size.1
    }

    fn width_of(&self, arrangement: &Arrangement) -> f64 {
        (2.0 * MARGIN + arrangement.width).max(LEAST)
    }

    /// All titles in one line, if they can be.
    fn title_size(&self, width: f64) -> f64 {
        let widest = self.frames.iter().map(|frame| font::width(&frame.title, TITLE)).fold(1.0, f64::max);
        (TITLE * (width - 2.0 * MARGIN) / widest * 0.995).clamp(SMALL_TITLE, TITLE)
    }

    /// The title, its lines and what is free below them.
    fn above(&self, width: f64) -> f64 {
        let title = self.title_size(width);
        let lines = |frame: &Frame| {
            let rows = wrapped(&frame.subtitle, TEXT, width) * TEXT * LINE;
            wrapped(&frame.title, title, width) * title * LINE + rows
        };
        MARGIN + self.frames.iter().map(lines).fold(0.0, f64::max) + 16.0
    }

    fn below(&self, width: f64) -> f64 {
        let bar = self.scales.bar_width() + SPACE;
        let lines = |frame: &Frame| {
            frame.footer.iter().map(|line| wrapped(line, TEXT, width - bar)).sum::<f64>() * TEXT * LINE
        };
        20.0 + self.frames.iter().map(lines).fold(TEXT * LINE * 2.0, f64::max) + MARGIN
    }

    /// Paints one of them.
    pub fn paint(&self, number: usize) -> anyhow::Result<RgbImage> {
        let frame = &self.frames[number];
        let mut canvas = Canvas::new(self.width as u32, self.height as u32, 1.0)?;
        let corner = (MARGIN, self.top);
        let cell = self.arrangement.cell;
        let (sources, targets) = self.arrangement.places(frame, corner, self.width - 2.0 * MARGIN);
        let all = || frame.sources.iter().zip(&sources).chain(frame.targets.iter().zip(&targets));
        for (panel, at) in all() {
            panel.fill(*at, cell, &self.scales, &mut canvas);
        }
        let mut drawing = Drawing::default();
        for (panel, at) in all() {
            panel.mark(*at, cell, &mut drawing);
        }
        for arrow in &frame.arrows {
            let source = frame.sources.iter().zip(&sources).find(|(panel, _)| panel.is_source(arrow.from.of));
            let target = frame.targets.get(arrow.to.of as usize).zip(targets.get(arrow.to.of as usize));
            if let (Some((source, from)), Some((target, to))) = (source, target) {
                let way = self.arrangement.way;
                let from = source.port(arrow.from.index, *from, cell, way);
                let to = target.port(arrow.to.index, *to, cell, way);
                arrows::draw(way, &from, &to, arrow.own, &mut drawing);
            }
        }
        for (panel, at) in frame.targets.iter().zip(&targets) {
            panel.lines(*at, cell, &mut drawing);
        }
        for (panel, at) in all() {
            panel.write(*at, cell, &self.scales, frame.arrows.is_empty(), &mut drawing);
        }
        self.write(frame, (&sources, &targets), &mut drawing);
        for shape in &drawing.shapes {
            canvas.draw(shape);
        }
        self.scales.bar((self.width - MARGIN, self.bottom + 24.0), &mut canvas);
        Ok(canvas.into_rgb()?)
    }

    /// All text but that of the panels.
    fn write(&self, frame: &Frame, (sources, targets): (&[Place], &[Place]), drawing: &mut Drawing) {
        let mut base = MARGIN;
        let title = self.title;
        for line in font::wrap(&frame.title, title, self.width - 2.0 * MARGIN) {
            base += title * LINE;
            drawing.text((MARGIN, base - title * 0.4), &line, &Write { size: title, ..Write::left(INK) });
        }
        for line in font::wrap(&frame.subtitle, TEXT, self.width - 2.0 * MARGIN) {
            base += TEXT * LINE;
            drawing.text((MARGIN, base - TEXT * 0.4), &line, &Write { size: TEXT, ..Write::left(GREY) });
        }
        let head = Write { size: TEXT, halo: true, ..Write::left(GREY) };
        for (panels, text) in [(sources, frame.heads.0), (targets, frame.heads.1)] {
            let Some((left, top)) = panels.first() else { continue };
            let base = top - HEAD + TEXT;
            drawing.text((*left, base), text, &head);
            let right = left + font::width(text, TEXT);
            drawing.line(vec![(*left, base + 6.0), (right, base + 6.0)], Stroke::whole(GREY, 1.0));
        }
        let rule = self.bottom + 8.0;
        drawing.line(vec![(MARGIN, rule), (self.width - MARGIN, rule)], Stroke::whole(GRID, 1.0));
        let mut base = self.bottom + 20.0;
        let bar = self.scales.bar_width() + SPACE;
        for (number, text) in frame.footer.iter().enumerate() {
            let colour = if number == 0 { INK } else { GREY };
            for line in font::wrap(text, TEXT, self.width - 2.0 * MARGIN - bar) {
                base += TEXT * LINE;
                drawing.text(
                    (MARGIN, base - TEXT * 0.3),
                    &line,
                    &Write { size: TEXT, ..Write::left(colour) },
                );
            }
        }
    }
}

/// Between the text below and the bar of colours.
const SPACE: f64 = 16.0;

/// How many lines a text takes.
fn wrapped(text: &str, size: f64, width: f64) -> f64 {
    font::wrap(text, size, width - 2.0 * MARGIN).len() as f64
}
