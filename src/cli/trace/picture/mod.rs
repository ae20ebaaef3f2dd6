//! A recording as pictures: what it began with, then for each pass what that read beside what it wrote.
//!
//! All pictures of a recording are of one size, with cells of one size in the same places, so that they can be leafed
//! through and shown as a film.

mod arrows;
mod frame;
mod panel;
mod scales;

use image::RgbImage;

use rasterscan::trace::Recording;
use rasterscan::trace::colour::Palette;

use crate::report::chart::drawing::{Drawing, LINE, Place, Stroke, Write};
use crate::report::chart::font;
use crate::report::chart::looks::{GREY, GRID, INK};
use crate::report::chart::png::Canvas;
use frame::Frame;
use panel::Panel;
use scales::Scales;

/// Free on all sides, in pixels as everything here.
const MARGIN: f64 = 24.0;
const TITLE: f64 = 22.0;
const TEXT: f64 = 13.0;
/// Between two panels, one above the other.
const BETWEEN: f64 = 22.0;
/// Between what is read and what is written, where there are arrows: the least and the most.
const GAP: (f64, f64) = (72.0, 150.0);
/// The least width: what a title needs.
const LEAST: f64 = 760.0;
/// Widths to try until values can be read, and the height beside them; the last one stays where they never can.
const SIZES: [(f64, f64); 4] = [(940.0, 1100.0), (1280.0, 1200.0), (1640.0, 1400.0), (1280.0, 1280.0)];
/// What no picture exceeds.
const MOST: (f64, f64) = (2000.0, 2000.0);
/// The largest cell.
const LARGEST: u32 = 72;

/// All pictures of a recording.
pub struct Pictures<'a> {
    frames: Vec<Frame<'a>>,
    scales: Scales,
    /// The side of an element's square.
    cell: u32,
    /// Of the column of what is read.
    left: f64,
    gap: f64,
    width: f64,
    height: f64,
    /// Where the columns begin, and where the text below them does.
    top: f64,
    bottom: f64,
}

impl<'a> Pictures<'a> {
    pub fn new(recording: &'a Recording, palette: Palette) -> Pictures<'a> {
        let frames: Vec<Frame> = (0..=recording.passes.len()).map(|n| Frame::new(recording, n)).collect();
        let scales = Scales::new(recording, palette);
        let mut pictures = Pictures {
            frames,
            scales,
            cell: 1,
            left: 0.0,
            gap: GAP.0,
            width: LEAST,
            height: 0.0,
            top: 0.0,
            bottom: 0.0,
        };
        let wanted = pictures.wanted_cell();
        for size in SIZES.into_iter().chain([MOST]) {
            pictures.cell = pictures.largest_cell(size);
            if pictures.cell >= wanted {
                break;
            }
            // What cannot be read in the largest shall not be large.
            if size == SIZES[SIZES.len() - 1] && pictures.fits(size) {
                break;
            }
        }
        pictures.arrange();
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

    fn largest_cell(&self, size: (f64, f64)) -> u32 {
        let fits = |cell: &u32| {
            let (width, height) = self.needs(*cell);
            width <= size.0 && height <= size.1
        };
        (1..=LARGEST).rev().find(fits).unwrap_or(1)
    }

    fn fits(&self, size: (f64, f64)) -> bool {
        let (width, height) = self.needs(self.cell);
        width <= size.0 && height <= size.1
    }

    /// The widest column of either side.
    fn columns(&self, cell: u32) -> (f64, f64) {
        let widest = |panels: &[Panel]| panels.iter().map(|panel| panel.width(cell)).fold(0.0, f64::max);
        let left = self.frames.iter().map(|frame| widest(&frame.sources)).fold(0.0, f64::max);
        let right = self.frames.iter().map(|frame| widest(&frame.targets)).fold(0.0, f64::max);
        (left, right)
    }

    /// The height of the higher column.
    fn body(&self, cell: u32) -> f64 {
        let stack = |panels: &[Panel]| {
            let heights: f64 = panels.iter().map(|panel| panel.height(cell)).sum();
            heights + BETWEEN * panels.len().saturating_sub(1) as f64
        };
        let higher = |frame: &Frame| stack(&frame.sources).max(stack(&frame.targets));
        HEAD + self.frames.iter().map(higher).fold(0.0, f64::max)
    }

    fn needs(&self, cell: u32) -> (f64, f64) {
        let (left, right) = self.columns(cell);
        let width = (2.0 * MARGIN + left + GAP.0 + right).max(LEAST);
        (width, self.above(width) + self.body(cell) + self.below(width))
    }

    /// The title, its lines and what is free below them.
    fn above(&self, width: f64) -> f64 {
        let lines = |frame: &Frame| {
            wrapped(&frame.title, TITLE, width) * TITLE * LINE
                + wrapped(&frame.subtitle, TEXT, width) * TEXT * LINE
        };
        MARGIN + self.frames.iter().map(lines).fold(0.0, f64::max) + 16.0
    }

    fn below(&self, width: f64) -> f64 {
        let lines = |frame: &Frame| {
            frame.footer.iter().map(|line| wrapped(line, TEXT, width - BAR)).sum::<f64>() * TEXT * LINE
        };
        20.0 + self.frames.iter().map(lines).fold(TEXT * LINE * 2.0, f64::max) + MARGIN
    }

    /// Settles all places, now that the cell is known.
    fn arrange(&mut self) {
        let (left, right) = self.columns(self.cell);
        let width = (2.0 * MARGIN + left + GAP.0 + right).max(LEAST).ceil();
        self.gap = (width - 2.0 * MARGIN - left - right).clamp(GAP.0, GAP.1);
        (self.left, self.width) = (left, width.min(MOST.0));
        self.top = self.above(width).ceil();
        self.bottom = self.top + self.body(self.cell).ceil();
        self.height = (self.bottom + self.below(width)).ceil().min(MOST.1);
    }

    /// Paints one of them.
    pub fn paint(&self, number: usize) -> anyhow::Result<RgbImage> {
        let frame = &self.frames[number];
        let mut canvas = Canvas::new(self.width as u32, self.height as u32, 1.0)?;
        let sources = self.places(&frame.sources, MARGIN);
        let targets = self.places(&frame.targets, MARGIN + self.left + self.gap);
        let all = || frame.sources.iter().zip(&sources).chain(frame.targets.iter().zip(&targets));
        for (panel, at) in all() {
            panel.fill(*at, self.cell, &self.scales, &mut canvas);
        }
        let mut drawing = Drawing::default();
        for arrow in &frame.arrows {
            let from = frame.sources.iter().zip(&sources).find(|(panel, _)| panel.is_source(arrow.from.of));
            let to = frame.targets.get(arrow.to.of as usize).zip(targets.get(arrow.to.of as usize));
            if let (Some((source, from)), Some((target, to))) = (from, to) {
                let from = source.right_of(arrow.from.index, *from, self.cell);
                let to = target.left_of(arrow.to.index, *to, self.cell);
                arrows::draw(from, to, &mut drawing);
            }
        }
        for (panel, at) in all() {
            panel.write(*at, self.cell, &self.scales, &mut drawing);
        }
        self.write(frame, (&sources, &targets), &mut drawing);
        for shape in &drawing.shapes {
            canvas.draw(shape);
        }
        self.scales.bar((self.width - MARGIN, self.bottom + 24.0), &mut canvas);
        canvas.into_rgb()
    }

    /// Where the panels of a column stand.
    fn places(&self, panels: &[Panel], left: f64) -> Vec<Place> {
        let mut top = self.top + HEAD;
        let place = |panel: &Panel| {
            let at = (left, top);
            top += panel.height(self.cell) + BETWEEN;
            at
        };
        panels.iter().map(place).collect()
    }

    /// All text but that of the panels.
    fn write(&self, frame: &Frame, (sources, targets): (&[Place], &[Place]), drawing: &mut Drawing) {
        let mut base = MARGIN;
        for line in font::wrap(&frame.title, TITLE, self.width - 2.0 * MARGIN) {
            base += TITLE * LINE;
            drawing.text((MARGIN, base - TITLE * 0.4), &line, &Write { size: TITLE, ..Write::left(INK) });
        }
        for line in font::wrap(&frame.subtitle, TEXT, self.width - 2.0 * MARGIN) {
            base += TEXT * LINE;
            drawing.text((MARGIN, base - TEXT * 0.4), &line, &Write { size: TEXT, ..Write::left(GREY) });
        }
        let head = Write { size: TEXT, ..Write::left(GREY) };
        let columns =
            [(sources, frame.heads.0, MARGIN), (targets, frame.heads.1, MARGIN + self.left + self.gap)];
        for (panels, text, left) in columns {
            if !panels.is_empty() {
                drawing.text((left, self.top + TEXT), text, &head);
                let y = self.top + TEXT + 6.0;
                let right = left + font::width(text, TEXT);
                drawing.line(vec![(left, y), (right, y)], Stroke::whole(GREY, 1.0));
            }
        }
        let rule = self.bottom + 8.0;
        drawing.line(vec![(MARGIN, rule), (self.width - MARGIN, rule)], Stroke::whole(GRID, 1.0));
        let mut base = self.bottom + 20.0;
        for (number, text) in frame.footer.iter().enumerate() {
            let colour = if number == 0 { INK } else { GREY };
            for line in font::wrap(text, TEXT, self.width - 2.0 * MARGIN - BAR) {
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

/// The head of a column, with what is free below it.
const HEAD: f64 = 34.0;

/// What the bar of colours takes of the width.
const BAR: f64 = 280.0;

/// How many lines a text takes.
fn wrapped(text: &str, size: f64, width: f64) -> f64 {
    font::wrap(text, size, width - 2.0 * MARGIN).len() as f64
}
