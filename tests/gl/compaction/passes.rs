//! The first wrong pass of a compaction is found.

use rasterscan::{CompactSpec, Comparison, Condition};
use rasterscan_runner::compaction::{TestShape, compaction, compactions, shaped};
use rasterscan_runner::kernels;

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

crate::tests![the_first_wrong_pass_is_named];
