//! An algorithm defined outside the crate: Horn's scan with steps of four instead of two.
//!
//! Each pass adds up to four values that are 4^d positions apart, so ceil(log4 n) passes do what
//! Horn's ceil(log2 n) do. It takes a type that builds the passes and a fragment shader. The engine
//! runs, records, times and checks it like any algorithm of the crate, and the shader's includes
//! make it work for every element and operator.

use rasterscan::algorithm::Placement;
use rasterscan::plan::{Shader, Slot, Uniform};
use rasterscan::scan;
use rasterscan::{Algorithm, Device, Element, Error, Gpu, Operator, Plan, ScanKind, ScanSpec, Unsupported};

#[derive(Debug)]
struct Horn4;

const STEP: &str = r#"// x[k] <- x[k - 3 offset] + x[k - 2 offset] + x[k - offset] + x[k], as far as there are such k.
#include "common/item.glsl"
#include "common/fetch.glsl"

uniform Sampler u_source;
uniform ivec4 u_source_shape;
uniform ivec2 u_offset;

layout(location = 0) out Texel o_result;

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
    Item sum = the_item(fetch(u_source, place, u_source_shape));
    for (int i = 1; i < 4; i++) {
        place = left_of(place, u_offset, u_source_shape.x);
        if (place.y < 0) break;
        sum = combine(the_item(fetch(u_source, place, u_source_shape)), sum);
    }
    o_result = texel_of(sum);
}
"#;

impl Algorithm<ScanSpec> for Horn4 {
    fn name(&self) -> &'static str {
        "horn4"
    }

    fn placement(&self, spec: &ScanSpec, _: &Device) -> Result<Placement, Error> {
        if (spec.kind, spec.order, spec.tuple) != (ScanKind::Inclusive, 1, 1) {
            return Err(Unsupported::request("horn4 does plain inclusive scans only").into());
        }
        Ok(Placement::Texture { items_per_texel: 1, unit: 1 })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        inputs: &[Slot],
        _: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let width = u64::from(plan.layout(inputs[0]).width);
        let mut values = plan.ping_pong(inputs[0]);
        let mut offset = 1;
        while offset < spec.len {
            // A distance of d items is d % width columns and d / width rows.
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
        Ok(vec![values.source()])
    }
}

fn check<T: Element>(gpu: &Gpu, operator: Operator, data: &[T]) -> Result<(), Box<dyn std::error::Error>> {
    let spec = ScanSpec::new::<T>(data.len() / operator.arity() as usize).operator(&operator);
    let plan = Horn4.plan(&spec, gpu.device())?;
    let mut prepared = gpu.prepare(&plan)?;
    let input = prepared.upload(data)?;
    let result: Vec<T> = prepared.run(&input)?.read()?;
    let verified = scan::verify(&spec, plan.cost().depth, data, &result)?;
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
