//! The questions of the stops. Each reads its answer from the recording.

mod compactions;
mod computes;
mod scans;
mod sorts;

use super::super::Item;
use super::super::scene::Scene;
use super::BuiltIn;
use rasterscan::operator::Operator;
use rasterscan::trace::Recording;

/// All built-in questions.
pub const ALL: [BuiltIn; 14] = [
    BuiltIn { name: "running_sum", ask: scans::running_sum },
    BuiltIn { name: "horn_step", ask: scans::horn_step },
    BuiltIn { name: "wasted", ask: scans::wasted },
    BuiltIn { name: "down_sweep", ask: scans::down_sweep },
    BuiltIn { name: "hybrid_passes", ask: scans::hybrid_passes },
    BuiltIn { name: "halved_height", ask: scans::halved_height },
    BuiltIn { name: "packed_block", ask: scans::packed_block },
    BuiltIn { name: "search", ask: compactions::search },
    BuiltIn { name: "walk", ask: compactions::walk },
    BuiltIn { name: "wrapped", ask: compactions::wrapped },
    BuiltIn { name: "banks", ask: computes::banks },
    BuiltIn { name: "look_back", ask: computes::look_back_stop },
    BuiltIn { name: "ring", ask: computes::ring_carry },
    BuiltIn { name: "split", ask: sorts::split },
];

/// The first pass of a phase.
pub(super) fn first<'a>(recording: &'a Recording, phase: &str) -> Option<Scene<'a>> {
    Scene::new(recording, recording.passes.iter().position(|pass| pass.phase == phase)?)
}

/// The last pass of a phase.
pub(super) fn last<'a>(recording: &'a Recording, phase: &str) -> Option<Scene<'a>> {
    Scene::new(recording, recording.passes.iter().rposition(|pass| pass.phase == phase)?)
}

/// The item of the target that an answer is about.
pub(super) fn about(position: u64) -> Option<u32> {
    u32::try_from(position).ok()
}

pub(super) fn count(count: u64) -> Option<Item> {
    Some(Item::count(u32::try_from(count).ok()?))
}

/// Mistakes and their hints, without those that happen to be right and without repetitions.
pub(super) fn mistakes<const N: usize>(
    answer: Item,
    known: [(Option<Item>, &str); N],
) -> Vec<(Item, String)> {
    let mut mistakes: Vec<(Item, String)> = Vec::new();
    for (item, hint) in known {
        let is_new = |item: &Item| *item != answer && mistakes.iter().all(|(known, _)| known != item);
        if let Some(item) = item.filter(is_new) {
            mistakes.push((item, hint.into()));
        }
    }
    mistakes
}

/// A sum of several numbers, spelled out.
pub(super) fn sum(items: &[Item], result: Item) -> String {
    super::super::words::equation(&Operator::ADD, items, result)
}
