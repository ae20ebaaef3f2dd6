//! The passes that most compactions share: flags of the unwanted, the search over their running count, and the final
//! count.

use std::collections::BTreeSet;

use super::super::scene::{Scene, SceneStream};
use super::{Narration, about, told};
use rasterscan::tools::printable::counted;

/// The flags of unwanted or of kept elements.
pub fn flags(scene: &Scene) -> Option<Narration> {
    let (kept, input, target) = (scene.kept()?, scene.input()?, scene.target(0)?);
    let examples = examples(&kept, &input, &target);
    let marked = if scene.is("UNWANTED") { "unwanted" } else { "kept" };
    let count = kept.iter().filter(|&&kept| kept != scene.is("UNWANTED")).count();
    let first = kept.iter().position(|&kept| kept).unwrap_or(0) as u64;
    let text = format!(
        "each element gets a flag, 1 if it is {marked}, else 0 (wanted: {}). {examples}; {count} of {} {}.",
        scene.wanted(),
        counted(kept.len() as u64, "flag"),
        if count == 1 { "is 1" } else { "are 1" }
    );
    about(&target, first, text)
}

/// A kept element and an unwanted one, with their flags.
pub fn examples(kept: &[bool], input: &SceneStream, flags: &SceneStream) -> String {
    let flagged = |wanted: bool, index: u64| {
        let how = if wanted { "kept" } else { "unwanted" };
        Some(format!("x[{index}] = {} is {how} and gets {}", input.item(index)?, flags.item(index)?))
    };
    of_both(kept, flagged)
}

/// Words on the first kept element and on the first unwanted one, as far as there are both.
pub fn of_both(kept: &[bool], tell: impl Fn(bool, u64) -> Option<String>) -> String {
    let first = |wanted: bool| tell(wanted, kept.iter().position(|&kept| kept == wanted)? as u64);
    [true, false].into_iter().filter_map(first).collect::<Vec<_>>().join("; ")
}

/// `1 is kept`, `3 are kept`.
pub fn are(count: u64, what: &str) -> String {
    if count == 1 { format!("1 is {what}") } else { format!("{count} are {what}") }
}

/// The move of a kept element within its block.
pub struct Move {
    /// The index of the element.
    pub from: u64,
    /// Its index after the move.
    pub to: u64,
    /// The first index of its block.
    pub first: u64,
}

/// An element that a compaction of blocks moves: the first whose index changes, or else the first that is kept.
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

/// The value that arrives at a position of the result, from an index.
pub fn arrives(scene: &Scene, place: u64, from: u64) -> Option<String> {
    let result = scene.target(0)?.item(place)?;
    if scene.is("MOVES_VALUES") {
        Some(format!("x[{from}] = {result} moves there"))
    } else {
        Some(format!("its index, {result}, is written there"))
    }
}

/// The number of places of a source that were read for a position; `None` if it was not recorded.
fn looks(scene: &Scene, place: u64, source: &str) -> Option<u64> {
    let number = scene.pass.sources.iter().position(|known| known.name == source)?;
    let reader = usize::try_from(place).ok()?;
    let reads = scene.pass.reads.iter().find_map(|reads| reads.of(reader))?;
    let probed = reads.iter().filter(|read| read.of as usize == number).map(|read| read.index);
    Some(probed.collect::<BTreeSet<_>>().len() as u64)
}

/// The reason for the number of probes of a dichotomic search whose first two bound the element by these indices.
fn halvings(lower: u64, upper: u64, probes: Option<u64>) -> String {
    let range = upper.saturating_sub(lower) + 1;
    let halved = u64::from(range.next_power_of_two().ilog2());
    let enough = 2 + halved;
    let more = match probes {
        Some(probes) if probes > enough => " The loop reads on, to test what it has found.",
        _ => "",
    };
    match range {
        1 => format!(" The first two probes leave one index, {lower}.{more}"),
        _ => format!(
            " The first two probes leave {range} indices, {lower} to {upper}, and each further one halves them: 2 + log2 {range}, rounded up, is \
             {enough}.{more}"
        ),
    }
}

/// The binary search.
pub fn search(scene: &Scene) -> Option<Narration> {
    let (kept, sums) = (scene.kept()?, scene.source("u_sums")?);
    let block = scene.number_of("BLOCK")?;
    let (how, block) = match block {
        0 => ("the whole stream is searched".into(), kept.len().max(1) as u64),
        block => (format!("each block of {block} is searched separately"), block),
    };
    let end = sums.len().min(block).checked_sub(1)?;
    let Some(found) = moved(&kept, block) else {
        let unwanted = sums.count(end)?;
        return told(format!(
            "each position of the result searches for its element, and none finds one: {how}, with {unwanted} unwanted."
        ));
    };
    let (j, i) = (found.from - found.first, found.to - found.first);
    let unwanted = sums.count(found.from)?;
    let ends = if scene.is("IMPROVED") { "until it is found" } else { "halving the range at each step" };
    let probes = looks(scene, found.to, "u_sums");
    let last = (found.first + block).min(sums.len()).checked_sub(1)?;
    let text = format!(
        "each position of the result searches for its element, {ends}: {how}. Position {} needs the element \
         with {} before it: {} up to index {j}, and {j} - {unwanted} = {i}{}; {}.{}",
        found.to,
        counted(i, "kept element"),
        are(unwanted, "unwanted"),
        probes.map_or_else(String::new, |probes| format!(", after {}", counted(probes, "probe"))),
        arrives(scene, found.to, found.from)?,
        halvings(i + sums.count(found.to)?, i + sums.count(last)?, probes)
    );
    about(&scene.target(0)?, found.to, text)
}

/// The number of kept elements, from the last running count.
pub fn count(scene: &Scene) -> Option<Narration> {
    let (sums, count) = (scene.source("u_sums")?, scene.target(0)?.count(0)?);
    let len = scene.int("u_len")?;
    let unwanted = sums.count(sums.len().checked_sub(1)?)?;
    let text = format!(
        "a one-texel pass counts what is kept: {} less the unwanted, {len} - {unwanted} = {count}. The count \
         stays on the GPU.",
        counted(len, "element")
    );
    about(&scene.target(0)?, 0, text)
}

/// The count of no elements.
pub fn nothing(scene: &Scene) -> Option<Narration> {
    told(format!("there are no elements, so the count is {}.", scene.target(0)?.count(0)?))
}

/// The number of kept elements in a part of the stream, and its length.
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
