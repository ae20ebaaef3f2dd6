//! Numbers to scan, whose sums every part can check on its own, and the median of times.

use std::error::Error;
use std::ops::Range;
use std::time::Duration;

use rasterscan::Stream;

/// The item at an index: its mixed bits.
pub fn item(index: u64) -> u32 {
    (index as u32).wrapping_mul(2_654_435_761) ^ (index >> 20) as u32
}

/// The items of a range.
pub fn items(range: Range<u64>) -> Vec<u32> {
    range.map(item).collect()
}

/// The sum of the items of a range.
pub fn sum(range: Range<u64>) -> u32 {
    range.map(item).fold(0, u32::wrapping_add)
}

/// Checks every sum of a part whose first item is `first`. Reads it back.
///
/// Errors: the first wrong sum; as [`Stream::read`].
pub fn verify<'a>(
    first: u64,
    scanned: impl Iterator<Item = &'a Stream>,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (mut sum, mut index) = (sum(0..first), first);
    for stream in scanned {
        for got in stream.read::<u32>()? {
            sum = sum.wrapping_add(item(index));
            if got != sum {
                return Err(format!("sum {index} is {got}, expected {sum}").into());
            }
            index += 1;
        }
    }
    Ok(())
}

/// The median in milliseconds.
///
/// # Panics
///
/// If there are no times.
pub fn median(times: impl IntoIterator<Item = Duration>) -> f64 {
    let mut times: Vec<Duration> = times.into_iter().collect();
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}
