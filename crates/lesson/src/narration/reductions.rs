//! Reductions by work groups: the totals of parts, and the total of these.

use super::super::scene::Scene;
use super::super::words::expression;
use super::{Narration, told};
use rasterscan::tools::printable::counted;

/// Each work group takes its part of the stream.
pub fn groups(scene: &Scene) -> Option<Narration> {
    let (_, groups) = scene.dispatch()?;
    let sums = scene.written("SUMS")?;
    let first = sums.item(0)?;
    let of_members = match scene.positive("TUPLE")? {
        1 => String::new(),
        tuple => format!(", one for each of the {tuple} members of a tuple"),
    };
    let head = match scene.step() {
        (_, 1) => String::new(),
        (step, of) => format!("part {step} of {of}: "),
    };
    let shared = match groups {
        1 => "one work group takes the whole stream".into(),
        groups => format!("{groups} work groups divide the stream evenly into contiguous parts"),
    };
    let text = format!("{head}{shared}. A group writes its total{of_members}; the first total is {first}");
    // In a single pass, the last group continues.
    let last = scene.written("RESULT").and_then(|result| result.item(0));
    let last = last.filter(|_| scene.shader().contains("single_pass"));
    told(match last {
        Some(result) => format!(
            "{text}. Each group then takes a ticket. The group with the last ticket knows that all totals are \
             written, and combines them in order: {result}."
        ),
        None => text + ".",
    })
}

/// One work group combines the totals of all.
pub fn finish(scene: &Scene) -> Option<Narration> {
    let (sums, result) = (scene.source("SUMS")?, scene.written("RESULT")?);
    let tuple = scene.positive("TUPLE")?;
    let count = scene.int("u_sums")?;
    let result = result.item(0)?;
    if count == 0 {
        return told(format!(
            "there is nothing to combine, so the result is the operator's identity, {result}."
        ));
    }
    let names = [sums.item(0)?.to_string(), "...".into()];
    if count == 1 {
        return told(format!("there is only one total, so it is the result: {result}."));
    }
    told(format!(
        "one work group combines the {} in order, {}: the result is {result}.",
        counted(count * tuple, "total"),
        expression(scene.operator(), &names)
    ))
}

/// The result of no items.
pub fn identity(scene: &Scene) -> Option<Narration> {
    let result = scene.target(0)?.item(0)?;
    told(format!("without items, the result is the operator's identity, {result}."))
}
