//! The common part of the benches: plans that are verified and then timed, and the table of medians.
#![allow(dead_code, reason = "each bench uses a part of it")]

use std::cell::RefCell;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use rasterscan::algorithm::results::Results;
use rasterscan::tools::job::Job;
use rasterscan::tools::problem::Problem;
use rasterscan::tools::registry::{self, Choice};
use rasterscan::tools::task::{Ready, Task};
use rasterscan::{
    Device, Error, Gpu, Plan, ScanSpec,
    tools::{Numbers, copy},
};
use rasterscan_lab::measure::{PhaseTime, Yardstick, phases};

/// A plan ready to be timed, and the times of all its runs.
pub struct Contender {
    name: String,
    ready: Ready,
    times: Vec<Duration>,
    /// The yardstick's readings during the runs.
    readings: Vec<Duration>,
}

/// The runs of a contender that is measured again because the device ran below its full speed.
const AGAIN: usize = 25;

impl Contender {
    /// Prepares a plan of a task and runs it once; a wrong result panics.
    pub fn new(gpu: &Gpu, name: &str, plan: &Plan, task: &Task<'_>) -> Contender {
        let mut ready = task.prepare(gpu, plan).unwrap_or_else(|error| panic!("{name}: {error}"));
        let results = task.run(&mut ready).unwrap_or_else(|error| panic!("{name}: {error}"));
        match task.verify(Some(plan.cost().depth), &results) {
            Ok(verified) => assert!(verified.holds(), "{name}: nothing could be compared"),
            Err(mismatch) => panic!("{name} is wrong and is not timed: {mismatch}"),
        }
        Contender { name: name.into(), ready, times: Vec::new(), readings: Vec::new() }
    }

    fn run(&mut self) -> Duration {
        let time = self.ready.time(1).expect("a timed run").total;
        self.times.push(time);
        time
    }

    /// Waits until the device has settled, and discards earlier measurements.
    fn measure_again(&mut self, yardstick: &mut Yardstick) {
        self.times.clear();
        self.readings.clear();
        yardstick.warm_up(|| true).expect("a timed copy");
        for _ in 0..AGAIN {
            self.readings.push(yardstick.read().expect("a timed copy"));
            self.run();
        }
    }

    fn median(&mut self) -> Duration {
        self.times.sort();
        self.times[self.times.len() / 2]
    }
}

/// Every algorithm of a job's problem with its defaults, these variants, and copies of the stream, all compared with
/// `base`. The length replaces the job's own.
///
/// `RASTERSCAN_BENCH_ALGORITHMS` names others, separated by spaces. `RASTERSCAN_BENCH_JOB` is another job of the
/// problem: `"scan random --order 8 --tuple 8"`, `"compact random:keep=0.3"`.
pub fn algorithms(
    gpu: &Gpu,
    log2: u32,
    criterion: &mut Criterion,
    job: &str,
    base: &str,
    variants: &[&str],
) -> String {
    let usual = Job::parse(job.split(' ')).expect("a job");
    let job = match std::env::var("RASTERSCAN_BENCH_JOB") {
        Ok(text) => Job::parse(text.split_whitespace()).unwrap_or_else(|error| panic!("{error}")),
        Err(_) => usual.clone(),
    };
    if job.problem != usual.problem {
        return format!("\n{job} is not a {}\n", usual.problem.noun);
    }
    let job = Job { source: job.source.with_len(1 << log2), ..job };
    let task = Task::of_job(&job).unwrap_or_else(|error| panic!("{error}"));
    let mut contenders = copies(gpu, task.inputs()[0], &[copy::texture, copy::buffer]);
    for choice in choices(job.problem, variants) {
        let name = choice.to_string();
        match choice.plan(task.request(), gpu.device()) {
            Ok(Some(plan)) => contenders.push(Contender::new(gpu, &name, &plan, &task)),
            Ok(None) => {} // runs on the CPU
            Err(error) => println!("{name} is left out: {error}"),
        }
    }
    table(gpu, criterion, &job.to_string(), log2, base, contenders)
}

/// A task with these expected results.
pub fn expecting(task: Task<'_>, numbers: Numbers) -> Task<'_> {
    let output = task.request().outputs()[0];
    task.expecting(Results::new([(output, numbers)]))
}

/// A way to copy a stream.
pub type Copy = fn(&ScanSpec, &Device) -> Result<Plan, Error>;

/// Copies of a stream.
pub fn copies(gpu: &Gpu, numbers: &Numbers, ways: &[Copy]) -> Vec<Contender> {
    let spec = ScanSpec::of(numbers.element(), numbers.len() as u64);
    let task = Task::new(&spec, [numbers]).expect("a stream");
    let task = expecting(task, numbers.clone());
    let copy = |way: &Copy| match way(&spec, gpu.device()) {
        Ok(plan) => Some(Contender::new(gpu, &plan.name(), &plan, &task)),
        Err(error) => {
            println!("a copy is left out: {error}");
            None
        }
    };
    ways.iter().filter_map(copy).collect()
}

fn choices(problem: &'static Problem, variants: &[&str]) -> Vec<Choice> {
    let parse = |name: &str| Choice::parse(problem, name).unwrap_or_else(|error| panic!("{error}"));
    match std::env::var("RASTERSCAN_BENCH_ALGORITHMS") {
        Ok(text) => text.split_whitespace().map(parse).collect(),
        Err(_) => {
            let usual = registry::of(problem).map(registry::Card::with_defaults);
            usual.chain(variants.iter().copied().map(parse)).collect()
        }
    }
}

/// Opens the device and runs `bench` for each length; prints its texts after criterion's report.
///
/// `RASTERSCAN_BENCH_SIZES=20,22,24` sets the lengths, as powers of two.
pub fn run(bench: impl FnMut(&Gpu, u32, &mut Criterion) -> String) {
    run_sizes(&[20, 22], &[20, 22, 24], bench);
}

/// Runs `bench` with these default lengths: for software devices, and for hardware.
pub fn run_sizes(
    software: &[u32],
    hardware: &[u32],
    mut bench: impl FnMut(&Gpu, u32, &mut Criterion) -> String,
) {
    let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
    println!("{}, driver {}", gpu.device(), gpu.device().driver);
    let sizes = match std::env::var("RASTERSCAN_BENCH_SIZES") {
        Ok(text) => text.split(',').map(|size| size.trim().parse().expect("a power of two")).collect(),
        Err(_) => if gpu.device().software { software } else { hardware }.to_vec(),
    };
    let mut criterion = Criterion::default().without_plots().sample_size(10).configure_from_args();
    let mut tables = String::new();
    for log2 in sizes {
        tables.push_str(&bench(&gpu, log2, &mut criterion));
    }
    criterion.final_summary();
    println!("{tables}");
}

/// Times the contenders, and prints their medians with two ratios: against the one called `base`, and in the
/// full-screen copies that `copy:texture` makes. With `RASTERSCAN_BENCH_PASSES` set, the times of their phases follow.
///
/// The device settles before each of them. Contenders that were measured below its full speed are measured again, and
/// marked if it stays so.
pub fn table(
    gpu: &Gpu,
    criterion: &mut Criterion,
    title: &str,
    log2: u32,
    base: &str,
    mut contenders: Vec<Contender>,
) -> String {
    let mut group = criterion.benchmark_group(title);
    group.throughput(Throughput::Elements(1 << log2));
    group.measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    let yardstick = RefCell::new(Yardstick::new(gpu).expect("a copy"));
    for contender in &mut contenders {
        yardstick.borrow_mut().warm_up(|| true).expect("a timed copy");
        let id = BenchmarkId::from_parameter(&contender.name);
        group.bench_function(id, |bencher| {
            bencher.iter_custom(|runs| {
                contender.readings.push(yardstick.borrow_mut().read().expect("a timed copy"));
                (0..runs).map(|_| contender.run()).sum()
            });
        });
    }
    group.finish();

    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    contenders.retain(|contender| !contender.times.is_empty());
    let mut yardstick = yardstick.into_inner();
    for contender in &mut contenders {
        if !yardstick.is_settled(&contender.readings) {
            contender.measure_again(&mut yardstick);
        }
    }
    let settled = |contender: &Contender| yardstick.is_settled(&contender.readings);
    let medians: Vec<f64> = contenders.iter_mut().map(|c| milliseconds(c.median())).collect();
    let of = |name: &str| contenders.iter().position(|c| c.name == name).map(|index| medians[index]);
    let (base_ms, copy_ms) = (of(base), of("copy:texture"));
    let wide = contenders.iter().map(|c| c.name.len()).max().unwrap_or(0);
    let faster = format!("times as fast as {base}");
    let mut table = format!("\n{title}\n{:<wide$} passes         ms   {faster}   copies\n", "");
    let ratio = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.2}"));
    let with_phases = std::env::var_os("RASTERSCAN_BENCH_PASSES").is_some();
    for (contender, ms) in contenders.iter_mut().zip(&medians) {
        table.push_str(&format!(
            "{:<wide$} {:>6} {ms:>10.4}{:<3}{:>columns$} {:>8}\n",
            contender.name,
            contender.ready.plan().passes().len(),
            if settled(contender) { "" } else { "*" },
            ratio(base_ms.map(|base| base / ms)),
            ratio(copy_ms.map(|copy| ms / copy)),
            columns = faster.len(),
        ));
        let phases = match with_phases {
            true => phases(&mut contender.ready, 7, Duration::MAX).expect("a timed run"),
            false => Vec::new(),
        };
        for PhaseTime { name, passes, time } in phases {
            let ms = milliseconds(time);
            let copies = ratio(copy_ms.map(|copy| ms / copy));
            let space = faster.len();
            table.push_str(&format!(
                "  {name:<w$} {passes:>6} {ms:>10.4}   {:>space$} {copies:>8}\n",
                "",
                w = wide - 2
            ));
        }
    }
    if !contenders.iter().all(settled) {
        table.push_str("* not settled: the device ran below its full speed\n");
    }
    table
}
