//! Plans for the tests that look at all of them, without OpenGL: for a device as plain data.
//!
//! [`compiled`] uses every shader with every kind of `#define`, in as few plans as a driver compiles in reasonable time.
//! [`of_length`] has every variant on every card. [`rare`] has requests that reuse shaders of the others.

use rasterscan::plan::{ItemType, Layout, Map, Slot};
use rasterscan::scan::Recurrence;
use rasterscan::scan::compute::ReduceThenScan;
use rasterscan::tools::copy::{self, TextureCopy};
use rasterscan::tools::limits::MAX_LEN;
use rasterscan::tools::problem::{COMPACT, HISTOGRAM, Problem, REDUCE, SCAN, SORT};
use rasterscan::tools::registry::Choice;
use rasterscan::{
    Algorithm, CompactSpec, Comparison, Condition, Device, ElementType, Error, HistogramSpec, Moves,
    Operator, Plan, ReduceSpec, ScanSpec, SortSpec, compact, reduce, tools::Request,
};

use super::compaction::{self, compaction};
use super::scan::{algorithms, blocks, choice, tiles};

/// Plans that use every shader with every kind of `#define` that the device supports.
pub fn compiled(device: &Device) -> Vec<Plan> {
    let mut plans = scans(device);
    plans.extend(compactions(device));
    plans.extend(reductions(device));
    plans.extend(sorts(device));
    plans.extend(histograms(device));
    let spec = ScanSpec::new::<u32>(3000);
    let (one, points) = (TextureCopy::default(), TextureCopy { by_points: true, ..TextureCopy::default() });
    for copy in [points, TextureCopy { items_per_texel: 4, fetches: 8, ..one }] {
        plans.push(copy.plan(&spec, device).unwrap());
    }
    let copy = one.plan(&spec, device).unwrap();
    plans.push(copy.for_channel(Layout::pixels(ElementType::U32, 4, 60, 50), 2, 0).unwrap());
    plans.push(copy);
    plans.extend(supported(copy::buffer(&spec, device)));
    let elements = ElementType::ALL.into_iter().filter(|element| device.float_targets || !element.is_float());
    plans.extend(elements.map(|element| gathers(element, device)));
    plans.extend(moves(device));
    plans.extend(fused(device));
    plans.extend(counted(device));
    plans
}

/// Streams that are taken by indices, joined, unpacked, mapped and put into others, in textures and in buffers.
fn moves(device: &Device) -> Vec<Plan> {
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let texture = Layout::fit(device, ElementType::U32, 1, 1, 100, 2).unwrap();
    let buffer = device.compute.is_some().then(|| Layout::buffer(ElementType::U32, 1, 100));
    let of = |layout: Layout| {
        let mut plan = Plan::new("moves", item.clone(), layout);
        let count = plan.further_input("count", layout.with_len(1));
        let input = plan.input();
        let taken = plan.gather(input, input, None).unwrap();
        let some = plan.gather(input, input, Some(count)).unwrap();
        let joined = plan.join(taken, some, count).unwrap();
        let unpacked = plan.unpack(joined, 8, layout).unwrap();
        let twice = "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = 2u * from[0]; }";
        let mapped = plan.map(unpacked, "twice", twice, layout).unwrap();
        let total = plan.add_counts(count, count).unwrap();
        let grown = plan.write_at(mapped, count, total, layout).unwrap();
        let zipped = "void map(uint from[FROM], int index, out uint to[TO]) {
            to[0] = from[0] + source_at(index - 1, 3u) + beside_at(index + 1) + third_at(index) + fourth_at(0);
        }";
        let zipped = Map::new(zipped).reads(2).stream("beside", input, 1);
        let zipped = zipped.stream("third", taken, 1).stream("fourth", count, 1);
        let zipped = plan.map(grown, "zipped", zipped, layout).unwrap();
        let put = plan.scatter(zipped, input, None, layout).unwrap();
        let some = plan.scatter(put, input, Some(count), layout).unwrap();
        plan.finish(some)
    };
    [Some(texture), buffer].into_iter().flatten().map(of).collect()
}

/// A map of two streams in the loads of what reads it: in textures, and in buffers.
fn fused(device: &Device) -> Vec<Plan> {
    let squares =
        "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = from[0] * weight_at(index); }";
    let requests = [
        (SCAN, "horn", Request::from(&ScanSpec::new::<u32>(3000))),
        (SCAN, "look_back", Request::from(&ScanSpec::new::<u32>(3000))),
        (REDUCE, "packed", Request::from(&ReduceSpec::new::<u32>(3000))),
        (REDUCE, "two_pass", Request::from(&ReduceSpec::new::<u32>(3000))),
        (COMPACT, "packed", Request::from(&CompactSpec::new::<u32>(3000).masked())),
        (COMPACT, "select", Request::from(&CompactSpec::new::<u32>(3000).masked())),
    ];
    let of = |(problem, name, request): (_, &str, Request)| {
        let part = Choice::parse(problem, name).unwrap().plan(request, device);
        let part = supported(part.transpose()?)?;
        // The only input, or the mask.
        let layouts: Vec<Layout> = part.inputs().map(|slot| *part.layout(slot)).collect();
        let last = layouts.len() - 1;
        let mut plan = Plan::new("fused", part.item().clone(), layouts[0]);
        for layout in &layouts[1..] {
            plan.further_input("beside", *layout);
        }
        let mut inputs: Vec<Slot> = plan.inputs().collect();
        let weight = plan.further_input("weight", layouts[last]);
        let map = Map::new(squares).stream("weight", weight, 1);
        inputs[last] = plan.map(inputs[last], "squares", map, layouts[last]).unwrap();
        let outputs = plan.append_plan(&part, &inputs).unwrap();
        Some(plan.finish_with(outputs))
    };
    requests.into_iter().filter_map(of).collect()
}

/// Totals, and lengths on the GPU.
fn counted(device: &Device) -> Vec<Plan> {
    let scan = ScanSpec::new::<u32>(3000);
    let specs = [
        scan.with_gpu_length(),
        scan.exclusive().with_seed().with_total(),
        scan.with_gpu_length().with_seed().with_total(),
    ];
    let scans = specs.iter().flat_map(|spec| {
        ["packed", "horn", "look_back", "sam"].map(|name| supported_choice(name, spec, device))
    });
    let kept = CompactSpec::new::<u32>(3000).with_gpu_length();
    let compactions = [
        supported(compact::texture::PackedCompaction::default().plan(&kept, device)),
        supported(compact::compute::Select::default().plan(&kept, device)),
    ];
    let sum = ReduceSpec::new::<u32>(3000).with_gpu_length();
    let reductions = [
        supported(reduce::texture::PackedReduction::default().plan(&sum, device)),
        supported(reduce::compute::TwoPass::default().plan(&sum, device)),
        supported(reduce::compute::SinglePass::default().plan(&sum, device)),
    ];
    let halves = ReduceThenScan::default().halves(&ScanSpec::new::<u32>(3000), device);
    let halves = halves.into_iter().flat_map(|halves| [halves.reduce, halves.scan].map(Some));
    scans.chain(halves).chain(compactions).chain(reductions).flatten().collect()
}

/// A plan, unless the device lacks what it needs.
fn supported(plan: Result<Plan, Error>) -> Option<Plan> {
    match plan {
        Ok(plan) => Some(plan),
        Err(Error::Unsupported(_)) => None,
        Err(other) => panic!("{other}"),
    }
}

/// Reductions by commutative and other operators, of some items and of none.
fn reductions(device: &Device) -> Vec<Plan> {
    let algorithms: [Box<dyn Algorithm<ReduceSpec>>; 4] = [
        Box::new(reduce::texture::Pairs),
        Box::new(reduce::texture::PackedReduction::default()),
        Box::new(reduce::compute::TwoPass::default()),
        Box::new(reduce::compute::SinglePass::default()),
    ];
    let mut plans = Vec::new();
    for algorithm in &algorithms {
        for (element, operator) in [(ElementType::U32, Operator::ADD), (ElementType::I64, Operator::AFFINE)] {
            let of = |len| ReduceSpec::of(element, len).operator(&operator);
            let whole = [of(0).tuple(3), of(3000).tuple(3)];
            let first = ReduceSpec::of(element, 3000).argmin();
            let firsts = [first.argmax(), first.rows(30), first];
            for spec in whole.into_iter().chain(parts(&of(3000))).chain(firsts) {
                match algorithm.plan(&spec, device) {
                    Ok(plan) => plans.push(plan),
                    Err(Error::Unsupported(_)) => {}
                    Err(other) => panic!("{}, {spec}: {other}", algorithm.name()),
                }
            }
        }
    }
    plans
}

/// All algorithms of a problem with the variants on their cards.
fn every_variant(problem: &'static Problem) -> Vec<&'static str> {
    [false, true].map(|side_input| super::variants(problem, side_input, |_| true)).concat()
}

/// Sorts that move nothing else, one payload or several, and one with passes around it.
fn sorts(device: &Device) -> Vec<Plan> {
    let mut specs: Vec<SortSpec> = (0..4).map(|count| SortSpec::new::<u32>(3000).payloads(count)).collect();
    specs.push(SortSpec::new::<i64>(3000).descending().moves(Moves::Both).segmented());
    let mut plans = Vec::new();
    let sorts = every_variant(SORT);
    solved(&sorts, specs.iter().map(Request::from), device, &mut |plan, _| plans.push(plan));
    plans
}

/// Histograms of no and of some items, in bins that fit in shared memory and in more.
fn histograms(device: &Device) -> Vec<Plan> {
    let of = |(element, len, bins)| HistogramSpec::of(element, len, bins);
    let specs = [
        (ElementType::U32, 3000, 16),
        (ElementType::I32, 3000, 16),
        (ElementType::F32, 3000, 16),
        (ElementType::U32, 0, 16),
        (ElementType::U32, 3000, 1 << 20),
    ];
    let mut plans = Vec::new();
    let requests = specs.map(|spec| Request::from(&of(spec)));
    solved(&every_variant(HISTOGRAM), requests, device, &mut |plan, _| plans.push(plan));
    plans
}

/// Rows, columns and segments of every kind.
fn parts(spec: &ReduceSpec) -> [ReduceSpec; 6] {
    [
        spec.rows(60),
        spec.columns(60).tuple(2),
        spec.segmented(),
        spec.segmented_by_offsets(9),
        spec.by_key::<f32>(),
        spec.by_key::<u64>(),
    ]
}

fn scans(device: &Device) -> Vec<Plan> {
    let mut plans = Vec::new();
    for element in ElementType::ALL {
        for operator in Operator::ALL.into_iter().filter(|operator| operator.accepts(element)) {
            for tuple in [1, 3] {
                let spec = ScanSpec::of(element, 3000).operator(&operator).tuple(tuple);
                let mut algorithms = algorithms().to_vec();
                // Further paths through the same shaders: items of every size.
                if [Operator::ADD, Operator::AFFINE].contains(&operator) {
                    algorithms.extend(blocks());
                    algorithms.extend(tiles());
                }
                for algorithm in algorithms {
                    for spec in [spec.clone(), spec.exclusive()] {
                        plans.extend(supported_choice(algorithm, &spec, device));
                    }
                }
            }
        }
    }
    // Flags so far apart that a table has wider texels, and rows that warps divide.
    for spec in [ScanSpec::new::<u32>(1 << 25).segmented(), ScanSpec::new::<u32>(1 << 16).rows(1 << 14)] {
        for algorithm in ["horn", "hybrid", "packed", "packed:block=4", "look_back"] {
            plans.extend(supported_choice(algorithm, &spec, device));
        }
    }
    // Rows, columns, segments, directions and seeds.
    for element in ElementType::ALL {
        for operator in [Operator::ADD, Operator::AFFINE] {
            let spec = ScanSpec::of(element, 3000).operator(&operator);
            let options = [
                spec.rows(60).exclusive(),
                spec.columns(60).reversed(),
                spec.segmented().with_seed(),
                spec.segmented_by_offsets(9).reversed().exclusive(),
                spec.rows(60).tuple(3),
                spec.by_key::<i32>(),
            ];
            for spec in options {
                for algorithm in
                    ["horn", "hybrid", "packed", "harris", "look_back", "reduce_then_scan", "sam"]
                {
                    plans.extend(supported_choice(algorithm, &spec, device));
                }
            }
        }
    }
    // Intervals in every element: in a texel, in a tile and in a block.
    for element in ElementType::ALL {
        for operator in Operator::PROVING {
            for algorithm in ["horn", "packed", "harris:variant=naive,block=16", "three_phase:vectors=1"] {
                let spec = ScanSpec::of(element, 3000).operator(&operator);
                plans.extend(supported_choice(algorithm, &spec, device));
            }
        }
    }
    plans
}

/// The plan of a scan; `None` for `sequential` too.
fn supported_choice(algorithm: &str, spec: &ScanSpec, device: &Device) -> Option<Plan> {
    supported(choice(algorithm).plan(spec, device).transpose()?)
}

/// Every comparison and the mask, all that can be moved by one of them, and a stream without elements.
fn compactions(device: &Device) -> Vec<Plan> {
    let mut specs = vec![CompactSpec::new::<u32>(0)];
    for element in ElementType::ALL {
        let spec = CompactSpec::of(element, 3000);
        let condition = |comparison: Comparison| match element {
            ElementType::U32 => Condition::new(comparison, 7u32),
            ElementType::I32 => Condition::new(comparison, -7i32),
            ElementType::F32 => Condition::new(comparison, 0.5f32),
            ElementType::U64 => Condition::new(comparison, 7u64),
            ElementType::I64 => Condition::new(comparison, -7i64),
        };
        specs.extend(Comparison::ALL.map(|comparison| spec.keep(condition(comparison)).moves(Moves::Both)));
        specs.extend(Moves::ALL.map(|moves| spec.masked().moves(moves)));
        specs.extend([spec, spec.moves(Moves::Indices)]);
    }
    let mut plans = Vec::new();
    for spec in specs {
        for algorithm in compaction::compactions() {
            match compaction(algorithm).plan(&spec, device) {
                Ok(plan) => plans.extend(plan),
                Err(Error::Unsupported(_)) => {}
                Err(other) => panic!("{algorithm}, {spec}: {other}"),
            }
        }
    }
    plans
}

/// Gathers of an element: to other textures, to a buffer, and back where a draw can read one.
fn gathers(element: ElementType, device: &Device) -> Plan {
    let wide = Layout::texture(element, 4, 8, 8);
    let narrow = Layout::fit(device, element, 1, 1, wide.len, 2).unwrap();
    let item = ItemType { element, operator: Operator::ADD };
    let mut plan = Plan::new("gathers", item, wide);
    let texels = plan.relayout(plan.input(), None, narrow).unwrap();
    let items = plan.relayout(texels, None, Layout::buffer(element, 1, wide.len)).unwrap();
    let last = match device.max_buffer_texels {
        0 => items,
        _ => plan.relayout(items, None, wide).unwrap(),
    };
    plan.finish(last)
}

/// Every variant on every card at one length, with a few specs each, and what the plan is for.
pub fn of_length(device: &Device, len: u64, mut each: impl FnMut(Plan, &str)) {
    let of = |element| ScanSpec::of(element, len / 16 * 16);
    let specs = [
        of(ElementType::U32),
        of(ElementType::F32).order(3),
        of(ElementType::U64).tuple(16).exclusive(),
        of(ElementType::I64).operator(&Operator::AFFINE).tuple(8),
        of(ElementType::U32).order(8).tuple(2),
        of(ElementType::U32).segmented(),
        of(ElementType::U32).segmented_by_offsets(len / 2),
        of(ElementType::I32).rows(16),
        of(ElementType::U32).columns(16),
    ];
    let scans = [algorithms(), blocks(), tiles()].concat();
    solved(&scans, specs.iter().map(Request::from), device, &mut each);

    let of = |element| CompactSpec::of(element, len);
    let specs = [
        of(ElementType::U32).moves(Moves::Both),
        of(ElementType::F32).keep(Condition::new(Comparison::Less, 0f32)),
        of(ElementType::U64).masked().moves(Moves::Both),
    ];
    let compactions = [compaction::compactions(), compaction::tiles()].concat();
    solved(&compactions, specs.iter().map(Request::from), device, &mut each);

    let of = |element| ReduceSpec::of(element, len / 16 * 16);
    let specs = [
        of(ElementType::U32),
        of(ElementType::U64).tuple(16),
        of(ElementType::I64).operator(&Operator::AFFINE),
        of(ElementType::U32).rows(16),
        of(ElementType::U32).columns(16),
        of(ElementType::U32).by_key::<u64>(),
    ];
    let reductions = every_variant(REDUCE);
    solved(&reductions, specs.iter().map(Request::from), device, &mut each);

    let of = |element| SortSpec::of(element, len);
    let specs = [
        of(ElementType::U32),
        of(ElementType::F32).moves(Moves::Both).descending(),
        of(ElementType::U64).payloads(2).bits(3..40),
    ];
    let sorts = every_variant(SORT);
    solved(&sorts, specs.iter().map(Request::from), device, &mut each);

    let specs = [1, 256, MAX_LEN - 1].map(|bins| HistogramSpec::of(ElementType::F32, len, bins));
    solved(&every_variant(HISTOGRAM), specs.iter().map(Request::from), device, &mut each);
}

/// Requests and parameters that use the same shaders in ways that the others do not.
pub fn rare(device: &Device, mut each: impl FnMut(Plan, &str)) {
    let scan = ScanSpec::new::<u32>(3000);
    let recurrences = [1, 2, 8].map(|order| scan.recurrence(Recurrence::of_order(order).expect("1 to 8")));
    let options = [
        scan.clone(),
        scan.reversed(),
        scan.with_seed(),
        scan.with_total(),
        scan.with_gpu_length(),
        scan.rows(60),
        scan.columns(60),
        scan.segmented(),
        scan.segmented_by_offsets(9),
    ];
    let options = options.iter().flat_map(|spec| [spec.clone(), spec.exclusive(), spec.tuple(2)]);
    let specs = recurrences.into_iter().chain(options).filter(|spec| spec.check().is_ok());
    solved(&algorithms(), specs.map(|spec| Request::from(&spec)), device, &mut each);
    solved(&TEACHING, [Request::from(&scan.with_len(64))], device, &mut each);

    let compact = CompactSpec::new::<u32>(3000);
    let moves = Moves::ALL.map(|moves| compact.moves(moves));
    let options = moves.iter().flat_map(|spec| {
        let masked = spec.masked();
        [*spec, masked, spec.with_gpu_length(), masked.with_gpu_length(), spec.columns(60)]
    });
    let specs = options.filter(|spec| spec.check().is_ok()).chain([compact.with_len(MAX_LEN)]);
    let compactions = [compaction::compactions(), compaction::tiles()].concat();
    solved(&compactions, specs.map(|spec| Request::from(&spec)), device, &mut each);
    solved(&compactions, [Request::from(&compact)], device, &mut |plan, what| {
        let odd = "bool is_kept(Element value) { return (value & 1u) == 1u; }";
        each(plan.with_condition("odd", odd), &format!("{what}, by a condition"));
    });

    let sum = ReduceSpec::new::<u32>(3000).with_gpu_length();
    solved(&super::variants(REDUCE, false, |_| true), [Request::from(&sum)], device, &mut each);
}

/// Groups that take turns, and tiles that withhold what they know.
const TEACHING: [&str; 6] = [
    "look_back:group=1,vectors=1,turns=on",
    "look_back:group=1,vectors=1,withhold=prefix",
    "look_back:group=1,vectors=1,withhold=all",
    "sam:group=1,vectors=1,groups=3,turns=on",
    "sam:group=1,vectors=1,groups=3,withhold=all",
    "sam:exchange=once,vectors=1,groups=20,turns=on",
];

/// The plans of these algorithms for each request, where the device has what they need.
fn solved(
    algorithms: &[&str],
    requests: impl IntoIterator<Item = Request>,
    device: &Device,
    each: &mut impl FnMut(Plan, &str),
) {
    for request in requests {
        for algorithm in algorithms {
            let what = format!("{algorithm}, {}", request.spec());
            let choice =
                Choice::parse(request.problem(), algorithm).unwrap_or_else(|error| panic!("{what}: {error}"));
            match choice.plan(request.clone(), device) {
                Ok(Some(plan)) => each(plan, &what),
                Ok(None) | Err(Error::Unsupported(_)) => {}
                Err(other) => panic!("{what}: {other}"),
            }
        }
    }
}
