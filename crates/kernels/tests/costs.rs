//! The costs that plans state, compared with those that their kernels count: exact ones are equal, and maxima are never
//! exceeded. For each maximum that no input here reaches, a list says why.
//!
//! Every variant of every card, every length to 300, and lengths around blocks and powers of two to 4,096; every one of those
//! too if `RASTERSCAN_EVERY_LENGTH` is set. No tile of a single pass comes late here.

#[path = "costs/gaps.rs"]
mod gaps;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, thread};

use gaps::{GAPS, Gap};
use rasterscan::device::Compute;
use rasterscan::plan::{Cost, Pass};
use rasterscan::tools::problem::{COMPACT, HISTOGRAM, Problem, REDUCE, SCAN, SORT};
use rasterscan::tools::registry::{Choice, Era};
use rasterscan::{
    CompactSpec, Device, HistogramSpec, Moves, Operator, Recurrence, ReduceSpec, ScanSpec, SortSpec,
    tools::{Numbers, Request},
};
use rasterscan_kernels::Engine;

/// The numbers of a cost by name, and whether a pass states a maximum.
fn numbers(pass: &Pass, cost: &Cost) -> [(&'static str, u64, bool); 7] {
    let Cost { texels_read, texels_written, words_read, words_written, vertices, adds, depth } = *cost;
    let at_most = pass.at_most;
    [
        ("texels read", texels_read, at_most.read),
        ("words read", words_read, at_most.read),
        ("texels written", texels_written, at_most.written),
        ("words written", words_written, at_most.written),
        ("vertices", vertices, false),
        ("adds", adds, at_most.adds),
        ("depth", depth, true),
    ]
}

/// The costs that were seen of a shader.
#[derive(Default)]
struct Seen {
    passes: usize,
    /// For each number stated as a maximum whether a run has reached it, and a run that has not.
    maxima: BTreeMap<&'static str, (bool, String)>,
    /// For each number that is wrong, the first case.
    wrong: BTreeMap<&'static str, String>,
}

/// All shaders by their paths.
#[derive(Default)]
struct Costs {
    shaders: BTreeMap<String, Seen>,
    unsupported: usize,
}

impl Costs {
    /// Runs a plan, and compares the costs of its passes.
    fn compare(&mut self, choice: &Choice, request: &Request, device: &Device, streams: &[Numbers]) {
        let Ok(Some(plan)) = choice.plan(request, device) else {
            self.unsupported += 1;
            return;
        };
        let mut engine = Engine::new(&plan).unwrap_or_else(|error| panic!("{choice:?}: {error}"));
        engine.upload(&streams.iter().collect::<Vec<_>>()).unwrap();
        for (number, pass) in plan.passes().iter().enumerate() {
            let counted = engine.cost(number).unwrap_or_else(|error| panic!("{}: {error}", plan.name()));
            let seen = self.shaders.entry(pass.main_shader().path().to_owned()).or_default();
            seen.passes += 1;
            let both = numbers(pass, &pass.cost).into_iter().zip(numbers(pass, &counted));
            for ((name, stated, at_most), (_, counted, _)) in both {
                let case = || {
                    let how = if at_most { "at most" } else { "exactly" };
                    let (by, of) = (plan.name(), if device.software { "CPU" } else { "GPU" });
                    format!("{request} by {by} for a {of}: stated {how} {stated}, counted {counted}")
                };
                if at_most && stated > 0 {
                    let reached = seen.maxima.entry(name).or_insert_with(|| (false, case()));
                    reached.0 |= counted == stated;
                }
                if counted > stated || counted < stated && !at_most {
                    seen.wrong.entry(name).or_insert_with(case);
                }
            }
        }
    }

    /// All that both have seen.
    fn and(mut self, other: Costs) -> Costs {
        for (path, seen) in other.shaders {
            let both = self.shaders.entry(path).or_default();
            both.passes += seen.passes;
            for (name, (reached, case)) in seen.maxima {
                both.maxima.entry(name).or_insert((false, case)).0 |= reached;
            }
            for (name, case) in seen.wrong {
                both.wrong.entry(name).or_insert(case);
            }
        }
        Costs { unsupported: self.unsupported + other.unsupported, ..self }
    }

    /// Fails if a cost is wrong, or if other maxima than these are never reached.
    fn check(self, gaps: &[Gap]) {
        let mut faults = Vec::new();
        let mut unreached = Vec::new();
        for (path, seen) in &self.shaders {
            faults.extend(seen.wrong.iter().map(|(name, case)| format!("{path}, {name}: {case}")));
            let never = seen.maxima.iter().filter(|(_, (reached, _))| !reached);
            unreached.extend(never.map(|(name, (_, case))| (path.as_str(), *name, case)));
        }
        for (path, name, case) in &unreached {
            if !gaps.iter().any(|gap| gap.is_of(path, name)) {
                faults.push(format!("{path}, {name}: never reached, such as {case}"));
            }
        }
        for gap in gaps {
            println!("{}: {} never reached: {}", gap.path, gap.numbers.join(", "), gap.why);
            for name in gap.numbers {
                if !unreached.iter().any(|(path, unreached, _)| *path == gap.path && unreached == name) {
                    faults.push(format!("{}, {name}: reached, or not stated; it is no gap", gap.path));
                }
            }
        }
        let passes: usize = self.shaders.values().map(|seen| seen.passes).sum();
        println!("{passes} passes of {} shaders, {} unsupported", self.shaders.len(), self.unsupported);
        assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
        assert!(passes > 400_000 && self.shaders.len() > 60, "{passes} passes");
    }
}

/// A CPU, whose lanes take items in series, and a GPU whose warps are subgroups.
fn devices() -> [Device; 2] {
    let compute = Device::gl43().compute.map(|compute| Compute { subgroup: 32, ..compute });
    [rasterscan_kernels::device(), Device { software: false, compute, ..Device::gl43() }]
}

/// The lengths for a device: a GPU's tiles are large, so fewer of them.
fn lengths(device: &Device) -> Vec<usize> {
    let every = env::var_os("RASTERSCAN_EVERY_LENGTH").is_some() && device.software;
    let most = if every { 4096 } else { 300 };
    let edges =
        (9..=12).flat_map(|log2| [(1 << log2) - 1, 1 << log2, (1 << log2) + 1]).filter(|n| *n <= 4096);
    let all = (1..=most).chain(edges.filter(|n| *n > most));
    all.step_by(if device.software { 1 } else { 19 }).collect()
}

/// Those at which options are tried.
fn fewer_lengths(device: &Device) -> impl Iterator<Item = usize> {
    lengths(device).into_iter().filter(|n| *n <= 300 || *n == 4096).step_by(if device.software {
        37
    } else {
        3
    })
}

/// All algorithms of a problem, for each device, on all cores.
fn each(problem: &'static Problem, act: impl Fn(&mut Costs, &Choice, &Device) + Sync) -> Costs {
    let variants: Vec<&str> = [false, true]
        .into_iter()
        .flat_map(|side_input| rasterscan_runner::variants(problem, side_input, |_| true))
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut costs = Costs::default();
        while let Some(text) = variants.get(next.fetch_add(1, Ordering::Relaxed)) {
            let choice = Choice::parse(problem, text).unwrap();
            devices().iter().for_each(|device| act(&mut costs, &choice, device));
        }
        costs
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).fold(Costs::default(), Costs::and)
    })
}

fn ones(len: usize) -> Numbers {
    Numbers::of(&vec![1u32; len])
}

fn scans() -> Costs {
    each(SCAN, |costs, choice, device| {
        for len in lengths(device) {
            for spec in [ScanSpec::new::<u32>(len), ScanSpec::new::<u32>(len).exclusive()] {
                costs.compare(choice, &Request::from(&spec), device, &[ones(len)]);
            }
        }
    })
}

fn scans_with_options() -> Costs {
    each(SCAN, |costs, choice, device| {
        for len in fewer_lengths(device) {
            // Whole tuples, and whole rows.
            let plain = ScanSpec::new::<u32>(len);
            let [pairs, triples, rows] =
                [2, 3, 7].map(|unit| ScanSpec::new::<u32>(len.next_multiple_of(unit)));
            let specs = [
                plain.order(2),
                plain.order(3).exclusive(),
                pairs.tuple(2),
                triples.tuple(3).exclusive(),
                pairs.tuple(2).order(2),
                rows.rows(7),
                rows.rows(7).exclusive(),
                rows.columns(7),
                plain.reversed(),
                plain.operator(Operator::MAX),
            ];
            for spec in specs {
                costs.compare(choice, &Request::from(&spec), device, &[ones(spec.len as usize)]);
            }
            let wide = ScanSpec::new::<u64>(len);
            costs.compare(choice, &Request::from(&wide), device, &[Numbers::of(&vec![1u64; len])]);
            let recurrence = Recurrence::new(&[1, 2], &[1]).unwrap();
            let recurring = plain.recurrence(recurrence);
            costs.compare(choice, &Request::from(&recurring), device, &[ones(len)]);
            let segments = plain.segmented();
            let heads: Vec<u32> =
                (0..len.div_ceil(32) as u32).map(|word| 0x0101_0000 >> (word % 8)).collect();
            costs.compare(choice, &Request::from(&segments), device, &[ones(len), Numbers::of(&heads)]);
            let floats = ScanSpec::new::<f32>(len);
            costs.compare(choice, &Request::from(&floats), device, &[Numbers::of(&vec![1f32; len])]);
        }
    })
}

fn compactions() -> Costs {
    each(COMPACT, |costs, choice, device| {
        for len in lengths(device) {
            let all = |keeps: &dyn Fn(usize) -> bool| {
                Numbers::of(&(0..len).map(|index| u32::from(keeps(index))).collect::<Vec<_>>())
            };
            let request = Request::from(&CompactSpec::new::<u32>(len));
            for stream in [
                all(&|_| false),
                all(&|_| true),
                all(&|index| index % 3 == 0),
                all(&|index| index + 1 == len),
            ] {
                costs.compare(choice, &request, device, &[stream]);
            }
        }
        for len in fewer_lengths(device) {
            for moves in [Moves::Both, Moves::Indices] {
                let spec = CompactSpec::new::<u32>(len).moves(moves);
                costs.compare(choice, &Request::from(&spec), device, &[ones(len)]);
            }
            let masked = CompactSpec::new::<u32>(len).masked();
            costs.compare(choice, &Request::from(&masked), device, &[ones(len), ones(len)]);
            let wide = CompactSpec::new::<u64>(len);
            costs.compare(choice, &Request::from(&wide), device, &[Numbers::of(&vec![1u64; len])]);
        }
    })
}

fn reductions() -> Costs {
    each(REDUCE, |costs, choice, device| {
        for len in lengths(device) {
            for operator in [Operator::ADD, Operator::MAX] {
                let spec = ReduceSpec::new::<u32>(len).operator(operator);
                costs.compare(choice, &Request::from(&spec), device, &[ones(len)]);
            }
            let triples = ReduceSpec::new::<u32>(len.next_multiple_of(3)).tuple(3);
            for spec in [ReduceSpec::new::<u32>(len).argmin(), triples.argmax()] {
                costs.compare(choice, &Request::from(&spec), device, &[ones(spec.len as usize)]);
            }
        }
    })
}

fn sorts() -> Costs {
    each(SORT, |costs, choice, device| {
        for len in lengths(device) {
            let request = Request::from(&SortSpec::new::<u32>(len).payloads(1).bits(0..3));
            let mixed = Numbers::of(&(0..len as u32).map(|index| index * 5 / 3).collect::<Vec<_>>());
            for stream in [ones(len), mixed] {
                costs.compare(choice, &request, device, &[stream, ones(len)]);
            }
        }
        for len in fewer_lengths(device) {
            let spec = SortSpec::new::<i64>(len).moves(Moves::Both);
            costs.compare(choice, &Request::from(&spec), device, &[Numbers::of(&vec![1i64; len])]);
            // Pairs, over several digits.
            let spec = SortSpec::new::<u32>(len).bits(3..12);
            costs.compare(choice, &Request::from(&spec.payloads(1)), device, &[ones(len), ones(len)]);
            costs.compare(choice, &Request::from(&spec.moves(Moves::Indices)), device, &[ones(len)]);
        }
    })
}

/// Sorts by compute shaders, of keys with none to three payloads.
fn sorts_in_tiles() -> Costs {
    each(SORT, |costs, choice, device| {
        if choice.card.era != Era::Compute {
            return;
        }
        for (len, payloads) in fewer_lengths(device).zip((0..4).cycle()) {
            let spec = SortSpec::new::<u32>(len).payloads(payloads).bits(3..20);
            let streams: Vec<Numbers> = (0..=payloads).map(|_| ones(len)).collect();
            costs.compare(choice, &Request::from(&spec), device, &streams);
        }
    })
}

fn histograms() -> Costs {
    each(HISTOGRAM, |costs, choice, device| {
        for len in lengths(device) {
            let items = Numbers::of(&(0..len as u32).map(|index| index * 5 % 17).collect::<Vec<_>>());
            for bins in [1u32, 2, 5, 8190] {
                let edges = Numbers::of(&(0..=bins).collect::<Vec<_>>());
                // More than shared memory holds.
                let spec = HistogramSpec::new::<u32>(len, bins as usize);
                if bins < 10 || len < 300 && len % 9 == 1 {
                    costs.compare(choice, &Request::from(&spec), device, &[items.clone(), edges]);
                }
            }
        }
    })
}

#[test]
fn plans_state_what_kernels_count() {
    let all =
        [scans(), scans_with_options(), compactions(), reductions(), sorts(), sorts_in_tiles(), histograms()];
    all.into_iter().fold(Costs::default(), Costs::and).check(GAPS);
}
