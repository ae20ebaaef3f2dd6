//! The scans of the texture era: Horn's steps, reduce and down-sweep, and the same in blocks of packed texels.

use super::super::scene::{Scene, SceneStream};
use super::super::words::{equation, expression, grouped, together};
use super::super::work;
use super::{Narration, about};
use rasterscan::tools::printable::counted;
use rasterscan::{ScanKind, ScanSpec};

/// Horn's step, in the whole stream or in blocks.
pub fn horn(scene: &Scene) -> Option<Narration> {
    let (source, target) = (scene.source("u_source")?, scene.target(0)?);
    let offset = scene.distance("u_offset", source.layout).filter(|offset| *offset > 0)?;
    let moved = if scene.is("MOVED") { scene.distance("u_moved", source.layout)? } else { 0 };
    let head = scene.stepped("step");
    let last = target.len().checked_sub(1)?;
    let place = (2 * offset - 1 + moved).min(last);
    let noun = scene.noun();
    let Some(left) = place.checked_sub(moved + offset) else {
        let first = target.item(0)?;
        let text = format!(
            "{head}every {noun} moves {} to the right, and {first} enters at the left.",
            counted(moved, "position")
        );
        return about(&target, 0, text);
    };
    let here = place - moved;
    let items = [source.item(left)?, source.item(here)?];
    let names = [format!("x[{left}]"), format!("x[{here}]")];
    let block = match scene.positive("BLOCK") {
        Some(block) => format!(", within its block of {block}"),
        None => String::new(),
    };
    let shift = match moved {
        0 => String::new(),
        _ => {
            format!(
                ", and all move {} to the right, which makes the scan exclusive",
                counted(moved, "position")
            )
        }
    };
    let stay = match (offset, block.is_empty()) {
        _ if moved > 0 => format!("position 0 takes {}", target.item(0)?),
        (1, true) => "the first is already complete".into(),
        (_, true) => format!("the first {offset} are already complete"),
        (1, false) => "the first of each block does not change".into(),
        (_, false) => format!("the first {offset} of each block do not change"),
    };
    let text = format!(
        "{head}each {noun} is combined with {}{block}{shift}. x[{place}] becomes {} = {}; {stay}.",
        neighbour(offset),
        expression(scene.operator(), &names),
        equation(scene.operator(), &items, target.item(place)?)
    );
    about(&target, place, text)
}

/// The item at this distance to the left.
fn neighbour(offset: u64) -> String {
    match offset {
        1 => "its left neighbour".into(),
        offset => format!("the one {offset} positions to its left"),
    }
}

/// Pairs of neighbours are combined.
pub fn reduce(scene: &Scene) -> Option<Narration> {
    let (source, target) = (scene.source("u_source")?, scene.target(0)?);
    let tuple = scene.positive("TUPLE")?;
    let (tuples, halved) = (source.len() / tuple, target.len() / tuple);
    let head = scene.stepped("reduce");
    let alone = match scene.is("LAST_ALONE") {
        true => {
            format!(
                " The last one has no partner: {} goes up unchanged.",
                target.item(halved.checked_sub(1)? * tuple)?
            )
        }
        false => String::new(),
    };
    let pair = (tuples / 2).min(4).checked_sub(1)?;
    let (left, right, place) = (2 * pair * tuple, (2 * pair + 1) * tuple, pair * tuple);
    let items = [source.item(left)?, source.item(right)?];
    let text = format!(
        "{head}each pair of neighbours is combined into one, so that {} become {}, in a texture of {}. \
         Items {left} and {right}: {} goes to position {place}.{alone}{}",
        counted(source.len(), scene.noun()),
        target.len(),
        counted(target.layout.height.into(), "row"),
        equation(scene.operator(), &items, target.item(place)?),
        reduces(scene).unwrap_or_default()
    );
    about(&target, place, text)
}

/// The reason for a hybrid's number of reduce passes, at the last of them.
fn reduces(scene: &Scene) -> Option<String> {
    let (recording, (step, reduces)) = (scene.recording, scene.step());
    let spec = recording.request.get::<ScanSpec>()?;
    let is_plain = (spec.kind, spec.order, spec.tuple) == (ScanKind::Inclusive, 1, 1);
    if step < reduces || !is_plain || recording.passes.iter().any(work::is_edited) {
        return None;
    }
    let n = spec.len;
    let log = n.next_power_of_two().ilog2();
    let alone: u64 = (0..log).map(|d| n - (1 << d)).sum();
    let all = recording.passes.len();
    let adds = recording.cost_before(all).adds;
    Some(format!(
        " R = {reduces} of them make {all} passes, R more than Horn's {log}, but {} combinations, not {}. Where Horn's steps have at most \
         n / log2 n values left, here from R = {} on, they make no more than n: further reduces save little.",
        grouped(adds),
        grouped(alone),
        (0..=log).find(|r| u64::from(log) * (n >> r) <= n).unwrap_or(log)
    ))
}

/// Scanned pairs expand to twice as many items.
pub fn down_sweep(scene: &Scene) -> Option<Narration> {
    let (values, sums, target) = (scene.source("u_values")?, scene.source("u_sums")?, scene.target(0)?);
    let tuple = scene.positive("TUPLE")?;
    let block = scene.positive("BLOCK");
    let tuples = target.len() / tuple;
    let head = scene.stepped("down-sweep");
    let pairs = match sums.len() {
        1 => "the one scanned pair expands".to_owned(),
        pairs => format!("the {pairs} scanned pairs expand"),
    };
    let to = format!("{pairs} to {} scanned {}s", target.len(), scene.noun());
    if scene.is("EXCLUSIVE") {
        // Odd positions except the first combine; even ones take the total before their pair.
        let first = format!("position 0 takes the identity, {}", target.item(0)?);
        let Some(odd) = (3..tuples).next() else {
            return about(&target, 0, format!("{head}{to}, each without its own item. {first}."));
        };
        let items = [sums.item((odd / 2 - 1) * tuple)?, values.item((odd - 1) * tuple)?];
        let text = format!(
            "{head}{to}, each without its own item. Position {} is odd and combines the pair before it with \
             its left neighbour, {}; position {} copies the pair before it, {}.",
            odd * tuple,
            equation(scene.operator(), &items, target.item(odd * tuple)?),
            (odd - 1) * tuple,
            target.item((odd - 1) * tuple)?
        );
        return about(&target, odd * tuple, text);
    }
    // Even positions combine, unless a block begins there.
    let begins = |place: u64| place == 0 || block.is_some_and(|block| place.is_multiple_of(block));
    let even = (2..tuples).step_by(2).filter(|&place| !begins(place)).take(3).last();
    let taken = |place: u64| {
        Some(format!("position {} is odd and copies {}", place * tuple, target.item(place * tuple)?))
    };
    let Some(even) = even else {
        let odd = if tuples > 1 { format!("; {}", taken(1)?) } else { String::new() };
        return about(&target, 0, format!("{head}{to}. Position 0 keeps {}{odd}.", target.item(0)?));
    };
    let items = [sums.item((even / 2 - 1) * tuple)?, values.item(even * tuple)?];
    let odd = if even + 1 < tuples { format!("; {}", taken(even + 1)?) } else { String::new() };
    let text = format!(
        "{head}{to}. Position {} is even and combines the pairs before it with its own item, {}{odd}.",
        even * tuple,
        equation(scene.operator(), &items, target.item(even * tuple)?)
    );
    about(&target, even * tuple, text)
}

/// A level of packed texels in blocks.
struct Packed {
    tuple: u64,
    /// Tuples in a block.
    block: u64,
}

impl Packed {
    fn of(scene: &Scene, level: &SceneStream) -> Option<Packed> {
        let tuple = scene.positive("TUPLE")?;
        let per_texel = if tuple == 1 { u64::from(level.layout.items_per_texel) } else { 1 };
        Some(Packed { tuple, block: scene.positive("BLOCK")? * per_texel })
    }
}

/// Each block is combined into one item.
pub fn packed_reduce(scene: &Scene) -> Option<Narration> {
    let (source, target) = (scene.source("u_source")?, scene.target(0)?);
    let Packed { tuple, block } = Packed::of(scene, &source)?;
    let tuples = source.len() / tuple;
    let items = source.items(0, tuple, block.min(tuples))?;
    let text = format!(
        "{}each block of {block} is combined into one, {} in all, where halving would take {} passes. The \
         first block: {}.",
        scene.stepped("reduce"),
        target.len(),
        u64::BITS - (block - 1).leading_zeros(),
        together(scene.operator(), source.short(), 0, &items, target.item(0)?)
    );
    about(&target, 0, text)
}

/// Each block is scanned, starting with the total before it.
pub fn packed_down_sweep(scene: &Scene) -> Option<Narration> {
    let (values, target) = (scene.source("u_values")?, scene.target(0)?);
    let Packed { tuple, block } = Packed::of(scene, &values)?;
    let tuples = target.len() / tuple;
    let exclusive = u64::from(scene.is("EXCLUSIVE"));
    let head = scene.stepped("down-sweep");
    let before = if scene.is("SUMS") { scene.source("u_sums") } else { None };
    // The third item of the second block, or of the only one.
    let (start, first) = match before {
        Some(sums) => (block, vec![sums.item(0)?]),
        None => (0, Vec::new()),
    };
    let place = (start + 2).min(tuples.checked_sub(1)?);
    let own = values.items(start * tuple, tuple, (place + 1).checked_sub(exclusive + start)?)?;
    let items: Vec<_> = first.iter().copied().chain(own).collect();
    let result = target.item(place * tuple)?;
    let how = match before {
        Some(_) => format!(
            "each {} combines the total before its block of {block} with its own block up to it",
            scene.noun()
        ),
        None => format!("all items fit into one block of {block}, which is scanned at once"),
    };
    let text = match (items.is_empty(), first.first()) {
        (true, _) => format!("nothing precedes it: {result}"),
        (false, Some(first)) => {
            format!(
                "the total of the first block is {first}, and {}",
                equation(scene.operator(), &items, result)
            )
        }
        (false, None) => equation(scene.operator(), &items, result),
    };
    about(&target, place * tuple, format!("{head}{how}. Position {}: {text}.", place * tuple))
}
