//! The passes that make rows, columns, segments, a direction, a seed or a total of a scan by any algorithm.

use super::{Narration, told};
use rasterscan::ScanSpec;

use crate::scene::Scene;

/// The items in the order of the scan.
pub fn arrange(scene: &Scene) -> Option<Narration> {
    let spec: &ScanSpec = scene.recording.request.get()?;
    let flags = if spec.is_split() { ", each with a 1 behind it where a scan begins" } else { "" };
    let first = scene.target(0)?.item(0)?;
    told(format!(
        "arrange: the items are put into the order in which they are scanned{flags}; the first is now {first}."
    ))
}

/// Columns that become rows, before or after the scan.
pub fn transpose(scene: &Scene) -> Option<Narration> {
    if scene.pass.phase == "arrange" { arrange(scene) } else { restore(scene) }
}

/// The results in the order of the stream.
pub fn restore(scene: &Scene) -> Option<Narration> {
    let spec: &ScanSpec = scene.recording.request.get()?;
    let seed = if spec.has_seed { ", each with the given value in front of it" } else { "" };
    let first = scene.target(0)?.item(0)?;
    told(format!("restore: the results go where their items were{seed}; the first is {first}."))
}

/// Bits from offsets.
pub fn flags(scene: &Scene) -> Option<Narration> {
    scene.target(0)?;
    told("flags: a bit is set for each item at which a segment begins.")
}

/// The total.
pub fn total(scene: &Scene) -> Option<Narration> {
    let total = scene.target(0)?.item(0)?;
    told(format!("total: everything adds up to {total}, with which a scan of what follows would begin."))
}

/// The last bit of each word.
pub fn last_heads(scene: &Scene) -> Option<Narration> {
    scene.target(0)?;
    told("last heads: of each 32 flags, the index of the last one that is set; 0 where there is none.")
}

/// The table that scans of textures look up.
pub fn starts(scene: &Scene) -> Option<Narration> {
    scene.target(0)?;
    told("starts: for each 8 items their flags, and how many items before them their scan begins.")
}

/// A pass of a scan of textures that takes nothing from before the scan that an item belongs to.
pub fn within(scene: &Scene) -> Option<Narration> {
    // Of an inner scan of words or of flagged items there is no more to say than of any pass.
    scene.is("HEADS").then_some(())?;
    let first = scene.target(0)?.item(0)?;
    let by = if scene.is("FLAGGED") { "the table of starts" } else { "its place in its row" };
    told(format!(
        "{}as on a whole stream, but each {} finds by {by} where its scan begins, and leaves out what is before; the first \
         is now {first}.",
        scene.stepped(&scene.pass.phase),
        scene.noun()
    ))
}
