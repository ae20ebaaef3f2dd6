//! Decodes a long list of times that is stored as differences, chunk by chunk.
//!
//! Times are in microseconds, and events follow each other within 65 milliseconds. So the wait before an event takes 16
//! bits, where its time takes 64. A scan of the waits restores the times. The list may be longer than the device's memory,
//! or arrive bit by bit: `Gpu::scan_chunks` scans each chunk as it comes, and begins with the total of all chunks before,
//! which stays on the GPU.

use rasterscan::{Gpu, ScanSpec};

const EVENTS: usize = 1_000_000;
const CHUNK: usize = 1 << 17;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::headless()?;
    let waits: Vec<u16> =
        (0..EVENTS as u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 16) as u16).collect();
    let mut now = 0;
    let times: Vec<u64> = waits
        .iter()
        .map(|wait| {
            now += u64::from(*wait);
            now
        })
        .collect();

    // The spec says everything but the length, which each chunk brings along. The last one here is shorter.
    let mut decode = gpu.scan_chunks::<u64>(&ScanSpec::new::<u64>(0))?;
    let mut decoded = Vec::with_capacity(EVENTS);
    for chunk in waits.chunks(CHUNK) {
        let wide: Vec<u64> = chunk.iter().map(|wait| u64::from(*wait)).collect();
        decoded.extend(decode.next_chunk(&wide)?);
    }

    let total = decode.total()?[0];
    println!("{EVENTS} times decoded in {} chunks, on {}", EVENTS.div_ceil(CHUNK), gpu.device());
    println!("the last event is {total} microseconds after the start");
    assert_eq!(decoded, times);
    assert_eq!(total, now);
    Ok(())
}
