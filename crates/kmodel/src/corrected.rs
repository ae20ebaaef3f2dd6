//! The closed forms that agree with the simulator, for all powers of two n and k.
//!
//! Source: derived here, after capannini2011's section VII. An instruction of a step stores up to k neighbours, so step d
//! of a tree, which stores n / 2^d sums, takes ⌈n / (2^d k)⌉ instructions; T adds their degrees.
//!
//! - *Fewer elements than banks.* All addresses are in different banks, and each step is one instruction:
//!   T = l = log n in every pattern.
//! - *No conflicts, n ≥ k.* T = l. The levels of k nodes or more take (n - k) / k instructions, the log k others one each:
//!   l = n/k - 1 + log k.
//! - *NoPadding, n ≥ k.* Stores are 2^d apart. Up to step log k they are in k / 2^d banks, evenly: n/k for each step.
//!   From there on, all are in one bank: n / 2^d for each step, n/k - 1 in total. T = n/k (log k + 1) - 1.
//! - *Padding, n ≥ k.* In the first log k steps the unused words spread the stores over all banks, so that T is the number
//!   of instructions (`conflict_free_steps`). After them, the last element of segment j of k is at
//!   j k + k - 1 + j, in bank (k - 1 + j) mod k: the segments' sums are n/k elements that lie one after the other. So
//!   T of what remains is NoPadding's of n/k elements, which is log(n/k) as long as n/k < k.
//! - *DoublePadding, n ≥ k.* The same, and the rest is laid out as in Padding.
//! - *CM, n ≥ k.* Step d stores n - 2^(d-1) neighbours, which are never in conflict. In the first log k steps that takes n/k
//!   instructions, in each later one n/k - 2^(d-1)/k; T = l = n/k (log n - 1) + 1.

use super::tally::Counts;
use super::{Model, Pattern};

/// All costs of a pattern; [`Simulation::counts`](super::Simulation::counts) gives the same.
pub fn counts(pattern: Pattern, model: Model) -> Counts {
    Counts {
        latency: latency(pattern, model),
        length: length(pattern, model),
        instructions: instructions(pattern, model),
        transactions: transactions(model),
        words: words(pattern, model),
    }
}

/// T.
pub fn latency(pattern: Pattern, model: Model) -> u64 {
    let (n, k) = (model.n(), model.k());
    if n < k {
        return log(n);
    }
    let segments = Model { n: n / k, k };
    match pattern {
        Pattern::NoPadding => n / k * (log(k) + 1) - 1,
        Pattern::Padding => conflict_free_steps(model) + latency(Pattern::NoPadding, segments),
        Pattern::DoublePadding => conflict_free_steps(model) + latency(Pattern::Padding, segments),
        Pattern::Cm | Pattern::LeftRight => instructions(pattern, model),
    }
}

/// The corrected fp: instructions of the first log k steps of a tree, for n ≥ k.
fn conflict_free_steps(model: Model) -> u64 {
    let (n, k) = (model.n(), model.k());
    if n < k * k {
        // Steps up to log(n/k) have full instructions only; each later one is a single instruction.
        n / k - 1 + 2 * log(k) - log(n)
    } else {
        n / k - n / (k * k)
    }
}

/// W.
pub fn length(pattern: Pattern, model: Model) -> u64 {
    let n = model.n();
    match pattern {
        Pattern::Cm => n * log(n) + 1 - n,
        _ => n - 1,
    }
}

/// l.
pub fn instructions(pattern: Pattern, model: Model) -> u64 {
    let (n, k) = (model.n(), model.k());
    match pattern {
        _ if n < k => log(n),
        // n/k (log n - 1) + 1, where log n may be 0.
        Pattern::Cm => n / k * log(n) + 1 - n / k,
        _ => n / k - 1 + log(k),
    }
}

/// G: the segments that hold n elements.
pub fn transactions(model: Model) -> u64 {
    model.n().div_ceil(model.k())
}

/// Words of internal memory, up to the last element's.
pub fn words(pattern: Pattern, model: Model) -> u64 {
    let (n, k) = (model.n(), model.k());
    match pattern {
        Pattern::Padding => n + (n - 1) / k,
        Pattern::DoublePadding => n + (n - 1) / k + (n - 1) / (k * k),
        _ => n,
    }
}

fn log(x: u64) -> u64 {
    x.trailing_zeros().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_of_the_experiments() {
        let model = Model::new(2048, 16).unwrap();
        let expected = [
            (1281, 20481, 1281, 2048),
            (639, 2047, 131, 2048),
            (159, 2047, 131, 2175),
            (131, 2047, 131, 2048),
            (131, 2047, 131, 2182),
        ];
        for (pattern, (latency, length, instructions, words)) in Pattern::ALL.into_iter().zip(expected) {
            let expected = Counts { latency, length, instructions, transactions: 128, words };
            assert_eq!(counts(pattern, model), expected, "{pattern}");
        }
    }

    /// capannini2011: up to k² elements; harris2007: a further power.
    #[test]
    fn how_far_padding_goes() {
        for k in [2u64, 4, 8, 16, 32, 64] {
            let conflicts = |pattern, n| counts(pattern, Model::new(n, k).unwrap()).conflicts();
            for p in 0..=20 {
                let n = 1 << p;
                assert_eq!(conflicts(Pattern::Padding, n) == 0, n <= k.pow(2), "{n}, {k}");
                assert_eq!(conflicts(Pattern::DoublePadding, n) == 0, n <= k.pow(3), "{n}, {k}");
                assert_eq!(conflicts(Pattern::LeftRight, n), 0);
                assert_eq!(conflicts(Pattern::Cm, n), 0);
            }
        }
    }

    /// "CM is the lowest performing solution", except for few elements.
    #[test]
    fn from_where_cm_is_the_slowest() {
        for k in [1u64, 2, 16, 64] {
            for p in 0..=20 {
                let model = Model::new(1 << p, k).unwrap();
                let (cm, tree) = (latency(Pattern::Cm, model), latency(Pattern::NoPadding, model));
                if model.n() >= 4 * k { assert!(cm > tree) } else { assert_eq!(cm, tree) }
            }
        }
    }
}
