//! Histograms: every element, around texels and work groups, in bins that fit in shared memory and in more.

use rasterscan::tools::problem::HISTOGRAM;
use rasterscan::tools::registry::Choice;
use rasterscan::{
    ElementType, HistogramSpec,
    tools::{Numbers, Request},
};

fn items_are_counted_in_bins() {
    let words = [0u32, 1, 5, 7, 7, 90, 1 << 31, u32::MAX];
    let floats = [f32::NEG_INFINITY, -1.5, -0.0, 0.0, 1.0, f32::INFINITY, f32::NAN, 2.0];
    let item = |index: usize| index * index % 31 % 8;
    let of = |element, len: usize| -> Numbers {
        let numbers = (0..len).map(item);
        match element {
            ElementType::F32 => Numbers::of(&numbers.map(|index| floats[index]).collect::<Vec<_>>()),
            ElementType::I32 => Numbers::of(&numbers.map(|index| words[index] as i32).collect::<Vec<_>>()),
            _ => Numbers::of(&numbers.map(|index| words[index]).collect::<Vec<_>>()),
        }
    };
    let ramp = |bins: u64| Numbers::of(&(0..=bins as u32).collect::<Vec<_>>());
    let edges = |element, bins| match element {
        ElementType::F32 => Numbers::of(&[f32::NEG_INFINITY, -1.0, 0.0, 0.0, 1.0, 1.5]),
        ElementType::I32 => Numbers::of(&[i32::MIN, -1, 0, 5, 5, 91]),
        _ => ramp(bins),
    };
    let elements = [ElementType::U32, ElementType::I32, ElementType::F32];
    let lengths = [0, 1, 4, 33, 257, 600];
    let mut cases: Vec<(ElementType, usize, u64)> =
        elements.into_iter().flat_map(|element| lengths.map(|len| (element, len, 5))).collect();
    cases.extend([1, 2, 256, 9000].map(|bins| (ElementType::U32, 300, bins)));
    let specs: Vec<HistogramSpec> =
        cases.iter().map(|(element, len, bins)| HistogramSpec::of(*element, *len as u64, *bins)).collect();
    let streams: Vec<[Numbers; 2]> =
        cases.iter().map(|(element, len, bins)| [of(*element, *len), edges(*element, *bins)]).collect();
    let cases = specs.iter().zip(&streams).map(|(spec, streams)| (Request::from(spec), &streams[..]));
    let names = rasterscan_runner::variants(HISTOGRAM, false, |_| true);
    let seen = crate::compare_all(names.iter().map(|name| Choice::parse(HISTOGRAM, name).unwrap()), cases);
    crate::enough(seen, [30_000, 60_000], [20_000, 40_000]);
}

crate::tests![items_are_counted_in_bins];
