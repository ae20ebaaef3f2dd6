//! What is measured for harris2007: names, cases and lengths.

use crate::case::Case;
use crate::cell::Cell;
use crate::contender::Contender;
use crate::cpu::Cpu;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::cell;
use crate::reproduce::printed::printed;
use rasterscan::ElementType;
use rasterscan::tools::registry::Choice;

pub(super) const KEY: &str = "harris2007";

/// The loop that the paper prints.
pub(super) const CPU: &str = "cpu:harris";
/// "The work-efficient, bank conflict free scan".
pub(super) const GPU: &str = "harris:variant=zero_conflict";
/// The same, timed on the CPU's clock with its launches.
pub(super) const LAUNCHED: &str = "launched:harris:variant=zero_conflict";
pub(super) const NAIVE: &str = "harris:variant=naive";
pub(super) const WORK_EFFICIENT: &str = "harris:variant=work_efficient";
/// The default kernel's blocks may be tuned; those of the others are not.
pub(super) const PADDED: &str = "harris:variant=padded,block=512";

/// Elements in a block: "a typical choice" of the paper, and the default of the kernels.
pub(super) const BLOCK: u64 = 512;

/// Powers between the first two lengths of Table 2, so that a break-even there is known.
pub(super) const BETWEEN: [u32; 3] = [12, 13, 14];

pub(super) fn case(n: u64) -> Case {
    Case::scan(n).of(ElementType::F32).exclusive()
}

/// A column of Table 2, by the number of elements: the row 8388688 is 2^23.
pub(super) fn table(column: &str) -> Vec<(u64, f64)> {
    let length = |n: f64| if n == 8_388_688.0 { 1 << 23 } else { n as u64 };
    printed(KEY, "Table 2").column(column).into_iter().map(|(n, value)| (length(n), value)).collect()
}

/// The lengths of Table 2 that are measured. Where the GPU is the CPU they decide nothing, and a few do for the pictures.
pub(super) fn lengths(bounds: &Bounds) -> Vec<u64> {
    let all = table("Speedup").into_iter().map(|(n, _)| n);
    match (bounds.software, bounds.quick) {
        (false, _) => all.collect(),
        (true, false) => all.filter(|n| *n <= 1 << 20).collect(),
        (true, true) => vec![1 << 10, 1 << 16, 1 << 18],
    }
}

/// The lengths at which the kernels are compared on large arrays: the longest of the paper, and its million.
pub(super) fn large(bounds: &Bounds) -> Vec<u64> {
    match (bounds.software, bounds.quick) {
        (false, _) => vec![1 << 20, 1 << 24],
        (true, false) => vec![1 << 20],
        (true, true) => vec![1 << 18],
    }
}

/// A block alone, then these.
pub(super) fn block_and_large(bounds: &Bounds) -> Vec<u64> {
    [vec![BLOCK], large(bounds)].concat()
}

/// The kernel with its launches.
pub(super) fn launched() -> Option<Contender> {
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
