//! harris2007: the GPU's scan against the CPU's, four kernels against each other, and what their algorithms cost.
//!
//! ```text
//! Table 2              eleven lengths, by two clocks: the GPU's own, and the CPU's with the launches     timed.rs
//! naive .. conflict-free   four kernels, in blocks of 512: one block, and large arrays                   timed.rs
//! adds, bank conflicts     the algorithms run on the CPU, and the K-model                              counted.rs
//! ```

mod counted;
mod errata;
mod figures;
mod timed;

use rasterscan::ElementType;
use rasterscan::registry::Choice;

use crate::case::Case;
use crate::cell::Cell;
use crate::contender::Contender;
use crate::cpu::Cpu;
use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{cell, section as new_section};
use crate::reproduce::printed::printed;
use crate::reproduce::rows::Rows;

const KEY: &str = "harris2007";

/// The loop that the paper prints.
const CPU: &str = "cpu:harris";
/// "The work-efficient, bank conflict free scan".
const GPU: &str = "harris:variant=zero_conflict";
/// The same, timed on the CPU's clock with its launches.
const LAUNCHED: &str = "launched:harris:variant=zero_conflict";
const NAIVE: &str = "harris:variant=naive";
const WORK_EFFICIENT: &str = "harris:variant=work_efficient";
/// The default kernel's blocks may be tuned; those of the others are not.
const PADDED: &str = "harris:variant=padded,block=512";

/// Elements in a block: "a typical choice" of the paper, and the default of the kernels.
const BLOCK: u64 = 512;

/// Powers between the first two lengths of Table 2, so that a break-even there is known.
const BETWEEN: [u32; 3] = [12, 13, 14];

fn case(n: u64) -> Case {
    Case::scan(n).of(ElementType::F32).exclusive()
}

/// A column of Table 2, by the number of elements: the row 8388688 is 2^23.
fn table(column: &str) -> Vec<(u64, f64)> {
    let length = |n: f64| if n == 8_388_688.0 { 1 << 23 } else { n as u64 };
    printed(KEY, "Table 2").column(column).into_iter().map(|(n, value)| (length(n), value)).collect()
}

/// The lengths of Table 2 that are measured. Where the GPU is the CPU they decide nothing, and a few do for the pictures.
fn lengths(bounds: &Bounds) -> Vec<u64> {
    let all = table("Speedup").into_iter().map(|(n, _)| n);
    match (bounds.software, bounds.quick) {
        (false, _) => all.collect(),
        (true, false) => all.filter(|n| *n <= 1 << 20).collect(),
        (true, true) => vec![1 << 10, 1 << 16, 1 << 18],
    }
}

/// The lengths at which the kernels are compared on large arrays: the longest of the paper, and its million.
fn large(bounds: &Bounds) -> Vec<u64> {
    match (bounds.software, bounds.quick) {
        (false, _) => vec![1 << 20, 1 << 24],
        (true, false) => vec![1 << 20],
        (true, true) => vec![1 << 18],
    }
}

/// The kernel with its launches.
fn launched() -> Option<Contender> {
    Choice::parse(case(1).problem(), GPU).ok().map(Contender::Launched)
}

pub fn cells(bounds: &Bounds) -> Vec<Cell> {
    let mut cells = Vec::new();
    for n in lengths(bounds) {
        let kernels =
            if large(bounds).contains(&n) { &[GPU, NAIVE, WORK_EFFICIENT, PADDED][..] } else { &[GPU] };
        let mut cell = cell(case(n), kernels);
        cell.contenders.push(Contender::Cpu(Cpu::Harris));
        cell.contenders.extend(launched().filter(|_| !bounds.software));
        cells.push(cell);
    }
    if !bounds.software {
        for power in BETWEEN {
            let contenders = [Some(Contender::Cpu(Cpu::Harris)), launched()].into_iter().flatten().collect();
            cells.push(Cell { contenders, ..cell(case(1 << power), &[]) });
        }
        // Banks alone tell these apart.
        cells.push(cell(case(BLOCK), &[NAIVE, WORK_EFFICIENT, PADDED, GPU]));
    }
    cells
}

pub fn section(rows: &Rows<'_>, bounds: &Bounds) -> Section {
    let mut section = new_section(
        KEY,
        "Parallel prefix sum with CUDA",
        "M. Harris: Parallel Prefix Sum (Scan) with CUDA. NVIDIA, 2007.",
    );
    section.notes = NOTES.map(Into::into).into();
    section.claims = counted::CLAIMS.clone();
    section.claims.extend(timed::claims(rows, bounds));
    section.figures = figures::figures(rows, bounds);
    section.tables = figures::tables(rows, bounds);
    section.errata = errata::errata();
    section
}

const NOTES: [&str; 4] = [
    "Scans are exclusive, of f32, in blocks of 512 elements, the paper's typical choice. The CPU runs the loop that the paper \
     prints, on one core. The paper's GPU was a GeForce 8800 GTX, its CPU an Intel Core Duo Extreme of 2.93 GHz.",
    "The paper does not say whether the time of launches is in its GPU times. So Table 2 is judged twice: by the GPU's own clock, and \
     by the CPU's clock from the first launch to the end of the work. The second is what a program waits for, and so it \
     decides on the break-even.",
    "In print, the CPU takes 2.2 ns for an element up to 65,536 elements, and from 131,072 on 5.5 to 5.7 ns. The GPU has no such step. So \
     most of the step of the factor from 1.07 to 3.63 is one of the CPU's, and the paper gives no reason for it.",
    "Words without a number count as follows: a significant effect is 10% or more, much better is 1.5 times as fast or more, \
     the best performance is at most 5% behind the fastest.",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::effort::Effort;

    #[test]
    fn factors_in_print_are_those_of_the_times() {
        let (cpu, gpu, factors) = (table("CPU Scan (ms)"), table("GPU Scan (ms)"), table("Speedup"));
        assert_eq!(factors.len(), 11);
        for ((cpu, gpu), (n, factor)) in cpu.iter().zip(&gpu).zip(&factors) {
            assert_eq!((cpu.0, gpu.0), (*n, *n));
            assert!((cpu.1 / gpu.1 - factor).abs() <= 0.005, "{n}: {}", cpu.1 / gpu.1);
        }
        assert!(factors.iter().all(|(n, _)| n.is_power_of_two()));
        assert_eq!((factors[0], factors[10]), ((1024, 0.03), (16_777_216, 5.98)));
        // As the note says.
        let nanos: Vec<f64> = cpu.iter().map(|(n, ms)| ms * 1e6 / *n as f64).collect();
        assert!(nanos[..3].iter().all(|ns| (2.15..2.25).contains(ns)), "{nanos:?}");
        assert!(nanos[3..].iter().all(|ns| (5.5..5.7).contains(ns)), "{nanos:?}");
    }

    #[test]
    fn the_kernels_have_blocks_of_512() {
        let device = rasterscan::Device::gl43();
        for name in [GPU, NAIVE, WORK_EFFICIENT, PADDED] {
            let contender = crate::reproduce::paper::contender(case(1).problem(), name);
            let plan = contender.plan(&case(1 << 20), &device).unwrap().unwrap();
            let block = plan.parameters().iter().find(|(name, _)| *name == "block").unwrap();
            assert_eq!(block.1, BLOCK.to_string(), "{name}");
        }
        let names: Vec<String> = cells(&Bounds::new(Effort::Full, false))
            .iter()
            .flat_map(|cell| cell.contenders.iter().map(Contender::name).collect::<Vec<_>>())
            .collect();
        for name in [CPU, GPU, LAUNCHED, NAIVE, WORK_EFFICIENT, PADDED] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
    }
}
