//! The scans against each other and against a copy pass, in one run: `cargo bench`.
//!
//! Every result is verified before it is timed. Times are the GPU's own on hardware, wall time around
//! a finish on software renderers; upload and readback are outside. After criterion's report comes a
//! table of medians with the ratios that matter: against `horn`, and in full-screen copies.
//!
//! `RASTERSCAN_BENCH_SIZES=20,22,24` sets the lengths, as powers of two.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use rasterscan::registry::{self, Family};
use rasterscan::{Gpu, Plan, Prepared, ScanSpec, Stream, measure, reference};

/// A plan ready to be timed, and the times of all its runs.
struct Contender {
    name: String,
    prepared: Prepared,
    input: Stream,
    passes: usize,
    times: Vec<Duration>,
}

impl Contender {
    fn new(gpu: &Gpu, name: &str, plan: &Plan, data: &[u32], expected: &[u32]) -> Contender {
        let mut prepared = gpu.prepare(plan).unwrap_or_else(|error| panic!("{name}: {error}"));
        let input = prepared.upload(data).unwrap_or_else(|error| panic!("{name}: {error}"));
        let result = prepared.run(&input).and_then(Stream::read::<u32>);
        let result = result.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(result == expected, "{name} is wrong, and what is wrong is not timed");
        Contender { name: name.into(), prepared, input, passes: plan.passes().len(), times: Vec::new() }
    }

    fn run(&mut self) -> Duration {
        let time = self.prepared.time(&self.input).expect("a timed run").total;
        self.times.push(time);
        time
    }

    fn median(&mut self) -> Duration {
        self.times.sort();
        self.times[self.times.len() / 2]
    }
}

fn main() {
    let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
    println!("{}, driver {}", gpu.device(), gpu.device().driver);
    let sizes = match std::env::var("RASTERSCAN_BENCH_SIZES") {
        Ok(text) => text.split(',').map(|size| size.trim().parse().expect("a power of two")).collect(),
        Err(_) if gpu.device().software => vec![20, 22],
        Err(_) => vec![20, 22, 24],
    };
    let mut criterion = Criterion::default().without_plots().sample_size(10).configure_from_args();
    let mut tables = String::new();
    for log2 in sizes {
        tables.push_str(&bench(&gpu, log2, &mut criterion));
    }
    criterion.final_summary();
    println!("{tables}");
}

fn bench(gpu: &Gpu, log2: u32, criterion: &mut Criterion) -> String {
    let spec = ScanSpec::new::<u32>(1 << log2);
    let data: Vec<u32> = (0..1u32 << log2).map(|i| i.wrapping_mul(0x9E37_79B9) >> 8).collect();
    let expected = reference::scan(&spec, &data).expect("a sum");
    let copy = measure::copy_texture(&spec, gpu.device()).expect("a copy");
    let mut contenders = vec![Contender::new(gpu, "copy:texture", &copy, &data, &data)];
    for card in registry::family(Family::Scan) {
        match card.with_defaults().plan(&spec, gpu.device()) {
            Ok(Some(plan)) => contenders.push(Contender::new(gpu, card.name, &plan, &data, &expected)),
            Ok(None) => {} // runs on the CPU
            Err(error) => println!("{} is left out: {error}", card.name),
        }
    }

    let mut group = criterion.benchmark_group(format!("scan of 2^{log2} u32"));
    group.throughput(Throughput::Elements(1 << log2));
    group.measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(300));
    for contender in &mut contenders {
        let id = BenchmarkId::from_parameter(&contender.name);
        group.bench_function(id, |bencher| {
            bencher.iter_custom(|runs| (0..runs).map(|_| contender.run()).sum());
        });
    }
    group.finish();

    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    contenders.retain(|contender| !contender.times.is_empty());
    let medians: Vec<(String, usize, f64)> =
        contenders.iter_mut().map(|c| (c.name.clone(), c.passes, milliseconds(c.median()))).collect();
    let of = |name: &str| medians.iter().find(|(known, ..)| known == name).map(|(.., ms)| *ms);
    let mut table = format!("\n2^{log2} u32       passes         ms   times as fast as horn   copies\n");
    for (name, passes, ms) in &medians {
        let ratio = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.2}"));
        table.push_str(&format!(
            "{name:<14} {passes:>6} {ms:>10.4} {:>23} {:>8}\n",
            ratio(of("horn").map(|horn| horn / ms)),
            ratio(of("copy:texture").map(|copy| ms / copy)),
        ));
    }
    table
}
