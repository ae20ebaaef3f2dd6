//! Runs of equal keys and their expansion: the twins of the maps among their passes, and the stated costs.

use rasterscan::plan::{Cost, Layout};
use rasterscan::trace::Step;
use rasterscan::{Gpu, Plan, reduce, scan, tools::Numbers};
use rasterscan_runner::kernels::{self, Seen};

use crate::copies::{layouts, sums_of};
use crate::enough;

/// Finds the runs of a stream, and expands them again.
fn plan(gpu: &Gpu, layout: Layout) -> Plan {
    let mut plan = Plan::new("runs", sums_of(layout.element), layout);
    let keys = plan.input();
    let runs = reduce::runs(&mut plan, keys, gpu.device()).unwrap();
    let lengths = runs.lengths(&mut plan).unwrap();
    let back =
        scan::expand(&mut plan, runs.values, lengths, Some(runs.count), layout.len, gpu.device()).unwrap();
    plan.finish_with(vec![runs.values, lengths, runs.count, back.values, back.runs, back.count])
}

/// Asserts that no map costs more than it states.
fn costs(step: &Step, counted: &Cost) {
    let stated = &step.pass.cost;
    let pairs = [
        (stated.texels_read, counted.texels_read),
        (stated.words_read, counted.words_read),
        (stated.texels_written, counted.texels_written),
        (stated.words_written, counted.words_written),
    ];
    let path = step.pass.main_shader().path();
    for (stated, counted) in pairs.into_iter().filter(|_| path.starts_with("copy/map")) {
        assert!(counted <= stated, "{path}: stated {stated}, counted {counted}");
    }
}

fn found_and_expanded() {
    use rasterscan::ElementType::{I64, U32};
    let (gpu, mut seen) = (rasterscan_runner::gpu(), Seen::default());
    for len in [1, 31, 33, 65, 700] {
        for layout in [U32, I64].into_iter().flat_map(|element| layouts(&gpu, element, 1, len)) {
            for share in [1, 4, 1000] {
                let numbers = (0..len).map(|index| (index / share).wrapping_mul(0x9E37_79B9_7F4A_7C15));
                let numbers = match layout.element {
                    U32 => Numbers::of(&numbers.map(|number| (number >> 32) as u32).collect::<Vec<_>>()),
                    _ => Numbers::of(&numbers.map(|number| number as i64).collect::<Vec<_>>()),
                };
                seen += kernels::compare(&gpu, &plan(&gpu, layout), &[&numbers], costs).unwrap_or_default();
            }
        }
    }
    enough(seen, [100_000, 100_000], [50_000, 50_000]);
}

crate::tests![found_and_expanded];
