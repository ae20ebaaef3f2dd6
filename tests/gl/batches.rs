//! Rows, columns, segments, directions and seeds: every scan with every option, against a loop of single scans.

use rasterscan::tools::problem::SCAN;
use rasterscan::tools::registry::{self, Choice};
use rasterscan::{
    Batch, Element, ElementType, Error, Operator, Plan, ScanKind, ScanSpec, Segments, tools::Numbers,
};
use rasterscan::{
    scan,
    tools::{for_element, task::Task},
};
use rasterscan_runner::data::{TestData, TestElement, mix};
use rasterscan_runner::scan::{choice, in_tiles};

/// The indices of each scan's items, in the order in which they are scanned: by definition, not by the library's walk.
fn pieces(spec: &ScanSpec, heads: &[usize]) -> Vec<Vec<usize>> {
    let len = spec.len as usize;
    let mut pieces: Vec<Vec<usize>> = match spec.batch {
        Batch::Rows(width) => {
            (0..len).collect::<Vec<_>>().chunks(width as usize).map(<[usize]>::to_vec).collect()
        }
        Batch::Columns(width) => {
            let width = width as usize;
            (0..width.min(len)).map(|column| (column..len).step_by(width).collect()).collect()
        }
        _ => {
            let mut cuts = vec![0];
            cuts.extend(heads.iter().copied());
            cuts.push(len);
            cuts.sort_unstable();
            cuts.windows(2).map(|cut| (cut[0]..cut[1]).collect()).collect()
        }
    };
    if spec.reversed {
        pieces.iter_mut().for_each(|piece| piece.reverse());
    }
    pieces
}

/// Each scan on its own.
fn one_by_one<T: Element>(spec: &ScanSpec, input: &[T], heads: &[usize], seed: &[T]) -> Vec<T> {
    let arity = spec.operator.arity() as usize;
    let mut results = input.to_vec();
    for piece in pieces(spec, heads) {
        let items: Vec<T> = piece.iter().flat_map(|i| input[i * arity..(i + 1) * arity].to_vec()).collect();
        let before = seed.len();
        let all = [seed.to_vec(), items].concat();
        let single = spec.whole().with_len((all.len() / arity) as u64);
        let scanned = scan::sequential(&single, &all).unwrap();
        for (place, index) in piece.iter().enumerate() {
            let from = before + place * arity;
            results[index * arity..(index + 1) * arity].copy_from_slice(&scanned[from..from + arity]);
        }
    }
    results
}

/// Runs one case with an algorithm. Returns whether the device and the algorithm allow it.
fn check<T: TestElement>(algorithm: &Choice, spec: &ScanSpec, heads: &[usize]) -> bool {
    let gpu = rasterscan_runner::gpu();
    let numbers = |count: u64, from: u64| -> Vec<T> {
        (from..from + count).map(|i| T::number(&spec.operator, TestData::Random, i)).collect()
    };
    let input = numbers(spec.elements(), 0);
    let seed =
        numbers(if spec.has_seed { u64::from(spec.tuple * spec.operator.arity()) } else { 0 }, 1 << 20);
    let mut inputs = vec![Numbers::of(&input)];
    match spec.segments {
        Segments::Flags => {
            let mut bits = vec![0u32; spec.len.div_ceil(32) as usize];
            heads
                .iter()
                .filter(|head| **head < spec.len as usize)
                .for_each(|head| bits[head / 32] |= 1 << (head % 32));
            inputs.push(Numbers::from(bits));
        }
        Segments::Offsets(_) => {
            inputs.push(Numbers::from(heads.iter().map(|head| *head as u32).collect::<Vec<_>>()))
        }
        _ => {}
    }
    if spec.has_seed {
        inputs.push(Numbers::of(&seed));
    }
    let plan = match algorithm.plan(spec, gpu.device()) {
        Ok(Some(plan)) => plan,
        Ok(None) => return false,
        Err(Error::Unsupported(reason)) => {
            let words = spec.operator.item_words(T::TYPE);
            let packed = algorithm.card.name == "packed" && reason.to_string().contains("at most 4 words");
            let expected = packed && spec.is_split() && words > 2;
            let lacking =
                algorithm.card.supported(gpu.device()).is_err() || reason.to_string().contains("floats");
            assert!(expected || lacking, "{algorithm}, {spec}: {reason}");
            return false;
        }
        Err(other) => panic!("{algorithm}, {spec}: {other}"),
    };
    let task = Task::new(spec, &inputs).unwrap();
    let mut ready = task.prepare(&gpu, &plan).unwrap_or_else(|error| panic!("{algorithm}, {spec}: {error}"));
    let results = task.run(&mut ready).unwrap();
    let verified = task.verify(Some(plan.cost().depth), &results);
    verified.unwrap_or_else(|wrong| panic!("{algorithm}, {spec}, heads {heads:?}: {wrong}\n{plan}"));
    let got: &[T] = results.first().unwrap().get().unwrap();
    let heads = if spec.segments == Segments::None { &[] } else { heads };
    let expected = one_by_one(spec, &input, heads, &seed);
    if !T::TYPE.is_float() {
        let wrong = got.iter().zip(&expected).position(|(got, expected)| got != expected);
        assert_eq!((wrong, got.len()), (None, expected.len()), "{algorithm}, {spec}, heads {heads:?}");
    }
    true
}

fn algorithms() -> Vec<Choice> {
    // With the defaults, and with small tiles, of which a stream has many.
    let small = ["look_back", "sam", "three_phase", "reduce_then_scan", "chained"]
        .map(|name| format!("{name}:lanes=shared,group=8,vectors=1"));
    let small = small.iter().map(|text| Choice::parse(SCAN, text).unwrap());
    let all = registry::of(SCAN).map(|card| card.with_defaults()).chain(small);
    all.filter(|choice| choice.card.needs != registry::Need::Nothing).collect()
}

/// Rows, columns, directions, seeds and their combinations.
fn options(spec: &ScanSpec) -> Vec<ScanSpec> {
    vec![
        spec.rows(20),
        spec.columns(20),
        spec.reversed(),
        spec.with_seed(),
        spec.rows(60).reversed().with_seed().exclusive(),
        spec.columns(12).reversed().exclusive(),
        spec.rows(30).tuple(3).order(2).exclusive(),
        spec.columns(6).tuple(2).order(2),
        spec.reversed().tuple(4).with_seed(),
        spec.rows(1),
        spec.columns(1).exclusive(),
        spec.rows(840).exclusive(),
        spec.columns(840),
    ]
}

fn every_scan_takes_rows_columns_directions_and_seeds() {
    let mut run = 0;
    for algorithm in algorithms() {
        for spec in options(&ScanSpec::new::<u32>(840)) {
            run += u32::from(check::<u32>(&algorithm, &spec, &[]));
        }
    }
    assert!(run >= 4 * 13, "{run} runs");
}

/// Rows that begin with the piece of a warp: look_back scans them like one stream, and tiles where one begins need no other.
fn rows_of_whole_pieces_of_warps_need_no_flags() {
    let mut run = 0;
    // Pieces of 4, 32 and 68 items; eight in a tile, one, and eight that a CPU takes in series.
    let tiles = [
        ("lanes=serial,group=8,vectors=1", 4),
        ("lanes=shared,group=8,vectors=1", 32),
        ("lanes=serial,group=8,vectors=17", 68),
    ];
    for (tile, piece) in tiles {
        let algorithm = Choice::parse(SCAN, &format!("look_back:{tile}")).unwrap();
        for pieces in [1, 2, 3, 5, 7, 8, 9, 13, 16, 24, 100] {
            let width = piece * pieces;
            let spec = ScanSpec::new::<u32>((width * (900 / width).max(3)) as usize).rows(width);
            let plan = algorithm.plan(&spec, rasterscan_runner::gpu().device());
            let Ok(Some(plan)) = plan else { continue };
            assert!(
                plan.to_string().contains("WARP_ROWS=1") && !plan.to_string().contains("SPLIT"),
                "{plan}"
            );
            for spec in [spec.clone(), spec.exclusive(), spec.order(2).exclusive()] {
                run += u32::from(check::<u32>(&algorithm, &spec, &[]));
            }
            let spec = ScanSpec::of(ElementType::I32, spec.len).rows(width).operator(Operator::MAX);
            run += u32::from(check::<i32>(&algorithm, &spec.reversed().exclusive(), &[]));
        }
        // Pairs: a piece has half as many.
        let spec = ScanSpec::new::<u32>(840).operator(Operator::AFFINE).rows(120);
        run += u32::from(check::<u32>(&algorithm, &spec, &[]));
    }
    assert!(run == 0 || run >= 90, "{run} runs");
}

fn every_element_and_operator_takes_them() {
    let mut run = 0;
    // Of the scans in tiles those with small ones: their shaders compile in a fraction of the time.
    let quick = algorithms()
        .into_iter()
        .filter(|choice| !in_tiles(choice.card) || choice.to_string().contains("vectors=1"));
    for algorithm in quick {
        for element in ElementType::ALL {
            let spec = ScanSpec::of(element, 840).operator(Operator::AFFINE);
            for spec in [spec.rows(20), spec.columns(20).reversed().with_seed().exclusive(), spec.with_seed()]
            {
                run += for_element!(element, T => u32::from(check::<T>(&algorithm, &spec, &[])));
            }
        }
    }
    let horn = Choice::parse(SCAN, "horn").unwrap();
    for element in ElementType::ALL {
        for operator in Operator::ALL.into_iter().filter(|operator| operator.accepts(element)) {
            let spec = ScanSpec::of(element, 840).operator(operator);
            for spec in [spec.rows(20).exclusive(), spec.reversed().with_seed(), spec.segmented()] {
                run += for_element!(element, T => u32::from(check::<T>(&horn, &spec, &[1, 2, 100, 511])));
            }
        }
    }
    assert!(run >= 100, "{run} runs");
}

/// Tiles so large that an invocation of a CPU goes over its items twice, and holds one vector at a time.
fn large_tiles_split_streams_too() {
    let mut run = 0;
    let len = 5000;
    let heads: Vec<usize> = (0..len).filter(|i| mix(11, *i as u64).is_multiple_of(50)).collect();
    for name in ["look_back", "chained", "sam", "reduce_then_scan"] {
        let algorithm = Choice::parse(SCAN, &format!("{name}:vectors=17")).unwrap();
        let spec = ScanSpec::new::<u32>(len);
        let offsets = spec.segmented_by_offsets(heads.len() as u64);
        for spec in [spec.rows(20).exclusive(), spec.rows(1250), spec.segmented(), offsets.exclusive()] {
            run += u32::from(check::<u32>(&algorithm, &spec, &heads));
        }
        let spec = ScanSpec::new::<i64>(len).operator(Operator::MAX).segmented();
        run += u32::from(check::<i64>(&algorithm, &spec.reversed().with_seed(), &heads));
    }
    assert!(run == 0 || run == 20, "{run} runs");
}

fn segments_of_any_length_are_scanned_alone() {
    let mut run = 0;
    for algorithm in algorithms() {
        for len in [1, 33, 1500] {
            let every = |step: usize| (0..len).step_by(step).collect::<Vec<_>>();
            let random: Vec<usize> = (0..len).filter(|i| mix(11, *i as u64).is_multiple_of(7)).collect();
            let empty = [0, 0, len / 2, len / 2, len / 2, len].to_vec();
            // None, one item each, a texture's row, a tile's row, random ones, and empty ones.
            for heads in [vec![], every(1), every(256), every(32), random, empty] {
                let spec = ScanSpec::new::<u32>(len);
                let offsets = spec.segmented_by_offsets(heads.len() as u64);
                for spec in [spec.segmented(), offsets.exclusive()] {
                    run += u32::from(check::<u32>(&algorithm, &spec, &heads));
                }
            }
            let spec = ScanSpec::new::<i32>(len).operator(Operator::MAX).segmented();
            for spec in [spec.reversed(), spec.reversed().with_seed().exclusive(), spec.with_seed()] {
                run += u32::from(check::<i32>(&algorithm, &spec, &every(5)));
            }
        }
    }
    assert!(run >= 4 * 45, "{run} runs");
}

fn what_does_not_fit_together_is_refused() {
    let spec = ScanSpec::new::<u32>(12);
    for (spec, says) in [
        (spec.rows(5), "does not divide into rows of 5"),
        (spec.columns(0), "rows of 0"),
        (spec.rows(4).tuple(3), "tuples of 3 do not divide scans of 4 items"),
        (spec.segmented().order(2), "an order above 1 cannot be combined with segments"),
        (spec.segmented().tuple(2), "a tuple above 1 cannot be combined with segments"),
        (spec.segmented().rows(4), "rows or columns cannot be combined with segments"),
        (spec.with_seed().order(2), "order 2 cannot begin with a given value"),
    ] {
        let error = spec.check().unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    // Offsets are checked on the CPU, before anything runs.
    let spec = spec.segmented_by_offsets(3).kind(ScanKind::Inclusive);
    for (offsets, says) in [([0u32, 5, 4], "offset 2 is 4; expected 5 to 12"), ([0, 5, 13], "offset 2 is 13")]
    {
        let inputs = [Numbers::from(vec![1u32; 12]), Numbers::from(offsets.to_vec())];
        let error = Task::new(&spec, &inputs).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
        // And where a plan's input is uploaded: of the scan, of the scan in another plan, and for inputs of other layouts.
        let gpu = rasterscan_runner::gpu();
        for choice in ["packed", "look_back"].map(choice) {
            let Ok(Some(plan)) = choice.plan(&spec, gpu.device()) else { continue };
            let layouts: Vec<_> = plan.inputs().map(|slot| (*plan.layout(slot), None)).collect();
            let mut outer = Plan::new("outer", plan.item().clone(), layouts[0].0);
            let side_input = outer.further_input("offsets", layouts[1].0);
            let sums = outer.append_plan(&plan, &[outer.input(), side_input]).unwrap();
            for plan in [plan.clone(), outer.finish_with(sums), plan.for_inputs(&layouts).unwrap()] {
                let prepared = gpu.prepare(&plan).unwrap();
                let error = prepared.upload_input(1, &offsets).err().unwrap().to_string();
                assert!(error.contains(says), "{error}");
                prepared.upload_input(1, &[0u32, 5, 12]).unwrap();
                let short = prepared.upload_input(1, &[5u32, 0]);
                assert!(matches!(short, Err(Error::Length { .. })));
            }
        }
    }
}

/// For each item the index of the smallest or largest one before it in its scan, and with it if that is inclusive: of equal
/// ones the smallest index, and NaN first.
fn first_so_far<T: Element>(spec: &ScanSpec, heads: &[usize], data: &[T]) -> Vec<u32> {
    let nan = |index: usize| data[index].partial_cmp(&data[index]).is_none();
    let largest = spec.operator == Operator::MAX;
    let before = |one: usize, other: usize| match (nan(one), nan(other)) {
        (false, false) if data[one] == data[other] => one < other,
        (false, false) => (data[one] > data[other]) == largest,
        (true, true) => one < other,
        (one, _) => one,
    };
    let mut results = vec![u32::MAX; data.len()];
    for piece in pieces(spec, heads) {
        for member in 0..spec.tuple as usize {
            let own: Vec<usize> = piece.iter().copied().skip(member).step_by(spec.tuple as usize).collect();
            for (number, place) in own.iter().enumerate() {
                let seen = &own[..number + usize::from(spec.kind == ScanKind::Inclusive)];
                let first =
                    seen.iter().copied().reduce(|best, one| if before(one, best) { one } else { best });
                results[*place] = first.map_or(u32::MAX, |first| first as u32);
            }
        }
    }
    results
}

fn indices_of<T: TestElement>(gpu: &rasterscan::Gpu, len: u64, data: &[T], right: &mut u32) {
    let plain = ScanSpec::of(T::TYPE, len);
    let heads = [7usize, 8, 100, 131];
    let bits = Numbers::from(
        (0..len.div_ceil(32))
            .map(|word| {
                heads
                    .iter()
                    .filter(|head| **head as u64 / 32 == word)
                    .fold(0u32, |bits, head| bits | 1 << (head % 32))
            })
            .collect::<Vec<u32>>(),
    );
    let specs = [
        plain.clone(),
        plain.exclusive(),
        plain.tuple(3),
        plain.rows(20),
        plain.columns(20).exclusive(),
        plain.reversed(),
        plain.segmented(),
    ];
    let specs = specs.into_iter().take(if len < 300 { 2 } else { 7 }).map(|spec| spec.argmin());
    for spec in specs.chain([plain.argmax()]) {
        let flags = (spec.segments != Segments::None).then(|| bits.clone());
        let expected = first_so_far(&spec, if flags.is_some() { &heads } else { &[] }, data);
        let inputs: Vec<Numbers> = [Some(Numbers::of(data)), flags].into_iter().flatten().collect();
        let task = Task::new(&spec, &inputs).unwrap();
        assert_eq!(task.solve().unwrap().get("indices").unwrap().words(), expected, "{spec}");
        for card in registry::of(SCAN) {
            let text = if in_tiles(card) { format!("{}:vectors=1", card.name) } else { card.name.to_owned() };
            let plan = match Choice::parse(SCAN, &text).unwrap().plan(&spec, gpu.device()) {
                Ok(Some(plan)) => plan,
                Ok(None) | Err(Error::Unsupported(_)) => continue,
                Err(other) => panic!("{text}, {spec}: {other}"),
            };
            let got = task.run(&mut task.prepare(gpu, &plan).unwrap()).unwrap();
            assert_eq!(got.get("indices").unwrap().words(), expected, "{text}, {spec}\n{plan}");
            let verified = task.verify(Some(plan.cost().depth), &got);
            assert!(verified.unwrap_or_else(|wrong| panic!("{text}, {spec}: {wrong}")).holds());
            *right += 1;
        }
    }
}

fn the_first_items_so_far_are_found_by_their_indices() {
    let gpu = rasterscan_runner::gpu();
    let mut right = 0;
    let small = |index: u64| (mix(8, index) % 9) as i32 - 4;
    for len in [0, 1, 300] {
        let floats = (0..len).map(|i| if i % 113 == 90 { f32::NAN } else { small(i) as f32 / 2.0 });
        indices_of::<f32>(&gpu, len, &floats.collect::<Vec<_>>(), &mut right);
    }
    indices_of::<i64>(
        &gpu,
        300,
        &(0..300).map(|i| i64::from(small(i)) << 33).collect::<Vec<_>>(),
        &mut right,
    );
    assert!(right >= 60, "{right} runs");
    let plain = ScanSpec::new::<f32>(6).argmin();
    let refused = |spec: &ScanSpec| spec.check().unwrap_err().to_string();
    assert_eq!(
        refused(&plain.operator(Operator::ADD)),
        "only min and max find an item, which has an index; 'add' does not"
    );
    for spec in [plain.order(2), plain.with_seed(), plain.with_total(), plain.with_gpu_length()] {
        assert!(refused(&spec).contains("argmin and argmax cannot be combined with"), "{spec}");
    }
    assert!(gpu.scan_chunks::<f32>(&plain).is_err());
}

crate::tests![
    the_first_items_so_far_are_found_by_their_indices,
    every_scan_takes_rows_columns_directions_and_seeds,
    rows_of_whole_pieces_of_warps_need_no_flags,
    every_element_and_operator_takes_them,
    large_tiles_split_streams_too,
    segments_of_any_length_are_scanned_alone,
    what_does_not_fit_together_is_refused,
];
