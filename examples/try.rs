use rasterscan::*; use rasterscan::scan::texture::*;
fn main() -> Result<(), Error> {
    let gpu = Gpu::headless()?;
    println!("{} driver {}", gpu.device(), gpu.device().driver);
    let reps = if gpu.device().software { 15 } else { 60 };
    let sizes: Vec<u32> = std::env::var("SIZES").map(|s| s.split(',').map(|x| x.parse().unwrap()).collect()).unwrap_or(vec![20]);
    let detail = std::env::var("DETAIL").is_ok();
    for bits in sizes {
        let n = 1usize << bits;
        let data: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(2654435761) >> 7).collect();
        let spec = ScanSpec::new::<u32>(n);
        let mut want = data.clone(); let mut s = 0u32; for w in want.iter_mut() { s = s.wrapping_add(*w); *w = s; }
        let mut plans: Vec<(String, Plan)> = vec![("copy".into(), measure::copy_texture(&spec, gpu.device())?), ("horn".into(), Horn.plan(&spec, gpu.device())?)];
        plans.push(("hybrid".into(), Hybrid::default().plan(&spec, gpu.device())?)); for r in [6,8,10] { plans.push((format!("hybrid {r}"), Hybrid{reduce: Reduce::Steps(r)}.plan(&spec, gpu.device())?)); }
for b in [2,4,8,16,32,64] { plans.push((format!("packed {b}"), Packed{block: Some(b)}.plan(&spec, gpu.device())?)); }
        let mut copy = 0.0; let mut horn = 0.0;
        for (name, plan) in plans {
            let mut p = gpu.prepare(&plan)?;
            let input = p.upload(&data)?;
            let out: Vec<u32> = p.run(&input)?.read()?;
            if name != "copy" { assert!(out == want, "{name}"); }
            let reps = if name == "horn" && bits > 21 { 5 } else { reps };
            let mut ts: Vec<f64> = (0..reps).map(|_| p.time(&input).unwrap().total.as_secs_f64()*1e3).collect(); ts.sort_by(f64::total_cmp);
            let t = ts[ts.len()/2];
            if name == "copy" { copy = t } if name == "horn" { horn = t }
            println!("2^{bits} {name:<10} {t:>9.4} ms (min {:.4}) {:>6.2} copies, horn/{:.2}, passes {}", ts[0], t/copy, horn/t, plan.passes().len());
            if detail { let tp = p.time_passes(&input)?; for (pass, t) in plan.passes().iter().zip(tp.passes) { println!("     {:<11} {:>9} texels {:.4} ms", pass.phase, pass.cost.texels_written, t.as_secs_f64()*1e3); } }
        }
    }
    Ok(())
}
