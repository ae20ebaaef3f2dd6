//! A tuned device: plans use what was measured, and a context takes it before it is shared.

mod common;

use common::runner::choice;
use rasterscan::plan::Command;
use rasterscan::scan::compute::{Sam, TileOptions};
use rasterscan::tuner::{Progress, tune_sam};
use rasterscan::tuning::{Tuned, Tuning};
use rasterscan::{Device, ElementType, Error, Operator, Plan, ScanAlgorithm, ScanSpec};

use std::time::Duration;

/// Three rows up to 1000 words and six beyond; eleven for higher orders.
fn tuning() -> Tuning {
    let tuned = |up_to, higher_order, rows| Tuned { up_to, higher_order, rows };
    Tuning {
        sam: vec![tuned(1000, false, 3), tuned(Tuned::NO_END, false, 6), tuned(Tuned::NO_END, true, 11)],
    }
}

fn tuned(device: Device) -> Device {
    Device { tuning: tuning(), ..device }
}

/// What a plan's last dispatch is told of rows.
fn rows(plan: &Plan) -> String {
    let Some(Command::Dispatch(dispatch)) = plan.passes().last().map(|pass| &pass.command) else {
        panic!("no dispatch:\n{plan}");
    };
    let rows = dispatch.defines.iter().find(|(name, _)| *name == "ROWS");
    rows.expect("a number of rows").1.to_string()
}

fn plan(algorithm: &str, spec: &ScanSpec, device: &Device) -> Plan {
    choice(algorithm).plan(spec, device).unwrap().unwrap()
}

#[test]
fn plans_of_a_tuned_device_take_its_rows() {
    let software = || Device { software: true, ..Device::gl43() };
    for device in [Device::gl43(), software()] {
        let device = tuned(device);
        let spec = |len| ScanSpec::new::<u32>(len);
        for (spec, expected) in [
            (spec(1000), "3"),
            (spec(1001), "6"),
            (spec(1000).order(2), "11"),
            // As many words: rows of two longs have 16 bytes, those of triples 12.
            (ScanSpec::of(ElementType::U64, 500), "3"),
            (ScanSpec::of(ElementType::U64, 501), "6"),
            (spec(999).tuple(3), "4"),
        ] {
            let plan = plan("sam", &spec, &device);
            assert_eq!(rows(&plan), expected, "{plan}");
            assert_eq!(Sam::default().rows(&spec, &device).unwrap().to_string(), expected);
        }
    }
}

#[test]
fn what_is_asked_for_goes_before_what_was_measured() {
    let spec = ScanSpec::new::<u32>(5000);
    let device = tuned(Device::gl43());
    assert_eq!(rows(&plan("sam:rows=5", &spec, &device)), "5");
    // Other lanes and groups were not measured.
    for algorithm in ["sam:group=128", "sam:lanes=serial"] {
        let untuned = plan(algorithm, &spec, &Device::gl43());
        assert_eq!(plan(algorithm, &spec, &device).passes(), untuned.passes(), "{algorithm}");
    }
    // Nor other algorithms.
    for algorithm in ["look_back", "three_phase", "packed"] {
        let untuned = plan(algorithm, &spec, &Device::gl43());
        assert_eq!(plan(algorithm, &spec, &device).passes(), untuned.passes(), "{algorithm}");
    }
    assert_ne!(plan("sam", &spec, &device).cost(), plan("sam", &spec, &Device::gl43()).cost());
}

#[test]
fn whatever_a_tuning_says_there_is_a_plan() {
    let software = Device { software: true, ..Device::gl43() };
    for device in [Device::gl43(), software] {
        for extreme in [0, 1, 64, 65, u32::MAX] {
            let range = |higher_order| Tuned { up_to: Tuned::NO_END, higher_order, rows: extreme };
            let tuning = Tuning { sam: vec![range(false), range(true)] };
            let tuned = Device { tuning, ..device.clone() };
            for operator in [Operator::Add, Operator::Affine] {
                for (order, tuple) in [(1, 1), (4, 5), (16, 16)] {
                    let spec = ScanSpec::of(ElementType::U64, 80_000).operator(operator);
                    let spec = spec.order(order).tuple(tuple);
                    let default = Sam::default().rows(&spec, &device);
                    let rows = Sam::default().rows(&spec, &tuned);
                    assert_eq!(rows.is_ok(), default.is_ok(), "{extreme}: {rows:?}");
                    assert!(rows.is_err() || (1..=TileOptions::MOST_ROWS).contains(&rows.unwrap()));
                    assert_eq!(Sam::default().plan(&spec, &tuned).is_ok(), default.is_ok());
                }
            }
        }
    }
}

/// llvmpipe ends an invocation that goes round its loops too often: what was measured at order 4 can be too much at
/// order 16, and the results must be right all the same.
#[cfg(feature = "headless")]
#[test]
fn results_of_a_tuned_device_are_right_at_every_order() {
    let gpu = common::gpu();
    if gpu.device().compute.is_none() {
        return println!("not applicable: no compute shaders");
    }
    let range = |higher_order| Tuned { up_to: Tuned::NO_END, higher_order, rows: 64 };
    let gpu = gpu.with_tuning(Tuning { sam: vec![range(false), range(true)] }).unwrap();
    for order in [1, 4, 16] {
        let spec = ScanSpec::new::<u32>(70_000).order(order);
        let input: Vec<u32> = (0..70_000u32).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
        let mut prepared = gpu.prepare(&plan("sam", &spec, gpu.device())).unwrap();
        let stream = prepared.upload(&input).unwrap();
        let result: Vec<u32> = prepared.run(&stream).unwrap().read().unwrap();
        assert_eq!(result, rasterscan::reference::scan(&spec, &input).unwrap(), "order {order}");
    }
}

#[cfg(feature = "headless")]
#[test]
fn a_context_takes_a_tuning_before_it_is_shared() {
    let gpu = common::gpu();
    assert!(gpu.device().tuning.is_empty());
    let gpu = gpu.with_tuning(tuning()).unwrap();
    assert_eq!(gpu.device().tuning, tuning());
    let clone = gpu.clone();
    assert!(matches!(gpu.with_tuning(Tuning::default()), Err(Error::InUse)));
    assert_eq!(clone.device().tuning, tuning(), "nothing has changed");
    let plan = plan("packed", &ScanSpec::new::<u32>(9), clone.device());
    let prepared = clone.prepare(&plan).unwrap();
    assert!(matches!(clone.with_tuning(Tuning::default()), Err(Error::InUse)));
    drop(prepared);
}

#[cfg(feature = "headless")]
#[test]
fn with_no_time_at_all_the_smallest_scan_is_measured() {
    let gpu = common::gpu();
    // What it is tuned to already plays no part.
    let gpu = gpu.with_tuning(tuning()).unwrap();
    let mut steps = Vec::new();
    let tuned = tune_sam(&gpu, Duration::ZERO, |progress| steps.push(progress));
    if gpu.device().compute.is_none() {
        assert!(matches!(tuned, Err(Error::Unsupported(_))));
        return;
    }
    let tuned = tuned.unwrap();
    let first = ScanSpec::new::<u32>(1 << 16);
    assert!(matches!(steps[0], Progress::Begins { number: 0, of: 10, spec } if spec == first));
    let measured: Vec<_> = steps
        .iter()
        .filter_map(|step| match step {
            Progress::Measured(measured) => Some(measured),
            _ => None,
        })
        .collect();
    let untuned = Device { tuning: Tuning::default(), ..gpu.device().clone() };
    assert_eq!(measured.len(), 1);
    assert_eq!((measured[0].spec, measured[0].tuned), (first, tuned.sam[0]));
    assert_eq!(measured[0].default_rows, Sam::default().rows(&first, &untuned).unwrap());
    assert_eq!((tuned.sam.len(), tuned.sam[0].up_to, tuned.sam[0].higher_order), (1, 1 << 17, false));
    assert_eq!(steps.iter().filter(|step| matches!(step, Progress::NoTime { .. })).count(), 9);
}
