//! The formulas of capannini2011's section VII, as they are printed.
//!
//! Each takes n and k, powers of two, and returns the value of the formula, whole or not, right or not. The values are
//! exact: all denominators are powers of two. The head of [`kmodel`](super) lists the errors, and [`remark`] tells
//! which one matters for a given n and k.

use super::{Model, Pattern, corrected};

/// Equation 3, W of the trees: Σ n / 2^i for i = 1 to log n, which is n - 1.
pub fn tree_length(model: Model) -> f64 {
    model.n() as f64 - 1.0
}

/// W of CM: n log n - n + 1.
pub fn cm_length(model: Model) -> f64 {
    let n = model.n() as f64;
    n * f64::from(model.log_n()) - n + 1.0
}

/// Equation 4, l of the trees: (n - k) / k + log k. Stated for k < n; right for k = n, too.
pub fn tree_instructions(model: Model) -> f64 {
    let (n, k) = (model.n() as f64, model.k() as f64);
    (n - k) / k + f64::from(model.log_k())
}

/// Equation 5, W / (k l) of the trees: (n - 1) / (k log k + n - k).
pub fn tree_efficiency(model: Model) -> f64 {
    let (n, k) = (model.n() as f64, model.k() as f64);
    (n - 1.0) / (k * f64::from(model.log_k()) + n - k)
}

/// T of NoPadding: n (log k + 1) / k - 1.
pub fn no_padding(model: Model) -> f64 {
    no_padding_of(model.n() as f64, model)
}

/// T of NoPadding for another number of elements, which Padding needs.
fn no_padding_of(n: f64, model: Model) -> f64 {
    n * f64::from(model.log_k() + 1) / model.k() as f64 - 1.0
}

/// The line above T of NoPadding, which has another value: log k · n/k + Σ 2^d for d = 1 to log n - log k.
pub fn no_padding_by_sums(model: Model) -> f64 {
    let (n, k) = (model.n() as f64, model.k() as f64);
    let sum: f64 = (1..=model.log_n().saturating_sub(model.log_k())).map(|d| f64::from(d).exp2()).sum();
    f64::from(model.log_k()) * n / k + sum
}

/// T of Padding: fp(n, k) + T of NoPadding for (n/k, k), where fp = (1/k) Σ n / 2^i for i = 1 to log k (equation 6).
pub fn padding(model: Model) -> f64 {
    let (n, k) = (model.n() as f64, model.k() as f64);
    let f_p: f64 = (1..=model.log_k()).map(|i| n / f64::from(i).exp2()).sum::<f64>() / k;
    f_p + no_padding_of(n / k, model)
}

/// T of LeftRight: log k + (n - k) / k, which is l.
pub fn left_right(model: Model) -> f64 {
    tree_instructions(model)
}

/// T of CM: W / k.
pub fn cm(model: Model) -> f64 {
    cm_length(model) / model.k() as f64
}

/// G of all: n / k.
pub fn transactions(model: Model) -> f64 {
    model.n() as f64 / model.k() as f64
}

/// T by pattern; `None` for the one that is not in the paper.
pub fn latency(pattern: Pattern, model: Model) -> Option<f64> {
    Some(match pattern {
        Pattern::Cm => cm(model),
        Pattern::NoPadding => no_padding(model),
        Pattern::Padding => padding(model),
        Pattern::LeftRight => left_right(model),
        Pattern::DoublePadding => return None,
    })
}

/// W by pattern.
pub fn length(pattern: Pattern, model: Model) -> Option<f64> {
    match pattern {
        Pattern::Cm => Some(cm_length(model)),
        Pattern::DoublePadding => None,
        _ => Some(tree_length(model)),
    }
}

/// l by pattern; `None` for CM, which has none in print.
pub fn instructions(pattern: Pattern, model: Model) -> Option<f64> {
    is_printed_tree(pattern).then(|| tree_instructions(model))
}

/// W / (k l) by pattern; `None` for CM, which has none in print, and for one element on one bank, where it is 0 / 0.
pub fn efficiency(pattern: Pattern, model: Model) -> Option<f64> {
    is_printed_tree(pattern).then(|| tree_efficiency(model)).filter(|share| share.is_finite())
}

fn is_printed_tree(pattern: Pattern) -> bool {
    !matches!(pattern, Pattern::Cm | Pattern::DoublePadding)
}

/// The space that a pattern needs besides its n elements, by the table at the end of section VII.
pub fn space(pattern: Pattern) -> Option<&'static str> {
    match pattern {
        Pattern::Padding => Some("O(n/k)"),
        Pattern::DoublePadding => None,
        _ => Some("O(1)"),
    }
}

/// The reason why the printed T is wrong for this n and k; `None` if it is right.
pub fn remark(pattern: Pattern, model: Model) -> Option<&'static str> {
    let printed = latency(pattern, model)?;
    let is_right = printed == corrected::latency(pattern, model) as f64;
    let reason = match pattern {
        _ if model.n() < model.k() => {
            "with fewer elements than banks, each step is one instruction: T = log n"
        }
        Pattern::Cm => {
            "W / k ignores that each of the first log k steps ends in an incomplete instruction: \
             T is 1 - 1/k more"
        }
        Pattern::Padding => {
            "fp counts steps of fewer than k stores as parts of an instruction; up to k² elements, T = l"
        }
        _ => "",
    };
    (!is_right).then_some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_of_the_experiments() {
        let model = Model::new(2048, 16).unwrap();
        assert_eq!(
            Pattern::ALL.map(|pattern| latency(pattern, model)),
            [Some(1280.0625), Some(639.0), Some(159.0), Some(131.0), None]
        );
        assert_eq!((tree_length(model), cm_length(model)), (2047.0, 20481.0));
        assert_eq!((tree_instructions(model), transactions(model)), (131.0, 128.0));
        assert_eq!(tree_efficiency(model), 2047.0 / 2096.0);
    }

    #[test]
    fn the_sums_of_no_padding_are_another_number() {
        for (n, k) in [(16, 16), (32, 16), (2048, 16), (64, 1)] {
            let model = Model::new(n, k).unwrap();
            let more = no_padding_by_sums(model) - no_padding(model);
            assert_eq!(more, (n / k) as f64 - 1.0, "{n}, {k}");
        }
    }

    #[test]
    fn small_sizes_show_what_is_wrong() {
        let at = |n, k| Pattern::PAPER.map(|pattern| latency(pattern, Model::new(n, k).unwrap()).unwrap());
        assert_eq!(at(16, 16), [3.0625, 4.0, 0.25, 4.0]);
        assert_eq!(at(2, 16), [0.0625, -0.375, -0.84375, 3.125]);
        let one = Model::new(1, 1).unwrap();
        assert_eq!(efficiency(Pattern::LeftRight, one), None, "0 / 0");
    }
}
