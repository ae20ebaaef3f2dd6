//! Segments in buffers, an invocation for each word or segment.

use super::{BITS, head_at, heads_of, last_of};
use crate::{Binding, Error, GroupKernel, Invocation, Item, Terms};

fn word_at(at: &mut Invocation<'_>, binding: Binding, index: i32) -> u32 {
    at.read(binding, index as usize, 1).words()[0]
}

/// Counts: the number of segments that begin in each word of flags.
pub fn counts(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (flags, counts, len) = (terms.binding("FLAGS")?, terms.binding("COUNTS")?, terms.int("u_len")?);
    Ok(Box::new(move |group| {
        group.each(|at| {
            let word = at.id as i32;
            if word < (len + BITS - 1) / BITS {
                let count = heads_of(word_at(at, flags, word), word, len).count_ones();
                at.write(counts, at.id, &Item::of(&[count]), 1);
            }
        });
    }))
}

/// Heads: the index of the first item of each segment.
pub fn heads(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (flags, counts) = (terms.binding("FLAGS")?, terms.binding("COUNTS")?);
    let (count, heads, len) = (terms.binding("COUNT")?, terms.binding("HEADS")?, terms.int("u_len")?);
    Ok(Box::new(move |group| {
        group.each(|at| {
            let number = at.id as u32;
            if number < word_at(at, count, 0) {
                let count_at = |at: &mut Invocation<'_>, word| word_at(at, counts, word);
                let flags_at = |at: &mut Invocation<'_>, word| word_at(at, flags, word);
                let head = head_at(at, number, len, count_at, flags_at);
                at.write(heads, at.id, &Item::of(&[head]), 1);
            }
        });
    }))
}

/// Take: the last item of each segment, or of an empty one the identity.
pub fn take(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (scanned, offsets) = (terms.binding("SCANNED")?, terms.binding("OFFSETS")?);
    let count = terms.is_on("COUNTED_RESULTS").then(|| terms.binding("COUNT")).transpose()?;
    let (target, words) = (terms.binding("TARGET")?, terms.operation().words);
    let (len, room) = (terms.int("u_len")?, terms.int("u_room")?);
    Ok(Box::new(move |group| {
        group.each(|at| {
            let place = at.id as i32;
            let count = count.map_or(room, |count| word_at(at, count, 0).min(room as u32) as i32);
            if place >= count {
                return;
            }
            let begin = word_at(at, offsets, place);
            let next = (place + 1 < count).then(|| word_at(at, offsets, place + 1));
            let item = match last_of(begin, next, len).0 {
                Some(last) => at.read_item(scanned, last as usize, words),
                None => at.identity(),
            };
            at.write_item(target, at.id, &item, words);
        });
    }))
}
