//! One or two sentences on each pass of a recording, with the numbers of that run.
//!
//! The shader of a pass determines its sentence. [`NARRATORS`] maps each shader to a function that takes the pass's
//! streams, defines and uniforms from the recording, picks one position where something happens, and describes it. A
//! new algorithm needs an entry for each of its own shaders; until then, a general sentence stands in.

mod around;
mod blocks;
mod ends;
mod flags;
mod packing;
mod reductions;
mod rivals;
mod scatter;
mod segments;
mod texture;
mod tiles;

use rasterscan::printable::counted;
use rasterscan::spec::ScanSpec;
use rasterscan::trace::{Place, Recording, Work};

use super::scene::{Scene, SceneStream};
use super::words::capital;

/// The text on a pass, and the position that it tells of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
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
fn told(text: impl Into<String>) -> Option<Told> {
    Some(Told { text: text.into(), example: None })
}

/// A text that derives an item of a target.
fn about(target: &SceneStream, item: u64, text: impl Into<String>) -> Option<Told> {
    Some(Told { text: text.into(), example: target.example(item) })
}

/// Describes a pass; `None` if the recording lacks what the sentence would name.
type Narrator = fn(&Scene) -> Option<Told>;

/// The narrators of scans of rows, columns and segments, of a direction, a seed or a total.
const AROUND: &[(&str, Narrator)] = &[
    ("scan/around/arrange.frag", around::arrange),
    ("scan/around/arrange.comp", around::arrange),
    ("scan/around/transpose.comp", around::transpose),
    ("scan/around/restore.frag", around::restore),
    ("scan/around/restore.comp", around::restore),
    ("scan/around/flags.frag", around::flags),
    ("scan/around/flags.comp", around::flags),
    ("scan/around/total.frag", around::total),
    ("scan/around/total.comp", around::total),
    ("scan/around/last_heads.frag", around::last_heads),
    ("scan/around/starts.frag", around::starts),
    ("scan/horn/step.frag", around::within),
    ("scan/hybrid/reduce.frag", around::within),
    ("scan/hybrid/down_sweep.frag", around::within),
    ("scan/packed/reduce.frag", around::within),
    ("scan/packed/down_sweep.frag", around::within),
];

/// The narrators of all others, by the main shader of a pass.
const NARRATORS: &[(&str, Narrator)] = &[
    ("scan/horn/step.frag", texture::horn),
    ("scan/hybrid/reduce.frag", texture::reduce),
    ("scan/hybrid/down_sweep.frag", texture::down_sweep),
    ("scan/packed/reduce.frag", texture::packed_reduce),
    ("scan/packed/down_sweep.frag", texture::packed_down_sweep),
    ("scan/harris/naive.comp", blocks::naive),
    ("scan/harris/work_efficient.comp", blocks::work_efficient),
    ("scan/common/uniform_add.comp", blocks::uniform_add),
    ("scan/capannini/cm.comp", blocks::cm),
    ("scan/capannini/scan.comp", blocks::tree),
    ("scan/capannini/up_sweep.comp", blocks::up_sweep),
    ("scan/capannini/down_sweep.comp", blocks::down_sweep),
    ("scan/three_phase/scan.comp", tiles::scan_alone),
    ("scan/three_phase/add.comp", tiles::add),
    ("scan/reduce_then_scan/reduce.comp", tiles::reduce),
    ("scan/reduce_then_scan/reduce_in_series.comp", tiles::reduce),
    ("scan/reduce_then_scan/scan.comp", tiles::scan_from_sums),
    ("scan/reduce_then_scan/scan_in_series.comp", tiles::scan_from_sums),
    ("scan/reduce_then_scan/linear_reduce.comp", tiles::reduce_to_states),
    ("scan/reduce_then_scan/linear_scan.comp", tiles::scan_from_states),
    ("scan/common/clear.comp", tiles::clear),
    ("scan/chained/scan.comp", tiles::chained),
    ("scan/look_back/scan.comp", tiles::look_back),
    ("scan/sam/scan.comp", tiles::sam),
    ("compact/common/flags.frag", flags::flags),
    ("compact/common/search.frag", flags::search),
    ("compact/common/count.frag", flags::count),
    ("compact/common/zero.frag", flags::nothing),
    ("compact/common/zero.comp", flags::nothing),
    ("compact/blocks/ends.frag", segments::ends),
    ("compact/blocks/bits.frag", segments::bits),
    ("compact/blocks/search_bits.frag", segments::search_bits),
    ("compact/blocks/counts.frag", segments::counts),
    ("compact/blocks/segments.vert", segments::segments),
    ("compact/blocks/concatenate.frag", segments::concatenate),
    ("compact/geometry/keep.geom", rivals::filter),
    ("compact/geometry/count.frag", rivals::count_runs),
    ("compact/bitonic/keys.frag", rivals::keys),
    ("compact/bitonic/step.frag", rivals::sort),
    ("compact/bitonic/gather.frag", rivals::gather),
    ("compact/bitonic/count.frag", rivals::count_keys),
    ("compact/histopyramid/reduce.frag", rivals::pyramid),
    ("compact/histopyramid/count.frag", rivals::top),
    ("compact/histopyramid/traverse.frag", rivals::traverse),
    ("compact/points/point.frag", rivals::points),
    ("compact/packed/bits.frag", packing::bits),
    ("compact/packed/counts.frag", packing::counts),
    ("compact/packed/count.frag", packing::count),
    ("compact/packed/hints.frag", packing::hints),
    ("compact/packed/runs.frag", packing::runs),
    ("compact/packed/gather.frag", packing::gather),
    ("compact/scatter/flags.comp", scatter::flags),
    ("compact/scatter/scatter.comp", scatter::scatter),
    ("compact/select/select.comp", scatter::select),
    ("reduce/common/identity.frag", reductions::identity),
    ("reduce/two_pass/reduce.comp", reductions::groups),
    ("reduce/two_pass/finish.comp", reductions::finish),
    ("reduce/single_pass/reduce.comp", reductions::groups),
];

/// Items in a full tile of a pass over tiles.
pub(crate) fn tile_items(scene: &Scene) -> Option<u64> {
    tiles::items(scene)
}

/// The shaders that have a narrator.
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
pub fn narrate_pass(recording: &Recording, pass: usize) -> Option<Told> {
    let scene = Scene::new(recording, pass)?;
    // Most sentences are about one scan of a whole stream.
    let whole = recording.request.get::<ScanSpec>().is_none_or(ScanSpec::is_whole);
    let narrators = if whole { NARRATORS } else { AROUND };
    let (_, narrator) = narrators.iter().find(|(shader, _)| *shader == scene.shader())?;
    let told = narrator(&scene)?;
    Some(Told { text: capital(&format!("{}{}", order(&scene), told.text)), ..told })
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
