//! Histograms: the bins of items, and how many each has.

use rasterscan::tools::printable::counted;

use super::super::scene::{Scene, SceneStream};
use super::{Narration, about, told};

/// The reason why an item is in a bin, or in none.
fn why(edges: &SceneStream, bin: u64) -> Option<String> {
    let bins = edges.len().checked_sub(1)?;
    Some(match bin < bins {
        true => format!(
            "lies from edge {bin}, {}, up to the next one, {}, so its bin is {bin}",
            edges.item(bin)?,
            edges.item(bin + 1)?
        ),
        false => format!("lies outside of all edges, so it gets {bins}, the number of bins"),
    })
}

/// The bin of each item.
pub fn bins(scene: &Scene) -> Option<Narration> {
    let (items, edges, bins) = (scene.source("u_items")?, scene.source("u_edges")?, scene.target(0)?);
    let count = edges.len().checked_sub(1)?;
    if items.len() == 0 {
        return told(format!("no items lie from edge {} on.", edges.item(0)?));
    }
    // An item in a bin, if there is one.
    let index = (0..bins.len()).find(|index| bins.count(*index).is_some_and(|bin| bin < count)).unwrap_or(0);
    let text = format!(
        "each item searches the {} for its bin. {}[{index}] = {} {}.",
        counted(edges.len(), "edge"),
        items.short(),
        items.item(index)?,
        why(&edges, bins.count(index)?)?
    );
    about(&bins, index, text)
}

/// The items of each bin, by their sorted bins.
pub fn count(scene: &Scene) -> Option<Narration> {
    let (sorted, counts) = (scene.source("u_sorted")?, scene.target(0)?);
    let bin = (0..counts.len()).find(|bin| counts.count(*bin) != Some(0)).unwrap_or(0);
    let below =
        |bin: u64| (0..sorted.len()).filter(|index| sorted.count(*index).is_some_and(|of| of < bin)).count();
    let text = format!(
        "each bin searches the sorted bins for its first item and for that after its last one. Bin {bin}: {} - {} = {}.",
        below(bin + 1),
        below(bin),
        counts.count(bin)?
    );
    about(&counts, bin, text)
}

/// Work groups that count.
pub fn groups(scene: &Scene) -> Option<Narration> {
    let (_, groups) = scene.dispatch()?;
    let (items, counts) = (scene.source("ITEMS")?, scene.written("COUNTS")?);
    let bin = (0..counts.len()).find(|bin| counts.count(*bin) != Some(0)).unwrap_or(0);
    told(format!(
        "{} {} {} by their bins in shared memory, and then {} its counts to those of all: bin {bin} has {}.",
        counted(groups, "work group"),
        if groups == 1 { "counts" } else { "count" },
        counted(items.len(), "item"),
        if groups == 1 { "adds" } else { "each adds" },
        counts.count(bin)?
    ))
}
