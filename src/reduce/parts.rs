//! The reductions that a stream holds: which items each combines, and where its results lie.

use super::ReduceSpec;
use crate::limits::{SpecError, check_offsets};
use crate::scan::{Batch, Line, Segments};

/// All reductions of a stream, in the order of their results.
pub(super) struct Parts<'a> {
    spec: &'a ReduceSpec,
    /// Offsets, or flags as bits, also in place of keys.
    segments: &'a [u32],
}

impl<'a> Parts<'a> {
    /// The reductions of a spec.
    ///
    /// Errors: [`SpecError::Offsets`].
    pub fn new(spec: &'a ReduceSpec, segments: &'a [u32]) -> Result<Parts<'a>, SpecError> {
        if let Segments::Offsets(_) = spec.segments {
            check_offsets(segments, spec.len)?;
        }
        Ok(Parts { spec, segments })
    }

    /// Their number.
    pub fn count(&self) -> u64 {
        let ReduceSpec { len, .. } = *self.spec;
        match self.spec.segments {
            Segments::Flags | Segments::Keys(_) => {
                (0..len).filter(|index| self.begins(*index)).count() as u64
            }
            _ => self.spec.results() / u64::from(self.spec.tuple),
        }
    }

    /// The items of each of them.
    pub fn iter(&self) -> Box<dyn Iterator<Item = Line> + '_> {
        let ReduceSpec { len, batch, segments, .. } = *self.spec;
        let consecutive = |first, end: u64| Line { first, step: 1, len: end - first };
        match (batch, segments) {
            (Batch::Rows(width), _) => {
                Box::new((0..len / width).map(move |row| consecutive(row * width, (row + 1) * width)))
            }
            (Batch::Columns(width), _) => {
                Box::new((0..width).map(move |first| Line { first, step: width as i64, len: len / width }))
            }
            (Batch::Whole, Segments::None) => Box::new(std::iter::once(consecutive(0, len))),
            (Batch::Whole, Segments::Offsets(_)) => {
                let ends = self.segments.iter().skip(1).map(|end| u64::from(*end)).chain([len]);
                Box::new(
                    self.segments.iter().zip(ends).map(move |(first, end)| consecutive((*first).into(), end)),
                )
            }
            (Batch::Whole, Segments::Flags | Segments::Keys(_)) => {
                let heads = (0..len).filter(|index| self.begins(*index));
                let ends = (1..len).filter(|index| self.begins(*index)).chain([len]);
                Box::new(heads.zip(ends).map(move |(first, end)| consecutive(first, end)))
            }
        }
    }

    /// The index among the results, in items, of a member of a tuple in the reduction with this number.
    pub fn result(&self, number: u64, member: u64) -> usize {
        let index = match self.spec.batch {
            Batch::Columns(width) => member * width + number,
            Batch::Whole | Batch::Rows(_) => number * u64::from(self.spec.tuple) + member,
        };
        index as usize
    }

    /// Returns true if a segment begins at an item.
    fn begins(&self, index: u64) -> bool {
        let word = self.segments.get(index as usize / 32).copied().unwrap_or(0);
        index == 0 || word >> (index % 32) & 1 != 0
    }
}
