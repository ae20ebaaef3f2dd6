//! Reductions by work groups: who sums what, and who sums the sums.

use super::super::scene::Scene;
use super::super::words::{expression, several};

/// Each work group takes its part of the stream.
pub fn groups(scene: &Scene) -> Option<String> {
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
        groups => format!("{groups} work groups share the stream out evenly, neighbours to neighbours"),
    };
    let text = format!("{head}{shared}, and each leaves its sum{of_members}: the first one's is {first}");
    // A single pass goes on where the last group ends.
    let last = scene.written("RESULT").and_then(|result| result.item(0));
    let last = last.filter(|_| scene.shader().contains("single_pass"));
    Some(match last {
        Some(result) => format!(
            "{text}. Each then takes a ticket; whoever gets the last one knows that all sums are there, and combines \
             them in their order: {result}."
        ),
        None => text + ".",
    })
}

/// One work group combines the sums of all.
pub fn finish(scene: &Scene) -> Option<String> {
    let (sums, result) = (scene.source("SUMS")?, scene.written("RESULT")?);
    let tuple = scene.positive("TUPLE")?;
    let count = scene.int("u_sums")?;
    let result = result.item(0)?;
    if count == 0 {
        return Some(format!("there is nothing to combine, which leaves the operator's identity, {result}."));
    }
    let names = [sums.item(0)?.to_string(), "...".into()];
    let all = match count {
        1 => format!("the only sum, {}, is the result", sums.item(0)?),
        count => format!(
            "one work group combines the {} in their order, {}",
            several(count * tuple, "sum"),
            expression(scene.operator(), &names)
        ),
    };
    Some(format!("{all}: the result is {result}."))
}

/// What nothing comes to.
pub fn identity(scene: &Scene) -> Option<String> {
    let result = scene.target(0)?.item(0)?;
    Some(format!("of no items the result is the operator's identity, {result}."))
}
