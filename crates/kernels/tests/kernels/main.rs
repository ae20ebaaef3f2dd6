//! The kernels in Rust and the shaders in GLSL give the same values and the same reads, pass by pass:
//! `cargo test -p rasterscan-kernels --test kernels -- --help` says how to choose tests and levels of OpenGL.

mod all;
mod blocks;
mod compactions;
mod copies;
mod histograms;
mod moved;
mod operands;
mod option_passes;
mod reductions;
mod runs;
mod scattered;
mod single_pass;
mod sorts;
mod sorts_in_tiles;
mod textures;
mod tiles;
mod warps;

use std::collections::BTreeSet;
use std::process::ExitCode;

use rasterscan::tools::registry::Choice;
use rasterscan::{
    ElementType, Gpu, Operator, ScanSpec,
    tools::{Numbers, Request},
};
use rasterscan_runner::harness::{self, Level};
use rasterscan_runner::kernels::{self, Seen};
use rasterscan_runner::scan::{self, choice};

pub(crate) use rasterscan_runner::tests;

tests![in all, option_passes, blocks, compactions, copies, histograms, reductions, runs, scattered, moved, operands, single_pass, sorts, sorts_in_tiles, textures, tiles, warps;];

/// Compares the engines on a request; one that the device or the algorithm rules out is left out.
fn compare(gpu: &Gpu, choice: &Choice, request: &Request, streams: &[&Numbers]) -> Seen {
    // For work on a few kernels.
    let only = std::env::var("RASTERSCAN_ONLY").unwrap_or_default();
    if !choice.to_string().contains(&only) {
        return Seen::default();
    }
    match choice.plan(request, gpu.device()) {
        Ok(Some(plan)) => kernels::compare(gpu, &plan, streams, |_, _| {}).unwrap_or_default(),
        Ok(None) => Seen::default(),
        Err(reason) => {
            println!("not applicable: {choice}, {request}: {reason}");
            Seen::default()
        }
    }
}

/// Numbers whose partial sums are all different, except by intent.
fn values(element: ElementType, len: u64) -> Numbers {
    let numbers = (1..=len).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    match element {
        ElementType::U32 => Numbers::of(&numbers.map(|number| (number >> 32) as u32).collect::<Vec<_>>()),
        ElementType::I32 => Numbers::of(&numbers.map(|number| (number >> 32) as i32).collect::<Vec<_>>()),
        ElementType::F32 => {
            Numbers::of(&numbers.map(|number| (number >> 40) as f32 / 65536.0).collect::<Vec<_>>())
        }
        ElementType::U64 => Numbers::of(&numbers.collect::<Vec<_>>()),
        ElementType::I64 => Numbers::of(&numbers.map(|number| number as i64).collect::<Vec<_>>()),
    }
}

/// Compares the engines on all of these requests, each with its streams.
fn compare_all<'a>(
    choices: impl IntoIterator<Item = Choice>,
    cases: impl IntoIterator<Item = (Request, &'a [Numbers])> + Clone,
) -> Seen {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    for choice in choices {
        for (request, streams) in cases.clone() {
            seen += compare(&gpu, &choice, &request, &streams.iter().collect::<Vec<_>>());
        }
    }
    println!("{seen:?} on {}", gpu.device().level());
    seen
}

/// Scans by algorithms, as after `-a`.
fn scans(specs: &[ScanSpec], names: &[&str]) -> Seen {
    option_passes::compare(names.iter().map(|name| choice(name)), specs, &[], 0)
}

/// The scans on these cards with their variants.
fn variants(cards: &[&str]) -> Vec<&'static str> {
    let all = scan::algorithms().into_iter().chain(scan::blocks()).chain(scan::tiles());
    let all: BTreeSet<&str> = all.filter(|text| cards.contains(&choice(text).card.name)).collect();
    assert!(all.len() > 2 * cards.len(), "{all:?}");
    all.into_iter().collect()
}

/// Asserts that a test has not passed for lack of work: so many words and reads, with compute shaders and without.
fn enough(seen: Seen, with: [usize; 2], without: [usize; 2]) {
    let has_compute = rasterscan_runner::gpu().device().compute.is_some();
    let [words, reads] = if has_compute { with } else { without };
    assert!(seen.words >= words && seen.reads >= reads, "{seen:?}");
}

/// Scans that take different paths through shaders.
fn specs() -> Vec<ScanSpec> {
    let plain = |len: usize| ScanSpec::new::<u32>(len);
    let affine = |len| ScanSpec::of(ElementType::I64, len).operator(Operator::AFFINE);
    vec![
        plain(1),
        plain(33),
        plain(600).exclusive(),
        plain(150).tuple(3).exclusive(),
        plain(600).order(2).tuple(2),
        affine(33),
        ScanSpec::of(ElementType::F32, 300).operator(Operator::MAX),
    ]
}

/// Shaders take longer to compile than to run: no optimising.
fn levels(_: &str) -> Vec<Level> {
    vec![Level::Unoptimised, Level::Gl33, Level::Gles30]
}

fn main() -> ExitCode {
    let mut list = Vec::new();
    tests(&mut list);
    harness::main(&list, levels)
}
