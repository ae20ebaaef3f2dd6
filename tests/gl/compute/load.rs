//! Groups that wait for each other, while something else keeps every core busy.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::{finish, plan};
use crate::common::compaction::{CompactRunner, Shape, compaction, execute, shaped};
use crate::common::data::{Pattern, input};
use crate::common::runner::Runner;
use rasterscan::{CompactSpec, Operator, ScanSpec, reference};

/// How often each algorithm runs.
const RUNS: usize = 50;

/// Threads that spin, one a core, until this is dropped.
struct Load {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    fn start() -> Load {
        let stop = Arc::new(AtomicBool::new(false));
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        let spin = |stop: Arc<AtomicBool>| {
            move || {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            }
        };
        let threads = (0..cores).map(|_| std::thread::spawn(spin(Arc::clone(&stop)))).collect();
        Load { stop, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            thread.join().expect("a thread that spins");
        }
    }
}

fn scans_in_a_single_pass_under_load() {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    let _load = Load::start();
    for algorithm in
        ["chained", "chained:rows=1", "look_back", "look_back:rows=1", "sam", "sam:rows=1,groups=7"]
    {
        let spec = ScanSpec::new::<u32>(200_003).operator(Operator::Affine);
        let Some(plan) = plan(&mut runner, algorithm, &spec, &device) else { continue };
        let data: Vec<u32> = input(&spec, Pattern::Random);
        let expected = reference::scan(&spec, &data).unwrap();
        let mut prepared = runner.gpu.prepare(&plan).unwrap();
        let stream = prepared.upload(&data).unwrap();
        for run in 0..RUNS {
            let result: Vec<u32> = prepared.run(&stream).unwrap().read().unwrap();
            let wrong = (0..result.len()).find(|&place| result[place] != expected[place]);
            assert_eq!(wrong, None, "{algorithm}, run {run}: the first wrong word\n{plan}");
            runner.run += 1;
            runner.compared += result.len() as u64;
        }
    }
    finish(&runner, "scans under load");
}

fn select_under_load() {
    let runner = CompactRunner::new();
    if runner.gpu.device().compute.is_none() {
        return println!("not applicable: {} has no compute shaders", runner.gpu.device().level());
    }
    let _load = Load::start();
    for algorithm in ["select", "select:rows=1", "scatter"] {
        let spec = CompactSpec::new::<u32>(200_003);
        let plan = compaction(algorithm).plan(&spec, runner.gpu.device()).unwrap().expect("a plan");
        let mut prepared = runner.gpu.prepare(&plan).unwrap();
        let data = shaped::<u32>(200_003, Shape::Share(60)).data;
        let expected = reference::compact(&spec, &data, &[]).unwrap();
        for run in 0..RUNS {
            let got = execute(&mut prepared, &spec, &data, &[]).unwrap();
            let verified = expected.verify(got.count, Some(&got.values), None);
            verified.unwrap_or_else(|mismatch| panic!("{algorithm}, run {run}: {mismatch}"));
        }
    }
    println!("select under load: {RUNS} runs each");
}

crate::tests![scans_in_a_single_pass_under_load, select_under_load,];
