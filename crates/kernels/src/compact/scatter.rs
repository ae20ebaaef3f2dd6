//! Compaction by a scan of flags: each kept element goes to the index that its sum says. `glsl/compact/scatter/`.

use super::buffers::Rows;
use crate::{Error, GroupKernel, Item, Terms};

/// 1 for each kept element, in the order of the stream.
pub fn flags(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (rows, flags) = (Rows::new(terms)?, terms.binding("FLAGS")?);
    Ok(Box::new(move |group| {
        rows.each(group, |at, _, kept| {
            let first = at.id * rows.vector;
            for i in 0..rows.vector.min(rows.len - first) {
                at.write(flags, first + i, &Item::of(&[kept >> i & 1]), 1);
            }
        });
    }))
}

/// Moves the kept elements of each row, which go to neighbouring positions.
pub fn scatter(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let rows = Rows::new(terms)?;
    let (sums, count) = (terms.binding("SUMS")?, terms.binding("COUNT")?);
    let (index, is_last) = (terms.int("u_index")? as usize, terms.int("u_last")? == 1);
    Ok(Box::new(move |group| {
        rows.each(group, |at, elements, kept| {
            let first = at.id * rows.vector;
            let place = at.read(sums, first, 1).words()[0];
            rows.move_kept(at, elements, kept, place as usize, index + first);
            if is_last && first + rows.vector >= rows.len {
                at.write(count, 0, &Item::of(&[place + kept.count_ones()]), 1);
            }
        });
    }))
}
