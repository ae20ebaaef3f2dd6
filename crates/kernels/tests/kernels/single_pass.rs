//! Single passes, whose tiles look at each other's states.

use rasterscan::problem::COMPACT;
use rasterscan::{ElementType, Operator, ScanSpec};
use rasterscan_runner::scan::{algorithms, choice, tiles};

/// The variants of a scan on its card.
fn variants(name: &str) -> Vec<&'static str> {
    let all = algorithms().into_iter().chain(tiles());
    let all: Vec<&str> = all.filter(|text| choice(text).card.name == name).collect();
    assert!(all.len() > 2, "{all:?}");
    all
}

fn chained() {
    let seen = crate::scans(&crate::specs(), &variants("chained"));
    assert!(seen.words > 1000 && seen.reads > 1000, "{seen:?}");
}

fn look_back() {
    let seen = crate::scans(&crate::specs(), &variants("look_back"));
    assert!(seen.words > 1000 && seen.reads > 1000, "{seen:?}");
}

fn sam() {
    let seen = crate::scans(&crate::specs(), &variants("sam"));
    assert!(seen.words > 1000 && seen.reads > 1000, "{seen:?}");
}

crate::tests![chained, look_back, sam];
