//! Numbers to scan, whose sums every part can check on its own, and the median of times.

use std::ops::Range;
use std::time::Duration;

/// The item at an index: its mixed bits.
pub fn item(index: u64) -> u32 {
    (index as u32).wrapping_mul(2_654_435_761) ^ (index >> 20) as u32
}

/// The sum of the items of a range.
pub fn sum(range: Range<u64>) -> u32 {
    range.map(item).fold(0, u32::wrapping_add)
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
