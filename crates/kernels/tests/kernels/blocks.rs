//! Scans of blocks in shared memory: harris and capannini.

use rasterscan::scan::compute::{AccessPattern, Capannini};
use rasterscan::{ElementType, Operator, ScanSpec};
use rasterscan_runner::kernels::{self, Seen};

use crate::{enough, variants};

/// Lengths around a block, none a power of two's, that need one level of sums and two; kinds, tuples, orders, items.
fn specs() -> Vec<ScanSpec> {
    let plain = |len: usize| ScanSpec::new::<u32>(len);
    let mut specs = crate::specs();
    for len in [0, 2, 31, 32, 33, 64, 65, 127, 128, 129, 1023, 1024, 1025, 2500] {
        specs.push(plain(len));
        specs.push(plain(len).exclusive());
    }
    specs.extend([
        plain(1000).tuple(4),
        plain(1001).tuple(7).exclusive(),
        plain(700).order(3).exclusive(),
        ScanSpec::of(ElementType::U64, 200).exclusive(),
        ScanSpec::of(ElementType::I32, 200).operator(Operator::AFFINE).exclusive(),
    ]);
    specs
}

fn harris_in_every_variant() {
    enough(crate::scans(&specs(), &variants(&["harris"])), [10_000; 2], [0; 2]);
}

fn capannini_in_every_variant() {
    enough(crate::scans(&specs(), &variants(&["capannini"])), [10_000; 2], [0; 2]);
}

/// The paper's case (i): each block alone, by one pass.
fn capannini_in_blocks_of_their_own() {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    for pattern in AccessPattern::ALL {
        for (block, banks) in [(2, 2), (16, 4), (64, 32), (256, 16)] {
            let capannini = Capannini { pattern, block: Some(block), banks };
            for spec in [ScanSpec::new::<u32>(300), ScanSpec::new::<u32>(260).tuple(2).exclusive()] {
                let Ok(plan) = capannini.independent_blocks(&spec, gpu.device()) else { continue };
                let values = crate::values(spec.element, spec.elements());
                seen += kernels::compare(&gpu, &plan, &[&values], |_, _| {}).unwrap_or_default();
            }
        }
    }
    enough(seen, [5_000; 2], [0; 2]);
}

crate::tests![harris_in_every_variant, capannini_in_every_variant, capannini_in_blocks_of_their_own];
