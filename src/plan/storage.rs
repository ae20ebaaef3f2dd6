//! The sharing of memory between slots.

use super::{Layout, Pass, Plan, Slot};

/// Assigns each slot a piece of storage, so that slots of one shape whose lifetimes do not overlap share one texture or
/// buffer. `None` for the inputs, and for slots that no pass touches and that are not results.
///
/// The 2006 paper asks for this: "We have tried to minimize texture memory usage by reusing
/// textures wherever possible".
pub fn share_storage(plan: &Plan) -> Vec<Option<usize>> {
    let mut assigned = vec![None; plan.slots().len()];
    // For each piece of storage: its shape, and the last pass that uses it.
    let mut storage: Vec<(Layout, usize)> = Vec::new();
    let mut lives: Vec<(usize, usize, Slot)> = (plan.inputs().len()..plan.slots().len())
        .filter_map(|index| {
            let slot = plan.nth_slot(index);
            let result = plan.outputs().contains(&slot);
            let mut touching = (0..plan.passes().len()).filter(|&p| plan.passes()[p].touches(slot));
            let first = touching.next().or(result.then_some(0))?;
            let last = touching.next_back().unwrap_or(first);
            Some((first, if result { usize::MAX } else { last }, slot))
        })
        .collect();
    lives.sort_by_key(|&(first, ..)| first);

    for (first, last, slot) in lives {
        let shape = plan.layout(slot);
        let same_shape = |kept: &Layout| {
            (kept.storage, kept.width, kept.height) == (shape.storage, shape.width, shape.height)
                && (kept.element.channel(), kept.words_per_texel())
                    == (shape.element.channel(), shape.words_per_texel())
        };
        // Memory that persists from run to run is not shared.
        let info = &plan.slots()[slot.index()];
        let kept = |pass: &Pass| pass.first_of_runs().is_some() && pass.touches(slot);
        let persists = info.zeroed || info.content.is_some() || plan.passes().iter().any(kept);
        let (first, last) = if persists { (0, usize::MAX) } else { (first, last) };
        let free = storage.iter().position(|(kept, end)| same_shape(kept) && *end < first);
        let index = free.unwrap_or(storage.len());
        if index == storage.len() {
            storage.push((*shape, last));
        } else {
            storage[index].1 = last;
        }
        assigned[slot.index()] = Some(index);
    }
    assigned
}
