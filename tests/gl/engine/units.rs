//! A pass reads at most as many textures as every fragment stage has units.

use rasterscan::plan::{ItemType, Layout, Shader};
use rasterscan::{ElementType, Error, Gpu, Operator, Plan};

use super::context::Hostile;

const SAMPLERS: [&str; 17] = [
    "u_0", "u_1", "u_2", "u_3", "u_4", "u_5", "u_6", "u_7", "u_8", "u_9", "u_10", "u_11", "u_12", "u_13",
    "u_14", "u_15", "u_16",
];

/// Adds `count` inputs, each through its own sampler.
fn sum_of(gpu: &Gpu, count: usize) -> Plan {
    let names = SAMPLERS.iter().take(count);
    let uniforms: String = names.clone().map(|name| format!("uniform usampler2D {name};\n")).collect();
    let fetches: Vec<String> =
        names.map(|name| format!("texelFetch({name}, ivec2(gl_FragCoord.xy), 0).x")).collect();
    let text = format!(
        "layout(location = 0) out uvec4 o_sum;\n{uniforms}void main() {{\n    o_sum = uvec4({});\n}}\n",
        fetches.join(" + ")
    );
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let layout = Layout::fit(gpu.device(), ElementType::U32, 1, 1, 64, 2).unwrap();
    let mut plan = Plan::new("sum", item, layout);
    let mut inputs = vec![plan.input()];
    inputs.extend((1..count).map(|_| plan.further_input("further", layout)));
    let sum = plan.slot("sum", layout);
    let mut pass = plan.draw("sum", Shader::new("own/sum.frag", text));
    for (name, slot) in SAMPLERS.into_iter().zip(inputs) {
        pass = pass.read(name, slot);
    }
    pass.write(sum);
    plan.finish(sum)
}

fn sixteen_textures_and_no_more() {
    let hostile = Hostile::new();
    let gpu = hostile.gpu();
    let mut prepared = gpu.prepare(&sum_of(&gpu, 16)).unwrap();
    let streams: Vec<_> =
        (0..16).map(|number| prepared.upload_input(number, &[1u32 << number; 64]).unwrap()).collect();
    let sum = prepared.run(&streams.iter().collect::<Vec<_>>()).unwrap().first();
    assert_eq!(sum.read::<u32>().unwrap(), [0xFFFF; 64]);
    hostile.same("sixteen textures");
    match gpu.prepare(&sum_of(&gpu, 17)) {
        Err(Error::Unsupported(reason)) => assert!(reason.to_string().contains("at most 16"), "{reason}"),
        other => panic!("{:?}", other.err()),
    }
}

crate::tests![sixteen_textures_and_no_more,];
