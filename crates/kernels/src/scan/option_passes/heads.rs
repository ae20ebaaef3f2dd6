//! Where scans begin: flags at offsets, and the table of a texel for 8 items that scans in textures look up.

use crate::{Error, FragmentKernel, Terms};

/// Bits in a word of flags.
pub const BITS: u32 = 32;

/// The word of flags from item `first` on: its bits are set at the offsets, which ascend. It finds its first offset by
/// bisection.
pub fn word_of_flags(first: u32, count: usize, mut offset: impl FnMut(usize) -> u32) -> u32 {
    let mut flags = 0;
    let mut i = first_from(0, count, first, &mut offset);
    while i < count {
        let bit = offset(i) - first;
        if bit >= BITS {
            break;
        }
        // An offset may repeat any number of times: its copies are passed over by a search.
        let repeats = flags >> bit & 1 != 0;
        i = if repeats { first_from(i + 1, count, first + bit + 1, &mut offset) } else { i + 1 };
        flags |= 1 << bit;
    }
    flags
}

/// The number of the first offset, from number `low` on, that is at least `item`.
fn first_from(mut low: usize, count: usize, item: u32, offset: &mut impl FnMut(usize) -> u32) -> usize {
    let mut high = count;
    while low < high {
        let middle = (low + high) / 2;
        if offset(middle) < item {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Flags, a word to a texel.
pub fn flags(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (offsets, target) = (terms.source("u_offsets")?, terms.target());
    let count = terms.int("u_count")? as usize;
    Ok(Box::new(move |at| {
        let first = target.index(at.here) as u32 * BITS;
        let flags = word_of_flags(first, count, |i| {
            let texel = offsets.shape.texel(i as i32 / 4);
            at.fetch(offsets, texel)[i % 4]
        });
        at.write(0, &[flags]);
    }))
}

/// The word of flags from item `first` on, of `len`: its bits are set where a key differs from the one before.
pub fn word_of_keys(first: usize, len: usize, mut key: impl FnMut(usize) -> [u32; 2]) -> u32 {
    let mut flags = 0;
    let mut before = first.checked_sub(1).filter(|before| *before < len).map(&mut key);
    for (bit, index) in (first..len).enumerate().take(BITS as usize) {
        let own = key(index);
        flags |= u32::from(before != Some(own)) << bit;
        before = Some(own);
    }
    flags
}

/// Flags where keys differ, a word to a texel.
pub fn keys(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (keys, target) = (terms.source("u_keys")?, terms.target());
    Ok(Box::new(move |at| {
        let first = target.index(at.here) as usize * BITS as usize;
        let flags = word_of_keys(first, keys.shape.len as usize, |i| at.fetch_item_at(keys, i as i32).bits());
        at.write(0, &[flags]);
    }))
}

/// Last heads: the index of the last bit that is set in each word of flags, or 0; four words to a texel.
pub fn last_heads(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (flags, target) = (terms.source("u_flags")?, terms.target());
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * 4;
        let mut heads = [0; 4];
        for (word, head) in (first..target.len).zip(&mut heads) {
            let bits = at.fetch_word(flags, flags.shape.texel(word));
            *head = bits.checked_ilog2().map_or(0, |bit| word as u32 * BITS + bit);
        }
        at.write(0, &heads);
    }))
}

/// Starts: for each 8 items their flags, and how many items before them the scan begins that reaches the first; in streams
/// too long for that where it begins, in a second channel.
pub fn starts(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (flags, before) = (terms.source("u_flags")?, terms.source("u_before")?);
    let (target, far) = (terms.target(), terms.is_on("FAR"));
    Ok(Box::new(move |at| {
        let group = target.index(at.here);
        let word = group.min(target.len - 1) / 4;
        let bits = at.fetch_word(flags, flags.shape.texel(word));
        let shift = group % 4 * 8;
        let (own, lower) = (bits >> shift & 0xFF, bits & ((1 << shift) - 1));
        let start = match lower.checked_ilog2() {
            Some(bit) => word as u32 * BITS + bit,
            None => at.fetch(before, before.shape.texel(word / 4))[(word % 4) as usize],
        };
        match far {
            true => at.write(0, &[own, start]),
            false => at.write(0, &[own | (group as u32 * 8).wrapping_sub(start) << 8]),
        }
    }))
}
