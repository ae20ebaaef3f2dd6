//! The results of the shaders' address functions on the device, to be checked against the K-model's.

use rasterscan::plan::{Access, ItemType, Lanes, Layout, Plan, Shader};
use rasterscan::{ElementType, Gpu, Operator, scan};

/// `ADDRESS(i, d)` for the nodes i of level d of a tree over `len` items. `text` defines it. `None` if the device has
/// no compute shaders.
pub fn addresses(
    gpu: &Gpu,
    text: &str,
    includes: &'static [(&'static str, &'static str)],
    defines: &[(&'static str, i64)],
    len: u64,
    level: u32,
) -> Option<Vec<u32>> {
    if gpu.device().compute.is_none() {
        println!("not applicable: {} has no compute shaders", gpu.device().level());
        return None;
    }
    let main = "
        layout(local_size_x = GROUP) in;
        layout(std430, binding = TARGET) writeonly buffer Addresses { uint b_addresses[]; };
        void main() {
            int i = int(gl_GlobalInvocationID.x);
            if (i < b_addresses.length()) {
                b_addresses[i] = uint(ADDRESS(i, LEVEL));
            }
        }";
    let nodes = len >> level;
    let layout = |len| Layout::buffer(ElementType::U32, 1, len);
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let mut plan = Plan::new("addresses", item, layout(1));
    let slot = plan.slot("addresses", layout(nodes));
    let input = plan.input();
    let shader = includes
        .iter()
        .fold(Shader::new("own/addresses.comp", format!("{text}{main}")), |shader, (path, text)| {
            shader.with_include(*path, *text)
        })
        .with_library(&scan::SHADER_FILES);
    let pass = plan
        .dispatch("addresses", shader, Lanes::Shared, 64, nodes.div_ceil(64))
        .bind("TARGET", slot, Access::Write)
        .bind("SOURCE", input, Access::Read)
        .define("LEVEL", level);
    defines.iter().fold(pass, |pass, &(name, value)| pass.define(name, value));
    let plan = plan.finish(slot);
    let mut prepared = gpu.prepare(&plan).unwrap_or_else(|error| panic!("{error}"));
    let stream = prepared.upload(&[0u32]).unwrap();
    Some(prepared.run(&stream).unwrap().read().unwrap())
}
