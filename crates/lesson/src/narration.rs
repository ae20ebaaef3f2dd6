//! One or two sentences on each pass of a recording, with the numbers of that run.
//!
//! The shader of a pass determines its sentence. [`NARRATORS`] maps shaders to functions that take the pass's
//! streams, defines and uniforms from the recording, pick one position where something happens, and describe it. For a
//! shader that is not there, a general sentence stands in.

mod bins;
mod blocks;
mod digits;
mod ends;
mod flags;
mod option_passes;
mod packing;
mod reductions;
mod rivals;
mod scatter;
mod segments;
mod sorts;
mod texture;
mod tiles;

use std::cmp::Reverse;

use rasterscan::ScanSpec;
use rasterscan::tools::printable::counted;
use rasterscan::trace::{Place, Reader, Reads, Recording, Work};

use super::guard::MOST_TURNS;
use super::scene::{Scene, SceneStream};
use super::words::capital;
use super::work;
use super::worked::worked;

/// The text on a pass, and the position that it tells of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Narration {
    /// One or two sentences.
    pub text: String,
    /// The worked example, whose value the text derives. `None` if the text derives none.
    pub example: Option<Example>,
}

/// An item that a text tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The texel of a target that holds it, or the item of a buffer.
    pub place: Place,
    /// Its index in the stream.
    pub item: u64,
}

/// A text on a pass as a whole.
fn told(text: impl Into<String>) -> Option<Narration> {
    Some(Narration { text: text.into(), example: None })
}

/// A text that derives an item of a target.
fn about(target: &SceneStream, item: u64, text: impl Into<String>) -> Option<Narration> {
    Some(Narration { text: text.into(), example: target.example(item) })
}

/// Describes a pass; `None` if the recording lacks what the sentence would name.
type Narrator = fn(&Scene) -> Option<Narration>;

/// Narrators with the paths of their shaders, without the stages: `[scan/horn] texture: step = horn` is
/// `scan/horn/step` and `texture::horn`. A function of the shader's name needs no `=`.
macro_rules! narrators {
    ($($folder:tt $module:ident: $($name:ident $(= $function:ident)?),+;)+) => {
        &[$($((narrators!(@path $folder $name), narrators!(@function $module $name $($function)?))),+),+]
    };
    (@path [$($folder:ident)/+] $name:ident) => { concat!($(stringify!($folder), "/",)+ stringify!($name)) };
    (@function $module:ident $name:ident) => { $module::$name };
    (@function $module:ident $name:ident $function:ident) => { $module::$function };
}

/// The narrators of scans of rows, columns and segments, of a direction, a seed or a total.
const OPTION_PASSES: &[(&str, Narrator)] = narrators! {
    [scan/option_passes] option_passes: arrange, transpose, restore, flags, total, last_heads, starts;
    [scan/horn] option_passes: step = within;
    [scan/hybrid] option_passes: reduce = within, down_sweep = within;
    [scan/packed] option_passes: reduce = within, down_sweep = within;
};

/// The narrators of all others.
const NARRATORS: &[(&str, Narrator)] = narrators! {
    [scan/horn] texture: step = horn;
    [scan/hybrid] texture: reduce, down_sweep;
    [scan/packed] texture: reduce = packed_reduce, down_sweep = packed_down_sweep;
    [scan/harris] blocks: naive, work_efficient;
    [scan/common] blocks: uniform_add;
    [scan/capannini] blocks: cm, scan = tree, up_sweep, down_sweep;
    [scan/three_phase] tiles: scan = scan_alone, add;
    [scan/reduce_then_scan] tiles: reduce, reduce_in_series = reduce, linear_reduce = reduce_to_states;
    [scan/reduce_then_scan] tiles: scan = scan_from_sums, scan_in_series = scan_from_sums;
    [scan/reduce_then_scan] tiles: linear_scan = scan_from_states;
    [scan/common] tiles: clear;
    [scan/chained] tiles: scan = chained;
    [scan/look_back] tiles: scan = look_back;
    [scan/sam] tiles: scan = sam;
    [compact/common] flags: flags, search, count, zero = nothing;
    [compact/blocks] segments: ends, bits, search_bits, counts, segments, concatenate;
    [compact/geometry] rivals: keep = filter, count = count_runs;
    [compact/bitonic] rivals: keys, step = sort, gather, count = count_keys;
    [compact/histopyramid] rivals: reduce = pyramid, count = top, traverse;
    [compact/points] rivals: point = points;
    [compact/packed] packing: bits, counts, count, hints, runs, gather;
    [compact/scatter] scatter: flags, scatter;
    [compact/select] scatter: select;
    [reduce/common] reductions: identity;
    [reduce/two_pass] reductions: reduce = groups, finish;
    [reduce/single_pass] reductions: reduce = groups;
    [sort/bitonic] sorts: first, step, gather;
    [sort/split] sorts: flags, gather = split;
    [sort/radix] digits: planes, masks, counts, marks, gather, gather_pairs = gather;
    [histogram/sorted] bins: bins, count;
    [histogram/atomic] bins: count = groups;
};

/// Items in a full tile of a pass over tiles.
pub(crate) fn tile_items(scene: &Scene) -> Option<u64> {
    tiles::items(scene)
}

/// The shaders that have a narrator, without their stages: `scan/horn/step`.
pub fn narrated_shaders() -> impl Iterator<Item = &'static str> {
    NARRATORS.iter().map(|&(shader, _)| shader)
}

/// The text at a position: the input and the task at 0, pass k at k, and also the result at the last. Positions past
/// the last are the last. Cost: reading the values that it names, and at the last position the sequential algorithm.
pub fn narrate(recording: &Recording, position: usize) -> String {
    let position = position.min(recording.passes.len());
    let mut text = match position.checked_sub(1) {
        None => ends::introduction(recording),
        Some(number) => of_pass(recording, number),
    };
    if position == recording.passes.len() {
        text.push(' ');
        text.push_str(&ends::conclusion(recording));
    }
    text
}

/// The sentence of a pass, counted from 0; `None` if its shader has no narrator, or if the recording lacks what the
/// sentence would name.
pub fn narrate_pass(recording: &Recording, pass: usize) -> Option<Narration> {
    let scene = Scene::new(recording, pass)?;
    if work::is_edited(scene.pass) {
        return Some(edited(&scene));
    }
    // Most sentences are about one scan of a whole stream.
    let whole = recording.request.get::<ScanSpec>().is_none_or(ScanSpec::is_whole);
    let narrators = if whole { NARRATORS } else { OPTION_PASSES };
    let (shader, _) = scene.shader().rsplit_once('.')?;
    let (_, narrator) = narrators.iter().find(|(known, _)| *known == shader)?;
    let told = narrator(&scene)?;
    Some(Narration { text: capital(&format!("{}{}", order(&scene), told.text)), ..told })
}

fn of_pass(recording: &Recording, number: usize) -> String {
    let text = narrate_pass(recording, number).map(|told| told.text);
    text.or_else(|| Scene::new(recording, number).map(|scene| capital(&general(&scene)))).unwrap_or_default()
}

/// The number of this scan: a scan of order k is k scans, one after the other.
fn order(scene: &Scene) -> String {
    let passes = scene.recording.passes.len();
    match scene.recording.request.get::<ScanSpec>() {
        Some(spec) if spec.order > 1 && !scene.recording.algorithm.starts_with("sam") => {
            let each = (passes / spec.order as usize).max(1);
            let order = (scene.number / each + 1).min(spec.order as usize);
            format!("Order {order} of {}: ", spec.order)
        }
        _ => String::new(),
    }
}

/// A pass of an edited shader: only what was recorded, as the narrators know what the algorithm's own shader does.
fn edited(scene: &Scene) -> Narration {
    let mut text = capital(&general(scene));
    let reads = work::reads(scene.recording, scene.pass);
    text.push_str(&format!(" The shader is edited. It made {}.", counted(reads, "recorded read")));
    if scene.pass.stopped {
        text.push_str(&format!(" Its loops were stopped after {MOST_TURNS} turns."));
    }
    // The first of the texels with the most reads.
    let most = scene.pass.reads.iter().filter(|reads| reads.by == Reader::Texel).flat_map(Reads::iter);
    let most = most.max_by_key(|(reader, places)| (places.len(), Reverse(*reader)));
    let example = most.and_then(|(texel, _)| {
        let target = scene.target(0)?;
        target.example(texel as u64 * u64::from(target.layout.items_per_texel.max(1)))
    });
    let how = example.and_then(|example| worked(scene.recording, scene.number, example.place, example.item));
    if let Some(how) = &how {
        text.push_str(&format!(" {}.", how.text));
    }
    Narration { text, example: example.filter(|_| how.is_some()) }
}

/// A sentence that fits any pass.
fn general(scene: &Scene) -> String {
    let pass = scene.pass;
    let names = |numbers: Vec<usize>| {
        let mut names: Vec<&str> = numbers.into_iter().map(|number| scene.recording.name(number)).collect();
        names.dedup();
        if names.is_empty() { "nothing".into() } else { names.join(" and ") }
    };
    let from = names(pass.sources.iter().map(|source| source.stream).collect());
    let to = names(pass.targets.iter().map(|target| target.stream).collect());
    let by = match &pass.work {
        Work::Draw { .. } => "fragments".into(),
        Work::Capture { .. } => "captured vertices".into(),
        Work::Dispatch { groups, .. } => counted(*groups, "work group"),
    };
    let mut text = format!("{}{by} read {from} and write {to}", scene.stepped(&pass.phase));
    if let Some(value) = scene.target(0).and_then(|target| target.item(0)) {
        text.push_str(&format!(", whose first value is now {value}"));
    }
    text + "."
}
