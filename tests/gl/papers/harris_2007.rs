//! harris2007: listings 1 to 3, and arrays of arbitrary size.

use rasterscan::plan::{Command, Cost};
use rasterscan::scan::compute::Variant;
use rasterscan::trace::Trace;
use rasterscan::{Device, Gpu, Plan, ScanSpec};
use rasterscan_kmodel::{self as kmodel, Model};
use rasterscan_runner::addresses::addresses;
use rasterscan_runner::data::{TestData, input};
use rasterscan_runner::gpu;
use rasterscan_runner::scan::choice;

fn plan(variant: Variant, block: u64, spec: &ScanSpec, device: &Device) -> Plan {
    let algorithm = format!("harris:variant={},block={block}", variant.name());
    choice(&algorithm).plan(spec, device).unwrap().expect("a plan")
}

fn cost(variant: Variant, block: u64, spec: &ScanSpec) -> Cost {
    plan(variant, block, spec, &Device::gl43()).cost()
}

fn trace(gpu: &Gpu, plan: &Plan, data: &[u32]) -> Trace {
    let mut prepared = gpu.prepare(plan).unwrap();
    let stream = prepared.upload(data).unwrap();
    prepared.trace(&stream).unwrap()
}

/// The example of the introduction, in one block and in several: each buffer after each pass.
fn the_worked_example_pass_by_pass() {
    let gpu = gpu();
    if gpu.device().compute.is_none() {
        return println!("not applicable: {} has no compute shaders", gpu.device().level());
    }
    let data = [3u32, 1, 7, 0, 4, 1, 6, 3];
    let spec = ScanSpec::new::<u32>(8);
    for variant in Variant::ALL {
        let passes = |block: u64, spec: &ScanSpec| -> Vec<(&str, Vec<u32>)> {
            let trace = trace(&gpu, &plan(variant, block, spec, gpu.device()), &data);
            let writes = trace.steps.iter().flat_map(|step| &step.writes);
            let named = writes.map(|write| match (trace.name(write.slot), write.values().unwrap()) {
                ("sums", values) => ("SUMS", values),
                ("increments", values) => ("INCR", values),
                (_, values) => ("OUT", values),
            });
            named.collect()
        };
        let block = passes(8, &spec.exclusive());
        assert_eq!(block, [("OUT", vec![0, 3, 4, 11, 11, 15, 16, 22])], "{variant:?}: not 14 but 15");
        let block = passes(8, &spec);
        assert_eq!(block, [("OUT", vec![3, 4, 11, 11, 15, 16, 22, 25])], "{variant:?}");
        assert_eq!(
            passes(4, &spec.exclusive()),
            [
                ("OUT", vec![0, 3, 4, 11, 0, 4, 5, 11]),
                ("SUMS", vec![11, 14]),
                ("INCR", vec![0, 11]),
                ("OUT", vec![0, 3, 4, 11, 11, 15, 16, 22]),
            ],
            "{variant:?}"
        );
        // "We then scan SUMS in the same manner."
        assert_eq!(
            passes(2, &spec),
            [
                ("OUT", vec![3, 4, 7, 7, 4, 5, 6, 9]),
                ("SUMS", vec![4, 7, 5, 9]),
                ("INCR", vec![0, 4, 0, 5]),
                ("SUMS", vec![11, 14]),
                ("INCR", vec![0, 11]),
                ("INCR", vec![0, 4, 11, 16]),
                ("OUT", vec![3, 4, 11, 11, 15, 16, 22, 25]),
            ],
            "{variant:?}"
        );
    }
}

/// "It performs 2 (n - 1) adds and n - 1 swaps"; the naive scan the sum of n - 2^(d-1).
fn adds_in_a_block() {
    for log2 in 1..=10 {
        let n = 1u64 << log2;
        let spec = ScanSpec::new::<u32>(n as usize).exclusive();
        let naive: u64 = (1..=log2).map(|d| n - (1 << (d - 1))).sum();
        for spec in [spec.clone(), spec.kind(rasterscan::ScanKind::Inclusive)] {
            assert_eq!(cost(Variant::Naive, n, &spec).adds, naive);
            for variant in [Variant::WorkEfficient, Variant::Padded, Variant::ZeroConflict] {
                assert_eq!(cost(variant, n, &spec).adds, 2 * (n - 1));
            }
        }
        // "Step-efficient": the longest chain is half of a tree's.
        assert_eq!(cost(Variant::Naive, n, &spec).depth, log2);
        assert_eq!(cost(Variant::Padded, n, &spec).depth, 2 * log2 - 1);
    }
    // "In the case of a scan of 1 million elements [...] almost a factor of 20", against n adds in series.
    let million = Model::new(1 << 20, 16).unwrap();
    assert_eq!(kmodel::corrected::length(kmodel::Pattern::Cm, million) >> 20, 19);
}

/// Every block is read and written twice, and the sums of blocks are a stream of their own.
fn words_and_passes_of_large_arrays() {
    fn of(n: u64, block: u64) -> (u64, u64) {
        if n <= block {
            return (2 * n, 1);
        }
        let blocks = n.div_ceil(block);
        let (words, passes) = of(blocks, block);
        (2 * n + blocks + words + blocks + 2 * n, passes + 2)
    }
    for n in [1u64, 2, 511, 512, 513, 100_000, 1 << 18, (1 << 18) + 1, 1 << 20, 16_777_216] {
        for block in [2, 64, 512, 1024] {
            let (words, passes) = of(n, block);
            let spec = ScanSpec::new::<u32>(n as usize);
            let plan = plan(Variant::Padded, block, &spec, &Device::gl43());
            assert_eq!(plan.cost().words_moved(), words, "{plan}");
            assert_eq!(plan.passes().len() as u64, passes, "{plan}");
            // A tuple is several streams, and items of four words are four times as long.
            let tuples = ScanSpec::of(rasterscan::ElementType::U64, 3 * n).tuple(3);
            let tuples = tuples.operator(rasterscan::Operator::AFFINE);
            assert_eq!(cost(Variant::Padded, block, &tuples).words_moved(), 12 * words);
        }
    }
    let n = 1 << 24;
    let words = cost(Variant::Padded, 512, &ScanSpec::of(rasterscan::ElementType::U32, n)).words_moved();
    assert!(words > 4 * n && words < 4 * n + n / 64, "about 4n: {words}");
}

/// Listing 1 loads one index further left: the last element of a block is read only for the sum.
fn the_naive_kernel_does_not_read_what_it_shifts_out() {
    let words = |n: usize, tuple: u32| {
        let spec = ScanSpec::new::<u32>(n).tuple(tuple).exclusive();
        cost(Variant::Naive, 16, &spec).words_read
    };
    assert_eq!([words(15, 1), words(16, 1), words(48, 3)], [15, 15, 45]);
    // Two blocks: both sums are needed, then those are 2 of 16, and all are added to.
    assert_eq!(words(32, 1), 32 + 2 + 32 + 2);
}

/// Listing 3, as the shader has it, is the K-model's padding and double padding.
fn the_padding_macros_are_those_of_the_k_model() {
    let gpu = gpu();
    let text = "#include \"scan/harris/conflict_free.glsl\"\n#define ADDRESS(i, d) ((i) + CONFLICT_FREE_OFFSET(i))\n";
    let includes: &[_] = &[(
        "scan/harris/conflict_free.glsl",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/glsl/scan/harris/conflict_free.glsl")),
    )];
    for (padding, pattern) in
        [(0, kmodel::Pattern::NoPadding), (1, kmodel::Pattern::Padding), (2, kmodel::Pattern::DoublePadding)]
    {
        for log_banks in [4, 5] {
            let defines = [("PADDING", padding), ("LOG_NUM_BANKS", log_banks)];
            let Some(got) = addresses(&gpu, text, includes, &defines, 2048, 0) else { return };
            let expected: Vec<u32> =
                (0..2048).map(|i| pattern.address(1 << log_banks, i, 0) as u32).collect();
            assert_eq!(got, expected, "{pattern}, 2^{log_banks} banks");
        }
    }
}

/// "If we are scanning a 512-element array, the shared memory reads and writes [...] experience up to 16-way bank
/// conflicts", on 16 banks. And why `padded` is the default: on 32 banks there are none up to 1024 elements.
fn bank_conflicts() {
    let degree = |pattern: kmodel::Pattern, n: u64, k: u64| {
        let busiest = |d: u32| {
            let instructions = (0..n >> d).collect::<Vec<u64>>();
            let degree = |nodes: &[u64]| {
                let banks = nodes.iter().map(|i| pattern.address(k, *i, d) % k);
                let banks: Vec<u64> = banks.collect();
                banks.iter().map(|bank| banks.iter().filter(|other| *other == bank).count()).max()
            };
            instructions.chunks(k as usize).filter_map(degree).max().unwrap_or(0)
        };
        (1..=n.trailing_zeros()).map(busiest).max().unwrap_or(0)
    };
    use kmodel::Pattern::{DoublePadding, NoPadding, Padding};
    assert_eq!([NoPadding, Padding, DoublePadding].map(|p| degree(p, 512, 16)), [16, 2, 1]);
    assert_eq!([NoPadding, Padding, DoublePadding].map(|p| degree(p, 512, 32)), [16, 1, 1]);
    assert_eq!([Padding, DoublePadding].map(|p| degree(p, 1024, 32)), [1, 1]);
    assert_eq!([Padding, DoublePadding].map(|p| degree(p, 2048, 32)), [2, 1]);
    // The same, by the latency of the model.
    let conflicts = |n| kmodel::corrected::counts(Padding, Model::new(n, 32).unwrap()).conflicts();
    assert_eq!((conflicts(1024), conflicts(2048) > 0), (0, true));
    // Where the macros are the same, so are the passes.
    let spec = ScanSpec::new::<u32>(100_000);
    let shaders = |variant| {
        let plan = plan(variant, 512, &spec, &Device::gl43());
        plan.passes().iter().map(|pass| pass.main_shader().path().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(shaders(Variant::Padded), shaders(Variant::ZeroConflict));
}

/// "We allocate N / B thread blocks of B / 2 threads each"; of listing 1, of B threads.
fn groups_and_invocations() {
    let spec = ScanSpec::new::<u32>(10_000);
    for variant in Variant::ALL {
        let plan = plan(variant, 512, &spec, &Device::gl43());
        let groups = plan.passes().iter().map(|pass| match &pass.command {
            Command::Dispatch(dispatch) => (pass.phase, dispatch.groups, dispatch.invocations),
            _ => panic!("{plan}"),
        });
        let threads = if variant == Variant::Naive { 512 } else { 256 };
        let expected = [("scan blocks", 20, threads), ("scan blocks", 1, threads), ("uniform add", 20, 256)];
        assert_eq!(groups.collect::<Vec<_>>(), expected, "{variant:?}");
    }
}

/// Table 2's lengths, up to the longest that llvmpipe runs quickly.
fn the_lengths_of_table_2() {
    let gpu = gpu();
    if gpu.device().compute.is_none() {
        return println!("not applicable: {} has no compute shaders", gpu.device().level());
    }
    for len in [1024, 32768, 65536, 131_072, 262_144, 524_288] {
        let spec = ScanSpec::new::<u32>(len).exclusive();
        let data: Vec<u32> = input(&spec, TestData::Random);
        let expected = rasterscan::scan::sequential(&spec, &data).unwrap();
        let plan = plan(Variant::Padded, 512, &spec, gpu.device());
        let mut prepared = gpu.prepare(&plan).unwrap();
        let stream = prepared.upload(&data).unwrap();
        let result: Vec<u32> = prepared.run(&stream).unwrap().read().unwrap();
        assert_eq!(result, expected, "{len}");
    }
}

crate::tests![
    the_worked_example_pass_by_pass,
    adds_in_a_block,
    words_and_passes_of_large_arrays,
    the_naive_kernel_does_not_read_what_it_shifts_out,
    the_padding_macros_are_those_of_the_k_model,
    bank_conflicts,
    groups_and_invocations,
    the_lengths_of_table_2,
];
