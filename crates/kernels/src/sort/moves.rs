//! Streams that move to the places of the results. `glsl/sort/common/move.glsl`.

use std::rc::Rc;

use crate::{Error, Fragment, Operation, Shape, Source, Terms};

/// The keys and what moves with them.
pub struct Moves {
    streams: Vec<Source>,
    target: Shape,
    /// Items in a texel.
    items: i32,
    operation: Rc<Operation>,
}

impl Moves {
    /// `items` are in a texel.
    pub fn new(terms: &Terms<'_>, items: i32) -> Result<Moves, Error> {
        let names = ["u_keys", "u_payload", "u_payload_2", "u_payload_3"];
        let count = terms.define("PAYLOADS")? as usize + 1;
        Ok(Moves {
            streams: names[..count].iter().map(|name| terms.source(name)).collect::<Result<_, _>>()?,
            target: terms.target(),
            items,
            operation: terms.operation(),
        })
    }

    /// Writes for each place of the texel the items at the index that `find` has for it.
    pub fn write(&self, at: &mut Fragment<'_>, mut find: impl FnMut(&mut Fragment<'_>, i32) -> i32) {
        let first = self.target.index(at.here) * self.items;
        let places = first..(first + self.items).min(self.target.len);
        let found: Vec<i32> = places.map(|place| find(at, place)).collect();
        for (number, stream) in self.streams.iter().enumerate() {
            for (place, index) in found.iter().enumerate() {
                let item = at.fetch_item_at(*stream, *index);
                at.write_item(number, place, &item, &self.operation);
            }
        }
    }
}
