//! What was measured on a device, as plain data: for ranges of problem sizes, which algorithm is the fastest, how wide
//! textures should be, and which values the parameters that an algorithm is free to choose should have.
//!
//! A [`Device`](crate::Device) carries its [`Tuning`]. Where something is left open, that decides; where it says nothing,
//! or something that this device or request does not allow, what is built in stays. Measured by `rasterscan-lab`'s tuner;
//! kept by whoever has a place for it, as the program has.

use std::fmt;

/// What was measured on a device. Nothing by default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tuning {
    /// In any order. Of two that hold, the later one decides.
    pub ranges: Vec<Tuned>,
}

/// What is the fastest in a range of problem sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuned {
    /// What was to be chosen.
    pub subject: Subject,
    /// The scans that it holds for; of compactions and of columns [`Shape::PLAIN`].
    pub shape: Shape,
    /// The shortest stream that it holds for, in words of 32 bits; of columns in texels.
    pub from: u64,
    /// The longest, itself included; [`Tuned::NO_END`] for any.
    pub up_to: u64,
    /// What was the fastest.
    pub best: Best,
}

/// Something that is chosen by measuring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Which algorithm of a problem `auto` is.
    Algorithm(&'static str),
    /// How wide textures of one item a texel get before they grow in height alone.
    Columns,
    /// A parameter that is `auto`.
    Parameter {
        problem: &'static str,
        /// The algorithm's name in the registry.
        algorithm: &'static str,
        /// The parameter's.
        parameter: &'static str,
    },
}

/// What tells scans apart whose fastest algorithms are different ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Shape {
    /// Whether the order is more than one.
    pub higher_order: bool,
    /// Whether a tuple has more than one item.
    pub tuples: bool,
}

/// What was the fastest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Best {
    /// What is built in: nothing else was clearly faster.
    BuiltIn,
    /// This value of a parameter, or this many columns. Rows of tiles are rows of 16 bytes; where a row is of another
    /// length, an invocation takes as many as hold the same number of words.
    Value(u32),
    /// The algorithm of this name.
    Algorithm(&'static str),
}

impl Shape {
    /// Order and tuples of one.
    pub const PLAIN: Shape = Shape { higher_order: false, tuples: false };
    pub const HIGHER_ORDER: Shape = Shape { higher_order: true, tuples: false };
    pub const TUPLES: Shape = Shape { higher_order: false, tuples: true };
    /// Of a higher order and of tuples.
    pub const BOTH: Shape = Shape { higher_order: true, tuples: true };

    /// The shape of what is of this order and this tuple.
    pub fn new(order: u32, tuple: u32) -> Shape {
        Shape { higher_order: order > 1, tuples: tuple > 1 }
    }
}

impl Tuned {
    /// The end of a range that has none.
    pub const NO_END: u64 = u64::MAX;

    fn overlaps(&self, other: &Tuned) -> bool {
        let same = (self.subject, self.shape) == (other.subject, other.shape);
        same && self.from <= other.up_to && other.from <= self.up_to
    }
}

impl Tuning {
    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Takes down what was measured, in place of what was said of the same sizes before.
    pub fn record(&mut self, tuned: Tuned) {
        self.ranges.retain(|known| !known.overlaps(&tuned));
        self.ranges.push(tuned);
    }

    /// What is the fastest at this size, in the subject's unit; `None` where nothing was measured.
    pub fn best(&self, subject: Subject, shape: Shape, size: u64) -> Option<Best> {
        let holds = |tuned: &&Tuned| {
            tuned.subject == subject && tuned.shape == shape && (tuned.from..=tuned.up_to).contains(&size)
        };
        self.ranges.iter().rev().find(holds).map(|tuned| tuned.best)
    }

    /// The name of a problem's fastest algorithm for a stream of so many words; `None` where that is what is built in, or
    /// nothing was measured.
    pub fn algorithm(&self, problem: &'static str, shape: Shape, words: u64) -> Option<&'static str> {
        match self.best(Subject::Algorithm(problem), shape, words)? {
            Best::Algorithm(name) => Some(name),
            Best::BuiltIn | Best::Value(_) => None,
        }
    }

    /// The columns that a texture of so many texels, of one item each, does not exceed unless it must; `None` as above.
    pub fn columns(&self, texels: u64) -> Option<u32> {
        self.value(Subject::Columns, Shape::PLAIN, texels)
    }

    /// The best value of an algorithm's parameter for so many words; `None` as above.
    ///
    /// An algorithm that does the scan of first order again for each order asks for [`Shape::PLAIN`].
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
    /// In words; nothing for plain ones.
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

    const ROWS: Subject = Subject::Parameter { problem: "scan", algorithm: "sam", parameter: "rows" };
    const HIGHER: Shape = Shape { higher_order: true, tuples: false };

    fn rows(from: u64, up_to: u64, shape: Shape, rows: u32) -> Tuned {
        Tuned { subject: ROWS, shape, from, up_to, best: Best::Value(rows) }
    }

    fn look(tuning: &Tuning, words: u64, shape: Shape) -> Option<u32> {
        tuning.parameter("scan", "sam", "rows", shape, words)
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
        assert_eq!(tuning.parameter("scan", "look_back", "rows", Shape::PLAIN, 1), None);
        assert_eq!(tuning.parameter("compact", "sam", "rows", Shape::PLAIN, 1), None);
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
        // Of other borders: nothing is said twice.
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
