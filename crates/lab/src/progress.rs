//! The steps of a run, reported to its caller while it measures.

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
    /// A note to print at once.
    Note(String),
}

/// The caller's callback, which receives every step.
pub type Listener<'a> = &'a mut dyn FnMut(Progress<'_>);
