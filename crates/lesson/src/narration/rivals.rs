//! The compactions that block compaction is compared with: geometry shaders, sorting, a pyramid of counts, points.

use super::{Narration, about, told};
use rasterscan::operator::Operator;
use rasterscan::tools::printable::counted;

use super::super::Item;
use super::super::scene::Scene;
use super::super::words::equation;
use super::flags::{arrives, moved, of_both};

/// A geometry shader drops the unwanted.
pub fn filter(scene: &Scene) -> Option<Narration> {
    let (kept, input, target) = (scene.kept()?, scene.input()?, scene.target(0)?);
    let dropped = match kept.iter().position(|kept| !kept) {
        Some(index) => format!("x[{index}] = {} is dropped", input.item(index as u64)?),
        None => "nothing is dropped".into(),
    };
    let appended = match moved(&kept, kept.len().max(1) as u64) {
        Some(found) => {
            format!("position {} gets {}, from x[{}]", found.to, target.item(found.to)?, found.from)
        }
        None => "nothing is left".into(),
    };
    told(format!(
        "every element is a point ({} in all). A geometry shader lets the wanted ones pass ({}), and they are captured \
         in order: {dropped}; {appended}.",
        kept.len(),
        scene.wanted()
    ))
}

/// Runs are counted.
pub fn count_runs(scene: &Scene) -> Option<Narration> {
    let (target, run) = (scene.target(0)?, scene.number_of("RUN")?);
    let of = if scene.is("COUNTS") { "counts" } else { "elements" };
    let text = format!(
        "each fragment counts what is kept in {run} {of}, because capturing leaves no count on the GPU. The \
         first run has {}.",
        target.count(0)?
    );
    about(&target, 0, text)
}

/// The bit of a key that marks its element as unwanted.
const UNWANTED: u64 = 1 << 31;

/// A key in words.
fn key(key: u64) -> String {
    if key >= UNWANTED { format!("2^31 + {} ({key})", key - UNWANTED) } else { key.to_string() }
}

/// Keys that sort the unwanted after the rest.
pub fn keys(scene: &Scene) -> Option<Narration> {
    let (kept, target) = (scene.kept()?, scene.target(0)?);
    let examples = of_both(&kept, |wanted, index| {
        let own = target.count(index)?;
        Some(match wanted {
            true => format!("x[{index}] is kept and gets the key {own}"),
            false => format!("x[{index}] is unwanted and gets {}", key(own)),
        })
    });
    told(format!(
        "{} to sort by: the index of the element, plus 2^31 if it is unwanted. {examples}.",
        counted(target.len(), "key")
    ))
}

/// A step of the bitonic sort.
pub fn sort(scene: &Scene) -> Option<Narration> {
    let (before, after) = (scene.source("u_keys")?, scene.target(0)?);
    let (run, distance) = (scene.int("u_run")?, scene.int("u_distance")?);
    // A pair that is swapped, or else the first.
    let ordered = |first: u64| before.count(first) == after.count(first);
    let pairs = || (0..before.len()).filter(|place| place & distance == 0);
    let first = pairs().find(|&first| !ordered(first)).unwrap_or(0);
    let second = first + distance;
    let text = if ordered(first) { "stay" } else { "are swapped" };
    let direction = if first & run == 0 { "ascends" } else { "descends" };
    let swapped = pairs().filter(|&first| !ordered(first)).count() as u64;
    let text = format!(
        "{}keys {distance} apart are compared, in runs of {run} that ascend and descend in turn; this swaps \
         {}. At positions {first} and {second}, where the run {direction}, {} and {} {text}: {} comes first.",
        scene.stepped("step"),
        counted(swapped, "pair"),
        key(before.count(first)?),
        key(before.count(second)?),
        key(after.count(first)?)
    );
    about(&after, first, text)
}

/// Elements follow their keys.
pub fn gather(scene: &Scene) -> Option<Narration> {
    let keys = scene.source("u_keys")?;
    let kept = scene.kept()?;
    let Some(found) = moved(&kept, kept.len().max(1) as u64) else {
        return told(format!(
            "elements follow their keys. The first key is {}: nothing is kept.",
            key(keys.count(0)?)
        ));
    };
    let from = keys.count(found.to)?;
    let text = format!(
        "each element follows its key, which holds its old index. The key at position {} is {from}: {}.",
        found.to,
        arrives(scene, found.to, from)?
    );
    about(&scene.target(0)?, found.to, text)
}

/// The position where the unwanted begin.
pub fn count_keys(scene: &Scene) -> Option<Narration> {
    let (keys, count) = (scene.source("u_keys")?, scene.target(0)?.count(0)?);
    let behind = match keys.count(count) {
        Some(first) => format!("the first key of 2^31 or more is at position {count}, {}", key(first)),
        None => "no key is 2^31 or more".into(),
    };
    told(format!("a one-texel pass finds where the unwanted begin: {behind}, so {count} are kept."))
}

/// A level of the pyramid.
pub fn pyramid(scene: &Scene) -> Option<Narration> {
    let (below, target) = (scene.source("u_level")?, scene.target(0)?);
    // The first four that are not all the same, or the first.
    let fours = (0..target.len()).filter_map(|four| Some((four, below.items(4 * four, 1, 4)?)));
    let (four, items) = match fours
        .into_iter()
        .max_by_key(|(four, items)| (items.iter().any(|item| item != &items[0]), std::cmp::Reverse(*four)))
    {
        Some(found) => found,
        // A level has nothing past its end.
        None => (0, (0..below.len().min(4)).filter_map(|place| below.item(place)).collect()),
    };
    let text = format!(
        "{}every four counts are added into one, and {} become {}. The four from index {} on: {}.",
        scene.stepped("level"),
        counted(below.len(), "count"),
        target.len(),
        4 * four,
        equation(&Operator::ADD, &items, target.item(four)?)
    );
    about(&target, four, text)
}

/// The counts at the top.
pub fn top(scene: &Scene) -> Option<Narration> {
    let (level, count) = (scene.source("u_level")?, scene.target(0)?.item(0)?);
    let items: Vec<Item> = (0..level.len().min(4)).filter_map(|place| level.item(place)).collect();
    let text = format!(
        "the top of the pyramid gives the number of kept elements: {}.",
        equation(&Operator::ADD, &items, count)
    );
    about(&scene.target(0)?, 0, text)
}

/// The walk from the top of the pyramid to the element.
pub fn traverse(scene: &Scene) -> Option<Narration> {
    let levels = scene.number_of("LEVELS")?.min(15);
    let kept = scene.kept()?;
    let count = scene.source("u_count")?.count(0)?;
    let Some(found) = moved(&kept, kept.len().max(1) as u64) else {
        return told(format!("{count} are kept, so no position of the result has to walk down the pyramid."));
    };
    // The quarters on the way, from the top.
    let quarters: Vec<String> =
        (0..levels as u32).rev().map(|level| (found.from >> (2 * level) & 3).to_string()).collect();
    let text = format!(
        "every position of the result ({} in all) walks down from the top. At each level it takes the quarter in \
         which the running count passes its own index. Position {} goes through {} {} and reaches {}: {}.",
        count,
        found.to,
        if quarters.len() == 1 { "quarter" } else { "the quarters" },
        quarters.join(", "),
        found.from,
        arrives(scene, found.to, found.from)?
    );
    about(&scene.target(0)?, found.to, text)
}

/// Elements as points.
pub fn points(scene: &Scene) -> Option<Narration> {
    let (kept, sums) = (scene.kept()?, scene.source("u_sums")?);
    let Some(found) = moved(&kept, kept.len().max(1) as u64) else {
        let unwanted = sums.count(sums.len().checked_sub(1)?)?;
        return told(format!(
            "each element is drawn as a point, and all {unwanted} are unwanted: they are moved out of sight."
        ));
    };
    let unwanted = sums.count(found.from)?;
    let text = format!(
        "every element is drawn as a point ({} in all), and the vertex shader moves it: to its index minus the \
         unwanted before it, or out of sight. {} - {unwanted} = {}, so {}.",
        kept.len(),
        found.from,
        found.to,
        arrives(scene, found.to, found.from)?
    );
    about(&scene.target(0)?, found.to, text)
}
