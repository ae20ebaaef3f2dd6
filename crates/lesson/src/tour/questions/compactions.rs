//! The questions about compactions.

use rasterscan::trace::Recording;

use super::super::super::Item;
use super::super::super::scene::SceneStream;
use super::super::Question;
use super::{count, first, mistakes};

pub fn search(recording: &Recording) -> Option<Question> {
    let scene = first(recording, "search")?;
    let (input, sums, target) = (scene.input()?, scene.source("u_sums")?, scene.target(0)?);
    let kept = scene.kept()?;
    let from: Vec<u64> = (0..).zip(&kept).filter(|(_, kept)| **kept).map(|(index, _)| index).collect();
    // The last but one of the kept elements has moved far; if only one is kept, the question is about that.
    let place = from.len().saturating_sub(2);
    let Some(&index) = from.get(place) else {
        return nothing_kept(&sums);
    };
    let unwanted = sums.count(index)?;
    let answer = target.item(place as u64)?;
    Some(Question {
        // The input is not in sight here.
        text: format!("The input is {}. Which number moves to place {place} of the result?", row(&input)?),
        answer,
        hint: format!(
            "Look for the wanted number that has {place} wanted ones before it: go through the input, and leave out zeros."
        ),
        mistakes: mistakes(
            answer,
            vec![
                (
                    input.item(place as u64),
                    "That is what stands there now. Unwanted ones before it make room for others.",
                ),
                (
                    from.get(place + 1).and_then(|&index| input.item(index)),
                    "That one goes to the place after it. Places count from 0.",
                ),
                (count(index), "That is where the number stands. The question is for the number itself."),
            ],
        ),
        explanation: format!(
            "It stands at place {index}; up to there {unwanted} are unwanted, and {index} - {unwanted} = {place}."
        ),
    })
}

/// All items, one after the other.
fn row(stream: &SceneStream) -> Option<String> {
    let items = stream.items(0, 1, stream.len())?;
    Some(items.iter().map(Item::to_string).collect::<Vec<String>>().join(" "))
}

/// The question if nothing is kept.
fn nothing_kept(sums: &SceneStream) -> Option<Question> {
    let answer = sums.item(sums.len().checked_sub(1)?)?;
    Some(Question {
        text: "How many elements are unwanted?".into(),
        answer,
        hint: "The last running count says it.".into(),
        mistakes: Vec::new(),
        explanation: "All of them: nothing is moved.".into(),
    })
}

pub fn segment(recording: &Recording) -> Option<Question> {
    let scene = first(recording, "segments")?;
    let (sums, segments) = (scene.source("u_sums")?, scene.target(0)?);
    let (size, vertices) = (scene.number_of("BLOCK")?, scene.positive("VERTICES")?);
    let block = 3;
    let before = sums.count(block - 1)?;
    let own = segments.item(block * vertices)?;
    let answer = count(own.index(0)?)?;
    let start = block * size;
    Some(Question {
        text: format!(
            "Block {block} begins at place {start} of the input. Before it {before} are unwanted. At which place of the result does its \
             segment begin?"
        ),
        answer,
        hint: format!("All that is kept before the block comes first: {start} elements less the unwanted."),
        mistakes: mistakes(
            answer,
            vec![
                (count(start), "That is where the block begins now. The gaps before it will be closed."),
                (count(before), "That many are unwanted: so far the block moves to the left."),
                (count(own.index(1)?), "That is where the segment ends."),
            ],
        ),
        explanation: format!(
            "{start} - {before} = {answer}, and the segment ends before place {}.",
            own.index(1)?
        ),
    })
}
