//! harris2007: the GPU's scan against the CPU's, four kernels against each other, and what their algorithms cost.
//!
//! ```text
//! Table 2              eleven lengths, by two clocks: the GPU's own, and the CPU's with the launches     timed.rs
//! naive .. conflict-free   four kernels, in blocks of 512: one block, and large arrays                   timed.rs
//! adds, bank conflicts     the algorithms run on the CPU, and the K-model                              counted.rs
//! ```

mod counted;
mod figures;
mod setup;
mod timed;

use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::rows::PaperRows;
use crate::reproduce::statements::section_of;

pub use setup::cells;
use setup::*;

pub fn section(rows: &PaperRows<'_>, bounds: &Bounds) -> Section {
    let mut section = section_of(KEY, &[]);
    section.claims = counted::CLAIMS.clone();
    section.claims.extend(timed::claims(rows, bounds));
    section.figures = figures::figures(rows, bounds);
    section.tables = figures::tables(rows, bounds);
    section
}

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
            let contender = crate::contender::Contender::known(case(1).problem(), name);
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
