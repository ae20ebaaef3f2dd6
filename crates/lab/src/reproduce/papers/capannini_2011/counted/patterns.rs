//! What the paper says of the patterns: their conflicts, their order, and the gain of LeftRight.

use rasterscan_drawing::number::grouped;
use rasterscan_kmodel::{Model, Pattern, corrected, left_right, left_right_in_print};

use super::checked::{CHECKED, Checked, MOST_ELEMENTS, expected_gain};
use super::points::{cases, exact};
use crate::measure::Estimate;
use crate::report::page::Claim;
use crate::reproduce::judge::{self, Point, Rule, times};
use crate::reproduce::paper::at;
use crate::reproduce::papers::capannini_2011::setup::{BANKS, BANKS_IN_PRINT, LONGEST};
use crate::reproduce::rows::Found;

/// The paper's banks, and today's.
const BOTH: [u64; 2] = [BANKS_IN_PRINT, BANKS];

/// Elements of figure 4, as powers of two. The text does not give its range: from the shortest block of the experiments on.
pub const FIGURE_4: [u32; 2] = [5, 20];

fn model(n: u64, k: u64) -> Option<Model> {
    Model::new(n, k).ok()
}

/// A ratio that was counted; without one, no verdict.
fn ratio(what: String, paper: Option<f64>, rule: Rule, ours: Option<f64>) -> Point {
    let ours = ours.map(|number| Found::Number(Estimate::exactly(number)));
    let ours = ours.unwrap_or_else(|| Found::NotMeasured("the scan was wrong".into()));
    Point::new(what, paper, rule, ours, times)
}

pub fn sweeps() -> Claim {
    let trees = || CHECKED.iter().filter(|scan| scan.pattern != Pattern::Cm);
    let right = trees().filter(|scan| scan.is_alike).count();
    let what = "cases in which each level is loaded with the same conflicts both ways";
    judge::claim(
        "The way down the tree has the conflicts of the way up, in the opposite order.",
        "Section V, (i)",
        vec![cases(what.into(), right, trees().count())],
        "the cases are the three trees, k from 1 to 128 banks and n from k to 2^14 elements",
    )
}

/// The greatest number of these addresses in one bank.
fn degree(addresses: impl Iterator<Item = u64>, k: u64) -> u64 {
    let mut queues = vec![0; k as usize];
    addresses.for_each(|address| queues[(address % k) as usize] += 1);
    queues.into_iter().max().unwrap_or(0)
}

/// T of the loads of algorithm 3 in the order of its lines 3 and 4: all left operands, then all right ones.
fn loads_in_print(model: Model) -> u64 {
    let (n, k, h) = (model.n(), model.k(), model.log_k());
    let level = |d: u32| {
        let nodes = n >> (d + 1);
        let instruction = |j: u64| {
            let of = |side: u64| (j * k..nodes.min((j + 1) * k)).map(move |i| left_right(h, 2 * i + side, d));
            degree(of(0), k) + degree(of(1), k)
        };
        (0..nodes.div_ceil(k)).map(instruction).sum::<u64>()
    };
    (0..model.log_n()).map(level).sum()
}

pub fn loads() -> Claim {
    let model = model(1 << LONGEST, BANKS_IN_PRINT);
    let expected = model.map_or(0, |model| 2 * corrected::latency(Pattern::LeftRight, model));
    let what = format!("T of the loads of Algorithm 3, 2,048 elements on {BANKS_IN_PRINT} banks");
    judge::claim(
        "Where the stores of a level have no conflicts, the loads of the next level have none.",
        "Section V, (ii), and Algorithm 3, lines 3 and 4",
        vec![exact(what, expected, model.map(loads_in_print))],
        "lines 3 and 4 load left operands, then right ones, and so from half of the banks. The loads of the \
         other order, first the operand whose place the sum takes, have no conflicts; the simulator and the \
         shaders have that order",
    )
}

/// Every sum takes the place of one of its operands.
fn is_in_place(h: u32, log_n: u32) -> bool {
    let node = |d: u32, i: u64| {
        let place = left_right_in_print(h, i, d + 1);
        [2 * i, 2 * i + 1].map(|child| left_right_in_print(h, child, d)).contains(&place)
    };
    (0..log_n).all(|d| (0..1 << (log_n - d - 1)).all(|i| node(d, i)))
}

/// The longest array up to which Equation 2 is in place.
fn longest_in_place(k: u64) -> u64 {
    let h = k.ilog2();
    let powers = (h..=MOST_ELEMENTS).take_while(|log_n| is_in_place(h, *log_n));
    powers.last().map_or(0, |log_n| 1 << log_n)
}

pub fn in_place() -> Claim {
    let most = 1 << MOST_ELEMENTS;
    let point = |k: u64| {
        let what = format!("elements up to which it does so on {k} banks, of {}", grouped(most));
        exact(what, most, Some(longest_in_place(k))).says("any")
    };
    judge::claim(
        "Equation 2 stores each sum in the place of one of its operands, for any input size.",
        "Section VI",
        BOTH.map(point).into(),
        "it does so up to k² elements; the paper's own blocks are longer. Its banks are right at any size, \
         and the simulator and the shaders use addresses in the same banks that are in place",
    )
}

/// The longest array up to which a pattern has no conflicts.
fn longest_free(pattern: Pattern, k: u64) -> Option<u64> {
    let own = CHECKED.iter().filter(|scan| scan.pattern == pattern && scan.model.k() == k);
    own.take_while(|scan| scan.conflicts == 0).last().map(|scan| scan.model.n())
}

pub fn free_of_conflicts() -> Claim {
    let most = 1 << MOST_ELEMENTS;
    let points = BOTH.map(|k| {
        let what = |pattern| {
            format!("elements up to which {pattern} has no conflicts on {k} banks, of {}", grouped(most))
        };
        let of = |pattern, paper| exact(what(pattern), paper, longest_free(pattern, k));
        [of(Pattern::Padding, k * k), of(Pattern::LeftRight, most).says("any")]
    });
    judge::claim(
        "Padding is free of conflicts up to k² elements, LeftRight always.",
        "Sections IV, VI and VII",
        points.into_iter().flatten().collect(),
        "these are conflicts of all loads and stores, with the operands of LeftRight loaded in the order \
         without conflicts",
    )
}

/// T of CM over that of the next slowest pattern.
fn behind(n: u64, k: u64) -> Option<f64> {
    let model = model(n, k)?;
    let t = |pattern| corrected::latency(pattern, model) as f64;
    let others = [Pattern::NoPadding, Pattern::Padding, Pattern::LeftRight].map(t);
    Some(t(Pattern::Cm) / others.into_iter().fold(0.0, f64::max))
}

pub fn slowest() -> Claim {
    let [first, last] = FIGURE_4;
    let rule = || Rule::at_least(1.0 - 1e-9, 1.0 + 1e-9);
    let least = (first + 1..=last).filter_map(|p| behind(1 << p, BANKS_IN_PRINT)).reduce(f64::min);
    let what = "T of CM over that of the next slowest";
    judge::claim(
        "CM is the slowest pattern.",
        "Section VII, Figure 4",
        vec![
            ratio(format!("{what}, {}", at(1 << first)), None, rule(), behind(1 << first, BANKS_IN_PRINT)),
            ratio(format!("{what}, the least from 2^{} to 2^{last}", first + 1), None, rule(), least),
        ],
        "on 16 banks, as in the figure; at 2k elements, CM takes as long as NoPadding",
    )
}

pub fn comparable() -> Claim {
    let point = |k: u64| {
        let powers = k.ilog2()..=2 * k.ilog2();
        let gains = powers.filter_map(|p| model(1 << p, k)).map(expected_gain);
        // The gain that is furthest from 1.
        let furthest = gains.max_by(|a, b| a.ln().abs().total_cmp(&b.ln().abs()));
        let what = format!(
            "T of Padding over that of LeftRight, furthest from 1 up to {} elements, {k} banks",
            grouped(k * k)
        );
        ratio(what, None, Rule::near(1.0, 1.1, 1.25), furthest).says("comparable")
    };
    judge::claim(
        "Up to k² elements, Padding is comparable to LeftRight.",
        "Section VII, Figure 4",
        BOTH.map(point).into(),
        "",
    )
}

pub fn gain() -> Claim {
    let of = |n: u64| model(n, BANKS_IN_PRINT).map(expected_gain);
    let what = "T of Padding over that of LeftRight";
    judge::claim(
        "The K-model accounts for the measured gain of 25% over Padding, on 16 banks.",
        "Sections VII and VIII",
        vec![ratio(format!("{what}, blocks of 2,048"), Some(1.25), Rule::factor(1.25), of(1 << LONGEST))],
        "the limit of long blocks is 1 + log k / k: 1.25 on 16 banks, which the paper does not say, and 1.16 \
         on 32, where blocks of 2,048 gain 7%",
    )
}

pub fn all_accesses() -> Claim {
    let whole = |pattern: Pattern, k: u64| {
        let of = |scan: &&Checked| scan.pattern == pattern && model(1 << LONGEST, k) == Some(scan.model);
        CHECKED.iter().find(of).map(|scan| scan.whole as f64)
    };
    let point = |k: u64| {
        let both = whole(Pattern::Padding, k).zip(whole(Pattern::LeftRight, k));
        let gain = both.map(|(padding, left_right)| padding / left_right);
        let what = format!("T of all accesses, Padding over LeftRight, blocks of 2,048 on {k} banks");
        ratio(what, None, Rule::at_least(1.0, 1.05), gain).says("above 1")
    };
    judge::claim(
        "Stores on the way up stand for all accesses: counting all, LeftRight is ahead of Padding as well.",
        "Section V, (ii), and section VII",
        BOTH.map(point).into(),
        "LeftRight must keep the left operands that its sums displace, an eighth of its T. On 32 \
         banks, T is 544 for LeftRight and 511 for Padding",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_by_hand() {
        // 127 instructions of 16 nodes at 2 + 2, then 8, 4, 2 and 1 nodes at 1 + 1.
        assert_eq!(loads_in_print(model(2048, 16).unwrap()), 127 * 4 + 4 * 2);
    }

    #[test]
    fn equation_2_is_in_place_up_to_k_squared() {
        assert_eq!([4, 16, 32].map(longest_in_place), [16, 256, 1024]);
    }

    #[test]
    fn cm_and_a_tree_take_as_long_at_2_k() {
        assert_eq!((behind(32, 16), behind(64, 16)), (Some(1.0), Some(21.0 / 19.0)));
    }

    #[test]
    fn texts_say_what_is_counted() {
        let gain = |k: u64, n: u64| expected_gain(model(n, k).unwrap());
        assert_eq!(format!("{:.2} {:.2}", gain(32, Model::MAX), gain(32, 2048)), "1.16 1.07");
    }
}
