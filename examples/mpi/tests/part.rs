//! Parts of a stream of floats: near the sums in f64, and the same bits in every run with the same parts.

use rasterscan::{Gpu, HeadlessOptions, Level, Operator, Prepared, ScanSpec};
use rasterscan_mpi::part::{Part, combine};

/// The scan of parts of these lengths, in pieces.
fn scanned(gpu: &Gpu, data: &[f32], lens: &[usize], piece: u64) -> Vec<f32> {
    let spec = ScanSpec::new::<f32>(0);
    let (mut first, mut carry, mut all) = (0, vec![0.0], Vec::new());
    for len in lens {
        let own = &data[first..first + len];
        let input = |prepared: &Prepared, items: std::ops::Range<u64>| {
            prepared.upload(&own[items.start as usize..items.end as usize])
        };
        let mut part = Part::new(gpu, &spec, *len as u64, piece, input).unwrap();
        let total = part.reduce().unwrap();
        part.scan(&carry).unwrap();
        part.scanned().for_each(|stream| all.extend(stream.read::<f32>().unwrap()));
        carry = combine(&Operator::ADD, &carry, &total);
        first += len;
    }
    all
}

#[test]
fn floats_have_the_same_bits_in_every_run() {
    let data: Vec<f32> = (0..10_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / 1e7).collect();
    for level in ["gl", "gles3.0"] {
        let level: Level = level.parse().unwrap();
        let gpu = Gpu::headless_with(&HeadlessOptions::from(level)).unwrap();
        // A part may be empty, or have one item.
        let lens = [6000, 0, 1, 3999];
        let sums = scanned(&gpu, &data, &lens, 1500);
        let mut expected = 0.0;
        for (number, sum) in data.iter().zip(&sums) {
            expected += f64::from(*number);
            assert!((f64::from(*sum) - expected).abs() <= 1e-5 * expected, "{sum}, not {expected}");
        }
        assert_eq!(sums.len(), data.len());
        for _ in 0..5 {
            let again = scanned(&gpu, &data, &lens, 1500);
            assert!(again.iter().map(|sum| sum.to_bits()).eq(sums.iter().map(|sum| sum.to_bits())));
        }
    }
}
