//! The questions about compactions.

use rasterscan::trace::Recording;

use super::super::super::Item;
use super::super::Question;
use super::{about, count, first, mistakes};

/// The positions of the input that are kept.
fn kept(recording: &Recording, phase: &str) -> Option<Vec<u64>> {
    let kept = first(recording, phase)?.kept()?;
    Some((0..).zip(&kept).filter(|(_, kept)| **kept).map(|(index, _)| index).collect())
}

pub fn search(recording: &Recording) -> Option<Question> {
    let scene = first(recording, "search")?;
    let sums = scene.source("u_sums")?;
    let from = kept(recording, "search")?;
    let end = sums.len().checked_sub(1)?;
    let total = sums.count(end)?;
    // The widest of the ranges that are searched, but for that of the first element, which is often alone.
    let range = |position: u64| Some((position + sums.count(position)?, position + total));
    let wide = |position: &u64| range(*position).map_or(0, |(lower, upper)| upper.saturating_sub(lower));
    let last = from.len() as u64;
    let position = (last / 2..last).max_by_key(wide).unwrap_or_default();
    let Some(&index) = from.get(usize::try_from(position).ok()?) else {
        return nothing_kept(&sums.item(end)?);
    };
    let (lower, upper) = range(position)?;
    let answer = count(u64::midpoint(lower, upper))?;
    let (before, middle) = (lower - position, answer.index(0)?);
    let known = [
        (count(lower), "The range begins there. The third probe is in its middle."),
        (count(upper), "The range ends there. The third probe is in its middle."),
        (
            count(u64::midpoint(position, end)),
            "That is the middle of the whole stream. Two probes have made the range smaller.",
        ),
        (count(index), "The search ends there. Its third probe comes before that is known."),
    ];
    Some(Question {
        text: format!(
            "Result position {position} probes first at indices {position} and {end}: {before} and {total} elements are unwanted up to there. \
             At which index is its third probe, the middle of its range?"
        ),
        answer,
        hint: format!(
            "The range begins at {position} + {before} and ends at {position} + {total}. The middle is half of their sum, rounded down."
        ),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "The range is {lower} to {upper}, so the middle is {middle}. Up to there {} are unwanted, and {middle} - {0} = {}; the search looks \
             for {position}, and ends at index {index}.",
            sums.count(middle)?,
            middle - sums.count(middle)?
        ),
        slack: 0,
        about: about(position),
    })
}

/// The question if nothing is kept.
fn nothing_kept(total: &Item) -> Option<Question> {
    Some(Question {
        text: "How many elements are unwanted?".into(),
        answer: *total,
        hint: "The last of the running counts is the answer.".into(),
        mistakes: Vec::new(),
        explanation: "All of them. Nothing moves.".into(),
        slack: 0,
        about: None,
    })
}

pub fn walk(recording: &Recording) -> Option<Question> {
    let scene = first(recording, "traverse")?;
    let levels = scene.positive("LEVELS")?;
    let top = scene.source(&format!("u_level_{}", levels - 1))?;
    let counts: Option<Vec<u64>> = (0..4).map(|quarter| top.count(quarter)).collect();
    let counts = counts?;
    let kept: u64 = counts.iter().sum();
    // In the last quarter but one that keeps two elements, its second: something is left after the subtraction.
    let first_of = |quarter: usize| counts[..quarter].iter().sum::<u64>();
    let quarter = (1..4)
        .rev()
        .find(|quarter| counts[*quarter] > 1)
        .or_else(|| (1..4).rev().find(|quarter| counts[*quarter] > 0))?;
    let before = first_of(quarter);
    let position = before + u64::from(counts[quarter] > 1);
    let answer = count(position - before)?;
    let listed = counts.iter().map(u64::to_string).collect::<Vec<String>>().join(", ");
    let known = [
        (
            count(position),
            "Elements of earlier quarters are no longer counted one level down. Subtract them.",
        ),
        (count(before), "The quarters before it keep that many. Subtract them."),
        (count(quarter as u64), "That is the number of the quarter, from 0."),
        (count(kept), "That many are kept in all."),
    ];
    Some(Question {
        text: format!(
            "The quarters of the top level keep {listed}. Result position {position} goes into the quarter where the running count passes \
             {position}. With which number does it go on, one level down?"
        ),
        answer,
        hint: format!("Subtract from {position} what the quarters before its own keep."),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "Quarter {quarter} is its own; those before it keep {before}, and {position} - {before} = {answer}. One level down, the walk looks \
             for the element with {answer} kept ones before it in that quarter."
        ),
        slack: 0,
        about: about(position),
    })
}

pub fn wrapped(recording: &Recording) -> Option<Question> {
    let scene = first(recording, "segments")?;
    let (segments, sums) = (scene.target(0)?, scene.source("u_sums")?);
    let (size, vertices) = (scene.number_of("BLOCK")?, scene.positive("VERTICES")?);
    let width = u64::from(first(recording, "left parts")?.target(0)?.layout.width);
    let ends = |block: u64| {
        let segment = segments.item(block * vertices)?;
        Some((segment.index(0)?, segment.index(1)?))
    };
    let beyond = |block: u64| {
        let (start, end) = ends(block)?;
        Some(end.saturating_sub((start / width + 1) * width))
    };
    let block = (1..sums.len()).max_by_key(|block| beyond(*block).map_or(0, |beyond| beyond.min(4)))?;
    let (start, end) = ends(block)?;
    let answer = count(beyond(block)?)?;
    let before = sums.count(block - 1)?;
    let column = start % width;
    let known = [
        (count(end - start), "The whole line draws that many. A part of it lies before the right edge."),
        (
            count((width - column).min(end - start)),
            "Those are drawn before the right edge. The question is about the others.",
        ),
        (count(start), "The line begins at that position."),
        (count(column), "The line begins in that column."),
    ];
    Some(Question {
        text: format!(
            "Block {block} begins at index {} of the input, and {before} elements before it are unwanted. It keeps {}. How many of these does the \
             wrapped part of its line draw, at the beginning of the next row of {width}?",
            block * size,
            end - start
        ),
        answer,
        hint: format!(
            "The line begins at position {} - {before}. Which column is that, and how many columns are left in the row?",
            block * size
        ),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "The line begins at position {start}, column {column}, and ends before position {end}. {} of its texels lie in this row and {answer} in \
             the next.",
            (width - column).min(end - start)
        ),
        slack: 0,
        about: None,
    })
}
