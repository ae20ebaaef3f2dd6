//! Options of scans, by the passes around them and by heads in them: rows, columns, directions, segments, seeds, totals,
//! lengths on the GPU, items of many words.

mod far;
pub(crate) mod items;

use rasterscan::tools::problem::SCAN;
use rasterscan::tools::registry::{self, Choice, Era};
use rasterscan::{
    ElementType, Operator, ScanSpec, Segments,
    tools::{Numbers, Request},
};
use rasterscan_runner::kernels::Seen;
use rasterscan_runner::scan::choice;

/// The scans in textures; and in buffers, of blocks, to which an option adds flags, and of small tiles, which take some
/// options themselves.
fn scans() -> Vec<Choice> {
    let in_textures = registry::of(SCAN).filter(|card| card.era == Era::Texture);
    let in_textures = in_textures.map(|card| card.with_defaults());
    let in_buffers = ["harris:block=64", "capannini:block=32", "three_phase:lanes=shared,group=8,vectors=1"];
    in_textures.chain(in_buffers.map(choice)).collect()
}

/// Numbers of items: floats of which products stay finite, and flags of 0 or 1 where the operator has them.
fn items_for(spec: &ScanSpec, len: u64) -> Numbers {
    let numbers = crate::values(spec.element, len);
    if spec.element.is_float() {
        let small = numbers.get::<f32>().unwrap().iter().map(|number| number / 256.0);
        return Numbers::of(&small.collect::<Vec<_>>());
    }
    if spec.operator.values().is_none() {
        return numbers;
    }
    let arity = spec.operator.arity() as usize;
    let mut numbers = numbers.get::<u32>().unwrap().to_vec();
    for (number, item) in numbers.chunks_mut(arity).enumerate() {
        item[arity - 1] = u32::from(number % 7 == 3);
    }
    numbers.into()
}

/// The streams of a scan: numbers, and as it asks for them segments that begin at `heads`, a seed, a length.
pub fn streams(spec: &ScanSpec, heads: &[u32], length: u32) -> Vec<Numbers> {
    let mut streams = vec![items_for(spec, spec.elements())];
    streams.extend(segments_at(spec.segments, spec.len, heads));
    if spec.has_seed {
        streams.push(items_for(spec, u64::from(spec.tuple * spec.operator.arity())));
    }
    if spec.has_gpu_length {
        streams.push(vec![length].into());
    }
    streams
}

/// The stream of segments of `len` items that begin at `heads`.
pub fn segments_at(segments: Segments, len: u64, heads: &[u32]) -> Option<Numbers> {
    match segments {
        Segments::Flags => {
            let mut bits = vec![0u32; len.div_ceil(32) as usize];
            for head in heads.iter().filter(|head| u64::from(**head) < len) {
                bits[*head as usize / 32] |= 1 << (head % 32);
            }
            Some(bits.into())
        }
        Segments::Offsets(_) => Some(heads.to_vec().into()),
        // Some keys come again.
        Segments::Keys(element) => {
            let key = |item: u64| heads.iter().filter(|head| u64::from(**head) <= item).count() as u64 % 3;
            Some(Numbers::of_whole(element, len as usize, (0..len).map(key)).unwrap())
        }
        _ => None,
    }
}

/// Compares the engines on scans of these specs.
pub fn compare(
    choices: impl IntoIterator<Item = Choice>,
    specs: &[ScanSpec],
    heads: &[u32],
    length: u32,
) -> Seen {
    let streams: Vec<_> = specs.iter().map(|spec| streams(spec, heads, length)).collect();
    let cases = specs.iter().zip(&streams).map(|(spec, streams)| (Request::from(spec), &streams[..]));
    crate::compare_all(choices, cases)
}

fn compare_all(specs: &[ScanSpec], heads: &[u32], length: u32) -> Seen {
    compare(scans(), specs, heads, length)
}

/// On levels without compute shaders, too.
fn enough(seen: Seen, least: usize) {
    crate::enough(seen, [least; 2], [least; 2]);
}

fn rows_columns_directions_and_seeds() {
    let plain = ScanSpec::new::<u32>(840);
    let affine = ScanSpec::of(ElementType::I64, 420).operator(Operator::AFFINE);
    let float = ScanSpec::of(ElementType::F32, 462).operator(Operator::MIN);
    // Its flags are elements to the passes around it.
    let flagged = ScanSpec::new::<u32>(210).operator(Operator::ADD.segmented());
    let specs = [
        plain.rows(20),
        plain.columns(20),
        plain.reversed(),
        plain.with_seed(),
        plain.rows(60).reversed().with_seed().exclusive(),
        plain.columns(12).reversed().exclusive(),
        plain.rows(30).tuple(3).order(2).exclusive(),
        plain.columns(6).tuple(2).order(2),
        plain.columns(28).tuple(3).reversed().with_seed(),
        plain.reversed().tuple(4).with_seed(),
        plain.rows(1),
        plain.columns(1).exclusive(),
        plain.rows(840).exclusive(),
        plain.columns(840),
        plain.with_len(1).reversed().with_seed(),
        plain.with_len(0).columns(1).with_seed(),
        affine.rows(35).exclusive(),
        affine.columns(7).reversed().with_seed(),
        affine.reversed().with_seed().exclusive(),
        float.rows(7),
        float.columns(33).with_seed(),
        flagged.with_seed().reversed(),
        flagged.with_seed().exclusive(),
    ];
    enough(compare_all(&specs, &[], 0), 100_000);
}

/// None, one item each, a texture's row, a word's, irregular ones, repeated ones, and those at both ends.
pub fn heads(len: u32) -> Vec<Vec<u32>> {
    let every = |step: usize| (0..len).step_by(step).collect::<Vec<_>>();
    let irregular = (0..len).filter(|i| i.wrapping_mul(0x9E37_79B9) >> 28 < 3).collect();
    let repeated = [vec![0; 3], vec![len / 2; 70], vec![len / 2 + 1; 2], vec![len]].concat();
    vec![
        vec![],
        every(1),
        every(256),
        every(32),
        irregular,
        repeated,
        vec![len.saturating_sub(1)],
        vec![len; 5],
    ]
}

fn segments() {
    let mut seen = Seen::default();
    for len in [1, 33, 500] {
        for heads in heads(len) {
            let spec = ScanSpec::new::<u32>(len as usize);
            let offsets = spec.segmented_by_offsets(heads.len() as u64);
            let keys =
                [spec.by_key::<u32>(), spec.by_key::<i64>().exclusive(), spec.by_key::<f32>().reversed()];
            seen += compare_all(&keys, &heads, 0);
            seen += compare_all(&[spec.segmented(), offsets.exclusive()], &heads, 0);
            if len == 500 && heads.len() > 10 {
                let spec = ScanSpec::of(ElementType::I32, 500).operator(Operator::MAX).segmented();
                let affine = ScanSpec::of(ElementType::U32, 300).operator(Operator::AFFINE).segmented();
                let specs = [
                    spec.reversed(),
                    spec.reversed().with_seed().exclusive(),
                    spec.with_seed(),
                    spec.exclusive(),
                    affine.exclusive(),
                    affine.segmented_by_offsets(heads.len() as u64).reversed(),
                ];
                let heads: Vec<u32> = heads.iter().map(|head| *head.min(&300)).collect();
                seen += compare_all(&specs, &heads, 0);
            }
        }
    }
    enough(seen, 100_000);
}

/// In variants, since heads reach into each pass.
fn segments_and_rows_in_every_scan_of_textures() {
    let irregular = &heads(700)[4];
    let spec = ScanSpec::new::<u32>(700);
    let offsets = spec.segmented_by_offsets(irregular.len() as u64);
    let wide = ScanSpec::of(ElementType::U64, 210).operator(Operator::AFFINE);
    let specs = [
        spec.segmented(),
        spec.segmented().exclusive(),
        offsets.exclusive(),
        spec.rows(35),
        spec.rows(140).exclusive().order(2),
        spec.with_len(9).rows(3),
        wide.rows(14).exclusive(),
    ];
    let all = rasterscan_runner::scan::algorithms().into_iter().map(choice);
    let in_textures = all.filter(|choice| choice.card.era == Era::Texture);
    enough(compare(in_textures, &specs, irregular, 0), 100_000);
}

fn totals() {
    let plain = ScanSpec::new::<u32>(300).with_total();
    let affine = ScanSpec::of(ElementType::I64, 75).operator(Operator::AFFINE).with_total();
    let specs = [
        plain.clone(),
        plain.exclusive(),
        plain.tuple(3),
        plain.tuple(5).exclusive().with_seed(),
        plain.reversed().tuple(4).exclusive(),
        plain.reversed().with_seed(),
        plain.with_len(0).with_seed(),
        plain.with_len(0),
        plain.with_len(1).exclusive(),
        affine.clone(),
        affine.exclusive().with_seed().tuple(3),
        affine.reversed().exclusive(),
    ];
    enough(compare_all(&specs, &[], 0), 10_000);
}

/// Lengths that count at both ends and around rows, and more than the most.
fn lengths_on_the_gpu() {
    let plain = ScanSpec::new::<u32>(3000);
    let flags: Vec<u32> = (0..3000).filter(|i| i % 33 == 5).collect();
    let mut seen = Seen::default();
    for length in [0, 1, 2, 128, 129, 1000, 2999, 3000, u32::MAX] {
        let specs = [
            plain.with_gpu_length(),
            plain.exclusive().order(2).tuple(4).with_gpu_length(),
            plain.operator(Operator::MAX).rows(50).with_gpu_length(),
            plain.segmented().with_seed().with_gpu_length(),
            plain.with_len(300).tuple(3).exclusive().with_seed().with_total().with_gpu_length(),
            ScanSpec::of(ElementType::I64, 200).operator(Operator::AFFINE).exclusive().with_gpu_length(),
        ];
        seen += compare_all(&specs, &flags, length);
    }
    enough(seen, 100_000);
}

/// Columns that become rows by squares of a matrix, and back, in buffers: of one word to six, whole squares and parts.
fn columns_are_transposed() {
    let three_phase = [choice("three_phase:lanes=shared,group=8,vectors=1")];
    let plain = ScanSpec::new::<u32>(64 * 32);
    let affine = ScanSpec::of(ElementType::I64, 40 * 33).operator(Operator::AFFINE);
    let specs = [
        plain.columns(64),
        plain.columns(32).with_seed().exclusive(),
        affine.columns(40).reversed().with_seed(),
        affine.columns(33),
        affine.columns(1320),
        affine.columns(1).reversed(),
        ScanSpec::of(ElementType::U64, 130).operator(items::maps(3)).columns(26).with_seed(),
        // A square of 32 x 32 of these does not fit in a group's shared memory.
        ScanSpec::of(ElementType::U64, 34 * 3).operator(items::maps(4)).columns(34).with_seed(),
    ];
    let mut seen = compare(three_phase, &specs, &[], 0);
    // Here with states that are cleared before.
    let look_back = [choice("look_back:lanes=shared,group=8,vectors=1")];
    seen += compare(look_back, &[plain.columns(64).reversed()], &[], 0);
    crate::enough(seen, [10_000; 2], [0; 2]);
}

/// Items that have flags of their own get others in rows, columns and segments.
fn flags_of_items() {
    let flagged = ScanSpec::new::<u32>(210).operator(Operator::ADD.segmented());
    let specs = [flagged.columns(21).with_seed(), flagged.segmented().exclusive()];
    let small = ["reduce_then_scan", "chained", "look_back", "sam"]
        .map(|name| format!("{name}:lanes=shared,group=8,vectors=1"));
    let mut choices = scans();
    choices.extend(small.iter().map(|name| choice(name)));
    enough(compare(choices, &specs, &heads(210)[4], 0), 10_000);
}

crate::tests![
    in far, items;
    flags_of_items,
    rows_columns_directions_and_seeds,
    segments,
    segments_and_rows_in_every_scan_of_textures,
    totals,
    lengths_on_the_gpu,
    columns_are_transposed,
];
