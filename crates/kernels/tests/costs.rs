//! tabulate
use std::collections::BTreeMap;
use rasterscan::plan::Cost;
use rasterscan::problem::{COMPACT, REDUCE, SCAN, Problem};
use rasterscan::registry::Choice;
use rasterscan::{CompactSpec, Device, Numbers, ReduceSpec, Request, ScanSpec};
use rasterscan_kernels::Engine;

fn numbers(cost: &Cost) -> [(&'static str, u64); 7] {
    let Cost { texels_read, texels_written, words_read, words_written, vertices, adds, depth } = *cost;
    [("texels read", texels_read), ("texels written", texels_written), ("words read", words_read), ("words written", words_written),
     ("vertices", vertices), ("adds", adds), ("depth", depth)]
}

type Table = BTreeMap<(String, &'static str), [(u64, String); 3]>;

fn run(table: &mut Table, choice: &Choice, request: &Request, device: &Device, streams: &[&Numbers], of: &str) {
    let plan = match choice.plan(request, device) { Ok(Some(plan)) => plan, _ => return };
    let mut engine = match Engine::new(&plan) { Ok(engine) => engine, Err(error) => { table.entry((format!("{error}"), "no engine")).or_default()[0].0 += 1; return } };
    engine.upload(streams).unwrap();
    for (number, pass) in plan.passes().iter().enumerate() {
        let counted = match engine.cost(number) { Ok(counted) => counted, Err(error) => { table.entry((format!("{error}"), "fault")).or_default()[0].0 += 1; return } };
        for ((name, stated), (_, counted)) in numbers(&pass.cost).into_iter().zip(numbers(&counted)) {
            let which = match counted.cmp(&stated) { std::cmp::Ordering::Equal => 0, std::cmp::Ordering::Less => 1, _ => 2 };
            let entry = &mut table.entry((pass.main_shader().path().to_string(), name)).or_default()[which];
            entry.0 += 1;
            if entry.0 == 1 { entry.1 = format!("{} {request} {of}: stated {stated}, counted {counted}", plan.name()); }
        }
    }
}

fn gpu() -> Device {
    let mut device = Device::gl43();
    device.software = false;
    if let Some(compute) = &mut device.compute { compute.subgroup = 32; }
    device
}

#[test]
fn tabulate() {
    let mut table = Table::new();
    let variants = |problem: &'static Problem| {
        let mut all = rasterscan_runner::variants(problem, false, |_| true);
        all.extend(rasterscan_runner::variants(problem, true, |_| true));
        all
    };
    let every = |n: usize| (1..=n).chain([511,512,513,1023,1024,1025,2047,2048,2049,4095,4096]);
    let began = std::time::Instant::now();
    for name in variants(SCAN) {
        let choice = Choice::parse(SCAN, name).unwrap();
        for device in [rasterscan_kernels::device(), gpu()] {
            let step = if device.software { 1 } else { 19 };
            for n in every(300).step_by(step) {
                for (of, spec) in [("", ScanSpec::new::<u32>(n)), ("", ScanSpec::new::<u32>(n).exclusive())] {
                    run(&mut table, &choice, &Request::from(&spec), &device, &[&Numbers::of(&vec![1u32; n])], of);
                }
            }
            for n in every(300).step_by(37) {
                for spec in [ScanSpec::new::<u32>(n).order(2), ScanSpec::new::<u32>(n).order(3).exclusive(), ScanSpec::new::<u32>(n).tuple(3), ScanSpec::new::<u32>(n).tuple(2).order(2)] { if spec.check().is_err() { continue }
                    run(&mut table, &choice, &Request::from(&spec), &device, &[&Numbers::of(&vec![1u32; n])], "");
                }
                for spec in [ScanSpec::new::<u64>(n), ScanSpec::new::<u32>(n).rows(7), ScanSpec::new::<u32>(n).columns(7)] {
                    if spec.check().is_err() { continue }
                    match spec.element { rasterscan::ElementType::U64 => run(&mut table, &choice, &Request::from(&spec), &device, &[&Numbers::of(&vec![1u64; n])], ""),
                    _ => run(&mut table, &choice, &Request::from(&spec), &device, &[&Numbers::of(&vec![1u32; n])], "") }
                }
            }
        }
    }
    eprintln!("scan {:?}", began.elapsed());
    for name in variants(COMPACT) {
        let choice = Choice::parse(COMPACT, name).unwrap();
        for device in [rasterscan_kernels::device(), gpu()] {
            let step = if device.software { 1 } else { 19 };
            for n in every(300).step_by(step) {
                for keep in [0, 1, 2, 3] {
                    let data: Vec<u32> = (0..n).map(|i| match keep { 0 => 0, 1 => 1, 2 => (i % 3 == 0) as u32, _ => (i + 1 == n) as u32 }).collect();
                    let spec = CompactSpec::new::<u32>(n);
                    run(&mut table, &choice, &Request::from(&spec), &device, &[&Numbers::of(&data)], ["none", "all", "third", "last"][keep]);
                }
            }
            for n in every(300).step_by(37) {
                let ones = Numbers::of(&vec![1u32; n]);
                let spec = CompactSpec::new::<u32>(n).moves(rasterscan::Moves::Both);
                run(&mut table, &choice, &Request::from(&spec), &device, &[&ones], "both all");
                let spec = CompactSpec::new::<u32>(n).moves(rasterscan::Moves::Indices);
                run(&mut table, &choice, &Request::from(&spec), &device, &[&ones], "indices all");
                let spec = CompactSpec::new::<u32>(n).masked();
                run(&mut table, &choice, &Request::from(&spec), &device, &[&ones, &ones], "masked all");
                let spec = CompactSpec::new::<u64>(n);
                run(&mut table, &choice, &Request::from(&spec), &device, &[&Numbers::of(&vec![1u64; n])], "u64 all");
            }
        }
    }
    eprintln!("compact {:?}", began.elapsed());
    for name in variants(REDUCE) {
        let choice = Choice::parse(REDUCE, name).unwrap();
        for device in [rasterscan_kernels::device(), gpu()] {
            let step = if device.software { 1 } else { 19 };
            for n in every(300).step_by(step) {
                let spec = ReduceSpec::new::<u32>(n);
                run(&mut table, &choice, &Request::from(&spec), &device, &[&Numbers::of(&vec![1u32; n])], "");
            }
        }
    }
    eprintln!("reduce {:?}", began.elapsed());
    for ((path, name), [equal, less, more]) in &table {
        if less.0 + more.0 == 0 { if *name == "no engine" || *name == "fault" { println!("{path} {name} {equal:?}") } continue }
        println!("{path} | {name} | equal {} | less {} {} | MORE {} {}", equal.0, less.0, less.1, more.0, more.1);
    }
}
