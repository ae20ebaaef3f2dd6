//! The packed compaction: bits, counts of groups, hints, and four elements at a time.

use super::super::scene::Scene;
use super::flags::{are, arrives, bits as hexadecimal, moved, share};
use super::{Narration, about, told};
use rasterscan::tools::printable::counted;

/// Elements in a group: the bits of a texel.
const GROUP: u64 = 128;

/// Flags as bits.
pub fn bits(scene: &Scene) -> Option<Narration> {
    let (kept, target) = (scene.kept()?, scene.target(0)?);
    let (wanted, of) = share(&kept, 0, GROUP as usize)?;
    let text = format!(
        "each element gets a bit, 1 if it is kept, {GROUP} to a texel: {} in all. The first is {} and keeps \
         {wanted} of {of}.",
        counted(target.len(), "texel"),
        hexadecimal(&target, 0)?
    );
    about(&target, 0, text)
}

/// The bits of each group, counted.
pub fn counts(scene: &Scene) -> Option<Narration> {
    let target = scene.target(0)?;
    let (_, of) = share(&scene.kept()?, 0, GROUP as usize)?;
    let text = format!(
        "the bits of each group are counted: {} for {}. The first group keeps {} of {of}.",
        counted(target.len(), "count"),
        counted(scene.kept()?.len() as u64, "element"),
        target.count(0)?
    );
    about(&target, 0, text)
}

/// The number of kept elements.
pub fn count(scene: &Scene) -> Option<Narration> {
    let (counts, before) = (scene.source("u_counts")?, scene.source("u_before")?);
    let last = counts.len().checked_sub(1)?;
    let (own, before) = (counts.count(last)?, before.count(last)?);
    let text = format!(
        "a one-texel pass adds what the last group keeps to what the groups before it keep: {before} + {own} = {}.",
        scene.target(0)?.count(0)?
    );
    about(&scene.target(0)?, 0, text)
}

/// The texels of groups with the first of many elements of the result.
pub fn hints(scene: &Scene) -> Option<Narration> {
    let (target, hint) = (scene.target(0)?, scene.positive("HINT")?);
    let last = target.len().checked_sub(1)?;
    let text = format!(
        "for every {hint} positions of the result there is a hint, the texel of four groups that holds the first \
         one's element: {}. The last, for position {}, is {}.",
        counted(target.len(), "hint"),
        last * hint,
        target.count(last)?
    );
    about(&target, last, text)
}

/// The groups where runs of the result begin.
pub fn runs(scene: &Scene) -> Option<Narration> {
    let (target, run) = (scene.target(0)?, scene.positive("RUN")?);
    if scene.source("u_count")?.count(0)? == 0 {
        return told("0 are kept, so no run of the result begins anywhere.".to_owned());
    }
    let start = target.item(0)?.index(0)?;
    let (group, count) = (start & 0xFF_FFFF, start >> 24);
    let text = format!(
        "each run of {run} positions of the result learns the group that holds its first element, what this group \
         keeps, in the bits above, and what the groups before it keep. Run 0 begins in group {group}, with {count} in it.",
    );
    about(&target, 0, text)
}

/// Each texel of the result finds its elements.
pub fn gather(scene: &Scene) -> Option<Narration> {
    let (kept, count) = (scene.kept()?, scene.source("u_count")?.count(0)?);
    let items = scene.positive("ITEMS")?;
    let Some(found) = moved(&kept, kept.len().max(1) as u64) else {
        return told(format!("{count} are kept, so no texel of the result has anything to find."));
    };
    let group = found.from / GROUP;
    let before = scene.source("u_before")?.count(group)?;
    let text = format!(
        "each texel of the result finds its {} with one short search. {} by groups before group {group}: \
         position {} is bit {} of it, and {}.",
        counted(items, "element"),
        are(before, "kept"),
        found.to,
        found.from % GROUP,
        arrives(scene, found.to, found.from)?
    );
    about(&scene.target(0)?, found.to, text)
}
