//! The overhead of measuring: `cargo bench --bench overhead`.
//!
//! The median of runs that are timed one by one, and in batches as `rasterscan compare` times short runs, against the
//! time of 200 runs in one batch, divided by their number. Last, what a run costs the CPU that asks for it, where another
//! processor does the work. For 2^20 u32, or `RASTERSCAN_BENCH_SIZES`.

use std::time::{Duration, Instant};

use rasterscan::scan;
use rasterscan::tools::problem::SCAN;
use rasterscan::tools::registry::Choice;
use rasterscan::{Gpu, ScanSpec, Stream};
use rasterscan_lab::measure::{Summary, Yardstick, at_a_time};

const RUNS: u32 = 200;

fn main() {
    let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
    println!("{}", gpu.device());
    let mut yardstick = Yardstick::new(&gpu).expect("a copy");
    let sizes = std::env::var("RASTERSCAN_BENCH_SIZES").unwrap_or_else(|_| "20".into());
    println!("{:<12} {:>6} {:>12} {:>12} {:>9}", "scan", "log2 n", "runs a time", "ms a run", "overhead");
    for log2 in sizes.split(',').map(|size| size.trim().parse::<u32>().expect("a power of two")) {
        for name in ["packed", "hybrid", "look_back", "sam"] {
            let spec = ScanSpec::new::<u32>(1 << log2);
            let data: Vec<u32> = (0..1u32 << log2).map(|i| i.wrapping_mul(0x9E37_79B9) >> 8).collect();
            let choice = Choice::parse(SCAN, name).expect("a scan");
            let Ok(Some(plan)) = choice.plan(&spec, gpu.device()) else { continue };
            let mut prepared = gpu.prepare(&plan).expect("a plan that this device runs");
            let input = prepared.upload(&data).expect("an upload");
            let result: Vec<u32> = prepared.run(&input).and_then(Stream::read).expect("a result");
            assert!(result == scan::sequential(&spec, &data).expect("a sum"), "{name} is wrong");
            // In turns, so that drift affects both equally.
            yardstick.warm_up(|| true).expect("a timed copy");
            let mut time = || prepared.time(&input).expect("a time").total;
            let fastest = (0..9).map(|_| time()).min().expect("a time");
            // As in the lab crate.
            let few = at_a_time(fastest);
            let at_a_time = [1, few, RUNS];
            let mut times = at_a_time.map(|_| Vec::new());
            for _ in 0..9 {
                for (times, runs) in times.iter_mut().zip(at_a_time) {
                    for _ in 0..20_u32.div_ceil(runs) {
                        times.push(prepared.time_runs([&input], runs).expect("a time").total);
                    }
                }
            }
            let median = |times: &[Duration]| Summary::of(times).expect("times").median.as_secs_f64() * 1e3;
            let medians = [0, 1, 2].map(|which| median(&times[which]));
            for (runs, ms) in at_a_time.into_iter().zip(medians) {
                let overhead = 100.0 * (ms / medians[2] - 1.0);
                println!("{name:<12} {log2:>6} {runs:>12} {ms:>12.4} {overhead:>8.1}%");
            }
            if !gpu.device().software {
                let mut asked = || {
                    let times = (0..9).map(|_| {
                        gpu.finish().expect("a finish");
                        let start = Instant::now();
                        for _ in 0..RUNS {
                            prepared.run(&input).expect("a run");
                        }
                        start.elapsed() / RUNS
                    });
                    Summary::of(&times.collect::<Vec<_>>()).expect("times").median.as_secs_f64() * 1e6
                };
                let switching = asked();
                let current = gpu.with_current(|_| asked()).expect("a context");
                println!(
                    "{name:<12} {log2:>6} on the CPU, microseconds a run: {current:.1}, and {switching:.1} where \
                     each run makes the context current"
                );
            }
        }
    }
}
