//! Numbers that a device makes and checks: those of the CPU, wherever a piece begins, and no wrong sum passes.

use rasterscan::{Gpu, HeadlessOptions, Level, ScanSpec};
use rasterscan_mpi::check::{item, sum};
use rasterscan_mpi::on_device::OnDevice;

#[test]
fn a_device_makes_the_items_and_finds_wrong_sums() {
    for level in ["gl", "gles3.0"] {
        let level: Level = level.parse().unwrap();
        let gpu = Gpu::headless_with(&HeadlessOptions::from(level)).unwrap();
        let len = 5000;
        let scan = gpu.prepare_auto(&ScanSpec::new::<u32>(len)).unwrap();
        let mut made = OnDevice::new(&gpu, *scan.input_layout(0).unwrap()).unwrap();
        for first in [0, (1 << 20) - 3, (1 << 32) - 2000, (1 << 33) + 7] {
            let expected: Vec<u32> = (first..first + len as u64).map(item).collect();
            assert_eq!(made.fill(first).unwrap().read::<u32>().unwrap(), expected, "{first}");
            // From 0 on it would take seconds.
            let before = sum(first.saturating_sub(9)..first);
            let mut sums: Vec<u32> = expected
                .iter()
                .scan(before, |sum, item| {
                    *sum = sum.wrapping_add(*item);
                    Some(*sum)
                })
                .collect();
            let mut verify = |sums: &[u32]| {
                let scanned = scan.upload(sums).unwrap();
                made.verify(&scanned, first, before).map_err(|error| error.to_string())
            };
            assert_eq!(verify(&sums), Ok(()), "{first}");
            // A wrong sum in the middle is wrong for the next one, too.
            for (wrong, counted) in [(0, 2), (2500, 2), (len - 1, 1)] {
                sums[wrong] ^= 1;
                assert_eq!(verify(&sums), Err(format!("wrong sums from item {first} on: {counted}")));
                sums[wrong] ^= 1;
            }
        }
    }
}
