//! The algorithms in tiles: every edge of a tile, streams that are bound in parts, and groups that wait for each other
//! in vain.

mod bits;
mod fallback;
mod linear;
mod load;
mod parts;
mod refusals;
mod runs;
mod sizes;
mod teaching;

use rasterscan::device::Compute;
use rasterscan::{Device, Error, Plan, ScanKind, ScanSpec};
use rasterscan_runner::data::{TestData, TestElement, input};
use rasterscan_runner::scan::{Runner, choice};

const KINDS: [ScanKind; 2] = [ScanKind::Inclusive, ScanKind::Exclusive];

/// The single-pass algorithms, in small tiles.
const SINGLE_PASS: [&str; 10] = [
    "chained:vectors=1",
    "chained:lanes=shared,group=8,vectors=1",
    "look_back:vectors=1,tickets=on",
    "look_back:lanes=shared,group=8,vectors=1,tickets=on",
    "look_back:vectors=1,tickets=off",
    "look_back:vectors=1,prefixes=block,tickets=on",
    "look_back:lanes=shared,group=8,vectors=1,prefixes=block,tickets=off",
    "look_back:lanes=shared,group=8,vectors=1,prefixes=block,tickets=on",
    "sam:vectors=1,groups=64",
    "sam:lanes=shared,group=8,vectors=1,groups=64",
];

/// The plan; `None`, and counted, if the device cannot run it.
fn plan(runner: &mut Runner, algorithm: &str, spec: &ScanSpec, device: &Device) -> Option<Plan> {
    match choice(algorithm).plan(spec, device) {
        Ok(plan) => Some(plan.expect("a plan")),
        Err(Error::Unsupported(reason)) => {
            runner.count_not_applicable(reason.to_string());
            None
        }
        Err(other) => panic!("{algorithm}, {spec}: {other}"),
    }
}

/// The device with other limits for compute shaders, if it has any.
fn device_with(runner: &Runner, change: impl FnOnce(&mut Compute)) -> Device {
    let mut device = runner.gpu.device().clone();
    if let Some(compute) = &mut device.compute {
        change(compute);
    }
    device
}

/// Runs one case with a changed plan.
fn run<T: TestElement>(runner: &mut Runner, algorithm: &str, spec: &ScanSpec, plan: Plan, of: &str) {
    let data: Vec<T> = input(spec, TestData::Random);
    runner.plan(algorithm, spec, Some(plan), &data, of);
}

/// Prints the counts. Without compute shaders, every case is counted as not applicable.
fn finish(runner: &Runner, what: &str) {
    if runner.gpu.device().compute.is_some() {
        return runner.finish(what);
    }
    let cases: u64 = runner.not_applicable.iter().map(|(_, cases)| cases).sum();
    println!("{what} on {}: not applicable, {cases} cases", runner.gpu.device().level());
    assert!(runner.run == 0 && cases > 0, "{what}");
}

crate::tests![in bits, fallback, linear, load, parts, refusals, runs, sizes, teaching;];
