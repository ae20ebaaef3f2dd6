//! Items by index in shaders of the caller's (`#include <streams>`), maps of several streams, and maps in the loads of the
//! passes that read them.

use rasterscan::plan::{Access, ItemType, Lanes, Layout, Map, Primitives, Shader, Slot, Storage};
use rasterscan::tools::problem::{COMPACT, REDUCE, SCAN};
use rasterscan::tools::{Numbers, Request, registry};
use rasterscan::{
    CompactSpec, Comparison, Condition, ElementType, Error, Gpu, Moves, Operator, Plan, Prepared, ReduceSpec,
    ScanSpec, Stream, for_element,
};

use rasterscan_runner::data::mix;

const U32: ItemType = ItemType { element: ElementType::U32, operator: Operator::ADD };

/// Elements of one word and of two, and items of up to nine words.
const ITEMS: [(ElementType, u32); 8] = [
    (ElementType::U32, 1),
    (ElementType::F32, 1),
    (ElementType::I64, 1),
    (ElementType::I32, 2),
    (ElementType::F32, 3),
    (ElementType::U32, 4),
    (ElementType::U64, 2),
    (ElementType::I32, 9),
];

/// Textures of widths that are powers of two and not, with one item to a texel and with as many as fit; and a buffer.
fn layouts(gpu: &Gpu, element: ElementType, arity: u32, len: u64) -> Vec<Layout> {
    let words = element.words() * arity;
    let fit = |items| Layout::fit(gpu.device(), element, arity, items, len, 1).unwrap();
    let odd = Layout { width: 7, ..fit(1) }.with_len(len);
    let mut all = vec![fit(1), odd, fit((4 / words).max(1)), fit((2 / words).max(1))];
    if words == 9 && gpu.device().max_targets < 3 || element.is_float() && !gpu.device().float_targets {
        all.clear();
    }
    all.push(Layout::buffer(element, arity, len));
    all.dedup();
    all
}

/// Small integers, so that floats of them are exact and no bits are those of a NaN or of a subnormal.
fn numbers(element: ElementType, len: u64) -> Numbers {
    let of = |i: u64| (mix(7, i) % 1000) as u32;
    match element {
        ElementType::U32 => Numbers::from((0..len).map(of).collect::<Vec<u32>>()),
        ElementType::I32 => Numbers::from((0..len).map(|i| of(i) as i32 - 500).collect::<Vec<i32>>()),
        ElementType::F32 => Numbers::from((0..len).map(|i| of(i) as f32 - 500.0).collect::<Vec<f32>>()),
        ElementType::U64 => Numbers::from((0..len).map(|i| mix(8, i)).collect::<Vec<u64>>()),
        ElementType::I64 => Numbers::from((0..len).map(|i| mix(9, i) as i64).collect::<Vec<i64>>()),
    }
}

fn upload(prepared: &Prepared, input: usize, data: &Numbers) -> Stream {
    for_element!(data.element(), T => prepared.upload_input(input, data.get::<T>().unwrap()).unwrap())
}

/// A checksum of the words of an item and of its neighbours: 0 outside.
const SUM: &str = "
uint sum(int index) {
    uint all = 0u;
    for (int place = index - 1; place <= index + 1; place++) {
        uint words[WORDS];
        keys_words(place, words);
        for (int i = 0; i < WORDS; i++) { all = all * 31u + words[i]; }
    }
    return all;
}
";

fn sums(words: &[u32], count: usize) -> Vec<u32> {
    let items: Vec<&[u32]> = words.chunks(count).collect();
    let nothing = vec![0; count];
    let of = |index: usize| {
        let at = |place: usize| if place == 0 { None } else { items.get(place - 1).copied() };
        let around = (index..index + 3).map(|place| at(place).unwrap_or(&nothing));
        around.flatten().fold(0u32, |all, word| all.wrapping_mul(31).wrapping_add(*word))
    };
    (0..items.len()).map(of).collect()
}

/// One text for all layouts, in fragments, vertices and work groups.
fn every_layout_is_read_by_index() {
    let gpu = rasterscan_runner::gpu();
    let mut read = 0;
    for (element, arity) in ITEMS {
        for len in [1u64, 2, 66, 301] {
            for layout in layouts(&gpu, element, arity, len) {
                let words = element.words() * arity;
                let in_texture = layout.storage == Storage::Texture;
                let data = numbers(element, len * u64::from(arity));
                let expected = sums(data.words(), words as usize);
                let new = || Plan::new("sums", U32, layout);
                let mut plans = Vec::new();
                if in_texture || gpu.device().max_buffer_texels > 0 && [1, 2, 4].contains(&words) {
                    let to = Layout {
                        width: 5,
                        ..Layout::fit(gpu.device(), ElementType::U32, 1, 1, len, 1).unwrap()
                    };
                    let to = to.with_len(len);
                    let mut plan = new();
                    let (keys, sums) = (plan.input(), plan.slot("sums", to));
                    let text = format!(
                        "#include <streams>\n{SUM}layout(location = 0) out uvec4 o_sum;\n\
                         void main() {{ o_sum = uvec4(sum(target_index())); }}\n"
                    );
                    plan.draw("sums", Shader::new("sums.frag", text))
                        .define("WORDS", words.into())
                        .read("u_keys", keys)
                        .write(sums);
                    plans.push(plan.finish(sums));
                    // Each item as a point, whose vertex reads it.
                    let mut plan = new();
                    let (keys, sums) = (plan.input(), plan.slot("sums", to));
                    let text = format!(
                        "#include <streams>\n{SUM}flat out uint v_sum;\n\
                         void main() {{ v_sum = sum(gl_VertexID); target_point(gl_VertexID); }}\n"
                    );
                    let point = "flat in uint v_sum;\nlayout(location = 0) out uvec4 o_sum;\n\
                                 void main() { o_sum = uvec4(v_sum); }\n";
                    plan.draw_vertices(
                        "sums",
                        Primitives::Points(len),
                        Shader::new("sums.vert", text),
                        Shader::new("point.frag", point),
                    )
                    .define("WORDS", words.into())
                    .read("u_keys", keys)
                    .write(sums);
                    plans.push(plan.finish(sums));
                }
                if !in_texture && gpu.device().compute.is_some() {
                    let mut plan = new();
                    let (keys, sums) =
                        (plan.input(), plan.slot("sums", Layout::buffer(ElementType::U32, 1, len)));
                    let text = format!(
                        "#include <streams>\n{SUM}layout(local_size_x = GROUP) in;\n\
                         void main() {{ int i = invocation_index(); target_put(i, sum(i)); }}\n"
                    );
                    plan.dispatch(
                        "sums",
                        Shader::new("sums.comp", text),
                        Lanes::Serial,
                        32,
                        len.div_ceil(32),
                    )
                    .define("WORDS", words)
                    .bind("KEYS", keys, Access::Read)
                    .bind("TARGET", sums, Access::Write);
                    plans.push(plan.finish(sums));
                }
                for plan in plans {
                    let mut prepared = gpu.prepare(&plan).unwrap_or_else(|error| panic!("{layout}: {error}"));
                    let input = upload(&prepared, 0, &data);
                    let got = prepared.run(&input).unwrap().read::<u32>().unwrap();
                    assert_eq!(got, expected, "{layout}\n{plan}");
                    read += got.len();
                }
            }
        }
    }
    assert!(read > 20_000, "{read}");
}

/// An item as a number or a vector, with another value outside; and a store of each.
fn items_are_numbers_and_vectors() {
    let gpu = rasterscan_runner::gpu();
    let cases = [
        (ElementType::F32, 1, "float", "1.0", "floatBitsToUint(x)"),
        (ElementType::I32, 1, "int", "-2", "uint(x)"),
        (ElementType::I32, 2, "ivec2", "ivec2(3, 4)", "uint(x.x * 7 + x.y)"),
        (ElementType::U64, 1, "uvec2", "uvec2(3u, 4u)", "x.x * 7u + x.y"),
        (ElementType::F32, 4, "vec4", "vec4(2.0)", "uint(int(x.x + 2.0 * x.w))"),
    ];
    for (element, arity, kind, outside, number) in cases {
        for layout in layouts(&gpu, element, arity, 40) {
            if layout.storage == Storage::Buffer && gpu.device().compute.is_none() {
                continue;
            }
            let to = match layout.storage {
                Storage::Texture => Layout::fit(gpu.device(), ElementType::U32, 1, 4, 40, 1).unwrap(),
                Storage::Buffer => Layout::buffer(ElementType::U32, 1, 40),
            };
            let text = format!(
                "void map(uint from[FROM], int index, out uint to[TO]) {{\n    \
                     {kind} x = source_at(index - 39 + index, {outside});\n    to[0] = {number};\n}}"
            );
            let mut plan = Plan::new("far", U32, layout);
            let mapped = plan.map(plan.input(), "far", Map::new(text).reads(2), to).unwrap();
            let mut prepared = gpu.prepare(&plan.finish(mapped)).unwrap();
            let data = numbers(element, layout.elements());
            let words = data.words();
            let input = upload(&prepared, 0, &data);
            let got = prepared.run(&input).unwrap().read::<u32>().unwrap();
            let count = (element.words() * arity) as usize;
            let float = |word: u32| f32::from_bits(word);
            let expected = (0..40usize).map(|index| {
                let item = (2 * index).checked_sub(39).filter(|at| *at < 40);
                let item = item.map(|at| &words[at * count..(at + 1) * count]);
                match (kind, item) {
                    ("float", item) => item.map_or(1f32.to_bits(), |item| item[0]),
                    ("int", item) => item.map_or(-2i32 as u32, |item| item[0]),
                    ("vec4", None) => 6,
                    ("vec4", Some(item)) => (float(item[0]) + 2.0 * float(item[3])) as i32 as u32,
                    (_, None) => 25,
                    (_, Some(item)) => item[0].wrapping_mul(7).wrapping_add(item[1]),
                }
            });
            assert_eq!(got, expected.collect::<Vec<_>>(), "{layout}, {kind}");
        }
    }
}

const ZIP: &str = "void map(uint from[FROM], int index, out uint to[TO]) {
    uint before = uint(source_at(index - 1, -5));
    uint weight = uint(weight_at(index).y + weight_at(index + 1, vec2(9.0)).x + 2000.0);
    to[0] = from[0] + 3u * before + weight * far_at(index / 2).x;
}";

/// The results of [`ZIP`] on three streams of other elements and lengths.
fn zipped(first: &[i32], weights: &[f32], far: &[u64]) -> Vec<u32> {
    let of = |index: usize| {
        let before = if index == 0 { -5 } else { first[index - 1] } as u32;
        let next = weights.get(2 * index + 2).copied().unwrap_or(9.0);
        let weight = (weights[2 * index + 1] + next + 2000.0) as u32;
        let far = far.get(index / 2).copied().unwrap_or(0) as u32;
        (first[index] as u32).wrapping_add(before.wrapping_mul(3)).wrapping_add(weight.wrapping_mul(far))
    };
    (0..first.len()).map(of).collect()
}

/// The map of three streams in front of a plan, in layouts that differ from each other and from the plan's; with the numbers.
fn in_front(part: &Plan, len: u64) -> (Plan, [Numbers; 3], Vec<u32>) {
    let to = *part.layout(part.input());
    let other = |element, arity: u32, len, items| match to.storage {
        Storage::Texture => Layout { width: 9, arity, items_per_texel: items, element, ..to }.with_len(len),
        Storage::Buffer => Layout::buffer(element, arity, len),
    };
    let half = (len / 2).max(1) - u64::from(len > 8);
    let layouts = [
        other(ElementType::I32, 1, len, 4),
        other(ElementType::F32, 2, len, 1),
        other(ElementType::U64, 1, half, 2),
    ];
    let data = layouts.map(|layout| numbers(layout.element, layout.elements()));
    let mut plan = Plan::new("zipped", part.item().clone(), layouts[0]);
    let [weights, far] =
        [("weights", layouts[1]), ("far", layouts[2])].map(|(name, of)| plan.further_input(name, of));
    let map = Map::new(ZIP).stream("weight", weights, 2).stream("far", far, 1).reads(2);
    let mapped = plan.map(plan.input(), "zip", map, to).unwrap();
    let outputs = plan.append_plan(part, &[mapped]).unwrap();
    let expected = zipped(data[0].get().unwrap(), data[1].get().unwrap(), data[2].get().unwrap());
    (plan.finish_with(outputs), data, expected)
}

/// Returns true for an algorithm over buffers on a device without compute shaders, which has no maps over them.
fn lacks_maps(gpu: &Gpu, part: &Plan) -> bool {
    part.layout(part.input()).storage == Storage::Buffer && gpu.device().compute.is_none()
}

/// The words of all results; of a compaction, those that there are.
fn results(gpu: &Gpu, plan: &Plan, data: &[Numbers; 3]) -> Vec<Vec<u32>> {
    let mut prepared = gpu.prepare(plan).unwrap_or_else(|error| panic!("{error}\n{plan}"));
    let inputs: Vec<_> = (0..).zip(data).map(|(number, data)| upload(&prepared, number, data)).collect();
    let outputs = prepared.run([&inputs[0], &inputs[1], &inputs[2]]).unwrap();
    let count = outputs.get("count").map(|count| u64::from(count.read::<u32>().unwrap()[0]));
    let read = |(slot, stream): (&Slot, &Stream)| match count {
        Some(count) if plan.slots()[slot.index()].name != "count" => stream.read_first::<u32>(count).unwrap(),
        _ => stream.read::<u32>().unwrap(),
    };
    plan.outputs().iter().zip(outputs.streams()).map(read).collect()
}

/// All algorithms over a map of three streams: in a pass of its own and, where it is possible, as part of the pass that
/// loads it.
fn every_algorithm_over_a_map_fused_and_not() {
    let gpu = rasterscan_runner::gpu();
    let mut fused_by = Vec::new();
    let mut runs = 0;
    for len in [1u64, 257, 3000] {
        let keep = Condition::new(Comparison::Less, 1u32 << 31);
        let scan = ScanSpec::new::<u32>(len as usize);
        let compact = CompactSpec::new::<u32>(len as usize).keep(keep).moves(Moves::Both);
        let reduce = ReduceSpec::new::<u32>(len as usize);
        let requests: [(_, Vec<Request>); 3] = [
            (SCAN, [scan.clone(), scan.exclusive().order(2)].iter().map(Request::from).collect()),
            (COMPACT, vec![Request::from(&compact)]),
            (REDUCE, vec![Request::from(&reduce)]),
        ];
        for (problem, requests) in requests {
            for (card, request) in
                registry::of(problem).flat_map(|card| requests.iter().map(move |r| (card, r)))
            {
                let part = match card.with_defaults().plan(request.clone(), gpu.device()) {
                    Ok(Some(part)) => part,
                    Ok(None) | Err(Error::Unsupported(_)) => continue,
                    Err(other) => panic!("{}, {}: {other}", card.name, request.spec()),
                };
                if lacks_maps(&gpu, &part) {
                    continue;
                }
                let (plan, data, mapped) = in_front(&part, len);
                let apart = plan.unfused();
                assert_eq!(apart.passes().len(), part.passes().len() + 1, "{plan}");
                let got = results(&gpu, &plan, &data);
                assert_eq!(got, results(&gpu, &apart, &data), "{}, {}\n{plan}", card.name, request.spec());
                let solved = request.solve(&[&Numbers::from(mapped)]).unwrap();
                let names = plan.outputs().iter().map(|slot| plan.slots()[slot.index()].name.clone());
                for (name, got) in names.zip(got) {
                    if let Some(expected) = solved.get(&name) {
                        assert_eq!(*expected, Numbers::from(got), "{}, {}", card.name, request.spec());
                    }
                }
                if plan.passes().len() < apart.passes().len() {
                    let listing = plan.to_string();
                    assert!(listing.contains(" with map zip"), "{listing}");
                    assert!(plan.cost().words_moved() <= apart.cost().words_moved(), "{listing}");
                    if len == 3000 {
                        fused_by.push(format!("{} {}", problem.name, card.name));
                    }
                }
                runs += 1;
            }
        }
    }
    fused_by.sort_unstable();
    fused_by.dedup();
    println!("{runs} runs, fused: {}", fused_by.join(", "));
    // Horn's first step would read each item of the three streams twice.
    let mut expected = vec!["reduce packed", "reduce pairs"];
    if gpu.device().compute.is_some() {
        expected.extend([
            "compact select",
            "reduce single_pass",
            "reduce two_pass",
            "scan chained",
            "scan look_back",
            "scan sam",
            "scan three_phase",
        ]);
    }
    expected.sort_unstable();
    assert_eq!(fused_by, expected);
}

/// A condition on several streams: a mask that a map computes, as part of the pass that decides where only one does.
fn compactions_by_a_condition_on_several_streams() {
    let gpu = rasterscan_runner::gpu();
    let above = "void map(uint from[FROM], int index, out uint to[TO]) {
        to[0] = uint(source_at(index) > limit_at(index) && source_at(index) > source_at(index - 1));
    }";
    let mut fused_by = Vec::new();
    for card in registry::of(COMPACT) {
        for len in [1u64, 300, 2500] {
            let spec = CompactSpec::new::<u32>(len as usize).masked().moves(Moves::Both);
            let part = match card.with_defaults().plan(&spec, gpu.device()) {
                Ok(Some(part)) => part,
                Ok(None) | Err(Error::Unsupported(_)) => continue,
                Err(other) => panic!("{}: {other}", card.name),
            };
            if lacks_maps(&gpu, &part) {
                continue;
            }
            let [stream, mask] = [0, 1].map(|number| *part.layout(part.inputs().nth(number).unwrap()));
            let mut plan = Plan::new("above", part.item().clone(), stream);
            let limits = plan.further_input("limits", mask.of(ElementType::I32));
            let numbers = plan.further_input("numbers", mask.of(ElementType::I32));
            let map = Map::new(above).stream("limit", limits, 1).reads(4);
            let kept = plan.map(numbers, "above", map, mask).unwrap();
            let outputs = plan.append_plan(&part, &[plan.input(), kept]).unwrap();
            let plan = plan.finish_with(outputs);
            let of = |salt, i| (mix(salt, i) % 100) as i32 - 50;
            let [limits, numbers] = [3, 4].map(|salt| (0..len).map(|i| of(salt, i)).collect::<Vec<i32>>());
            let values: Vec<u32> = (0..len as u32).map(|i| i * 3).collect();
            let data = [values.into(), limits.clone().into(), numbers.clone().into()];
            let is_kept = |i: &u32| {
                let (at, before) = (*i as usize, i.checked_sub(1).map_or(0, |i| numbers[i as usize]));
                numbers[at] > limits[at] && numbers[at] > before
            };
            let expected: Vec<u32> = (0..len as u32).filter(is_kept).collect();
            for plan in [plan.unfused(), plan.clone()] {
                let got = results(&gpu, &plan, &data);
                let count = got.iter().find(|words| **words == [expected.len() as u32]);
                assert!(count.is_some(), "{}, {} kept\n{plan}", card.name, expected.len());
                let values: Vec<u32> = expected.iter().map(|i| i * 3).collect();
                assert!(got.contains(&values) && got.contains(&expected), "{}\n{plan}", card.name);
            }
            if plan.passes().len() < plan.unfused().passes().len() && len == 2500 {
                fused_by.push(card.name);
            }
        }
    }
    println!("fused: {}", fused_by.join(", "));
    assert!(fused_by.contains(&"packed"), "{fused_by:?}");
    assert_eq!(fused_by.contains(&"select"), gpu.device().compute.is_some(), "{fused_by:?}");
}

/// A map whose result is read twice, is a result, or changes before it is read, stays a pass.
fn maps_that_others_read_stay_passes() {
    let gpu = rasterscan_runner::gpu();
    let card = registry::of(REDUCE).find(|card| card.name == "packed").unwrap();
    let part = card.with_defaults().plan(&ReduceSpec::new::<u32>(300), gpu.device()).unwrap().unwrap();
    let layout = *part.layout(part.input());
    let twice = "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = 2u * from[0]; }";
    let plan = |as_result: bool, both: bool| {
        let mut plan = Plan::new("twice", part.item().clone(), layout);
        let mapped = plan.map(plan.input(), "twice", twice, layout).unwrap();
        let mut outputs = plan.append_plan(&part, &[mapped]).unwrap();
        if both {
            outputs.extend(plan.append_plan(&part, &[mapped]).unwrap());
        }
        if as_result {
            outputs.push(mapped);
        }
        plan.finish_with(outputs)
    };
    let passes = |plan: &Plan| plan.passes().len();
    let fused = plan(false, false);
    assert_eq!(passes(&fused), passes(&part), "{fused}");
    let horn = registry::of(SCAN).find(|card| card.name == "horn").unwrap();
    let horn =
        horn.with_defaults().plan(&ScanSpec::new::<u32>(300).exclusive(), gpu.device()).unwrap().unwrap();
    let single = *horn.layout(horn.input());
    let mut of_horn = Plan::new("twice", horn.item().clone(), single);
    let mapped = of_horn.map(of_horn.input(), "twice", twice, single).unwrap();
    let sums = of_horn.append_plan(&horn, &[mapped]).unwrap();
    let of_horn = of_horn.finish_with(sums);
    assert_eq!(passes(&of_horn), passes(&horn), "{of_horn}");
    let [got, apart] = [of_horn.clone(), of_horn.unfused()].map(|plan| {
        let mut prepared = gpu.prepare(&plan).unwrap();
        let input = prepared.upload(&[3u32; 300]).unwrap();
        prepared.run(&input).unwrap().read::<u32>().unwrap()
    });
    assert_eq!(got, (0..300).map(|i| 6 * i).collect::<Vec<u32>>());
    assert_eq!(got, apart);
    assert_eq!(passes(&plan(true, false)), passes(&part) + 1);
    assert_eq!(passes(&plan(false, true)), 2 * passes(&part) + 1);
    // A fused pass reads as much as its cost says, or less at the ends.
    for plan in [&fused, &of_horn] {
        let mut prepared = gpu.prepare(plan).unwrap();
        let input = prepared.upload(&[3u32; 300]).unwrap();
        let trace = prepared.record(&input).unwrap();
        // Those of fragments past the last item do not count.
        let texels = plan.layout(plan.passes()[0].writes()[0]).texels() as usize;
        let reads = trace.steps[0].recorded.reads.iter().flat_map(|reads| reads.iter());
        let reads: u64 = reads.filter(|(at, _)| *at < texels).map(|(_, places)| places.len() as u64).sum();
        let stated = plan.passes()[0].cost.texels_read;
        assert!(reads <= stated && 10 * reads > 8 * stated, "{reads} reads\n{plan}");
    }
    // As part of another plan it is fused as before, and can be taken apart.
    let mut outer = Plan::new("outer", part.item().clone(), layout);
    outer.slot("unused", layout);
    let sums = outer.append_plan(&fused, &[outer.input()]).unwrap();
    let outer = outer.finish_with(sums);
    for plan in [outer.unfused(), outer] {
        let mut prepared = gpu.prepare(&plan).unwrap();
        let input = prepared.upload(&[3u32; 300]).unwrap();
        assert_eq!(prepared.run(&input).unwrap().read::<u32>().unwrap(), [1800], "{plan}");
    }
}

fn maps_of_streams_are_checked() {
    let gpu = rasterscan_runner::gpu();
    let layout = Layout::fit(gpu.device(), ElementType::U32, 1, 1, 9, 1).unwrap();
    let refused = |names: &[&str], other: Layout| {
        let mut plan = Plan::new("refused", U32, layout);
        let slot = plan.further_input("other", other);
        let map = names.iter().fold(Map::new(""), |map, name| map.stream(name.to_string(), slot, 1));
        plan.map(plan.input(), "refused", map, layout).unwrap_err().to_string()
    };
    for names in [&["a", "b", "c", "d"][..], &["a b"], &["1a"], &[""]] {
        assert!(refused(names, layout).contains("at most four streams"), "{names:?}");
    }
    assert!(refused(&["a"], Layout::buffer(ElementType::U32, 1, 9)).contains("different layouts"));
    // A shader that asks for a stream that it lacks is told where.
    let mut plan = Plan::new("broken", U32, layout);
    let broken = plan.slot("broken", layout);
    let text = "#include <streams>\nlayout(location = 0) out uvec4 o_sum;\n\nvoid main() { o_sum = uvec4(values_at(0)); }\n";
    let input = plan.input();
    plan.draw("broken", Shader::new("broken.frag", text)).read("u_keys", input).write(broken);
    match gpu.prepare(&plan.finish(broken)).err() {
        Some(Error::Shader { log, .. }) => assert!(log.contains("glsl/broken.frag:4"), "{log}"),
        other => panic!("{other:?}"),
    }
}

/// Items go to their indices; what is past the end is left out, and what is not written is 0.
fn items_are_put_at_their_indices() {
    let gpu = rasterscan_runner::gpu();
    let in_texture = |len, items| Layout::fit(gpu.device(), ElementType::I64, 1, items, len, 1).unwrap();
    let buffers = [5, 8].map(|len| Layout::buffer(ElementType::I64, 1, len));
    let textures = [in_texture(5, 2), in_texture(8, 1)];
    for [from, to] in [textures, buffers] {
        if to.storage == Storage::Buffer && gpu.device().compute.is_none() {
            continue;
        }
        let mut plan =
            Plan::new("scatter", ItemType { element: ElementType::I64, operator: Operator::ADD }, from);
        let indices = plan.further_input("indices", from.of(ElementType::U32));
        let put = plan.scatter(plan.input(), indices, None, to).unwrap();
        assert!(plan.scatter(plan.input(), indices, None, to.of(ElementType::U32)).is_err());
        let mut prepared = gpu.prepare(&plan.finish(put)).unwrap();
        let values = prepared.upload(&[-1i64, -2, -3, -4, -5]).unwrap();
        let indices = prepared.upload_input(1, &[7u32, 0, 8, u32::MAX, 4]).unwrap();
        for _ in 0..2 {
            let got = prepared.run([&values, &indices]).unwrap().first().read::<i64>().unwrap();
            assert_eq!(got, [-2, 0, 0, 0, -5, 0, 0, -1], "{to}");
        }
    }
}

crate::tests![
    every_layout_is_read_by_index,
    items_are_numbers_and_vectors,
    every_algorithm_over_a_map_fused_and_not,
    compactions_by_a_condition_on_several_streams,
    maps_that_others_read_stay_passes,
    maps_of_streams_are_checked,
    items_are_put_at_their_indices,
];
