//! Lack of memory: functions whose memory grows with the input return an error, whichever allocation fails.
//!
//! A program of its own, because the allocator is global; and a single test, because all threads share it.

use std::alloc::System;

use cap::Cap;
use rasterscan::compact::{self, Kept};
use rasterscan::scan;
use rasterscan::trace::{FileError, Recording};
use rasterscan::{CompactSpec, Error, Operator, ScanSpec, tools::memory};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Calls `take` with a limit on additional memory.
fn with_room<T>(bytes: usize, take: impl FnOnce() -> T) -> T {
    ALLOCATOR.set_limit(ALLOCATOR.allocated() + bytes).unwrap();
    let taken = take();
    ALLOCATOR.set_limit(usize::MAX).unwrap();
    taken
}

/// Calls it with more and more memory until that is enough; each earlier call returns the error with the size.
fn until_there_is_enough<T>(name: &str, take: impl Fn() -> Result<T, Error>) -> usize {
    let mut failed = 0;
    // Lists here are multiples of 64 KiB: the rest is enough for everything small.
    for bytes in (0..).map(|step| SMALL / 2 + step * (1 << 16)) {
        match with_room(bytes, &take) {
            Ok(_) => break,
            Err(Error::Memory { bytes: wanted, what }) => {
                assert!(wanted as usize > SMALL / 4, "{name}: {wanted} bytes for {what}, of {bytes}");
                failed += 1;
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
    println!("{name}: {failed} limits were too low");
    failed
}

/// Memory for everything that does not grow with the input.
const SMALL: usize = 1 << 16;

const LEN: usize = 1 << 18;

#[test]
fn memory_that_runs_out_is_an_error() {
    let input: Vec<u32> = (0..LEN as u32).collect();
    let floats: Vec<f32> = input.iter().map(|value| 1.0 + *value as f32 / LEN as f32).collect();
    let wide: Vec<i64> = input.iter().map(|value| i64::from(*value) << 20).collect();

    let orders = ScanSpec::new::<u32>(LEN).order(3).tuple(2);
    assert!(until_there_is_enough("scan", || scan::sequential(&orders, &input)) >= 10);
    let sums = ScanSpec::new::<f32>(LEN);
    assert!(until_there_is_enough("scan of floats", || scan::sequential(&sums, &floats)) >= 10);
    let maps = ScanSpec::new::<i64>(LEN / 2).operator(Operator::AFFINE);
    assert!(until_there_is_enough("scan of pairs", || scan::sequential(&maps, &wide)) >= 20);
    let all = CompactSpec::new::<i64>(LEN);
    assert!(until_there_is_enough("compact", || compact::sequential(&all, &wide, &[])) >= 20);
    assert!(until_there_is_enough("copy", || memory::copy(&wide, "a copy")) >= 20);

    // A check alone allocates nothing.
    let scanned = scan::sequential(&orders, &input).unwrap();
    assert_eq!(with_room(SMALL, || scan::verify(&orders, 9, &input, &scanned)).unwrap().compared, LEN as u64);
    let scanned = scan::sequential(&sums, &floats).unwrap();
    let verified = with_room(SMALL, || scan::verify(&sums, LEN as u64, &floats, &scanned));
    assert_eq!(verified.unwrap().unbounded, 0);
    let kept = compact::sequential(&all, &wide, &[]).unwrap();
    let Kept { values, indices } = &kept;
    let count = indices.len() as u64;
    with_room(SMALL, || kept.verify(count, Some(values), Some(indices))).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    let head = "{\"schema\": \"rasterscan-trace\", \"form\": 1, \"algorithm\": \"";
    std::fs::write(&path, format!("{head}{}\"}}", " ".repeat(1 << 20))).unwrap();
    for bytes in [1 << 17, 1 << 20, 1 << 22, 1 << 24] {
        let loaded = with_room(bytes, || Recording::load(&path).err());
        assert!(matches!(loaded, Some(FileError::Memory(Error::Memory { .. }))), "{bytes}: {loaded:?}");
    }
    assert!(matches!(Recording::load(&path), Err(FileError::Damaged(_))));
}
