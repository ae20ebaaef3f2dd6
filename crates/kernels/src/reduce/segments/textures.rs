//! Segments in textures, several items to a texel.

use super::{head_at, heads_of, last_of};
use crate::copy::ORIGIN;
use crate::{Error, Fragment, FragmentKernel, Source, Terms};

/// Item `index` of a stream of words.
fn word_at(at: &mut Fragment<'_>, source: Source, index: i32) -> u32 {
    let items = source.texel_items as i32;
    at.fetch(source, source.shape.texel(index / items))[(index % items) as usize]
}

/// Counts: the number of segments that begin in each word of flags.
pub fn counts(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (flags, target, len) = (terms.source("u_flags")?, terms.target(), terms.int("u_len")?);
    let items = terms.define("TARGET_ITEMS")?;
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * items;
        let mut counts = [0; 4];
        for (word, count) in (first..target.len).zip(counts.iter_mut().take(items as usize)) {
            *count = heads_of(word_at(at, flags, word), word, len).count_ones();
        }
        at.write(0, &counts);
    }))
}

/// Heads: the index of the first item of each segment.
pub fn heads(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let [flags, counts, count] = ["u_flags", "u_counts", "u_count"].map(|name| terms.source(name));
    let (flags, counts, count, target) = (flags?, counts?, count?, terms.target());
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * 4;
        let count = at.fetch_word(count, ORIGIN);
        let mut heads = [0; 4];
        for (number, head) in (first as u32..count).zip(&mut heads) {
            let count_at = |at: &mut Fragment<'_>, word| word_at(at, counts, word);
            let flags_at = |at: &mut Fragment<'_>, word| word_at(at, flags, word);
            *head = head_at(at, number, target.len, count_at, flags_at);
        }
        at.write(0, &heads);
    }))
}

/// Take: the last item of each segment, or of an empty one the identity.
pub fn take(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (scanned, offsets) = (terms.source("u_scanned")?, terms.source("u_offsets")?);
    let count = terms.is_on("COUNTED_RESULTS").then(|| terms.source("u_count")).transpose()?;
    let (target, items, operation) = (terms.target(), terms.define("TARGET_ITEMS")?, terms.operation());
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * items;
        let count = match count {
            Some(count) => at.fetch_word(count, ORIGIN).min(target.len as u32) as i32,
            None => target.len,
        };
        if first >= count {
            return;
        }
        let mut begin = word_at(at, offsets, first);
        for (place, number) in (first..count).zip(0..items as usize) {
            let next = (place + 1 < count).then(|| word_at(at, offsets, place + 1));
            let (last, end) = last_of(begin, next, scanned.shape.len);
            let item = match last {
                Some(last) => at.fetch_item_at(scanned, last),
                None => at.identity(),
            };
            at.write_item(0, number, &item, &operation);
            begin = end;
        }
    }))
}
