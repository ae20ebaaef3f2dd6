//! Items of more than four words in textures: planes of an array.

use std::cell::Cell;
use std::rc::Rc;

use glow::HasContext;
use rasterscan::error::Kind;
use rasterscan::operator::Definition;
use rasterscan::tools::problem::{REDUCE, SCAN};
use rasterscan::tools::registry::{self, Choice, Era};
use rasterscan::tools::task::Task;
use rasterscan::{
    Device, ElementType, Error, Gpu, Operator, Plan, ReduceSpec, ScanSpec, scan,
    tools::{Numbers, Request},
};

use rasterscan_runner::data::{TestElement, matrices, mix};

/// Seven sums of floats: two planes, of which the second has an unused word.
fn seven_sums() -> Operator {
    let glsl = "Item combine(Item left, Item right) {
        Item sums;
        for (int i = 0; i < 7; i++) {
            sums.e[i] = element_add(left.e[i], right.e[i]);
        }
        return sums;
    }";
    let twin = |_: ElementType, left: &[u32], right: &[u32], result: &mut [u32]| {
        for (i, result) in result.iter_mut().enumerate() {
            *result = (f32::from_bits(left[i]) + f32::from_bits(right[i])).to_bits();
        }
    };
    Operator::new(Definition::new("seven_sums", glsl).identity(ElementType::F32, &[0; 7]).twin(twin)).unwrap()
}

fn plan_of(text: &str, request: Request, device: &Device) -> Result<Option<Plan>, Error> {
    Choice::parse(SCAN, text).unwrap().plan(request, device)
}

/// Each scan and reduction of textures, with these items and every option.
fn every_option<T: TestElement>(operator: &Operator, number: impl Fn(u64) -> T) {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::of(T::TYPE, 330).operator(operator);
    let data: Vec<T> = (0..spec.elements()).map(number).collect();
    let [input, seed] = [&data[..], &data[..2 * operator.arity() as usize]].map(Numbers::of);
    let bits = Numbers::from((0..11u32).map(|word| 1 << (3 * word % 32)).collect::<Vec<u32>>());
    let length = Numbers::from(vec![177u32]);
    let cases: [(ScanSpec, Vec<Numbers>); 8] = [
        (spec.clone(), vec![]),
        (spec.exclusive(), vec![]),
        (spec.exclusive().tuple(2).order(2), vec![]),
        (spec.columns(10).reversed().order(2), vec![]),
        (spec.rows(33).exclusive(), vec![]),
        (spec.segmented().exclusive(), vec![bits]),
        (spec.tuple(2).with_seed().with_total(), vec![seed]),
        (spec.exclusive().with_gpu_length(), vec![length]),
    ];
    let of_reduce = ReduceSpec::of(T::TYPE, 330).operator(operator);
    let scans = registry::of(SCAN).flat_map(|card| {
        cases.iter().map(move |(spec, side_input)| (card, Request::from(spec), &side_input[..]))
    });
    let reductions = registry::of(REDUCE).map(|card| (card, Request::from(&of_reduce), &[][..]));
    let (mut run, mut refused) = (0, 0);
    for (card, request, side_input) in scans.chain(reductions).filter(|(card, ..)| card.era == Era::Texture) {
        let choice = Choice::parse(card.problem, card.name).unwrap();
        let plan = match choice.plan(&request, gpu.device()) {
            Ok(plan) => plan.unwrap(),
            Err(Error::Unsupported(reason)) => {
                assert!(
                    card.name == "packed" && reason.kind == Kind::TooLarge,
                    "{choice}, {request}: {reason}"
                );
                refused += 1;
                continue;
            }
            Err(other) => panic!("{choice}, {request}: {other}"),
        };
        let inputs: Vec<Numbers> = [input.clone()].into_iter().chain(side_input.iter().cloned()).collect();
        let task = Task::new(&request, &inputs).unwrap();
        let mut ready =
            task.prepare(&gpu, &plan).unwrap_or_else(|error| panic!("{choice}, {request}: {error}"));
        let results = task.run(&mut ready).unwrap();
        let verified = task.verify(Some(plan.cost().depth), &results);
        verified.unwrap_or_else(|wrong| panic!("{choice}, {request}: {wrong}\n{plan}"));
        run += 1;
    }
    assert_eq!(
        (run, refused),
        (3 * 8 + 1, 8 + 1),
        "horn, hybrid, blelloch and pairs; packed scans and reductions"
    );
}

fn every_texture_scan_takes_items_of_up_to_sixteen_words() {
    let small = |i: u64| (mix(9, i) % 4) as u32;
    every_option::<u32>(&matrices(3), small);
    every_option::<u32>(&matrices(4), small);
    every_option::<u64>(&matrices(2), |i| mix(9, i));
    every_option::<f32>(&seven_sums(), |i| (mix(9, i) % 64) as f32 / 8.0);
}

/// Flags from the last item to the first are made beside items: with a pair of 64 bits they are six words.
fn a_reversed_segmented_scan_of_pairs_of_long_integers_is_one_of_planes() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u64>(300).operator(Operator::AFFINE).segmented().reversed();
    let data: Vec<u64> = (0..600).map(|i| mix(5, i)).collect();
    let inputs = [Numbers::of(&data), Numbers::from(vec![0x8000_0401u32; 10])];
    for name in ["horn", "hybrid", "blelloch"] {
        let plan = plan_of(name, Request::from(&spec), gpu.device()).unwrap().unwrap();
        let planes = plan.slots().iter().map(|slot| slot.layout.planes());
        assert_eq!(planes.max(), Some(2), "{plan}");
        let task = Task::new(Request::from(&spec), &inputs).unwrap();
        let results = task.run(&mut task.prepare(&gpu, &plan).unwrap()).unwrap();
        task.verify(None, &results).unwrap();
    }
}

/// Rows of items, whole and in part, at once and later; and items that are written anew.
fn wide_items_are_read_and_written_in_place() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u32>(600).operator(matrices(3));
    let plan = plan_of("horn", Request::from(&spec), gpu.device()).unwrap().unwrap();
    let prepared = gpu.prepare(&plan).unwrap();
    let data: Vec<u32> = (0..5400).collect();
    let stream = prepared.upload(&data).unwrap();
    assert_eq!((stream.layout().planes(), stream.layout().format().words), (3, 4));
    assert_eq!(stream.layout().bytes(), u64::from(stream.layout().width * stream.layout().height) * 48);
    assert_eq!(stream.read::<u32>().unwrap(), data);
    assert_eq!(stream.read_first::<u32>(257).unwrap(), data[..9 * 257]);
    for numbers in [9 * 32, 9 * 40 + 2, 9 * 40 + 7] {
        let mut first = vec![0u32; numbers];
        stream.read_into(&mut first).unwrap();
        assert_eq!(first, data[..numbers], "{numbers} numbers");
    }
    assert_eq!(stream.read_later::<u32>().unwrap().wait().unwrap(), data);
    let other: Vec<u32> = data.iter().map(|number| number * 3).collect();
    stream.write(&other).unwrap();
    assert_eq!(stream.read::<u32>().unwrap(), other);
}

fn wide_items_go_on_from_chunk_to_chunk() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u32>(0).operator(matrices(3));
    let data: Vec<u32> = (0..9 * 70).map(|i| (mix(9, i) % 4) as u32).collect();
    let expected = scan::sequential(&spec.with_len(70), &data).unwrap();
    let mut chunks = gpu.scan_chunks::<u32>(&spec).unwrap();
    let mut got = Vec::new();
    for part in [30, 10, 0, 30] {
        got.extend(chunks.next_chunk(&data[got.len()..got.len() + 9 * part]).unwrap());
    }
    assert_eq!(got, expected);
    assert_eq!(chunks.total().unwrap(), expected[9 * 69..]);
}

fn a_recording_shows_the_words_of_all_planes() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u32>(8).operator(matrices(3));
    let plan = plan_of("horn", Request::from(&spec), gpu.device()).unwrap().unwrap();
    let mut prepared = gpu.prepare(&plan).unwrap();
    let data: Vec<u32> = (0..72).map(|i| (mix(9, i) % 4) as u32).collect();
    let input = prepared.upload(&data).unwrap();
    let trace = prepared.record([&input]).unwrap();
    let last = &trace.steps.last().unwrap();
    let words = last.writes[0].values::<u32>().unwrap();
    assert_eq!(words, scan::sequential(&spec, &data).unwrap());
    // Texel 5 of the first step combines items 4 and 5, and reads each of them once.
    let reads = trace.steps[0].recorded.reads[0].of(5).unwrap();
    assert_eq!(reads.iter().map(|place| place.index).collect::<Vec<_>>(), [5, 4]);
}

fn what_a_device_draws_into_limits_items_and_recordings() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u32>(8).operator(matrices(4));
    let few = Device { max_targets: 3, ..gpu.device().clone() };
    let refused = plan_of("horn", Request::from(&spec), &few).unwrap_err().to_string();
    assert!(refused.contains("take 4 textures at once") && refused.contains("at most 3"), "{refused}");
    assert!(plan_of("horn", Request::from(&spec), &Device { max_targets: 4, ..few }).is_ok());
}

/// The caller's array stays bound where ours were.
fn the_callers_arrays_stay_bound() {
    let gpu = rasterscan_runner::gpu();
    let gl = Rc::new(gpu.load_glow().unwrap().unwrap());
    let kept = Cell::new(None);
    gpu.with_current(|_| {
        // SAFETY: the context is current, and the functions were loaded for it.
        unsafe {
            let array = gl.create_texture().unwrap();
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D_ARRAY, Some(array));
            kept.set(Some(array));
        }
    })
    .unwrap();
    // SAFETY: as above.
    let shared = gpu.with_current(|_| unsafe { Gpu::from_glow(Rc::clone(&gl)) }).unwrap().unwrap();
    gpu.with_current(|_| {
        let spec = ScanSpec::new::<u32>(40).operator(matrices(3));
        let plan = plan_of("hybrid:reduce=2", Request::from(&spec), shared.device()).unwrap().unwrap();
        let mut prepared = shared.prepare(&plan).unwrap();
        let data = vec![1u32; 360];
        let input = prepared.upload(&data).unwrap();
        let sums = prepared.run(&input).unwrap().read::<u32>().unwrap();
        assert_eq!(sums, scan::sequential(&spec, &data).unwrap());
        // SAFETY: as above.
        let bound = unsafe { gl.get_parameter_texture(glow::TEXTURE_BINDING_2D_ARRAY) };
        assert_eq!(bound, kept.get());
    })
    .unwrap();
}

crate::tests![
    every_texture_scan_takes_items_of_up_to_sixteen_words,
    a_reversed_segmented_scan_of_pairs_of_long_integers_is_one_of_planes,
    wide_items_are_read_and_written_in_place,
    wide_items_go_on_from_chunk_to_chunk,
    a_recording_shows_the_words_of_all_planes,
    what_a_device_draws_into_limits_items_and_recordings,
    the_callers_arrays_stay_bound,
];
