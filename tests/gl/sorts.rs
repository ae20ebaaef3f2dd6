//! Sorts by every algorithm of the registry, with every option and each pair of options, against a sort by definition.

use rasterscan::tools::problem::SORT;
use rasterscan::tools::registry::{self, Choice, Era};
use rasterscan::tools::{Numbers, task::Task};
use rasterscan::{ElementType, Error, Gpu, Moves, Segments, SortSpec};
use rasterscan_runner::data::mix;

/// Keys as the bits of a u64, in many equal pairs, with the ends of the range, NaN and both zeros.
fn bits(element: ElementType, index: u64) -> u64 {
    let random = mix(5, index);
    let odd: &[u64] = match element {
        ElementType::F32 => {
            &[0x7FC0_0000, 0xFFC0_0001, 0x7F80_0000, 0xFF80_0000, 0, 0x8000_0000, 1, 0x8000_0001]
        }
        ElementType::U32 | ElementType::I32 => &[0, 1, 0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF],
        _ => &[0, 1, u64::MAX, 1 << 63, (1 << 63) - 1, 0xFFFF_FFFF, 1 << 32],
    };
    let mask = if element.words() == 1 { 0xFFFF_FFFF } else { u64::MAX };
    match random % 4 {
        0 => odd[(random >> 8) as usize % odd.len()],
        1 => mix(6, random >> 8 & 7) & mask,
        _ => mix(8, index) & mask,
    }
}

fn numbers(element: ElementType, bits: &[u64]) -> Numbers {
    let low = |bits: &u64| *bits as u32;
    match element {
        ElementType::U32 => bits.iter().map(low).collect::<Vec<_>>().into(),
        ElementType::I32 => bits.iter().map(|bits| low(bits) as i32).collect::<Vec<_>>().into(),
        ElementType::F32 => bits.iter().map(|bits| f32::from_bits(low(bits))).collect::<Vec<_>>().into(),
        ElementType::U64 => bits.to_vec().into(),
        ElementType::I64 => bits.iter().map(|bits| *bits as i64).collect::<Vec<_>>().into(),
    }
}

/// The order of keys by definition, not by the library's ranks: each key is compared as what it is.
fn is_before(spec: &SortSpec, one: u64, other: u64) -> bool {
    let whole = 32 * spec.element.words();
    let ordered = |bits: u64| -> u64 {
        let least = match spec.element {
            ElementType::U32 | ElementType::U64 => 0i128,
            ElementType::I32 | ElementType::F32 => i32::MIN.into(),
            ElementType::I64 => i64::MIN.into(),
        };
        let value = match spec.element {
            ElementType::I32 => i128::from(bits as u32 as i32),
            ElementType::I64 => i128::from(bits as i64),
            // Sign and magnitude, and -0.0 below 0.0.
            ElementType::F32 if bits >> 31 == 1 => -i128::from(bits & 0x7FFF_FFFF) - 1,
            _ => i128::from(bits),
        };
        (value - least) as u64
    };
    let [low, high] = spec.bits;
    assert!(high <= whole);
    let part = |bits: u64| (u128::from(ordered(bits)) % (1u128 << high)) >> low;
    if spec.descending { part(one) > part(other) } else { part(one) < part(other) }
}

/// The segments' heads among `len` keys: some share a word of flags, and some are equal.
fn heads(len: u64) -> Vec<u32> {
    let len = len as u32;
    [0, len / 5, len / 5, len / 5 + 1, len / 2, len].map(|head| head.min(len)).to_vec()
}

/// The numbers of the parts that the keys lie in.
fn part(spec: &SortSpec, index: u64) -> u64 {
    match (spec.row, spec.segments) {
        (Some(width), _) => index / width,
        (None, Segments::None) => 0,
        _ => heads(spec.len).iter().filter(|head| u64::from(**head) <= index).count() as u64,
    }
}

/// All streams of a request, and the keys' bits; `length` keys count.
fn inputs(spec: &SortSpec, length: u64) -> (Vec<u64>, Vec<Numbers>) {
    let keys: Vec<u64> = (0..spec.len).map(|index| bits(spec.element, index)).collect();
    let mut inputs = vec![numbers(spec.element, &keys)];
    let inside: Vec<u32> = heads(spec.len).into_iter().filter(|head| u64::from(*head) < spec.len).collect();
    match spec.segments {
        Segments::Flags => {
            let mut words = vec![0u32; spec.len.div_ceil(32) as usize];
            inside.iter().for_each(|head| words[*head as usize / 32] |= 1 << (head % 32));
            inputs.push(words.into());
        }
        Segments::Offsets(_) => inputs.push(heads(spec.len).into()),
        Segments::Keys(element) => {
            let keys = (0..spec.len).map(|index| part(spec, index));
            inputs.push(Numbers::of_whole(element, spec.len as usize, keys).unwrap());
        }
        _ => {}
    }
    for payload in 0..u64::from(spec.payloads) {
        inputs.push((0..spec.len).map(|index| mix(20 + payload, index) as u32).collect::<Vec<_>>().into());
    }
    if spec.has_gpu_length {
        inputs.push(vec![length as u32].into());
    }
    (keys, inputs)
}

/// Runs one case, and checks every result by definition. Returns the keys that were checked.
fn check(gpu: &Gpu, algorithm: &Choice, spec: &SortSpec, length: u64) -> u64 {
    let of = format!("{algorithm}, {spec}");
    let plan = match algorithm.plan(spec, gpu.device()) {
        Ok(plan) => plan.expect("an algorithm of a GPU"),
        Err(Error::Unsupported(reason)) => {
            assert!(algorithm.card.supported(gpu.device()).is_err(), "{of}: {reason}");
            return 0;
        }
        Err(other) => panic!("{of}: {other}"),
    };
    let (keys, inputs) = inputs(spec, length);
    let len = if spec.has_gpu_length { length.min(spec.len) } else { spec.len };
    let mut order: Vec<u32> = (0..len as u32).collect();
    order.sort_by(|one, other| {
        let parts = part(spec, (*one).into()).cmp(&part(spec, (*other).into()));
        let [one, other] = [one, other].map(|index| keys[*index as usize]);
        parts.then_with(|| is_before(spec, other, one).cmp(&is_before(spec, one, other)))
    });
    let task = Task::new(spec, &inputs).unwrap_or_else(|error| panic!("{of}: {error}"));
    let mut ready = task.prepare(gpu, &plan).unwrap_or_else(|error| panic!("{of}: {error}\n{plan}"));
    for _ in 0..2 {
        let results = task.run(&mut ready).unwrap();
        // The reference agrees.
        task.verify(None, &results).unwrap_or_else(|wrong| panic!("{of}: {wrong}\n{plan}"));
        if spec.moves.indices() {
            let got: &[u32] = results.get("indices").unwrap().get().unwrap();
            assert!(
                got == order,
                "{of}: indices {:?} and not {:?}",
                &got[..9.min(got.len())],
                &order[..9.min(order.len())]
            );
        }
        if spec.moves.values() {
            let sorted: Vec<u64> = order.iter().map(|index| keys[*index as usize]).collect();
            let expected = numbers(spec.element, &sorted);
            assert!(results.get("values").unwrap().words() == expected.words(), "{of}: values");
        }
        for (number, name) in
            ["payload", "payload_2", "payload_3"][..spec.payloads as usize].iter().enumerate()
        {
            let payload = |index: &u32| mix(20 + number as u64, (*index).into()) as u32;
            let expected: Vec<u32> = order.iter().map(payload).collect();
            assert!(results.get(name).unwrap().get::<u32>().unwrap() == expected, "{of}: {name}");
        }
    }
    len
}

fn algorithms() -> impl Iterator<Item = Choice> {
    registry::of(SORT).filter(|card| card.era != Era::Cpu).map(registry::Card::with_defaults)
}

/// Checks all cases by all algorithms.
fn check_all(cases: &[(SortSpec, u64)]) {
    let gpu = rasterscan_runner::gpu();
    let mut compared = 0;
    for algorithm in algorithms() {
        for (spec, length) in cases {
            compared += check(&gpu, &algorithm, spec, *length);
        }
    }
    let without_compute = algorithms().any(|choice| choice.card.era == Era::Texture);
    assert!(compared > 0 || !without_compute && gpu.device().compute.is_none());
    println!("{compared} keys compared on {}", gpu.device().level());
}

const ELEMENTS: [ElementType; 5] = ElementType::ALL;

/// The edges of texels, groups, blocks, rows and tiles, of one and of two words.
fn lengths() {
    const LENGTHS: [u64; 24] = [
        0, 1, 2, 3, 4, 5, 15, 16, 17, 63, 65, 127, 128, 129, 255, 256, 257, 511, 513, 1023, 1025, 4095, 4097,
        20_001,
    ];
    let of = |element| LENGTHS.map(|len| (SortSpec::of(element, len).moves(Moves::Both), len));
    check_all(&[of(ElementType::U32), of(ElementType::F32), of(ElementType::I64)].concat());
}

fn of(spec: SortSpec, element: ElementType) -> SortSpec {
    let mut spec = spec;
    spec.element = element;
    spec
}

/// A change to a spec.
type Change = fn(SortSpec) -> SortSpec;

/// Each option changes a spec in its own way.
fn options() -> Vec<(&'static str, Change)> {
    vec![
        ("i32", |spec| of(spec, ElementType::I32)),
        ("f32", |spec| of(spec, ElementType::F32)),
        ("u64", |spec| of(spec, ElementType::U64).bits(0..64)),
        ("descending", |spec| spec.descending()),
        ("indices", |spec| spec.moves(Moves::Indices)),
        ("both", |spec| spec.moves(Moves::Both)),
        ("bits", |spec| spec.bits(3..17)),
        // Across the border of the words; a key of one word has its half of them.
        ("upper bits", |spec| if spec.element.words() == 2 { spec.bits(20..50) } else { spec.bits(20..32) }),
        ("one payload", |spec| spec.payloads(1)),
        ("three payloads", |spec| spec.payloads(3)),
        ("rows", |spec| spec.rows(21)),
        ("flags", |spec| spec.segmented()),
        ("offsets", |spec| spec.segmented_by_offsets(6)),
        ("keys", |spec| spec.segmented_by_key::<i64>()),
        ("length", |spec| spec.with_gpu_length()),
    ]
}

/// Each option alone and with each other one, where the two make sense together.
fn every_pair_of_options() {
    let plain = SortSpec::of(ElementType::U32, 21 * 27);
    let options = options();
    let mut cases = Vec::new();
    for (number, (_, one)) in options.iter().enumerate() {
        for (_, other) in &options[number..] {
            let spec = other(one(plain));
            if spec.check().is_ok() {
                cases.push((spec, 400));
            }
        }
    }
    assert!(cases.len() > 100, "{}", cases.len());
    check_all(&cases);
}

/// No key counts, all do, and a length beyond the stream's; the keys past it are the highest and the lowest.
fn lengths_on_the_gpu() {
    let mut cases = Vec::new();
    for element in ELEMENTS {
        let spec = SortSpec::of(element, 300).moves(Moves::Both).payloads(1).with_gpu_length();
        for length in [0, 1, 17, 299, 300, 301] {
            cases.extend([(spec, length), (spec.descending(), length)]);
        }
    }
    check_all(&cases);
}

/// As many keys as make several rows of a texture and several tiles.
fn long_streams() {
    let n = 200_003;
    check_all(&[
        (SortSpec::of(ElementType::U32, n).payloads(1), n),
        (SortSpec::of(ElementType::U32, n).bits(16..32).moves(Moves::Both), n),
        (SortSpec::of(ElementType::F32, n).descending().moves(Moves::Indices), n),
        (SortSpec::of(ElementType::I64, n).segmented_by_offsets(6), n),
    ]);
}

/// The product in the field of 16 elements: polynomials over bits, modulo x^4 + x + 1.
fn field_product(one: u32, other: u32) -> u32 {
    let product = (0..4).fold(0, |sum, bit| sum ^ if other >> bit & 1 == 1 { one << bit } else { 0 });
    (4..7)
        .rev()
        .fold(product, |left, bit| if left >> bit & 1 == 1 { left ^ 0b10011 << (bit - 4) } else { left })
}

/// The digit at a position of a block of 256: r0 + r1 a + r2 b in the field of 16 elements, where the block's number has the
/// digits r and the position has a and b. An orthogonal array: at any two positions, each pair of digits is in 16 of 4,096
/// blocks.
fn digit(block: u32, position: u32) -> u32 {
    let [r0, r1, r2] = [0, 4, 8].map(|shift| block >> shift & 15);
    r0 ^ field_product(r1, position >> 4) ^ field_product(r2, position & 15)
}

/// A step of a sort by digits moves a key to where the digits of the others send it. Every pair of digits of four bits is at
/// every pair of positions of 256 keys, in the lowest digit and in one across the border of two.
fn every_pair_of_digits_is_at_every_pair_of_positions() {
    for [one, other] in [[0, 1], [3, 200], [16, 17], [254, 255], [15, 240]] {
        let mut seen = [0; 256];
        (0..4096).for_each(|block| seen[(digit(block, one) << 4 | digit(block, other)) as usize] += 1);
        assert_eq!(seen, [16; 256], "positions {one} and {other}");
    }
    let gpu = rasterscan_runner::gpu();
    for shift in [0, 6] {
        // The other bits differ, and do not count.
        let key = |index: u32| {
            digit(index >> 8, index & 255) << shift | mix(9, index.into()) as u32 & !(15 << shift)
        };
        let keys: Vec<u32> = (0..1 << 20).map(key).collect();
        let spec = SortSpec::new::<u32>(keys.len()).bits(shift..shift + 4).moves(Moves::Indices);
        let task = Task::new(&spec, [Numbers::from(keys)]).unwrap();
        // Networks compare two keys, and have the 0-1 principle.
        for algorithm in algorithms().filter(|choice| !["bitonic", "split"].contains(&choice.card.name)) {
            let Ok(plan) = algorithm.plan(&spec, gpu.device()) else { continue };
            let results = task.run(&mut task.prepare(&gpu, &plan.expect("a plan")).unwrap()).unwrap();
            task.verify(None, &results).unwrap_or_else(|wrong| panic!("{algorithm}, {spec}: {wrong}"));
        }
    }
}

/// One call each: with a choice of the algorithm, and its results on the CPU.
fn one_call() {
    let gpu = rasterscan_runner::gpu();
    let keys = [0.5f32, -0.0, f32::NEG_INFINITY, 0.0, 0.5];
    let bits = |floats: &[f32]| floats.iter().map(|float| float.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&gpu.sort(&keys).unwrap()), bits(&[f32::NEG_INFINITY, -0.0, 0.0, 0.5, 0.5]));
    assert_eq!(gpu.argsort(&keys).unwrap(), [2, 1, 3, 0, 4]);
    let (sorted, payload) = gpu.sort_pairs(&[3u64 << 40, 1, 7], &[10, 11, 12]).unwrap();
    assert_eq!((sorted, payload), (vec![1, 7, 3 << 40], vec![11, 12, 10]));
    let spec = SortSpec::new::<i32>(6).rows(3).descending();
    assert_eq!(gpu.sort_by(&spec, &[3, -1, 7, 0, 4, 1]).unwrap(), [7, 3, -1, 4, 1, 0]);
    assert_eq!(gpu.argsort_by(&spec, &[3, -1, 7, 0, 4, 1]).unwrap(), [2, 0, 1, 4, 5, 3]);
    assert!(gpu.sort::<i64>(&[]).unwrap().is_empty());
    assert!(gpu.argsort::<u32>(&[]).unwrap().is_empty());
    assert!(matches!(gpu.sort_pairs(&[1u32, 2], &[1]), Err(Error::Length { what: "payload", .. })));
    let wrong = gpu.sort_by(&spec, &[1i32, 2]).unwrap_err();
    assert!(matches!(wrong, Error::Length { .. }), "{wrong}");
    assert!(matches!(gpu.sort_by(&spec.bits(3..33), &[1i32; 6]), Err(Error::Spec(_))));
    assert!(matches!(
        gpu.sort_by(&SortSpec::new::<u32>(2).payloads(1), &[1u32, 2]),
        Err(Error::Inputs { .. })
    ));
    let plan = gpu.plan_auto(&SortSpec::new::<u32>(1000)).unwrap();
    assert!(!plan.passes().is_empty());
}

crate::tests![
    lengths,
    every_pair_of_options,
    lengths_on_the_gpu,
    long_streams,
    every_pair_of_digits_is_at_every_pair_of_positions,
    one_call
];
