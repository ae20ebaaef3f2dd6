//! horn2005: one step of the scan. `glsl/scan/horn/`.

use super::heads::Heads;
use crate::{Error, FragmentKernel, Terms, Texel};

/// `x[k] <- x[k - offset] + x[k]`, or `x[k]` if nothing is that far to the left.
pub fn step(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let operation = terms.operation();
    let source = terms.source("u_source")?;
    let offset = terms.int2("u_offset")?;
    let moved = terms.is_on("MOVED").then(|| terms.int2("u_moved")).transpose()?;
    let block = terms.has("BLOCK").then(|| terms.define("BLOCK")).transpose()?;
    let heads = Heads::new(terms)?;
    let shape = source.shape;
    Ok(Box::new(move |at| {
        let mut right = at.here;
        let start = heads.map(|heads| heads.node_of(heads.start_of_node(at, shape.index(right))));
        if let Some(moved) = moved {
            right = shape.left_of(right, moved);
            let first = match start {
                Some(start) => shape.index(right) < start,
                None => right.y < 0,
            };
            if first {
                let identity = at.identity();
                return at.write_item(0, 0, &identity, &operation);
            }
        }
        let item = at.fetch_item(source, right, 0);
        let left = shape.left_of(right, offset);
        let alone = match (block, start) {
            (Some(block), _) => right.x & (block - 1) < offset[0],
            (None, Some(start)) => shape.index(left) < start,
            (None, None) => left.y < 0,
        };
        // With heads the fetch does not wait for the table.
        let before = match heads.is_some() || !alone {
            true => at.fetch_item(source, Texel { x: left.x.max(0), y: left.y.max(0) }, 0),
            false => item,
        };
        let sum = if alone { item } else { at.combine(&before, &item) };
        at.write_item(0, 0, &sum, &operation);
    }))
}
