//! Figures as plain data.

pub use rasterscan_drawing::ruler::Scale;

/// Panels, one below the other, under a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The title above all panels.
    pub title: String,
    /// The text for screen readers.
    pub description: String,
    /// The panels, from the top.
    pub panels: Vec<Panel>,
}

/// A chart with axes of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum Panel {
    /// Lines over an x axis.
    Lines(Lines),
    /// Horizontal bars.
    Bars(Bars),
}

/// Lines, each named at its right end.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    /// The title; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines, each with its name.
    pub series: Vec<Series>,
    /// Lines across the whole panel.
    pub marks: Vec<Mark>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The label, with the unit after a comma: "time, ms".
    pub label: String,
    /// The scale.
    pub scale: Scale,
}

/// A line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name, at its right end.
    pub name: String,
    /// Its points, by x.
    pub points: Vec<Point>,
    /// Its meaning.
    pub role: Role,
}

/// A point, and the spread of what was measured there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The position along the x axis.
    pub x: f64,
    /// The median.
    pub y: f64,
    /// The lower bound of the median.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Point {
    /// A point without a spread.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, low: y, high: y }
    }
}

/// The meaning of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Measured, or computed.
    Data,
    /// A limit that nothing can pass, such as a copy: broad, grey, without marks.
    Limit,
    /// A paper's own numbers: dashed, with hollow marks, in the colour of the data of the same name without " (paper)".
    Paper,
}

/// A line across a panel, with its name.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A line at an x.
    Vertical {
        /// The x.
        at: f64,
        /// Its name.
        label: String,
    },
    /// A line at a y.
    Horizontal {
        /// The y.
        at: f64,
        /// Its name.
        label: String,
    },
}

/// Horizontal bars, stacked from segments.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// The title; may be empty.
    pub title: String,
    /// The axis of the lengths.
    pub axis: Axis,
    /// The bars, from the top.
    pub bars: Vec<Bar>,
    /// Values at which a line goes through all bars, with their names.
    pub marks: Vec<(f64, String)>,
}

/// A bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Its name, at its left.
    pub name: String,
    /// Its parts, from the left.
    pub segments: Vec<Segment>,
}

/// A part of a bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// Its name, in the legend.
    pub name: String,
    /// Its length, in units of the axis.
    pub value: f64,
}
