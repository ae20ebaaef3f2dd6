//! The document of `kmodel --json`, from which the tables are made, too.

use serde::Serialize;

use rasterscan::operator::BuiltIn;
use rasterscan::operator::built_in::Affine;
use rasterscan::{Operator, ScanKind, ScanSpec, scan};
use rasterscan_kmodel::{Counts, Model, Pattern, Simulation, Step, corrected, printed, simulate};

use crate::console::called;
use crate::exit::WrongResult;

#[derive(Debug, Serialize)]
pub struct KmodelDocument {
    schema: &'static str,
    pub n: u64,
    pub k: u64,
    pub patterns: Vec<KmodelRow>,
}

impl KmodelDocument {
    pub fn new(model: Model, patterns: Vec<KmodelRow>) -> KmodelDocument {
        KmodelDocument { schema: "rasterscan.kmodel/1", n: model.n(), k: model.k(), patterns }
    }
}

/// A pattern.
#[derive(Debug, Serialize)]
pub struct KmodelRow {
    pub pattern: &'static str,
    /// The paper's name of the pattern.
    pub label: &'static str,
    /// The scan that was executed: inclusive or exclusive.
    pub kind: &'static str,
    pub verified: bool,
    pub simulated: Costs,
    /// The results of the closed forms that agree with the simulator.
    pub corrected: Costs,
    pub printed: Printed,
    /// The reason why the printed latency is not the corrected one; `null` if it is.
    pub remark: Option<&'static str>,
    /// T of all loads and stores of both sweeps, which the paper does not count.
    pub latency_of_all_accesses: u64,
    /// The steps; with `--pattern` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<StepRow>>,
}

#[derive(Debug, Serialize)]
pub struct Costs {
    /// T.
    pub latency: u64,
    /// l.
    pub instructions: u64,
    /// T - l.
    pub conflicts: u64,
    /// W.
    pub length: u64,
    /// W / (k l); `null` if there is nothing to do.
    pub efficiency: Option<f64>,
    /// G.
    pub transactions: u64,
    /// Words of internal memory.
    pub words: u64,
}

impl Costs {
    fn of(counts: Counts, k: u64) -> Costs {
        Costs {
            latency: counts.latency,
            instructions: counts.instructions,
            conflicts: counts.conflicts(),
            length: counts.length,
            efficiency: counts.efficiency(k),
            transactions: counts.transactions,
            words: counts.words,
        }
    }
}

/// The results of the paper's formulas; `null` if it has none.
#[derive(Debug, Serialize)]
pub struct Printed {
    pub latency: Option<f64>,
    pub instructions: Option<f64>,
    pub length: Option<f64>,
    pub efficiency: Option<f64>,
    pub transactions: f64,
    pub space: Option<&'static str>,
}

/// The stores of results in one step.
#[derive(Debug, Serialize)]
pub struct StepRow {
    /// The number of the step, from 1.
    pub step: u32,
    pub stores: u64,
    pub instructions: u64,
    pub latency: u64,
    /// The greatest of its instructions.
    pub degree: u64,
    pub degrees: Vec<Degree>,
    /// The number of stores to each bank.
    pub banks: Vec<u64>,
}

#[derive(Debug, Serialize)]
pub struct Degree {
    pub degree: u64,
    pub instructions: u64,
}

impl StepRow {
    fn of(step: &Step) -> StepRow {
        let results = &step.results;
        let degree =
            |(degree, instructions): (&u64, &u64)| Degree { degree: *degree, instructions: *instructions };
        StepRow {
            step: step.number,
            stores: results.length,
            instructions: results.instructions,
            latency: results.latency,
            degree: results.degree(),
            degrees: results.degrees.iter().map(degree).collect(),
            banks: results.banks.clone(),
        }
    }
}

impl KmodelRow {
    /// Executes the scan.
    ///
    /// Errors: [`WrongResult`] if it differs from the sequential scan.
    pub fn new(pattern: Pattern, model: Model, with_steps: bool) -> anyhow::Result<KmodelRow> {
        let simulation = scan(pattern, model)?;
        let k = model.k();
        Ok(KmodelRow {
            pattern: pattern.name(),
            label: pattern.label(),
            kind: if pattern.kind() == ScanKind::Inclusive { "inclusive" } else { "exclusive" },
            verified: true,
            simulated: Costs::of(simulation.counts(), k),
            corrected: Costs::of(corrected::counts(pattern, model), k),
            printed: Printed {
                latency: printed::latency(pattern, model),
                instructions: printed::instructions(pattern, model),
                length: printed::length(pattern, model),
                efficiency: printed::efficiency(pattern, model),
                transactions: printed::transactions(model),
                space: printed::space(pattern),
            },
            remark: printed::remark(pattern, model),
            latency_of_all_accesses: simulation.whole(),
            steps: with_steps.then(|| simulation.steps.iter().map(StepRow::of).collect()),
        })
    }
}

/// Scans affine maps, which reveal any two swapped operands.
fn scan(pattern: Pattern, model: Model) -> anyhow::Result<Simulation<[u32; 2]>> {
    // Any odd slopes and distinct constants will do; the multiplier is Knuth's.
    let map = |i: u32| [2 * i + 1, i.wrapping_mul(2_654_435_761)];
    let maps: Vec<[u32; 2]> = (0..model.n() as u32).map(map).collect();
    let simulation = simulate(pattern, model, &maps, Affine::identity(), Affine::combine);
    let spec = ScanSpec::new::<u32>(maps.len()).operator(Operator::AFFINE);
    let spec = if pattern.kind() == ScanKind::Exclusive { spec.exclusive() } else { spec };
    // Integers are compared exactly; the depth is for floats.
    let depth = model.n();
    scan::verify(&spec, depth, maps.as_flattened(), simulation.scanned.as_flattened()).map_err(
        |mismatch| WrongResult {
            algorithm: format!("the simulated {pattern}"),
            mismatch: Box::new(mismatch),
            command: format!(
                "{} kmodel --n {} --k {} --pattern {}",
                called(),
                model.n(),
                model.k(),
                pattern.name()
            ),
        },
    )?;
    tracing::info!(
        "{pattern}: {} steps, T of all loads and stores {}",
        simulation.steps.len(),
        simulation.whole()
    );
    Ok(simulation)
}
