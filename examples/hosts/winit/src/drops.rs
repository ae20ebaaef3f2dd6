//! The fountain as a plan, and the same in Rust.
//!
//! A drop is a place and a speed, in four streams of integers, so that the CPU finds the same numbers to the bit. A frame
//! adds new drops after the last one, moves all of them, and removes those that have fallen below the ground: one
//! compaction finds the indices of those that stay, and `Plan::gather` moves the four streams by them. How many there are
//! is known on the GPU alone.

use rasterscan::compact::texture::PackedCompaction;
use rasterscan::plan::{Shader, Uniform};
use rasterscan::{Algorithm, CompactSpec, Comparison, Condition, Device, Error, Moves, Plan};

/// The most drops; about two thirds of them are in the air.
pub const CAPACITY: u32 = 1 << 16;
/// The height of the picture, whose ground is at 0. The middle of its width is at 0, too.
pub const HEIGHT: i32 = 1 << 16;
const BIRTHS: u32 = 192;
const GRAVITY: i32 = 8;

const GROW: &str = "
#include \"common/fetch.glsl\"
uniform usampler2D u_number;
uniform ivec4 u_number_shape;
layout(location = 0) out uint o_number;

void main() {
    o_number = min(fetch(u_number, ivec2(0), u_number_shape).x + uint(BIRTHS), uint(CAPACITY));
}
";

/// A texel holds four drops.
const STEP: &str = "
#include \"common/fetch.glsl\"
uniform isampler2D u_x;
uniform ivec4 u_x_shape;
uniform isampler2D u_y;
uniform ivec4 u_y_shape;
uniform isampler2D u_vx;
uniform ivec4 u_vx_shape;
uniform isampler2D u_vy;
uniform ivec4 u_vy_shape;
uniform usampler2D u_number;
uniform ivec4 u_number_shape;
uniform ivec4 u_target_shape;
uniform int u_frame;
uniform int u_sway;
layout(location = 0) out ivec4 o_x;
layout(location = 1) out ivec4 o_y;
layout(location = 2) out ivec4 o_vx;
layout(location = 3) out ivec4 o_vy;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec4 index = 4 * index_of(texel, u_target_shape) + ivec4(0, 1, 2, 3);
    ivec4 number = ivec4(int(fetch(u_number, ivec2(0), u_number_shape).x));
    ivec4 born = ivec4(greaterThanEqual(index, number));
    ivec4 old = 1 - born;
    uvec4 dice = uvec4(u_frame * BIRTHS + index - number) * 2654435761u;
    dice = (dice ^ (dice >> 15u)) * 2246822519u;
    ivec4 aside = ivec4(dice >> 26u) + ivec4((dice >> 20u) & 63u) - 63;

    o_vx = old * fetch(u_vx, texel, u_vx_shape) + born * (u_sway + aside);
    o_vy = old * (fetch(u_vy, texel, u_vy_shape) - GRAVITY) + born * (740 + ivec4((dice >> 12u) & 255u));
    o_x = old * (fetch(u_x, texel, u_x_shape) + o_vx);
    o_y = old * (fetch(u_y, texel, u_y_shape) + o_vy);
}
";

/// A frame: the streams `x`, `y`, `vx`, `vy` and the number of drops before, and the same after.
pub fn frame(device: &Device) -> Result<Plan, Error> {
    let aloft = Condition::new(Comparison::AtLeast, 0i32);
    let spec = CompactSpec::new::<i32>(CAPACITY as usize).keep(aloft).moves(Moves::Indices).with_gpu_length();
    let compaction = PackedCompaction::default().plan(&spec, device)?;
    // The layouts are those of the compaction, so that nothing is gathered.
    let stream = *compaction.layout(compaction.input());
    let one = *compaction.layout(compaction.outputs()[1]);

    let mut plan = Plan::new("fountain", compaction.item().clone(), stream).task("move and compact drops");
    let x = plan.input();
    let [y, vx, vy] = ["y", "vx", "vy"].map(|name| plan.further_input(name, stream));
    let number = plan.further_input("number", one);

    let grown = plan.slot("grown", one);
    plan.draw("grow", Shader::new("fountain/grow.frag", GROW))
        .define("BIRTHS", BIRTHS.into())
        .define("CAPACITY", CAPACITY.into())
        .read("u_number", number)
        .write(grown);
    let moved = ["moved x", "moved y", "moved vx", "moved vy"].map(|name| plan.slot(name, stream));
    plan.indirect(grown, CAPACITY.into(), |plan| {
        let step = plan
            .draw("step", Shader::new("fountain/step.frag", STEP))
            .define("BIRTHS", BIRTHS.into())
            .define("GRAVITY", GRAVITY.into())
            .set("u_frame", Uniform::Int(0))
            .set("u_sway", Uniform::Int(0));
        let step =
            step.read("u_x", x).read("u_y", y).read("u_vx", vx).read("u_vy", vy).read("u_number", number);
        moved.iter().fold(step, |step, slot| step.write(*slot));
    });
    let kept = plan.append_plan(&compaction, &[moved[1], grown])?;
    let (indices, count) = (kept[0], kept[1]);
    let mut results = Vec::new();
    for stream in moved {
        results.push(plan.gather(stream, indices, Some(count))?);
    }
    results.push(count);
    Ok(plan.finish_with(results))
}

/// The direction of the fountain, which sways to and fro.
pub fn sway(frame: u32) -> i32 {
    let phase = (frame % 360) as i32;
    ((phase - 180).abs() - 90) * 3 / 2
}

/// A frame on the CPU: the drops with their place and speed, in the order of the streams.
pub fn step(drops: &mut Vec<[i32; 4]>, frame: u32) {
    let births = BIRTHS.min(CAPACITY - drops.len() as u32);
    for [x, y, vx, vy] in drops.iter_mut() {
        *vy -= GRAVITY;
        *x += *vx;
        *y += *vy;
    }
    for birth in 0..births {
        let dice = (frame * BIRTHS + birth).wrapping_mul(2_654_435_761);
        let dice = (dice ^ dice >> 15).wrapping_mul(2_246_822_519);
        let aside = (dice >> 26) as i32 + (dice >> 20 & 63) as i32 - 63;
        drops.push([0, 0, sway(frame) + aside, 740 + (dice >> 12 & 255) as i32]);
    }
    drops.retain(|[_, y, ..]| *y >= 0);
}
