//! Groups that wait for each other, in eight simultaneous processes alongside four busy loops.
//!
//! Processes, not threads: llvmpipe crashes if two contexts draw in one process.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use rasterscan::compact;
use rasterscan::scan;
use rasterscan::{CompactSpec, Operator, ScanSpec};
use rasterscan_runner::compaction::{CompactRunner, TestShape, compaction, execute, shaped};
use rasterscan_runner::data::{TestData, input};
use rasterscan_runner::scan::Runner;

use super::{finish, plan};

const PROCESSES: usize = 8;
const BUSY_LOOPS: usize = 4;
/// The runs of each algorithm in one process: 160 in all.
const RUNS: usize = 20;
const LEN: usize = 100_003;

/// Threads that spin until this is dropped.
struct Load {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    fn start() -> Load {
        let stop = Arc::new(AtomicBool::new(false));
        let spin = |stop: Arc<AtomicBool>| {
            move || {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            }
        };
        let threads = (0..BUSY_LOOPS).map(|_| std::thread::spawn(spin(Arc::clone(&stop)))).collect();
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

/// Every algorithm of a single pass, in the smallest tiles, which wait most often. On its own, it runs without load;
/// under load, it is each of the processes.
fn again_and_again() {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    for algorithm in ["chained:vectors=1", "look_back:vectors=1", "sam:vectors=1", "sam:vectors=1,groups=7"] {
        let spec = ScanSpec::new::<u32>(LEN).operator(Operator::AFFINE);
        let Some(plan) = plan(&mut runner, algorithm, &spec, &device) else { continue };
        let data: Vec<u32> = input(&spec, TestData::Random);
        let expected = scan::sequential(&spec, &data).unwrap();
        let mut prepared = runner.gpu.prepare(&plan).unwrap();
        let stream = prepared.upload(&data).unwrap();
        for run in 0..RUNS {
            let result: Vec<u32> = prepared.run(&stream).unwrap().read().unwrap();
            let wrong = (0..result.len()).find(|&index| result[index] != expected[index]);
            assert_eq!(wrong, None, "{algorithm}, run {run}: the first wrong word\n{plan}");
            runner.run += 1;
            runner.compared += result.len() as u64;
        }
    }
    finish(&runner, "scans of a single pass");
    if device.compute.is_some() {
        select_again_and_again();
    }
}

fn select_again_and_again() {
    let runner = CompactRunner::new();
    for algorithm in ["select:vectors=1", "scatter:scan=sam"] {
        let spec = CompactSpec::new::<u32>(LEN);
        let plan = compaction(algorithm).plan(&spec, runner.gpu.device()).unwrap().expect("a plan");
        let mut prepared = runner.gpu.prepare(&plan).unwrap();
        let data = shaped::<u32>(LEN, TestShape::Share(60)).data;
        let expected = compact::sequential(&spec, &data, &[]).unwrap();
        for run in 0..RUNS {
            let got = execute(&mut prepared, &spec, &data, &[]).unwrap();
            let verified = expected.verify(got.count, Some(&got.values), None);
            verified.unwrap_or_else(|mismatch| panic!("{algorithm}, run {run}: {mismatch}"));
        }
    }
}

/// The test above in eight simultaneous processes, alongside enough busy loops to occupy every core.
fn eight_processes_beside_four_busy_loops() {
    if rasterscan_runner::gpu().device().compute.is_none() {
        return println!("not applicable: there are no compute shaders");
    }
    let _load = Load::start();
    let start = |_| {
        Command::new(std::env::current_exe().expect("this program"))
            .args(["compute::load::again_and_again", "--exact", "--jobs", "1", "--show-output"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process")
    };
    // All start before the wait for the first. The output of each fits into its pipe.
    let processes: Vec<_> = (0..PROCESSES).map(start).collect();
    for (number, process) in processes.into_iter().enumerate() {
        let output = process.wait_with_output().expect("a process");
        let text = String::from_utf8_lossy(&output.stdout);
        let passed = output.status.success() && text.contains("1 passed");
        assert!(
            passed,
            "process {number}, {}:\n{text}{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    println!(
        "{PROCESSES} processes at a time alongside {BUSY_LOOPS} busy loops: {} runs each",
        PROCESSES * RUNS
    );
}

crate::tests![again_and_again, eight_processes_beside_four_busy_loops];
