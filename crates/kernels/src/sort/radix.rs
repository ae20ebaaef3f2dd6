//! The radix sort of textures. `glsl/sort/radix/`.

use super::moves::Moves;
use crate::{Error, Fragment, FragmentKernel, Source, Terms};

/// The digits of 32 keys, as planes of bits.
pub fn planes(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (keys, shift) = (terms.source("u_keys")?, terms.int("u_shift")?);
    let (digits, target) = (terms.define("DIGITS")? as u32, terms.target());
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * 32;
        let mut planes = [0; 4];
        for texel in (0..32).step_by(keys.texel_items) {
            let words = match keys.shape.len - first - texel {
                1.. => at.fetch(keys, keys.shape.texel((first + texel) / keys.texel_items as i32)),
                _ => [0; 4],
            };
            for (key, word) in (texel..).zip(&words[..keys.texel_items]) {
                // Places past the last key hold the highest digit.
                let is_key = first + key < keys.shape.len;
                let digit = if is_key { word >> shift & (digits - 1) } else { digits - 1 };
                for (bit, plane) in planes.iter_mut().enumerate() {
                    *plane |= (digit >> bit & 1) << key;
                }
            }
        }
        at.write(0, &planes);
    }))
}

/// The keys of 128 that have a digit, as bits.
pub fn masks(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (planes, blocks, target) = (terms.source("u_planes")?, terms.define("BLOCKS")?, terms.target());
    Ok(Box::new(move |at| {
        let index = target.index(at.here);
        let (digit, block) = (index / blocks, index % blocks);
        let mut mask = [0; 4];
        for (word, bits) in (block * 4..).zip(&mut mask) {
            let planes = at.fetch_item_at(planes, word);
            let is_digit = |(bit, plane): (usize, &u32)| if digit >> bit & 1 == 1 { *plane } else { !plane };
            *bits = planes.words()[..4].iter().enumerate().map(is_digit).fold(!0, |all, plane| all & plane);
        }
        at.write(0, &mask);
    }))
}

/// The number of keys in each mask.
pub fn counts(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (masks, items, target) = (terms.source("u_masks")?, terms.define("ITEMS")?, terms.target());
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * items;
        let mut counts = [0; 4];
        for (index, count) in (first..first + items).zip(&mut counts) {
            if index < masks.shape.len {
                *count =
                    at.fetch_item_at(masks, index).words()[..4].iter().map(|word| word.count_ones()).sum();
            }
        }
        at.write(0, &counts[..items as usize]);
    }))
}

/// The mask that holds each place that is a multiple of SPAN.
pub fn marks(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (starts, span, target) = (terms.source("u_starts")?, terms.define("SPAN")?, terms.target());
    Ok(Box::new(move |at| {
        let place = target.index(at.here) * span;
        let found = find(at, starts, place, 0, starts.shape.len);
        at.write(0, &[found.mask as u32]);
    }))
}

/// A mask, its start, and its end, or a later place.
struct Found {
    mask: i32,
    start: i32,
    end: i32,
}

/// The last mask from `low` on and below `high` that does not start past a place.
fn find(at: &mut Fragment<'_>, starts: Source, place: i32, low: i32, high: i32) -> Found {
    let (mut found, mut high) = (Found { mask: low, start: -1, end: i32::MAX }, high);
    while high - found.mask > 1 {
        let middle = (found.mask + high) >> 1;
        let start = start_of(at, starts, middle);
        if start <= place {
            (found.mask, found.start) = (middle, start);
        } else {
            (high, found.end) = (middle, start);
        }
    }
    if found.start < 0 {
        found.start = start_of(at, starts, found.mask);
    }
    found
}

fn start_of(at: &mut Fragment<'_>, starts: Source, mask: i32) -> i32 {
    at.fetch_item_at(starts, mask).words()[0] as i32
}

/// The mask that holds the place at which another one ends.
fn find_next(at: &mut Fragment<'_>, starts: Source, last: &Found, high: i32) -> Found {
    let (next, after) = (last.mask + 1, last.mask + 2);
    let end = if after < starts.shape.len { start_of(at, starts, after) } else { i32::MAX };
    match end > last.end {
        true => Found { mask: next, start: last.end, end },
        false => find(at, starts, last.end, after, high),
    }
}

/// Each place finds its key by the starts of the masks and the bits of one.
pub fn gather(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let [marks, starts, masks] =
        [terms.source("u_marks")?, terms.source("u_starts")?, terms.source("u_masks")?];
    let (blocks, span) = (terms.define("BLOCKS")?, terms.define("SPAN")?);
    let moves = Moves::new(terms)?;
    Ok(Box::new(move |at| {
        let mut high = 0;
        let mut state: Option<(Found, u128)> = None;
        moves.write(at, |at, place| {
            let (found, bits) = match state.take() {
                None => {
                    let mark =
                        |at: &mut Fragment<'_>, number| at.fetch_item_at(marks, number).words()[0] as i32;
                    let number = place / span;
                    high = if number + 1 < marks.shape.len {
                        mark(at, number + 1) + 1
                    } else {
                        starts.shape.len
                    };
                    let low = mark(at, number);
                    let found = find(at, starts, place, low, high);
                    let bits = mask_at(at, masks, found.mask);
                    // Those of earlier places are cleared.
                    let bits = (found.start..place).fold(bits, |bits, _| bits & bits.wrapping_sub(1));
                    (found, bits)
                }
                Some((last, _)) if place == last.end => {
                    let found = find_next(at, starts, &last, high);
                    let bits = mask_at(at, masks, found.mask);
                    (found, bits)
                }
                Some(state) => state,
            };
            let key = found.mask % blocks * 128 + bits.trailing_zeros() as i32;
            state = Some((found, bits & bits.wrapping_sub(1)));
            key
        });
    }))
}

/// The bits of a mask, the first key's the lowest.
fn mask_at(at: &mut Fragment<'_>, masks: Source, index: i32) -> u128 {
    let words = at.fetch_item_at(masks, index);
    words.words()[..4].iter().rev().fold(0, |bits, word| bits << 32 | u128::from(*word))
}
