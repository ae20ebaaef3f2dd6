//! How a value was made: the items that a pass read for it, and what came of each.
//!
//! A recording holds what was read, not what was done with it. That follows from the numbers: of the reads, those whose
//! values combine to the result by the pass's operator are its operands, and an equation of them is true whatever the
//! shader did.

use rasterscan::printable::counted;
use rasterscan::spec::ScanSpec;
use rasterscan::trace::{Place, Reader, Recording};

use super::Item;
use super::scene::Scene;
use super::shared;
use super::words::expression;

/// The making of an item of a pass's target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worked {
    /// The texel of the target, or the item of a buffer.
    pub target: Place,
    /// The texels or items that were read for it, in the order of the reads.
    pub reads: Vec<Reading>,
    /// An equation in the run's numbers, such as `21 = ping[1] + ping[3] = 14 + 7`; without one, what was read.
    pub text: String,
    /// True if the text is an equation, or names the one item that was moved.
    pub derived: bool,
}

/// A read for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The texel or item that was read, of a source.
    pub from: Place,
    /// The index in the stream of the item that counted, or of the first one of the texel.
    pub item: u64,
    /// What came of it.
    pub role: Role,
}

/// What came of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Its value is a part of the result.
    Operand,
    /// A search looked at it: the number of the look, from 1.
    Probe(u32),
    /// It was read, and its value is no part of the result.
    Unused,
}

/// The shaders that move items: what they read beside the item that is moved are probes of a search.
const MOVES: [&str; 9] =
    ["search", "search_bits", "gather", "traverse", "concatenate", "point", "keep", "scatter", "select"];
/// The most operands that an equation spells out.
const MOST_TERMS: usize = 6;

/// An item that was read.
#[derive(Debug, Clone, Copy)]
struct Operand<'a> {
    /// Its number among the places that were read.
    read: usize,
    of: u32,
    stream: usize,
    name: &'a str,
    index: u64,
    value: Item,
}

/// How a pass made an item of a target, the first of a texel or another; `None` if the place is not of the pass, or
/// nothing was read for it. Cost: the reads of the pass, once.
pub fn worked(recording: &Recording, pass: usize, target: Place, item: u64) -> Option<Worked> {
    let scene = Scene::new(recording, pass)?;
    let result = scene.target(target.of as usize)?;
    let value = result.item(item)?;
    let places = scene.pass.read_for(target);
    let operands = read(&scene, &places);
    if operands.is_empty() {
        return None;
    }
    let stem = scene.shader().rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or("");
    let name = format!("{}[{item}]", result.name);
    if scene.shader().starts_with("compact/") && MOVES.contains(&stem) {
        return Some(moved(&scene, target, &name, value, &places, &operands));
    }
    // Through the tree in shared memory, if that was recorded.
    if let Some(items) = shared::origins(recording, pass, target).filter(|items| !items.is_empty()) {
        let terms = read(&scene, &items);
        let values: Vec<Item> = terms.iter().map(|term| term.value).collect();
        if Item::fold(scene.operator(), &values).is_some_and(|sum| sum.is_about(&value)) {
            let all = terms.iter().map(|term| reading(&items, term.read, term.index, Role::Operand));
            let text = equation(&scene, value, None, &terms);
            return Some(Worked { target, reads: all.collect(), text, derived: true });
        }
    }
    let by_invocation = scene.pass.reads.iter().any(|reads| reads.by == Reader::Invocation);
    let (terms, before) = match by_invocation {
        false => (terms(&scene, value, item, &operands), None),
        true => combined_by_invocations(&scene, &result_items(&result), item, &operands),
    };
    // A place with nothing before it.
    let nothing = || {
        let identity = Item::identity(scene.operator(), value.element());
        (scene.scan().is_some() && identity == value).then(Vec::new)
    };
    let Some(terms) = terms.or_else(nothing) else {
        return Some(listed(target, &name, value, &places, &operands));
    };
    let used = |read: usize| terms.iter().any(|term| term.read == read);
    let mut reads: Vec<Reading> =
        terms.iter().map(|term| reading(&places, term.read, term.index, Role::Operand)).collect();
    // An invocation reads for all its items at once.
    if !by_invocation {
        let unused = (0..places.len()).filter(|read| !used(*read));
        reads.extend(unused.map(|read| reading(&places, read, first_of(&operands, read), Role::Unused)));
    }
    Some(Worked { target, reads, text: equation(&scene, value, before, &terms), derived: true })
}

fn reading(places: &[Place], read: usize, item: u64, role: Role) -> Reading {
    Reading { from: places[read], item, role }
}

/// The first item of a read.
fn first_of(operands: &[Operand], read: usize) -> u64 {
    operands.iter().find(|operand| operand.read == read).map_or(0, |operand| operand.index)
}

/// The items at places that a pass read, as they were before it.
fn read<'a>(scene: &Scene<'a>, places: &[Place]) -> Vec<Operand<'a>> {
    let recording = scene.recording;
    let of_place = |(read, place): (usize, Place)| {
        let source = scene.pass.sources.get(place.of as usize)?;
        let values = recording.before(scene.number, source.stream)?;
        let layout = recording.layout(source.stream);
        let per_texel = u64::from(layout.items_per_texel.max(1));
        let first = u64::from(place.index) * per_texel;
        let items = (first..first + per_texel).map_while(move |index| {
            let value = Item::at(values, layout.arity, index)?;
            let (of, stream) = (place.of, source.stream);
            Some(Operand { read, of, stream, name: recording.name(stream), index, value })
        });
        Some(items)
    };
    places.iter().copied().enumerate().filter_map(of_place).flatten().collect()
}

/// The operands whose values combine to a value, in the order in which they do; `None` if none of the ways in which
/// shaders combine what they read gives it.
fn terms<'a>(scene: &Scene, value: Item, item: u64, operands: &[Operand<'a>]) -> Option<Vec<Operand<'a>>> {
    let alike = |operand: &&Operand| {
        operand.value.element() == value.element() && operand.value.arity() == value.arity()
    };
    let all: Vec<Operand> = operands.iter().filter(alike).copied().collect();
    let mut ordered = all.clone();
    ordered.sort_by_key(|operand| (operand.of, operand.index));
    let mut sources: Vec<u32> = ordered.iter().map(|operand| operand.of).collect();
    sources.dedup();
    // Items of a source, up to the last that is in front of `end`.
    let up_to = |of: u32, end: u64| -> Vec<Operand<'a>> {
        ordered.iter().filter(|operand| operand.of == of && operand.index < end).copied().collect()
    };
    let gives = |terms: &Vec<Operand>| {
        let items: Vec<Item> = terms.iter().map(|term| term.value).collect();
        Item::fold(scene.operator(), &items).is_some_and(|sum| sum.is_about(&value))
    };
    let mut ways: Vec<Vec<Operand>> = Vec::new();
    for first in sources.iter().rev() {
        let others = sources.iter().filter(|of| *of != first);
        let behind: Vec<u32> = others.copied().collect();
        for end in [u64::MAX, item + 1, item] {
            let mut way = up_to(*first, u64::MAX);
            way.extend(behind.iter().flat_map(|of| up_to(*of, end)));
            ways.push(way);
        }
    }
    for of in &sources {
        ways.extend([item + 1, item].map(|end| up_to(*of, end)));
    }
    // One sum of a texel of sums, and the items after it.
    for sum in &ordered {
        for of in sources.iter().filter(|of| **of != sum.of) {
            for end in [u64::MAX, item + 1, item] {
                ways.push([vec![*sum], up_to(*of, end)].concat());
            }
        }
    }
    // Several sums from the first on, which are not scanned, and the items after them.
    for sums in &sources {
        let all = up_to(*sums, u64::MAX);
        for number in 2..=all.len() {
            for of in sources.iter().filter(|of| *of != sums) {
                for end in [u64::MAX, item + 1, item] {
                    ways.push([all[..number].to_vec(), up_to(*of, end)].concat());
                }
            }
        }
    }
    // One of the blocks that a texel of several items reduces.
    if let Some(block) = scene.positive("BLOCK") {
        for of in &sources {
            let stream = scene.pass.sources.get(*of as usize)?.stream;
            let size = block * u64::from(scene.recording.layout(stream).items_per_texel.max(1));
            let mut way = up_to(*of, (item + 1).saturating_mul(size));
            way.retain(|operand| operand.index >= item.saturating_mul(size));
            ways.push(way);
        }
    }
    // A copy: of the item at the same index, or else of the one that was read last.
    let same = ordered.iter().filter(|operand| operand.index == item);
    ways.extend(same.chain(all.iter().rev()).map(|operand| vec![*operand]));
    ways.into_iter().find(|way| !way.is_empty() && gives(way))
}

/// The items of a target.
fn result_items<'a>(result: &super::scene::SceneStream<'a>) -> impl Fn(u64) -> Option<Item> + use<'a> {
    let result = *result;
    move |index| result.item(index)
}

/// The items that an invocation combined for one of its results: those of the input up to it, and what precedes its
/// first, which other invocations have combined.
fn combined_by_invocations<'a>(
    scene: &Scene,
    result: &dyn Fn(u64) -> Option<Item>,
    item: u64,
    operands: &[Operand<'a>],
) -> (Option<Vec<Operand<'a>>>, Option<Item>) {
    let found = || {
        let spec: &ScanSpec = scene.recording.request.get().filter(|spec: &&ScanSpec| spec.is_whole())?;
        let exclusive = u64::from(scene.is("EXCLUSIVE"));
        let value = result(item)?;
        let tuple = u64::from(spec.tuple.max(1));
        let mut own: Vec<Operand> = operands
            .iter()
            .filter(|operand| {
                let same = operand.index % tuple == item % tuple && operand.index + exclusive * tuple <= item;
                same && operand.value.arity() == value.arity() && operand.value.element() == value.element()
            })
            .copied()
            .collect();
        own.sort_by_key(|operand| (operand.stream, operand.index));
        let of = own.first()?.of;
        own.retain(|operand| operand.of == of);
        let first = own.first()?.index;
        let before = match exclusive {
            1 => result(first),
            _ => first.checked_sub(tuple).and_then(result),
        };
        let items = |before: Option<Item>| -> Vec<Item> {
            before.into_iter().chain(own.iter().map(|operand| operand.value)).collect()
        };
        let gives =
            |before| Item::fold(scene.operator(), &items(before)).is_some_and(|sum| sum.is_about(&value));
        // The first items of a block or a tile have nothing before them.
        let before = [None, before].into_iter().find(|before| gives(*before))?;
        Some((own, before))
    };
    match found() {
        Some((own, before)) => (Some(own), before),
        None => (None, None),
    }
}

/// `21 = ping[1] + ping[3] = 14 + 7`.
fn equation(scene: &Scene, value: Item, before: Option<Item>, terms: &[Operand]) -> String {
    let name = |term: &Operand| format!("{}[{}]", term.name, term.index);
    match (terms, before) {
        ([], None) => return format!("{value}, the identity of {}: nothing precedes it", scene.operator()),
        ([term], None) => return format!("{value} = {}", name(term)),
        _ => {}
    }
    let short = |mut texts: Vec<String>| {
        if texts.len() > MOST_TERMS {
            texts.splice(2..texts.len() - 1, ["…".to_owned()]);
        }
        expression(scene.operator(), &texts)
    };
    let head = before.map(|_| "what precedes".to_owned());
    let names = short(head.into_iter().chain(terms.iter().map(name)).collect());
    let values = before.into_iter().chain(terms.iter().map(|term| term.value));
    format!("{value} = {names} = {}", short(values.map(|value| value.to_string()).collect()))
}

/// An item that was moved, and the probes of the search for it.
fn moved(
    scene: &Scene,
    target: Place,
    name: &str,
    value: Item,
    places: &[Place],
    operands: &[Operand],
) -> Worked {
    let input = scene.input().map(|input| input.number);
    let moves_values = scene.define("MOVES_VALUES") != Some(0);
    let from_input =
        |operand: &&Operand| moves_values && operand.value == value && Some(operand.stream) == input;
    let same = |operand: &&Operand| moves_values && operand.value == value;
    let taken = operands.iter().rev().find(from_input).or_else(|| operands.iter().rev().find(same));
    // The count says whether there is such a position; it is no part of the search.
    let count = scene.source("u_count").map(|count| count.number);
    let bounds =
        |read: usize| operands.iter().any(|operand| operand.read == read && Some(operand.stream) == count);
    // A line knows its element: what else was read gave its ends.
    let line = scene.shader().ends_with("/concatenate.frag");
    let mut looks = 0;
    let reads = (0..places.len()).map(|read| match taken {
        Some(taken) if taken.read == read => reading(places, read, taken.index, Role::Operand),
        Some(_) if line => reading(places, read, first_of(operands, read), Role::Unused),
        _ if bounds(read) => reading(places, read, first_of(operands, read), Role::Unused),
        _ => {
            looks += 1;
            reading(places, read, first_of(operands, read), Role::Probe(looks))
        }
    });
    let reads: Vec<Reading> = reads.collect();
    let probed = |read: usize| matches!(reads[read].role, Role::Probe(_));
    let first_operand = |read: usize| operands.iter().find(|operand| operand.read == read);
    if let Some(taken) = taken.filter(|_| line) {
        let ends = operands.iter().find(|operand| operand.read != taken.read && operand.name == "segments");
        let ends = ends
            .map_or_else(String::new, |ends| format!(", in the segment {} (start, end, shift)", ends.value));
        let text = format!("{value} = {}[{}]{ends}", taken.name, taken.index);
        return Worked { target, reads, text, derived: true };
    }
    let seen = (0..places.len()).filter(|read| probed(*read)).filter_map(first_operand);
    let mut seen: Vec<String> =
        seen.map(|operand| format!("{}[{}] = {}", operand.name, operand.index, operand.value)).collect();
    let count = seen.len() as u64;
    if seen.len() > MOST_TERMS {
        seen.splice(MOST_TERMS.., ["…".to_owned()]);
    }
    let after = match count {
        0 => String::new(),
        count => format!(", after {}: {}", counted(count, "probe"), seen.join(", ")),
    };
    let text = match taken {
        Some(taken) => format!("{value} = {}[{}]{after}", taken.name, taken.index),
        None => format!("{name} = {value}{after}"),
    };
    Worked { target, reads, text, derived: taken.is_some() || !moves_values }
}

/// What was read, if no equation is known.
fn listed(target: Place, name: &str, value: Item, places: &[Place], operands: &[Operand]) -> Worked {
    let mut seen: Vec<String> = operands
        .iter()
        .map(|operand| format!("{}[{}] = {}", operand.name, operand.index, operand.value))
        .collect();
    if seen.len() > MOST_TERMS {
        seen.splice(MOST_TERMS.., ["…".to_owned()]);
    }
    let reads = (0..places.len())
        .map(|read| reading(places, read, first_of(operands, read), Role::Operand))
        .collect();
    Worked { target, reads, text: format!("{name} = {value}, from {}", seen.join(", ")), derived: false }
}
