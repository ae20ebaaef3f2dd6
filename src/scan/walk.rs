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

    /// The index in the stream of the item that is visited as number `visit`, and whether a scan begins at it.
    pub fn visit(&self, visit: u64) -> (usize, bool) {
        let at = if self.reversed { self.len - 1 - visit } else { visit };
        let index = match self.columns {
            Some(width) => at % self.scan_len * width + at / self.scan_len,
            None => at,
        };
        let flag = |index: u64| {
            index < self.len
                && self.bits.get(index as usize / 32).is_some_and(|word| word >> (index % 32) & 1 != 0)
        };
        let segment = if self.reversed { flag(index + 1) } else { flag(index) };
        (index as usize, visit.is_multiple_of(self.scan_len) || segment)
    }
}
