//! Figures as plain data.

use crate::table::distinct;
use rasterscan_drawing::chart::Sheet;

pub use rasterscan_drawing::chart::{Axis, Lines, Mark, Point, Role, Scale, Series};

/// Width of all figures.
pub(super) const WIDTH: f64 = 960.0;
/// Free space on all sides.
pub(super) const MARGIN: f64 = 16.0;
/// The part of a figure that panels take.
pub(super) const SHEET: Sheet = Sheet::page((MARGIN, WIDTH - MARGIN));

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

impl Bars {
    /// The names of all segments, each once.
    pub(crate) fn segments(&self) -> Vec<&str> {
        distinct(self.bars.iter().flat_map(|bar| &bar.segments).map(|segment| segment.name.as_str()))
    }
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
