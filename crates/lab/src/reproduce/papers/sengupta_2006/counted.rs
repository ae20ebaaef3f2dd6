//! Claims that are counted from plans, and so hold on any device.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rasterscan::Plan;

use super::setup::{BLELLOCH, HORN, KEY, LENGTHS, Length, SHARE, compaction};
use crate::case::{Case, length};
use crate::report::page::{Claim, Table};
use crate::reproduce::paper::{at, plan_of};
use crate::reproduce::rows::Lookup;
use crate::reproduce::statements::statement;
use crate::reproduce::unit::whole;

/// The longest stream whose operations are counted.
const LONGEST: u64 = 1 << 20;
/// Lengths whose operations are counted, as powers of two; neighbours differ by a factor of 2.
const COUNTED: std::ops::RangeInclusive<u32> = 10..=24;

/// The claims, which take some milliseconds to count.
pub static CLAIMS: LazyLock<[Claim; 4]> =
    LazyLock::new(|| [steps_of_horn(), operations_differ(), twice_the_passes(), footprint()]);

pub static OPERATIONS: LazyLock<Table> = LazyLock::new(|| {
    Table::new(
        "Operations of the scans, counted in textures, beside the difference in print (section 2.3.2)",
        [
            "n",
            "Horn's adds",
            "n log2 n - n + 1",
            "Blelloch's adds",
            "difference",
            "n log2 n - 2n(1 - 2/n), as we read the print",
        ],
        COUNTED.step_by(2).map(|log2| line(1 << log2)),
    )
});

fn adds(name: &str, n: u64) -> f64 {
    plan_of(name, &Case::scan(n)).cost().adds as f64
}

fn passes(name: &str, n: u64) -> f64 {
    plan_of(name, &Case::scan(n)).passes().len() as f64
}

fn log2(n: u64) -> f64 {
    f64::from(n.ilog2())
}

/// The adds of Horn's scan by its algorithm: in step d, all but the first 2^d elements add.
fn adds_by_algorithm(n: u64) -> f64 {
    n as f64 * log2(n) - n as f64 + 1.0
}

/// By how many adds Horn's scan exceeds the work-efficient one.
fn difference(n: u64) -> f64 {
    adds(HORN, n) - adds(BLELLOCH, n)
}

fn line(n: u64) -> Vec<String> {
    let of = n as f64;
    let printed = of * log2(n) - 2.0 * of * (1.0 - 2.0 / of);
    let numbers = [adds(HORN, n), adds_by_algorithm(n), adds(BLELLOCH, n), difference(n), printed];
    std::iter::once(length(n)).chain(numbers.map(whole)).collect()
}

fn steps_of_horn() -> Claim {
    let lengths = [1 << 10, 1 << 15, LONGEST].map(|n| (n, log2(n)));
    statement(KEY, "steps_of_horn").beside_each(&[], lengths, |n| Lookup::exactly(passes(HORN, n)))
}

fn operations_differ() -> Claim {
    let n = LONGEST;
    let growths = COUNTED.skip(1).map(|log2| difference(1 << log2) / difference(1 << (log2 - 1)));
    let counts = [
        adds(HORN, n) / (n as f64 * log2(n)),
        adds(HORN, n) / adds(BLELLOCH, n),
        growths.fold(f64::INFINITY, f64::min),
    ];
    statement(KEY, "operations_differ").judge(&[("at", &at(n))], counts.map(Lookup::exactly))
}

/// Passes of the tree in blocks of 1024: the way down to one sum a block, and up again. `horn` is likewise.
fn passes_in_blocks(inner: &str) -> f64 {
    let plan = plan_of(&format!("blocks:size=1024,inner={inner}"), &Case::compact(1024, SHARE));
    let phases = ["scan in blocks", "reduce", "down-sweep"];
    // Passes of scope 0 are the compaction's own; the scan of the blocks' counts has a scope of its own.
    plan.passes().iter().filter(|pass| pass.scope == 0 && phases.contains(&pass.phase)).count() as f64
}

fn twice_the_passes() -> Claim {
    let n = LONGEST;
    let ratios =
        [passes_in_blocks("blelloch") / passes_in_blocks("hillis"), passes(BLELLOCH, n) / passes(HORN, n)];
    statement(KEY, "twice_the_passes").judge(&[("at", &at(n))], ratios.map(Lookup::exactly))
}

/// The texture of what is kept, by its name in plans.
const FLAGS: &str = "flags";

/// The bytes of all textures of a compaction, its input among them.
fn bytes(plan: &Plan) -> f64 {
    (plan.bytes() + plan.layout(plan.input()).bytes()) as f64
}

/// The most texels that are alive at once, without a texture of this name. The input is alive from the beginning, results to the end.
fn most_alive(plan: &Plan, without: &str) -> u64 {
    let last = plan.passes().len() - 1;
    let mut lives: BTreeMap<usize, (usize, usize)> =
        plan.inputs().map(|slot| (slot.index(), (0, 0))).collect();
    for (number, pass) in plan.passes().iter().enumerate() {
        for slot in pass.reads().chain(pass.writes()) {
            lives.entry(slot.index()).or_insert((number, number)).1 = number;
        }
    }
    for slot in plan.outputs() {
        lives.entry(slot.index()).or_insert((0, last)).1 = last;
    }
    let alive = |number: usize| {
        let own = lives.iter().filter(|(_, (first, last))| (*first..=*last).contains(&number));
        let own = own.map(|(index, _)| &plan.slots()[*index]).filter(|slot| slot.name != without);
        own.map(|slot| slot.layout.texels()).sum()
    };
    (0..=last).map(alive).max().unwrap_or(0)
}

fn footprint() -> Claim {
    let claim = statement(KEY, "footprint");
    let plans = |Length { n, steps, .. }: &Length| {
        [HORN.into(), compaction(*steps)].map(|name| plan_of(&name, &Case::compact(*n, SHARE)))
    };
    let points = LENGTHS.iter().flat_map(|length| {
        let [horn, hybrid] = plans(length);
        let fills = [("at", &at(length.n) as _), ("steps", &length.steps as _)];
        let over = |without| most_alive(&hybrid, without) as f64 / most_alive(&horn, "") as f64;
        ["", FLAGS]
            .map(|without| claim.point((without == FLAGS).into(), &fills, Lookup::exactly(over(without))))
    });
    let [horn, hybrid] = plans(&LENGTHS[0]).map(|plan| bytes(&plan));
    claim.with_points(&[("allocated", &format!("{:.2}", hybrid / horn))], points.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::Verdict;

    /// Adds of the work-efficient scan that reduces to one row of 256: as algorithms 2 to 4 make them.
    fn adds_to_one_row(n: u64) -> f64 {
        let levels = log2(n) - 8.0;
        let (reduce, sweep) = (n as f64 - 256.0, n as f64 - 256.0 - levels);
        reduce + adds_by_algorithm(256) + sweep
    }

    #[test]
    fn counts_are_those_of_the_algorithms() {
        for n in COUNTED.map(|log2| 1u64 << log2) {
            assert_eq!(adds(HORN, n), adds_by_algorithm(n), "{n}");
            // From 2^23 on, rows are wider.
            if (1 << 16..1 << 23).contains(&n) {
                assert_eq!(adds(BLELLOCH, n), adds_to_one_row(n), "{n}");
            }
        }
        // Step i of Horn's scan: n - 2^i fragments add.
        let plan = plan_of(HORN, &Case::scan(1 << 12));
        for (i, pass) in plan.passes().iter().enumerate() {
            assert_eq!(pass.cost.adds, 4096 - (1 << i));
        }
    }

    /// As the errata say: 2n - log2 n - 2 adds, in twice the passes.
    #[test]
    fn a_tree_to_one_element_is_that_of_algorithms_3_and_4() {
        assert_eq!((passes_in_blocks("hillis"), passes_in_blocks("blelloch")), (10.0, 20.0));
        let plan = plan_of("blocks:size=1024,inner=blelloch", &Case::compact(1024, SHARE));
        let adds =
            plan.passes().iter().filter(|pass| pass.scope == 0).map(|pass| pass.cost.adds).sum::<u64>();
        assert_eq!(adds, 2 * 1024 - 10 - 2);
    }

    #[test]
    fn counted_claims_come_out() {
        let verdicts: Vec<Verdict> = CLAIMS.iter().map(|claim| claim.verdict).collect();
        use Verdict::{Mixed, Reproduced};
        assert_eq!(verdicts, [Reproduced, Reproduced, Mixed, Mixed]);
        let ours = |claim: usize| CLAIMS[claim].points.iter().map(|point| &point.ours).collect::<Vec<_>>();
        assert_eq!(ours(2), ["2.00x", "1.60x"]);
        // Input, flags, sums and half as many sums against input and two streams of sums; the engine takes five streams.
        assert_eq!(ours(3), ["1.17x", "1.00x", "1.17x", "1.00x"]);
        assert!(CLAIMS[3].why.contains("1.67 times"), "{}", CLAIMS[3].why);
        assert_eq!(OPERATIONS.rows[0], ["2^10", "9,217", "9,217", "2,108", "7,109", "8,196"]);
    }
}
