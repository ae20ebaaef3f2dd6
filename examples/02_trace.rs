//! Makes a recording: every texture after every pass, as plain data that can be viewed without a GPU.
//!
//! The scan is Blelloch's, as in sengupta2006. Sixteen numbers lie in a texture of 4 x 4 texels,
//! so two reduce passes halve its height to one row, Horn's passes scan that row, and two down-sweep
//! passes double it again.

use rasterscan::scan;
use rasterscan::scan::texture::Blelloch;
use rasterscan::trace::Trace;
use rasterscan::{Algorithm, Error, Gpu, ScanSpec};

pub fn main() -> Result<(), Error> {
    let gpu = Gpu::headless()?;
    let data: Vec<u32> = vec![3, 1, 7, 0, 4, 1, 6, 3, 2, 2, 5, 9, 0, 8, 1, 1];
    let spec = ScanSpec::new::<u32>(data.len());

    let plan = Blelloch.plan(&spec, gpu.device())?;
    println!("{plan}\n");
    let mut prepared = gpu.prepare(&plan)?;
    let input = prepared.upload(&data)?;
    let trace = prepared.trace(&input)?;
    print(&trace)?;

    // The first reduce pass holds the sums of pairs, the last pass the result.
    let written = |pass: usize| trace.steps[pass].writes[0].values::<u32>();
    assert_eq!(written(0)?, [4, 7, 5, 9, 4, 14, 8, 2]);
    assert_eq!(written(trace.steps.len() - 1)?, scan::sequential(&spec, &data)?);
    Ok(())
}

/// One line for each written texture, its rows separated by bars.
fn print(trace: &Trace) -> Result<(), Error> {
    let inputs = std::iter::once(("input", &trace.inputs[0]));
    let written = trace.steps.iter().flat_map(|step| {
        let phase = step.pass.phase;
        step.writes.iter().map(move |write| (phase, write))
    });
    for (phase, write) in inputs.chain(written) {
        let rows: Vec<String> = write
            .values::<u32>()?
            .chunks(write.layout.width as usize)
            .map(|row| row.iter().map(|value| format!("{value:>3}")).collect())
            .collect();
        println!("{phase:<10} {:<8} {}", trace.name(write.slot), rows.join(" |"));
    }
    Ok(())
}
