use rasterscan::sort::texture::Radix;
use rasterscan::*;
use std::collections::BTreeMap;
fn main() {
    let gpu = Gpu::headless().unwrap();
    println!("{}", gpu.device());
    let rnd = |n: usize| -> Vec<u32> {
        let mut s = 12345u32;
        (0..n)
            .map(|_| {
                s ^= s << 13;
                s ^= s >> 17;
                s ^= s << 5;
                s
            })
            .collect()
    };
    let most: u32 = std::env::args().nth(1).map_or(20, |s| s.parse().unwrap());
    for k in [16, 18, 20, 22, 24] {
        if k > most {
            break;
        }
        let n = 1usize << k;
        let data = rnd(n);
        let copy = rasterscan::tools::copy::texture(&ScanSpec::new::<u32>(n), gpu.device()).unwrap();
        let mut c = gpu.prepare(&copy).unwrap();
        let ci = c.upload(&data).unwrap();
        let tc = (0..20).map(|_| c.time(&ci).unwrap().total).min().unwrap();
        println!("2^{k}: copy {tc:?}");
        for (what, spec) in [
            ("keys", SortSpec::new::<u32>(n)),
            ("keys+index", SortSpec::new::<u32>(n).moves(Moves::Both)),
            ("16 bits+index", SortSpec::new::<u32>(n).moves(Moves::Both).bits(16..32)),
        ] {
            let plan = Radix::default().plan(&spec, gpu.device()).unwrap();
            let mut p = gpu.prepare(&plan).unwrap();
            let input = p.upload(&data).unwrap();
            let got: Vec<u32> = p.run([&input]).unwrap()[0].read().unwrap();
            let mut e = data.clone();
            if what == "16 bits+index" {
                e.sort_by_key(|k| k >> 16)
            } else {
                e.sort()
            }
            assert!(got == e, "wrong");
            let t = (0..10).map(|_| p.time([&input]).unwrap().total).min().unwrap();
            let passes = p.time_passes([&input]).unwrap();
            let mut by: BTreeMap<String, (u32, f64)> = BTreeMap::new();
            for (pass, d) in plan.passes().iter().zip(&passes.passes) {
                let b = by.entry(pass.phase.to_string()).or_default();
                b.0 += 1;
                b.1 += d.as_secs_f64() * 1e6;
            }
            let by: Vec<String> = by.iter().map(|(n, (c, t))| format!("{n} x{c} {t:.0}us")).collect();
            println!(
                "  {what}: {t:?} = {:.1} copies, {} passes; {}",
                t.as_secs_f64() / tc.as_secs_f64(),
                plan.passes().len(),
                by.join(", ")
            );
        }
    }
    let mut e = rnd(1 << 20);
    let t = std::time::Instant::now();
    e.sort_unstable();
    println!("std sort_unstable 2^20: {:?}", t.elapsed());
}
