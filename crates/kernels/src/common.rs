//! The kernels of `glsl/common/`: how much of a stream is worked on, if a number on the GPU says how much of it counts.

use crate::length::MOST;
use crate::{Error, FragmentKernel, GroupKernel, Kernel, Terms, Texel, VertexKernel};

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [common]: counted_rows.vert, groups.comp, nothing.frag;
};

/// The corners of a rectangle over the rows that the items which count fill, and one row more.
fn counted_rows(terms: &Terms<'_>) -> Result<VertexKernel, Error> {
    let length = terms.source("u_length")?;
    let capacity = terms.int("u_capacity")?;
    let target = terms.target();
    let in_row = (capacity / target.height).max(1);
    Ok(Box::new(move |at| {
        let length = at.fetch_word(length, Texel { x: 0, y: 0 }).min(capacity as u32) as i32;
        let rows = (length / in_row + 2).min(target.height);
        let (right, top) = (at.number & 1, at.number >> 1);
        at.place((right * target.width) as f32, (top * rows) as f32);
    }))
}

/// The work groups of each dispatch: those that the items which count need, and at least one (or those of one tuple) if
/// the first item that it covers is no further than the length. None of these accesses is recorded.
fn groups(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (length, dispatches, groups) =
        (terms.binding("LENGTH")?, terms.binding("DISPATCHES")?, terms.binding("GROUPS")?);
    let count = terms.int("u_dispatches")? as usize;
    let in_row = terms.define("MOST_GROUPS")? as u32;
    let size = terms.invocations();
    Ok(Box::new(move |group| {
        group.each(|at| {
            for entry in (at.number..count).step_by(size) {
                let [all, each, first, together] =
                    [0, 1, 2, 3].map(|word| at.peek(dispatches, 4 * entry + word));
                let length = at.peek(length, 0).min(MOST);
                let needed = match length.checked_sub(first) {
                    Some(items) => (items / each.max(1) + 1).wrapping_mul(together).min(all),
                    None => 0,
                };
                // An engine starts no more than so many in one dimension.
                let rows = needed.div_ceil(in_row);
                let started = [if rows > 1 { in_row } else { needed }, rows.max(1), 1, 0];
                for (word, value) in started.into_iter().enumerate() {
                    at.exchange(groups, 4 * entry + word, |_| value);
                }
            }
        });
    }))
}

/// The fragment stage of captures, which makes none.
fn nothing(_: &Terms<'_>) -> Result<FragmentKernel, Error> {
    Ok(Box::new(|_| {}))
}
