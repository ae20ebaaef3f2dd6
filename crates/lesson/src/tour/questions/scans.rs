//! The questions about scans in textures.

use rasterscan::operator::Operator;
use rasterscan::trace::{Place, Reader, Recording};

use super::super::super::Item;
use super::super::super::scene::{Scene, SceneStream};
use super::super::Question;
use super::{about, count, first, last, mistakes, sum};

pub fn running_sum(recording: &Recording) -> Option<Question> {
    let input = Scene::new(recording, 0)?.input()?;
    let position = 4;
    let result = Scene::new(recording, recording.passes.len().checked_sub(1)?)?.target(0)?;
    let answer = result.item(position)?;
    let items = input.items(0, 1, position + 1)?;
    let known = [
        (
            result.item(position - 1),
            "That is the exclusive scan: the sum before this position. The inclusive scan adds the position's own number.",
        ),
        (
            result.item(position + 1),
            "That is one number too many. Positions count from 0, so position 4 holds the fifth number.",
        ),
    ];
    Some(Question {
        text: format!("Positions count from 0. What will the inclusive scan hold at position {position}?"),
        answer,
        hint: format!("Add the first {} numbers of the input: positions 0 to {position}.", position + 1),
        mistakes: mistakes(answer, known),
        explanation: format!("{}. A loop has this sum after {} numbers.", sum(&items, answer), items.len()),
        slack: 0,
        about: about(position),
    })
}

pub fn horn_step(recording: &Recording) -> Option<Question> {
    let scene = Scene::new(recording, 2)?;
    let (source, target) = (scene.source("u_source")?, scene.target(0)?);
    let offset = scene.distance("u_offset", source.layout)?;
    let position = target.len().checked_sub(6).filter(|position| (1..=*position).contains(&offset))?;
    let (left, own) = (source.item(position - offset)?, source.item(position)?);
    let answer = target.item(position)?;
    let known = [
        (Some(own), "That is what it holds now. The pass adds a number to it."),
        (
            own.combine(&Operator::ADD, source.item(position - offset / 2)?),
            "That was the distance of the last pass. The distance has doubled.",
        ),
        (
            own.combine(&Operator::ADD, source.item(position - 1)?),
            "That is the direct neighbour. This pass reaches further to the left.",
        ),
    ];
    Some(Question {
        text: format!(
            "The next pass adds the item {offset} to the left. What will position {position} hold?"
        ),
        answer,
        hint: format!(
            "Add the items that positions {} and {position} of {} hold now.",
            position - offset,
            source.name
        ),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "{}. Position {position} now holds the sum of {} numbers of the input.",
            sum(&[left, own], answer),
            2 * offset
        ),
        slack: 0,
        about: about(position),
    })
}

pub fn wasted(recording: &Recording) -> Option<Question> {
    let len = recording.request.len();
    let adds: Vec<u64> = recording.passes.iter().map(|pass| pass.cost.adds).collect();
    // The counters on the screen tell what this run adds, so the question is about a longer one.
    let (longer, passes) = (2 * len, adds.len() as u32 + 1);
    let each: Vec<u64> = (0..passes).map(|pass| longer - (1 << pass)).collect();
    let answer = count(each.iter().sum())?;
    let items: Option<Vec<Item>> = each.iter().map(|&adds| count(adds)).collect();
    let known = [
        (count(longer - 1), "A loop needs that many. The passes together make more."),
        (
            count(u64::from(passes) * longer),
            "Not every texel adds: the passes copy the first 1, 2, 4, 8 texels.",
        ),
        (count(2 * adds.iter().sum::<u64>()), "Twice as many numbers also take one more pass."),
        (count(each.first().copied()?), "The first pass alone makes that many."),
    ];
    Some(Question {
        text: format!(
            "For {longer} numbers Horn's scan takes {passes} passes. How many additions do they make together?"
        ),
        answer,
        hint: format!(
            "The first pass copies 1 of the {longer} texels and adds in all others; the second copies 2, the third 4. Add up the additions of all {passes} passes."
        ),
        mistakes: mistakes(answer, known),
        explanation: format!("{}. A loop makes {}.", sum(&items?, answer), longer - 1),
        slack: 0,
        about: None,
    })
}

pub fn down_sweep(recording: &Recording) -> Option<Question> {
    let scene = last(recording, "down-sweep")?;
    let (values, sums, target) = (scene.source("u_values")?, scene.source("u_sums")?, scene.target(0)?);
    let position = 10;
    let pairs = position / 2;
    let (before, own) = (sums.item(pairs - 1)?, values.item(position)?);
    let answer = target.item(position)?;
    let known = [
        (
            sums.item(pairs),
            "That sum includes the pair that the position belongs to, and so the number after it.",
        ),
        (Some(before), "That is the sum of everything before the position. Add the position's own number."),
        (Some(own), "That is the position's own number. Add everything before it."),
    ];
    Some(Question {
        // The input is not in sight here.
        text: format!(
            "The last pass writes the result. Position {position} is even, and the input holds {own} there. What will the result hold at position {position}?"
        ),
        answer,
        hint: format!(
            "The {pairs} pairs before position {position} have a finished sum: item {} of the scanned sums. Add {own}.",
            pairs - 1
        ),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "{}: the sum of the {pairs} pairs before it, and its own number.",
            sum(&[before, own], answer)
        ),
        slack: 0,
        about: about(position),
    })
}

pub fn hybrid_passes(recording: &Recording) -> Option<Question> {
    let of = |phase: &str| recording.passes.iter().filter(|pass| pass.phase == phase).count() as u64;
    let (reduces, steps, sweeps) = (of("reduce"), of("scan"), of("down-sweep"));
    if steps < 2 || reduces != sweeps {
        return None;
    }
    let passes = reduces + steps + sweeps;
    let answer = count(passes + 1)?;
    let left = first(recording, "scan")?.target(0)?.len();
    let known = [
        (count(passes), "That is today's count. Each extra reduce pass needs another down-sweep pass."),
        (count(passes + 2), "Two passes are added, but halving the sums saves one Horn step."),
        (
            count(passes - 1),
            "Halving the sums saves one Horn step, but the new level adds two passes, one up and one down.",
        ),
    ];
    Some(Question {
        text: format!(
            "{reduces} reduce passes left {left} sums. Suppose that one more reduce pass left {}. How many passes would the whole scan take?",
            left / 2
        ),
        answer,
        hint: format!(
            "Count three parts: the reduces, Horn's steps on {} sums (log2 of that many), and a down-sweep for each reduce.",
            left / 2
        ),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "{} reduces, {} of Horn's steps and {} down-sweeps are {answer}, one more than now. Every level costs a pass and saves additions.",
            reduces + 1,
            steps - 1,
            sweeps + 1
        ),
        slack: 0,
        about: None,
    })
}

pub fn halved_height(recording: &Recording) -> Option<Question> {
    let scene = first(recording, "reduce")?;
    let (source, target) = (scene.source("u_source")?, scene.target(0)?);
    let width = u64::from(source.layout.width);
    let (column, row) = (width.checked_sub(2)?, 1);
    let place = row * u64::from(target.layout.width) + column;
    let answer = count(row_read(&scene, &source, place)?)?;
    let known = [
        (count(row), "Two rows of the input make one row of sums."),
        (count(2 * row), "The left half reads that row. This texel is in the right half."),
    ];
    Some(Question {
        text: format!(
            "The input has {} rows of {width} texels. The first reduce drew {} rows of {width}. Which row of the input did the texel in \
             column {column} of row {row} read?",
            source.layout.height, target.layout.height
        ),
        answer,
        hint: format!(
            "Row {row} of the sums holds the pairs of two rows of the input. Column {column} of {width} is in the right half."
        ),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "The pairs of row {} fill the left half of row {row}, the pairs of row {answer} the right half.",
            2 * row
        ),
        slack: 0,
        about: about(place),
    })
}

/// The row that a texel of the target read: as it was recorded, or else by its index.
fn row_read(scene: &Scene, source: &SceneStream, place: u64) -> Option<u64> {
    let width = u64::from(source.layout.width);
    let texels = scene.pass.reads.iter().find(|reads| reads.by == Reader::Texel);
    let read = texels.and_then(|reads| reads.of(usize::try_from(place).ok()?)?.first().copied());
    let index = read.map_or(2 * place, |Place { index, .. }| u64::from(index));
    Some(index / width.max(1))
}

pub fn packed_block(recording: &Recording) -> Option<Question> {
    let scene = last(recording, "down-sweep")?;
    let (values, sums, target) = (scene.source("u_values")?, scene.source("u_sums")?, scene.target(0)?);
    let block = scene.positive("BLOCK")? * u64::from(values.layout.items_per_texel);
    let number = 2;
    let start = number * block;
    let position = start + 2;
    let items = values.items(start, 1, 4)?;
    let own = items.get(..3)?;
    let before = sums.item(number - 1)?;
    let answer = target.item(position)?;
    let terms: Vec<Item> = [before].iter().chain(own).copied().collect();
    let listed = items.iter().map(Item::to_string).collect::<Vec<String>>().join(", ");
    let known = [
        (
            Item::fold(&Operator::ADD, own),
            "That is the sum of the block's own numbers. Add the blocks before it.",
        ),
        (
            Item::fold(&Operator::ADD, own).and_then(|sum| sums.item(number)?.combine(&Operator::ADD, sum)),
            "That scanned sum includes block 2 itself. Take the one before.",
        ),
        (
            before.combine(&Operator::ADD, *own.last()?),
            "The numbers between the block's beginning and the position are missing.",
        ),
        (Some(before), "That is where the block starts. Add its own numbers."),
    ];
    Some(Question {
        // The input is not in sight here.
        text: format!(
            "Block {number} begins at position {start} of the input: {listed}, and so on. What will the last pass write at position {position}?"
        ),
        answer,
        hint: format!(
            "Take the scanned sum of all blocks before block {number}, and add the block's numbers up to position {position}."
        ),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "{}: the blocks before it, then its own numbers. One pass does what three down-sweeps by halves do.",
            sum(&terms, answer)
        ),
        slack: 0,
        about: about(position),
    })
}
