//! Keeps the bright pixels of a picture, and processes them further on the GPU.
//!
//! A compaction returns the kept values, their indices, and their count: three streams that stay on the
//! GPU. Here, a scan sums the values in place; nothing is read back between the two. Everything past the
//! last kept value is undefined. That does not matter to a scan, in which nothing flows from right to left.

use rasterscan::compact;
use rasterscan::compact::texture::PackedCompaction;
use rasterscan::scan::texture::Packed;
use rasterscan::{Algorithm, CompactSpec, Compacted, Comparison, Condition, Gpu, Moves, ScanSpec};

const COLUMNS: usize = 320;
const ROWS: usize = 200;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::headless()?;
    let luma = picture();

    let scan = ScanSpec::new::<u32>(luma.len());
    let mut running_sum = gpu.prepare(&Packed::default().plan(&scan, gpu.device())?)?;

    // The condition, the outputs, and the width of the result, which is that of the scan's input.
    let bright = CompactSpec::new::<u32>(luma.len())
        .keep(Condition::new(Comparison::AtLeast, 200u32))
        .moves(Moves::Both)
        .columns(running_sum.input_layout(0).unwrap().width);
    let mut compaction = gpu.prepare(&PackedCompaction::default().plan(&bright, gpu.device())?)?;

    let input = compaction.upload(&luma)?;
    let kept = Compacted::try_from(compaction.run([&input])?)?;
    let sums = running_sum.run(kept.values.expect("values are moved"))?;

    // The first readback.
    let count = kept.read_count()?;
    let places = kept.read_indices()?;
    let sums: Vec<u32> = sums.read_first(count)?;

    let light = sums.last().copied().unwrap_or(0);
    let half = sums.partition_point(|&sum| sum < light / 2);
    println!("{count} of {} pixels are bright, on {}", luma.len(), gpu.device());
    if let Some(&place) = places.get(half) {
        let (x, y) = (place as usize % COLUMNS, place as usize / COLUMNS);
        println!("their luma adds up to {light}; half of it is reached in column {x} of row {y}");
    }

    let expected = compact::sequential(&bright, &luma, &[])?;
    expected.verify(count, Some(&kept.read_values::<u32>()?), Some(&places))?;
    assert_eq!(u64::from(light), expected.values.iter().map(|&value| u64::from(value)).sum::<u64>());
    Ok(())
}

/// A dark picture with some discs of light, row by row.
fn picture() -> Vec<u32> {
    let discs = [(60, 40, 15), (200, 90, 30), (290, 170, 8)];
    let inside = |x: i32, y: i32| discs.iter().any(|(a, b, r)| (x - a).pow(2) + (y - b).pow(2) < r * r);
    let pixel = |index: usize| {
        let (x, y) = (index % COLUMNS, index / COLUMNS);
        let grain = ((x * 7 + y * 13) % 32) as u32;
        if inside(x as i32, y as i32) { 220 + grain } else { grain }
    };
    (0..COLUMNS * ROWS).map(pixel).collect()
}
