//! What most compactions do: flags for the unwanted, the search over their running count, the count that is left.

use super::super::scene::{Scene, SceneStream};
use super::super::words::several;

/// Flags of the unwanted, or of what is kept.
pub fn flags(scene: &Scene) -> Option<String> {
    let (kept, input, target) = (scene.kept()?, scene.input()?, scene.target(0)?);
    let example = |wanted: bool| {
        let index = kept.iter().position(|&kept| kept == wanted)? as u64;
        Some(format!(
            "x[{index}] = {} is {} and gets {}",
            input.item(index)?,
            if wanted { "kept" } else { "unwanted" },
            target.item(index)?
        ))
    };
    let marked = if scene.is("UNWANTED") { "unwanted" } else { "kept" };
    let examples: Vec<String> = [true, false].into_iter().filter_map(example).collect();
    let count = kept.iter().filter(|&&kept| kept != scene.is("UNWANTED")).count();
    Some(format!(
        "a flag of 1 for each element that is {marked}, else 0 (wanted: {}). {}, and {count} of {} {}.",
        scene.wanted(),
        examples.join("; "),
        several(kept.len() as u64, "flag"),
        if count == 1 { "is 1" } else { "are 1" }
    ))
}

/// Where an element that is kept comes from, and where in its block it goes.
pub struct Move {
    /// The index of the element.
    pub from: u64,
    /// Its place.
    pub to: u64,
    /// The first of its block.
    pub first: u64,
}

/// An element that a compaction of blocks moves: the first that really changes its place, or the first of all.
pub fn moved(kept: &[bool], block: u64) -> Option<Move> {
    let mut first_of_all = None;
    let mut taken = 0;
    for (from, &kept) in kept.iter().enumerate() {
        let from = from as u64;
        if from.is_multiple_of(block) {
            taken = 0;
        }
        if kept {
            let first = from / block * block;
            let found = Move { from, to: first + taken, first };
            taken += 1;
            if found.from != found.to {
                return Some(found);
            }
            first_of_all.get_or_insert(found);
        }
    }
    first_of_all
}

/// What arrives at a place of the result, from an index.
pub fn arrives(scene: &Scene, place: u64, from: u64) -> Option<String> {
    let result = scene.target(0)?.item(place)?;
    if scene.is("MOVES_VALUES") {
        Some(format!("x[{from}] = {result} moves there"))
    } else {
        Some(format!("its index, {result}, is written there"))
    }
}

/// How often the reader of a place looked at a source; nothing where that was not recorded.
fn looks(scene: &Scene, place: u64, source: &str) -> String {
    let number = scene.pass.sources.iter().position(|known| known.name == source);
    let reader = usize::try_from(place).ok();
    let reads = scene.pass.reads.iter().find_map(|reads| reads.of(reader?));
    match (number, reads) {
        (Some(number), Some(reads)) => {
            let looks = reads.iter().filter(|read| read.of as usize == number).count();
            format!(", after {}", several(looks as u64, "look"))
        }
        _ => String::new(),
    }
}

/// The dichotomic search.
pub fn search(scene: &Scene) -> Option<String> {
    let (kept, sums) = (scene.kept()?, scene.source("u_sums")?);
    let block = scene.number_of("BLOCK")?;
    let (how, block) = match block {
        0 => ("the whole stream is searched".into(), kept.len().max(1) as u64),
        block => (format!("each block of {block} is searched alone"), block),
    };
    let end = sums.len().min(block).checked_sub(1)?;
    let Some(found) = moved(&kept, block) else {
        let unwanted = sums.count(end)?;
        return Some(format!(
            "each place of the result looks for its element, and none finds one: {how}, of which {unwanted} are unwanted."
        ));
    };
    let (j, i) = (found.from - found.first, found.to - found.first);
    let unwanted = sums.count(found.from)?;
    let ends = if scene.is("IMPROVED") { "until it is found" } else { "in steps that halve what is left" };
    Some(format!(
        "each place of the result looks for its element, {ends}: {how}. Place {} looks for the element that has {} before it: \
         {} up to place {j}, and {j} - {unwanted} = {i}{}; {}.",
        found.to,
        several(i, "wanted one"),
        unwanted_ones(unwanted),
        looks(scene, found.to, "u_sums"),
        arrives(scene, found.to, found.from)?
    ))
}

fn unwanted_ones(count: u64) -> String {
    if count == 1 { "1 is unwanted".into() } else { format!("{count} are unwanted") }
}

/// How many are kept, from the last running count.
pub fn count(scene: &Scene) -> Option<String> {
    let (sums, count) = (scene.source("u_sums")?, scene.target(0)?.count(0)?);
    let len = scene.int("u_len")?;
    let unwanted = sums.count(sums.len().checked_sub(1)?)?;
    Some(format!(
        "a pass of one texel: of {} all but the unwanted are kept, {len} - {unwanted} = {count}. The count stays on the GPU.",
        several(len, "element")
    ))
}

/// The count of no elements.
pub fn nothing(scene: &Scene) -> Option<String> {
    Some(format!("there are no elements, so the count is {}.", scene.target(0)?.count(0)?))
}

/// Flags of a stretch of the stream, where some are kept and some are not, as a sentence says it.
pub fn share(kept: &[bool], first: usize, count: usize) -> Option<(usize, usize)> {
    let stretch = kept.get(first..(first + count).min(kept.len()))?;
    Some((stretch.iter().filter(|&&kept| kept).count(), stretch.len()))
}

/// The words of a texel of bits, as hexadecimal numbers.
pub fn bits(stream: &SceneStream, texel: u64) -> Option<String> {
    let item = stream.item(texel)?;
    let words: Vec<String> = item.words().iter().map(|word| format!("{word:08x}")).collect();
    Some(words.join(" "))
}
