//! The sorts of the texture era.

pub(crate) mod bitonic;
pub(crate) mod radix;
pub(crate) mod split;

pub use bitonic::Bitonic;
pub use radix::Radix;
pub use split::Split;

use crate::element::ElementType;
use crate::plan::{DrawRecorder, Plan, Shader, Slot};

/// Adds a pass that moves the items of streams, each to the place that finds it (`glsl/sort/common/move.glsl`); `find` adds what it
/// is found by. Returns the results, in the layout of the first stream.
fn gather(
    plan: &mut Plan,
    shader: Shader,
    streams: &[Slot],
    find: impl for<'p> FnOnce(DrawRecorder<'p>) -> DrawRecorder<'p>,
) -> Vec<Slot> {
    let layout = *plan.layout(streams[0]);
    let results: Vec<Slot> = streams.iter().map(|_| plan.slot("sorted", layout)).collect();
    let pass = plan
        .draw("gather", shader)
        .element(ElementType::U32)
        .define("ITEMS", layout.items_per_texel.into())
        .define("PAYLOADS", streams.len() as i64 - 1);
    let pass = ["u_keys", "u_payload", "u_payload_2", "u_payload_3"]
        .into_iter()
        .zip(streams)
        .fold(find(pass), |pass, (name, slot)| pass.read(name, *slot).fetches(name, layout.len));
    results.iter().fold(pass, |pass, result| pass.write(*result));
    results
}
