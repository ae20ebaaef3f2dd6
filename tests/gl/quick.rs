//! One path through each algorithm of the registry, at the edges of rows, blocks and tiles: the short form of the
//! tests.

use rasterscan::tools::problem::{COMPACT, Problem, SCAN};
use rasterscan::tools::registry::{self, Card, Era};
use rasterscan::{CompactSpec, Moves, Operator, ScanSpec};
use rasterscan_runner::compaction::CompactRunner;
use rasterscan_runner::data::{TestData, TestElement};
use rasterscan_runner::scan::{Runner, in_tiles};

/// None, one, two, around rows of 256 texels and the larger blocks and tiles, and several of each.
const LENGTHS: [usize; 12] = [0, 1, 2, 63, 64, 65, 255, 256, 257, 1023, 1025, 5000];

/// The card's algorithm in tiles that a driver compiles quickly.
fn small(card: &Card) -> String {
    if in_tiles(card) { format!("{}:vectors=1", card.name) } else { card.name.to_owned() }
}

fn cards(problem: &'static Problem, era: Era) -> impl Iterator<Item = &'static Card> {
    registry::of(problem).filter(move |card| card.era == era)
}

fn scans(era: Era) {
    fn on<T: TestElement>(runner: &mut Runner, algorithm: &str, operator: Operator) {
        for len in LENGTHS {
            let spec = ScanSpec::new::<T>(len).operator(&operator);
            runner.case::<T>(algorithm, &spec, TestData::Random);
            runner.case::<T>(algorithm, &spec.exclusive(), TestData::Extreme);
        }
    }
    let mut runner = Runner::new();
    for card in cards(SCAN, era) {
        on::<u32>(&mut runner, &small(card), Operator::ADD);
        on::<u64>(&mut runner, &small(card), Operator::AFFINE);
    }
    runner.finish(&format!("one path through each scan of the {} era", era.name()));
}

fn compactions(era: Era) {
    fn on<T: TestElement>(runner: &mut CompactRunner, algorithm: &str) {
        for len in LENGTHS {
            let spec = CompactSpec::new::<T>(len).moves(Moves::Both);
            runner.shapes::<T>(algorithm, &spec);
            runner.shapes::<T>(algorithm, &spec.masked());
        }
    }
    let mut runner = CompactRunner::new();
    for card in cards(COMPACT, era) {
        on::<u32>(&mut runner, &small(card));
        on::<u64>(&mut runner, &small(card));
    }
    runner.finish(&format!("one path through each compaction of the {} era", era.name()));
}

fn scans_on_the_cpu() {
    scans(Era::Cpu);
}

fn scans_in_textures() {
    scans(Era::Texture);
}

fn scans_by_compute_shaders() {
    scans(Era::Compute);
}

fn compactions_in_textures() {
    compactions(Era::Texture);
}

fn compactions_by_compute_shaders() {
    compactions(Era::Compute);
}

crate::tests![
    scans_on_the_cpu,
    scans_in_textures,
    scans_by_compute_shaders,
    compactions_in_textures,
    compactions_by_compute_shaders,
];
