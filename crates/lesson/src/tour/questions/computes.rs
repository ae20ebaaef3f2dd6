//! The questions about compute shaders: banks, look-back and SAM.

use rasterscan::trace::Recording;

use super::super::super::banks as memory;
use super::super::super::look_back::{self, Kind, TileStory, Tiles};
use super::super::Question;
use super::{count, first, mistakes};

pub fn banks(recording: &Recording) -> Option<Question> {
    let scene = first(recording, "scan blocks")?;
    let memory = memory::of(recording, scene.number)?;
    // On the way up, where the most turns are lost for the first time.
    let step = memory.worst()?;
    let addresses: Vec<u64> = step.accesses.iter().map(|access| u64::from(access.address)).collect();
    let banks = 2 * memory.banks;
    let (bank, turns) = most_of_one_bank(&addresses, banks)?;
    let answer = count(turns)?;
    let what = if step.written { "write" } else { "read" };
    let listed = addresses.iter().map(u64::to_string).collect::<Vec<String>>().join(", ");
    let known = [
        (count(step.degree), "That is the number for today's banks. Twice as many spread the words more."),
        (
            count(addresses.len() as u64),
            "That many words are asked for. Some of them lie in different banks.",
        ),
        (count(banks), "That is the number of banks."),
        (count(1), "That would need every word in a bank of its own. Take the numbers modulo the banks."),
    ];
    Some(Question {
        text: format!(
            "With {} banks, the invocations that {what} the words {listed} at once take {} turns. How many turns would it take with {banks} banks?",
            memory.banks, step.degree
        ),
        answer,
        hint: format!(
            "Take each of the numbers modulo {banks}: that is its bank. How many are in the fullest bank?"
        ),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "Modulo {banks}, {turns} of the words lie in bank {bank}. More banks only put the problem off: at the next level up, words are twice as far \
             apart."
        ),
        slack: 0,
        about: None,
    })
}

/// The fullest bank, and the number of different words in it.
fn most_of_one_bank(addresses: &[u64], banks: u64) -> Option<(u64, u64)> {
    let words: std::collections::BTreeSet<u64> = addresses.iter().copied().collect();
    let full = |bank: u64| words.iter().filter(|word| **word % banks == bank).count() as u64;
    words
        .iter()
        .map(|word| word % banks)
        .map(|bank| (bank, full(bank)))
        .max_by_key(|(bank, full)| (*full, u64::MAX - bank))
}

fn tiles(recording: &Recording) -> Option<Tiles> {
    (0..recording.passes.len()).rev().find_map(|pass| look_back::tiles(recording, pass))
}

pub fn look_back_stop(recording: &Recording) -> Option<Question> {
    let Tiles { kind: Kind::LookBack, tiles, .. } = tiles(recording)? else { return None };
    let last = tiles.len().checked_sub(1).filter(|last| *last >= 4)?;
    let asked = last - 3;
    let (reader, tile) = (&tiles[last], &tiles[asked]);
    let answer = tile.prefix?;
    let nearer = |tile: &TileStory| tile.aggregate.map_or_else(String::new, |sum| sum.to_string());
    let nearer: Vec<String> = tiles[asked + 1..last].iter().rev().map(nearer).collect();
    let known = [
        (
            tile.aggregate,
            "That is the aggregate, the sum of its own items. A prefix includes all tiles before it.",
        ),
        (tile.before, "That is the sum before the tile. A prefix includes the tile's own items."),
        (reader.before, "That is where the reader starts. It is found at the tile directly before it."),
    ];
    Some(Question {
        text: format!(
            "Tile {last} looked at {} tiles. Suppose that tile {asked} had published its prefix in time, so that tile {last} stopped there. Which number \
             would it have found at tile {asked}?",
            reader.looks.len()
        ),
        answer,
        hint: format!(
            "A prefix is the sum of everything from the first item to the tile's last: where tile {asked} ends."
        ),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "Prefix {answer}. Tile {last} would have looked at 3 tiles and started at {answer} + {} = {}, the same sum.",
            nearer.iter().rev().cloned().collect::<Vec<String>>().join(" + "),
            reader.before?
        ),
        slack: 0,
        about: None,
    })
}

pub fn ring_carry(recording: &Recording) -> Option<Question> {
    let Tiles { kind: Kind::Sam { groups, ring }, tiles, .. } = tiles(recording)? else { return None };
    let groups = usize::try_from(groups).ok()?;
    // The first chunk whose slot was used before, or the last.
    let chunk = usize::try_from(ring).ok()?.min(tiles.len().checked_sub(1)?);
    let earlier = chunk.checked_sub(groups)?;
    let answer = tiles[earlier].prefix?;
    let (own, before) = (&tiles[chunk], &tiles[earlier]);
    let sums: Vec<String> = tiles[earlier + 1..chunk]
        .iter()
        .filter_map(|tile| tile.aggregate)
        .map(|sum| sum.to_string())
        .collect();
    let known = [
        (
            before.aggregate,
            "That is the sum of that chunk alone. The group carries everything up to its end.",
        ),
        (own.before, "That is where the chunk starts, after the sums from the ring are added."),
        (before.before, "That is where its previous chunk starts. The group carries the sum at its end."),
        (
            count(earlier as u64),
            "That is the number of the chunk. The question is about the total at its end.",
        ),
    ];
    Some(Question {
        text: format!(
            "There are {groups} groups. The group of chunk {chunk} read {} sums from the ring. Which total did it carry from its own previous chunk?",
            own.looks.len()
        ),
        answer,
        hint: format!(
            "With {groups} groups, its previous chunk is {chunk} - {groups}. The group carries the sum of all items up to the end of that chunk."
        ),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "Its previous chunk is {earlier}, which ends at {answer}. Chunk {chunk} starts at {answer} + {} = {}.",
            sums.join(" + "),
            own.before?
        ),
        slack: 0,
        about: None,
    })
}
