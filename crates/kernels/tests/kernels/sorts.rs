//! Sorts in textures.

use rasterscan::tools::problem::SORT;
use rasterscan::tools::registry::Choice;
use rasterscan::{
    ElementType, Moves, SortSpec,
    tools::{Numbers, Request},
};

/// The lengths of texels, of blocks and of networks, payloads, and ranges of bits.
fn sorts_in_textures() {
    let plain = |len: usize| SortSpec::new::<u32>(len);
    let specs = [
        plain(0).bits(0..2),
        plain(1).bits(0..2),
        plain(4).payloads(1).bits(4..6),
        plain(33),
        plain(64).payloads(3).bits(30..32),
        plain(150).payloads(2).bits(7..12),
        plain(257).bits(0..3),
        plain(141).payloads(1).bits(2..13),
        plain(130).moves(Moves::Indices).bits(5..14),
        plain(50).moves(Moves::Both).descending(),
        plain(48).rows(16).bits(0..4),
    ];
    let words = |len: u64| crate::values(ElementType::U32, len);
    let streams =
        |spec: &SortSpec| -> Vec<Numbers> { (0..=spec.payloads).map(|_| words(spec.len)).collect() };
    let streams: Vec<_> = specs.iter().map(streams).collect();
    let cases = specs.iter().zip(&streams).map(|(spec, streams)| (Request::from(spec), &streams[..]));
    let names = ["bitonic", "split", "split:scan=horn", "split:scan=hybrid", "radix", "radix:scan=horn"];
    let seen = crate::compare_all(names.map(|name| Choice::parse(SORT, name).unwrap()), cases);
    crate::enough(seen, [40_000, 40_000], [40_000, 40_000]);
}

crate::tests![sorts_in_textures];
