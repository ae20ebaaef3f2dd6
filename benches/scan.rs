//! The scans against each other and against a copy pass, in one run: `cargo bench --bench scan`.
//!
//! Every result is verified before it is timed. Times are the GPU's own on hardware, wall time around
//! a finish on software renderers; upload and readback are outside. After criterion's report comes a
//! table of medians: see [`common::table`], and [`common::run`] for the lengths.
//!
//! `RASTERSCAN_BENCH_ORDER=8` and `RASTERSCAN_BENCH_TUPLE=8` time another scan than the sum of first order.

mod common;

use common::Contender;
use criterion::Criterion;
use rasterscan::problem::SCAN;
use rasterscan::scan;
use rasterscan::{Gpu, Plan, ScanSpec, Stream, copy};

fn main() {
    common::run(bench);
}

fn bench(gpu: &Gpu, log2: u32, criterion: &mut Criterion) -> String {
    let number = |name| std::env::var(name).map_or(1, |text| text.parse().expect("a number"));
    let (order, tuple) = (number("RASTERSCAN_BENCH_ORDER"), number("RASTERSCAN_BENCH_TUPLE"));
    let spec = ScanSpec::new::<u32>(1 << log2).order(order).tuple(tuple);
    let data: Vec<u32> = (0..1u32 << log2).map(|i| i.wrapping_mul(0x9E37_79B9) >> 8).collect();
    let expected = scan::sequential(&spec, &data).expect("a sum");
    let mut contenders = Vec::new();
    let mut add = |name: &str, plan: &Plan, expected: &[u32]| {
        contenders.push(Contender::new(gpu, name, plan, &data, |prepared, input| {
            prepared.run(input).and_then(Stream::read::<u32>).is_ok_and(|result| result == expected)
        }));
    };
    add("copy:texture", &copy::texture(&spec, gpu.device()).expect("a copy"), &data);
    match copy::buffer(&spec, gpu.device()) {
        Ok(plan) => add("copy:buffer", &plan, &data),
        Err(error) => println!("copy:buffer is left out: {error}"),
    }
    for choice in common::choices(SCAN) {
        let name = choice.to_string();
        match choice.plan(&spec, gpu.device()) {
            Ok(Some(plan)) => add(&name, &plan, &expected),
            Ok(None) => {} // runs on the CPU
            Err(error) => println!("{name} is left out: {error}"),
        }
    }
    common::table(
        gpu,
        criterion,
        &format!("scan of 2^{log2} u32, order {order}, tuple {tuple}"),
        log2,
        "horn",
        contenders,
    )
}
