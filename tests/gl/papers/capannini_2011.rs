//! capannini2011: four patterns in a block, independent blocks (i) and large arrays (ii).

use rasterscan::plan::Cost;
use rasterscan::scan;
use rasterscan::scan::compute::{AccessPattern, Capannini};
use rasterscan::{Device, ElementType, Error, Gpu, Operator, Plan, ScanKind, ScanSpec};
use rasterscan_kmodel::{self as kmodel, Model};
use rasterscan_runner::addresses::addresses;
use rasterscan_runner::data::{TestData, TestElement, input};
use rasterscan_runner::gpu;
use rasterscan_runner::scan::choice;

/// The pattern in the K-model.
fn model(pattern: AccessPattern) -> kmodel::Pattern {
    match pattern {
        AccessPattern::Cm => kmodel::Pattern::Cm,
        AccessPattern::NoPadding => kmodel::Pattern::NoPadding,
        AccessPattern::Padding => kmodel::Pattern::Padding,
        AccessPattern::LeftRight => kmodel::Pattern::LeftRight,
    }
}

fn capannini(pattern: AccessPattern, block: u32) -> Capannini {
    Capannini { pattern, block: Some(block), ..Capannini::default() }
}

fn plan(pattern: AccessPattern, block: u32, spec: &ScanSpec) -> Plan {
    let algorithm = format!("capannini:pattern={},block={block}", pattern.name());
    choice(&algorithm).plan(spec, &Device::gl43()).unwrap().expect("a plan")
}

fn run<T: TestElement>(gpu: &Gpu, plan: &Plan, data: &[T]) -> Vec<T> {
    let mut prepared = gpu.prepare(plan).unwrap();
    let stream = prepared.upload(data).unwrap();
    prepared.run(&stream).unwrap().read().unwrap()
}

/// The shader's addresses are the K-model's: of every node of every tree, on 16 and on 32 banks.
fn the_addresses_are_those_of_the_k_model() {
    let gpu = gpu();
    let text = "#include \"scan/capannini/tree.glsl\"\n#define ADDRESS(i, d) address(i, d)\n";
    let includes: &[_] = &[(
        "scan/capannini/tree.glsl",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/glsl/scan/capannini/tree.glsl")),
    )];
    for (number, pattern) in [AccessPattern::NoPadding, AccessPattern::Padding, AccessPattern::LeftRight]
        .map(model)
        .into_iter()
        .enumerate()
    {
        for log_banks in [4, 5] {
            for level in 0..=11 {
                let defines = [
                    ("PATTERN", number as i64),
                    ("LOG_BANKS", log_banks),
                    ("LOG_BLOCK", 11),
                    ("BLOCK", 2048),
                    ("EXCLUSIVE", 1),
                ];
                let Some(got) = addresses(&gpu, text, includes, &defines, 2048, level) else { return };
                let address = |i| pattern.address(1 << log_banks, i, level) as u32;
                let expected: Vec<u32> = (0..2048 >> level).map(address).collect();
                assert_eq!(got, expected, "{pattern}, 2^{log_banks} banks, level {level}");
            }
        }
    }
}

/// Case (i): each block is scanned separately, for any size and pattern; the last one may be shorter.
fn blocks_alone() {
    fn check<T: TestElement>(gpu: &Gpu, capannini: &Capannini, spec: &ScanSpec) -> u64 {
        let (size, tuple) = (capannini.block.expect("a size") as usize, spec.tuple as usize);
        let data: Vec<T> = input(spec, TestData::Random);
        let plan = match capannini.independent_blocks(spec, gpu.device()) {
            Ok(plan) => plan,
            Err(Error::Unsupported(_)) => return 0,
            Err(other) => panic!("{other}"),
        };
        let result = run(gpu, &plan, &data);
        let elements = size * tuple * spec.operator.arity() as usize;
        for (number, (got, block)) in result.chunks(elements).zip(data.chunks(elements)).enumerate() {
            let len = (block.len() / spec.operator.arity() as usize) as u64;
            let alone = spec.with_len(len);
            assert_eq!(got, scan::sequential(&alone, block).unwrap(), "block {number}: {plan}");
        }
        1
    }
    let gpu = gpu();
    let mut checked = 0;
    for pattern in AccessPattern::ALL {
        for block in [32, 64, 128, 256, 512, 1024, 2048] {
            let spec = ScanSpec::new::<u32>(block as usize * 3 + 17).operator(Operator::AFFINE);
            checked += check::<u32>(&gpu, &capannini(pattern, block), &spec);
            checked += check::<u32>(&gpu, &capannini(pattern, block), &spec.exclusive());
        }
        let spec = ScanSpec::new::<i64>(3 * 1000).tuple(3).order(2).exclusive();
        checked += check::<i64>(&gpu, &Capannini { banks: 16, ..capannini(pattern, 64) }, &spec);
    }
    println!("{checked} plans of blocks alone");
    assert!(gpu.device().compute.is_none() || checked == 4 * 15);
}

/// Figure 5: a stream of 10,752 blocks, which costs a word read and a word written for each element.
fn the_streams_of_figure_5() {
    let gpu = gpu();
    for pattern in AccessPattern::ALL {
        for log2 in 5..=11 {
            let spec = ScanSpec::of(ElementType::U32, 10_752 << log2).exclusive();
            let capannini = capannini(pattern, 1 << log2);
            let plan = capannini.independent_blocks(&spec, &Device::gl43()).unwrap();
            assert_eq!((plan.passes().len(), plan.cost().words_moved()), (1, 2 * spec.len), "{plan}");
            assert!(plan.to_string().contains("alone"), "{plan}");
            let (Ok(plan), 5) = (capannini.independent_blocks(&spec, gpu.device()), log2) else { continue };
            let data: Vec<u32> = input(&spec, TestData::Random);
            let result = run(&gpu, &plan, &data);
            for (got, block) in result.chunks(32).zip(data.chunks(32)) {
                let sums = block.iter().scan(0u32, |sum, x| {
                    let before = *sum;
                    *sum = sum.wrapping_add(*x);
                    Some(before)
                });
                assert_eq!(got, sums.collect::<Vec<_>>(), "{pattern:?}");
            }
        }
    }
}

/// Section VII: W is n - 1 for each way through a tree, and n log n - n + 1 for CM.
fn operations_are_w() {
    for log2 in 5..=11 {
        let n = 1u64 << log2;
        let one = ScanSpec::of(ElementType::U32, n).exclusive();
        for pattern in AccessPattern::ALL {
            let w = kmodel::corrected::length(model(pattern), Model::new(n, 16).unwrap());
            let cost = |spec: &ScanSpec| plan(pattern, n as u32, spec).cost();
            let ways = if pattern == AccessPattern::Cm { 1 } else { 2 };
            assert_eq!(cost(&one).adds, ways * w, "{pattern:?}, {n}");
            assert_eq!(cost(&one).depth, if ways == 1 { log2 } else { 2 * log2 - 1 });
            // Two blocks: the sweeps of trees are separate passes.
            let two = one.with_len(2 * n);
            let phases: Vec<(&str, u64)> = plan(pattern, n as u32, &two)
                .passes()
                .iter()
                .map(|pass| (pass.phase, pass.cost.adds))
                .collect();
            match pattern {
                AccessPattern::Cm => {
                    assert_eq!(phases, [("scan blocks", 2 * w), ("scan blocks", w), ("uniform add", 2 * n)])
                }
                _ => assert_eq!(phases, [("up-sweep", 2 * w), ("scan blocks", 2 * w), ("down-sweep", 2 * w)]),
            }
        }
    }
}

/// Case (ii): four words for each element, and two more for each block; the last tree is a whole one.
fn words_of_large_arrays() {
    fn of(n: u64, block: u64, cm: bool) -> u64 {
        if n <= block {
            return 2 * n;
        }
        let blocks = n.div_ceil(block);
        let between = if cm { n } else { blocks * block };
        2 * n + 2 * between + 2 * blocks + of(blocks, block, cm)
    }
    for n in [1u64, 31, 32, 33, 1024, 1025, 100_000, 1 << 20, (1 << 20) + 1, 1 << 24] {
        for block in [32, 1024, 2048] {
            for pattern in AccessPattern::ALL {
                let words = of(n, block.into(), pattern == AccessPattern::Cm);
                let cost = |spec: &ScanSpec| -> Cost { plan(pattern, block, spec).cost() };
                let spec = ScanSpec::of(ElementType::U32, n);
                assert_eq!(cost(&spec).words_moved(), words, "{pattern:?}, {n}, {block}");
                assert_eq!(cost(&spec.exclusive()).words_moved(), words);
                let tuples = ScanSpec::of(ElementType::I64, 5 * n).tuple(5);
                assert_eq!(cost(&tuples).words_moved(), 10 * words);
            }
        }
    }
}

/// The up-sweep's buffers: 32 elements and a total for each block, at LEFTRIGHT's addresses.
fn a_tree_as_the_up_sweep_leaves_it() {
    let gpu = gpu();
    let spec = ScanSpec::new::<u32>(33);
    let plan = match choice("capannini:block=32,banks=16").plan(&spec, gpu.device()) {
        Ok(plan) => plan.expect("a plan"),
        Err(reason) => return println!("not applicable: {reason}"),
    };
    let mut prepared = gpu.prepare(&plan).unwrap();
    let stream = prepared.upload(&[1u32; 33]).unwrap();
    let trace = prepared.trace(&stream).unwrap();
    let after = |step: usize, slot: usize| trace.steps[step].writes[slot].values::<u32>().expect("numbers");
    // Each node's other child holds the sum of the left one, and the root holds the total.
    let mut expected = vec![0; 32];
    for d in 0..5 {
        for i in 0..32 >> (d + 1) {
            let address = |(i, d)| kmodel::left_right(4, i, d) as usize;
            let [place, left, right] = [(i, d + 1), (2 * i, d), (2 * i + 1, d)].map(address);
            expected[left + right - place] = 1 << d;
        }
    }
    expected[0] = 32;
    assert_eq!(after(0, 0)[..32], expected);
    assert_eq!(expected[..8], [32, 1, 2, 1, 4, 1, 2, 1]);
    assert_eq!(after(0, 0).len(), 64, "the last tree is a whole one");
    assert_eq!(after(0, 1), [32, 1], "partial[]");
    assert_eq!(after(1, 0), [0, 32], "its scan");
    assert_eq!(after(2, 0), (1..=33).collect::<Vec<u32>>());
}

/// "Our solution is the optimal in space, namely O(1)": a block of 2048 items needs only its own space, and the paper's longest blocks work on 16
/// banks, where equation 2 as printed is not in place.
fn the_longest_blocks_on_sixteen_banks() {
    let gpu = gpu();
    let spec = ScanSpec::new::<u32>(5 * 2048 + 1).operator(Operator::AFFINE);
    for kind in [ScanKind::Inclusive, ScanKind::Exclusive] {
        let spec = spec.kind(kind);
        let plan = match choice("capannini:block=2048,banks=16").plan(&spec, gpu.device()) {
            Ok(plan) => plan.expect("a plan"),
            Err(reason) => return println!("not applicable: {reason}"),
        };
        let data: Vec<u32> = input(&spec, TestData::Random);
        assert_eq!(run(&gpu, &plan, &data), scan::sequential(&spec, &data).unwrap());
    }
}

crate::tests![
    the_addresses_are_those_of_the_k_model,
    blocks_alone,
    the_streams_of_figure_5,
    operations_are_w,
    words_of_large_arrays,
    a_tree_as_the_up_sweep_leaves_it,
    the_longest_blocks_on_sixteen_banks,
];
