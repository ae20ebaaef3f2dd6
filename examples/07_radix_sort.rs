//! Sorts numbers by a scan for each bit: a plan made of passes of its own and of a library scan.
//!
//! A step splits the keys by one bit: those with a 0 go to the front, those with a 1 behind them, both in their order. The
//! position of a key with a 0 is the number of such keys before it, an exclusive scan; that of a key with a 1 is its own
//! index, plus the number of keys with a 0 that follow (gems2007, section 39.3.3). A fragment cannot choose where it
//! writes, so each key is a point, and its vertex shader moves it there.
//!
//! One plan serves all 32 bits: the bit is a uniform that is set before each run.

use rasterscan::plan::{ItemType, Layout, Map, Primitives, Shader, Uniform};
use rasterscan::scan::texture::Hybrid;
use rasterscan::{Algorithm, Device, ElementType, Error, Gpu, Operator, Plan, ScanSpec};

/// 1 for each key whose bit is 0.
const ZEROS: &str = "
uniform int u_bit;
void map(uint from[FROM], int index, out uint to[TO]) { to[0] = 1u - (from[0] >> u_bit & 1u); }
";

/// Each key is a point at its new position. `zeros` are the exclusive sums.
const PLACE: &str = "
#include <streams>
uniform int u_bit;
flat out uint v_key;

int zeros_up_to(int index) {
    return int(zeros_at(index)) + int(1u - (keys_at(index) >> u_bit & 1u));
}

void main() {
    int index = gl_VertexID, zeros = int(zeros_at(index));
    v_key = keys_at(index);
    bool one = (v_key >> u_bit & 1u) == 1u;
    target_point(one ? index - zeros + zeros_up_to(keys_len() - 1) : zeros);
}
";

const KEY: &str = "
flat in uint v_key;
layout(location = 0) out uvec4 o_key;

void main() {
    o_key = uvec4(v_key);
}
";

/// A plan that splits `len` keys by the bit that the uniform `u_bit` names.
fn split(len: usize, device: &Device) -> Result<Plan, Error> {
    // Counts below are exclusive sums of zeros and ones. `hybrid` reads and writes an item per texel, as we do; another
    // layout would be gathered first.
    let counts = Hybrid::default().plan(&ScanSpec::new::<u32>(len).exclusive(), device)?;
    let layout = Layout::fit(device, ElementType::U32, 1, 1, len as u64, 2)?;
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let mut plan = Plan::new("split", item, layout).task("keys by one bit");
    let keys = plan.input();

    let zeros = Map::new(ZEROS).set("u_bit", Uniform::Int(0));
    let zeros = plan.map(keys, "zeros", zeros, layout)?;
    let before = plan.append_plan(&counts, &[zeros])?[0];
    let sorted = plan.slot("sorted", layout);
    let points = Primitives::Points(len as u64);
    plan.draw_vertices(
        "place",
        points,
        Shader::new("sort/place.vert", PLACE),
        Shader::new("sort/key.frag", KEY),
    )
    .read("u_keys", keys)
    .read("u_zeros", before)
    .set("u_bit", Uniform::Int(0))
    .write(sorted);
    Ok(plan.finish(sorted))
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::headless()?;
    let keys: Vec<u32> = (0..20_000u32).map(|index| index.wrapping_mul(2_654_435_761) ^ index << 7).collect();

    let mut split = gpu.prepare(&split(keys.len(), gpu.device())?)?;
    // Two streams in turns: a run reads the one and writes the other.
    let mut from = split.upload(&keys)?;
    let mut to = split.new_outputs()?.remove(0);
    for bit in 0..32 {
        split.set("u_bit", Uniform::Int(bit))?;
        split.run_into([&from], [&to])?;
        std::mem::swap(&mut from, &mut to);
    }

    let sorted: Vec<u32> = from.read()?;
    let mut expected = keys;
    expected.sort_unstable();
    assert_eq!(sorted, expected);
    let passes = split.plan().passes().len();
    println!("{} keys sorted in 32 runs of {passes} passes, on {}", sorted.len(), gpu.device());
    Ok(())
}
