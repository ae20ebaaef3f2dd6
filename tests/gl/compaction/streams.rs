//! Long streams, and streams that pass from plan to plan without a readback.

use rasterscan::compact;
use rasterscan::plan::{ItemType, Layout, Shader};
use rasterscan::scan;
use rasterscan::{
    CompactSpec, Compacted, Comparison, Condition, ElementType, Gpu, Moves, Operator, Plan, ScanSpec,
};
use rasterscan_runner::compaction::{CompactRunner, TestShape, compaction, compactions, shaped};
use rasterscan_runner::data::mix;
use rasterscan_runner::scan::choice;

/// More rows than columns, rows of every kind, and lengths at which products of indices have overflowed
/// elsewhere.
fn long_streams() {
    let mut runner = CompactRunner::new();
    let rows = [40_000, 65_535, 65_537, 100_003];
    // Some two hundred passes make sorting slow.
    for algorithm in compactions().into_iter().filter(|algorithm| *algorithm != "bitonic") {
        for len in rows {
            runner.case::<u32>(algorithm, len, TestShape::Runs, Moves::Both);
        }
        runner.case::<u32>(algorithm, (1 << 20) - 1, TestShape::Share(60), Moves::Values);
        runner.case::<u32>(algorithm, (1 << 20) + 1, TestShape::Share(60), Moves::Both);
    }
    runner.case::<u32>("bitonic", 65_537, TestShape::Share(60), Moves::Both);
    for algorithm in
        ["horn:scan=packed", "blocks:inner=packed", "points", "histopyramid", "packed", "scatter", "select"]
    {
        runner.case::<u32>(algorithm, (1 << 22) + 1, TestShape::Share(60), Moves::Values);
    }
    runner.case::<u64>("blocks", (1 << 20) + 1, TestShape::Alternating, Moves::Both);
    runner.finish("long streams");
}

/// Two compactions, one after the other: nonzero elements, and of these the ones greater than a constant. In between,
/// the count is used on the GPU.
fn the_count_decides_in_the_next_pass() {
    const LEN: usize = 5000;
    let gpu = rasterscan_runner::gpu();
    let condition = Condition::new(Comparison::Greater, 1u32 << 31);
    let data = shaped::<u32>(LEN, TestShape::Share(60)).data;
    let first = CompactSpec::new::<u32>(LEN);
    let second = CompactSpec::new::<u32>(LEN).masked();
    let both = compact::sequential(&first.keep(condition), &data, &[]).unwrap().values;
    for algorithm in ["horn", "blocks", "blocks:inner=packed", "bitonic", "histopyramid", "points"] {
        let choice = compaction(algorithm);
        let plan = |spec: &CompactSpec| choice.plan(spec, gpu.device()).unwrap().expect("a plan");
        let mut nonzero = gpu.prepare(&plan(&first)).unwrap();
        let mut greater = gpu.prepare(&plan(&second)).unwrap();
        let mut mask = gpu.prepare(&mask_of_the_first(&gpu, nonzero.input_layout(0).unwrap())).unwrap();
        let input = nonzero.upload(&data).unwrap();
        let kept = Compacted::try_from(nonzero.run([&input]).unwrap()).unwrap();
        let values = kept.values.expect("values");
        let mask = mask.run([values, kept.count]).unwrap().first();
        let result = Compacted::try_from(greater.run([values, mask]).unwrap()).unwrap();
        assert_eq!(result.read_values::<u32>().unwrap(), both, "{algorithm}");
    }
}

/// A custom plan: 1 for each of the first `count` elements that is greater than 2^31.
fn mask_of_the_first(gpu: &Gpu, layout: &Layout) -> Plan {
    let text = r#"
        #include "common/stream.glsl"
        uniform usampler2D u_values;
        uniform ivec4 u_values_shape;
        uniform usampler2D u_count;
        layout(location = 0) out uvec4 o_mask;
        void main() {
            ivec2 here = ivec2(gl_FragCoord.xy);
            bool counts = index_of(here, u_values_shape) < int(texelFetch(u_count, ivec2(0), 0).x);
            o_mask = uvec4(counts && texelFetch(u_values, here, 0).x > 0x80000000u);
        }
    "#;
    let text: String = text.lines().map(|line| format!("{}\n", line.trim_start())).collect();
    let shader = Shader::new("own/mask.frag", text);
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let count = Layout::fit(gpu.device(), ElementType::U32, 1, 1, 1, 1).unwrap();
    let mut plan = Plan::new("mask of the first", item, *layout);
    let (values, count) = (plan.input(), plan.further_input("count", count));
    let mask = plan.slot("mask", *layout);
    plan.draw("mask", shader).read("u_values", values).read("u_count", count).write(mask);
    plan.finish(mask)
}

/// The kept elements are scanned in place. In a scan, nothing flows from right to left, so the undefined rest does not
/// matter.
fn what_is_kept_is_the_input_of_a_scan() {
    const LEN: usize = 5000;
    let gpu = rasterscan_runner::gpu();
    let data = shaped::<u32>(LEN, TestShape::Share(30)).data;
    let spec = CompactSpec::new::<u32>(LEN);
    let values = compact::sequential(&spec, &data, &[]).unwrap().values;
    let expected = scan::sequential(&ScanSpec::new::<u32>(values.len()), &values).unwrap();
    for (first, then) in [("horn", "horn"), ("horn:scan=hybrid", "blelloch"), ("packed", "packed")] {
        let plan = compaction(first).plan(&spec, gpu.device()).unwrap().unwrap();
        let mut compaction = gpu.prepare(&plan).unwrap();
        let plan = choice(then).plan(&ScanSpec::new::<u32>(LEN), gpu.device()).unwrap().unwrap();
        let mut scan = gpu.prepare(&plan).unwrap();
        let input = compaction.upload(&data).unwrap();
        let kept = Compacted::try_from(compaction.run([&input]).unwrap()).unwrap();
        let sums = scan.run(kept.values.expect("values")).unwrap();
        let sums: Vec<u32> = sums.read_first(values.len() as u64).unwrap();
        assert_eq!(sums, expected, "{first}, then {then}");
    }
}

/// The indices of one compaction are the elements of another, which keeps the even ones.
fn indices_are_a_stream_of_their_own() {
    const LEN: usize = 3000;
    let gpu = rasterscan_runner::gpu();
    let data: Vec<f32> = (0..LEN as u64).map(|index| (mix(5, index) % 3) as f32).collect();
    let spec = CompactSpec::new::<f32>(LEN).moves(Moves::Both);
    let kept = compact::sequential(&spec, &data, &[]).unwrap();
    let late = Condition::new(Comparison::AtLeast, 1500u32);
    let next = CompactSpec::new::<u32>(kept.indices.len()).keep(late);
    let expected = compact::sequential(&next, &kept.indices, &[]).unwrap().values;
    for algorithm in ["horn", "blocks", "histopyramid", "points"] {
        let choice = compaction(algorithm);
        let mut first = gpu.prepare(&choice.plan(&spec, gpu.device()).unwrap().unwrap()).unwrap();
        let second = CompactSpec::new::<u32>(LEN).keep(late);
        let mut second = gpu.prepare(&choice.plan(&second, gpu.device()).unwrap().unwrap()).unwrap();
        let input = first.upload(&data).unwrap();
        let indices = Compacted::try_from(first.run([&input]).unwrap()).unwrap().indices.expect("indices");
        // Elements kept from the undefined rest come after them.
        let result = Compacted::try_from(second.run([indices]).unwrap()).unwrap();
        let values: Vec<u32> = result.values.unwrap().read_first(expected.len() as u64).unwrap();
        assert_eq!(values, expected, "{algorithm}");
    }
}

crate::tests![
    long_streams,
    the_count_decides_in_the_next_pass,
    what_is_kept_is_the_input_of_a_scan,
    indices_are_a_stream_of_their_own,
];
