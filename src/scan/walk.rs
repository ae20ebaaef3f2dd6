//! The order in which a scan visits its items, and the places where it begins anew.

use std::borrow::Cow;

use super::{Batch, ScanSpec, Segments};
use crate::algorithm::bits_at;
use crate::limits::SpecError;

/// The streams that a scan reads beside its items.
#[derive(Debug, Clone, Copy, Default)]
pub struct SideStreams<'a, T> {
    /// The segments: offsets, or a bit for each item, also in place of keys ([`super::flags_of_keys`]).
    pub segments: &'a [u32],
    /// The tuple that each scan begins with.
    pub seed: &'a [T],
}

impl<T: 'static> SideStreams<'_, T> {
    /// Nothing.
    pub const NONE: Self = SideStreams { segments: &[], seed: &[] };
}

/// Items of a stream at equal distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    /// The index of the first one.
    pub first: u64,
    /// The distance from each to the next.
    pub step: i64,
    /// Their number.
    pub len: u64,
}

impl Line {
    /// The index of one of them.
    pub fn at(&self, number: u64) -> usize {
        (self.first as i64 + number as i64 * self.step) as usize
    }

    /// All of them, in blocks of at most `most`.
    pub fn blocks(self, most: u64) -> impl Iterator<Item = Line> {
        let block = move |from| Line { first: self.at(from) as u64, len: most.min(self.len - from), ..self };
        (0..self.len).step_by(most as usize).map(block)
    }

    /// Copies them from a stream of items of `arity` numbers.
    pub fn gather<T: Copy>(&self, arity: usize, stream: &[T], into: &mut Vec<T>) {
        into.clear();
        if self.step == 1 {
            into.extend_from_slice(&stream[self.at(0) * arity..self.at(self.len) * arity]);
            return;
        }
        for number in 0..self.len {
            let at = self.at(number) * arity;
            into.extend_from_slice(&stream[at..at + arity]);
        }
    }
}

/// The order of a scan's items.
pub(crate) struct Walk<'a> {
    len: u64,
    /// Items in a scan.
    scan_len: u64,
    /// Rows from one item of a scan to the next: 1, or the width of columns.
    columns: Option<u64>,
    reversed: bool,
    bits: Cow<'a, [u32]>,
}

impl<'a> Walk<'a> {
    /// The order of a spec; `segments` are its bits or offsets.
    ///
    /// Errors: [`SpecError::Offsets`].
    pub fn new(spec: &ScanSpec, segments: &'a [u32]) -> Result<Walk<'a>, SpecError> {
        Ok(Walk {
            len: spec.len,
            scan_len: spec.scan_len(),
            columns: match spec.batch {
                Batch::Columns(width) => Some(width),
                Batch::Whole | Batch::Rows(_) => None,
            },
            reversed: spec.reversed,
            bits: match spec.segments {
                Segments::Offsets(_) => Cow::Owned(bits_at(segments, spec.len)?),
                Segments::Flags | Segments::Keys(_) | Segments::None => Cow::Borrowed(segments),
            },
        })
    }

    /// The scans of the first `visits` items that are visited, in blocks of at most `most` items; and whether a scan begins
    /// with the block.
    pub fn blocks(&self, visits: u64, most: u64) -> impl Iterator<Item = (Line, bool)> + '_ {
        let (mut visit, mut end) = (0, 0);
        std::iter::from_fn(move || {
            let begins = visit == end;
            if begins {
                end = self.end(visit);
            }
            let len = most.min(end - visit).min(visits.saturating_sub(visit));
            if len == 0 {
                return None;
            }
            let block = Line { first: self.index(visit), step: self.step(), len };
            visit += len;
            Some((block, begins))
        })
    }

    /// The distance from each item of a scan to the next.
    fn step(&self) -> i64 {
        let width = self.columns.unwrap_or(1) as i64;
        if self.reversed { -width } else { width }
    }

    /// The index in the stream of the item that is visited as number `visit`.
    fn index(&self, visit: u64) -> u64 {
        let at = if self.reversed { self.len.saturating_sub(1 + visit) } else { visit };
        match self.columns {
            Some(width) => at % self.scan_len * width + at / self.scan_len,
            None => at,
        }
    }

    /// The visit at which the scan ends that begins at this one.
    fn end(&self, visit: u64) -> u64 {
        let most = if visit < self.len { visit + self.scan_len - visit % self.scan_len } else { visit };
        if self.bits.is_empty() {
            return most;
        }
        let begins = |visit: &u64| {
            let index = self.index(*visit) + u64::from(self.reversed);
            self.bits.get(index as usize / 32).is_some_and(|word| word >> (index % 32) & 1 != 0)
        };
        (visit + 1..most).find(begins).unwrap_or(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_blocks() {
        let spec = ScanSpec::new::<u32>(0);
        for spec in [spec.clone(), spec.rows(3), spec.columns(3), spec.segmented()] {
            for spec in [spec.clone(), spec.reversed()] {
                assert_eq!(Walk::new(&spec, &[]).unwrap().blocks(0, 9).count(), 0, "{spec}");
            }
        }
    }

    /// Against the definition, visit by visit.
    #[test]
    fn blocks_have_all_items_in_order() {
        let spec = ScanSpec::new::<u32>(60);
        let flags = [0b1000_0000_0000_0010_0000_0001_0001_0001, 0b1001];
        for (spec, bits) in [
            (spec.clone(), &[][..]),
            (spec.rows(12), &[]),
            (spec.columns(5), &[]),
            (spec.segmented(), &flags),
        ] {
            for spec in [spec.clone(), spec.reversed()] {
                let walk = Walk::new(&spec, bits).unwrap();
                let flagged = |index: u64| {
                    bits.get(index as usize / 32).is_some_and(|word| word >> (index % 32) & 1 != 0)
                };
                let visited = |visit: u64| {
                    let at = if spec.reversed { 59 - visit } else { visit };
                    let scan_len = spec.scan_len();
                    let index = match spec.batch {
                        Batch::Columns(width) => at % scan_len * width + at / scan_len,
                        _ => at,
                    };
                    let begins = flagged(index + u64::from(spec.reversed));
                    (index as usize, begins || visit.is_multiple_of(scan_len))
                };
                for (visits, most) in [(60, 60), (60, 7), (41, 4), (1, 1), (0, 9)] {
                    let blocks = walk.blocks(visits, most).flat_map(|(block, begins)| {
                        assert!(block.len <= most);
                        (0..block.len).map(move |number| (block.at(number), begins && number == 0))
                    });
                    assert!(blocks.eq((0..visits).map(visited)), "{spec}, {visits} in blocks of {most}");
                }
            }
        }
    }
}
