//! Moves particles and removes the old ones, while their number stays on the GPU.
//!
//! Each particle has a place, a speed and an age, in three streams. A frame adds the speed to the place, and 1 to the age.
//! Then one compaction finds the indices of the particles that live on, and `Plan::gather` moves the three streams by them.
//! The compaction also leaves the new number of particles, which is the length of the next frame: its passes cover only
//! the particles that are left. So the CPU issues frame after frame, and never waits for a number.

use rasterscan::compact::texture::PackedCompaction;
use rasterscan::plan::Shader;
use rasterscan::{Algorithm, CompactSpec, Comparison, Condition, Device, Error, Gpu, Moves, Plan};

const PARTICLES: usize = 20_000;
const FRAMES: u32 = 40;
/// The age at which a particle ends.
const END: u32 = 60;

/// A texel holds four particles, and all streams lie alike: their order in a texel does not matter here.
const STEP: &str = "
#include \"common/fetch.glsl\"
uniform usampler2D u_place;
uniform ivec4 u_place_shape;
uniform usampler2D u_speed;
uniform ivec4 u_speed_shape;
uniform usampler2D u_age;
uniform ivec4 u_age_shape;
layout(location = 0) out uvec4 o_place;
layout(location = 1) out uvec4 o_age;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    o_place = fetch(u_place, texel, u_place_shape) + fetch(u_speed, texel, u_speed_shape);
    o_age = fetch(u_age, texel, u_age_shape) + 1u;
}
";

/// A frame: place, speed, age and number of the particles before, and the same after.
fn frame(device: &Device) -> Result<Plan, Error> {
    let young = Condition::new(Comparison::Less, END);
    let spec = CompactSpec::new::<u32>(PARTICLES).keep(young).moves(Moves::Indices).with_gpu_length();
    let compaction = PackedCompaction::default().plan(&spec, device)?;
    // The layouts are those of the compaction, so that nothing is gathered.
    let stream = *compaction.layout(compaction.input());
    let number = *compaction.layout(compaction.outputs()[1]);

    let mut plan = Plan::new("frame", compaction.item().clone(), stream).task("move and compact particles");
    let place = plan.input();
    let speed = plan.further_input("speed", stream);
    let age = plan.further_input("age", stream);
    let length = plan.further_input("number", number);

    let [moved, aged] = ["moved", "aged"].map(|name| plan.slot(name, stream));
    plan.indirect(length, PARTICLES as u64, |plan| {
        plan.draw("step", Shader::new("particles/step.frag", STEP))
            .read("u_place", place)
            .read("u_speed", speed)
            .read("u_age", age)
            .write(moved)
            .write(aged);
    });
    let kept = plan.append_plan(&compaction, &[aged, length])?;
    let (indices, count) = (kept[0], kept[1]);
    let mut results = Vec::new();
    for stream in [moved, speed, aged] {
        results.push(plan.gather(stream, indices, Some(count))?);
    }
    results.push(count);
    Ok(plan.finish_with(results))
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::headless()?;
    let number = |index: u32, salt: u32| (index ^ salt << 20).wrapping_mul(2_654_435_761) >> 12;
    let mut particles: Vec<[u32; 3]> = (0..PARTICLES as u32)
        .map(|index| [number(index, 1), number(index, 2) % 100, number(index, 3) % END])
        .collect();

    let mut frame = gpu.prepare(&frame(gpu.device())?)?;
    // Two sets of streams in turns: a frame reads the one and writes the other.
    let mut from = Vec::new();
    for part in 0..3 {
        let numbers: Vec<u32> = particles.iter().map(|particle| particle[part]).collect();
        from.push(frame.upload_input(part, &numbers)?);
    }
    from.push(frame.upload_input(3, &[PARTICLES as u32])?);
    let mut to = frame.new_outputs()?;
    for _ in 0..FRAMES {
        let (inputs, outputs): (Vec<_>, Vec<_>) = (from.iter().collect(), to.iter().collect());
        frame.run_into(&inputs, &outputs)?;
        std::mem::swap(&mut from, &mut to);
    }

    // The first readback.
    let left = from[3].read::<u32>()?[0];
    println!("{left} of {PARTICLES} particles are left after {FRAMES} frames, on {}", gpu.device());
    for _ in 0..FRAMES {
        for [place, speed, age] in &mut particles {
            *place = place.wrapping_add(*speed);
            *age += 1;
        }
        particles.retain(|[.., age]| *age < END);
    }
    assert_eq!(left as usize, particles.len());
    for (part, stream) in from[..3].iter().enumerate() {
        let expected: Vec<u32> = particles.iter().map(|particle| particle[part]).collect();
        assert_eq!(stream.read_first::<u32>(left.into())?, expected);
    }
    Ok(())
}
