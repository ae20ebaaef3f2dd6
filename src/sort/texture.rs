//! The sorts of the texture era.

pub(crate) mod bitonic;
pub(crate) mod radix;
pub(crate) mod split;

pub use bitonic::Bitonic;
pub use radix::Radix;
pub use split::Split;

use crate::algorithm::{Arguments, Candidates, Choice, Domain, Parameter, PseudoCode, Variants};
use crate::element::ElementType;
use crate::plan::{DrawRecorder, Plan, Shader, Slot};
use crate::scan;

/// The scan of counts that a sort contains.
const SCAN: Parameter = Parameter {
    name: "scan",
    about: "the scan of the counts",
    default: "packed",
    candidates: Candidates::NONE,
    domain: Domain::algorithms(scan::OF_TEXTURES, &[]),
};

/// The variants of such a sort that tests run.
const SCANS: Variants = Variants { all: &["", "scan=horn", "scan=hybrid:reduce=2"], some: &[] };

/// The listing of such a sort, and those of its scan.
fn listings(own: &'static PseudoCode, arguments: &Arguments) -> Vec<&'static PseudoCode> {
    let scan = arguments.choice(SCAN.name).map(Choice::pseudo_code);
    [own].into_iter().chain(scan.unwrap_or_default()).collect()
}

/// The streams that a sort moves, by their names in shaders.
const STREAMS: [&str; 4] = ["u_keys", "u_payload", "u_payload_2", "u_payload_3"];

/// Adds a pass that moves the items of streams, each to the place that finds it (`glsl/sort/common/move.glsl`); `find` adds what it
/// is found by. Returns the results, in the layout of the first stream.
fn gather(
    plan: &mut Plan,
    shader: Shader,
    streams: &[Slot],
    find: impl for<'p> FnOnce(DrawRecorder<'p>) -> DrawRecorder<'p>,
) -> Vec<Slot> {
    let layout = *plan.layout(streams[0]);
    let results = streams.iter().map(|_| plan.slot("sorted", layout)).collect();
    gather_into(plan, shader, &STREAMS, streams, results, |pass| {
        find(pass.define("ITEMS", layout.items_per_texel.into()))
    })
}

/// The same into results of any layout, from streams under these names.
fn gather_into(
    plan: &mut Plan,
    shader: Shader,
    names: &[&'static str],
    streams: &[Slot],
    results: Vec<Slot>,
    find: impl for<'p> FnOnce(DrawRecorder<'p>) -> DrawRecorder<'p>,
) -> Vec<Slot> {
    let lens: Vec<u64> = streams.iter().map(|slot| plan.layout(*slot).len).collect();
    let pass =
        plan.draw("gather", shader).element(ElementType::U32).define("PAYLOADS", streams.len() as i64 - 1);
    let pass = names
        .iter()
        .zip(streams.iter().zip(lens))
        .fold(find(pass), |pass, (name, (slot, len))| pass.read(name, *slot).fetches(name, len));
    results.iter().fold(pass, |pass, result| pass.write(*result));
    results
}
