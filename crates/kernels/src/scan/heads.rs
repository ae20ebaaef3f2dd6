//! Where scans begin anew in a stream (`HEADS`): in rows, or by a table of heads. `glsl/scan/common/heads.glsl`.

use crate::{Error, Machine, Source, Terms};

/// The beginnings of the scans that a stream holds.
#[derive(Clone, Copy)]
pub struct Heads {
    /// Items in the stream.
    pub items: i32,
    /// log2 of the items in a node.
    node: i32,
    table: Table,
}

#[derive(Clone, Copy)]
enum Table {
    /// Every so many items.
    Rows(i32),
    /// A texel for 8 items; `far`: the beginning is an index in a second channel.
    Flags { heads: Source, far: bool },
}

impl Heads {
    /// The heads of a pass; `None` if it has none.
    pub fn new(terms: &Terms<'_>) -> Result<Option<Heads>, Error> {
        if !terms.has("HEADS") {
            return Ok(None);
        }
        let table = match terms.is_on("FLAGGED") {
            true => Table::Flags { heads: terms.source("u_heads")?, far: terms.is_on("FAR") },
            false => Table::Rows(terms.int("u_width")?),
        };
        Ok(Some(Heads { items: terms.int("u_items")?, node: terms.int("u_node")?, table }))
    }

    /// The first item of the scan that an item belongs to.
    pub fn start_of(&self, at: &mut Machine, item: i32) -> i32 {
        match self.table {
            Table::Rows(width) => item - item % width,
            Table::Flags { heads, far } => {
                let [flags, start, ..] = at.fetch(heads, heads.shape.texel(item >> 3));
                start_by([flags, start], item, far)
            }
        }
    }

    /// The first items of the scans that four items of one texel of the table belong to.
    pub fn starts_of_leaves(&self, at: &mut Machine, first: i32, items: usize) -> Option<Vec<i32>> {
        let Table::Flags { heads, far } = self.table else { return None };
        let [flags, start, ..] = at.fetch(heads, heads.shape.texel(first.min(self.items - 1) >> 3));
        let of = |item: i32| start_by([flags, start], (first + item).min(self.items - 1), far);
        Some((0..items as i32).map(of).collect())
    }

    /// The node that holds an item.
    pub fn node_of(&self, item: i32) -> i32 {
        item >> self.node
    }

    /// The first item of the scan that a node's last item belongs to.
    pub fn start_of_node(&self, at: &mut Machine, node: i32) -> i32 {
        let last = (node << self.node) + (1 << self.node) - 1;
        self.start_of(at, last.min(self.items - 1))
    }

    /// Whether a scan begins in a node.
    pub fn begins_in(&self, at: &mut Machine, node: i32) -> bool {
        self.start_of_node(at, node) >= node << self.node
    }
}

fn start_by([flags, start]: [u32; 2], item: i32, far: bool) -> i32 {
    let bits = flags & 0xFF >> (7 - (item & 7));
    match bits {
        0 if far => start as i32,
        0 => (item & !7) - (flags >> 8) as i32,
        _ => (item & !7) + bits.ilog2() as i32,
    }
}
