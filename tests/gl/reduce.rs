//! Reductions: every algorithm, element and operator, at every kind of length, against the fold on the CPU.

use rasterscan::reduce::compute::{SinglePass, TwoPass};
use rasterscan::reduce::texture::{PackedReduction, Pairs};
use rasterscan::scan::compute::TileOptions;
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

crate::tests![reductions_in_textures, reductions_by_compute];
