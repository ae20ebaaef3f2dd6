//! Reductions: every algorithm, element and operator, at every kind of length, against the fold on the CPU.

use rasterscan::algorithm::results::Results;
use rasterscan::reduce::compute::{SinglePass, TwoPass};
use rasterscan::reduce::texture::{PackedReduction, Pairs};
use rasterscan::scan::compute::TileOptions;
use rasterscan::tools::{Numbers, Spec};
use rasterscan::{Algorithm, Error, Gpu, Operator, ReduceSpec, ScanSpec, reduce};

use rasterscan_runner::data::{PATTERNS, TestData, TestElement, input};

type AnyReduction = Box<dyn Algorithm<ReduceSpec>>;

fn texture() -> Vec<AnyReduction> {
    vec![Box::new(Pairs), Box::new(PackedReduction::default()), Box::new(PackedReduction { block: Some(2) })]
}

fn compute() -> Vec<AnyReduction> {
    let small = TileOptions { vectors: Some(1), ..TileOptions::default() };
    let shared =
        TileOptions { lanes: Some(rasterscan::plan::Lanes::Shared), group: Some(8), vectors: Some(1) };
    vec![
        Box::new(TwoPass { tile: small, groups: None }),
        Box::new(TwoPass { tile: shared, groups: Some(3) }),
        Box::new(SinglePass { tile: small, groups: None }),
        Box::new(SinglePass { tile: shared, groups: Some(5) }),
    ]
}

#[derive(Default)]
struct Counts {
    compared: u64,
    unbounded: u64,
    cases: u64,
    not_applicable: u64,
}

fn check<T: TestElement>(
    gpu: &Gpu,
    algorithm: &dyn Algorithm<ReduceSpec>,
    spec: &ReduceSpec,
    pattern: TestData,
    counts: &mut Counts,
) {
    let scan = ScanSpec::of(spec.element, spec.len).operator(&spec.operator).tuple(spec.tuple);
    let data: Vec<T> = input(&scan, pattern);
    let of = format!("{algorithm:?}, {spec}, {pattern:?} data");
    let plan = match algorithm.plan(spec, gpu.device()) {
        Ok(plan) => plan,
        Err(Error::Unsupported(_)) => return counts.not_applicable += 1,
        Err(other) => panic!("{of}: {other}"),
    };
    let mut prepared = gpu.prepare(&plan).unwrap_or_else(|error| panic!("{of}: {error}\n{plan}"));
    let stream = prepared.upload(&data).unwrap();
    let got: Vec<T> = prepared.run(&stream).unwrap().read().unwrap();
    let depth = plan.cost().depth;
    match reduce::verify(spec, depth, &data, &got) {
        Ok(verified) => {
            counts.compared += verified.compared;
            counts.unbounded += verified.unbounded;
            counts.cases += 1;
        }
        Err(mismatch) => panic!("{of}: {mismatch}\n{plan}"),
    }
    // The same bits in every run: nothing depends on which group is last, and counters return to zero.
    for _ in 0..2 {
        let again: Vec<T> = prepared.run(&stream).unwrap().read().unwrap();
        assert!(
            bytemuck::cast_slice::<T, u8>(&again) == bytemuck::cast_slice::<T, u8>(&got),
            "{of}: {got:?}, then {again:?}"
        );
    }
}

const LENGTHS: [u64; 17] = [0, 1, 2, 3, 7, 31, 32, 33, 63, 65, 255, 256, 257, 1023, 1025, 5000, 70_001];

fn matrix(algorithms: Vec<AnyReduction>, what: &str) {
    fn elements<T: TestElement>(gpu: &Gpu, algorithm: &dyn Algorithm<ReduceSpec>, counts: &mut Counts) {
        for operator in Operator::ALL.into_iter().filter(|operator| operator.accepts(T::TYPE)) {
            for (index, len) in LENGTHS.into_iter().enumerate() {
                for tuple in [1, 2, 3] {
                    let spec =
                        ReduceSpec::of(T::TYPE, len / tuple * tuple).operator(&operator).tuple(tuple as u32);
                    check::<T>(gpu, algorithm, &spec, PATTERNS[index % PATTERNS.len()], counts);
                }
            }
        }
    }
    let gpu = rasterscan_runner::gpu();
    let mut counts = Counts::default();
    for algorithm in &algorithms {
        elements::<u32>(&gpu, &**algorithm, &mut counts);
        elements::<i64>(&gpu, &**algorithm, &mut counts);
        elements::<f32>(&gpu, &**algorithm, &mut counts);
    }
    println!(
        "{what} on {}: {} cases, {} not applicable, {} numbers compared, {} unbounded",
        gpu.device().level(),
        counts.cases,
        counts.not_applicable,
        counts.compared,
        counts.unbounded
    );
    let applicable = gpu.device().compute.is_some() || !what.contains("compute");
    assert!(!applicable || counts.compared > 2 * counts.unbounded, "{what}: most of it could not be checked");
}

fn reductions_in_textures() {
    matrix(texture(), "reductions in textures");
}

fn reductions_by_compute() {
    matrix(compute(), "reductions by compute");
}

/// The indices by the words of the definition: no other item comes before, and of equal ones none has a smaller index.
fn first_of<T: TestElement>(data: &[T], tuple: usize, largest: bool) -> Vec<u32> {
    let nan = |value: T| value.partial_cmp(&value).is_none();
    let before = |one: T, other: T| match (nan(one), nan(other)) {
        (false, false) => {
            if largest {
                one > other
            } else {
                one < other
            }
        }
        (one, other) => one && !other,
    };
    let members = (0..tuple).map(|member| {
        let mut own = (member..data.len()).step_by(tuple).map(|index| (index, data[index]));
        let first = own
            .next()
            .map(|first| own.fold(first, |best, item| if before(item.1, best.1) { item } else { best }));
        first.map_or(u32::MAX, |(index, _)| index as u32)
    });
    members.collect()
}

/// Streams of one value, of few values, of extremes, and with NaN at the ends and inside.
fn streams<T: TestElement>(len: usize) -> Vec<Vec<T>> {
    let few = |index: usize| T::wrapped((index as i64 * 7919 + 13) % 5 - 2);
    let extremes = [T::HIGHEST, T::LOWEST, T::ZERO];
    let mut all = vec![
        vec![T::HIGHEST; len],
        vec![T::LOWEST; len],
        (0..len).map(few).collect::<Vec<_>>(),
        (0..len).map(|index| T::wrapped(index as i64)).collect(),
        (0..len).map(|index| T::wrapped((len - index) as i64)).collect(),
        (0..len).map(|index| extremes[index * 31 % 3]).collect(),
    ];
    if T::TYPE.is_float() && len > 0 {
        let nan = |bits: u32| bytemuck::cast::<u32, f32>(bits);
        let with = |places: &[usize]| {
            let mut floats: Vec<f32> = (0..len).map(|index| (index % 9) as f32 - 4.0).collect();
            places.iter().for_each(|place| floats[*place] = nan(0x7FC0_0000 | (*place as u32 % 7)));
            bytemuck::cast_slice::<f32, T>(&floats).to_vec()
        };
        all.extend([
            with(&[0]),
            with(&[len - 1]),
            with(&[len / 2, len / 3]),
            vec![bytemuck::cast_slice(&[f32::NAN])[0]; len],
        ]);
        let zeros: Vec<f32> = (0..len).map(|index| if index % 3 == 0 { 0.0 } else { -0.0 }).collect();
        // The smallest numbers, which some GPUs read as zero, differ only in their sign.
        all.push(bytemuck::cast_slice(&zeros).to_vec());
    }
    all
}

fn indices_of<T: TestElement>(
    gpu: &Gpu,
    algorithm: &dyn Algorithm<ReduceSpec>,
    len: usize,
    counts: &mut Counts,
) {
    for tuple in [1, 3] {
        let len = len / tuple * tuple;
        let spec = ReduceSpec::new::<T>(len).tuple(tuple as u32);
        for (largest, spec) in [(false, spec.argmin()), (true, spec.argmax())] {
            let plan = match algorithm.plan(&spec, gpu.device()) {
                Ok(plan) => plan,
                Err(Error::Unsupported(_)) => {
                    counts.not_applicable += 1;
                    continue;
                }
                Err(other) => panic!("{algorithm:?}, {spec}: {other}"),
            };
            let mut prepared = gpu.prepare(&plan).unwrap_or_else(|error| panic!("{spec}: {error}\n{plan}"));
            for data in streams::<T>(len) {
                let outputs = [prepared.upload(&data).unwrap()];
                let outputs = prepared.run(&outputs).unwrap();
                let (indices, values) =
                    (outputs[0].read::<u32>().unwrap(), outputs["values"].read::<T>().unwrap());
                let expected = first_of(&data, tuple, largest);
                assert_eq!(indices, expected, "{algorithm:?}, {spec} of {:?}\n{plan}", &data[..len.min(20)]);
                let at = |index: &u32| data.get(*index as usize).copied();
                let none = if largest { T::LOWEST } else { T::HIGHEST };
                for (value, index) in values.iter().zip(&indices) {
                    let same = |expected: T| {
                        *value == expected || value.to_f64().is_nan() && expected.to_f64().is_nan()
                    };
                    assert!(same(at(index).unwrap_or(none)), "{algorithm:?}, {spec}: {value:?} at {index}");
                }
                let numbers = [Numbers::of(&data)];
                let results = Results::new(
                    Spec::outputs(&spec).into_iter().zip([indices.into(), Numbers::of(&values)]),
                );
                assert!(spec.verify(&[&numbers[0]], None, &results).unwrap().holds());
                counts.cases += 1;
                counts.compared += 1;
            }
        }
    }
}

fn the_first_smallest_and_largest_items_are_found_by_their_indices() {
    let gpu = rasterscan_runner::gpu();
    let mut counts = Counts::default();
    for algorithm in texture().iter().chain(&compute()) {
        for len in [0, 1, 33, 257, 5000] {
            indices_of::<f32>(&gpu, &**algorithm, len, &mut counts);
        }
        indices_of::<u32>(&gpu, &**algorithm, 1025, &mut counts);
        indices_of::<i32>(&gpu, &**algorithm, 1025, &mut counts);
        indices_of::<u64>(&gpu, &**algorithm, 257, &mut counts);
        indices_of::<i64>(&gpu, &**algorithm, 257, &mut counts);
    }
    println!("{} cases, {} not applicable", counts.cases, counts.not_applicable);
    assert!(counts.cases > 300);
}

fn one_call_finds_an_item() {
    let gpu = rasterscan_runner::gpu();
    assert_eq!(gpu.argmin::<f32>(&[]).unwrap(), None);
    assert_eq!(gpu.argmin(&[3i32, -1, 7, -1]).unwrap(), Some((1, -1)));
    assert_eq!(gpu.argmax(&[3u64, 1 << 40, 7, 1 << 40]).unwrap(), Some((1, 1 << 40)));
    let (index, value) = gpu.argmax(&[3.0, f32::NAN, f32::INFINITY]).unwrap().unwrap();
    assert!(index == 1 && value.is_nan());
    let data = [4.0f32, 2.0, 8.0, 2.0];
    assert_eq!(gpu.reduce_by(&ReduceSpec::new::<f32>(4).argmax(), &data).unwrap(), [8.0]);
    // Only some of the items, as many as a stream says.
    let spec = ReduceSpec::new::<f32>(4).with_gpu_length().argmax();
    let mut prepared = gpu.prepare(&PackedReduction::default().plan(&spec, gpu.device()).unwrap()).unwrap();
    for (len, expected) in [(0u32, u32::MAX), (1, 0), (2, 0), (3, 2), (4, 2)] {
        let streams = [prepared.upload(&data).unwrap(), prepared.upload_input(1, &[len]).unwrap()];
        assert_eq!(prepared.run(&streams).unwrap()[0].read::<u32>().unwrap(), [expected], "{len} items");
    }
    let wrong = ReduceSpec::new::<f32>(4).argmax().operator(Operator::ADD).check().unwrap_err();
    assert_eq!(wrong.to_string(), "only min and max find an item, which has an index; 'add' does not");
}

crate::tests![
    reductions_in_textures,
    reductions_by_compute,
    the_first_smallest_and_largest_items_are_found_by_their_indices,
    one_call_finds_an_item,
];
