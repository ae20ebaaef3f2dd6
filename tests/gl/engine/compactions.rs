//! Compactions through the engine: several inputs and results, streams in buffers, lines.

use rasterscan::compact;
use rasterscan::plan::Layout;
use rasterscan::{CompactSpec, Compacted, Device, ElementType, Error, Gpu, Moves, Prepared};
use rasterscan_runner::compaction::{
    CompactRunner, TestShape, compaction, compactions, execute, masked, shaped, upload,
};
use rasterscan_runner::data::mix;

/// A prepared compaction; `None` if the device cannot run it, or if there is nothing to prepare.
fn prepare(gpu: &Gpu, algorithm: &str, spec: &CompactSpec) -> Option<Prepared> {
    let plan = compaction(algorithm).plan(spec, gpu.device()).ok()??;
    Some(gpu.prepare(&plan).unwrap())
}

/// One input, another that keeps more, one that keeps nothing, and the first again: a run leaves nothing behind.
fn a_prepared_compaction_runs_again_and_again() {
    let gpu = rasterscan_runner::gpu();
    let spec = CompactSpec::new::<u32>(3000).moves(Moves::Both);
    let shapes = [30, 99, 0, 30, 100, 1].map(TestShape::Share);
    for algorithm in compactions() {
        let Some(mut prepared) = prepare(&gpu, algorithm, &spec) else { continue };
        for shape in shapes {
            let data = shaped::<u32>(3000, shape).data;
            let expected = compact::sequential(&spec, &data, &[]).unwrap();
            let got = execute(&mut prepared, &spec, &data, &[]).unwrap();
            assert_eq!(
                (got.count, &got.values),
                (expected.values.len() as u64, &expected.values),
                "{algorithm}"
            );
            assert_eq!(got.indices, expected.indices, "{algorithm}");
        }
    }
}

fn stream_and_mask_are_only_read() {
    let gpu = rasterscan_runner::gpu();
    let spec = CompactSpec::new::<u32>(3000).masked().moves(Moves::Both);
    let input = masked::<u32>(3000, TestShape::Share(60));
    for algorithm in compactions() {
        let Some(mut prepared) = prepare(&gpu, algorithm, &spec) else { continue };
        let streams = upload(&prepared, &spec, &input.data, &input.mask).unwrap();
        let all: Vec<_> = streams.iter().collect();
        prepared.run(&all).unwrap();
        let trace = prepared.trace(&all).unwrap();
        assert_eq!(trace.inputs.len(), 2);
        assert_eq!(trace.inputs[1].values::<u32>().unwrap(), input.mask);
        let timing = prepared.time_passes(&all).unwrap();
        assert_eq!(timing.passes.len(), prepared.plan().passes().len());
        assert_eq!(streams[0].read::<u32>().unwrap(), input.data, "{algorithm}");
        assert_eq!(streams[1].read::<u32>().unwrap(), input.mask, "{algorithm}");
    }
}

/// Results have names, and outputs that are not asked for do not exist.
fn results_are_found_by_name() {
    let gpu = rasterscan_runner::gpu();
    let data = [7u32, 0, 9];
    for moves in Moves::ALL {
        let mut prepared = prepare(&gpu, "packed", &CompactSpec::new::<u32>(3).moves(moves)).unwrap();
        let stream = prepared.upload(&data).unwrap();
        let outputs = prepared.run([&stream]).unwrap();
        assert_eq!(outputs.get("values").is_some(), moves.values());
        assert_eq!(outputs.get("indices").is_some(), moves.indices());
        assert_eq!(outputs.get("count").unwrap().read::<u32>().unwrap(), [2]);
        assert!(outputs.get("input").is_none());
        let kept = Compacted::try_from(outputs).unwrap();
        assert_eq!(kept.read_count().unwrap(), 2);
        assert_eq!(kept.read_values::<u32>().unwrap(), if moves.values() { &[7, 9][..] } else { &[] });
        assert_eq!(kept.read_indices().unwrap(), if moves.indices() { &[0, 2][..] } else { &[] });
        if moves.values() {
            assert!(matches!(kept.read_values::<f32>(), Err(Error::ElementMismatch { .. })));
        }
    }
}

fn wrong_inputs_are_refused() {
    let gpu = rasterscan_runner::gpu();
    let spec = CompactSpec::new::<u32>(100).masked();
    for algorithm in ["horn", "packed", "geometry"] {
        let Some(mut prepared) = prepare(&gpu, algorithm, &spec) else { continue };
        let values = prepared.upload(&[1u32; 100]).unwrap();
        let mask = prepared.upload_input(1, &[1u32; 100]).unwrap();
        for streams in [&[][..], &[&values], &[&values, &mask, &mask]] {
            let given = streams.len();
            let refused = |result: Option<Error>| match result {
                Some(Error::Inputs { got, expected: 2 }) if got == given => {}
                other => panic!("{algorithm}, {given} streams: {other:?}"),
            };
            refused(prepared.run(streams).err());
            refused(prepared.trace(streams).err());
            refused(prepared.time(streams).err());
            refused(prepared.time_passes(streams).err());
        }
        assert!(matches!(prepared.run(&values), Err(Error::Inputs { got: 1, expected: 2 })));
        assert!(matches!(prepared.upload_input(2, &[1u32; 100]), Err(Error::Inputs { got: 3, expected: 2 })));
        // A mask of another length, and one of another element.
        match prepared.upload_input(1, &[1u32; 99]) {
            Err(Error::Length { got: 99, expected: 100, .. }) => {}
            other => panic!("{:?}", other.err()),
        }
        assert!(matches!(prepared.upload_input(1, &[1f32; 100]), Err(Error::ElementMismatch { .. })));
        let long = gpu.upload(&mask.layout().with_len(101), &[1u32; 101]).unwrap();
        assert!(matches!(prepared.run([&values, &long]), Err(Error::LayoutMismatch { .. })));
        // A mask of another context.
        let other = rasterscan_runner::own_gpu();
        let foreign = prepare(&other, algorithm, &spec).unwrap().upload_input(1, &[1u32; 100]).unwrap();
        assert!(matches!(prepared.run([&values, &foreign]), Err(Error::OtherContext)));
        // A mask in a texture where a buffer is expected.
        if algorithm == "geometry" {
            let texture = prepare(&gpu, "horn", &spec).unwrap().upload_input(1, &[1u32; 100]).unwrap();
            assert!(matches!(prepared.run([&values, &texture]), Err(Error::LayoutMismatch { .. })));
        }
        prepared.run([&values, &mask]).unwrap();
    }
}

/// A stream in a buffer reads back the uploaded values, all of them or the first ones.
fn a_stream_in_a_buffer() {
    let gpu = rasterscan_runner::gpu();
    for len in [0, 1, 3, 1000] {
        let layout = |element, arity| Layout::buffer(element, arity, len);
        let floats: Vec<f32> = (0..len).map(|index| f32::from_bits(mix(8, index) as u32)).collect();
        let stream = gpu.upload(&layout(ElementType::F32, 1), &floats).unwrap();
        assert!(stream.buffer().is_some() && stream.texture().is_none());
        let bits = |floats: &[f32]| floats.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&stream.read::<f32>().unwrap()), bits(&floats));
        assert_eq!(
            bits(&stream.read_first::<f32>(len.min(2)).unwrap()),
            bits(&floats[..floats.len().min(2)])
        );
        assert!(matches!(stream.read::<u32>(), Err(Error::ElementMismatch { .. })));

        // Items of two words, and of three.
        let longs: Vec<i64> = (0..len).map(|index| mix(9, index) as i64).collect();
        let stream = gpu.upload(&layout(ElementType::I64, 1), &longs).unwrap();
        assert_eq!(stream.read::<i64>().unwrap(), longs);
        let triples: Vec<u32> = (0..3 * len).map(|index| mix(10, index) as u32).collect();
        let stream = gpu.upload(&layout(ElementType::U32, 3), &triples).unwrap();
        assert_eq!(stream.read::<u32>().unwrap(), triples);
        assert_eq!(stream.read_first::<u32>(len.min(1)).unwrap(), triples[..triples.len().min(3)]);
        // Beyond the end, as for a slice that is too long.
        let beyond = |items: u64| stream.read_first::<u32>(items);
        assert!(matches!(beyond(len + 1), Err(Error::Length { got, expected, .. })
            if (got, expected) == (3 * len + 3, 3 * len)));
        assert!(matches!(beyond(u64::MAX), Err(Error::Length { .. })));
        assert!(
            matches!(gpu.upload(&layout(ElementType::U32, 1), &triples), Err(Error::Length { .. }))
                || len == 0
        );
    }
}

/// Mesa's software renderer draws exact lines; for a driver that does not, rectangles are the default.
fn lines_are_exact_or_not_the_default() {
    let gpu = rasterscan_runner::gpu();
    let device = gpu.device();
    assert!(device.exact_lines || !device.software, "{device}");
    if !device.exact_lines {
        println!("lines are not exact: {device}");
    }
    for (exact_lines, draw) in [(true, "draw=lines"), (false, "draw=quads")] {
        let device = Device { exact_lines, ..device.clone() };
        let plan = compaction("blocks").plan(&CompactSpec::new::<u32>(100), &device).unwrap().unwrap();
        assert!(plan.name().ends_with(draw), "{}", plan.name());
    }
}

/// Lines and rectangles write the same texels: exactly those of each segment. The widths make the ends of lines round
/// in different ways.
fn rectangles_give_what_lines_give() {
    let mut runner = CompactRunner::new();
    if !runner.gpu.device().exact_lines {
        return println!("not applicable: lines are not exact");
    }
    for columns in [8, 9, 127, 1000, 1023, 4095, 8192] {
        let spec = CompactSpec::new::<u32>(20_000).columns(columns).moves(Moves::Both);
        for parameters in ["draw=lines", "draw=quads", "draw=lines,wrap=geometry", "draw=quads,wrap=geometry"]
        {
            for shape in [TestShape::Share(30), TestShape::Share(99), TestShape::Runs] {
                let algorithm = format!("blocks:size=8,inner=packed,{parameters}");
                runner.inputs(&algorithm, &spec, &[shaped::<u32>(20_000, shape)]);
            }
        }
    }
    runner.finish("lines and rectangles");
}

crate::tests![
    a_prepared_compaction_runs_again_and_again,
    stream_and_mask_are_only_read,
    results_are_found_by_name,
    wrong_inputs_are_refused,
    a_stream_in_a_buffer,
    lines_are_exact_or_not_the_default,
    rectangles_give_what_lines_give,
];
