//! How a value was made: the items that a pass read for it, and what came of each.
//!
//! A recording holds what was read, not what was done with it. The kernels of the pass say that: run on the same content,
//! they note which reads they combine. It counts if the shader has read the same and they combine to its result, so that an
//! equation of them is true whatever the shader did.

use rasterscan::tools::printable::counted;
use rasterscan::trace::{Place, Recording};
use rasterscan_kernels::{Operands, Read, Word, replay};

use super::scene::Scene;
use super::words::expression;
use super::{Item, work};

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
const MOVES: [&str; 10] = [
    "search",
    "search_bits",
    "gather",
    "gather_pairs",
    "traverse",
    "concatenate",
    "point",
    "keep",
    "scatter",
    "select",
];
/// The most operands that an equation spells out.
const MOST_TERMS: usize = 6;

/// An item that was read.
#[derive(Debug, Clone, Copy)]
struct Operand<'a> {
    /// The number of its place among those that were read.
    read: usize,
    from: Place,
    stream: usize,
    name: &'a str,
    index: u64,
    value: Item,
}

impl Operand<'_> {
    fn used(&self) -> Reading {
        Reading { from: self.from, item: self.index, role: Role::Operand }
    }
}

/// The operands of an item, the first on the left.
struct Combined<'a> {
    /// All that other invocations have combined before this one's, if there is any.
    before: Option<Item>,
    terms: Vec<Operand<'a>>,
}

/// How a pass made an item of a target, the first of a texel or another; `None` if the place is not of the pass, or
/// nothing was read for it. Cost: the content of the pass's streams, and the kernel of a texel or a work group; of all work
/// groups if they look at each other's states.
pub fn worked(recording: &Recording, pass: usize, target: Place, item: u64) -> Option<Worked> {
    let scene = Scene::new(recording, pass)?;
    let result = scene.target(target.of as usize)?;
    let value = result.item(item)?;
    let places = scene.pass.read_for(target);
    let operands = read(&scene, &places);
    if operands.is_empty() {
        return None;
    }
    let name = format!("{}[{item}]", result.name);
    if work::is_edited(scene.pass) {
        return Some(listed(target, &name, value, &places, &operands));
    }
    let stem = scene.shader().rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or("");
    if scene.shader().starts_with("compact/") && MOVES.contains(&stem) {
        return Some(moved(&scene, target, &name, value, &places, &operands));
    }
    let sorts = scene.shader().starts_with("sort/") && MOVES.contains(&stem);
    let (terms, mut text) = match combined(&scene, target, item, value) {
        Some(Combined { before, terms }) => {
            let text = equation(&scene, value, before, &terms);
            (terms, text)
        }
        None => match part_of(&scene, target, item).filter(|_| sorts) {
            Some(whole) => {
                (vec![whole], format!("{value}, of {}[{}] = {}", whole.name, whole.index, whole.value))
            }
            None => return Some(listed(target, &name, value, &places, &operands)),
        },
    };
    let mut reads: Vec<Reading> = terms.iter().map(Operand::used).collect();
    let others = (0..places.len()).filter(|read| !terms.iter().any(|term| term.from == places[*read]));
    if sorts {
        // All other reads are those by which the key was found.
        let probes: Vec<usize> = others.filter(|read| of_search(&scene, places[*read])).collect();
        reads.extend(
            (1..).zip(&probes).map(|(look, read)| reading(&places, &operands, *read, Role::Probe(look))),
        );
        let first = |read: &usize| operands.iter().find(|operand| operand.read == *read);
        text += &after(probes.iter().filter_map(first));
    } else if scene.dispatch().is_none() {
        // An invocation reads for all its items at once.
        reads.extend(others.map(|read| reading(&places, &operands, read, Role::Unused)));
    }
    Some(Worked { target, reads, text, derived: true })
}

/// The items of the pass's sources that an item of a target was made of, the first on the left; `None` if that is not known.
pub fn origins(recording: &Recording, pass: usize, target: Place, item: u64) -> Option<Vec<Place>> {
    let scene = Scene::new(recording, pass).filter(|scene| !work::is_edited(scene.pass))?;
    let (_, _, reads) = made(&scene, target, item)?;
    reads.iter().map(|read| place(&scene, read)).collect()
}

/// The operands of an item, its texel or invocation, and the reads that were combined to it.
fn made(scene: &Scene, target: Place, item: u64) -> Option<(Operands, usize, Vec<Read>)> {
    let writer = match scene.dispatch() {
        None => target.index as usize,
        Some(_) => *scene.pass.writes.as_ref()?.who_read(target).first()?,
    };
    let only = scene.dispatch().map_or(writer, |(invocations, _)| writer / invocations.max(1) as usize);
    let word = Word::Item { of: target.of, item };
    let replayed = |only| replay(scene.recording, scene.number, only).filter(|made| made.of(word).is_some());
    // The last of all work groups may do more than others.
    let operands = replayed(Some(only)).or_else(|| replayed(None).filter(|_| scene.dispatch().is_some()))?;
    let store = *operands.of(word)?;
    let reads = operands.reads(&store)?;
    let listed = |read: &Read| {
        let place = place(scene, read)?;
        scene
            .pass
            .reads
            .iter()
            .filter_map(|reads| reads.of(read.by))
            .any(|own| own.contains(&place))
            .then_some(())
    };
    reads.iter().try_for_each(listed)?;
    Some((operands, store.by, reads))
}

/// The texel or item of a source that a read was of.
fn place(scene: &Scene, read: &Read) -> Option<Place> {
    let layout = scene.recording.layout(scene.pass.sources.get(read.of as usize)?.stream);
    let index = u32::try_from(read.item / u64::from(layout.items_per_texel.max(1))).ok()?;
    Some(Place { of: read.of, index })
}

fn combined<'a>(scene: &Scene<'a>, target: Place, item: u64, value: Item) -> Option<Combined<'a>> {
    let (operands, writer, reads) = made(scene, target, item)?;
    let alike = |own: &Operand| own.value.element() == value.element() && own.value.arity() == value.arity();
    let mut terms: Vec<Operand> =
        reads.iter().map(|of| item_of(scene, of).filter(alike)).collect::<Option<_>>()?;
    let fold = |terms: &[Operand]| {
        let values: Vec<Item> = terms.iter().map(|term| term.value).collect();
        Item::fold(scene.operator(), &values)
    };
    let sum = fold(&terms).unwrap_or(Item::identity(scene.operator(), value.element()));
    if !sum.is_about(&value) {
        return None;
    }
    // Stage by stage, others' work is shown. A single item of another stream has a name.
    let others = match scene.dispatch().filter(|_| operands.spans.is_empty()) {
        Some(_) => reads.iter().rposition(|read| read.by != writer).map_or(0, |last| last + 1),
        None => 0,
    };
    let named = others == 1 && reads.get(1).is_some_and(|second| second.of != reads[0].of);
    let own = terms.split_off(if named { 0 } else { others });
    Some(Combined { before: fold(&terms), terms: own })
}

/// The item that a read was of.
fn item_of<'a>(scene: &Scene<'a>, of: &Read) -> Option<Operand<'a>> {
    read(scene, &[place(scene, of)?]).into_iter().find(|operand| operand.index == of.item)
}

/// The pair of a key and its payload that a single one is of, or the key of a pair.
fn part_of<'a>(scene: &Scene<'a>, target: Place, item: u64) -> Option<Operand<'a>> {
    let (_, _, reads) = made(scene, target, item)?;
    item_of(scene, reads.first()?)
}

/// A read with its first item.
fn reading(places: &[Place], operands: &[Operand], read: usize, role: Role) -> Reading {
    let first = operands.iter().find(|operand| operand.read == read);
    Reading { from: places[read], item: first.map_or(0, |operand| operand.index), role }
}

/// The items at places that a pass read, as they were before it.
fn read<'a>(scene: &Scene<'a>, places: &[Place]) -> Vec<Operand<'a>> {
    let recording = scene.recording;
    let of_place = |(read, from): (usize, Place)| {
        let source = scene.pass.sources.get(from.of as usize)?;
        let values = recording.before(scene.number, source.stream)?;
        let layout = recording.layout(source.stream);
        let per_texel = u64::from(layout.items_per_texel.max(1));
        let first = u64::from(from.index) * per_texel;
        let items = (first..first + per_texel).map_while(move |index| {
            let value = Item::at(values, layout.arity, index)?;
            let stream = source.stream;
            Some(Operand { read, from, stream, name: recording.name(stream), index, value })
        });
        Some(items)
    };
    places.iter().copied().enumerate().filter_map(of_place).flatten().collect()
}

/// `21 = ping[1] + ping[3] = 14 + 7`.
fn equation(scene: &Scene, value: Item, before: Option<Item>, terms: &[Operand]) -> String {
    let name = |term: &Operand| format!("{}[{}]", term.name, term.index);
    match (terms, before) {
        ([], None) => return format!("{value}, the identity of {}: nothing precedes it", scene.operator()),
        ([], Some(_)) => return format!("{value} = what precedes"),
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
        Some(taken) if taken.read == read => taken.used(),
        Some(_) if line => reading(places, operands, read, Role::Unused),
        _ if bounds(read) => reading(places, operands, read, Role::Unused),
        _ => {
            looks += 1;
            reading(places, operands, read, Role::Probe(looks))
        }
    });
    let reads: Vec<Reading> = reads.collect();
    let probed = |read: usize| matches!(reads[read].role, Role::Probe(_));
    let first_operand = |read: &usize| operands.iter().find(|operand| operand.read == *read);
    if let Some(taken) = taken.filter(|_| line) {
        let ends = operands.iter().find(|operand| operand.read != taken.read && operand.name == "segments");
        let ends = ends
            .map_or_else(String::new, |ends| format!(", in the segment {} (start, end, shift)", ends.value));
        let text = format!("{value} = {}[{}]{ends}", taken.name, taken.index);
        return Worked { target, reads, text, derived: true };
    }
    let seen = (0..places.len()).filter(|read| probed(*read)).filter_map(|read| first_operand(&read));
    let after = after(seen);
    let text = match taken {
        Some(taken) => format!("{value} = {}[{}]{after}", taken.name, taken.index),
        None => format!("{name} = {value}{after}"),
    };
    Worked { target, reads, text, derived: taken.is_some() || !moves_values }
}

/// Whether a place is of a stream that a sort searches, not of one that it moves.
fn of_search(scene: &Scene, place: Place) -> bool {
    let name = scene.pass.sources.get(place.of as usize).map_or("", |source| &source.name);
    name != "u_keys" && !name.starts_with("u_payload") && !name.ends_with("_pairs")
}

/// The reads of a search, in words.
fn after<'a>(probes: impl Iterator<Item = &'a Operand<'a>> + Clone) -> String {
    match probes.clone().count() {
        0 => String::new(),
        count => format!(", after {}: {}", counted(count as u64, "probe"), told(probes)),
    }
}

/// What was read, if no equation is known.
fn listed(target: Place, name: &str, value: Item, places: &[Place], operands: &[Operand]) -> Worked {
    let reads = (0..places.len()).map(|read| reading(places, operands, read, Role::Operand)).collect();
    let text = format!("{name} = {value}, from {}", told(operands.iter()));
    Worked { target, reads, text, derived: false }
}

/// The first few of what was read, with names and values.
fn told<'a>(operands: impl Iterator<Item = &'a Operand<'a>>) -> String {
    let mut seen: Vec<String> =
        operands.map(|operand| format!("{}[{}] = {}", operand.name, operand.index, operand.value)).collect();
    if seen.len() > MOST_TERMS {
        seen.splice(MOST_TERMS.., ["…".to_owned()]);
    }
    seen.join(", ")
}
