//! Claims that are counted from the plans of the device, or computed from the paper's own numbers: they need no times.

use rasterscan::Plan;

use super::setup::{KEY, LOOK_BACK, SAM, SIZES, THREE_PHASE};
use crate::case::Case;
use crate::report::page::Claim;
use crate::reproduce::paper::plan_of;
use crate::reproduce::printed::printed;
use crate::reproduce::rows::{Lookup, PaperRows};
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

pub fn claims(rows: &PaperRows<'_>) -> Vec<Claim> {
    vec![
        words_moved(rows),
        auxiliary_memory(rows),
        words_of_orders(rows),
        architecture(),
        bandwidth(),
        this_device(),
    ]
}

/// Words that a plan moves for an item.
pub fn words(plan: &Plan, case: &Case) -> f64 {
    plan.cost().words_moved() as f64 / case.n() as f64
}

/// Bytes besides the input and the output.
pub fn auxiliary(rows: &PaperRows<'_>, name: &str, log2: u32) -> Lookup {
    let bytes = |plan: &Plan| (plan.bytes() - plan.layout(plan.output()).bytes()) as f64;
    rows.counted(name, &Case::scan(1 << log2), bytes)
}

fn words_moved(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "words_moved");
    let case = Case::scan(1 << COUNTED[0]);
    let device = rows.counted_on();
    let point = |(name, library, paper): (&str, &str, f64)| {
        let fills = [
            ("name", &name as _),
            ("library", &library as _),
            ("device", &device as _),
            ("paper", &paper as _),
        ];
        claim.point(0, &fills, rows.counted(name, &case, |plan| words(plan, &case)))
    };
    claim.with_points(&[("device", &device)], MOVES.map(point))
}

fn auxiliary_memory(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "auxiliary_memory");
    let growth = |index: usize, name: &str| {
        let found = COUNTED.map(|log2| auxiliary(rows, name, log2));
        let growth = match found.each_ref().map(Lookup::estimate) {
            // None of both is no growth.
            [Some(less), Some(more)] => Lookup::exactly(more.value.max(1.0) / less.value.max(1.0)),
            [Some(_), None] => found[1].clone(),
            [None, _] => found[0].clone(),
        };
        claim.point(index, &[("name", &name)], growth)
    };
    let others = MOVES.iter().filter(|(name, ..)| *name != SAM).map(|(name, ..)| growth(1, name));
    claim.with_points(&[("device", &rows.counted_on())], std::iter::once(growth(0, SAM)).chain(others))
}

fn words_of_orders(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "words_of_orders");
    let mut points = Vec::new();
    for (name, words_at) in [(SAM, [2; 3]), (THREE_PHASE, SIZES.map(|order| 4 * order))] {
        for (order, paper) in SIZES.into_iter().zip(words_at) {
            let case = Case::scan(1 << COUNTED[0]).order(order);
            let ours = rows.counted(name, &case, |plan| words(plan, &case));
            let fills = [("name", &name as _), ("order", &order as _), ("paper", &paper as _)];
            points.push(claim.point(0, &fills, ours));
        }
    }
    claim.with_points(&[("device", &rows.counted_on())], points)
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
fn this_device() -> Claim {
    statement(KEY, "this_device").judge(&[], [Lookup::NotMeasured(String::new())])
}

/// 10^9 items a second of SAM at most, and the peak of the Titan X in GB/s (section 5.1).
const MOST: f64 = 33.0;
const PEAK: f64 = 336.0;

fn bandwidth() -> Claim {
    let case = Case::scan(1 << COUNTED[1]);
    let bytes = MOST * 4.0 * words(&plan_of(SAM, &case), &case);
    statement(KEY, "bandwidth").judge(&[], [bytes, 100.0 * bytes / PEAK].map(Lookup::exactly))
}
