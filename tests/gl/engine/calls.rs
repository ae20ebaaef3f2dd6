//! The OpenGL calls of a run: draws or dispatches, and nothing slow.

use rasterscan::CompactSpec;
use rasterscan::tools::registry::Era;
use rasterscan_runner::compaction::{Input, TestShape, compaction, masked, upload};
use rasterscan_runner::scan::choice;

use super::{COMPACTIONS, algorithms, scan};
use crate::engine::foreign;

/// The calls of a run to functions that allocate, compile, transfer, wait or draw.
fn counts_of(run: impl FnOnce()) -> Vec<(&'static str, u64)> {
    let before = foreign::counts();
    run();
    let since = |(name, count)| (name, count - before.get(name).copied().unwrap_or(0));
    foreign::counts().into_iter().map(since).filter(|(_, count)| *count > 0).collect()
}

/// `run` issues one draw or one dispatch per pass, and does not allocate, compile, transfer or wait.
fn run_only_draws() {
    let foreign = foreign::context();
    let gpu = foreign.gpu();
    // The call that issues a pass of an algorithm.
    let call = |era| if era == Era::Compute { "glDispatchCompute" } else { "glDrawArrays" };
    for algorithm in algorithms(&gpu) {
        let (mut prepared, stream, _) = scan(&gpu, algorithm, 5000);
        let passes = prepared.plan().passes().len() as u64;
        let counts = counts_of(|| {
            prepared.run(&stream).unwrap();
        });
        assert_eq!(counts, [(call(choice(algorithm).card.era), passes)], "{algorithm}");
    }
    for algorithm in COMPACTIONS {
        for spec in [CompactSpec::new::<u32>(5000), CompactSpec::new::<u32>(5000).masked()] {
            let Ok(plan) = compaction(algorithm).plan(&spec, gpu.device()) else { continue };
            let mut prepared = gpu.prepare(&plan.expect("a plan")).unwrap();
            let passes = prepared.plan().passes().len() as u64;
            let Input { data, mask, .. } = masked::<u32>(5000, TestShape::Share(60));
            let streams = upload(&prepared, &spec, &data, &mask).unwrap();
            let streams: Vec<_> = streams.iter().collect();
            let counts = counts_of(|| drop(prepared.run(&streams).unwrap()));
            assert_eq!(counts, [(call(compaction(algorithm).card.era), passes)], "{algorithm}, {spec}");
        }
    }
}

crate::tests![run_only_draws,];
