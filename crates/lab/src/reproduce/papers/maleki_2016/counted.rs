//! Claims that are counted from the plans, or computed from the paper's own numbers: they need no device.

use std::sync::LazyLock;

use super::setup::{KEY, LOOK_BACK, SAM, SIZES, THREE_PHASE};
use crate::case::Case;
use crate::report::page::Claim;
use crate::reproduce::judge::{Point, Rule, claim, times};
use crate::reproduce::paper::plan_of;
use crate::reproduce::printed::printed;
use crate::reproduce::rows::Found;

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

fn number(number: f64) -> String {
    format!("{number:.2}")
}

/// The paper says "about": within 5%.
fn about(paper: f64) -> Rule {
    Rule::near(paper, 1.05, 1.25)
}

fn words_moved() -> Claim {
    let case = Case::scan(1 << COUNTED[0]);
    let points = MOVES.map(|(name, library, paper)| {
        Point::counted(format!("{name}, as {library}"), paper, about(paper), words(name, &case), number)
    });
    claim(
        "Words moved for each item: 4 by Thrust and CUDPP, 3 by MGPU, 2 by StreamScan, CUB and SAM.",
        "Section 2.1, table 2.1",
        points.into(),
        "Counted from the plans for 2^20 items; on longer streams sam moves a little more.",
    )
}

fn auxiliary_memory() -> Claim {
    let growth = |name: &str| auxiliary(name, COUNTED[1]) as f64 / auxiliary(name, COUNTED[0]) as f64;
    let linear = f64::from(1 << (COUNTED[1] - COUNTED[0]));
    let what = |name: &str| format!("{name}: growth from 2^{} to 2^{} items", COUNTED[0], COUNTED[1]);
    let mut points =
        vec![Point::counted(what(SAM), 1.0, Rule::near(1.0, 1.05, 2.0), growth(SAM), times).says("constant")];
    points.extend(MOVES.iter().filter(|(name, ..)| *name != SAM).map(|(name, ..)| {
        Point::counted(what(name), linear, Rule::near(linear, 1.25, 4.0), growth(name), times).says("linear")
    }));
    claim(
        "SAM needs a constant amount of auxiliary memory; other implementations need a linear amount.",
        "Sections 4.3 and 6.2",
        points,
        "Counted from the plans: the bytes besides input and output.",
    )
}

fn words_of_orders() -> Claim {
    let mut points = Vec::new();
    for (name, words_at) in [(SAM, [2.0; 3]), (THREE_PHASE, SIZES.map(|order| 4.0 * f64::from(order)))] {
        for (order, paper) in SIZES.into_iter().zip(words_at) {
            let case = Case::scan(1 << COUNTED[0]).order(order);
            let what = format!("{name}, order {order}");
            points.push(Point::counted(what, paper, about(paper), words(name, &case), number));
        }
    }
    claim(
        "At order q, the three-phase algorithm reads and writes each item 2q times; SAM still reads and \
         writes it once.",
        "Section 4.4",
        points,
        "Counted from the plans for 2^20 items, in words for an item.",
    )
}

/// The factor of a GPU from its parameters in table 4.1, times 1000: m b / (t r).
pub fn factor(gpu: &str) -> Option<f64> {
    let parameter = |column: &str| printed(KEY, "Table 4.1").value(gpu, column);
    Some(1000.0 * parameter("m")? * parameter("b")? / (parameter("t")? * parameter("r")?))
}

/// The table gives three digits, and one parameter that is rounded itself.
fn architecture() -> Claim {
    let table = printed(KEY, "Table 4.1");
    let points = table.rows.iter().filter_map(|row| {
        let paper = table.value(row[0], "af")?;
        Some(Point::counted(row[0], paper, Rule::near(paper, 1.01, 1.1), factor(row[0])?, number))
    });
    claim(
        "The architectural factor af = m b / (t r), times 1000, is 7.32, 1.96, 0.92 and 1.46 on four \
         generations of GPUs.",
        "Section 4.5, table 4.1",
        points.collect(),
        "The arithmetic of the table. The carries that a GPU adds up are not counted.",
    )
}

/// The factor of the device, which cannot be computed.
pub fn this_device() -> Claim {
    let none = Found::NotMeasured("it is not known".into());
    let point = Point::new("af, times 1000, of this device", None, Rule::at_most(1.46, 7.32), none, number);
    let reason = "the registers of a thread and the groups that fill a processor, of which the factor is \
                  made, are not told to compute shaders";
    claim(
        "The architectural factor has a falling trend over the generations.",
        "Section 4.5",
        vec![point.says("falls further").not_on_this_device(reason)],
        "",
    )
}

/// 10^9 items a second of SAM at most, and the peak of the Titan X in GB/s (section 5.1).
const MOST: f64 = 33.0;
const PEAK: f64 = 336.0;

fn bandwidth() -> Claim {
    let bytes = 4.0 * words(SAM, &Case::scan(1 << COUNTED[1]));
    let share = |share: f64| format!("{share:.1}%");
    // Within 2%: the throughput has two digits.
    let near = |paper: f64| Rule::near(paper, 1.02, 1.1);
    claim(
        "SAM's 33 billion items a second move 264 GB/s, 78.6% of the Titan X's peak bandwidth.",
        "Section 6.2",
        vec![
            Point::counted("GB/s", 264.0, near(264.0), MOST * bytes, number),
            Point::counted("share of 336 GB/s", 78.6, near(78.6), 100.0 * MOST * bytes / PEAK, share),
        ],
        "The paper's throughput, times the bytes that SAM's plan moves for an item of 32 bits.",
    )
}
