//! What times are held against: the limits of the device, as plans of their own.

use crate::device::Device;
use crate::error::Error;
use crate::plan::{ItemType, Layout, Plan, shader};
use crate::spec::ScanSpec;

/// `copy:texture`: one full-screen pass that copies the stream of `spec`, one item a texel.
///
/// No fragment algorithm that reads and writes every texel can be faster. Reads n, writes n texels.
pub fn copy_texture(spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
    spec.check()?;
    let arity = spec.operator.arity();
    let layout = Layout::square(device, spec.element, arity, 1, spec.len, 2)?;
    let item = ItemType {
        element: spec.element,
        operator: spec.operator,
    };
    let mut plan = Plan::new(format!("copy:texture of {} {}", spec.len, spec.element), item, layout);
    let copy = plan.slot("copy", layout);
    let source = plan.input();
    plan.draw("copy", shader!("measure/copy.frag"))
        .read("u_source", source)
        .fetches("u_source", layout.texels())
        .write(copy);
    Ok(plan.finish(copy))
}
