//! Reductions in textures and in buffers.

use rasterscan::device::Compute;
use rasterscan::reduce::sequential;
use rasterscan::tools::problem::REDUCE;
use rasterscan::tools::registry::Choice;
use rasterscan::{
    Device, ElementType, Operator, ReduceSpec,
    tools::{Numbers, Request, Task},
};
use rasterscan_kernels::Engine;
use rasterscan_runner::data::{matrices, mix};
use rasterscan_runner::kernels::Seen;

/// All reductions with the variants on their cards.
fn reductions(side_input: bool) -> Vec<&'static str> {
    rasterscan_runner::variants(REDUCE, side_input, |_| true)
}

fn reduce(names: &[&str], specs: &[(ReduceSpec, Option<u32>)]) -> Seen {
    let streams = |(spec, length): &(ReduceSpec, Option<u32>)| {
        let length = length.map(|length| Numbers::of(&[length]));
        [crate::values(spec.element, spec.elements())].into_iter().chain(length).collect::<Vec<_>>()
    };
    let streams: Vec<_> = specs.iter().map(streams).collect();
    let cases = specs.iter().zip(&streams).map(|((spec, _), streams)| (Request::from(spec), &streams[..]));
    crate::compare_all(names.iter().map(|name| Choice::parse(REDUCE, name).unwrap()), cases)
}

/// So many reads must have been compared at least: with compute shaders, and without.
fn assert_enough(seen: Seen, [with, without]: [usize; 2]) {
    crate::enough(seen, [0, with], [0, without]);
}

fn all(specs: impl IntoIterator<Item = ReduceSpec>) -> Vec<(ReduceSpec, Option<u32>)> {
    specs.into_iter().map(|spec| (spec, None)).collect()
}

/// None, one, the edges of texels, pieces and groups.
fn reductions_of_all_lengths() {
    let plain = [0, 1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 257, 1000, 4097];
    let seen = reduce(&reductions(false), &all(plain.map(ReduceSpec::new::<u32>)));
    assert_enough(seen, [40_000, 15_000]);
}

/// All elements, operators that commute and that do not, items of up to nine words.
fn reductions_by_all_operators() {
    let of = |element, operator: &Operator| ReduceSpec::of(element, 300).operator(operator);
    let mut specs = [2, 3].map(|side| of(ElementType::U32, &matrices(side))).to_vec();
    for element in ElementType::ALL {
        specs.extend([Operator::ADD, Operator::AFFINE, Operator::MAX].map(|operator| of(element, &operator)));
    }
    // Nothing to reduce, of items in one plane of a texture and in several.
    specs.extend([2, 3].map(|side| of(ElementType::U32, &matrices(side)).with_len(0)));
    specs.push(of(ElementType::U64, &crate::option_passes::items::maps(5)).with_len(0));
    let seen = reduce(&reductions(false), &all(specs));
    assert_enough(seen, [35_000, 15_000]);
}

/// Tuples that a vector holds, and those that lie across lanes.
fn reductions_of_tuples() {
    let mut specs = Vec::new();
    for tuple in [2, 3, 8] {
        let plain = ReduceSpec::new::<u32>(tuple as usize * 77).tuple(tuple);
        let lines = ReduceSpec::of(ElementType::I64, u64::from(tuple) * 21).operator(Operator::AFFINE);
        specs.extend([plain, lines.tuple(tuple), ReduceSpec::new::<u32>(0).tuple(tuple)]);
    }
    let seen = reduce(&reductions(false), &all(specs));
    assert_enough(seen, [10_000, 5_000]);
}

/// Only the first items count, as a stream of one number says.
fn reductions_of_counted_items() {
    let plain = ReduceSpec::new::<u32>(300).with_gpu_length();
    let lines = ReduceSpec::of(ElementType::I64, 70).operator(Operator::AFFINE).with_gpu_length();
    let mut specs: Vec<_> =
        [0, 1, 4, 5, 64, 255, 300, 301].map(|len| (plain.with_len(300), Some(len))).into();
    specs.extend([0, 1, 33, 70].map(|len| (lines.with_len(70), Some(len))));
    specs.extend([0, 1].map(|len| (plain.with_len(1), Some(len))));
    let seen = reduce(&reductions(false), &specs);
    assert_enough(seen, [6_500, 2_400]);
}

/// The reductions in textures and in buffers, whose options are passes of their own.
const KINDS: [&str; 3] = ["pairs", "packed", "two_pass"];

/// Rows and columns: shorter than a step, as long, longer; single items, tuples, items of many words, and none.
fn rows_and_columns() {
    let plain = |len| ReduceSpec::new::<u32>(len);
    let lines = ReduceSpec::of(ElementType::I64, 420).operator(Operator::AFFINE);
    let float = ReduceSpec::of(ElementType::F32, 462).operator(Operator::MIN);
    let wide = ReduceSpec::of(ElementType::U32, 66).operator(matrices(3));
    let mut specs: Vec<ReduceSpec> =
        [1, 2, 15, 16, 17, 35, 256, 257].map(|width| plain(3 * width).rows(width as u64)).into();
    specs.extend([1, 2, 16, 17, 300].map(|rows| plain(7 * rows).columns(7)));
    specs.extend([
        plain(840).rows(60).tuple(3),
        plain(840).columns(12).tuple(5),
        plain(840).columns(840),
        plain(840).columns(1),
        plain(0).rows(3),
        plain(0).columns(9),
        plain(0).columns(2).tuple(3),
        lines.rows(35),
        lines.columns(7),
        float.rows(7),
        float.columns(33),
        wide.rows(33),
        wide.columns(3),
    ]);
    assert_enough(reduce(&KINDS, &all(specs)), [10_000, 5_000]);
}

/// Segments by offsets and by flags: none, one item each, whole words, irregular ones, empty ones at both ends.
fn segments() {
    let mut seen = Seen::default();
    for len in [0, 1, 33, 500] {
        for heads in crate::option_passes::heads(len) {
            let count = heads.len() as u64;
            let of = |element, operator: &Operator| ReduceSpec::of(element, len.into()).operator(operator);
            let mut specs = vec![of(ElementType::U32, &Operator::ADD)];
            if count > 10 {
                specs.push(of(ElementType::I64, &Operator::AFFINE));
                specs.push(of(ElementType::F32, &Operator::MAX));
                specs.push(of(ElementType::U32, &matrices(2)));
            }
            let parts = |spec: &ReduceSpec| [spec.segmented_by_offsets(count), spec.segmented()];
            let keys = [specs[0].by_key::<u32>(), specs[0].by_key::<i64>(), specs[0].by_key::<f32>()];
            let specs: Vec<_> = specs.iter().flat_map(parts).chain(keys).collect();
            let streams = |spec: &ReduceSpec| {
                let heads: Vec<u32> = heads.iter().map(|head| *head.min(&len)).collect();
                let segments = crate::option_passes::segments_at(spec.segments, spec.len, &heads);
                [crate::values(spec.element, spec.elements())].into_iter().chain(segments).collect::<Vec<_>>()
            };
            let streams: Vec<_> = specs.iter().map(streams).collect();
            let cases = specs.iter().zip(&streams);
            let cases = cases.map(|(spec, streams)| (Request::from(spec), &streams[..]));
            seen += crate::compare_all(KINDS.map(|name| Choice::parse(REDUCE, name).unwrap()), cases);
        }
    }
    assert_enough(seen, [10_000, 5_000]);
}

/// The first smallest and largest items with their indices: of each element, in tuples, and of the first items only.
fn reductions_to_indices() {
    let plain = |len| ReduceSpec::new::<u32>(len);
    let mut specs = all([0, 1, 9, 33, 4097].map(|len| plain(len).argmin()));
    let elements = [ElementType::F32, ElementType::I64];
    specs.extend(all(elements.map(|element| ReduceSpec::of(element, 300).argmax())));
    specs.extend(all([plain(0).tuple(3).argmin(), plain(3).tuple(3).argmax(), plain(231).tuple(3).argmin()]));
    specs.extend([0, 64].map(|len| (plain(300).argmin().with_gpu_length(), Some(len))));
    let seen = reduce(&reductions(false), &specs);
    assert_enough(seen, [10_000, 5_000]);
}

/// Values of a buffer that is bound in parts: the indices are those of the whole stream.
fn indices_of_parts() {
    let device = rasterscan_kernels::device();
    let compute = device.compute.clone().map(|compute| Compute { max_binding: 1 << 18, ..compute });
    let device = Device { compute, ..device };
    let values: Vec<u32> = (0..200_001).map(|index| 1 + mix(4, index) as u32 % 1_000_000).collect();
    let mut right = 0;
    for (tuple, length) in [(1, None), (3, None), (1, Some(150_000u32)), (1, Some(0))] {
        let spec = ReduceSpec::new::<u32>(values.len()).tuple(tuple);
        let spec = if length.is_some() { spec.with_gpu_length() } else { spec };
        for (spec, place) in [(spec.argmin(), 199_990), (spec.argmax(), 70_000), (spec.argmax(), 3)] {
            let mut values = values.clone();
            values[place] = if spec.to_string().starts_with("argmin") { 0 } else { u32::MAX };
            let streams = [Some(Numbers::of(&values)), length.map(|length| Numbers::of(&[length]))];
            let streams: Vec<Numbers> = streams.into_iter().flatten().collect();
            let task = Task::new(&spec, &streams).unwrap();
            for name in ["two_pass", "single_pass"] {
                let plan = Choice::parse(REDUCE, name).unwrap().plan(&spec, &device).unwrap().unwrap();
                let parts = plan.passes().iter().filter(|pass| pass.phase == "fold").count();
                assert!(parts > 3, "{plan}");
                let got = rasterscan_kernels::run(&plan, &task).unwrap();
                got.same(&task.solve().unwrap()).unwrap_or_else(|wrong| panic!("{spec}: {wrong}\n{plan}"));
                right += 1;
            }
        }
    }
    assert_eq!(right, 24);
}

/// The further variants: other groups, rows and blocks.
fn reductions_of_further_variants() {
    let lines = |len| ReduceSpec::of(ElementType::I64, len).operator(Operator::AFFINE);
    let specs = [ReduceSpec::new::<u32>(3000), lines(500)];
    let seen = reduce(&reductions(true), &all(specs));
    assert_enough(seen, [20_000, 2_500]);
}

/// Lanes that drivers here lack: several warps, of which some have a piece more than others.
fn reductions_by_warps() {
    let plain = |len| ReduceSpec::new::<u32>(len);
    let lines = |len| plain(len).operator(Operator::AFFINE);
    let specs = [plain(0), plain(1), plain(300), plain(4097), plain(840).tuple(3), plain(840).tuple(8)];
    let specs = specs.into_iter().chain([lines(1), lines(777), lines(770).tuple(2), lines(770).tuple(5)]);
    let specs: Vec<ReduceSpec> = specs.collect();
    let mut right = 0;
    for lanes in [2, 4, 8, 32] {
        let device = crate::warps::device(lanes);
        for name in ["two_pass", "single_pass"] {
            for lanes in
                ["lanes=subgroup,group=32,vectors=1,groups=3", "lanes=warp,group=64,vectors=2,groups=5"]
            {
                let choice = Choice::parse(REDUCE, &format!("{name}:{lanes}")).unwrap();
                for spec in &specs {
                    let Ok(Some(plan)) = choice.plan(Request::from(spec), &device) else { continue };
                    let stream = crate::values(spec.element, spec.elements());
                    let mut engine = Engine::new(&plan).unwrap();
                    engine.upload(&[&stream]).unwrap();
                    let expected = sequential::<u32>(spec, stream.get().unwrap()).unwrap();
                    // The ticket is back at zero after each run.
                    for _ in 0..2 {
                        engine.run().unwrap_or_else(|error| panic!("{choice}, {spec}: {error}\n{plan}"));
                        assert_eq!(engine.get(plan.output()).words(), expected, "{choice}, {spec}\n{plan}");
                        right += 1;
                    }
                }
            }
        }
    }
    println!("{right} reductions");
    assert!(right > 250, "{right} reductions");
}

crate::tests![
    reductions_by_warps,
    reductions_of_all_lengths,
    reductions_by_all_operators,
    reductions_of_tuples,
    reductions_of_counted_items,
    reductions_to_indices,
    indices_of_parts,
    reductions_of_further_variants,
    rows_and_columns,
    segments,
];
