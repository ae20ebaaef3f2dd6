//! Every scan proven at every length up to a thousand, and at the edges of rows, blocks and tiles beyond.
//!
//! One run on intervals proves a length, for every input and operator ([`rasterscan::tools::proof`]). Programs differ by the
//! words of an item, so each is proven on items of 1, 2 and 4 words, inclusive and exclusive.

use std::collections::BTreeSet;

use rasterscan::plan::{Command, Storage};
use rasterscan::tools::problem::SCAN;
use rasterscan::tools::registry::{self, Era};
use rasterscan::{Device, ElementType, Error, Operator, Plan, ScanSpec};
use rasterscan_runner::data::TestData;
use rasterscan_runner::scan::{Runner, algorithms, blocks, choice, tiles};
use rasterscan_runner::tiles::{define, tile};

use super::{KINDS, era};

/// Items of each width.
const ONE_WORD: (ElementType, Operator) = (ElementType::U32, Operator::INTERVAL);
const TWO_WORDS: (ElementType, Operator) = (ElementType::U64, Operator::INTERVAL);
const FOUR_WORDS: (ElementType, Operator) = (ElementType::U64, Operator::INTERVAL_PAIR);

/// Every length up to this is proven: past two blocks of most algorithms, and past four rows of 256 texels.
const EVERY: u64 = 1030;
/// The same for items of one word on a GPU.
const EVERY_ON_A_GPU: u64 = 4099;
/// The length up to which the edges of rows, blocks and tiles are proven: past several blocks of blocks.
const EDGES: u64 = 1 << 17;
const EDGES_ON_A_GPU: u64 = 1 << 22;

fn spec((element, operator): &(ElementType, Operator), len: u64) -> ScanSpec {
    ScanSpec::of(*element, len).operator(operator)
}

/// The lengths around which an algorithm begins another row, block, tile or ring, from its plan for a long stream, and
/// those around powers of two, at which textures grow.
fn edges(plan: &Plan, most: u64) -> Vec<u64> {
    let mut periods = BTreeSet::new();
    let input = plan.layout(plan.input());
    let per_texel = u64::from(input.items_per_texel);
    if input.storage == Storage::Texture {
        periods.insert(u64::from(input.width) * per_texel);
    }
    for pass in plan.passes() {
        let block = pass.defines().iter().find(|(name, _)| *name == "BLOCK").map(|(_, value)| *value as u64);
        periods.extend(block.map(|block| block * per_texel));
        if let Command::Dispatch(dispatch) = &pass.command {
            let tile = tile(dispatch).map(|tile| tile as u64);
            periods.extend(tile);
            // If a tile belongs to one invocation, a group has many.
            periods.extend(tile.map(|tile| tile * u64::from(dispatch.invocations)));
            periods.extend(define(dispatch, "RING").zip(tile).map(|(ring, tile)| ring as u64 * tile));
        }
    }
    assert!(!periods.is_empty() || plan.name() == "horn", "{plan}");
    // As many as a block has items: another level begins there.
    let several = periods.iter().flat_map(|period| [2, 3, 5, *period].map(|times| period * times));
    let powers = (10..40).map(|log2| 1 << log2);
    let up_to_most = several.chain(powers).filter(|edge| *edge <= most);
    let edges: BTreeSet<u64> = periods.iter().copied().chain(up_to_most).collect();
    edges.into_iter().flat_map(|edge| [edge - 1, edge, edge + 1]).collect()
}

/// Every variant of an algorithm that the Runner knows.
fn variants(algorithm: &str) -> impl Iterator<Item = &'static str> {
    let all = [algorithms(), blocks(), tiles()].concat();
    all.into_iter().filter(move |variant| variant.split(':').next() == Some(algorithm))
}

/// Returns true if a variant takes large tiles, which llvmpipe needs seconds to compile for each width and kind.
fn compiles_long(variant: &str, device: &Device) -> bool {
    device.software && tiles().contains(&variant) && !variant.contains(':') && variant != "reduce_then_scan"
}

/// Proves all variants of an algorithm.
fn prove(algorithm: &str) {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    let (every, most) = if device.software { (EVERY, EDGES) } else { (EVERY_ON_A_GPU, EDGES_ON_A_GPU) };
    for variant in variants(algorithm) {
        let long = match choice(variant).plan(&spec(&TWO_WORDS, most), &device) {
            Ok(plan) => plan.expect("a plan"),
            Err(Error::Unsupported(reason)) => {
                runner.count_not_applicable(reason.to_string());
                continue;
            }
            Err(other) => panic!("{variant}: {other}"),
        };
        let edges = edges(&long, most);
        if compiles_long(variant, &device) {
            // A program with small tiles differs only in constants.
            (0..=every).for_each(|len| runner.proof(variant, &spec(&ONE_WORD, len).exclusive()));
            edges.iter().for_each(|len| runner.proof(variant, &spec(&TWO_WORDS, *len)));
            continue;
        }
        for kind in KINDS {
            (0..=every).for_each(|len| runner.proof(variant, &spec(&ONE_WORD, len).kind(kind)));
            for item in &[TWO_WORDS, FOUR_WORDS] {
                (0..=EVERY).for_each(|len| runner.proof(variant, &spec(item, len).kind(kind)));
            }
            edges.iter().for_each(|len| runner.proof(variant, &spec(&TWO_WORDS, *len).kind(kind)));
        }
        // Floats are added in order.
        if algorithm == "sam" {
            let floats = (ElementType::F32, Operator::INTERVAL);
            (0..=EVERY).for_each(|len| runner.proof(variant, &spec(&floats, len).exclusive()));
        }
        // If the order does not matter, lanes are added in another order: intervals do not commute, so these are random
        // 64-bit numbers.
        if algorithm == "reduce_then_scan" {
            for len in 0..=EVERY as usize {
                runner.case::<u64>(variant, &ScanSpec::new::<u64>(len), TestData::Random);
            }
        }
    }
    finish(&runner, &format!("proofs of {algorithm}"));
}

/// If a device lacks what an algorithm needs, nothing is proven, and the cases are counted.
fn finish(runner: &Runner, what: &str) {
    if runner.run > 0 {
        return runner.finish(what);
    }
    assert!(runner.gpu.device().compute.is_none() && !runner.not_applicable.is_empty(), "{what}");
    println!("{what} on {}: not applicable", runner.gpu.device().level());
}

/// Every scan of the registry.
fn scans() -> impl Iterator<Item = &'static str> {
    registry::of(SCAN).map(|card| card.name).filter(|name| *name != "sequential")
}

/// Tuples of every size: members are never combined with each other.
fn prove_tuples(of: Era) {
    let mut runner = Runner::new();
    for algorithm in algorithms().into_iter().filter(|algorithm| era(algorithm) == of) {
        if let Err(reason) = choice(algorithm).plan(&spec(&ONE_WORD, 16), runner.gpu.device()) {
            runner.count_not_applicable(reason.to_string());
            continue;
        }
        // Windows over packed texels are slow to compile, and other blocks or wider items treat tuples in the same way.
        let few = algorithm.starts_with("packed:");
        for tuple in if few { vec![2, 3, 5, 8] } else { (2..=16).collect() } {
            let kind = KINDS[tuple as usize % 2];
            let mut prove = |item, tuples: u64, kind| {
                let spec = spec(item, tuples * u64::from(tuple)).tuple(tuple).kind(kind);
                runner.proof(algorithm, &spec);
            };
            if of == Era::Compute {
                (0..=40).for_each(|tuples| prove(&ONE_WORD, tuples, kind));
                continue;
            }
            for tuples in (0..=33).chain([63, 64, 65, 127, 128, 129, 511, 512, 513]) {
                KINDS.into_iter().for_each(|kind| prove(&ONE_WORD, tuples, kind));
                if tuple <= 5 {
                    [TWO_WORDS, FOUR_WORDS].iter().for_each(|item| prove(item, tuples, kind));
                }
            }
        }
    }
    finish(&runner, &format!("proofs of tuples in the {} era", of.name()));
}

fn tuples_in_textures() {
    prove_tuples(Era::Texture);
}

fn tuples_by_compute_shaders() {
    prove_tuples(Era::Compute);
}

crate::tests![tuples_in_textures, tuples_by_compute_shaders; prove for each of scans()];
