//! A stream as its texture: rows and columns of texels, coloured by value. Row 0 is at the top.

use rasterscan::Numbers;
use rasterscan::plan::{Layout, Storage};
use rasterscan_app::colour;

use super::arrows::{Port, Way};
use super::scales::Scales;
use rasterscan_lab::report::chart::colour::{Colour, GREY, INK, PAPER};
use rasterscan_lab::report::chart::drawing::{Drawing, Paint, Place, Stroke, Write};
use rasterscan_lab::report::chart::font;
use rasterscan_lab::report::chart::png::Canvas;

/// Around what the pass changed.
pub const CHANGED: Colour = Colour(0xE0, 0x3C, 0x00);
/// Texels of a texture that hold no item.
const PADDING: Colour = Colour(0xE9, 0xEB, 0xEE);
/// The name and the shape above the texels.
const LABEL: f64 = 42.0;
const NAME: f64 = 14.0;
const SHAPE: f64 = 12.0;
/// Numbers of rows, to the left of them.
const ROW: f64 = 10.0;
/// Cells from which on there is room for numbers of rows, and for outlines.
const ROOMY: u32 = 20;
const OUTLINED: u32 = 9;
/// The smallest and the largest text in a cell.
const VALUE: (f64, f64) = (8.5, 15.0);
/// Elements side by side, and rows, beyond which a stream is shown in more rows, and then not whole.
const MOST_COLUMNS: u64 = 512;
const MOST_ROWS: u64 = 512;

/// Elements of which all can be read.
const MOST_READ: usize = 1 << 13;

/// What a pass did to an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Plain,
    Changed,
    /// The pass did not write it.
    Left,
}

/// A stream before or after a pass.
pub struct Panel<'a> {
    /// Which of the pass's sources it is.
    pub sources: Vec<u32>,
    pub name: String,
    /// What stands below the name: the shape, and what happened.
    pub shape: String,
    pub values: &'a Numbers,
    pub layout: Layout,
    /// Of each element; none where there is nothing to say.
    pub states: Vec<State>,
    /// Elements from here on are of no account: they stand behind the last one that is kept.
    pub end: Option<u64>,
    /// Lines that the pass drew, from end to end, in texels.
    pub lines: Vec<[[f32; 2]; 2]>,
}

/// Texels in a row, rows, and elements in a texel.
struct Grid {
    columns: u64,
    rows: u64,
    per: u64,
}

impl Panel<'_> {
    fn grid(&self) -> Grid {
        let Layout { storage, arity, items_per_texel, .. } = self.layout;
        let (per, texels) = (u64::from(arity * items_per_texel), self.layout.texels());
        let most = (MOST_COLUMNS / per).max(1);
        let columns = match storage {
            Storage::Texture => u64::from(self.layout.region().width),
            // About twice as wide as high.
            Storage::Buffer => {
                (1..).map(|log2| 1 << log2).find(|c| c * c >= 2 * texels).unwrap_or(most).min(texels)
            }
        };
        let columns = columns.min(most);
        Grid { columns, rows: texels.div_ceil(columns.max(1)).min(MOST_ROWS), per }
    }

    pub fn is_source(&self, of: u32) -> bool {
        self.sources.contains(&of)
    }

    /// Of the numbers of rows, with what is free beside them.
    fn rows_width(&self, grid: &Grid, cell: u32) -> f64 {
        if cell < ROOMY || grid.rows < 2 {
            return 0.0;
        }
        font::width(&((grid.rows - 1) * grid.columns * grid.per).to_string(), ROW) + 6.0
    }

    pub fn width(&self, cell: u32) -> f64 {
        let grid = self.grid();
        let texels = self.rows_width(&grid, cell) + (grid.columns * grid.per) as f64 * f64::from(cell);
        texels.max(font::width(&self.name, NAME)).max(font::width(&self.shape, SHAPE))
    }

    pub fn height(&self, cell: u32) -> f64 {
        LABEL + self.grid().rows as f64 * f64::from(cell)
    }

    /// The widest value in this size; too wide for any cell where there are too many to be read anyway.
    pub fn widest_text(&self, size: f64) -> f64 {
        if self.values.len() > MOST_READ {
            return f64::from(u16::MAX);
        }
        (0..self.values.len()).map(|element| font::width(&self.text(element), size)).fold(0.0, f64::max)
    }

    /// A value as it stands in a cell: floats in a few digits where they are long.
    fn text(&self, element: usize) -> String {
        let exact = self.values.decimal(element);
        match self.values.to_f64(element) {
            Some(value) if self.values.element().is_float() && value.is_finite() && exact.len() > 6 => {
                let size = value.abs();
                if size == 0.0 || (1e-2..1e5).contains(&size) {
                    format!("{value:.2}")
                } else {
                    format!("{value:.1e}")
                }
            }
            _ => exact,
        }
    }

    /// The corner of the first texel. Whole pixels: cells are blocks of them.
    fn corner(&self, grid: &Grid, (left, top): Place, cell: u32) -> (u32, u32) {
        ((left + self.rows_width(grid, cell)).round() as u32, (top + LABEL).round() as u32)
    }

    /// Left, top, width and height of an element's block, and of which element; `None` for what is not shown.
    fn cells(&self, at: Place, cell: u32) -> impl Iterator<Item = (usize, [u32; 4])> {
        let grid = self.grid();
        let (left, top) = self.corner(&grid, at, cell);
        // Between texels, and between the elements of one.
        let (outer, inner) = match cell {
            0..8 => (0, 0),
            8..28 => (1, u32::from(grid.per > 1)),
            _ => (if grid.per > 1 { 4 } else { 2 }, 1),
        };
        let outer = if grid.per == 1 { outer.min(2) } else { outer };
        let Grid { columns, rows, per } = grid;
        (0..rows * columns * per).map(move |element| {
            let (texel, within) = (element / per, element % per);
            let x = left + ((texel % columns) * per + within) as u32 * cell;
            let y = top + (texel / columns) as u32 * cell;
            let free = if within + 1 == per { outer } else { inner };
            (element as usize, [x, y, cell - free, cell - outer.min(cell - 1)])
        })
    }

    fn state(&self, element: usize) -> State {
        self.states.get(element).copied().unwrap_or(State::Plain)
    }

    /// Paints the cells.
    pub fn fill(&self, at: Place, cell: u32, scales: &Scales, canvas: &mut Canvas) {
        for (element, [left, top, width, height]) in self.cells(at, cell) {
            let colour = match (scales.colour(self.values, element), self.state(element)) {
                (Some(colour), _) if self.end.is_some_and(|end| element as u64 >= end) => {
                    faint(faint(colour))
                }
                (Some(colour), State::Left) if cell < OUTLINED => faint(colour),
                (Some(colour), _) => colour,
                (None, _) => PADDING,
            };
            canvas.block(left, top, width, height, colour);
        }
    }

    /// Marks what the pass changed, and what it left.
    pub fn mark(&self, at: Place, cell: u32, drawing: &mut Drawing) {
        if cell < OUTLINED || self.states.is_empty() {
            return;
        }
        for (element, [left, top, width, height]) in self.cells(at, cell) {
            let [x, y, width, height] = [left, top, width, height].map(f64::from);
            match self.state(element) {
                State::Changed if element < self.values.len() => {
                    let thick = if cell < 28 { 1.0 } else { 2.5 };
                    let inset = thick / 2.0;
                    let (from, to) = ((x + inset, y + inset), (x + width - inset, y + height - inset));
                    drawing.rectangle(from, to, Stroke::whole(CHANGED, thick).into());
                }
                State::Left => {
                    let steps = (cell / 9).max(2);
                    for step in (1..2 * steps).map(|step| f64::from(step) / f64::from(steps)) {
                        // From the left or the lower edge to the upper or the right one.
                        let (near, far) = (step.min(1.0), (step - 1.0).max(0.0));
                        let from = (x + far * width, y + near * height);
                        let to = (x + near * width, y + far * height);
                        drawing.line(vec![from, to], Stroke::whole(PAPER, 1.0));
                    }
                }
                _ => {}
            }
        }
    }

    /// The lines that the pass drew, below the values.
    pub fn lines(&self, at: Place, cell: u32, drawing: &mut Drawing) {
        let grid = self.grid();
        let (left, top) = self.corner(&grid, at, cell);
        let side = f64::from(cell);
        let down = if cell < OUTLINED { 0.0 } else { side * 0.36 };
        // What lies outside was not drawn.
        let place = |[x, y]: [f32; 2]| {
            let (x, y) =
                (f64::from(x).clamp(0.0, grid.columns as f64), f64::from(y).clamp(0.0, grid.rows as f64));
            (f64::from(left) + x * side * grid.per as f64, f64::from(top) + y * side + down)
        };
        for [from, to] in self.lines.iter().map(|line| line.map(place)) {
            drawing.line(vec![from, to], Stroke::whole(PAPER, 4.0));
            drawing.line(vec![from, to], Stroke::whole(CHANGED, 2.0));
            drawing.circle(from, 2.5, Paint::from(CHANGED));
        }
    }

    /// Writes the values, and what stands above and beside them. `clear`: nothing but marks is under them.
    pub fn write(&self, at: Place, cell: u32, scales: &Scales, clear: bool, drawing: &mut Drawing) {
        let (left, top) = at;
        // Arrows may come from a panel above.
        let halo = !clear;
        drawing.text((left, top + 13.0), &self.name, &Write { size: NAME, halo, ..Write::left(INK) });
        drawing.text((left, top + 30.0), &self.shape, &Write { size: SHAPE, halo, ..Write::left(GREY) });
        let grid = self.grid();
        if self.rows_width(&grid, cell) > 0.0 {
            let (x, y) = self.corner(&grid, at, cell);
            for row in 0..grid.rows {
                let middle = f64::from(y) + (row as f64 + 0.5) * f64::from(cell);
                let text = (row * grid.columns * grid.per).to_string();
                let write = Write { size: ROW, halo, ..Write::right(GREY) };
                drawing.block((f64::from(x) - 5.0, middle - 1.0), &[text], &write);
            }
        }
        if cell < OUTLINED {
            return;
        }
        let size = self.text_size(cell);
        let fit = (0..self.values.len())
            .filter(|element| font::width(&self.text(*element), size) <= f64::from(cell) - 4.0);
        if 2 * fit.count() < self.values.len() {
            return;
        }
        for (element, [left, top, width, height]) in self.cells(at, cell) {
            let [x, y, width, height] = [left, top, width, height].map(f64::from);
            let Some(under) = scales.colour(self.values, element) else { continue };
            let over = self.end.is_some_and(|end| element as u64 >= end);
            let under = if over { faint(faint(under)) } else { under };
            let text = self.text(element);
            let long = font::width(&text, size);
            if long > width - 3.0 {
                continue;
            }
            let middle = (x + width / 2.0, y + height / 2.0);
            if !clear || self.state(element) == State::Left {
                // A plate over hatches, and over arrows.
                let (half, reach) =
                    ((long / 2.0 + 2.0).min(width / 2.0 - 2.0), (size * 0.62).min(height / 2.0 - 2.0));
                let (from, to) = ((middle.0 - half, middle.1 - reach), (middle.0 + half, middle.1 + reach));
                drawing.rectangle(from, to, Paint::from(under));
            }
            let [red, green, blue] = colour::text_on([under.0, under.1, under.2]);
            let write = Write { size, ..Write::centre(Colour(red, green, blue)) };
            drawing.block(middle, &[text], &write);
        }
    }

    /// The size at which most values fit; those that are longer are left out.
    fn text_size(&self, cell: u32) -> f64 {
        let room = f64::from(cell) - 7.0;
        let widest = self.widest_text(1.0).max(0.1);
        (room / widest).min(f64::from(cell) * 0.42).min(VALUE.1).max(VALUE.0)
    }

    /// Where arrows of a texel leave it and come to it: beside the text, and each column or row on a line of its own.
    pub fn port(&self, texel: u32, at: Place, cell: u32, way: Way) -> Port {
        let grid = self.grid();
        let (left, top) = self.corner(&grid, at, cell);
        let (left, top, side) = (f64::from(left), f64::from(top), f64::from(cell));
        let columns = grid.columns.max(1);
        let (column, row) = (u64::from(texel) % columns, u64::from(texel) / columns);
        let width = side * grid.per as f64;
        let (x, y) = (left + column as f64 * width, top + row as f64 * side);
        match way {
            Way::Beside => {
                let y = y + side / 2.0 - 1.0
                    + lane(column, columns, self.text_size(cell) * 0.62 + 2.0, side / 2.0 - 4.0);
                let right = left + columns as f64 * width;
                let inset = (side * 0.14).max(3.0);
                Port { out: (x + width - inset, y), into: (x + inset, y), last: (right, y), first: (left, y) }
            }
            Way::Above => {
                let x = x + width / 2.0 - 1.0 + lane(row, grid.rows, width * 0.25, width / 2.0 - 3.0);
                let bottom = top + grid.rows as f64 * side;
                let inset = if cell >= 28 { 4.0 } else { 1.0 };
                Port { out: (x, y + side - inset), into: (x, y + inset), last: (x, bottom), first: (x, top) }
            }
        }
    }
}

/// How far from the middle a line runs that is one of so many: on both sides of what is next to the middle. One alone
/// runs there.
fn lane(number: u64, all: u64, near: f64, far: f64) -> f64 {
    if all < 2 || far <= near {
        return 0.0;
    }
    let half = all.div_ceil(2);
    let along = |number: u64| near + (far - near) * (number as f64 + 0.5) / half as f64;
    if number < half { -along(half - 1 - number) } else { along(number - half) }
}

/// Half way to paper.
fn faint(colour: Colour) -> Colour {
    let half = |a: u8, b: u8| (u16::from(a) + u16::from(b)).div_ceil(2) as u8;
    Colour(half(colour.0, PAPER.0), half(colour.1, PAPER.1), half(colour.2, PAPER.2))
}
