//! The twins of dispatches: flags, scatter, and select in one pass.

use std::collections::HashMap;

use rasterscan::plan::{Binding, Dispatch, Pass, Plan, Slot};

use super::super::compute_twins;
use super::super::twins::Items;
use super::{Given, Target, Words};

/// The values that a dispatch writes, in the order of its bindings.
pub fn twin(
    plan: &Plan,
    pass: &Pass,
    dispatch: &Dispatch,
    slots: &HashMap<Slot, Words>,
    given: &Given<'_>,
) -> Vec<Target> {
    let bound = |name: &str| dispatch.bindings.iter().find(|binding| binding.name == name);
    let read = |name: &str| {
        let Binding { slot, .. } = bound(name).unwrap_or_else(|| panic!("nothing is bound as {name}"));
        slots[slot].all()
    };
    match dispatch.shader.path() {
        "compact/common/zero.comp" => vec![vec![Some(vec![0])]],
        "compact/scatter/flags.comp" => {
            vec![given.kept.iter().map(|kept| Some(vec![u32::from(*kept)])).collect()]
        }
        "compact/scatter/scatter.comp" => {
            let sums = read("SUMS");
            let count =
                given.kept.iter().zip(sums).next_back().map_or(0, |(kept, sum)| sum + u32::from(*kept));
            results(given, |j| sums[j] as usize, count)
        }
        "compact/select/select.comp" => {
            let mut count = 0;
            let mut before = Vec::new();
            for kept in &given.kept {
                before.push(count);
                count += usize::from(*kept);
            }
            let mut targets = results(given, |j| before[j], count as u32);
            // The states are bound first.
            targets.insert(0, Target::new());
            targets
        }
        path if path.starts_with("scan/") => scan(plan, pass, dispatch, slots),
        other => panic!("{other} has no twin"),
    }
}

/// The kept elements at their positions, and their count.
fn results(given: &Given<'_>, place: impl Fn(usize) -> usize, count: u32) -> Vec<Target> {
    let mut from = vec![None; given.kept.len()];
    for j in (0..given.kept.len()).filter(|j| given.kept[*j]) {
        if let Some(target) = from.get_mut(place(j)) {
            *target = Some(j);
        }
    }
    let mut targets = given.moved(&from);
    targets.push(vec![Some(vec![count])]);
    targets
}

/// A pass of a scan, here always of single u32.
fn scan(plan: &Plan, pass: &Pass, dispatch: &Dispatch, slots: &HashMap<Slot, Words>) -> Vec<Target> {
    let items = |words: &Words| -> Items<u32> { words.all().iter().map(|word| [*word, 0]).collect() };
    let buffers = slots.iter().map(|(slot, words)| (*slot, items(words))).collect();
    let written = compute_twins::of_dispatch::<u32>(pass, dispatch, &buffers);
    let written = written.unwrap_or_else(|| panic!("{} has no twin", dispatch.shader.path()));
    let targets = pass.writes().into_iter().map(|slot| {
        let mut target = vec![None; plan.layout(slot).len as usize];
        for part in written.iter().filter(|part| part.slot == slot) {
            for (place, item) in (part.first..).zip(&part.items) {
                target[place] = Some(vec![item[0]]);
            }
        }
        target
    });
    targets.collect()
}
