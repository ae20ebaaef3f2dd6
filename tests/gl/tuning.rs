//! A tuned device: plans use the tuned values, and a context accepts them before it is shared. No test depends on which
//! candidate is the fastest.

use std::{ops::ControlFlow, time::Duration};

use rasterscan::plan::{Command, Layout};
use rasterscan::scan::compute::{Exchange, Sam, TileOptions};
use rasterscan::tools::problem::{COMPACT, Problem, SCAN};
use rasterscan::tools::registry::{self, Choice};
use rasterscan::tuning::{Best, Shape, Subject, Tuned, Tuning};
use rasterscan::{
    Algorithm, CompactSpec, Device, ElementType, Error, Operator, Plan, ScanSpec, tools::Request,
};
use rasterscan_lab::tuner::{self, TuneError, TuneProgress};
use rasterscan_runner::scan::choice;

const HIGHER: Shape = Shape { higher_order: true, tuples: false };

fn parameter(problem: &'static Problem, algorithm: &'static str, parameter: &'static str) -> Subject {
    Subject::Parameter { problem: problem.name, algorithm, parameter }
}

fn range(subject: Subject, shape: Shape, [from, up_to]: [u64; 2], best: Best) -> Tuned {
    Tuned { subject, shape, from, up_to, best }
}

/// At any size.
fn always(subject: Subject, value: u32) -> Tuned {
    range(subject, Shape::PLAIN, [0, Tuned::NO_END], Best::Value(value))
}

/// For `sam` three rows up to 1000 words and six beyond; eleven for higher orders.
fn tuning() -> Tuning {
    let sam = parameter(SCAN, "sam", "vectors");
    Tuning {
        ranges: vec![
            range(sam, Shape::PLAIN, [0, 1000], Best::Value(3)),
            range(sam, Shape::PLAIN, [1001, Tuned::NO_END], Best::Value(6)),
            range(sam, HIGHER, [0, Tuned::NO_END], Best::Value(11)),
        ],
    }
}

fn tuned(device: Device) -> Device {
    Device { tuning: tuning(), ..device }
}

fn with(device: &Device, ranges: Vec<Tuned>) -> Device {
    Device { tuning: Tuning { ranges }, ..device.clone() }
}

fn software() -> Device {
    Device { software: true, ..Device::gl43() }
}

/// The rows of a plan's last dispatch.
fn vectors(plan: &Plan) -> String {
    let Some(Command::Dispatch(dispatch)) = plan.passes().last().map(|pass| &pass.command) else {
        panic!("no dispatch:\n{plan}");
    };
    let rows = dispatch.defines.iter().find(|(name, _)| *name == "ROWS");
    rows.expect("a number of rows").1.to_string()
}

fn plan(algorithm: &str, spec: &ScanSpec, device: &Device) -> Plan {
    choice(algorithm).plan(spec, device).unwrap().unwrap()
}

fn compaction(algorithm: &str, spec: &CompactSpec, device: &Device) -> Plan {
    Choice::parse(COMPACT, algorithm).unwrap().plan(spec, device).unwrap().unwrap()
}

fn plans_of_a_tuned_device_take_its_rows() {
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
        ] {
            let plan = plan("sam", &spec, &device);
            assert_eq!(vectors(&plan), expected, "{plan}");
            assert_eq!(Sam::default().vectors(&spec, &device).unwrap().to_string(), expected);
        }
        // One exchange has rows of its own in tuples.
        let triples = spec(999).tuple(3);
        let plan = plan("sam:exchange=each", &triples, &device);
        assert_eq!(vectors(&plan), "4", "{plan}");
        let each = Sam { exchange: Exchange::Each, ..Sam::default() };
        assert_eq!(each.vectors(&triples, &device).unwrap().to_string(), "4");
    }
}

/// Every tuned parameter: `auto` gives the same plan as the tuned value.
fn every_auto_is_what_was_measured() {
    let scan = |algorithm, name| parameter(SCAN, algorithm, name);
    let spec = ScanSpec::new::<u32>(100_000);
    for device in [Device::gl43(), software()] {
        for (subject, value) in [
            (scan("hybrid", "reduce"), 2),
            (scan("packed", "block"), 16),
            (scan("harris", "block"), 64),
            (scan("capannini", "block"), 64),
            (scan("three_phase", "vectors"), 3),
            (scan("reduce_then_scan", "vectors"), 3),
            (scan("chained", "vectors"), 3),
            (scan("look_back", "vectors"), 3),
            (scan("sam", "vectors"), 3),
            (parameter(COMPACT, "select", "vectors"), 3),
        ] {
            let Subject::Parameter { problem, algorithm, parameter } = subject else { unreachable!() };
            let request: Request = match problem == "scan" {
                true => (&spec).into(),
                false => (&CompactSpec::new::<u32>(100_000)).into(),
            };
            let plan = |text: &str, device: &Device| {
                Choice::parse(request.problem(), text).unwrap().plan(&request, device).unwrap().unwrap()
            };
            let asked = format!("{algorithm}:{parameter}={value}");
            let auto = format!("{algorithm}:{parameter}=auto");
            let tuned = with(&device, vec![always(subject, value)]);
            assert_eq!(plan(algorithm, &tuned).passes(), plan(&asked, &device).passes(), "{asked}");
            assert_eq!(plan(&auto, &tuned).passes(), plan(&asked, &device).passes(), "{asked}");
            assert_ne!(plan(algorithm, &device).passes(), plan(&asked, &device).passes(), "{asked}");
            // Unknown values, and values tuned for other cases.
            for other in [1, 0, 63, 65, u32::MAX] {
                let tuned = with(&device, vec![always(subject, other)]);
                assert!(plan(algorithm, &tuned).check().is_ok(), "{algorithm}:{parameter}={other}");
            }
            let built_in = range(subject, Shape::PLAIN, [0, Tuned::NO_END], Best::BuiltIn);
            let short = range(subject, Shape::PLAIN, [0, 1000], Best::Value(value));
            for other in [built_in, short, range(subject, HIGHER, [0, u64::MAX], Best::Value(value))] {
                let tuned = with(&device, vec![other]);
                assert_eq!(plan(algorithm, &tuned).slots(), plan(algorithm, &device).slots(), "{asked}");
            }
        }
    }
}

fn what_is_asked_for_goes_before_what_was_measured() {
    let spec = ScanSpec::new::<u32>(5000);
    let device = tuned(Device::gl43());
    assert_eq!(vectors(&plan("sam:vectors=5", &spec, &device)), "5");
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
    // Nor other kernels.
    let harris = always(parameter(SCAN, "harris", "block"), 64);
    let device = with(&Device::gl43(), vec![harris]);
    assert_eq!(plan("harris", &spec, &device).name(), "harris:variant=padded,block=64,banks=32");
    assert_eq!(plan("harris:variant=naive", &spec, &device).name(), "harris:variant=naive,block=512");
}

fn auto_is_what_was_measured_and_can_do_it() {
    let spec = ScanSpec::new::<u32>(1000);
    let best = |shape, name| range(Subject::Algorithm(SCAN.name), shape, [0, 1000], Best::Algorithm(name));
    let auto =
        |request: Request, device: &Device| registry::auto(request, device).unwrap().choice.to_string();
    for device in [Device::gl43(), software(), Device::gl33()] {
        let tuned = with(&device, vec![best(Shape::PLAIN, "hybrid"), best(HIGHER, "horn")]);
        assert_eq!(auto((&spec).into(), &tuned), "hybrid");
        assert_eq!(auto((&spec.order(2)).into(), &tuned), "horn");
        for other in [spec.tuple(2), ScanSpec::new::<u32>(1001), ScanSpec::new::<u64>(501)] {
            assert_eq!(auto((&other).into(), &tuned), auto((&other).into(), &device), "{other}");
        }
        let compact = CompactSpec::new::<u32>(1000);
        assert_eq!(auto((&compact).into(), &tuned), auto((&compact).into(), &device));
        // Unknown algorithms, and ones that need more than the device has.
        for name in ["sum", "sequential", if device.compute.is_some() { "sum" } else { "sam" }] {
            let tuned = with(&device, vec![best(Shape::PLAIN, name)]);
            let auto = registry::auto(&spec, &tuned).unwrap();
            assert!(name == "sequential" || auto.plan.is_some(), "{}", auto.choice);
        }
    }
    // `select` cannot compact into columns, whatever the tuning.
    let select = range(Subject::Algorithm(COMPACT.name), Shape::PLAIN, [0, 1000], Best::Algorithm("select"));
    let device = with(&software(), vec![select]);
    let compact = CompactSpec::new::<u32>(1000);
    assert_eq!(auto((&compact).into(), &device), "select");
    assert_eq!(auto((&compact.columns(64)).into(), &device), "packed");
}

/// All plans of a device use the same layout for the same length, as before.
fn columns_are_the_same_for_all_plans_of_a_device() {
    let scans = ["horn", "hybrid", "blelloch"];
    let compactions = ["horn", "blocks", "bitonic", "histopyramid", "points"];
    for columns in [128, 256, 512, 1024, 4096] {
        let device = with(&Device::gl33(), vec![always(Subject::Columns, columns)]);
        for len in [1 << 16, 70_000, 100_000, 1 << 20, 2_000_000] {
            let spec = ScanSpec::new::<u32>(len);
            let layout = |plan: &Plan| *plan.layout(plan.input());
            let expected = layout(&plan("horn", &spec, &device));
            let square = (len as f64).sqrt().log2().ceil().exp2() as u32;
            assert_eq!(expected.width, columns.min(square), "{columns} columns, {len}");
            for algorithm in scans {
                assert_eq!(layout(&plan(algorithm, &spec, &device)), expected, "{algorithm}");
            }
            for algorithm in compactions {
                let plan = compaction(algorithm, &CompactSpec::new::<u32>(len), &device);
                assert!(plan.check().is_ok());
                assert_eq!(layout(&plan), expected, "{algorithm}");
                // Results have the layout of the input, and can be the next plan's input.
                assert_eq!(*plan.layout(plan.outputs()[0]), expected, "{algorithm}");
            }
            let copied = Layout::fit(&device, ElementType::U64, 1, 1, len as u64, 2).unwrap();
            assert_eq!((copied.width, copied.height), (expected.width, expected.height));
        }
    }
}

fn whatever_a_tuning_says_there_is_a_plan() {
    for device in [Device::gl43(), software()] {
        for extreme in [0, 1, 64, 65, u32::MAX] {
            let of =
                |algorithm, shape| Tuned { shape, ..always(parameter(SCAN, algorithm, "vectors"), extreme) };
            let names = ["sam", "look_back", "chained", "three_phase", "reduce_then_scan"];
            let ranges = names.iter().flat_map(|name| [of(name, Shape::PLAIN), of(name, HIGHER)]);
            let tuned = with(&device, ranges.chain([always(Subject::Columns, extreme)]).collect());
            for operator in [Operator::ADD, Operator::AFFINE] {
                for (order, tuple) in [(1, 1), (4, 5), (16, 16)] {
                    let spec = ScanSpec::of(ElementType::U64, 80_000).operator(&operator);
                    let spec = spec.order(order).tuple(tuple);
                    let default = Sam::default().vectors(&spec, &device);
                    let rows = Sam::default().vectors(&spec, &tuned);
                    assert_eq!(rows.is_ok(), default.is_ok(), "{extreme}: {rows:?}");
                    assert!(rows.is_err() || (1..=TileOptions::MOST_VECTORS).contains(&rows.unwrap()));
                    assert_eq!(Sam::default().plan(&spec, &tuned).is_ok(), default.is_ok());
                    for name in names.iter().chain(&["horn", "hybrid", "packed"]) {
                        let able = |device| choice(name).plan(&spec, device).is_ok();
                        assert_eq!(able(&tuned), able(&device), "{name}: {spec}, {extreme}");
                    }
                }
            }
        }
    }
}

/// llvmpipe stops an invocation that loops too often: a value tuned at order 4 can be too large at order 16, and the
/// results must still be right.
fn results_of_a_tuned_device_are_right_at_every_order() {
    let gpu = rasterscan_runner::own_gpu();
    if gpu.device().compute.is_none() {
        return println!("not applicable: no compute shaders");
    }
    let vectors = always(parameter(SCAN, "sam", "vectors"), 64);
    let gpu = gpu.with_tuning(Tuning { ranges: vec![vectors, Tuned { shape: HIGHER, ..vectors }] }).unwrap();
    for order in [1, 4, 16] {
        let spec = ScanSpec::new::<u32>(70_000).order(order);
        is_right(&gpu, "sam", &spec);
    }
}

/// Widths and values that the tests of the algorithms do not have.
fn results_of_a_tuned_device_are_right() {
    for columns in [64, 1024] {
        let parameters = [
            always(Subject::Columns, columns),
            always(parameter(SCAN, "hybrid", "reduce"), 3),
            always(parameter(SCAN, "packed", "block"), 4),
        ];
        let gpu = rasterscan_runner::own_gpu().with_tuning(Tuning { ranges: parameters.to_vec() }).unwrap();
        for algorithm in ["horn", "hybrid", "blelloch", "packed"] {
            is_right(&gpu, algorithm, &ScanSpec::new::<u32>(70_001));
            is_right(&gpu, algorithm, &ScanSpec::new::<u32>(70_002).tuple(3).order(2).exclusive());
        }
        for algorithm in ["horn", "blocks", "geometry", "bitonic", "histopyramid", "points", "packed"] {
            let spec = CompactSpec::new::<u32>(70_001);
            let Ok(plan) = Choice::parse(COMPACT, algorithm).unwrap().plan(&spec, gpu.device()) else {
                println!("not applicable: {algorithm}");
                continue;
            };
            let input: Vec<u32> = (0..70_001u32).map(|i| i.wrapping_mul(0x9E37_79B9) >> 30).collect();
            let mut prepared = gpu.prepare(&plan.unwrap()).unwrap();
            let stream = prepared.upload(&input).unwrap();
            let result = rasterscan::Compacted::try_from(prepared.run([&stream]).unwrap()).unwrap();
            let kept = rasterscan::compact::sequential(&spec, &input, &[]).unwrap();
            assert_eq!(result.read_values::<u32>().unwrap(), kept.values, "{algorithm}, {columns} columns");
        }
    }
}

fn is_right(gpu: &rasterscan::Gpu, algorithm: &str, spec: &ScanSpec) {
    let input: Vec<u32> = (0..spec.len as u32).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
    let mut prepared = gpu.prepare(&plan(algorithm, spec, gpu.device())).unwrap();
    let stream = prepared.upload(&input).unwrap();
    let result: Vec<u32> = prepared.run(&stream).unwrap().read().unwrap();
    assert_eq!(result, rasterscan::scan::sequential(spec, &input).unwrap(), "{algorithm}, {spec}");
}

fn a_context_takes_a_tuning_before_it_is_shared() {
    let gpu = rasterscan_runner::own_gpu();
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

/// The steps of a tuner with no time at all.
fn steps(gpu: &rasterscan::Gpu, only: &[&str]) -> (Tuning, Vec<TuneProgress>) {
    let mut steps = Vec::new();
    let tuning = tuner::tune(gpu, Duration::ZERO, only, |progress| {
        steps.push(progress);
        ControlFlow::Continue(())
    });
    (tuning.unwrap(), steps)
}

fn with_no_time_at_all_the_first_question_is_answered() {
    let gpu = rasterscan_runner::own_gpu();
    // The current tuning has no influence.
    let horn = range(Subject::Algorithm(SCAN.name), Shape::PLAIN, [0, u64::MAX], Best::Algorithm("horn"));
    let untuned = gpu.device().clone();
    let gpu = gpu.with_tuning(Tuning { ranges: vec![horn] }).unwrap();
    for (only, subject) in
        [(&[][..], Subject::Algorithm(SCAN.name)), (&["packed"][..], parameter(SCAN, "packed", "block"))]
    {
        let (tuning, steps) = steps(&gpu, only);
        let TuneProgress::Begins { number: 0, of, question } = &steps[0] else { panic!("{:?}", steps[0]) };
        assert_eq!((question.subject, question.shape, question.from), (subject, Shape::PLAIN, 1 << 11));
        let measured: Vec<_> = steps
            .iter()
            .filter_map(|step| match step {
                TuneProgress::Measured(measured) => Some(measured),
                _ => None,
            })
            .collect();
        // Once more if the device turns out to have been slow.
        assert!(matches!(measured.len(), 1 | 2), "{measured:?}");
        assert!(measured.iter().all(|measured| measured.question == *question), "{measured:?}");
        let measured = measured.last().unwrap();
        assert_eq!(tuning.ranges, vec![measured.tuned()]);
        let default = match subject {
            Subject::Algorithm(_) => {
                Best::Algorithm(registry::auto(&question.request, &untuned).unwrap().choice.card.name)
            }
            _ => Best::Value(8),
        };
        assert_eq!(measured.default, default);
        assert!(measured.time <= measured.default_time && measured.rounds >= 7);
        let no_time = steps.iter().filter(|step| matches!(step, TuneProgress::NoTime { .. }));
        assert_eq!(no_time.count(), of - 1);
    }
}

fn a_tuner_can_be_stopped_and_gives_what_it_has() {
    let gpu = rasterscan_runner::own_gpu();
    let mut begun = 0;
    let tuning = tuner::tune(&gpu, Duration::from_secs(600), &["packed"], |progress| match progress {
        TuneProgress::Begins { .. } => {
            begun += 1;
            ControlFlow::Continue(())
        }
        TuneProgress::Measured(_) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!((tuning.unwrap().ranges.len(), begun), (1, 1));
    let stopped = tuner::tune(&gpu, Duration::from_secs(600), &[], |_| ControlFlow::Break(()));
    assert!(stopped.unwrap().is_empty());
    let unknown = tuner::tune(&gpu, Duration::ZERO, &["horn"], |_| ControlFlow::Continue(()));
    assert!(matches!(unknown, Err(TuneError::Library(Error::Unsupported(_)))));
}

crate::tests![
    plans_of_a_tuned_device_take_its_rows,
    every_auto_is_what_was_measured,
    what_is_asked_for_goes_before_what_was_measured,
    auto_is_what_was_measured_and_can_do_it,
    columns_are_the_same_for_all_plans_of_a_device,
    whatever_a_tuning_says_there_is_a_plan,
    results_of_a_tuned_device_are_right_at_every_order,
    results_of_a_tuned_device_are_right,
    a_context_takes_a_tuning_before_it_is_shared,
    with_no_time_at_all_the_first_question_is_answered,
    a_tuner_can_be_stopped_and_gives_what_it_has,
];
