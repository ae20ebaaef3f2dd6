//! The steps of a run, told to its caller while it measures.

use std::fmt::Display;
use std::time::Duration;

/// A step of a run.
pub enum Progress<'a> {
    /// A cell begins, `number` of `of`, counted from 0.
    Begins {
        /// Cells before it.
        number: usize,
        /// All cells.
        of: usize,
        /// The cell, for people.
        cell: &'a dyn Display,
    },
    /// A cell is measured.
    Measured {
        /// The cell, for people.
        cell: &'a dyn Display,
        /// The wall time that it took.
        took: Duration,
        /// Its share of the time.
        share: Duration,
    },
    /// Something that people should know at once.
    Note(String),
}

/// A caller that hears of every step.
pub type Listener<'a> = &'a mut dyn FnMut(Progress<'_>);
