//! Copies of a stream, as plans of their own: the device limits that times are compared with.

use crate::device::Device;
use crate::error::Error;
use crate::plan::{Access, ItemType, Lanes, Layout, Plan, Uniform, shader};
use crate::scan::ScanSpec;

/// `copy:texture`: one full-screen pass that copies the stream of `spec`, one item per texel.
///
/// No fragment algorithm that reads and writes every texel can be faster. Reads and writes n texels.
pub fn texture(spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
    spec.check()?;
    let arity = spec.operator.arity();
    let layout = Layout::fit(device, spec.element, arity, 1, spec.len, 2)?;
    let item = ItemType { element: spec.element, operator: spec.operator.clone() };
    let mut plan =
        Plan::new("copy:texture", item, layout).task(format!("a copy of {} {}", spec.len, spec.element));
    let copy = plan.slot("copy", layout);
    let source = plan.input();
    plan.draw("copy", shader!("copy/texture.frag"))
        .read("u_source", source)
        .fetches("u_source", layout.texels())
        .write(copy);
    Ok(plan.finish(copy))
}

/// `copy:buffer`: one dispatch that copies the stream of `spec`, four words at a time.
///
/// No compute algorithm that reads and writes every item can be faster. Reads and writes n items.
///
/// Errors: [`Error::Spec`]; [`Error::Unsupported`] without compute shaders, or if no buffer is long enough.
pub fn buffer(spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
    spec.check()?;
    /// Invocations in a group; vectors per invocation.
    const GROUP: u32 = 256;
    const ROWS: u32 = 4;
    let layout = Layout::in_buffer(device, spec.element, spec.operator.arity(), spec.len)?;
    let item = ItemType { element: spec.element, operator: spec.operator.clone() };
    let mut plan =
        Plan::new("copy:buffer", item, layout).task(format!("a copy of {} {}", spec.len, spec.element));
    let copy = plan.slot("copy", layout);
    let source = plan.input();
    let words = u64::from(layout.words_per_texel());
    for part in layout.parts(device, u64::from(GROUP * ROWS * 4), u64::MAX)? {
        let moved = (part.end - part.start) * words;
        let vectors = moved.div_ceil(4);
        plan.dispatch(
            "copy",
            shader!("copy/buffer.comp"),
            Lanes::Serial,
            GROUP,
            vectors.div_ceil((GROUP * ROWS).into()),
        )
        .bind_loads("SOURCE", source, part.clone(), 4)
        .bind_part("TARGET", copy, Access::Write, part)
        .define("ROWS", ROWS)
        .define("LOAD", 4)
        .set("u_vectors", Uniform::Int(vectors as i32))
        .moves(moved, moved);
    }
    Ok(plan.finish(copy))
}
