//! The length of a piece that keeps memory below a bound, whatever the length of the stream is.

use anyhow::Context;
use rasterscan::tools::limits::MAX_LEN;
use rasterscan::{Plan, SortSpec};

use super::cut::Cut;
use super::device::OnDevice;
use super::schedule::window;
use crate::exit::Usage;

/// The bound where none is given.
pub const MEMORY: u64 = 1 << 30;

/// The least length that is tried, in numbers.
const LEAST: u64 = 1 << 12;

/// The greatest length that `--memory` leads to, in numbers: the allocator keeps buffers of 16 MB, and gives longer ones back to
/// the system after each piece. 2^28 u32 from a file to a file took a fifth longer in pieces of 2^24 than in pieces of 2^20
/// (llvmpipe, two cores).
const MOST: u64 = 1 << 22;

/// Bytes that a driver takes besides textures and buffers once it runs: compiled programs and its own blocks. Mesa 22 takes
/// up to 90 MB on two cores.
const DRIVER: u64 = 96 << 20;

/// Reads a number of bytes: 800M, 2G, 2^30.
pub fn bytes(text: &str) -> Result<u64, String> {
    let units = [("K", 10), ("M", 20), ("G", 30), ("", 0)];
    let of = |(unit, shift): (&str, u32)| {
        let number = rasterscan::tools::job::whole(text.strip_suffix(unit)?)?;
        number.checked_mul(1 << shift)
    };
    let expected = "expected a number of bytes, such as 800M, 2G or 2^30 (K, M and G are powers of 1024)";
    units.into_iter().find_map(of).filter(|bytes| *bytes > 0).ok_or_else(|| expected.into())
}

/// Reads the length of a piece.
pub fn length(text: &str) -> Result<u64, String> {
    let number = rasterscan::tools::job::whole(text).filter(|number| (1..=MAX_LEN).contains(number));
    number.ok_or_else(|| format!("expected a number from 1 to {MAX_LEN}, or a power such as 2^26"))
}

/// The length of pieces, in numbers: the stated one, or the longest up to [`MOST`] for which `memory` bytes suffice, on this
/// device of so many.
///
/// Errors: the device or the algorithm takes no piece of that length, or memory suffices for none. Nothing was read before.
pub fn piece(
    cut: &Cut,
    device: &OnDevice<'_>,
    devices: usize,
    stated: Option<u64>,
    memory: u64,
) -> anyhow::Result<u64> {
    let plan = |piece| {
        let of = |stage| Ok(device.choose(&cut.request(piece, stage))?.plan);
        (0..cut.stages()).map(of).collect::<anyhow::Result<Vec<_>>>().map(|mut plans| plans.pop().flatten())
    };
    if let Some(piece) = stated {
        return plan(piece).map(|_| piece);
    }
    let base = resident() + devices as u64 * DRIVER;
    let mut best = None;
    let mut next = LEAST;
    while next <= MOST && best != Some(cut.len) {
        let piece = cut.piece(next);
        let plan = match (plan(piece), best) {
            (Ok(plan), _) => plan,
            (Err(error), None) => return Err(error),
            (Err(_), Some(_)) => break,
        };
        let needed = base + devices as u64 * needed(cut, piece, plan.as_ref(), devices);
        if needed > memory {
            let told = || {
                let megabytes = needed.div_ceil(1 << 20);
                format!("--memory is too small: this device needs {megabytes}M for pieces of {piece} numbers")
            };
            return best.ok_or_else(|| Usage(told()).into());
        }
        best = Some(piece);
        next *= 2;
    }
    best.context("no length of pieces")
}

/// The bytes of all that a piece passes through at a time: a reader, a device, a check and a writer have one each, or its
/// results.
fn needed(cut: &Cut, piece: u64, plan: Option<&Plan>, devices: usize) -> u64 {
    let request = cut.request(piece, 0);
    let streams = |bytes: u32| piece * u64::from(bytes);
    let input = streams(4 * request.element().words());
    let long = request.outputs().into_iter().filter(|_| cut.results_are_long());
    let output = streams(long.map(|output| 4 * output.element.words()).sum());
    // Ranks with their indices, the order, and what it moves.
    let reference = if request.get::<SortSpec>().is_some() { streams(16 + 4) + output } else { output };
    let inputs = |plan: &Plan| plan.inputs().map(|slot| plan.layout(slot).bytes()).sum::<u64>();
    let device = plan.map_or(reference, |plan| plan.bytes() + inputs(plan));
    let waiting = if devices == 1 { 0 } else { window(devices) / devices as u64 * (input + output) };
    // A reader, a device and a check; between stages of a scan, one more.
    let inputs = 3 + u64::from(cut.stages() > 1) * cut.stages() as u64;
    inputs * input + 3 * output + reference + device + waiting
}

/// The most memory that this process has had, in bytes; 0 where the system does not tell.
pub fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
    kilobytes.unwrap_or(0) << 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        assert_eq!(bytes("800M"), Ok(800 << 20));
        assert_eq!(
            ["2G", "2^30", "5K", "7"].map(|text| bytes(text).unwrap()),
            [2 << 30, 1 << 30, 5 << 10, 7]
        );
        assert_eq!((length("2^26"), length("1000")), (Ok(1 << 26), Ok(1000)));
        for text in ["", "0", "M", "-1M", "1.5G", "800MB", "2^60G"] {
            assert!(bytes(text).unwrap_err().contains("such as 800M"), "{text}");
        }
        for text in ["", "0", "2^31", "x"] {
            assert!(length(text).unwrap_err().contains("such as 2^26"), "{text}");
        }
    }
}
