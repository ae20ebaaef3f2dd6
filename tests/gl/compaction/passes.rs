//! Every pass of every compaction writes what its kernels write from the same inputs.

use rasterscan::{CompactSpec, Comparison, Condition, Gpu, Keep, Moves};
use rasterscan_runner::compaction::{TestShape, compaction, compactions, masked, shaped, upload};
use rasterscan_runner::data::TestElement;
use rasterscan_runner::kernels;

/// Records some shapes; returns the number of passes checked.
fn check<T: TestElement>(gpu: &Gpu, algorithm: &str, spec: &CompactSpec) -> usize {
    let Ok(Some(plan)) = compaction(algorithm).plan(spec, gpu.device()) else { return 0 };
    let mut passes = 0;
    for shape in [
        TestShape::Share(0),
        TestShape::Share(30),
        TestShape::Share(99),
        TestShape::Runs,
        TestShape::OnlyLast,
    ] {
        let input = match spec.keep {
            Keep::Condition(_) => shaped::<T>(spec.len as usize, shape),
            Keep::Mask => masked(spec.len as usize, shape),
        };
        let mut prepared = gpu.prepare(&plan).unwrap();
        let streams = upload(&prepared, spec, &input.data, &input.mask).unwrap();
        let trace = prepared.trace_with(&streams.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(trace.steps.len(), plan.passes().len());
        if let Some(wrong) = kernels::first_wrong(&trace) {
            panic!("{algorithm}, {spec}, {}: pass {wrong}\n{plan}", input.of);
        }
        passes += trace.steps.len();
    }
    passes
}

fn every_pass_is_that_of_its_kernels() {
    let gpu = rasterscan_runner::gpu();
    let mut passes = 0;
    for algorithm in compactions() {
        for len in [0, 1, 9, 130, 1300] {
            let spec = CompactSpec::new::<u32>(len).moves(Moves::Both);
            passes += check::<u32>(&gpu, algorithm, &spec);
        }
        passes += check::<i64>(&gpu, algorithm, &CompactSpec::new::<i64>(700));
        passes += check::<f32>(&gpu, algorithm, &CompactSpec::new::<f32>(700).masked().moves(Moves::Indices));
        let wrapped = CompactSpec::new::<i32>(5000).columns(1030).moves(Moves::Both);
        passes += check::<i32>(&gpu, algorithm, &wrapped);
    }
    println!("{passes} passes checked on {}", gpu.device().level());
    assert!(passes > 2000);
}

/// Checked against another condition than its own, a recording is wrong from the pass that evaluates it on.
fn the_first_wrong_pass_is_named() {
    let gpu = rasterscan_runner::gpu();
    let spec = CompactSpec::new::<u32>(300);
    let other = spec.keep(Condition::new(Comparison::Equal, 0u32));
    let input = shaped::<u32>(300, TestShape::Share(30));
    for algorithm in compactions() {
        let Ok(Some(plan)) = compaction(algorithm).plan(&spec, gpu.device()) else { continue };
        let mut prepared = gpu.prepare(&plan).unwrap();
        let stream = prepared.upload(&input.data).unwrap();
        let mut trace = prepared.trace(&stream).unwrap();
        // The first pass, except one that clears states.
        let deciding =
            plan.passes().iter().position(|pass| pass.main_shader().path().starts_with("compact/"));
        let number = deciding.expect("a pass that decides");
        let phase = plan.passes()[number].phase;
        trace.plan = compaction(algorithm).plan(&other, gpu.device()).unwrap().expect("a plan");
        let wrong = kernels::first_wrong(&trace).expect("wrong");
        assert!(wrong.starts_with(&format!("{} ({phase}, compact/", number + 1)), "{algorithm}: {wrong}");
        assert!(wrong.contains("the kernel says"), "{algorithm}: {wrong}");
    }
}

crate::tests![every_pass_is_that_of_its_kernels, the_first_wrong_pass_is_named,];
