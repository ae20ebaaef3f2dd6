//! The passes that make rows, columns, segments, a direction, a seed or a total of a scan by any algorithm.

use rasterscan::ScanSpec;

use crate::scene::Scene;

/// The items in the order of the scan.
pub fn arrange(scene: &Scene) -> Option<String> {
    let spec: &ScanSpec = scene.recording.request.get()?;
    let flags = if spec.is_split() { ", each with a 1 behind it where a scan begins" } else { "" };
    let first = scene.target(0)?.item(0)?;
    Some(format!(
        "arrange: the items are put into the order in which they are scanned{flags}; the first is now {first}."
    ))
}

/// Columns that become rows, before or after the scan.
pub fn transpose(scene: &Scene) -> Option<String> {
    if scene.pass.phase == "arrange" { arrange(scene) } else { restore(scene) }
}

/// The results in the order of the stream.
pub fn restore(scene: &Scene) -> Option<String> {
    let spec: &ScanSpec = scene.recording.request.get()?;
    let seed = if spec.seeded { ", each with the given value in front of it" } else { "" };
    let first = scene.target(0)?.item(0)?;
    Some(format!("restore: the results go where their items were{seed}; the first is {first}."))
}

/// Bits from offsets.
pub fn flags(scene: &Scene) -> Option<String> {
    scene.target(0)?;
    Some("flags: a bit is set for each item at which a segment begins.".into())
}

/// The total.
pub fn total(scene: &Scene) -> Option<String> {
    let total = scene.target(0)?.item(0)?;
    Some(format!("total: everything adds up to {total}, with which a scan of what follows would begin."))
}
