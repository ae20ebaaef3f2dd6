//! Figures as plain data.

/// Panels, one below the other, under a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub title: String,
    /// What a screen reader says.
    pub description: String,
    pub panels: Vec<Panel>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Panel {
    Lines(Lines),
    Bars(Bars),
}

/// Lines, each named at its right end.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub marks: Vec<Mark>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// With the unit after a comma: "time, ms".
    pub label: String,
    pub scale: Scale,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    LinearFromZero,
    Log2,
    Log10,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<Point>,
    pub role: Role,
}

/// A point, and the spread of what was measured there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub low: f64,
    pub high: f64,
}

impl Point {
    /// Without a spread.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, low: y, high: y }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Data,
    /// What nothing can pass, such as a copy: broad, grey, without marks.
    Limit,
    /// A paper's own numbers: dashed, with hollow marks, in the colour of the data of the same name without " (paper)".
    Paper,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    Vertical { at: f64, label: String },
    Horizontal { at: f64, label: String },
}

/// Horizontal bars, stacked from segments.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    pub title: String,
    pub axis: Axis,
    pub bars: Vec<Bar>,
    /// Values at which a line goes through all bars, with their names.
    pub marks: Vec<(f64, String)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub name: String,
    pub segments: Vec<Segment>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    pub name: String,
    pub value: f64,
}
