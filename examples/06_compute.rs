//! Decodes a curve stored as differences of differences, and keeps its peaks, with compute shaders.
//!
//! A smooth curve changes little from sample to sample, and its changes change less: the differences of its
//! differences are small numbers, which take few bits. A scan of order 2, a sum of sums, restores the curve.
//! `sam` does it in one pass that reads and writes each sample once. Its result stays in a buffer, where
//! `select` continues with it; nothing is read back between the two.

use rasterscan::compact::compute::Select;
use rasterscan::scan::compute::Sam;
use rasterscan::{
    Algorithm, CompactSpec, Compacted, Comparison, Condition, Device, Error, Gpu, Moves, Plan, ScanSpec,
};

const SAMPLES: usize = 100_000;
const PEAK: i32 = 9_900;

pub fn main() -> Result<(), Error> {
    let gpu = Gpu::headless()?;
    let (decode, peaks) = match plans(gpu.device()) {
        Ok(plans) => plans,
        // Most likely there are no compute shaders; the reason tells.
        Err(Error::Unsupported(reason)) => {
            println!("not on {}: {reason}", gpu.device());
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    let (mut decode, mut peaks) = (gpu.prepare(&decode)?, gpu.prepare(&peaks)?);

    let curve: Vec<i32> = (0..SAMPLES).map(|i| (1e4 * (i as f64 / 3000.0).sin()) as i32).collect();
    let coded = differences(&differences(&curve));
    let largest = coded[2..].iter().map(|change| change.abs()).max().unwrap_or(0);
    println!("{SAMPLES} samples up to 10000, as changes of changes: up to {largest}");

    let input = decode.upload(&coded)?;
    let decoded = decode.run(&input)?; // in a buffer on the GPU
    let kept = Compacted::try_from(peaks.run([decoded])?)?;

    let values: Vec<i32> = kept.read_values()?;
    let places = kept.read_indices()?;
    println!("{} of them are {PEAK} or more, on {}", values.len(), gpu.device());

    let expected = curve.iter().enumerate().filter(|(_, sample)| **sample >= PEAK);
    let expected: (Vec<u32>, Vec<i32>) = expected.map(|(place, sample)| (place as u32, *sample)).unzip();
    assert_eq!((places, values), expected);
    Ok(())
}

/// The scan of order 2, and the compaction of its result.
fn plans(device: &Device) -> Result<(Plan, Plan), Error> {
    let sums_of_sums = ScanSpec::new::<i32>(SAMPLES).order(2);
    let high = Condition::new(Comparison::AtLeast, PEAK);
    let wanted = CompactSpec::new::<i32>(SAMPLES).keep(high).moves(Moves::Both);
    Ok((Sam::default().plan(&sums_of_sums, device)?, Select::default().plan(&wanted, device)?))
}

/// Each sample minus the one before it; the first is unchanged.
fn differences(samples: &[i32]) -> Vec<i32> {
    let before = std::iter::once(&0).chain(samples);
    samples.iter().zip(before).map(|(sample, before)| sample - before).collect()
}
