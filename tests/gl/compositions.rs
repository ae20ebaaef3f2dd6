//! Compositions of scans, reductions and sorts: runs and their expansion, partitions by classes; in textures and
//! in buffers, against the same on the CPU.

use std::sync::Arc;

use rasterscan::algorithm::{Arguments, Placement};
use rasterscan::plan::{ItemType, Map, Shader};
use rasterscan::sort::{CARDS, partition};
use rasterscan::{
    Algorithm, Element, ElementType, Error, Gpu, Operator, Plan, Prepared, SortSpec, Stream, reduce, scan,
};
use rasterscan_runner::data::mix;

/// Around a word of flags, a row of a texture, and a block of a scan.
const LENGTHS: [usize; 12] = [1, 2, 31, 32, 33, 255, 256, 257, 1023, 1025, 5000, 70_001];

/// Textures of one item and of four to a texel, and buffers where the device has them.
fn placements(gpu: &Gpu, element: ElementType) -> Vec<Placement> {
    let texture = |items_per_texel| Placement::Texture { items_per_texel, unit: 1 };
    let is_drawn = !element.is_float() || gpu.device().float_targets;
    let textures = [1, 4 / element.words()].map(texture).into_iter().filter(|_| is_drawn);
    textures.chain(gpu.device().compute.is_some().then_some(Placement::Buffer)).collect()
}

fn item(element: ElementType) -> ItemType {
    ItemType { element, operator: Operator::MAX }
}

/// Numbers in runs of about `mean`; some runs are of 300.
fn in_runs<T: Element>(len: usize, mean: u64, number: impl Fn(u64) -> T) -> Vec<T> {
    let mut run = 0;
    let next = |index: usize| {
        let is_long = index / 300 % 5 == 4;
        run +=
            u64::from(mix(3, index as u64).is_multiple_of(mean) && (!is_long || index.is_multiple_of(300)));
        number(run)
    };
    (0..len).map(next).collect()
}

fn bits<T: Element>(number: &T) -> Vec<u8> {
    bytemuck::bytes_of(number).to_vec()
}

fn cpu_runs<T: Element>(data: &[T]) -> (Vec<T>, Vec<u32>) {
    let runs: Vec<&[T]> = data.chunk_by(|a, b| bits(a) == bits(b)).collect();
    (runs.iter().map(|run| run[0]).collect(), runs.iter().map(|run| run.len() as u32).collect())
}

fn same<T: Element>(got: &[T], expected: &[T], of: &str) {
    assert!(got.iter().map(bits).eq(expected.iter().map(bits)), "{of}: {got:?}, expected {expected:?}");
}

/// Finds the runs of a stream and expands them again, in one plan: the count of runs stays on the GPU.
fn there_and_back<T: Element>(gpu: &Gpu, data: &[T], placement: Placement) {
    let (device, len) = (gpu.device(), data.len() as u64);
    let of = format!("{len} {}, {placement}", T::TYPE);
    let mut plan = Plan::new("runs", item(T::TYPE), placement.layout(device, T::TYPE, 1, len).unwrap());
    let keys = plan.input();
    let runs = reduce::runs(&mut plan, keys, device).unwrap();
    let lengths = runs.lengths(&mut plan).unwrap();
    let back = scan::expand(&mut plan, runs.values, lengths, Some(runs.count), len, device).unwrap();
    plan.rename(back.values, "back");
    plan.rename(back.count, "total");
    let results = vec![runs.values, runs.starts, lengths, runs.count, back.values, back.runs, back.count];
    let mut prepared =
        gpu.prepare(&plan.finish_with(results)).unwrap_or_else(|error| panic!("{of}: {error}"));
    let input = prepared.upload(data).unwrap();
    let results = prepared.run([&input]).unwrap();
    let (values, lengths) = cpu_runs(data);
    let count = values.len() as u64;
    assert_eq!(results["count"].read::<u32>().unwrap(), [count as u32], "{of}");
    same(&results["values"].read_first::<T>(count).unwrap(), &values, &of);
    assert_eq!(results["lengths"].read_first::<u32>(count).unwrap(), lengths, "{of}");
    let ends = lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end - length)
    });
    assert_eq!(results["starts"].read_first::<u32>(count).unwrap(), ends.collect::<Vec<u32>>(), "{of}");
    assert_eq!(results["total"].read::<u32>().unwrap(), [len as u32], "{of}");
    same(&results["back"].read::<T>().unwrap(), data, &of);
    let numbers: Vec<u32> =
        (0..).zip(&lengths).flat_map(|(run, length)| std::iter::repeat_n(run, *length as usize)).collect();
    assert_eq!(results["runs"].read::<u32>().unwrap(), numbers, "{of}");
}

fn runs_are_found_and_expanded() {
    let gpu = rasterscan_runner::gpu();
    for placement in placements(&gpu, ElementType::U32) {
        for len in LENGTHS {
            // Runs of one, short runs, and one run of all.
            for mean in [1, 3, 40, u64::MAX] {
                there_and_back(&gpu, &in_runs(len, mean, |run| mix(1, run) as u32), placement);
            }
        }
    }
    // Neighbours that differ in one word only, zeros of both signs, and NaN.
    let wide = [0u64, 1 << 32, 1, 1 << 63, u64::MAX];
    let floats = [0.0, -0.0, f32::NAN, f32::INFINITY, 1.0];
    for len in [33, 1025] {
        for placement in placements(&gpu, ElementType::U64) {
            there_and_back(&gpu, &in_runs(len, 3, |run| wide[run as usize % 5]), placement);
            there_and_back(&gpu, &in_runs(len, 3, |run| wide[run as usize % 5] as i64), placement);
        }
        for placement in placements(&gpu, ElementType::F32) {
            there_and_back(&gpu, &in_runs(len, 3, |run| floats[run as usize % 5]), placement);
        }
    }
}

/// A scatter whose invocations take the items the other way round: a GPU may run them in any order.
fn from_last_to_first(shader: &Shader) -> Shader {
    let (item, other) =
        ("int item = invocation_index();", "int item = u_groups * GROUP - 1 - invocation_index();");
    match shader.path() {
        "copy/scatter.comp" => {
            assert!(shader.source().contains(item));
            shader.with_source(shader.source().replace(item, other))
        }
        _ => shader.clone(),
    }
}

/// Lengths of 0 in the beginning, between others and at the end, and results that are cut off.
fn empty_runs_have_no_results() {
    let gpu = rasterscan_runner::gpu();
    let device = gpu.device();
    for placement in placements(&gpu, ElementType::I32) {
        for (number, len) in (0..).zip(LENGTHS) {
            let values: Vec<i32> = (0..len as u64).map(|index| mix(5, index) as i32).collect();
            let length = |index: u64| [0, 0, 1, 7, 0, 2][mix(number, index) as usize % 6];
            let mut lengths: Vec<u32> = (0..len as u64).map(length).collect();
            lengths[0] = 0;
            lengths[len - 1] = 0;
            let expected: Vec<i32> = values
                .iter()
                .zip(&lengths)
                .flat_map(|(value, length)| std::iter::repeat_n(*value, *length as usize))
                .collect();
            same(&gpu.expand(&values, &lengths).unwrap(), &expected, "one call");
            for capacity in [expected.len() as u64 + 5, expected.len() as u64 / 2 + 1] {
                let layout = placement.layout(device, ElementType::I32, 1, len as u64).unwrap();
                let mut plan = Plan::new("expand", item(ElementType::I32), layout);
                let slots = [plan.input(), plan.further_input("lengths", layout.of(ElementType::U32))];
                let expanded = scan::expand(&mut plan, slots[0], slots[1], None, capacity, device).unwrap();
                let plan = plan.finish_with(vec![expanded.values, expanded.count]);
                let mut prepared = gpu.prepare(&plan.with_shaders(from_last_to_first)).unwrap();
                let inputs = [prepared.upload(&values).unwrap(), prepared.upload_input(1, &lengths).unwrap()];
                let results = prepared.run(&inputs).unwrap();
                let count = (expected.len() as u64).min(capacity);
                assert_eq!(results["count"].read::<u32>().unwrap(), [expected.len() as u32]);
                let got = results["values"].read_first::<i32>(count).unwrap();
                assert_eq!(got, expected[..count as usize], "{len} runs, {placement}, {capacity}");
            }
        }
    }
    let other = gpu.expand(&[1u32, 2], &[3]).unwrap_err();
    assert!(matches!(other, Error::Length { got: 1, expected: 2, .. }), "{other}");
}

/// The sorts that run here.
fn sorts(gpu: &Gpu) -> Vec<Arc<dyn Algorithm<SortSpec>>> {
    let cards = CARDS.iter().filter(|card| card.supported(gpu.device()).is_ok());
    let sorts: Vec<_> = cards.filter_map(|card| (card.build)(&Arguments::NONE).typed::<SortSpec>()).collect();
    assert!(!sorts.is_empty());
    sorts
}

fn upload<T: Element>(prepared: &Prepared, number: usize, data: &[T]) -> Stream {
    prepared.upload_input(number, data).unwrap()
}

fn classes_keep_their_order_and_are_counted() {
    let gpu = rasterscan_runner::gpu();
    for sort in sorts(&gpu) {
        for (len, classes) in
            LENGTHS.into_iter().flat_map(|len| [1, 2, 3, 8, 17].map(|classes| (len, classes)))
        {
            // Some classes are empty.
            let class = |index: u64| (mix(2, index) % u64::from(classes)) as u32 & !2;
            let of_items: Vec<u32> = (0..len as u64).map(class).collect();
            let payload: Vec<u32> = (0..len as u64).map(|index| mix(9, index) as u32).collect();
            let plan = partition(&*sort, len as u64, classes, 1, gpu.device()).unwrap();
            let mut prepared = gpu.prepare(&plan).unwrap();
            let inputs = [upload(&prepared, 0, &of_items), upload(&prepared, 1, &payload)];
            let results = prepared.run(&inputs).unwrap();
            let mut order: Vec<u32> = (0..len as u32).collect();
            order.sort_by_key(|index| of_items[*index as usize]);
            let counts: Vec<u32> =
                (0..classes).map(|class| of_items.iter().filter(|of| **of == class).count() as u32).collect();
            let of = format!("{}, {len} items of {classes} classes", sort.name());
            assert_eq!(results["counts"].read::<u32>().unwrap(), counts, "{of}");
            assert_eq!(results["indices"].read::<u32>().unwrap(), order, "{of}");
            let moved: Vec<u32> = order.iter().map(|index| payload[*index as usize]).collect();
            assert_eq!(results["payload"].read::<u32>().unwrap(), moved, "{of}");
            if len <= 257 {
                assert_eq!(gpu.partition(&of_items, classes).unwrap(), (order, counts));
            }
        }
    }
}

/// A sort, then the distinct keys of it and how often each is there, without a readback in between; and the calls for it.
fn distinct_numbers_are_the_runs_of_sorted_ones() {
    let gpu = rasterscan_runner::gpu();
    for len in LENGTHS {
        let data: Vec<u32> = (0..len as u64).map(|index| (mix(8, index) % 1000) as u32).collect();
        let mut sorted = data.clone();
        sorted.sort_unstable();
        let sort = gpu.plan_auto(&SortSpec::new::<u32>(len)).unwrap();
        let mut plan = Plan::new("distinct", sort.item().clone(), *sort.layout(sort.input()));
        // A map in front: multiples of 3.
        let layout = *sort.layout(sort.input());
        let third =
            Map::new("void map(uint from[FROM], int index, out uint to[TO]) { to[0] = from[0] / 3u; }");
        let thirds = plan.map(plan.input(), "third", third, layout).unwrap();
        let keys = plan.append_plan(&sort, &[thirds]).unwrap()[0];
        let runs = reduce::runs(&mut plan, keys, gpu.device()).unwrap();
        let lengths = runs.lengths(&mut plan).unwrap();
        let mut prepared = gpu.prepare(&plan.finish_with(vec![runs.values, lengths, runs.count])).unwrap();
        let input = prepared.upload(&data).unwrap();
        let results = prepared.run([&input]).unwrap();
        let (values, lengths) = cpu_runs(&sorted.iter().map(|number| number / 3).collect::<Vec<u32>>());
        let count = values.len() as u64;
        assert_eq!(results["count"].read::<u32>().unwrap(), [count as u32]);
        assert_eq!(results["values"].read_first::<u32>(count).unwrap(), values);
        assert_eq!(results["lengths"].read_first::<u32>(count).unwrap(), lengths);

        let (values, lengths) = cpu_runs(&sorted);
        assert_eq!(gpu.unique(&sorted).unwrap(), values);
        assert_eq!(gpu.run_length(&sorted).unwrap(), (values, lengths));
    }
    assert!(gpu.unique::<f32>(&[]).unwrap().is_empty());
    assert!(gpu.expand::<u32>(&[], &[]).unwrap().is_empty());
    assert_eq!(gpu.partition(&[], 3).unwrap(), (vec![], vec![0, 0, 0]));
}

crate::tests![
    runs_are_found_and_expanded,
    empty_runs_have_no_results,
    classes_keep_their_order_and_are_counted,
    distinct_numbers_are_the_runs_of_sorted_ones,
];
