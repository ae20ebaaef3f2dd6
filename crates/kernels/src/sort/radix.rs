//! The radix sort of textures. `glsl/sort/radix/`.

use super::moves::Moves;
use crate::{Error, Fragment, FragmentKernel, Item, Source, Terms};

/// The streams of pairs: the even ones, and the odd ones.
const PAIRS: [&str; 2] = ["u_even_pairs", "u_odd_pairs"];

/// The digits of 32 keys, as planes of bits.
pub fn planes(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (len, shift) = (terms.define("LEN")?, terms.int("u_shift")?);
    let (digits, stripe, target) = (terms.define("DIGITS")? as u32, terms.define("STRIPE")?, terms.target());
    let streams = match terms.is_on("FROM_PAIRS") {
        true => PAIRS.iter().map(|name| terms.source(name)).collect::<Result<Vec<_>, _>>()?,
        false => vec![terms.source("u_keys")?],
    };
    Ok(Box::new(move |at| {
        let index = target.index(at.here);
        let (quarter, block) = (index / stripe % 4, index / (stripe * 4) * stripe + index % stripe);
        let first = block * 128 + quarter * 32;
        let mut planes = [0; 4];
        for texel in (0..32).step_by(4) {
            let mut words = [0; 4];
            if first + texel < len {
                for (number, stream) in streams.iter().enumerate() {
                    let found = at.fetch(*stream, stream.shape.texel((first + texel) / 4));
                    // Of pairs, each stream has every second key.
                    let keys = (number..4).step_by(streams.len());
                    keys.zip(found.iter().step_by(streams.len())).for_each(|(key, word)| words[key] = *word);
                }
            }
            for (key, word) in (texel..).zip(&words) {
                // Places past the last key hold the highest digit.
                let digit = if first + key < len { word >> shift & (digits - 1) } else { digits - 1 };
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
    let (planes, target) = (terms.source("u_planes")?, terms.target());
    let (blocks, stripe) = (terms.define("BLOCKS")?, terms.define("STRIPE")?);
    Ok(Box::new(move |at| {
        let index = target.index(at.here);
        let (digit, block) = (index / blocks, index % blocks);
        let mut mask = [0; 4];
        let first = block / stripe * stripe * 4 + block % stripe;
        for (index, bits) in (first..).step_by(stripe as usize).zip(&mut mask) {
            let planes = at.fetch_item_at(planes, index);
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

/// A mask, and its start.
struct Found {
    mask: i32,
    start: i32,
}

/// The last mask from `low` on and below `high` that does not start past a place.
fn find(at: &mut Fragment<'_>, starts: Source, place: i32, low: i32, high: i32) -> Found {
    let (mut found, mut high) = (Found { mask: low, start: -1 }, high);
    while high - found.mask > 1 {
        let middle = (found.mask + high) >> 1;
        let start = start_of(at, starts, middle);
        if start <= place {
            found = Found { mask: middle, start };
        } else {
            high = middle;
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

/// The streams by which a place finds its key.
struct Search {
    marks: Source,
    starts: Source,
    masks: Source,
    blocks: i32,
    span: i32,
}

/// A mask, and its bits that no place has taken.
type Left = Option<(i32, u128)>;

impl Search {
    fn new(terms: &Terms<'_>) -> Result<Search, Error> {
        let [marks, starts, masks] =
            [terms.source("u_marks")?, terms.source("u_starts")?, terms.source("u_masks")?];
        Ok(Search { marks, starts, masks, blocks: terms.define("BLOCKS")?, span: terms.define("SPAN")? })
    }

    /// The mask of a place, and its bits, without those of earlier places.
    fn find_marked(&self, at: &mut Fragment<'_>, place: i32) -> (i32, u128) {
        let Search { marks, starts, masks, span, .. } = *self;
        let mark = |at: &mut Fragment<'_>, number| at.fetch_item_at(marks, number).words()[0] as i32;
        let number = place / span;
        let high = if number + 1 < marks.shape.len { mark(at, number + 1) + 1 } else { starts.shape.len };
        let low = mark(at, number);
        let found = find(at, starts, place, low, high);
        let bits = mask_at(at, masks, found.mask);
        (found.mask, (found.start..place).fold(bits, |bits, _| bits & bits.wrapping_sub(1)))
    }

    /// The index of the key of a place, which is the first one of a texel or the one after the last.
    fn key_of(&self, at: &mut Fragment<'_>, place: i32, left: &mut Left) -> i32 {
        let (mask, bits) = match *left {
            None => self.find_marked(at, place),
            Some((mask, 0)) => match mask_at(at, self.masks, mask + 1) {
                0 => self.find_marked(at, place),
                bits => (mask + 1, bits),
            },
            Some(left) => left,
        };
        *left = Some((mask, bits & bits.wrapping_sub(1)));
        mask % self.blocks * 128 + bits.trailing_zeros() as i32
    }
}

/// Keys of a texel.
const ITEMS: i32 = 4;

/// Each place finds its key by the starts of the masks and the bits of one.
pub fn gather(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (search, moves) = (Search::new(terms)?, Moves::new(terms, ITEMS)?);
    Ok(Box::new(move |at| {
        let mut left = None;
        moves.write(at, |at, place| search.key_of(at, place, &mut left));
    }))
}

/// The same for keys with a payload or their index, from streams or pairs to streams or pairs.
pub fn gather_pairs(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (search, target, len) = (Search::new(terms)?, terms.target(), terms.define("LEN")?);
    let [from_pairs, to_pairs, keys] = ["FROM_PAIRS", "TO_PAIRS", "KEYS"].map(|name| terms.is_on(name));
    let names = if from_pairs { PAIRS } else { ["u_keys", "u_payload"] };
    let names = &names[..terms.define("PAYLOADS")? as usize + 1];
    let streams = names.iter().map(|name| terms.source(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * ITEMS;
        let mut left = None;
        let places = first..(first + ITEMS).min(len);
        let found: Vec<i32> = places.map(|place| search.key_of(at, place, &mut left)).collect();
        for (place, index) in found.into_iter().enumerate() {
            let pair = match from_pairs {
                true => at.fetch_item_at(streams[(index & 1) as usize], index / 2),
                false => {
                    let mut key = at.fetch_item_at(streams[0], index);
                    let payload = streams.get(1).map(|payload| at.fetch_item_at(*payload, index));
                    key.set(1, payload.map_or(index as u32, |payload| payload.words()[0]));
                    key
                }
            };
            if to_pairs {
                at.write_words(place % 2, place / 2, &pair, 2);
                continue;
            }
            if keys {
                at.write_words(0, place, &pair, 1);
            }
            at.write_words(keys.into(), place, &Item::with_origin(&pair.words()[1..2], pair.origin), 1);
        }
    }))
}

/// The bits of a mask, the first key's the lowest.
fn mask_at(at: &mut Fragment<'_>, masks: Source, index: i32) -> u128 {
    let words = at.fetch_item_at(masks, index);
    words.words()[..4].iter().rev().fold(0, |bits, word| bits << 32 | u128::from(*word))
}
