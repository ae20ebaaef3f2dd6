//! The access patterns of capannini2011 compared as in the paper: `cargo bench --bench
//! patterns`. Case (i): a stream of independent blocks, each scanned by one work group (figure 5). Case (ii), large
//! arrays (figure 6), is `RASTERSCAN_BENCH_ALGORITHMS="capannini:pattern=padding capannini" cargo bench --bench scan`.
//!
//! `RASTERSCAN_BENCH_SIZES=5,8,11` sets the sizes of blocks, as powers of two; the default on hardware is all of the
//! paper's. `RASTERSCAN_BENCH_BANKS=16` measures with the paper's banks instead of 32.

mod common;

use common::Contender;
use criterion::Criterion;
use rasterscan::scan;
use rasterscan::scan::compute::{AccessPattern, Capannini};
use rasterscan::tools::task::Task;
use rasterscan::{
    Gpu, ScanSpec,
    tools::{Numbers, copy},
};

/// The blocks of figure 5.
const BLOCKS: usize = 10_752;

fn main() {
    common::run_sizes(&[5, 8], &[5, 6, 7, 8, 9, 10, 11], bench);
}

fn bench(gpu: &Gpu, log2: u32, criterion: &mut Criterion) -> String {
    let block = 1 << log2;
    let spec = ScanSpec::new::<u32>(BLOCKS * block).exclusive();
    let data: Vec<u32> = (0..(BLOCKS * block) as u32).map(|i| i.wrapping_mul(0x9E37_79B9) >> 8).collect();
    let one = ScanSpec::new::<u32>(block).exclusive();
    let expected: Vec<u32> =
        data.chunks(block).flat_map(|block| scan::sequential(&one, block).expect("a sum")).collect();
    let banks = std::env::var("RASTERSCAN_BENCH_BANKS").map_or(32, |text| text.parse().expect("a number"));

    let (data, expected) = (Numbers::from(data), Numbers::from(expected));
    let task = common::expecting(Task::new(&spec, [&data]).expect("a scan"), expected);
    let mut contenders = common::copies(gpu, &data, &[copy::buffer]);
    for pattern in AccessPattern::ALL {
        let capannini = Capannini { pattern, block: Some(block as u32), banks };
        match capannini.independent_blocks(&spec, gpu.device()) {
            Ok(plan) => contenders.push(Contender::new(gpu, pattern.name(), &plan, &task)),
            Err(error) => println!("{} is left out: {error}", pattern.name()),
        }
    }
    let title = format!("{BLOCKS} blocks of 2^{log2} u32, {banks} banks");
    common::table(gpu, criterion, &title, log2, "padding", contenders)
}
