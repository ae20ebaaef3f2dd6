//! A scan in ten lines: numbers to the GPU, running sums on it, and back.

use rasterscan::scan::texture::Packed;
use rasterscan::{Algorithm, Gpu, ScanSpec};

pub fn main() -> Result<(), rasterscan::Error> {
    let gpu = Gpu::headless()?;
    let data: Vec<u32> = (1..=1000).collect();

    let spec = ScanSpec::new::<u32>(data.len()); // an inclusive sum, unless it is told otherwise
    let plan = Packed::default().plan(&spec, gpu.device())?; // which passes: plain data
    let mut scan = gpu.prepare(&plan)?; // programs compiled, textures allocated: once
    let input = scan.upload(&data)?;
    let sums: Vec<u32> = scan.run(&input)?.read()?;

    assert_eq!(sums[999], 500_500);
    println!("{} on {}: the last sum is {}", plan.name(), gpu.device(), sums[999]);
    Ok(())
}
