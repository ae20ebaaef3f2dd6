//! The question about sorts.

use rasterscan::trace::Recording;

use super::super::Question;
use super::{about, count, first, mistakes};

pub fn split(recording: &Recording) -> Option<Question> {
    let scene = first(recording, "gather")?;
    let bit = first(recording, "flags")?.int("u_bit")?;
    let (keys, sums) = (scene.source("u_keys")?, scene.source("u_sums")?);
    let zeros = sums.count(sums.len().checked_sub(1)?)?;
    // The last key with a 1 that moves, or else the last one.
    let has_one = |index: &u64| match (index.checked_sub(1), sums.count(*index)) {
        (Some(before), Some(upto)) => sums.count(before) == Some(upto),
        (None, upto) => upto == Some(0),
        _ => false,
    };
    let place = |index: u64| Some(zeros + index.checked_sub(sums.count(index)?)?);
    let ones = || (0..sums.len()).rev().filter(has_one);
    let index = ones().find(|index| place(*index) != Some(*index)).or_else(|| ones().next())?;
    let before = sums.count(index)?;
    let (rank, answer) = (index.checked_sub(before)?, count(place(index)?)?);
    let known = [
        (count(rank), "So many ones come before it. All zeros come before them."),
        (count(zeros), "There the first key with a 1 goes. How many keys with a 1 come before this one?"),
        (count(before), "So many zeros come before it. It is a one: it goes behind all zeros."),
        (count(index), "There the key is now."),
        (count(zeros + index), "Of the keys before it, only those with a 1 stay before it behind the zeros."),
    ];
    Some(Question {
        text: format!(
            "Key {index} of the input, counted from 0, is {}: its bit {bit} is 1. To which position does this split move it?",
            keys.item(index)?
        ),
        answer,
        hint: "Add the number of all zeros, at the end of the scan, and the number of ones before the key: its index minus the \
               zeros before it."
            .into(),
        mistakes: mistakes(answer, known),
        explanation: format!(
            "Of the {index} keys before it {before} have a 0, so {index} - {before} = {rank} have a 1. All {zeros} keys with a 0 come \
             first, and {zeros} + {rank} = {answer}."
        ),
        slack: 0,
        about: about(answer.index(0)?),
    })
}
