//! Figures as plain data.

pub use rasterscan_drawing::chart::{Axis, Lines, Mark, Point, Role, Scale, Series};

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
