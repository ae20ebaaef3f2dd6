//! Rows, columns and segments as data that scans and reductions share: their inputs, their options, and what documents say.

use std::borrow::Cow;

use super::{Batch, Segments};
use crate::algorithm::{Arguments, Input, InputInfo};
use crate::each;
use crate::element::Element;
use crate::error::Error;
use crate::limits::check_offsets;
use crate::numbers::Numbers;
use crate::texels::PLANE;

/// The flags of the segments that runs of equal keys are: a bit for each key, 32 in a u32, set where one differs from the one
/// before.
///
/// ```
/// assert_eq!(rasterscan::scan::flags_of_keys(&[7u32, 7, 2, 2, 7]), [0b10101]);
/// ```
pub fn flags_of_keys<K: Element>(keys: &[K]) -> Vec<u32> {
    let mut flags = vec![0; keys.len().div_ceil(32)];
    let differs =
        |index: usize| index == 0 || bytemuck::bytes_of(&keys[index]) != bytemuck::bytes_of(&keys[index - 1]);
    for index in (0..keys.len()).filter(|index| differs(*index)) {
        flags[index / 32] |= 1 << (index % 32);
    }
    flags
}

impl Batch {
    /// The batch of the options `rows` and `columns`.
    pub(crate) fn of(arguments: &Arguments) -> Batch {
        match (arguments.number("rows"), arguments.number("columns")) {
            (Some(width), _) => Batch::Rows(width.into()),
            (None, Some(width)) => Batch::Columns(width.into()),
            (None, None) => Batch::Whole,
        }
    }

    /// The value of the option for rows or columns, as `kind` says; empty if this is not of that kind.
    pub(crate) fn width_of(self, kind: fn(u64) -> Batch) -> String {
        match self {
            Batch::Rows(width) | Batch::Columns(width) if self == kind(width) => width.to_string(),
            _ => String::new(),
        }
    }

    /// The name and value in documents.
    pub(crate) fn fact(self) -> Option<(&'static str, String)> {
        match self {
            Batch::Whole => None,
            Batch::Rows(width) => Some(("rows", width.to_string())),
            Batch::Columns(width) => Some(("columns", width.to_string())),
        }
    }
}

impl Segments {
    /// The segments of the options `segments`, `offsets` and `keys`.
    pub(crate) fn of(arguments: &Arguments, given: InputInfo) -> Segments {
        let is_given = |name| arguments.stream(name).is_some();
        if is_given("segments") {
            Segments::Flags
        } else if is_given("offsets") {
            Segments::Offsets(given.offsets)
        } else if is_given("keys") {
            Segments::Keys(given.keys)
        } else {
            Segments::None
        }
    }

    /// The stream that says where segments of `len` items begin.
    pub(crate) fn input(self, len: u64) -> Option<Input> {
        match self {
            Segments::None => None,
            Segments::Flags => Some(Input::words("segments", len.div_ceil(32), 1)),
            Segments::Offsets(count) => Some(Input::words(Input::OFFSETS, count, 4)),
            Segments::Keys(element) => {
                let keys = Input::items("keys", element, 1, len);
                Some(Input { own_texels: Some(PLANE / element.words()), ..keys })
            }
        }
    }

    /// The words that the reference takes for segments of `len` items: offsets, or flags, which stand for keys, too.
    pub(crate) fn words(self, len: u64) -> usize {
        let words = match self {
            Segments::None => 0,
            Segments::Flags | Segments::Keys(_) => len.div_ceil(32),
            Segments::Offsets(count) => count,
        };
        words as usize
    }

    /// These words, from the inputs of a request.
    ///
    /// Errors: [`Error::ElementMismatch`].
    pub(crate) fn of_inputs<'a>(self, inputs: &[&'a Numbers]) -> Result<Cow<'a, [u32]>, Error> {
        match self {
            Segments::None => Ok(Cow::Borrowed(&[])),
            Segments::Flags | Segments::Offsets(_) => inputs[1].get().map(Cow::Borrowed),
            Segments::Keys(_) => each!(inputs[1], keys => Ok(Cow::Owned(flags_of_keys(keys)))),
        }
    }

    /// Checks the second of these inputs, for a stream of `len` items.
    ///
    /// Errors: [`SpecError::Offsets`](crate::SpecError::Offsets).
    pub(crate) fn check(self, len: u64, inputs: &[&Numbers]) -> Result<(), Error> {
        if let (Segments::Offsets(_), Some(offsets)) = (self, inputs.get(1)) {
            check_offsets(offsets.get()?, len)?;
        }
        Ok(())
    }

    /// The name and value in documents.
    pub(crate) fn fact(self) -> Option<(&'static str, String)> {
        match self {
            Segments::None => None,
            Segments::Flags => Some(("segments", "flags".to_owned())),
            Segments::Offsets(count) => Some(("segments", format!("{count} offsets"))),
            Segments::Keys(element) => Some(("segments", format!("{element} keys"))),
        }
    }
}
