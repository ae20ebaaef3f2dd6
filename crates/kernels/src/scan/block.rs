//! Blocks of the stream, one for each work group. `glsl/scan/common/block.glsl` and `block_items.glsl`.
//!
//! A group takes one member of the tuples of one block: for tuples of s, group g takes member g % s of block g / s.

use std::rc::Rc;

use crate::{Binding, Error, Invocation, Item, Operation, Terms};

/// The block that a group works on.
#[derive(Clone)]
pub struct Block {
    /// Items of a block: `BLOCK`.
    pub size: usize,
    /// Items of the stream that are bound.
    pub len: usize,
    tuple: usize,
    source: Option<Binding>,
    target: Option<Binding>,
    /// Element and operator.
    pub operation: Rc<Operation>,
    /// Whether the scan is exclusive.
    pub exclusive: bool,
    /// Invocations in a group.
    pub group: usize,
}

impl Block {
    /// The blocks of a pass.
    pub fn new(terms: &Terms<'_>) -> Result<Block, Error> {
        Ok(Block {
            size: terms.define("BLOCK")? as usize,
            len: terms.int("u_len")? as usize,
            tuple: terms.int("u_tuple")? as usize,
            source: terms.binding("SOURCE").ok(),
            target: terms.binding("TARGET").ok(),
            operation: terms.operation(),
            exclusive: terms.is_on("EXCLUSIVE"),
            group: terms.invocations(),
        })
    }

    /// The index of a group's item `i`.
    pub fn place(&self, group: usize, i: usize) -> usize {
        (group / self.tuple * self.size + i) * self.tuple + group % self.tuple
    }

    /// The group of an invocation.
    pub fn group_of(&self, at: &Invocation<'_>) -> usize {
        at.id / self.group
    }

    /// Loads item `i`; past the stream's end is the identity.
    pub fn load(&self, at: &mut Invocation<'_>, i: usize) -> Item {
        let place = self.place(self.group_of(at), i);
        match self.source {
            Some(source) if place < self.len => at.read(source, place, self.operation.words),
            _ => self.operation.identity(),
        }
    }

    /// Stores item `i`, if it is in the stream.
    pub fn store(&self, at: &mut Invocation<'_>, i: usize, item: &Item) {
        let place = self.place(self.group_of(at), i);
        if let Some(target) = self.target.filter(|_| place < self.len) {
            at.write(target, place, item, self.operation.words);
        }
    }
}
