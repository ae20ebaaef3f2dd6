//! Scans in tiles that wait for nothing: three phases, and a reduction before the scan.

use rasterscan::plan::Lanes;
use rasterscan::scan::compute::{ReduceThenScan, TileOptions};
use rasterscan::{ElementType, Operator, ScanSpec, tools::Numbers};
use rasterscan_runner::data::matrices;
use rasterscan_runner::kernels::{self, Seen};
use rasterscan_runner::scan::choice;

use crate::{enough, option_passes, scans, specs, values, variants};

const NAMES: [&str; 2] = ["three_phase", "reduce_then_scan"];

/// Those that differ in what a tile does, and compile quickly.
const SMALL: [&str; 6] = [
    "three_phase:vectors=1",
    "three_phase:lanes=shared,group=8,vectors=2",
    "three_phase:lanes=serial,group=64,vectors=1",
    "reduce_then_scan:vectors=1",
    "reduce_then_scan:lanes=shared,group=8,vectors=3",
    "reduce_then_scan:lanes=shared,group=64,vectors=1",
];

/// The variants on these cards, and small ones.
fn with_small(cards: &[&str]) -> Vec<&'static str> {
    let small = SMALL.into_iter().filter(|name| cards.contains(&choice(name).card.name));
    variants(cards).into_iter().chain(small).collect()
}

fn three_phases() {
    enough(scans(&specs(), &with_small(&NAMES[..1])), [20_000, 20_000], [0; 2]);
}

fn a_reduction_and_a_scan() {
    enough(scans(&specs(), &with_small(&NAMES[1..])), [15_000, 30_000], [0; 2]);
}

/// Around vectors, rows, tiles, and tiles of sums.
fn lengths_around_tiles() {
    let mut specs = Vec::new();
    for edge in [1, 4, 8, 32, 64, 96, 256, 512, 1024] {
        specs.extend([edge - 1, edge, edge + 1].map(|len| {
            let spec = ScanSpec::new::<u32>(len);
            if len % 2 == 0 { spec } else { spec.exclusive() }
        }));
    }
    enough(scans(&specs, &with_small(&NAMES)), [80_000, 120_000], [0; 2]);
}

/// Those that divide a vector, those that it divides, and others; elements of one and two words.
fn tuples_and_orders() {
    let mut specs = Vec::new();
    for tuple in [2, 3, 4, 5, 8] {
        let spec = ScanSpec::new::<u32>(120 * tuple as usize).tuple(tuple);
        specs.push(if tuple % 2 == 0 { spec.exclusive().order(2) } else { spec });
    }
    let wide = ScanSpec::new::<u64>(330);
    specs.extend([wide.exclusive().order(3), wide.tuple(2), wide.tuple(3).exclusive()]);
    enough(scans(&specs, &SMALL), [60_000, 60_000], [0; 2]);
}

/// Operators that commute and others, on items of one word to sixteen, and floats.
fn operators() {
    let of = |element, operator: Operator| ScanSpec::of(element, 270).operator(operator);
    let mut specs = vec![
        of(ElementType::I64, Operator::AFFINE),
        of(ElementType::I64, Operator::AFFINE).exclusive().tuple(2),
        of(ElementType::U32, Operator::AFFINE).exclusive().order(2),
        // Longer products overflow, and drivers may take infinity times zero for zero.
        of(ElementType::F32, Operator::AFFINE).with_len(39).tuple(3),
        of(ElementType::F32, Operator::ADD),
        of(ElementType::F32, Operator::MIN).exclusive(),
        of(ElementType::U64, Operator::XOR),
        of(ElementType::I32, Operator::MAX).tuple(3).exclusive(),
    ];
    let square = of(ElementType::U32, matrices(2)).with_len(66);
    specs.extend([square.exclusive(), square.rows(11)]);
    let large = of(ElementType::U32, matrices(3)).with_len(66).exclusive();
    enough(scans(&[large], &SMALL[3..5]), [1000, 300], [0; 2]);
    let seen = scans(&[of(ElementType::U32, matrices(4)).with_len(40)], &SMALL[2..4]);
    enough(seen, [1000, 100], [0; 2]);
    enough(scans(&specs, &SMALL), [40_000, 30_000], [0; 2]);
}

/// Rows shorter than vectors, than rows of lanes and than tiles, and longer ones.
fn rows() {
    let mut specs = Vec::new();
    for width in [1, 3, 7, 32, 35, 210, 840] {
        let spec = ScanSpec::new::<u32>(840).rows(width);
        specs.extend([spec.clone(), spec.exclusive(), spec.exclusive().order(2)]);
    }
    let affine = ScanSpec::of(ElementType::I64, 210).operator(Operator::AFFINE).rows(35);
    let floats = ScanSpec::of(ElementType::F32, 210).operator(Operator::MAX).rows(42);
    specs.extend([
        affine.clone(),
        affine.exclusive(),
        floats,
        ScanSpec::new::<u64>(210).rows(30).exclusive(),
    ]);
    enough(scans(&specs, &SMALL), [100_000, 100_000], [0; 2]);
}

fn segments() {
    let all: Vec<u32> = vec![1, 2, 3, 33, 64, 100, 256, 511, 512, 600, 830];
    let every: Vec<u32> = (0..839).collect();
    let third: Vec<u32> = (0..839).step_by(3).collect();
    let mut seen = Seen::default();
    let mut one = |spec: &ScanSpec, names: &[&str], heads: &[u32]| {
        seen += option_passes::compare(
            names.iter().map(|name| choice(name)),
            std::slice::from_ref(spec),
            heads,
            0,
        );
    };
    for heads in [&[] as &[u32], &all, &third, &every] {
        let spec = ScanSpec::new::<u32>(839).segmented();
        for spec in [spec.clone(), spec.exclusive(), spec.exclusive().order(2)] {
            one(&spec, &SMALL, heads);
        }
    }
    for element in [ElementType::I64, ElementType::U32] {
        let affine = ScanSpec::of(element, 210).operator(Operator::AFFINE).segmented();
        one(&affine, &SMALL, &all);
        one(&affine.exclusive(), &SMALL, &all);
    }
    one(&ScanSpec::new::<f32>(270).operator(Operator::MIN).segmented(), &SMALL, &all);
    one(&ScanSpec::new::<u64>(1).segmented(), &SMALL, &[0]);
    // Vectors of three items: a word of flags ends within one.
    one(&ScanSpec::new::<u32>(270).operator(matrices(3)).with_len(99).segmented(), &SMALL, &all);
    one(&ScanSpec::new::<u32>(1030).segmented(), &with_small(&NAMES), &all);
    enough(seen, [100_000, 100_000], [0; 2]);
}

/// All orders with one exchange, and recurrences: one warp of a group, warps of one lane, tiles of states.
fn linear_systems() {
    let plain = ScanSpec::new::<u32>(1000);
    let wide = ScanSpec::of(ElementType::I64, 330);
    let recurs = |spec: &ScanSpec, signature: &str| spec.recurrence(signature.parse().unwrap());
    let pairs = recurs(&plain.tuple(2), "1,2:1,-3").exclusive();
    let each = [plain.order(3).exclusive(), pairs.clone(), wide.clone()];
    let all = [
        plain.clone(),
        plain.order(2).tuple(2),
        plain.tuple(5).exclusive(),
        wide.order(8),
        wide.order(2).tuple(3).exclusive(),
        recurs(&plain, "1:1,1"),
        recurs(&plain, "1,-1:").exclusive(),
        recurs(&wide, "2,-1,3:0,5,1").exclusive(),
        recurs(&plain, "1,2,3,4,5,6,7,8:8,-7,6,-5,4,-3,2,-1"),
        pairs.with_len(2),
        pairs.with_len(34),
        plain.order(2).with_len(1),
    ];
    let mut seen = scans(&all, &["reduce_then_scan:exchange=once,vectors=1"]);
    seen += scans(&each, &["reduce_then_scan:exchange=once,lanes=shared,group=8,vectors=2"]);
    let ways =
        ["reduce_then_scan:exchange=once", "reduce_then_scan:exchange=once,lanes=shared,group=64,vectors=1"];
    seen += scans(&each[..1], &ways);
    enough(seen, [10_000, 100_000], [0; 2]);
}

/// Columns in bands of 32 rows, of more columns than a group has invocations, and of fewer.
fn columns() {
    let mut specs = Vec::new();
    for (width, rows) in [(1, 100), (3, 31), (9, 32), (7, 33), (20, 65), (300, 3)] {
        let spec = ScanSpec::new::<u32>(width * rows).columns(width as u64);
        specs.extend([spec.clone(), spec.exclusive()]);
    }
    let long = ScanSpec::new::<u32>(3 * 1100).columns(3);
    let affine = ScanSpec::of(ElementType::I64, 200).operator(Operator::AFFINE).columns(5);
    let floats = ScanSpec::of(ElementType::F32, 400).columns(10).exclusive();
    specs.extend([long.order(2).exclusive(), affine, floats]);
    enough(scans(&specs, &SMALL[3..]), [20_000, 20_000], [0; 2]);
}

/// The scan in two plans: totals, and what comes before each tile.
fn two_plans() {
    let gpu = rasterscan_runner::gpu();
    let plain = ScanSpec::new::<u32>(1000);
    let affine = ScanSpec::of(ElementType::I64, 150).operator(Operator::AFFINE);
    let specs = [plain.clone(), plain.tuple(2).exclusive(), plain.with_len(1), plain.with_len(33), affine];
    let mut seen = Seen::default();
    let options =
        |lanes, group, rows| TileOptions { lanes: Some(lanes), group: Some(group), vectors: Some(rows) };
    let shared = [options(Lanes::Shared, 8, 3), options(Lanes::Shared, 64, 1)];
    for tile in [TileOptions::default(), options(Lanes::Serial, 8, 1)].into_iter().chain(shared) {
        let algorithm = ReduceThenScan { tile, ..ReduceThenScan::default() };
        for spec in &specs {
            let Ok(halves) = algorithm.halves(spec, gpu.device()) else { continue };
            for plan in [&halves.reduce, &halves.scan] {
                let streams: Vec<Numbers> = plan
                    .inputs()
                    .map(|slot| {
                        values(spec.element, plan.layout(slot).words() / u64::from(spec.element.words()))
                    })
                    .collect();
                let streams: Vec<&Numbers> = streams.iter().collect();
                seen += kernels::compare(&gpu, plan, &streams, |_, _| {}).unwrap_or_default();
            }
        }
    }
    enough(seen, [10_000, 10_000], [0; 2]);
}

/// Streams that are bound in several parts.
fn parts() {
    let gpu = rasterscan_runner::gpu();
    let mut device = gpu.device().clone();
    let Some(compute) = &mut device.compute else { return };
    compute.max_binding = 2048;
    let plain = ScanSpec::new::<u32>(3000);
    let specs = [
        plain.exclusive(),
        plain.tuple(2).order(2),
        plain.rows(60).exclusive(),
        plain.operator(Operator::AFFINE).with_len(700),
    ];
    let mut seen = Seen::default();
    for name in SMALL.iter().chain(&["reduce_then_scan:exchange=once,vectors=1"]) {
        for spec in &specs {
            let Ok(Some(plan)) = choice(name).plan(spec, &device) else { continue };
            let values = values(spec.element, spec.elements());
            seen += kernels::compare(&gpu, &plan, &[&values], |_, _| {}).unwrap_or_default();
        }
    }
    enough(seen, [20_000, 20_000], [0; 2]);
}

crate::tests![
    three_phases,
    a_reduction_and_a_scan,
    lengths_around_tiles,
    tuples_and_orders,
    operators,
    rows,
    segments,
    linear_systems,
    columns,
    two_plans,
    parts,
];
