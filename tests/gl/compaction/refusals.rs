//! Invalid requests, on any device: each is refused with the reason.

use rasterscan::compact::texture::{Blocks, Found};
use rasterscan::tools::problem::COMPACT;
use rasterscan::tools::registry::Choice;
use rasterscan::{Algorithm, CompactSpec, Comparison, Condition, Device, Error, ScanSpec, SpecError};
use rasterscan_runner::compaction::{compaction, compactions};
use rasterscan_runner::scan::choice;

fn parameters_outside_of_their_ranges() {
    for (text, part) in [
        ("blocks:size=12", "power of two from 8 to 1024"),
        ("blocks:size=4", "power of two from 8 to 1024"),
        ("blocks:size=2048", "power of two from 8 to 1024"),
        ("blocks:size=many", "power of two from 8 to 1024"),
        ("blocks:inner=horn", "hillis, blelloch, hybrid, packed"),
        ("blocks:search=linear", "for, while"),
        ("blocks:wrap=thrice", "twice, geometry"),
        ("blocks:draw=points", "auto, lines, quads"),
        ("blocks:draw=lines,draw=quads", "draw is given twice"),
        ("blocks:sice=64", "did you mean size?"),
        ("horn:scan=hillis", "expected horn, hybrid"),
        ("packed:block=8", "expected one of scan"),
        ("bitonic:block=8", "bitonic takes none"),
        ("blelloch", "expected one of"),
    ] {
        let error = Choice::parse(COMPACT, text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    // The same without parsing.
    for size in [0, 1, 4, 12, 63, 2048] {
        let blocks = Blocks { size, ..Blocks::default() };
        match blocks.plan(&CompactSpec::new::<u32>(100), &Device::gl33()) {
            Err(Error::Unsupported(reason)) => assert!(reason.to_string().contains("8 to 1024"), "{reason}"),
            other => panic!("blocks of {size}: {other:?}"),
        }
    }
    let blocks = Blocks { found: Found::Drawn, ..Blocks::default() };
    match blocks.plan(&CompactSpec::new::<u32>(100), &Device::gl33()) {
        Err(Error::Unsupported(reason)) => assert!(reason.to_string().contains("inner=packed"), "{reason}"),
        other => panic!("no bits to find elements in: {other:?}"),
    }
}

fn a_condition_on_another_element() {
    let spec = CompactSpec::new::<i32>(100).keep(Condition::new(Comparison::Less, 0i64));
    for algorithm in compactions() {
        match compaction(algorithm).plan(&spec, &Device::gl33()) {
            Err(Error::Spec(SpecError::ConditionElement { .. })) => {}
            other => panic!("{algorithm}: {other:?}"),
        }
    }
}

fn a_compaction_does_not_scan_nor_a_scan_compact() {
    let device = Device::gl33();
    for algorithm in ["horn", "blocks", "packed"] {
        let error = compaction(algorithm).plan(&ScanSpec::new::<u32>(10), &device).unwrap_err();
        assert!(matches!(error, Error::Unsupported(_)), "{error:?}");
        assert!(error.to_string().contains(algorithm), "{error}");
    }
    for algorithm in ["horn", "hybrid", "packed"] {
        let error = choice(algorithm).plan(&CompactSpec::new::<u32>(10), &device).unwrap_err();
        assert!(matches!(error, Error::Unsupported(_)), "{error:?}");
    }
}

crate::tests![
    parameters_outside_of_their_ranges,
    a_condition_on_another_element,
    a_compaction_does_not_scan_nor_a_scan_compact,
];
