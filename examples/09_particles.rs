//! Moves particles and removes the old ones, while their number stays on the GPU.
//!
//! Each particle has a place, a speed and an age, in three streams. A frame adds the speed to the place, and 1 to the age.
//! Then one compaction finds the indices of the particles that live on, and `Plan::gather` moves the three streams by them.
//! The compaction also leaves the new number of particles, which is the length of the next frame: its passes cover only
//! the particles that are left. So the CPU issues frame after frame, and never waits for a number.

use rasterscan::compact::texture::PackedCompaction;
use rasterscan::plan::Map;
use rasterscan::{Algorithm, CompactSpec, Comparison, Condition, Device, Error, Gpu, Moves, Plan};

const PARTICLES: usize = 20_000;
const FRAMES: u32 = 40;
/// The age at which a particle ends.
const END: u32 = 60;

const MOVE: &str =
    "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = from[0] + speed_at(index); }";
const AGE: &str = "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = from[0] + 1u; }";

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

    let (moved, aged) = plan.indirect(length, PARTICLES as u64, |plan| {
        let moved = plan.map(place, "move", Map::new(MOVE).stream("speed", speed, 1), stream);
        (moved, plan.map(age, "age", AGE, stream))
    });
    let (moved, aged) = (moved?, aged?);
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
