mod common;
use common::runner::*;
use common::data::{input, Pattern};
use rasterscan::*;
use std::time::Instant;
#[test]
fn times() {
    let gpu = common::gpu();
    for name in std::env::var("ALGS").unwrap_or("harris:variant=naive harris:variant=work_efficient harris:variant=padded harris:variant=zero_conflict,banks=16 harris:variant=padded,block=64 harris:variant=padded,block=128 harris:variant=padded,block=32 harris:variant=naive,block=16 capannini:pattern=cm capannini:pattern=no_padding capannini:pattern=padding capannini:pattern=left_right capannini:pattern=left_right,block=64 capannini:pattern=cm,block=64".into()).split_whitespace() {
        let spec = ScanSpec::new::<u32>(1 << 20);
        let plan = choice(name).plan(&spec, gpu.device()).unwrap().unwrap();
        let t = Instant::now();
        let mut p = gpu.prepare(&plan).unwrap();
        let data: Vec<u32> = input(&spec, Pattern::Random);
        let s = p.upload(&data).unwrap();
        p.run(&s).unwrap().read::<u32>().unwrap();
        let prep = t.elapsed();
        let r: Vec<u32> = p.run(&s).unwrap().read().unwrap();
        reference::verify(&spec, 0, &data, &r).unwrap();
        let mut best = f64::MAX;
        for _ in 0..5 { best = best.min(p.time(&s).unwrap().total.as_secs_f64()); }
        let c = plan.cost();
        println!("{name}: {:.1} ms, prepare+first {:.0} ms, {:.3} words, {:.3} adds, {} passes", best * 1e3, prep.as_secs_f64() * 1e3, c.words_moved() as f64 / (1 << 20) as f64, c.adds as f64 / (1<<20) as f64, plan.passes().len());
    }
}
