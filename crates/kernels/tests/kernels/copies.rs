//! Copies and moves of streams: in textures, in buffers, and from one to the other.

use rasterscan::plan::{ItemType, Layout, Map, Rectangle, Slot, Storage};
use rasterscan::tools::problem::{REDUCE, SCAN};
use rasterscan::tools::registry::Choice;
use rasterscan::{
    ElementType, Error, Gpu, Operator, Plan, ReduceSpec, ScanSpec,
    tools::{
        Numbers,
        copy::{self, TextureCopy},
    },
};
use rasterscan_kernels::Engine;
use rasterscan_runner::kernels::{self, Seen};

use crate::{enough, values};

/// Runs a plan by both engines.
fn both(gpu: &Gpu, plan: &Plan, streams: &[&Numbers]) -> Seen {
    kernels::compare(gpu, plan, streams, |_, _| {}).unwrap_or_default()
}

/// Streams of `len` items where this device has them: in textures, with one item to a texel and with as many as fit, and
/// in buffers.
pub(crate) fn layouts(gpu: &Gpu, element: ElementType, arity: u32, len: u64) -> Vec<Layout> {
    let fit = (4 / (element.words() * arity)).max(1);
    let mut all: Vec<Layout> = [1, fit]
        .map(|items| Layout::fit(gpu.device(), element, arity, items, len, 1).unwrap())
        .into_iter()
        .filter(|layout| gpu.device().float_targets || !layout.element.is_float())
        .collect();
    all.dedup();
    if gpu.device().compute.is_some() {
        all.push(Layout::buffer(element, arity, len));
    }
    all
}

/// A number in the kind of memory of another stream.
fn number_beside(gpu: &Gpu, layout: &Layout) -> Layout {
    match layout.storage {
        Storage::Texture => Layout::fit(gpu.device(), ElementType::U32, 1, 1, 1, 1).unwrap(),
        Storage::Buffer => Layout::buffer(ElementType::U32, 1, 1),
    }
}

pub(crate) fn sums_of(element: ElementType) -> ItemType {
    ItemType { element, operator: Operator::ADD }
}

/// Elements of one word and of two, and items of several.
const ITEMS: [(ElementType, u32); 6] = [
    (ElementType::U32, 1),
    (ElementType::F32, 1),
    (ElementType::I64, 1),
    (ElementType::I32, 2),
    (ElementType::U32, 3),
    (ElementType::U64, 2),
];

const LENGTHS: [u64; 4] = [1, 3, 65, 700];

/// The copies that times are compared with do not record everything, so results are compared with inputs.
fn copies_of_whole_streams() {
    let gpu = rasterscan_runner::gpu();
    let mut copied = 0;
    for element in ElementType::ALL {
        for len in [1u64, 5, 1023, 1025, 5000] {
            for operator in [Operator::ADD, Operator::AFFINE] {
                let spec = ScanSpec::of(element, len).operator(&operator);
                let stream = values(element, spec.elements());
                let wide = TextureCopy { items_per_texel: 2, fetches: 4, by_points: false };
                let points = TextureCopy { by_points: true, ..TextureCopy::default() };
                let plans = [TextureCopy::default(), wide, points].map(|copy| copy.plan(&spec, gpu.device()));
                let buffer = copy::buffer(&spec, gpu.device());
                for plan in plans.into_iter().chain([buffer]) {
                    let plan = match plan {
                        Err(Error::Unsupported(_)) => continue,
                        plan => plan.unwrap(),
                    };
                    if both(&gpu, &plan, &[&stream]).passes == 0 {
                        continue;
                    }
                    let mut engine = Engine::new(&plan).unwrap();
                    engine.upload(&[&stream]).unwrap();
                    engine.run().unwrap();
                    assert_eq!(engine.get(plan.output()).words(), stream.words(), "{plan}");
                    copied += stream.words().len();
                }
            }
        }
    }
    assert!(copied > 50_000, "{copied}");
}

/// From every layout to every other one, and from rectangles.
fn streams_in_other_layouts() {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    for (element, arity) in ITEMS {
        for len in LENGTHS {
            let stream = values(element, len * u64::from(arity));
            let all = layouts(&gpu, element, arity, len);
            for (from, to) in all.iter().flat_map(|from| all.iter().map(move |to| (*from, *to))) {
                // Shaders read a buffer as texels of 1, 2 or 4 words, and leave streams of buffers where they are.
                let in_buffer = [from, to].map(|layout| layout.storage == Storage::Buffer);
                if in_buffer == [true; 2] || in_buffer[0] && from.words_per_texel() == 3 {
                    continue;
                }
                let mut plan = Plan::new("gathered", sums_of(element), from);
                let gathered = plan.relayout(plan.input(), None, to).unwrap();
                seen += both(&gpu, &plan.finish(gathered), &[&stream]);
            }
        }
        // Rows of a rectangle within a texture.
        let [from, ..] = layouts(&gpu, element, arity, 700)[..] else { continue };
        let part = Rectangle { x: 3, y: 2, width: 7, height: 5 };
        for to in layouts(&gpu, element, arity, 35) {
            let mut plan = Plan::new("a part", sums_of(element), from);
            let gathered = plan.relayout(plan.input(), Some(part), to).unwrap();
            seen += both(&gpu, &plan.finish(gathered), &[&values(element, 700 * u64::from(arity))]);
        }
    }
    enough(seen, [40_000, 30_000], [20_000, 15_000]);
}

/// One channel of texels: as it is, and of floats as an integer of 256.
fn channels_of_texels() {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    let copied = |element| {
        let [narrow, wide] =
            [1, 4].map(|items| Layout::fit(gpu.device(), element, 1, items, 700, 1).unwrap());
        let mut plan = Plan::new("copied", sums_of(element), narrow);
        let copied = plan.relayout(plan.input(), None, wide).unwrap();
        plan.finish(copied)
    };
    for channel in 0..4 {
        let integers = Layout::pixels(ElementType::U32, 4, 28, 25);
        let plan = copied(ElementType::U32).for_channel(integers, channel, 0).unwrap();
        seen += both(&gpu, &plan, &[&values(ElementType::U32, 2800)]);
        if gpu.device().float_targets {
            let floats = Layout::pixels(ElementType::F32, 4, 28, 25);
            let parts = Numbers::F32((0..2800).map(|i| (i * 37 % 256) as f32 / 255.0).collect());
            let plan = copied(ElementType::U32).for_channel(floats, channel, 255).unwrap();
            seen += both(&gpu, &plan, &[&parts]);
            let plan = copied(ElementType::F32).for_channel(floats, channel, 0).unwrap();
            seen += both(&gpu, &plan, &[&parts]);
        }
    }
    enough(seen, [10_000, 5_000], [4_000, 2_000]);
}

/// Bytes and shorts.
fn packed_integers() {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    for bits in [8, 16] {
        for len in LENGTHS {
            // More words than are needed.
            let words = len.div_ceil(u64::from(32 / bits)) + 2;
            let [sources, targets] = [words, len].map(|len| layouts(&gpu, ElementType::U32, 1, len));
            for (from, to) in sources.iter().flat_map(|from| targets.iter().map(move |to| (*from, *to))) {
                let mut plan = Plan::new("unpacked", sums_of(ElementType::U32), from);
                let Ok(unpacked) = plan.unpack(plan.input(), bits, to) else { continue };
                seen += both(&gpu, &plan.finish(unpacked), &[&values(ElementType::U32, words)]);
            }
        }
    }
    enough(seen, [5000, 7000], [4000, 5000]);
}

/// Runs a plan that moves a stream by another one, whose items `second` and `numbers` say, and by counts on the GPU: for each
/// kind of item, each length and each layout.
fn moved(
    second: impl Fn(ElementType, u32) -> (ElementType, u32),
    counts: &[u32],
    add: impl Fn(&mut Plan, [Slot; 3]) -> Result<Slot, Error>,
    numbers: impl Fn(ElementType, u64) -> Numbers,
) -> Seen {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    for (element, arity) in ITEMS {
        for len in LENGTHS {
            let (element_2, arity_2) = second(element, arity);
            let (first, others) =
                (layouts(&gpu, element, arity, len), layouts(&gpu, element_2, arity_2, len));
            for (from, beside) in first.iter().flat_map(|from| others.iter().map(move |to| (*from, *to))) {
                let mut plan = Plan::new("moved", sums_of(element), from);
                let streams = [beside, number_beside(&gpu, &from)];
                let [beside, count] = streams.map(|layout| plan.further_input("beside", layout));
                let stream = plan.input();
                let Ok(result) = add(&mut plan, [stream, beside, count]) else { continue };
                let plan = plan.finish(result);
                let stream = values(element, len * u64::from(arity));
                let beside = numbers(element_2, len * u64::from(arity_2));
                for count in counts {
                    seen += both(&gpu, &plan, &[&stream, &beside, &Numbers::of(&[*count])]);
                }
            }
        }
    }
    println!("{seen:?} on {}", gpu.device().level());
    seen
}

/// Indices in another order, one for every few items, and beyond the end.
fn indices(_: ElementType, len: u64) -> Numbers {
    let index = |i: u64| match i % 7 {
        3 => u32::MAX,
        5 => len as u32,
        _ => (i * 37 % len) as u32,
    };
    Numbers::of(&(0..len).map(index).collect::<Vec<_>>())
}

fn items_taken_by_indices() {
    let of_indices = |_, _| (ElementType::U32, 1);
    let mut seen = moved(
        of_indices,
        &[0, 1, 64, 400, u32::MAX],
        |plan, [stream, indices, count]| plan.gather(stream, indices, Some(count)),
        indices,
    );
    seen += moved(of_indices, &[0], |plan, [stream, by, _]| plan.gather(stream, by, None), indices);
    enough(seen, [100_000, 100_000], [50_000, 50_000]);
}

/// Each index once, in another order, and some past the end.
fn places(_: ElementType, len: u64) -> Numbers {
    let index = |i: u64| if i % 7 == 3 { u32::MAX - i as u32 } else { ((len - 1 - i) + i % 5 * len) as u32 };
    Numbers::of(&(0..len).map(index).collect::<Vec<_>>())
}

fn items_put_at_indices() {
    let gpu = rasterscan_runner::gpu();
    let of_indices = |_, _| (ElementType::U32, 1);
    let scatter = |plan: &mut Plan, [stream, indices, _]: [Slot; 3], count: Option<Slot>| {
        let from = *plan.layout(stream);
        let to = match from.storage {
            Storage::Texture => Layout::fit(gpu.device(), from.element, from.arity, 1, from.len + 9, 1)?,
            Storage::Buffer => Layout::buffer(from.element, from.arity, from.len + 9),
        };
        plan.scatter(stream, indices, count, to)
    };
    let mut seen = moved(
        of_indices,
        &[0, 1, 64, 400, u32::MAX],
        |plan, slots| scatter(plan, slots, Some(slots[2])),
        places,
    );
    seen += moved(of_indices, &[0], |plan, slots| scatter(plan, slots, None), places);
    enough(seen, [100_000, 100_000], [50_000, 50_000]);
}

/// Numbers that [`values`] does not have.
fn other_values(element: ElementType, len: u64) -> Numbers {
    let words = values(element, len);
    let words: Vec<u32> = words.words().iter().map(|word| word ^ 0x20_0000).collect();
    Numbers::of_bytes(element, bytemuck::cast_slice(&words))
}

fn streams_joined() {
    let seen = moved(
        |element, arity| (element, arity),
        &[0, 1, 63, 400, 700, u32::MAX],
        |plan, [first, second, count]| plan.join(first, second, count),
        other_values,
    );
    enough(seen, [50_000, 50_000], [20_000, 20_000]);
}

/// Into a stream of the caller's, from a base on: items past its end are left out.
fn items_put_behind_others() {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    for (element, arity) in ITEMS {
        for from in layouts(&gpu, element, arity, 300) {
            let mut plan = Plan::new("put", sums_of(element), from);
            let one = number_beside(&gpu, &from);
            let [count, base] = ["count", "base"].map(|name| plan.further_input(name, one));
            let stream = plan.input();
            let to = match from.storage {
                Storage::Texture => Layout::fit(gpu.device(), element, arity, 1, 500, 1).unwrap(),
                Storage::Buffer => Layout::buffer(element, arity, 500),
            };
            let result = plan.write_at(stream, count, base, to).unwrap();
            let total = plan.add_counts(count, base).unwrap();
            let plan = plan.finish_with(vec![result, total]);
            let stream = values(element, 300 * u64::from(arity));
            for (count, base) in
                [(0, 0), (1, 0), (300, 0), (300, 200), (300, 300), (20, 499), (9, 700), (700, 3)]
            {
                let [count, base] = [count, base].map(|number: u32| Numbers::of(&[number]));
                seen += both(&gpu, &plan, &[&stream, &count, &base]);
            }
        }
    }
    enough(seen, [20_000, 20_000], [10_000, 10_000]);
}

/// Parts that other layouts suit than those that are given: what they read is gathered first.
fn plans_of_plans() {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    for name in ["packed", "horn", "three_phase"] {
        let choice = Choice::parse(SCAN, name).unwrap();
        if choice.card.supported(gpu.device()).is_err() {
            continue;
        }
        let part = choice.plan(&ScanSpec::new::<u32>(600), gpu.device()).unwrap().unwrap();
        for from in layouts(&gpu, ElementType::U32, 1, 600) {
            let plan = part.for_inputs(&[(from, None)]).unwrap();
            seen += both(&gpu, &plan, &[&values(ElementType::U32, 600)]);
        }
    }
    enough(seen, [10_000, 10_000], [10_000, 10_000]);
}

/// A plan of one map of the caller's.
fn mapped(from: Layout, to: Layout, map: impl Into<Map>) -> Plan {
    let mut plan = Plan::new("mapped", sums_of(from.element), from);
    let mapped = plan.map(plan.input(), "mixed", map, to).unwrap();
    plan.finish(mapped)
}

const MIXED: &str = "void map(uint from[FROM], int index, out uint to[TO]) {
    for (int i = 0; i < TO; i++) { to[i] = from[i % FROM] / 3u + uint(index * TO + i); }
}";

/// From items of up to nine words to others, of each kind of channel; floats are small, so that none is a NaN.
fn maps_with_twins() {
    let gpu = rasterscan_runner::gpu();
    let mixed = Map::new(MIXED).twin(|from, index, to| {
        let words = to.len() as u32;
        for (i, to) in (0..).zip(to) {
            *to = from[i % from.len()] / 3 + index * words + i as u32;
        }
    });
    let kinds = [(ElementType::U32, 1), (ElementType::F32, 2), (ElementType::I64, 1), (ElementType::I32, 9)];
    let mut seen = Seen::default();
    for len in [1, 65, 300] {
        let all: Vec<Layout> = kinds.iter().flat_map(|(e, arity)| layouts(&gpu, *e, *arity, len)).collect();
        for (from, to) in all.iter().flat_map(|from| all.iter().map(move |to| (*from, *to))) {
            if from.storage == to.storage {
                let stream = values(from.element, from.elements());
                seen += both(&gpu, &mapped(from, to, mixed.clone()), &[&stream]);
            }
        }
    }
    enough(seen, [20_000, 15_000], [10_000, 10_000]);
}

/// Streams of other elements, layouts and lengths, and neighbours.
fn maps_of_several_streams() {
    let gpu = rasterscan_runner::gpu();
    let text = "void map(uint from[FROM], int index, out uint to[TO]) {
        uint words[5];
        wide_words(index / 2, words);
        to[0] = from[0] + source_at(index + 1).x + words[4];
        to[1] = long_at(index - 2, uvec2(7u)).y;
    }";
    let mut seen = Seen::default();
    for len in [1, 65, 300] {
        let of = |element, arity, len| layouts(&gpu, element, arity, len);
        let (firsts, wides, longs) = (
            of(ElementType::U32, 2, len),
            of(ElementType::I32, 5, len / 3 + 1),
            of(ElementType::I64, 1, len + 9),
        );
        for (from, wide, long) in firsts.iter().flat_map(|from| {
            let longs = &longs;
            wides.iter().flat_map(move |wide| longs.iter().map(move |long| (*from, *wide, *long)))
        }) {
            if [wide, long].iter().any(|layout| layout.storage != from.storage) {
                continue;
            }
            let mut plan = Plan::new("mapped", sums_of(from.element), from);
            let [of_wide, of_long] = [wide, long].map(|layout| plan.further_input("beside", layout));
            let map = Map::new(text).stream("wide", of_wide, 1).stream("long", of_long, 1).reads(2);
            let map = map.twin_with_streams(|from, items, index, to| {
                let index = i64::from(index);
                let wide = items(1, index / 2).map_or(0, |words| words[4]);
                let next = items(0, index + 1).map_or(0, |words| words[0]);
                to[0] = from[0].wrapping_add(next).wrapping_add(wide);
                to[1] = items(2, index - 2).map_or(7, |words| words[1]);
            });
            let mapped = plan.map(plan.input(), "several", map, from).unwrap();
            let streams = [from, wide, long].map(|layout| values(layout.element, layout.elements()));
            seen += both(&gpu, &plan.finish(mapped), &[&streams[0], &streams[1], &streams[2]]);
        }
    }
    enough(seen, [3_000, 5_000], [1_500, 2_500]);
}

/// A map that is part of another pass runs as a kernel of its own.
fn fused_maps_with_twins() {
    let gpu = rasterscan_runner::gpu();
    let twice = "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = 2u * from[0]; }";
    for name in ["pairs", "two_pass"] {
        let choice = Choice::parse(REDUCE, name).unwrap();
        if choice.card.supported(gpu.device()).is_err() {
            continue;
        }
        let part = choice.plan(&ReduceSpec::new::<u32>(600), gpu.device()).unwrap().unwrap();
        let layout = *part.layout(part.input());
        let mut plan = Plan::new("twice", part.item().clone(), layout);
        let map = Map::new(twice).twin(|from, _, to| to[0] = from[0].wrapping_mul(2));
        let mapped = plan.map(plan.input(), "twice", map, layout).unwrap();
        let sums = plan.append_plan(&part, &[mapped]).unwrap();
        let plan = plan.finish_with(sums);
        assert_eq!(plan.passes().len(), part.passes().len(), "{plan}");
        let numbers = values(ElementType::U32, 600);
        let mut engine = Engine::new(&plan).unwrap();
        engine.upload(&[&numbers]).unwrap();
        engine.run().unwrap();
        let sum: u32 = numbers.words().iter().fold(0, |sum, number| sum.wrapping_add(number.wrapping_mul(2)));
        assert_eq!(engine.get(plan.output()).words(), [sum], "{name}");
    }
}

/// Without a twin a map has no kernel, and that is said before anything runs.
fn maps_without_twins() {
    let gpu = rasterscan_runner::gpu();
    for layout in layouts(&gpu, ElementType::U32, 1, 9) {
        let error = Engine::new(&mapped(layout, layout, MIXED)).unwrap_err();
        let is_told = matches!(error, rasterscan_kernels::Error::Unsupported(_));
        assert!(is_told && error.to_string().contains("has no twin (`Map::twin`)"), "{error}");
    }
}

crate::tests![
    channels_of_texels,
    copies_of_whole_streams,
    streams_in_other_layouts,
    packed_integers,
    items_taken_by_indices,
    items_put_at_indices,
    streams_joined,
    items_put_behind_others,
    plans_of_plans,
    maps_with_twins,
    maps_of_several_streams,
    fused_maps_with_twins,
    maps_without_twins,
];
