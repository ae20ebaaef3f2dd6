//! Plans of the scans of blocks in shared memory.

use rasterscan::scan::compute::{Capannini, Harris};
use rasterscan::{Algorithm, Device, ElementType, Error, Operator, Plan, ScanSpec};
use rasterscan_runner::scan::choice;

/// On a device that has compute shaders.
pub fn plan(algorithm: &str, spec: &ScanSpec) -> Plan {
    choice(algorithm).plan(spec, &Device::gl43()).unwrap().unwrap()
}

#[test]
fn names_are_choices_that_give_the_same_plan() {
    for algorithm in
        ["harris", "harris:variant=naive", "capannini", "capannini:pattern=cm", "capannini:banks=16"]
    {
        let first = plan(algorithm, &ScanSpec::new::<i32>(10_000));
        assert_eq!(plan(&first.name(), &ScanSpec::new::<i32>(10_000)), first);
    }
}

#[test]
fn numbers_that_make_no_blocks_are_refused() {
    let spec = ScanSpec::new::<u32>(100);
    let message = |plan: Result<Plan, Error>| plan.unwrap_err().to_string();
    for block in [0, 1, 3, 4096] {
        let harris = Harris { block: Some(block), ..Harris::default() };
        let expected = format!("the block size cannot be {block}; expected a power of two from 2 to 2048");
        assert_eq!(message(harris.plan(&spec, &Device::gl43())), expected);
    }
    for block in [0, 1, 100, 4096] {
        let capannini = Capannini { block: Some(block), ..Capannini::default() };
        let expected = format!("the block size cannot be {block}; expected a power of two from 2 to 2048");
        assert_eq!(message(capannini.plan(&spec, &Device::gl43())), expected);
        assert_eq!(message(capannini.independent_blocks(&spec, &Device::gl43())), expected);
    }
    for banks in [0, 1, 24, 64] {
        let harris = Harris { banks, ..Harris::default() };
        let expected = format!("banks cannot be {banks}; expected a power of two from 2 to 32");
        assert_eq!(message(harris.plan(&spec, &Device::gl43())), expected);
    }
    // An invalid request is reported first.
    let xor = ScanSpec::new::<f32>(8).operator(Operator::XOR);
    assert!(matches!(Harris::default().plan(&xor, &Device::gl33()), Err(Error::Spec(_))));
    // Trees are whole blocks, and no buffer exceeds 2^31 bytes.
    let longest = ScanSpec::of(ElementType::U32, (1 << 29) - 4);
    assert!(plan("harris", &longest).passes().len() > 3);
    let refused = message(Capannini::default().plan(&longest, &Device::gl43()));
    assert!(refused.contains("more than a buffer can hold: at most 536870908"), "{refused}");
    let empty = plan("capannini", &ScanSpec::new::<u32>(0));
    assert_eq!((empty.passes().len(), empty.output()), (0, empty.input()));
}
