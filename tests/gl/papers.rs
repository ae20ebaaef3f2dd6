//! The papers' worked examples, their pseudo-code pass by pass, and their counts.

mod capannini_2011;
mod harris_2007;
mod maleki_2016;
mod roger_2007;
mod roger_2007_costs;

use rasterscan::{Element, Error, Gpu, Operator, Plan, ScanSpec};
use rasterscan_runner::scan::{self, choice};

/// The algorithms that the device supports; the others are printed.
fn algorithms(gpu: &Gpu) -> Vec<&'static str> {
    let (cannot, can) = scan::algorithms().into_iter().partition::<Vec<_>, _>(|algorithm| {
        let plan = choice(algorithm).plan(&ScanSpec::new::<u32>(8), gpu.device());
        matches!(plan, Err(Error::Unsupported(_)))
    });
    println!("not applicable on {}: {cannot:?}", gpu.device().level());
    can
}

fn plan(algorithm: &str, spec: &ScanSpec, gpu: &Gpu) -> Option<Plan> {
    choice(algorithm).plan(spec, gpu.device()).unwrap_or_else(|e| panic!("{algorithm}: {e}"))
}

fn run<T: Element>(gpu: &Gpu, algorithm: &str, spec: &ScanSpec, data: &[T]) -> Vec<T> {
    match plan(algorithm, spec, gpu) {
        None => rasterscan::scan::sequential(spec, data).unwrap(),
        Some(plan) => {
            let mut prepared = gpu.prepare(&plan).unwrap();
            let stream = prepared.upload(data).unwrap();
            prepared.run(&stream).unwrap().read().unwrap()
        }
    }
}

/// harris2007's example, with 15 instead of the printed 14.
fn harris_2007_the_worked_example() {
    let gpu = rasterscan_runner::gpu();
    let data = [3u32, 1, 7, 0, 4, 1, 6, 3];
    let spec = ScanSpec::new::<u32>(8);
    for algorithm in algorithms(&gpu) {
        let inclusive = run(&gpu, algorithm, &spec, &data);
        assert_eq!(inclusive, [3, 4, 11, 11, 15, 16, 22, 25], "{algorithm}");
        let exclusive = run(&gpu, algorithm, &spec.exclusive(), &data);
        assert_eq!(exclusive, [0, 3, 4, 11, 11, 15, 16, 22], "{algorithm}");
    }
}

/// maleki2016, section 4.4: a second-order scan decodes second-order differences.
fn maleki_2016_orders_decode_differences() {
    let gpu = rasterscan_runner::gpu();
    let values = [1, 2, 3, 4, 5, 2, 4, 6, 8, 10];
    for (order, differences) in [(1, [1, 1, 1, 1, 1, -3, 2, 2, 2, 2]), (2, [1, 0, 0, 0, 0, -4, 5, 0, 0, 0])] {
        let spec = ScanSpec::new::<i32>(10).order(order);
        for algorithm in algorithms(&gpu) {
            assert_eq!(run(&gpu, algorithm, &spec, &differences), values, "{algorithm}, {order}");
        }
    }
}

/// maleki2016, section 4.3: tuples are interleaved scans.
fn maleki_2016_tuples_are_interleaved_scans() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u32>(10).tuple(2);
    let data = [1u32, 100, 2, 200, 3, 300, 4, 400, 5, 500];
    for algorithm in algorithms(&gpu) {
        let result = run(&gpu, algorithm, &spec, &data);
        assert_eq!(result, [1, 100, 3, 300, 6, 600, 10, 1000, 15, 1500], "{algorithm}");
    }
}

/// A recurrence x = a·x + b, solved by a scan of affine maps from x = 0.
fn affine_solves_a_recurrence() {
    let gpu = rasterscan_runner::gpu();
    let maps = [2i64, 1, 3, -5, -1, 7, 10, 0];
    let spec = ScanSpec::new::<i64>(4).operator(Operator::AFFINE);
    for algorithm in algorithms(&gpu) {
        let result = run(&gpu, algorithm, &spec, &maps);
        assert_eq!(result, [2, 1, 6, -2, -6, 9, -60, 90], "{algorithm}");
    }
}

/// sengupta2006, algorithm 2, on 16 values: the texture after each of four passes.
fn sengupta_2006_horn_pass_by_pass() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u32>(16);
    let mut prepared = gpu.prepare(&plan("horn", &spec, &gpu).unwrap()).unwrap();
    let stream = prepared.upload(&[1u32; 16]).unwrap();
    let trace = prepared.trace(&stream).unwrap();
    let after = |step: usize| trace.steps[step].writes[0].values::<u32>().unwrap();
    assert_eq!(trace.steps.len(), 4);
    assert_eq!(after(0), [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    assert_eq!(after(1), [1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]);
    assert_eq!(after(2), [1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8, 8, 8, 8, 8]);
    assert_eq!(after(3), (1..=16).collect::<Vec<u32>>());
}

/// sengupta2006, algorithms 3 and 4, on 16 values in 4 x 4 texels: reduced to one row of 4.
fn sengupta_2006_reduce_and_down_sweep_pass_by_pass() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u32>(16);
    let plan = plan("blelloch", &spec, &gpu).unwrap();
    let shapes: Vec<_> =
        plan.passes().iter().map(|pass| plan.layout(pass.writes()[0])).map(|l| (l.width, l.height)).collect();
    assert_eq!(shapes, [(4, 2), (4, 1), (4, 1), (4, 1), (4, 2), (4, 4)], "heights halve");
    let mut prepared = gpu.prepare(&plan).unwrap();
    let stream = prepared.upload(&(1..=16u32).collect::<Vec<_>>()).unwrap();
    let trace = prepared.trace(&stream).unwrap();
    let after = |step: usize| trace.steps[step].writes[0].values::<u32>().unwrap();
    assert_eq!(after(0), [3, 7, 11, 15, 19, 23, 27, 31]);
    assert_eq!(after(1), [10, 26, 42, 58]);
    assert_eq!(after(3), [10, 36, 78, 136]);
    assert_eq!(after(4), [3, 10, 21, 36, 55, 78, 105, 136]);
    assert_eq!(after(5), (1..=16).map(|i| i * (i + 1) / 2).collect::<Vec<u32>>());
}

/// The counts of a plan are those of the papers, and those counted by hand from the pseudo-code.
fn sengupta_2006_operation_counts() {
    let device = rasterscan::Device::gl33();
    let cost = |algorithm: &str, n: usize| {
        let spec = ScanSpec::new::<u32>(n);
        choice(algorithm).plan(&spec, &device).unwrap().unwrap().cost()
    };
    for log2 in [4, 8, 16, 20] {
        let n = 1usize << log2;
        // Horn adds n - 2^d in step d.
        let horn: u64 = (0..log2).map(|d| (n - (1 << d)) as u64).sum();
        assert_eq!(cost("horn", n).adds, horn);
        assert_eq!(cost("horn", n).texels_written, (n * log2) as u64);
        assert_eq!(cost("horn", n).depth, log2 as u64);

        // Halving the height stops at one row, which is square at first and 256 items at most.
        let row_log2 = log2.div_ceil(2).min(8);
        let row = 1usize << row_log2;
        let reduce = (n - row) as u64;
        let inside: u64 = (0..row_log2).map(|d| (row - (1 << d)) as u64).sum();
        let down: u64 = (0..log2 - row_log2).map(|d| (n >> (d + 1)) as u64 - 1).sum();
        assert_eq!(cost("blelloch", n).adds, reduce + inside + down);
        // n - row texels up, one row log2(row) times, 2n - 2 rows down.
        let written = reduce + (row * row_log2) as u64 + 2 * reduce;
        assert_eq!(cost("blelloch", n).texels_written, written);
    }
    // "Since the difference increases monotonically with n".
    let difference = |n| cost("horn", n).adds as i64 - cost("blelloch", n).adds as i64;
    assert!((6..20).all(|log2| difference(1 << (log2 + 1)) > difference(1 << log2)));
}

/// The purpose of each algorithm: the packed scan writes the fewest texels, and words.
fn packed_writes_least() {
    let device = rasterscan::Device::gl33();
    let spec = ScanSpec::new::<u32>(1 << 20);
    let cost = |name: &str| choice(name).plan(&spec, &device).unwrap().unwrap().cost();
    let n = 1u64 << 20;
    assert!(cost("packed").words_written < n + n / 8);
    assert!(cost("hybrid").words_written < 3 * n + n / 16);
    assert_eq!(cost("horn").words_written, 20 * n);
}

crate::tests![
    in capannini_2011, harris_2007, maleki_2016, roger_2007, roger_2007_costs;
    harris_2007_the_worked_example,
    maleki_2016_orders_decode_differences,
    maleki_2016_tuples_are_interleaved_scans,
    affine_solves_a_recurrence,
    sengupta_2006_horn_pass_by_pass,
    sengupta_2006_reduce_and_down_sweep_pass_by_pass,
    sengupta_2006_operation_counts,
    packed_writes_least,
];
