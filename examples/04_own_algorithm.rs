//! An algorithm of one's own, outside the crate: Horn's scan with steps of four instead of two.
//!
//! Each pass adds up to four values that lie 4^d places apart, so ceil(log4 n) passes do what
//! Horn's ceil(log2 n) do. It takes a type that records a plan and a fragment shader. The engine
//! runs, traces, times and checks it like any algorithm of the crate, and the shader's includes
//! make it work for every element and operator.

use rasterscan::plan::{ItemType, Layout, Shader, Uniform};
use rasterscan::{
    Device, Element, Error, Gpu, Operator, Plan, ScanAlgorithm, ScanKind, ScanSpec, Unsupported, reference,
};

struct Horn4;

const STEP: &str = r#"// x[k] <- x[k - 3 offset] + x[k - 2 offset] + x[k - offset] + x[k], as far as there are such k.
#include "common/item.glsl"
#include "common/stream.glsl"

uniform Sampler u_source;
uniform ivec4 u_source_shape;
uniform ivec2 u_offset;

layout(location = 0) out Texel o_result;

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
    Item sum = the_item(texelFetch(u_source, place, 0));
    for (int i = 1; i < 4; i++) {
        place = left_of(place, u_offset, u_source_shape.x);
        if (place.y < 0) break;
        sum = combine(the_item(texelFetch(u_source, place, 0)), sum);
    }
    o_result = texel_of(sum);
}
"#;

impl ScanAlgorithm for Horn4 {
    fn plan(&self, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
        spec.check()?;
        if (spec.kind, spec.order, spec.tuple) != (ScanKind::Inclusive, 1, 1) {
            return Err(Unsupported("horn4 does plain inclusive scans only".into()).into());
        }
        let arity = spec.operator.arity();
        let layout = Layout::fit(device, spec.element, arity, 1, spec.len, 1)?;
        let item = ItemType::of(spec);
        let mut plan = Plan::new("horn4", item, layout).task(spec.to_string());

        let mut values = plan.ping_pong(plan.input());
        let mut offset = 1;
        while offset < spec.len {
            // A distance of d items is d % width columns and d / width rows.
            let width = u64::from(layout.width);
            let distance = Uniform::Int2([(offset % width) as i32, (offset / width) as i32]);
            let added = (1..4).map(|i| spec.len.saturating_sub(i * offset)).sum();
            plan.draw("scan", Shader::new("horn4/step.frag", STEP))
                .read("u_source", values.source())
                .set("u_offset", distance)
                .fetches("u_source", spec.len + added)
                .adds(added, 3)
                .write(values.target());
            values.swap();
            offset *= 4;
        }
        Ok(plan.finish(values.source()))
    }
}

fn check<T: Element>(gpu: &Gpu, operator: Operator, data: &[T]) -> Result<(), Box<dyn std::error::Error>> {
    let spec = ScanSpec::new::<T>(data.len() / operator.arity() as usize).operator(&operator);
    let plan = Horn4.plan(&spec, gpu.device())?;
    let mut prepared = gpu.prepare(&plan)?;
    let input = prepared.upload(data)?;
    let result: Vec<T> = prepared.run(&input)?.read()?;
    let verified = reference::verify(&spec, plan.cost().depth, data, &result)?;
    println!("{}: {} passes, {} numbers verified", plan.name(), plan.passes().len(), verified.compared);
    Ok(())
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::headless()?;
    let numbers: Vec<u32> = (0..100_000u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    check(&gpu, Operator::ADD, &numbers)?;
    check(&gpu, Operator::AFFINE, &numbers)?; // does not commute: finds swapped operands
    let fractions: Vec<f32> = numbers.iter().map(|&x| x as f32 / u32::MAX as f32).collect();
    check(&gpu, Operator::ADD, &fractions)?;
    check(&gpu, Operator::MAX, &[] as &[i64])
}
