use rasterscan::sort::texture::Radix;
use rasterscan::tools::Numbers;
use rasterscan::tools::Request;
use rasterscan::*;
fn check<T: Element>(gpu: &Gpu, spec: SortSpec, data: Vec<T>, to: fn(Vec<T>) -> Numbers)
where
    T: Element,
{
    let plan = Radix::default().plan(&spec, gpu.device()).unwrap();
    let mut p = gpu.prepare(&plan).unwrap();
    let input = p.upload(&data).unwrap();
    let t = std::time::Instant::now();
    let out = p.run([&input]).unwrap();
    let request = Request::new(spec);
    let numbers = to(data);
    let expected = request.solve(&[&numbers]).unwrap();
    let mut ok = true;
    for (i, name) in ["values", "indices"].into_iter().enumerate() {
        if let Some(e) = expected.get(name) {
            let i = if name == "indices" && expected.get("values").is_none() { 0 } else { i };
            let same = match (e, name) {
                (Numbers::F32(e), _) => out[i]
                    .read::<f32>()
                    .unwrap()
                    .iter()
                    .map(|v| v.to_bits())
                    .eq(e.iter().map(|v| v.to_bits())),
                (Numbers::U32(e), _) => out[i].read::<u32>().unwrap() == *e,
                (Numbers::I32(e), _) => out[i].read::<i32>().unwrap() == *e,
                (Numbers::U64(e), _) => out[i].read::<u64>().unwrap() == *e,
                (Numbers::I64(e), _) => out[i].read::<i64>().unwrap() == *e,
            };
            ok &= same;
        }
    }
    println!("{} {} passes {:?} {}", if ok { "ok" } else { "WRONG" }, plan.passes().len(), t.elapsed(), spec);
}
fn main() {
    let gpu = Gpu::headless().unwrap();
    let rnd = |n: usize, m: u32| -> Vec<u32> {
        let mut s = 12345u32;
        (0..n)
            .map(|_| {
                s ^= s << 13;
                s ^= s >> 17;
                s ^= s << 5;
                s & m
            })
            .collect()
    };
    for n in [0usize, 1, 2, 3, 4, 5, 63, 64, 65, 255, 1000, 4097, 20000] {
        for m in [u32::MAX, 3, 0, 0xFF00] {
            check(&gpu, SortSpec::new::<u32>(n).moves(Moves::Both), rnd(n, m), |v| v.into());
        }
        check(
            &gpu,
            SortSpec::new::<i32>(n).moves(Moves::Both).descending(),
            rnd(n, !0).into_iter().map(|v| v as i32).collect(),
            |v| v.into(),
        );
        check(
            &gpu,
            SortSpec::new::<f32>(n).moves(Moves::Both),
            rnd(n, !0).into_iter().map(f32::from_bits).collect(),
            |v| v.into(),
        );
        check(
            &gpu,
            SortSpec::new::<f32>(n).descending(),
            rnd(n, !0).into_iter().map(f32::from_bits).collect(),
            |v| v.into(),
        );
        check(
            &gpu,
            SortSpec::new::<u64>(n).moves(Moves::Both),
            rnd(n, !0).into_iter().map(|v| (v as u64).wrapping_mul(0x9E3779B97F4A7C15)).collect(),
            |v| v.into(),
        );
        check(
            &gpu,
            SortSpec::new::<i64>(n).moves(Moves::Indices).descending(),
            rnd(n, !0).into_iter().map(|v| (v as i64).wrapping_mul(0x1E3779B97F4A7C15)).collect(),
            |v| v.into(),
        );
        check(&gpu, SortSpec::new::<u32>(n).moves(Moves::Both).bits(5..19), rnd(n, !0), |v| v.into());
    }
    for n in [1usize << 18, 1 << 20] {
        check(&gpu, SortSpec::new::<u32>(n), rnd(n, !0), |v| v.into());
        check(&gpu, SortSpec::new::<u32>(n), rnd(n, !0), |v| v.into());
    }
}
