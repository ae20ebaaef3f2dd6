//! What the paper says of the patterns: their conflicts, their order, and the gain of LeftRight.

use rasterscan_drawing::number::grouped;
use rasterscan_kmodel::{Model, Pattern, corrected, left_right, left_right_in_print};

use super::checked::{CHECKED, Checked, MOST_ELEMENTS, cases, counted, expected_gain, ratio};
use crate::report::page::Claim;
use crate::reproduce::papers::capannini_2011::setup::{BANKS, BANKS_IN_PRINT, FIGURE_4, KEY, LONGEST};
use crate::reproduce::statements::statement;

/// The paper's banks, and today's.
const BOTH: [u64; 2] = [BANKS_IN_PRINT, BANKS];

fn model(n: u64, k: u64) -> Option<Model> {
    Model::new(n, k).ok()
}

pub fn sweeps() -> Claim {
    let claim = statement(KEY, "sweeps");
    let trees = || CHECKED.iter().filter(|scan| scan.pattern != Pattern::Cm);
    let right = trees().filter(|scan| scan.is_alike).count();
    claim.with_points(&[], [cases(claim, 0, "", (right, trees().count()))])
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
    statement(KEY, "loads").judge(
        &[("BANKS_IN_PRINT", &BANKS_IN_PRINT), ("paper", &expected)],
        [counted(model.map(loads_in_print))],
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
    let claim = statement(KEY, "in_place");
    let most = 1u64 << MOST_ELEMENTS;
    let point = |k: u64| {
        let fills = [("k", &k as _), ("all", &grouped(most) as _), ("most", &most as _)];
        claim.point(0, &fills, counted(Some(longest_in_place(k))))
    };
    claim.with_points(&[], BOTH.map(point))
}

/// The longest array up to which a pattern has no conflicts.
fn longest_free(pattern: Pattern, k: u64) -> Option<u64> {
    let own = CHECKED.iter().filter(|scan| scan.pattern == pattern && scan.model.k() == k);
    own.take_while(|scan| scan.conflicts == 0).last().map(|scan| scan.model.n())
}

pub fn free_of_conflicts() -> Claim {
    let claim = statement(KEY, "free_of_conflicts");
    let most = 1u64 << MOST_ELEMENTS;
    let points = BOTH.into_iter().flat_map(|k| {
        [Pattern::Padding, Pattern::LeftRight].into_iter().enumerate().map(move |(index, pattern)| {
            let fills = [
                ("k", &k as _),
                ("all", &grouped(most) as _),
                ("square", &(k * k) as _),
                ("most", &most as _),
            ];
            claim.point(index, &fills, counted(longest_free(pattern, k)))
        })
    });
    claim.with_points(&[], points)
}

/// T of CM over that of the next slowest pattern.
fn behind(n: u64, k: u64) -> Option<f64> {
    let model = model(n, k)?;
    let t = |pattern| corrected::latency(pattern, model) as f64;
    let others = [Pattern::NoPadding, Pattern::Padding, Pattern::LeftRight].map(t);
    Some(t(Pattern::Cm) / others.into_iter().fold(0.0, f64::max))
}

pub fn slowest() -> Claim {
    let (first, last) = FIGURE_4.into_inner();
    let least = (first + 1..=last).filter_map(|p| behind(1 << p, BANKS_IN_PRINT)).reduce(f64::min);
    statement(KEY, "slowest_in_model").judge(&[], [behind(1 << first, BANKS_IN_PRINT), least].map(ratio))
}

pub fn comparable() -> Claim {
    let claim = statement(KEY, "comparable_in_model");
    let point = |k: u64| {
        let powers = k.ilog2()..=2 * k.ilog2();
        let gains = powers.filter_map(|p| model(1 << p, k)).map(expected_gain);
        // The gain that is furthest from 1.
        let furthest = gains.max_by(|a, b| a.ln().abs().total_cmp(&b.ln().abs()));
        claim.point(0, &[("k", &k), ("square", &grouped(k * k))], ratio(furthest))
    };
    claim.with_points(&[], BOTH.map(point))
}

pub fn gain() -> Claim {
    statement(KEY, "gain").judge(&[], [ratio(model(1 << LONGEST, BANKS_IN_PRINT).map(expected_gain))])
}

pub fn all_accesses() -> Claim {
    let claim = statement(KEY, "all_accesses");
    let whole = |pattern: Pattern, k: u64| {
        let of = |scan: &&Checked| scan.pattern == pattern && model(1 << LONGEST, k) == Some(scan.model);
        CHECKED.iter().find(of).map(|scan| scan.whole as f64)
    };
    let point = |k: u64| {
        let both = whole(Pattern::Padding, k).zip(whole(Pattern::LeftRight, k));
        claim.point(0, &[("k", &k)], ratio(both.map(|(padding, left_right)| padding / left_right)))
    };
    claim.with_points(&[], BOTH.map(point))
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
