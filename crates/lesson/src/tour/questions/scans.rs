//! The questions about scans, and about their shared memory.

use rasterscan::operator::Operator;
use rasterscan::trace::{Place, Reader, Recording};

use super::super::super::scene::{Scene, SceneStream};
use super::super::super::{Item, banks as memory};
use super::super::Question;
use super::{count, first, last, mistakes, sum};

pub fn running_sum(recording: &Recording) -> Option<Question> {
    let input = Scene::new(recording, 0)?.input()?;
    let place = 4;
    let result = Scene::new(recording, recording.passes.len().checked_sub(1)?)?.target(0)?;
    let answer = result.item(place)?;
    let items = input.items(0, 1, place + 1)?;
    Some(Question {
        text: format!("What is at place {place} of the inclusive scan? Places count from 0."),
        answer,
        hint: format!(
            "Add up the first {} numbers of the input, those at the places 0 to {place}.",
            place + 1
        ),
        mistakes: mistakes(
            answer,
            vec![
                (
                    result.item(place - 1),
                    "That is the sum before this place, as an exclusive scan has it. The inclusive one adds the place's own number.",
                ),
                (
                    result.item(place + 1),
                    "That is one number too many: place 4 is the fifth, since places count from 0.",
                ),
            ],
        ),
        explanation: format!("{}. A loop comes to it after {} numbers.", sum(&items, answer), items.len()),
    })
}

pub fn horn_step(recording: &Recording) -> Option<Question> {
    let scene = Scene::new(recording, 2)?;
    let (source, target) = (scene.source("u_source")?, scene.target(0)?);
    let offset = scene.distance("u_offset", source.layout)?;
    let place = target.len().checked_sub(6).filter(|place| (1..=*place).contains(&offset))?;
    let (left, own) = (source.item(place - offset)?, source.item(place)?);
    let answer = target.item(place)?;
    Some(Question {
        text: format!(
            "In the next pass each texel takes in the one {offset} places to its left. What will be at place {place}?"
        ),
        answer,
        hint: format!(
            "Take the numbers at the places {place} and {} as they are now, and add them.",
            place - offset
        ),
        mistakes: mistakes(
            answer,
            vec![
                (Some(own), "That is what is there now. The pass still adds a number to it."),
                (
                    own.combine(&Operator::ADD, source.item(place - offset / 2)?),
                    "That was the distance of the pass before. It has doubled.",
                ),
                (
                    own.combine(&Operator::ADD, source.item(place - 1)?),
                    "That is the left neighbour. This pass reaches further.",
                ),
            ],
        ),
        explanation: format!(
            "{}. It now stands for the {} numbers up to place {place}.",
            sum(&[left, own], answer),
            2 * offset
        ),
    })
}

pub fn wasted(recording: &Recording) -> Option<Question> {
    let len = recording.request.len();
    let adds: Vec<u64> = recording.passes.iter().map(|pass| pass.cost.adds).collect();
    let answer = count(adds.iter().sum())?;
    let items: Option<Vec<Item>> = adds.iter().map(|&adds| count(adds)).collect();
    let passes = adds.len() as u64;
    Some(Question {
        text: format!("How many additions did the {passes} passes over {len} texels make together?"),
        answer,
        hint: format!(
            "In the first pass 1 of the {len} texels stays as it is, in the second 2, then 4. All others add. Add up the four."
        ),
        mistakes: mistakes(
            answer,
            vec![
                (count(len - 1), "That many a loop needs. The passes together make more."),
                (count(passes * len), "In each pass the first few texels do not add: 1, 2, 4, and so on."),
                (count(adds.first().copied()?), "That is the first pass alone."),
            ],
        ),
        explanation: format!("{}, where a loop needs {}.", sum(&items?, answer), len - 1),
    })
}

pub fn down_sweep(recording: &Recording) -> Option<Question> {
    let scene = last(recording, "down-sweep")?;
    let (values, sums, target) = (scene.source("u_values")?, scene.source("u_sums")?, scene.target(0)?);
    let place = 10;
    let (before, own) = (sums.item(place / 2 - 1)?, values.item(place)?);
    let answer = target.item(place)?;
    Some(Question {
        // The input is not in sight here.
        text: format!(
            "Place {place} of the input holds {own}. What will the last pass write at place {place}, which is even?"
        ),
        answer,
        hint: format!(
            "An even place takes the finished sum of the pairs before it, at place {} of the scanned sums, and adds its own \
             number, {own}.",
            place / 2 - 1
        ),
        mistakes: mistakes(
            answer,
            vec![
                (
                    sums.item(place / 2),
                    "That is the sum of the pair that the place is in. It includes the number after it as well.",
                ),
                (Some(before), "That is what stands before the place. Its own number is missing."),
                (Some(own), "That is the place's own number. What stands before it is missing."),
            ],
        ),
        explanation: format!("{}: what stands before it, and its own number.", sum(&[before, own], answer)),
    })
}

pub fn hybrid_step(recording: &Recording) -> Option<Question> {
    let scene = first(recording, "scan")?;
    let (source, target) = (scene.source("u_source")?, scene.target(0)?);
    let place = 5;
    let items = [source.item(place - 1)?, source.item(place)?];
    let answer = target.item(place)?;
    Some(Question {
        text: format!(
            "Horn's first step on the {} sums comes next. What will be at place {place} of them?",
            source.len()
        ),
        answer,
        hint: format!(
            "The first step adds the left neighbour: the sums at the places {} and {place}.",
            place - 1
        ),
        mistakes: mistakes(
            answer,
            vec![(
                Some(items[1]),
                "That is the sum of the pair, as it is now. The step adds its left neighbour.",
            )],
        ),
        explanation: format!("{}, which are four numbers of the input already.", sum(&items, answer)),
    })
}

pub fn halved_height(recording: &Recording) -> Option<Question> {
    let scene = first(recording, "reduce")?;
    let (source, target) = (scene.source("u_source")?, scene.target(0)?);
    let width = u64::from(source.layout.width);
    let (column, row) = (width.checked_sub(2)?, 1);
    let place = row * u64::from(target.layout.width) + column;
    let answer = count(row_read(&scene, &source, place)?)?;
    Some(Question {
        text: format!(
            "The input has {} rows of {width}. The first reduce draws {} rows. Which row of the input does the texel in column \
             {column} of row {row} read?",
            source.layout.height, target.layout.height
        ),
        answer,
        hint: format!(
            "Row {row} of the sums is made of two rows of the input. Column {column} is in the right half of {width}."
        ),
        mistakes: mistakes(
            answer,
            vec![
                (count(row), "There are two rows of the input for each row of sums."),
                (count(2 * row), "That row is for the left half. This texel is in the right one."),
            ],
        ),
        explanation: format!(
            "The pairs of row {answer} fill the right half of row {row}; the row before it fills the left half."
        ),
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
    let scene = first(recording, "reduce")?;
    let (source, target) = (scene.source("u_source")?, scene.target(0)?);
    let texels = scene.positive("BLOCK")?;
    let per_texel = u64::from(source.layout.items_per_texel);
    let block = texels * per_texel;
    let items = source.items(block, 1, block)?;
    let answer = target.item(1)?;
    Some(Question {
        text: format!(
            "The first pass makes one number of each block of {texels} texels. What will it make of the second block, the \
             places {block} to {}?",
            2 * block - 1
        ),
        answer,
        hint: format!("Add up the {block} numbers of texels {texels} and {}.", texels + 1),
        mistakes: mistakes(
            answer,
            vec![
                (target.item(0), "That is the first block. Blocks count from 0, so the second is block 1."),
                (
                    Item::fold(&Operator::ADD, items.get(..per_texel as usize)?),
                    "That is one texel. The block has another.",
                ),
                (
                    Item::fold(&Operator::ADD, &[target.item(0)?, answer]),
                    "The reduce adds up each block for itself; what stands before it comes later.",
                ),
            ],
        ),
        explanation: format!("{}, in one pass, where halving would take three.", sum(&items, answer)),
    })
}

pub fn banks(recording: &Recording) -> Option<Question> {
    let scene = first(recording, "scan blocks")?;
    let memory = memory::of(recording, scene.number)?;
    // On the way up, where the most turns are lost for the first time.
    let step = memory.worst()?;
    let addresses: Vec<String> = step.accesses.iter().map(|access| access.address.to_string()).collect();
    let answer = count(step.degree)?;
    let what = if step.written { "write to" } else { "read" };
    let bank = memory.bank(step.accesses.first()?.address);
    let banks = memory.banks;
    Some(Question {
        text: format!(
            "After {} barriers {} invocations {what} the addresses {} at a time. There are {banks} banks. How many turns does it take?",
            step.epoch,
            addresses.len(),
            addresses.join(", ")
        ),
        answer,
        hint: format!(
            "Take each address modulo {banks}. How many different ones fall into the bank that has the most?"
        ),
        mistakes: mistakes(
            answer,
            vec![
                (
                    count(step.least),
                    "That would do if all were in different banks. Take the addresses modulo the number of banks.",
                ),
                (count(banks), "That is how many banks there are. Count those who meet in one of them."),
                (count(addresses.len() as u64), "That many ask. Some of them ask different banks."),
            ],
        ),
        explanation: format!(
            "Bank {bank} alone is asked for {answer} addresses. Without conflicts {} would do. In all this run takes {} turns \
             where {} would do.",
            step.least,
            memory.turns(),
            memory.turns_without_conflicts()
        ),
    })
}
