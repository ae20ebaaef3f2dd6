mod common;
use common::data::{Pattern, input};
use common::runner::choice;
use rasterscan::{Operator, ScanSpec};
use std::time::Instant;

fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) * 10.0
}

#[test]
fn times() {
    let gpu = common::gpu();
    let algs = std::env::var("ALGS").unwrap_or_default();
    let len: usize = std::env::var("LEN").map_or(3000, |t| t.parse().unwrap());
    let order: u32 = std::env::var("ORDER").map_or(1, |t| t.parse().unwrap());
    let tuple: u32 = std::env::var("TUPLE").map_or(1, |t| t.parse().unwrap());
    for name in algs.split_whitespace() {
        for op in [Operator::Add, Operator::Affine] {
            let spec = ScanSpec::new::<u32>(len).operator(op).order(order).tuple(tuple);
            let plan = choice(name).plan(&spec, gpu.device()).unwrap().unwrap();
            let data: Vec<u32> = input(&spec, Pattern::Random);
            let c = cpu();
            let t = Instant::now();
            let mut p = gpu.prepare(&plan).unwrap();
            let s = p.upload(&data).unwrap();
            let r = p.run(&s).unwrap().read::<u32>().unwrap();
            let first = (cpu() - c, t.elapsed().as_millis());
            let t = Instant::now();
            let c = cpu();
            let _ = p.run(&s).unwrap().read::<u32>().unwrap();
            let second = (cpu() - c, t.elapsed().as_micros());
            let ok = reference_ok(&spec, &data, &r);
            println!("{name} {op}: first {first:?} ms, again {second:?} us, ok {ok}");
        }
    }
}
fn reference_ok(spec: &ScanSpec, data: &[u32], r: &[u32]) -> bool {
    rasterscan::reference::scan(spec, data).unwrap() == r
}
