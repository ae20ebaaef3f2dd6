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
mod setup;
mod timed;

use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::section as new_section;
use crate::reproduce::rows::Rows;

pub use setup::cells;
use setup::*;

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
    "Scans are exclusive, of f32, in blocks of 512 elements, the paper's typical choice. The CPU runs the \
     loop that the paper prints, on one core. The paper's GPU was a GeForce 8800 GTX, its CPU an Intel Core \
     Duo Extreme of 2.93 GHz.",
    "The paper does not say whether the time of launches is in its GPU times. So Table 2 is judged twice: by \
     the GPU's own clock, and by the CPU's clock from the first launch to the end of the work. The second is \
     what a program waits for, and so it decides on the break-even.",
    "In print, the CPU takes 2.2 ns for an element up to 65,536 elements, and from 131,072 on 5.5 to 5.7 ns. \
     The GPU has no such step. So most of the step of the factor from 1.07 to 3.63 is one of the CPU's, and \
     the paper gives no reason for it.",
    "Words without a number count as follows: a significant effect is 5% or more, much better is 1.5 times \
     as fast or more, the best performance is at most 5% behind the fastest.",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::Contender;
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
