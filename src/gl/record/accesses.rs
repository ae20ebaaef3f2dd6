//! The accesses that invocations recorded, as plain data.

use super::Lists;
use crate::plan::{Access, Dispatch, Plan};
use crate::trace::{Place, Reader, Reads, Recorded, SharedAccess, StateAccess, StateAct};

/// Decodes what invocations recorded: two times four words per access.
pub fn decode(words: &[u32], dispatch: &Dispatch, plan: &Plan) -> Recorded {
    let invocations = dispatch.groups as usize * dispatch.invocations as usize;
    let mut reads: Lists = vec![None; invocations];
    let mut writes: Lists = vec![None; invocations];
    let mut shared = Vec::new();
    let mut states = Vec::new();
    let targets: Vec<usize> = (0..dispatch.bindings.len())
        .filter(|&number| dispatch.bindings[number].access != Access::Read)
        .collect();
    for access in words.chunks_exact(8) {
        let &[invocation, when, what, place, ..] = access else { continue };
        let (kind, of, width) = (what >> 30, what >> 16 & 0x3FFF, what & 0xFFFF);
        if kind >= 2 {
            shared.push(SharedAccess {
                invocation,
                epoch: when >> 16,
                number: when & 0xFFFF,
                array: of,
                address: place,
                written: kind == 3,
                words: [access[4], access[5], access[6], access[7]],
            });
            continue;
        }
        let (Some(binding), true) = (dispatch.bindings.get(of as usize), (invocation as usize) < invocations)
        else {
            continue;
        };
        let layout = plan.layout(binding.slot);
        if let Some(act) = StateAct::of(access[7]) {
            states.push(StateAccess {
                invocation,
                epoch: when >> 16,
                number: when & 0xFFFF,
                tile: access[6],
                source: of,
                index: place,
                words: [access[4], access[5]],
                act,
            });
            continue;
        }
        let item = u64::from(layout.words_per_texel());
        let first = u64::from(place) * u64::from(width);
        let last = first + u64::from(width.max(1)) - 1;
        let items = (first / item..=last / item).map(|item| item + binding.items.start);
        let (lists, of) = match (kind, targets.iter().position(|&number| number == of as usize)) {
            (0, _) => (&mut reads, of),
            (_, Some(target)) => (&mut writes, target as u32),
            (_, None) => continue,
        };
        let list = lists[invocation as usize].get_or_insert_default();
        for index in items.filter(|&item| item < layout.len) {
            let place = Place { of, index: index as u32 };
            // The words of an item may have been read one by one.
            if list.last() != Some(&place) {
                list.push(place);
            }
        }
    }
    let order = |access: &SharedAccess| (access.invocation, access.epoch, access.number);
    shared.sort_by_key(order);
    states.sort_by_key(|state| (state.tile, state.epoch, state.number, state.invocation));
    let written = targets.iter().enumerate().map(|(number, &binding)| {
        let mut written = vec![false; plan.layout(dispatch.bindings[binding].slot).len as usize];
        for place in writes.iter().flatten().flatten().filter(|place| place.of == number as u32) {
            written[place.index as usize] = true;
        }
        Some(written)
    });
    Recorded {
        written: written.collect(),
        reads: vec![Reads::new(Reader::Invocation, reads)],
        writes: Some(Reads::new(Reader::Invocation, writes)),
        drawn: Vec::new(),
        stopped: false,
        shared,
        states,
    }
}
