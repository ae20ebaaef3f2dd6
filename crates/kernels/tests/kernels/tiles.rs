//! Scans in tiles that wait for nothing: three phases, and a reduction before the scan.

use rasterscan::registry::Era;
use rasterscan_runner::scan::{algorithms, choice, tiles};

/// The variants of an algorithm on its card.
fn variants(name: &str) -> Vec<&'static str> {
    let all = algorithms().into_iter().chain(tiles());
    let all: Vec<&str> = all.filter(|text| choice(text).card.name == name).collect();
    assert!(all.len() > 2 && choice(name).card.era == Era::Compute, "{all:?}");
    all
}

fn three_phases() {
    let seen = crate::scans(&crate::specs(), &variants("three_phase"));
    assert!(seen.words > 1000 && seen.reads > 1000, "{seen:?}");
}

fn a_reduction_and_a_scan() {
    let seen = crate::scans(&crate::specs(), &variants("reduce_then_scan"));
    assert!(seen.words > 1000 && seen.reads > 1000, "{seen:?}");
}

crate::tests![three_phases, a_reduction_and_a_scan];
