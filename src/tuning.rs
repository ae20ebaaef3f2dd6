//! The tuned values of a device, as plain data: for ranges of problem sizes, the fastest algorithm, the width of
//! textures, and the values of parameters that an algorithm is free to choose.
//!
//! A [`Device`](crate::Device) carries its [`Tuning`]. Three choices ask it: which algorithm `auto` is
//! (`registry::auto`), how many columns a texture has (`Layout::fit`), and parameters that are `auto`. Where it says
//! nothing, or something that the device or the request does not allow, the built-in default stays, so that there is
//! always a plan. The caller's choice comes before all of this. A parameter is tuned only if the other parameters are
//! left open too, because it was measured with the others at their defaults.
//!
//! All plans for a device lay out a given number of items in the same way, tuned or not: the columns depend on the
//! number of items and not on the element or the algorithm, except that a row has whole blocks. A `Gpu` takes its
//! tuning before it is shared, and no other one later. So streams of one plan remain valid inputs of the next.
//!
//! The tuner of `rasterscan-lab` measures these values, and the program keeps them in the user's cache folder.

pub(crate) mod table;

use std::fmt;

/// The measurements of a device. Empty by default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tuning {
    /// In any order. If two apply, the later one decides.
    pub ranges: Vec<Tuned>,
}

/// The fastest choice in a range of problem sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuned {
    /// The choice that was measured.
    pub subject: Subject,
    /// The shape of scans that it applies to; for compactions and columns [`Shape::PLAIN`].
    pub shape: Shape,
    /// The shortest stream that it applies to, in 32-bit words; for columns in texels.
    pub from: u64,
    /// The longest stream, included; [`Tuned::NO_END`] for any.
    pub up_to: u64,
    /// The fastest choice.
    pub best: Best,
}

/// A choice that is made by measuring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The algorithm of a problem that `auto` stands for.
    Algorithm(&'static str),
    /// The width at which textures of one item per texel start to grow only in height.
    Columns,
    /// A parameter at `auto`.
    Parameter {
        /// The problem's name.
        problem: &'static str,
        /// The algorithm's name in the registry.
        algorithm: &'static str,
        /// The parameter's name.
        parameter: &'static str,
    },
}

/// The properties that tell scans with different fastest algorithms apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Shape {
    /// True if the order is greater than one.
    pub higher_order: bool,
    /// True if a tuple has more than one item.
    pub tuples: bool,
}

/// The fastest choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Best {
    /// The built-in default: nothing else was clearly faster.
    BuiltIn,
    /// This value of a parameter, or this many columns. Rows of tiles are rows of 16 bytes; if a row has another
    /// length, an invocation takes as many as hold the same number of words.
    Value(u32),
    /// The algorithm with this name.
    Algorithm(&'static str),
}

impl Shape {
    /// Order one, tuples of one.
    pub const PLAIN: Shape = Shape { higher_order: false, tuples: false };
    /// An order above one, tuples of one.
    pub const HIGHER_ORDER: Shape = Shape { higher_order: true, tuples: false };
    /// Order one, tuples of several items.
    pub const TUPLES: Shape = Shape { higher_order: false, tuples: true };
    /// An order above one, tuples of several items.
    pub const BOTH: Shape = Shape { higher_order: true, tuples: true };

    /// The shape of this order and this tuple.
    pub fn new(order: u32, tuple: u32) -> Shape {
        Shape { higher_order: order > 1, tuples: tuple > 1 }
    }
}

impl Tuned {
    /// The end of an unlimited range.
    pub const NO_END: u64 = u64::MAX;

    fn overlaps(&self, other: &Tuned) -> bool {
        let same = (self.subject, self.shape) == (other.subject, other.shape);
        same && self.from <= other.up_to && other.from <= self.up_to
    }
}

impl Tuning {
    /// Returns true if nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Adds a measurement, which replaces earlier ones of the same sizes.
    pub fn record(&mut self, tuned: Tuned) {
        self.ranges.retain(|known| !known.overlaps(&tuned));
        self.ranges.push(tuned);
    }

    /// The fastest choice at this size, in the subject's unit; `None` without measurements.
    pub fn best(&self, subject: Subject, shape: Shape, size: u64) -> Option<Best> {
        let holds = |tuned: &&Tuned| {
            tuned.subject == subject && tuned.shape == shape && (tuned.from..=tuned.up_to).contains(&size)
        };
        self.ranges.iter().rev().find(holds).map(|tuned| tuned.best)
    }

    /// The name of a problem's fastest algorithm for a stream of this many words; `None` for the built-in default, or
    /// without measurements.
    pub fn algorithm(&self, problem: &'static str, shape: Shape, words: u64) -> Option<&'static str> {
        match self.best(Subject::Algorithm(problem), shape, words)? {
            Best::Algorithm(name) => Some(name),
            Best::BuiltIn | Best::Value(_) => None,
        }
    }

    /// The columns that a texture of this many texels, one item each, does not exceed unless it must; `None` as above.
    pub fn columns(&self, texels: u64) -> Option<u32> {
        self.value(Subject::Columns, Shape::PLAIN, texels)
    }

    /// The best value of an algorithm's parameter for this many words; `None` as above.
    ///
    /// An algorithm that repeats the scan of first order for each order passes [`Shape::PLAIN`].
    pub fn parameter(
        &self,
        problem: &'static str,
        algorithm: &'static str,
        parameter: &'static str,
        shape: Shape,
        words: u64,
    ) -> Option<u32> {
        self.value(Subject::Parameter { problem, algorithm, parameter }, shape, words)
    }

    fn value(&self, subject: Subject, shape: Shape, size: u64) -> Option<u32> {
        match self.best(subject, shape, size)? {
            Best::Value(value) => Some(value),
            Best::BuiltIn | Best::Algorithm(_) => None,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Algorithm(problem) => write!(f, "{problem} auto"),
            Subject::Columns => f.write_str("texture columns"),
            Subject::Parameter { problem, algorithm, parameter } => {
                write!(f, "{problem} {algorithm}:{parameter}")
            }
        }
    }
}

impl fmt::Display for Shape {
    /// In words; empty for plain ones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.higher_order, self.tuples) {
            (false, false) => "",
            (true, false) => "order 2 and more",
            (false, true) => "tuples",
            (true, true) => "order 2 and more, tuples",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: Subject = Subject::Parameter { problem: "scan", algorithm: "sam", parameter: "vectors" };
    const HIGHER: Shape = Shape { higher_order: true, tuples: false };

    fn rows(from: u64, up_to: u64, shape: Shape, rows: u32) -> Tuned {
        Tuned { subject: ROWS, shape, from, up_to, best: Best::Value(rows) }
    }

    fn look(tuning: &Tuning, words: u64, shape: Shape) -> Option<u32> {
        tuning.parameter("scan", "sam", "vectors", shape, words)
    }

    #[test]
    fn the_range_around_a_size_decides() {
        let ranges = vec![
            rows(101, 1000, Shape::PLAIN, 4),
            rows(0, 100, Shape::PLAIN, 2),
            rows(0, 100, HIGHER, 8),
            rows(2000, Tuned::NO_END, HIGHER, 16),
        ];
        let tuning = Tuning { ranges };
        for (words, shape, expected) in [
            (0, Shape::PLAIN, Some(2)),
            (100, Shape::PLAIN, Some(2)),
            (101, Shape::PLAIN, Some(4)),
            (1000, Shape::PLAIN, Some(4)),
            (1001, Shape::PLAIN, None),
            (100, HIGHER, Some(8)),
            (101, HIGHER, None),
            (u64::MAX, HIGHER, Some(16)),
            (1, Shape { tuples: true, ..HIGHER }, None),
        ] {
            assert_eq!(look(&tuning, words, shape), expected, "{words} words, {shape}");
        }
        assert_eq!(tuning.parameter("scan", "look_back", "vectors", Shape::PLAIN, 1), None);
        assert_eq!(tuning.parameter("compact", "sam", "vectors", Shape::PLAIN, 1), None);
        assert_eq!(tuning.columns(1), None);
    }

    #[test]
    fn what_is_measured_anew_takes_the_place_of_what_was() {
        let mut tuning = Tuning::default();
        tuning.record(rows(0, 100, Shape::PLAIN, 2));
        tuning.record(rows(101, 200, Shape::PLAIN, 3));
        tuning.record(rows(0, 100, HIGHER, 4));
        tuning.record(rows(0, 100, Shape::PLAIN, 5));
        assert_eq!(tuning.ranges.len(), 3);
        assert_eq!(look(&tuning, 100, Shape::PLAIN), Some(5));
        assert_eq!(look(&tuning, 101, Shape::PLAIN), Some(3));
        assert_eq!(look(&tuning, 1, HIGHER), Some(4));
        // Other boundaries: nothing is stored twice.
        tuning.record(Tuned { best: Best::BuiltIn, ..rows(50, 150, Shape::PLAIN, 0) });
        assert_eq!(tuning.ranges.len(), 2);
        assert_eq!(look(&tuning, 100, Shape::PLAIN), None);
        assert_eq!(tuning.best(ROWS, Shape::PLAIN, 100), Some(Best::BuiltIn));
        assert_eq!(tuning.best(ROWS, Shape::PLAIN, 151), None);
    }

    #[test]
    fn algorithms_are_told_apart_by_problem_and_shape() {
        let subject = Subject::Algorithm("scan");
        let tuned = Tuned { subject, best: Best::Algorithm("sam"), ..rows(0, 8, HIGHER, 0) };
        let tuning = Tuning { ranges: vec![tuned] };
        assert_eq!(tuning.algorithm("scan", HIGHER, 8), Some("sam"));
        assert_eq!(tuning.algorithm("scan", HIGHER, 16), None);
        assert_eq!(tuning.algorithm("scan", Shape::PLAIN, 8), None);
        assert_eq!(tuning.algorithm("compact", HIGHER, 8), None);
    }

    #[test]
    fn nothing_is_tuned_by_default() {
        assert!(Tuning::default().is_empty());
        assert_eq!(look(&Tuning::default(), 1, Shape::PLAIN), None);
    }
}
