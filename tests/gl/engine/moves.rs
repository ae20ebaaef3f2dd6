//! Streams moved by indices, partitions, and scans that go on: in textures and in buffers.

use rasterscan::compact::{append, compute, partition, texture};
use rasterscan::operator::Definition;
use rasterscan::plan::{ItemType, Layout, Map, Storage, Uniform};
use rasterscan::scan::compute::ReduceThenScan;
use rasterscan::tools::problem::{COMPACT, SCAN};
use rasterscan::tools::registry::{self, Choice};
use rasterscan::tools::task::Task;
use rasterscan::{
    Algorithm, CompactSpec, Compacted, Comparison, Condition, ElementType, Error, Gpu, Moves, Operator, Plan,
    ScanSpec, scan,
    tools::{Numbers, Request, Spec},
};

use rasterscan_runner::data::mix;

use super::numbers;

/// One compaction, of indices, moves three streams: a particle's place, its speed and its age.
fn one_compaction_moves_several_streams() {
    let gpu = rasterscan_runner::gpu();
    for name in ["packed", "select", "horn"] {
        let choice = Choice::parse(COMPACT, name).unwrap();
        if choice.card.supported(gpu.device()).is_err() {
            continue;
        }
        let len = 3000;
        let old = Condition::new(Comparison::Less, 40u32);
        let spec = CompactSpec::new::<u32>(len).keep(old).moves(Moves::Indices);
        let part = choice.plan(&spec, gpu.device()).unwrap().unwrap();
        let age = part.inputs().next().unwrap();
        let mut plan = Plan::new("particles", part.item().clone(), *part.layout(age));
        let speed = plan.further_input("speed", *part.layout(age));
        let age = plan.input();
        let [indices, count] = plan.append_plan(&part, &[age]).unwrap()[..] else { panic!() };
        let moved = [age, speed].map(|stream| plan.gather(stream, indices, Some(count)).unwrap());
        let plan = plan.finish_with([&moved[..], &[count]].concat());
        let mut prepared = gpu.prepare(&plan).unwrap();
        let ages: Vec<u32> = numbers(len).iter().map(|number| number % 100).collect();
        let speeds: Vec<u32> = (0..len as u32).map(|i| i * 7).collect();
        let streams = [&ages, &speeds].map(|numbers| prepared.upload(numbers).unwrap());
        let outputs = prepared.run([&streams[0], &streams[1]]).unwrap();
        let kept: Vec<usize> = (0..len).filter(|i| ages[*i] < 40).collect();
        assert_eq!(outputs.get("count").unwrap().read::<u32>().unwrap(), [kept.len() as u32]);
        let results: Vec<Vec<u32>> =
            outputs.streams().take(2).map(|stream| stream.read_first(kept.len() as u64).unwrap()).collect();
        for (result, source) in results.iter().zip([&ages, &speeds]) {
            assert_eq!(*result, kept.iter().map(|i| source[*i]).collect::<Vec<u32>>(), "{name}");
        }
    }
}

fn partitioned<A: Algorithm<CompactSpec>>(gpu: &Gpu, algorithm: &A) {
    // Floats with NaNs, which no comparison and no opposite comparison keeps.
    let data: Vec<f32> =
        (0..2500).map(|i| if i % 11 == 0 { f32::NAN } else { (i * 37 % 1000) as f32 }).collect();
    let small = Condition::new(Comparison::Less, 400f32);
    let spec = CompactSpec::new::<f32>(data.len()).keep(small).moves(Moves::Both);
    let plan = match partition(algorithm, &spec, gpu.device()) {
        Ok(plan) => plan,
        Err(Error::Unsupported(_)) if gpu.device().compute.is_none() || !gpu.device().float_targets => return,
        Err(other) => panic!("{}: {other}", algorithm.name()),
    };
    let mut prepared = gpu.prepare(&plan).unwrap();
    let input = prepared.upload(&data).unwrap();
    let outputs = prepared.run([&input]).unwrap();
    let (first, second): (Vec<u32>, Vec<u32>) =
        (0..data.len() as u32).partition(|i| data[*i as usize] < 400.0);
    let expected = [&first[..], &second].concat();
    assert_eq!(outputs.get("count").unwrap().read::<u32>().unwrap(), [first.len() as u32]);
    assert_eq!(outputs.get("indices").unwrap().read::<u32>().unwrap(), expected, "{}", algorithm.name());
    let values: Vec<f32> = outputs.get("values").unwrap().read().unwrap();
    let bits = |value: &f32| value.to_bits();
    assert!(
        values.iter().map(bits).eq(expected.iter().map(|i| bits(&data[*i as usize]))),
        "{}",
        algorithm.name()
    );
}

fn a_partition_has_both_sides_and_the_count() {
    let gpu = rasterscan_runner::gpu();
    partitioned(&gpu, &texture::PackedCompaction::default());
    partitioned(&gpu, &texture::HornCompaction::default());
    partitioned(&gpu, &compute::Select::default());
    let masked = CompactSpec::new::<u32>(9).masked();
    assert!(partition(&texture::PackedCompaction::default(), &masked, gpu.device()).is_err());
}

/// Compactions whose kept elements go after those of the one before: on the GPU alone, and no other element is touched.
fn a_compaction_goes_on_from_a_base_count() {
    fn check<A: Algorithm<CompactSpec>>(gpu: &Gpu, algorithm: &A) {
        const ROOM: u64 = 1500;
        let spec = CompactSpec::new::<u32>(700).masked().moves(Moves::Both);
        let plan = match append(algorithm, &spec, ROOM, gpu.device()) {
            Err(Error::Unsupported(_)) => {
                assert!(gpu.device().compute.is_none(), "{}", algorithm.name());
                return;
            }
            plan => plan.unwrap(),
        };
        let mut prepared = gpu.prepare(&plan).unwrap();
        let outputs = prepared.new_outputs().unwrap();
        let untouched = vec![77u32; ROOM as usize];
        outputs[..2].iter().for_each(|stream| stream.write(&untouched).unwrap());
        let [mut base, mut next] = [3u32, 0].map(|count| prepared.upload_input(2, &[count]).unwrap());
        let mut expected = [untouched.clone(), untouched];
        let mut count = 3;
        for (number, share) in [2u64, 700, 3, 1, 1].into_iter().enumerate() {
            let data: Vec<u32> = (0..700).map(|i| mix(number as u64, i) as u32).collect();
            // With a share of 1 everything is kept: the last one goes beyond the room.
            let mask: Vec<u32> =
                (0..700).map(|i| u32::from(mix(number as u64 + 9, i).is_multiple_of(share))).collect();
            for (index, (value, _)) in data.iter().zip(&mask).enumerate().filter(|(_, (_, mask))| **mask != 0)
            {
                if count < ROOM as usize {
                    expected[0][count] = *value;
                    expected[1][count] = index as u32;
                }
                count += 1;
            }
            let [input, mask] = [(0, &data), (1, &mask)]
                .map(|(input, numbers)| prepared.upload_input(input, numbers).unwrap());
            prepared.run_into([&input, &mask, &base], [&outputs[0], &outputs[1], &next]).unwrap();
            std::mem::swap(&mut base, &mut next);
            assert_eq!(base.read::<u32>().unwrap(), [count as u32], "{}", algorithm.name());
            for (stream, expected) in outputs.iter().zip(&expected) {
                let got: Vec<u32> = stream.read().unwrap();
                let wrong = got.iter().zip(expected).position(|(got, expected)| got != expected);
                assert_eq!((wrong, got.len()), (None, expected.len()), "{}, run {number}", algorithm.name());
            }
        }
        assert!(count > ROOM as usize);
    }
    let gpu = rasterscan_runner::gpu();
    check(&gpu, &texture::PackedCompaction::default());
    check(&gpu, &texture::HornCompaction::default());
    check(&gpu, &texture::Histopyramid);
    check(&gpu, &compute::Select::default());
    let spec = CompactSpec::new::<u32>(9);
    assert!(append(&texture::PackedCompaction::default(), &spec, 1 << 40, gpu.device()).is_err());
}

/// Maps between elements and sizes of items, in front of a scan and behind it: the place of the greatest number so far.
fn items_are_mapped_before_and_after_a_scan() {
    let gpu = rasterscan_runner::gpu();
    let data: Vec<f32> = (0..700).map(|i| (mix(4, i) % 1000) as f32 - 500.0).collect();
    let higher =
        "Item combine(Item left, Item right) { if (right.a > left.a) { return right; } return left; }";
    let definition = Definition::new("higher", higher).identity(ElementType::I32, &[i32::MIN as u32, 0]);
    let spec = ScanSpec::of(ElementType::I32, 700).operator(Operator::new(definition).unwrap());
    let load = "void map(uint from[FROM], int index, out uint to[TO]) {
        to[0] = uint(int(uintBitsToFloat(from[0])));
        to[1] = uint(index);
    }";
    let store = "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = from[1]; }";
    let mut best = 0;
    let expected: Vec<u32> = (0..700)
        .map(|i| {
            best = if data[i] > data[best] { i } else { best };
            best as u32
        })
        .collect();
    for name in ["horn", "packed", "look_back"] {
        let choice = Choice::parse(SCAN, name).unwrap();
        if choice.card.supported(gpu.device()).is_err() {
            continue;
        }
        let part = choice.plan(&spec, gpu.device()).unwrap().unwrap();
        let pairs = *part.layout(part.input());
        // Four numbers to a texel: other positions than those of the pairs.
        let plain = match pairs.storage {
            Storage::Texture => Layout::fit(gpu.device(), ElementType::F32, 1, 4, 700, 1).unwrap(),
            Storage::Buffer => Layout::buffer(ElementType::F32, 1, 700),
        };
        let mut plan = Plan::new("highest", part.item().clone(), plain);
        let mapped = plan.map(plan.input(), "load", load, pairs).unwrap();
        let scanned = plan.append_plan(&part, &[mapped]).unwrap()[0];
        let result = plan.map(scanned, "store", store, plain.of(ElementType::U32)).unwrap();
        let mut prepared = gpu.prepare(&plan.finish(result)).unwrap();
        let input = prepared.upload(&data).unwrap();
        assert_eq!(prepared.run(&input).unwrap().read::<u32>().unwrap(), expected, "{name}");
    }
    // To items of nine words and of 64 bits, and back.
    let in_texels = |element, arity| Layout::fit(gpu.device(), element, arity, 1, 50, 1).unwrap();
    let [plain, wide, long] = [(ElementType::U32, 1), (ElementType::I32, 9), (ElementType::U64, 1)]
        .map(|(e, arity)| in_texels(e, arity));
    let mut plan =
        Plan::new("there and back", ItemType { element: ElementType::U32, operator: Operator::ADD }, plain);
    let spread = "void map(uint from[FROM], int index, out uint to[TO]) {
        for (int i = 0; i < TO; i++) { to[i] = from[0] * uint(i); }
    }";
    let last = "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = from[FROM - 1]; to[TO - 1] = from[7]; }";
    let nine = plan.map(plan.input(), "spread", spread, wide).unwrap();
    let two = plan.map(nine, "last", last, long).unwrap();
    let mut prepared = gpu.prepare(&plan.finish(two)).unwrap();
    let numbers: Vec<u32> = (0..50).collect();
    let input = prepared.upload(&numbers).unwrap();
    let expected: Vec<u64> = (0..50u64).map(|number| (number * 8) | ((number * 7) << 32)).collect();
    assert_eq!(prepared.run(&input).unwrap().read::<u64>().unwrap(), expected);
    // An error is one of the caller's lines, whether the text is parsed or not.
    for wrong in [" to[0] = ;", " to[0] = nothing(1u);", " to[0] = from;"] {
        let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
        let mut plan = Plan::new("broken", item, plain);
        let text = format!("void map(uint from[FROM], int index, out uint to[TO]) {{\n{wrong}\n}}");
        let broken = plan.map(plan.input(), "broken", Map::new(text), plain);
        match gpu.prepare(&plan.finish(broken.unwrap())).err() {
            Some(Error::Shader { log, .. }) => assert!(log.contains("glsl/map broken:2: "), "{wrong}: {log}"),
            other => panic!("{wrong}: {other:?}"),
        }
    }
}

/// Uniforms of maps: one that the text does not use, one that the plan does not set, also where another plan set it before.
fn uniforms_of_maps_are_set_by_their_plan() {
    let gpu = rasterscan_runner::gpu();
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let layout = Layout::fit(gpu.device(), ElementType::U32, 1, 4, 50, 1).unwrap();
    let mapped = |map: Map| {
        let mut plan = Plan::new("mapped", item.clone(), layout);
        let mapped = plan.map(plan.input(), "mapped", map, layout).unwrap();
        plan.finish(mapped)
    };
    let text = |made: &str| {
        format!("void map(uint from[FROM], int index, out uint to[TO]) {{\n to[0] = {made};\n}}\n")
    };
    // The program has no such uniform: nothing changes.
    let unused = Map::new(text("from[0] + 5u")).set("u_unused", Uniform::Int(7));
    let mut prepared = gpu.prepare(&mapped(unused)).unwrap();
    let input = prepared.upload(&[1u32; 50]).unwrap();
    for _ in 0..2 {
        assert_eq!(prepared.run(&input).unwrap().read::<u32>().unwrap(), [6; 50]);
        prepared.set("u_unused", 3i32).unwrap();
    }
    let text = format!("uniform uint u_a;\nuniform uint u_b;\n{}", text("from[0] + u_a * 10u + u_b"));
    let of_b = Map::new(text).set("u_b", Uniform::Uint(2));
    let mut prepared = gpu.prepare(&mapped(of_b.clone().set("u_a", Uniform::Uint(1)))).unwrap();
    assert_eq!(prepared.run(&input).unwrap().read::<u32>().unwrap(), [13; 50]);
    let unset = gpu.prepare(&mapped(of_b)).unwrap_err().to_string();
    assert_eq!(
        unset,
        "the shader has a uniform u_a, and its pass does not set it; give it a first value by the `set` of its map or pass"
    );
}

/// Three parts of a stream, as if on three devices: totals are exchanged between two plans.
fn a_scan_in_two_plans_is_the_whole_scan() {
    let gpu = rasterscan_runner::gpu();
    if gpu.device().compute.is_none() {
        return;
    }
    let data = numbers(6000);
    let plain = ScanSpec::new::<u32>(6000);
    let affine = ScanSpec::new::<u32>(3000).operator(Operator::AFFINE);
    for spec in [plain.clone(), plain.tuple(2).exclusive(), affine.exclusive(), affine] {
        let arity = spec.operator.arity() as usize;
        let expected = scan::sequential(&spec, &data).unwrap();
        let mut carry = spec.operator.identity::<u32, 2>()[..arity].repeat(spec.tuple as usize);
        let mut got: Vec<u32> = Vec::new();
        for part in [&data[..4000], &data[4000..4004], &data[4004..]] {
            let halves =
                ReduceThenScan::default().halves(&spec.with_len((part.len() / arity) as u64), gpu.device());
            let halves = halves.unwrap();
            let [mut reduce, mut scan] =
                [&halves.reduce, &halves.scan].map(|plan| gpu.prepare(plan).unwrap());
            let input = reduce.upload(part).unwrap();
            let before = scan.upload_input(2, &carry).unwrap();
            let outputs = reduce.run([&input]).unwrap();
            let (total, sums) = (outputs.first(), outputs.get("sums").unwrap());
            got.extend(scan.run([&input, sums, &before]).unwrap().first().read::<u32>().unwrap());
            let total: Vec<u32> = total.read().unwrap();
            for (carry, total) in carry.chunks_exact_mut(arity).zip(total.chunks_exact(arity)) {
                let item = |numbers: &[u32]| [numbers[0], numbers.get(1).copied().unwrap_or(0)];
                let sum = spec.operator.combine(item(carry), item(total)).unwrap();
                carry.copy_from_slice(&sum[..arity]);
            }
        }
        let wrong = got.iter().zip(&expected).position(|(got, expected)| got != expected);
        assert_eq!((wrong, got.len()), (None, expected.len()), "{spec}");
    }
    assert!(ReduceThenScan::default().halves(&plain.order(2), gpu.device()).is_err());
    assert!(ReduceThenScan::default().halves(&plain.with_len(0), gpu.device()).is_err());
}

/// Bytes and shorts are read packed, and scanned.
fn bytes_and_shorts_are_unpacked_and_scanned() {
    let gpu = rasterscan_runner::gpu();
    for name in ["packed", "horn", "look_back"] {
        let choice = Choice::parse(SCAN, name).unwrap();
        if choice.card.supported(gpu.device()).is_err() {
            continue;
        }
        for (bits, len) in [(8u32, 1003usize), (16, 1003), (8, 4096), (16, 1)] {
            let numbers: Vec<u32> = numbers(len).iter().map(|number| number >> (32 - bits)).collect();
            let per_word = (32 / bits) as usize;
            let word =
                |part: &[u32]| (0..).zip(part).fold(0, |word, (i, number)| word | number << (i * bits));
            let words: Vec<u32> = numbers.chunks(per_word).map(word).collect();
            let spec = ScanSpec::new::<u32>(len);
            let part = choice.plan(&spec, gpu.device()).unwrap().unwrap();
            let to = *part.layout(part.input());
            let from = to.with_len(words.len() as u64);
            let from = if to.storage == Storage::Buffer {
                Layout::buffer(to.element, 1, words.len() as u64)
            } else {
                from
            };
            let mut plan = Plan::new("bytes", part.item().clone(), from);
            let input = plan.input();
            let unpacked = plan.unpack(input, bits, to).unwrap();
            let scanned = plan.append_plan(&part, &[unpacked]).unwrap();
            assert!(
                plan.unpack(input, 4, to).is_err() && plan.unpack(input, bits, to.with_len(1 << 20)).is_err()
            );
            let plan = plan.finish_with(scanned);
            let mut prepared = gpu.prepare(&plan).unwrap();
            let input = prepared.upload(&words).unwrap();
            let got: Vec<u32> = prepared.run(&input).unwrap().read().unwrap();
            assert_eq!(got, scan::sequential(&spec, &numbers).unwrap(), "{name}, {len} of {bits} bits");
        }
    }
}

/// Bytes and shorts are uploaded to every layout of every length, and to any input.
fn bytes_and_shorts_are_uploaded() {
    let gpu = rasterscan_runner::gpu();
    let plan = |problem, name: &str, request: &Request| {
        let choice = Choice::parse(problem, name).unwrap();
        choice.card.supported(gpu.device()).ok()?;
        choice.plan(request, gpu.device()).unwrap()
    };
    for len in [0, 1, 2, 3, 4, 5, 8, 15, 255, 256, 257, 1023, 1024, 1025, 5000, 70_001] {
        let shorts: Vec<u16> = numbers(len).iter().map(|number| (number >> 16) as u16).collect();
        let bytes: Vec<u8> = shorts.iter().map(|short| *short as u8).collect();
        let request = Request::from(&ScanSpec::new::<u32>(len));
        for name in ["packed", "horn", "look_back"] {
            let Some(plan) = plan(SCAN, name, &request) else { continue };
            let mut prepared = gpu.prepare(&plan).unwrap();
            let spec = ScanSpec::new::<u32>(len);
            let streams =
                [prepared.upload_bytes(0, &bytes).unwrap(), prepared.upload_shorts(0, &shorts).unwrap()];
            let wide = [
                bytes.iter().map(|&n| n.into()).collect(),
                shorts.iter().map(|&n| n.into()).collect::<Vec<u32>>(),
            ];
            for (stream, wide) in streams.iter().zip(&wide) {
                assert_eq!(stream.read::<u32>().unwrap(), *wide, "{name}, {len}");
                let got: Vec<u32> = prepared.run(stream).unwrap().read().unwrap();
                assert_eq!(got, scan::sequential(&spec, wide).unwrap(), "{name}, {len}");
            }
            let wrong = prepared.upload_bytes(0, &[0; 7]);
            assert!(matches!(wrong, Err(Error::Length { got: 7, .. })));
            assert!(matches!(prepared.upload_shorts(1, &shorts), Err(Error::Inputs { .. })));
        }
        // A mask of bytes, in textures and in buffers that only vertices read.
        let spec = CompactSpec::new::<u32>(len).masked();
        for name in ["packed", "points", "select"] {
            let Some(plan) = plan(COMPACT, name, &Request::from(&spec)) else { continue };
            let mut prepared = gpu.prepare(&plan).unwrap();
            let mask: Vec<u8> = bytes.iter().map(|byte| byte % 3).collect();
            let (input, mask) =
                (prepared.upload_shorts(0, &shorts).unwrap(), prepared.upload_bytes(1, &mask).unwrap());
            let got = Compacted::try_from(prepared.run([&input, &mask]).unwrap())
                .unwrap()
                .read_values::<u32>()
                .unwrap();
            let kept = shorts.iter().zip(&bytes).filter(|(_, byte)| *byte % 3 != 0);
            assert_eq!(got, kept.map(|(short, _)| u32::from(*short)).collect::<Vec<_>>(), "{name}, {len}");
        }
    }
    // Offsets are checked, and other elements refused.
    let spec = ScanSpec::new::<u32>(9).segmented_by_offsets(2);
    let prepared = gpu.prepare(&plan(SCAN, "horn", &Request::from(&spec)).unwrap()).unwrap();
    assert!(prepared.upload_bytes(1, &[0, 7]).is_ok());
    assert!(matches!(prepared.upload_bytes(1, &[7, 0]), Err(Error::Spec(_))));
    let floats = gpu.prepare(&plan(SCAN, "horn", &Request::from(&ScanSpec::new::<f32>(3))).unwrap()).unwrap();
    assert!(matches!(floats.upload_bytes(0, &[1, 2, 3]), Err(Error::ElementMismatch { .. })));
}

/// Streams that do not lie alike are refused when they are put together.
fn streams_of_other_layouts_are_refused() {
    let gpu = rasterscan_runner::gpu();
    let plan = |name: &str, len| {
        let choice = Choice::parse(SCAN, name).unwrap();
        choice.plan(&ScanSpec::new::<u32>(len), gpu.device()).unwrap().unwrap()
    };
    let [packed, horn] = ["packed", "horn"].map(|name| plan(name, 4096));
    let mut plan = Plan::new("mixed", packed.item().clone(), *packed.layout(packed.input()));
    let other = plan.further_input("other", *horn.layout(horn.input()));
    let first = plan.input();
    let error = plan.join(first, other, other).unwrap_err().to_string();
    assert!(error.contains("different layouts"), "{error}");
}

fn every_scan_gives_its_total() {
    let gpu = rasterscan_runner::gpu();
    let data = Numbers::from(numbers(900));
    let (seed, seeds) = (Numbers::from(vec![1000u32]), Numbers::from(vec![5u32, 6, 7]));
    let plain = ScanSpec::new::<u32>(900);
    let specs = [
        (plain.with_total(), vec![]),
        (plain.exclusive().with_seed().with_total(), vec![seed.clone()]),
        (plain.tuple(3).with_seed().with_total(), vec![seeds]),
        (plain.operator(Operator::MAX).reversed().exclusive().with_total(), vec![]),
        (plain.with_seed().with_gpu_length().with_total(), vec![seed.clone(), Numbers::from(vec![500u32])]),
        (plain.with_seed().with_gpu_length().with_total(), vec![seed, Numbers::from(vec![0u32])]),
    ];
    let mut run = 0;
    for card in registry::of(SCAN) {
        for (spec, side_input) in &specs {
            let inputs: Vec<Numbers> = [data.clone()].into_iter().chain(side_input.iter().cloned()).collect();
            let Ok(Some(plan)) = card.with_defaults().plan(spec, gpu.device()) else { continue };
            let task = Task::new(spec, &inputs).unwrap();
            let mut ready = task.prepare(&gpu, &plan).unwrap();
            let results = task.run(&mut ready).unwrap();
            let verified = task.verify(Some(plan.cost().depth), &results);
            verified.unwrap_or_else(|wrong| panic!("{}, {spec}: {wrong}\n{plan}", card.name));
            run += 1;
        }
    }
    assert!(run >= 24, "{run} runs");
    // The reference itself.
    let inputs = [&data];
    let solved = Request::from(&plain.with_total()).solve(&inputs).unwrap();
    let sum: u32 = numbers(900).iter().fold(0, |sum, number| sum.wrapping_add(*number));
    assert_eq!(*solved.get("total").unwrap(), Numbers::from(vec![sum]));
    assert!(
        Spec::check(&plain.rows(9).with_total()).is_err()
            && Spec::check(&plain.order(2).with_total()).is_err()
    );
}

fn a_scan_goes_on_from_chunk_to_chunk() {
    let gpu = rasterscan_runner::gpu();
    let data = numbers(5000);
    for spec in [ScanSpec::new::<u32>(0), ScanSpec::new::<u32>(0).exclusive().operator(Operator::AFFINE)] {
        let mut chunks = gpu.scan_chunks::<u32>(&spec).unwrap();
        let mut got = Vec::new();
        for part in [1000usize, 1000, 2, 0, 998, 1000, 1000] {
            let from = got.len();
            got.extend(chunks.next_chunk(&data[from..from + part]).unwrap());
        }
        let arity = spec.operator.arity() as usize;
        let whole = spec.with_len((data.len() / arity) as u64);
        assert_eq!(got, scan::sequential(&whole, &data).unwrap(), "{spec}");
        let inclusive = scan::sequential(&whole.kind(rasterscan::ScanKind::Inclusive), &data).unwrap();
        assert_eq!(chunks.total().unwrap(), inclusive[data.len() - arity..]);
    }
    assert!(gpu.scan_chunks::<u32>(&ScanSpec::new::<u32>(0).order(2)).is_err());
    assert!(gpu.scan_chunks::<i32>(&ScanSpec::new::<u32>(0)).is_err());
    // From an iterator, and from streams on the GPU in layouts of their own, of which a texture has another than the plan.
    let spec = ScanSpec::new::<u32>(0);
    let whole = scan::sequential(&spec.with_len(5000), &data).unwrap();
    let mut chunks = gpu.scan_chunks::<u32>(&spec).unwrap();
    let got: Result<Vec<Vec<u32>>, Error> = chunks.over(data.chunks(1300)).collect();
    assert_eq!(got.unwrap().concat(), whole);
    let mut chunks = gpu.scan_chunks::<u32>(&spec).unwrap();
    let mut got = Vec::new();
    for (number, chunk) in data.chunks(1250).enumerate() {
        let layout = Layout::texture(ElementType::U32, 1, 50, 25);
        let stream = gpu.upload(&layout, chunk).unwrap();
        let scanned = chunks.next_stream(&stream).unwrap();
        got.push(scanned.clone());
        assert_eq!(chunks.total().unwrap(), [whole[1250 * (number + 1) - 1]]);
    }
    // A result is a stream of its own, which later chunks leave alone.
    let got: Vec<u32> = got.iter().flat_map(|stream| stream.read::<u32>().unwrap()).collect();
    assert_eq!(got, whole);
    let mut tuples = gpu.scan_chunks::<u32>(&ScanSpec::new::<u32>(0).tuple(4)).unwrap();
    assert!(tuples.next_chunk(&[1, 2, 3]).is_err());
    assert_eq!(tuples.next_chunk(&[1, 2, 3, 4, 1, 1, 1, 1]).unwrap(), [1, 2, 3, 4, 2, 3, 4, 5]);
}

crate::tests![
    uniforms_of_maps_are_set_by_their_plan,
    one_compaction_moves_several_streams,
    a_partition_has_both_sides_and_the_count,
    items_are_mapped_before_and_after_a_scan,
    a_compaction_goes_on_from_a_base_count,
    streams_of_other_layouts_are_refused,
    a_scan_in_two_plans_is_the_whole_scan,
    bytes_and_shorts_are_unpacked_and_scanned,
    bytes_and_shorts_are_uploaded,
    every_scan_gives_its_total,
    a_scan_goes_on_from_chunk_to_chunk,
];
