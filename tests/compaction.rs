//! Every compaction × element × shape × size gives what the sequential one gives.

mod common;

use common::compaction::{COMPACTIONS, CompactRunner, SHAPES};
use rasterscan::{Moves, registry};

#[test]
fn the_runner_knows_every_compaction_of_the_registry() {
    for card in registry::family(registry::Family::Compact) {
        let known = COMPACTIONS.iter().any(|name| name.split(':').next() == Some(card.name));
        assert!(known, "{} is in the registry and not in the Runner", card.name);
    }
}

#[test]
fn every_length() {
    let mut runner = CompactRunner::new();
    for len in [0, 1, 2, 3, 7, 8, 9, 31, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 1023, 1024, 1025, 5000] {
        for algorithm in COMPACTIONS {
            for shape in SHAPES {
                runner.case::<u32>(algorithm, len, shape, Moves::Both);
            }
        }
    }
    runner.finish("every length");
}
