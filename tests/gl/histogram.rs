//! Histograms, in textures and in buffers, against the same on the CPU.

use rasterscan::tools::problem::HISTOGRAM;
use rasterscan::tools::registry::Choice;
use rasterscan::{Device, Element, Error, Gpu, HistogramSpec, SpecError};
use rasterscan_runner::data::mix;

/// Around a texel, a row of a texture, and a block of a sort.
const LENGTHS: [usize; 12] = [1, 2, 31, 32, 33, 255, 256, 257, 1023, 1025, 5000, 70_001];

/// Counts by every algorithm that a device has; returns how many there are. Runs again must count the same.
fn count_on<T: Element>(gpu: &Gpu, device: &Device, data: &[T], edges: &[T]) -> usize {
    let expected: Vec<u32> = edges
        .windows(2)
        .map(|bin| data.iter().filter(|item| **item >= bin[0] && **item < bin[1]).count() as u32)
        .collect();
    let spec = HistogramSpec::new::<T>(data.len(), expected.len());
    let mut count = 0;
    for name in rasterscan_runner::variants(HISTOGRAM, false, |_| true) {
        match Choice::parse(HISTOGRAM, name).unwrap().plan(&spec, device) {
            Ok(None) | Err(Error::Unsupported(_)) => {}
            Ok(Some(plan)) => {
                let mut prepared = gpu.prepare(&plan).unwrap();
                let inputs = [prepared.upload(data).unwrap(), prepared.upload_input(1, edges).unwrap()];
                for run in 1..3 {
                    let got = prepared.run(&inputs).unwrap()[0].read::<u32>().unwrap();
                    assert!(got == expected, "{spec} by {name}, run {run}");
                }
                count += 1;
            }
            Err(error) => panic!("{spec} by {name}: {error}"),
        }
    }
    assert!(count > 0, "{spec}");
    count
}

fn count<T: Element>(gpu: &Gpu, data: &[T], edges: &[T]) {
    count_on(gpu, gpu.device(), data, edges);
}

fn bins_are_exact_at_their_edges() {
    let gpu = rasterscan_runner::gpu();
    for len in LENGTHS {
        for bins in [1, 2, 7, 256] {
            let edges: Vec<u32> = (0..=bins).map(|edge| 100 + edge * 3).collect();
            // Edges, their neighbours, and numbers far outside.
            let near = |index: u64| 98 + (mix(4, index) % u64::from(bins * 3 + 6)) as u32;
            let number = |index: u64| if index % 9 == 8 { mix(6, index) as u32 } else { near(index) };
            let data: Vec<u32> = (0..len as u64).map(number).collect();
            count(&gpu, &data, &edges);
            let centre = |number: &u32| number.wrapping_sub(100 + bins * 3 / 2) as i32;
            let edges: Vec<i32> = edges.iter().map(centre).collect();
            count(&gpu, &data.iter().map(centre).collect::<Vec<i32>>(), &edges);
        }
    }
    // Tenths are not exact; their neighbours fall to either side of them.
    let edges: Vec<f32> = (-10..=10).map(|tenth| tenth as f32 / 10.0).collect();
    let special = [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, f32::MIN_POSITIVE];
    let around = edges.iter().flat_map(|edge| [edge.next_down(), *edge, edge.next_up()]);
    let data: Vec<f32> =
        around.filter(|number| *number == 0.0 || number.is_normal()).chain(special).collect();
    count(&gpu, &data, &edges);
    count(&gpu, &data, &[f32::NEG_INFINITY, -0.0, 0.0, f32::INFINITY]);
    count(&gpu, &[0, 3, u32::MAX, u32::MAX - 1], &[0, 0, 3, 3, 3, u32::MAX, u32::MAX]);
}

/// As many as no group holds; memory for none, buffers that are bound in parts, and more items than a CPU's invocations take.
fn bins_and_streams_of_any_length_are_counted() {
    let gpu = rasterscan_runner::gpu();
    let of = |len: u64, most: u64| (0..len).map(|index| (mix(7, index) % most) as u32).collect::<Vec<u32>>();
    let ramp: Vec<u32> = (0..20_001).collect();
    let (data, edges) = (of(30_000, 21_000), [0, 9, 200, 20_000]);
    count(&gpu, &data, &ramp);
    count(&gpu, &of((1 << 20) + 7, 300), &ramp[..257]);
    let mut small = gpu.device().clone();
    small
        .compute
        .iter_mut()
        .for_each(|compute| (compute.max_binding, compute.max_shared_memory) = (4096, 16));
    let passes = |device: &Device| {
        let plan =
            Choice::parse(HISTOGRAM, "atomic").unwrap().plan(&HistogramSpec::new::<u32>(30_000, 3), device);
        plan.map_or(0, |plan| plan.unwrap().passes().len())
    };
    assert_eq!(passes(&small), if small.compute.is_some() { 31 } else { 0 });
    count_on(&gpu, &small, &data, &edges);
}

fn one_call_counts() {
    let gpu = rasterscan_runner::gpu();
    assert_eq!(gpu.histogram(&[3u32, 1, 7, 0, 4, 1, 6, 3], &[0, 2, 4, 6]).unwrap(), [3, 2, 1]);
    assert_eq!(gpu.histogram(&[], &[0u32, 1, 2]).unwrap(), [0, 0]);
    let wrong = |error: Result<_, Error>| match error.map(|counts: Vec<u32>| counts.len()) {
        Err(Error::Spec(wrong)) => wrong,
        other => panic!("{other:?}"),
    };
    assert_eq!(wrong(gpu.histogram(&[1u32], &[0])), SpecError::Bins(0));
    assert_eq!(wrong(gpu.histogram(&[1u64], &[0, 2])), SpecError::BinElement(u64::TYPE));
    for edges in [&[0.0, 2.0, 1.0][..], &[0.0, f32::NAN], &[f32::NAN, 0.0]] {
        assert!(matches!(wrong(gpu.histogram(&[1f32], edges)), SpecError::Edges { .. }), "{edges:?}");
    }
}

crate::tests![bins_are_exact_at_their_edges, bins_and_streams_of_any_length_are_counted, one_call_counts,];
