//! Claims that are counted from the plans, or computed from the paper's own numbers: they need no device.

use std::sync::LazyLock;

use super::setup::{KEY, LOOK_BACK, SAM, SIZES, THREE_PHASE};
use crate::case::Case;
use crate::report::page::Claim;
use crate::reproduce::paper::plan_of;
use crate::reproduce::printed::printed;
use crate::reproduce::rows::Lookup;
use crate::reproduce::statements::statement;

/// The lengths that plans are counted for, as powers of two: what grows with the length grows 64 times from
/// one to the other.
pub const COUNTED: [u32; 2] = [20, 26];

/// The algorithms here, their counterparts in the paper, and the words that the paper says each moves for an
/// item.
const MOVES: [(&str, &str, f64); 5] = [
    (THREE_PHASE, "Thrust and CUDPP", 4.0),
    ("reduce_then_scan", "MGPU", 3.0),
    ("chained", "StreamScan", 2.0),
    (LOOK_BACK, "CUB", 2.0),
    (SAM, "SAM", 2.0),
];

/// Found once, since a section is made after every cell.
pub static CLAIMS: LazyLock<[Claim; 5]> =
    LazyLock::new(|| [words_moved(), auxiliary_memory(), words_of_orders(), architecture(), bandwidth()]);

/// Words moved for an item.
pub fn words(name: &str, case: &Case) -> f64 {
    plan_of(name, case).cost().words_moved() as f64 / case.n() as f64
}

/// Bytes besides the input and the output.
pub fn auxiliary(name: &str, log2: u32) -> u64 {
    let plan = plan_of(name, &Case::scan(1 << log2));
    plan.bytes() - plan.layout(plan.output()).bytes()
}

fn words_moved() -> Claim {
    let claim = statement(KEY, "words_moved");
    let case = Case::scan(1 << COUNTED[0]);
    let point = |(name, library, paper): (&str, &str, f64)| {
        let fills = [("name", &name as _), ("library", &library as _), ("paper", &paper as _)];
        claim.point(0, &fills, Lookup::exactly(words(name, &case)))
    };
    claim.with_points(&[], MOVES.map(point))
}

fn auxiliary_memory() -> Claim {
    let claim = statement(KEY, "auxiliary_memory");
    let growth = |index: usize, name: &str| {
        let growth = auxiliary(name, COUNTED[1]) as f64 / auxiliary(name, COUNTED[0]) as f64;
        claim.point(index, &[("name", &name)], Lookup::exactly(growth))
    };
    let others = MOVES.iter().filter(|(name, ..)| *name != SAM).map(|(name, ..)| growth(1, name));
    claim.with_points(&[], std::iter::once(growth(0, SAM)).chain(others))
}

fn words_of_orders() -> Claim {
    let claim = statement(KEY, "words_of_orders");
    let mut points = Vec::new();
    for (name, words_at) in [(SAM, [2; 3]), (THREE_PHASE, SIZES.map(|order| 4 * order))] {
        for (order, paper) in SIZES.into_iter().zip(words_at) {
            let ours = words(name, &Case::scan(1 << COUNTED[0]).order(order));
            let fills = [("name", &name as _), ("order", &order as _), ("paper", &paper as _)];
            points.push(claim.point(0, &fills, Lookup::exactly(ours)));
        }
    }
    claim.with_points(&[], points)
}

/// The factor of a GPU from its parameters in table 4.1, times 1000: m b / (t r).
pub fn factor(gpu: &str) -> Option<f64> {
    let parameter = |column: &str| printed(KEY, "Table 4.1").value(gpu, column);
    Some(1000.0 * parameter("m")? * parameter("b")? / (parameter("t")? * parameter("r")?))
}

/// The table gives three digits, and one parameter that is rounded itself.
fn architecture() -> Claim {
    let claim = statement(KEY, "architecture");
    let table = printed(KEY, "Table 4.1");
    let points = table.rows.iter().filter_map(|row| {
        let paper = table.value(row[0], "af")?;
        Some(claim.point(0, &[("gpu", &row[0]), ("paper", &paper)], Lookup::exactly(factor(row[0])?)))
    });
    claim.with_points(&[], points)
}

/// The factor of the device, which cannot be computed.
pub fn this_device() -> Claim {
    let reason = "the registers of a thread and the groups that fill a processor, of which the factor is \
                  made, are not told to compute shaders";
    statement(KEY, "this_device").judge(&[], [Lookup::NotOnThisDevice(reason.into())])
}

/// 10^9 items a second of SAM at most, and the peak of the Titan X in GB/s (section 5.1).
const MOST: f64 = 33.0;
const PEAK: f64 = 336.0;

fn bandwidth() -> Claim {
    let bytes = MOST * 4.0 * words(SAM, &Case::scan(1 << COUNTED[1]));
    statement(KEY, "bandwidth").judge(&[], [bytes, 100.0 * bytes / PEAK].map(Lookup::exactly))
}
