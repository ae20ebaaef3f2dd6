//! The compactions against each other and against a copy pass, in one run: `cargo bench --bench compact`. Of
//! every hundred elements 60 are kept, anywhere, as in roger2007.
//!
//! Every result is verified before it is timed; what is timed ends with values and count on the GPU. See
//! [`common::table`] for what is printed, and [`common::run`] for the lengths.
//!
//! `RASTERSCAN_BENCH_SHARE=30` keeps another share.

mod common;

use common::Contender;
use criterion::Criterion;
use rasterscan::compact;
use rasterscan::problem::COMPACT;
use rasterscan::registry::Choice;
use rasterscan::{CompactSpec, Compacted, Gpu, ScanSpec, copy};

/// What is timed beside the algorithms with their defaults: the scans of the search over the whole stream, what
/// the paper's two optimisations save, and Roger's algorithm at its fastest.
const VARIANTS: [&str; 12] = [
    "horn:scan=blelloch",
    "horn:scan=hybrid",
    "horn:scan=packed",
    "blocks:search=for",
    "blocks:wrap=geometry",
    "blocks:inner=blelloch",
    "blocks:inner=packed",
    "blocks:inner=packed,search=for",
    "blocks:inner=packed,search=for,wrap=geometry",
    "blocks:inner=packed,search=for,ends=fetched",
    "blocks:size=128,inner=packed,search=for",
    "blocks:size=128,inner=packed,search=for,ends=fetched",
];

fn main() {
    common::run(bench);
}

fn bench(gpu: &Gpu, log2: u32, criterion: &mut Criterion) -> String {
    let share = std::env::var("RASTERSCAN_BENCH_SHARE").map_or(60, |text| text.parse().expect("a share"));
    let data: Vec<u32> = (0..1u64 << log2).map(|index| element(index, share)).collect();
    let spec = CompactSpec::new::<u32>(data.len());
    let expected = compact::sequential(&spec, &data, &[]).expect("what is kept");
    let copy = copy::texture(&ScanSpec::new::<u32>(data.len()), gpu.device()).expect("a copy");
    let mut contenders = vec![Contender::new(gpu, "copy:texture", &copy, &data, |prepared, input| {
        prepared.run(input).and_then(|copy| copy.read::<u32>()).is_ok_and(|copy| copy == data)
    })];
    let limit = copy::buffer(&ScanSpec::new::<u32>(data.len()), gpu.device());
    contenders.extend(limit.ok().map(|copy| {
        Contender::new(gpu, "copy:buffer", &copy, &data, |prepared, input| {
            prepared.run(input).and_then(|copy| copy.read::<u32>()).is_ok_and(|copy| copy == data)
        })
    }));
    let variants = VARIANTS.iter().map(|name| Choice::parse(COMPACT, name).expect("a compaction"));
    let chosen = std::env::var_os("RASTERSCAN_BENCH_ALGORITHMS").is_some();
    for choice in common::choices(COMPACT).into_iter().chain(variants.filter(|_| !chosen)) {
        let name = &choice.to_string();
        match choice.plan(&spec, gpu.device()) {
            Ok(Some(plan)) => {
                contenders.push(Contender::new(gpu, name, &plan, &data, |prepared, input| {
                    let kept = Compacted::from(prepared.run_with(&[input]).expect("a run"));
                    let values = kept.read_values::<u32>().expect("values");
                    expected.verify(kept.read_count().expect("a count"), Some(&values), None).is_ok()
                }));
            }
            Ok(None) => {} // runs on the CPU
            Err(error) => println!("{name} is left out: {error}"),
        }
    }
    let title = format!("compaction of 2^{log2} u32, {share}% kept");
    common::table(gpu, criterion, &title, log2, "horn", contenders)
}

/// A random element that is not zero, for `share` indices of a hundred; else zero.
fn element(index: u64, share: u64) -> u32 {
    let mut x = (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^= x >> 31;
    if (x >> 40) % 100 < share { x as u32 | 1 } else { 0 }
}
