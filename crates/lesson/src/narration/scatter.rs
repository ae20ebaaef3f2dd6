//! The compactions of the compute era: an invocation can write to any position.

use super::super::scene::Scene;
use super::{Narration, about, told};

use super::flags::{are, examples, moved};

/// The flags of kept elements.
pub fn flags(scene: &Scene) -> Option<Narration> {
    let (kept, input, flags) = (scene.kept()?, scene.input()?, scene.written("FLAGS")?);
    let first = kept.iter().position(|&kept| kept).unwrap_or(0) as u64;
    let text = format!(
        "each element gets a flag, 1 if it is kept, else 0 (wanted: {}). {}.",
        scene.wanted(),
        examples(&kept, &input, &flags)
    );
    about(&flags, first, text)
}

/// The value that arrives at a position of the result, from an index.
fn arrives(scene: &Scene, place: u64, from: u64) -> Option<String> {
    let result = |name: &str| scene.written(name)?.item(place);
    Some(match result("VALUES") {
        Some(value) => format!("x[{from}] = {value} is written to position {place}"),
        None => format!("the index {} is written to position {place}", result("INDICES")?),
    })
}

/// Each kept element goes to its position.
pub fn scatter(scene: &Scene) -> Option<Narration> {
    let (kept, sums) = (scene.kept()?, scene.source("SUMS")?);
    let count = scene.written("COUNT")?.count(0)?;
    let Some(found) = moved(&kept, kept.len().max(1) as u64) else {
        return told(format!("no element is kept, so none is written; the count is {count}."));
    };
    let moved = scene.written("VALUES").or_else(|| scene.written("INDICES"))?;
    let text = format!(
        "each kept element goes to the position that the scan of the flags gives: with {} kept before x[{}], \
         {}. {}.",
        sums.count(found.from)?,
        found.from,
        arrives(scene, found.to, found.from)?,
        are(count, "kept")
    );
    about(&moved, found.to, text)
}

/// The whole compaction in one pass.
pub fn select(scene: &Scene) -> Option<Narration> {
    let kept = scene.kept()?;
    let (group, groups) = scene.dispatch()?;
    let tile = group * scene.positive("ROWS")?;
    let count = scene.written("COUNT")?.count(0)?;
    let last = usize::try_from(groups.checked_sub(1)?.checked_mul(tile)?).ok()?;
    let before = kept.get(..last)?.iter().filter(|&&kept| kept).count() as u64;
    let own = count - before.min(count);
    let example = match moved(&kept, kept.len().max(1) as u64) {
        Some(found) => arrives(scene, found.to, found.from)?,
        None => "nothing is written".into(),
    };
    told(format!(
        "in one pass, {}. {} before the last tile of {tile}, and {own} in it: {before} + {own} = {count}; {example}.",
        match groups {
            1 => "a work group counts what it keeps and moves it".into(),
            _ => format!(
                "each of {groups} work groups counts what it keeps, looks back for the count before it, and \
                 moves what it keeps"
            ),
        },
        are(before, "kept"),
    ))
}
