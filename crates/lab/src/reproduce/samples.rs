//! Papers on a stubbed clock, for their tests.

use std::time::Duration;

use rasterscan::Device;

use crate::case::Case;
use crate::cell::{Cell, Lab, LabError};
use crate::machine::Machine;
use crate::measure::Protocol;
use crate::report::page::{Claim, Section, Verdict};
use crate::reproduce::effort::{Bounds, Effort};
use crate::reproduce::papers::{PAPERS, plan};
use crate::reproduce::process::Process;
use crate::reproduce::rows::{KeptRows, PROCESSES};
use crate::reproduce::store::Store;
use crate::stub::{StubLab, machine};

/// A run of these papers on a device, of which nothing was measured yet.
pub fn new(keys: &[&str], device: &Device, effort: Effort) -> Store {
    let machine = Machine { software: device.software, ..machine() };
    Store { device: Some(device.clone()), ..Store::new(machine, effort, keys) }
}

/// A whole run of these papers on a device.
pub fn run(keys: &[&str], device: &Device, effort: Effort) -> Store {
    let mut store = new(keys, device, effort);
    go_on(&mut store, device, usize::MAX / 2);
    assert!(store.complete);
    store
}

/// The section of a whole run of a paper, on hardware or on a software renderer.
pub fn section(key: &str, effort: Effort, software: bool) -> Section {
    let store = run(&[key], &Device { software, ..Device::gl43() }, effort);
    let paper = PAPERS.iter().find(|paper| paper.key == key).unwrap();
    (paper.section)(&store.rows(key), &Bounds::new(effort, software))
}

/// Continues a run, for at most `most` cells of all processes.
pub fn go_on(store: &mut Store, device: &Device, most: usize) {
    let keys: Vec<String> = store.keys.clone();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let plan = plan(&keys, store.effort, device.software, true);
    let mut asked = 0;
    for number in 1..=PROCESSES {
        let mut wanted = || {
            // Asked once in the lab and once after it.
            asked += 1;
            asked <= 2 * most
        };
        let save = |_: &Store| Ok::<_, LabError>(());
        let process = Process { number, plan: &plan, budget: Duration::from_secs(1000) };
        let time = process.time(process.budget, store);
        let lab = &mut StubLab::new(device.clone());
        process.measure(time, lab, store, &save, &mut |_| {}, &mut wanted).unwrap();
    }
}

/// What all processes of a run measure in these cells.
pub fn measured(cells: &[Cell], device: &Device) -> Vec<KeptRows> {
    let mut lab = StubLab::new(device.clone());
    let protocol = Protocol { in_pairs: true, ..Protocol::new(device.software, Duration::from_secs(1)) };
    let mut kept = Vec::new();
    for process in 1..=PROCESSES {
        for (number, cell) in cells.iter().enumerate() {
            let measured = lab.measure(cell, &protocol, &mut || true).unwrap();
            let (rows, left_out) = (measured.rows, measured.left_out);
            kept.push(KeptRows { id: number.to_string(), key: String::new(), process, rows, left_out });
        }
    }
    kept
}

/// The claims without a verdict.
pub fn open(section: &Section) -> Vec<&Claim> {
    let open = [Verdict::NotMeasured, Verdict::NotOnThisDevice];
    section.claims.iter().filter(|claim| open.contains(&claim.verdict)).collect()
}

/// The names and the cases of all contenders, which must be different: rows are found by these.
pub fn assert_all_differ(cells: &[Cell]) {
    let all: Vec<(String, &Case)> = cells
        .iter()
        .flat_map(|cell| cell.contenders.iter().map(|contender| (contender.name(), &cell.case)))
        .collect();
    for (number, one) in all.iter().enumerate() {
        assert!(!all[..number].contains(one), "{one:?} is measured twice");
    }
}
