//! The radix sort of textures: planes of bits, masks of digits, their counts, and the search of each position.

use rasterscan::tools::printable::counted;

use super::super::scene::{Scene, SceneStream};
use super::flags::bits as hexadecimal;
use super::{Narration, about};

/// Keys in a block: the bits of a mask.
const BLOCK: u64 = 128;

/// A key before the pass, its name, and in a pair what moves with it.
struct Key {
    name: String,
    key: u32,
    payload: Option<u32>,
}

impl Key {
    fn at(scene: &Scene, index: u64) -> Option<Key> {
        let (stream, item) = match scene.is("FROM_PAIRS") {
            true if index.is_multiple_of(2) => (scene.source("u_even_pairs")?, index / 2),
            true => (scene.source("u_odd_pairs")?, index / 2),
            false => (scene.source("u_keys")?, index),
        };
        let words = stream.item(item)?;
        let payload = words.words().get(1).copied().filter(|_| scene.is("FROM_PAIRS"));
        Some(Key { name: format!("{}[{item}]", stream.short()), key: *words.words().first()?, payload })
    }
}

/// The bits of a mask, the first key's the lowest.
fn mask(masks: &SceneStream, index: u64) -> Option<u128> {
    let item = masks.item(index)?;
    Some(item.words().iter().rev().fold(0, |bits, word| bits << 32 | u128::from(*word)))
}

/// The digit and the block of a mask, in words.
fn named(index: u64, blocks: u64) -> String {
    match blocks {
        1 => format!("of digit {index}"),
        _ => format!("of digit {} in block {}", index / blocks, index % blocks),
    }
}

/// The digits of keys as planes of bits.
pub fn planes(scene: &Scene) -> Option<Narration> {
    let (planes, shift, bits) = (scene.target(0)?, scene.int("u_shift")?, scene.positive("BITS")?);
    let Key { name, key, payload } = Key::at(scene, 0)?;
    let of = if payload.is_some() { "the key of " } else { "" };
    let digit = u64::from(key) >> shift & ((1 << bits) - 1);
    let text = format!(
        "the digit of a key is its bits {shift} to {}. Each texel holds the digits of 32 keys, turned: bit 0 of all in its first \
         word, bit 1 in the second, and so on. {of}{name}, {key}, has the digit {digit}, {digit:0width$b} in binary, in the \
         lowest bits of {}.{}",
        shift + bits - 1,
        hexadecimal(&planes, 0)?,
        match scene.positive("LEN")?.next_multiple_of(BLOCK) - scene.positive("LEN")? {
            0 => String::new(),
            after => format!(
                " The rest of the last block, {}, has the digit {}, so that it comes last; nothing moves from there.",
                counted(after, "position"),
                (1 << bits) - 1
            ),
        },
        width = bits as usize
    );
    about(&planes, 0, text)
}

/// A mask for each digit and block.
pub fn masks(scene: &Scene) -> Option<Narration> {
    let (masks, blocks) = (scene.target(0)?, scene.positive("BLOCKS")?);
    let index = (0..masks.len()).find(|index| mask(&masks, *index).is_some_and(|mask| mask > 0))?;
    let ones = u64::from(mask(&masks, index)?.count_ones());
    let text = format!(
        "each digit gets a mask for each block of {BLOCK} keys: bit k is 1 if key k of the block has the digit. All masks of \
         digit 0 come first. The first that is not empty is mask {index}, {}: {}, {}.",
        named(index, blocks),
        hexadecimal(&masks, index)?,
        counted(ones, "key")
    );
    about(&masks, index, text)
}

/// The keys of each mask.
pub fn counts(scene: &Scene) -> Option<Narration> {
    let (masks, counts) = (scene.source("u_masks")?, scene.target(0)?);
    let index = (0..counts.len()).find(|index| counts.count(*index) != Some(0))?;
    let text = format!(
        "the ones of each of {} are counted; the scan of the counts says where the keys of each mask begin in the result. \
         Mask {index} has {}.",
        counted(masks.len(), "mask"),
        counted(counts.count(index)?, "key")
    );
    about(&counts, index, text)
}

/// The masks where searches begin.
pub fn marks(scene: &Scene) -> Option<Narration> {
    let (starts, marks, span) = (scene.source("u_starts")?, scene.target(0)?, scene.positive("SPAN")?);
    let last = marks.len().checked_sub(1)?;
    let mask = marks.count(last)?;
    let text = format!(
        "for each {span} positions a mark says which mask holds the key of the first one, so that searches are short: {}. \
         The last, for position {}, is mask {mask}, which starts at {}.",
        counted(marks.len(), "mark"),
        last * span,
        starts.count(mask)?
    );
    about(&marks, last, text)
}

/// Each position finds its key.
pub fn gather(scene: &Scene) -> Option<Narration> {
    let (starts, masks, blocks) =
        (scene.source("u_starts")?, scene.source("u_masks")?, scene.positive("BLOCKS")?);
    // The keys of a mask go to the places from its start on.
    let sources = |index: u64| {
        let bits = mask(&masks, index)?;
        let keys = (0..BLOCK).filter(move |key| bits >> key & 1 == 1);
        Some((starts.count(index)?..).zip(keys.map(move |key| index % blocks * BLOCK + key)))
    };
    let all = || (0..masks.len()).filter_map(|index| Some((index, sources(index)?)));
    let moved = |least: u64| {
        all().find_map(|(index, mut keys)| {
            let start = starts.count(index)?;
            let (place, from) = keys.find(|(place, from)| place != from && *place >= start + least)?;
            Some((index, start, place, from)).filter(|_| Key::at(scene, from).is_some())
        })
    };
    let first = || {
        let (index, mut keys) = all().find(|(index, _)| mask(&masks, *index) != Some(0))?;
        let (place, from) = keys.next()?;
        Some((index, place, place, from))
    };
    let (index, start, place, from) = moved(1).or_else(|| moved(0)).or_else(first)?;
    let (target, item) = match scene.is("TO_PAIRS") {
        true => (scene.target((place % 2) as usize)?, place / 2),
        false => (scene.target(0)?, place),
    };
    let Key { name, key, payload } = Key::at(scene, from)?;
    let with = payload.map_or(String::new(), |payload| format!(" with {payload}"));
    let text = format!(
        "each position looks for the last mask that starts at it or before. Position {place} finds mask {index}, {}, which starts \
         at {start}: it skips {} there, and takes {name} = {key}{with}.",
        named(index, blocks),
        counted(place - start, "one")
    );
    about(&target, item, text)
}
