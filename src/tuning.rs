//! What was measured on a device, as plain data: values for the parameters that an algorithm is free to choose.
//!
//! A [`Device`](crate::Device) carries its [`Tuning`], and where a parameter is left to the algorithm, that decides.
//! Where it says nothing, the built-in default stays. Measured by [`crate::tuner::tune_sam`]; kept by whoever has a
//! place for it, as the program has.

/// What was measured on a device. Nothing by default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tuning {
    /// For `sam`, in any order; a range goes down to the next smaller one of the same kind.
    pub sam: Vec<Tuned>,
}

/// The rows that are best for `sam` in a range of problem sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuned {
    /// The longest stream that this holds for, in words of 32 bits; [`Tuned::NO_END`] for any.
    pub up_to: u64,
    /// Whether it holds for scans of higher order, or for those of the first.
    pub higher_order: bool,
    /// Rows of 16 bytes that an invocation takes. Where a row is of another length, as it is for some tuples, an
    /// invocation takes as many as hold the same number of words.
    pub rows: u32,
}

impl Tuned {
    /// The end of a range that has none.
    pub const NO_END: u64 = u64::MAX;
}

impl Tuning {
    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.sam.is_empty()
    }

    /// Rows of 16 bytes for a `sam` of this order over so many words; `None` where nothing was measured.
    pub fn sam_rows(&self, words: u64, order: u32) -> Option<u32> {
        let holds = |tuned: &&Tuned| tuned.up_to >= words && tuned.higher_order == (order > 1);
        self.sam.iter().filter(holds).min_by_key(|tuned| tuned.up_to).map(|tuned| tuned.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_range_that_reaches_far_enough_decides() {
        let tuned = |up_to, higher_order, rows| Tuned { up_to, higher_order, rows };
        let sam =
            vec![tuned(1000, false, 4), tuned(100, false, 2), tuned(500, true, 16), tuned(100, true, 8)];
        let mut tuning = Tuning { sam };
        for (words, order, rows) in [
            (0, 1, Some(2)),
            (100, 1, Some(2)),
            (101, 1, Some(4)),
            (1000, 1, Some(4)),
            (1001, 1, None),
            (100, 2, Some(8)),
            (101, 8, Some(16)),
            (501, 8, None),
        ] {
            assert_eq!(tuning.sam_rows(words, order), rows, "{words} words, order {order}");
        }
        tuning.sam.push(tuned(Tuned::NO_END, false, 6));
        assert_eq!(tuning.sam_rows(1001, 1), Some(6));
        assert_eq!(tuning.sam_rows(u64::MAX, 1), Some(6));
        assert_eq!(tuning.sam_rows(1000, 1), Some(4));
        assert_eq!(tuning.sam_rows(1001, 2), None, "of the other kind");
    }

    #[test]
    fn nothing_is_tuned_by_default() {
        assert!(Tuning::default().is_empty());
        assert_eq!(Tuning::default().sam_rows(1, 1), None);
    }
}
