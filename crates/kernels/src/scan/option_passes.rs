//! The passes around a scan: items in the order of their visits, with flags where scans begin, and back.
//! `glsl/scan/option_passes/`.

pub mod buffers;
pub mod heads;
pub mod textures;

use std::rc::Rc;

use crate::{Error, Item, Machine, Operation, Terms};

/// The order in which a scan visits the items of its stream, and where a scan begins: `places.glsl`.
#[derive(Clone, Copy)]
struct Places {
    /// Items in the stream.
    len: i32,
    /// Items in a row or a column.
    scan_len: i32,
    /// Items from one of a column to the next.
    columns: Option<i32>,
    reversed: bool,
    /// Whether scans begin where flags are set, not in each row.
    flagged: bool,
    tuple: i32,
}

impl Places {
    /// The order of a whole stream, whose items stay in one row.
    fn of_stream(terms: &Terms<'_>) -> Result<Places, Error> {
        let len = terms.int("u_len")?;
        Ok(Places {
            len,
            scan_len: len,
            columns: None,
            reversed: terms.is_on("REVERSED"),
            flagged: terms.is_on("FLAGGED"),
            tuple: terms.define("TUPLE")?,
        })
    }

    fn new(terms: &Terms<'_>) -> Result<Places, Error> {
        let columns = terms.is_on("COLUMNS").then(|| terms.int("u_width")).transpose()?;
        Ok(Places { scan_len: terms.int("u_scan_len")?, columns, ..Places::of_stream(terms)? })
    }

    /// The item that is visited as number `visit`.
    fn index_of_visit(&self, visit: i32) -> i32 {
        let at = if self.reversed { self.len - 1 - visit } else { visit };
        self.columns.map_or(at, |width| at % self.scan_len * width + at / self.scan_len)
    }

    /// The number of an item's visit.
    fn visit_of_index(&self, index: i32) -> i32 {
        let at = self.columns.map_or(index, |width| index % width * self.scan_len + index / width);
        if self.reversed { self.len - 1 - at } else { at }
    }

    /// Whether an item is in the first tuple of a scan. A flag is looked up only where it decides: of a reversed scan that
    /// of the next item.
    fn begins(&self, visit: i32, index: i32, flag: impl FnOnce(i32) -> bool) -> bool {
        match self.flagged {
            true => visit == 0 || flag(index + i32::from(self.reversed)),
            false => visit % self.scan_len < self.tuple,
        }
    }
}

/// The flag of item `index`, from the word of flags at `index >> 5`.
fn flag_of(word: u32, index: i32) -> bool {
    word >> (index & 31) & 1 != 0
}

/// The values of a stream: items, or in a split stream items without their flags. `glsl/common/values.glsl`.
#[derive(Clone)]
struct Values {
    operation: Rc<Operation>,
    /// Whether items have flags: `SPLIT`.
    split: bool,
}

impl Values {
    fn new(terms: &Terms<'_>) -> Values {
        Values { operation: terms.operation(), split: terms.is_on("SPLIT") }
    }

    /// The operation on values.
    fn operation(&self) -> &Operation {
        if self.split { self.operation.values() } else { &self.operation }
    }

    /// A value as an item, with a flag if items have one.
    fn item(&self, value: Item, begins: impl FnOnce() -> bool) -> Item {
        if self.split { self.operation.with_flag(value, begins()) } else { value }
    }

    /// An earlier value combined with a later one.
    fn combine(&self, at: &mut Machine, left: &Item, right: &Item) -> Item {
        if self.split { at.combine_values(left, right) } else { at.combine(left, right) }
    }

    /// The value of an item.
    fn of_item(&self, item: Item) -> Item {
        if self.split { self.operation.value_of(item) } else { item }
    }
}
