//! Sorts by splits, one bit at a time, and by the bitonic network.

use rasterscan::tools::printable::counted;

use super::super::scene::{Scene, SceneStream};
use super::super::words::listed;
use super::{Narration, about};

/// Keys in a texel of the bitonic network.
const ITEMS: u64 = 4;

/// The flags of keys with a 0 in a bit.
pub fn flags(scene: &Scene) -> Option<Narration> {
    let (keys, flags, bit) = (scene.source("u_keys")?, scene.target(0)?, scene.int("u_bit")?);
    let count = (0..flags.len()).filter(|index| flags.count(*index) == Some(1)).count();
    let example = |flag: u64| {
        let index = (0..flags.len()).find(|index| flags.count(*index) == Some(flag))?;
        let has = 1 - flag;
        Some(format!("{}[{index}] = {} has a {has} there and gets {flag}", keys.short(), keys.item(index)?))
    };
    let examples: Vec<String> = [1, 0].into_iter().filter_map(example).collect();
    let text = format!(
        "keys are split by bit {bit}: each gets a flag, 1 if this bit is 0. {}; {count} of {} {}.",
        examples.join("; "),
        counted(flags.len(), "flag"),
        if count == 1 { "is 1" } else { "are 1" }
    );
    about(&flags, 0, text)
}

/// Each place of a split finds its key.
pub fn split(scene: &Scene) -> Option<Narration> {
    let (keys, sums, target) = (scene.source("u_keys")?, scene.source("u_sums")?, scene.target(0)?);
    let zeros = sums.count(sums.len().checked_sub(1)?)?;
    // The zeros before a key, and up to it.
    let counts = |index: u64| {
        let before = index.checked_sub(1).map_or(Some(0), |last| sums.count(last))?;
        Some((before, sums.count(index)?))
    };
    let place_of = |index: u64| match counts(index)? {
        (before, upto) if before < upto => Some(before),
        (before, _) => (zeros + index).checked_sub(before),
    };
    let from = (0..sums.len()).find(|index| place_of(*index) != Some(*index)).unwrap_or(0);
    let place = place_of(from)?;
    let why = match place.checked_sub(zeros) {
        None => format!("takes the key with {} before it", counted(place, "zero")),
        Some(rank) => format!(
            "is behind them, and {place} - {zeros} = {rank}: it takes the key with {} before it",
            counted(rank, "one")
        ),
    };
    let text = format!(
        "keys with a 0 in the bit come first, {zeros} of {}, then those with a 1, both in their order. Position {place} {why}, \
         {}[{from}] = {}.",
        sums.len(),
        keys.short(),
        target.item(place)?
    );
    about(&target, place, text)
}

/// The keys of a texel, as a list.
fn texel(stream: &SceneStream, texel: u64) -> String {
    listed((ITEMS * texel..).map_while(|place| stream.item(place)), ITEMS as usize).replace(", …", "")
}

/// The keys with their indices, sorted within each texel.
pub fn first(scene: &Scene) -> Option<Narration> {
    let (keys, target) = (scene.source("u_keys")?, scene.target(0)?);
    let padding = match target.len().saturating_sub(keys.len()) {
        0 => String::new(),
        padding => format!(", padded by {padding} of the highest key"),
    };
    let text = format!(
        "each texel holds four keys, and another texture the index of each{padding}. Every texel is sorted, the first \
         one ascending, the next one descending, and so on. The first one had {} and has {} now.",
        texel(&keys, 0),
        texel(&target, 0)
    );
    about(&target, 0, text)
}

/// A step of the bitonic network.
pub fn step(scene: &Scene) -> Option<Narration> {
    let (before, after) = (scene.source("u_keys")?, scene.target(0)?);
    let (run, distance) = (scene.int("u_run")?, scene.int("u_distance")?);
    let direction = |place: u64| if place & run == 0 { "ascends" } else { "descends" };
    let told = format!(
        "{}keys {distance} apart are compared, in runs of {run} that ascend and descend in turn",
        scene.stepped("step")
    );
    let pairs = || (0..before.len()).filter(|place| place & distance == 0);
    if distance == ITEMS {
        let pair = pairs().find(|place| texel(&before, place / ITEMS) != texel(&after, place / ITEMS));
        let pair = pair.unwrap_or(0) / ITEMS;
        let text = format!(
            "{told}; then those 2 apart and 1 apart, within each texel. The texel from position {} on, whose run {}, had {} and \
             has {} now.",
            ITEMS * pair,
            direction(ITEMS * pair),
            texel(&before, pair),
            texel(&after, pair)
        );
        return about(&after, ITEMS * pair, text);
    }
    let is_swapped = |first: &u64| before.count(*first) != after.count(*first);
    let first = pairs().find(is_swapped).unwrap_or(0);
    let text = format!(
        "{told}; this swaps {}. At positions {first} and {}, where the run {}, {} and {} {}: {} comes first.",
        counted(pairs().filter(is_swapped).count() as u64, "pair"),
        first + distance,
        direction(first),
        before.item(first)?,
        before.item(first + distance)?,
        if is_swapped(&first) { "are swapped" } else { "stay" },
        after.item(first)?
    );
    about(&after, first, text)
}

/// Each place takes the key of its index.
pub fn gather(scene: &Scene) -> Option<Narration> {
    let (keys, indices, target) = (scene.source("u_keys")?, scene.source("u_indices")?, scene.target(0)?);
    let place = (0..target.len()).find(|place| indices.count(*place) != Some(*place)).unwrap_or(0);
    let text = format!(
        "the indices are sorted, and each position takes the key of its index. Position {place} has the index {}: it takes \
         {}[{0}] = {}.",
        indices.count(place)?,
        keys.short(),
        target.item(place)?
    );
    about(&target, place, text)
}
