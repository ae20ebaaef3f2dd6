//! Flags, the binary search of Horn and Roger, and the final count.

use super::{Seen, Target, all};

/// roger2007, figure 3: "if the element has to be discarded 1 is output, and 0 otherwise"; or the reverse.
pub(super) fn flags(pass: &Seen<'_>) -> Vec<Target> {
    let unwanted = pass.define("UNWANTED") == 1;
    all(pass.given.kept.iter().map(|kept| usize::from(*kept != unwanted)))
}

/// Each position i of a block (BLOCK 0: of the stream) takes the only valid element j with j - pSum[j] = i.
pub(super) fn search(pass: &Seen<'_>) -> Vec<Target> {
    let block = match pass.define("BLOCK") {
        0 => usize::MAX,
        block => block,
    };
    let p_sum: Vec<usize> = pass.read("u_sums").all().iter().map(|sum| *sum as usize).collect();
    let mut from = Vec::new();
    for (p_sum, wanted) in p_sum.chunks(block).zip(pass.given.kept.chunks(block)) {
        let first = from.len();
        let found: Vec<_> = match pass.define("IMPROVED") {
            0 => displaced(p_sum, wanted),
            _ => (0..p_sum.len()).map(|i| figure_5(p_sum, wanted, i).map(|found| found.place)).collect(),
        };
        from.extend(found.into_iter().map(|j| Some(first + j?)));
    }
    pass.moved(&from)
}

/// Every valid element, moved to the left by its prefix sum.
pub fn displaced(p_sum: &[usize], wanted: &[bool]) -> Vec<Option<usize>> {
    let mut from = vec![None; p_sum.len()];
    for j in (0..p_sum.len()).filter(|&j| wanted[j]) {
        // A wrong sum may point outside.
        if let Some(place) = j.checked_sub(p_sum[j]).and_then(|i| from.get_mut(i)) {
            *place = Some(j);
        }
    }
    from
}

/// The result of figure 5, and the rounds of its loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub place: usize,
    pub rounds: usize,
}

/// roger2007, figure 5, line by line: the search at the i-th position in a block x of size s. `p_sum` is the
/// inclusive count of unwanted elements.
pub fn figure_5(p_sum: &[usize], wanted: &[bool], i: usize) -> Option<Found> {
    let s = p_sum.len() as i64;
    let p_sum = |j: i64| p_sum[j as usize] as i64;
    let unwanted = |j: i64| !wanted[j as usize];
    let i = i as i64;
    let mut rounds = 0;

    let mut lower_bound = i + p_sum(i);
    let mut upper_bound = i + p_sum(s - 1);
    if upper_bound > s - 1 {
        return None;
    }
    let mut j = (lower_bound + upper_bound) / 2;
    let mut found = j - p_sum(j) - i;
    while found != 0 || unwanted(j) {
        if found < 0 {
            lower_bound = j - found;
        } else {
            upper_bound = j - found.max(1);
        }
        j = (lower_bound + upper_bound) / 2;
        found = j - p_sum(j) - i;
        rounds += 1;
        assert!(rounds <= s as usize, "figure 5 does not end at {i} of {s}");
    }
    Some(Found { place: j as usize, rounds })
}

/// The inclusive running count of unwanted elements.
pub fn p_sum(wanted: &[bool]) -> Vec<usize> {
    let mut unwanted = 0;
    let count = |wanted: &bool| {
        unwanted += usize::from(!wanted);
        unwanted
    };
    wanted.iter().map(count).collect()
}

/// All but the last prefix sum.
pub(super) fn count(pass: &Seen<'_>) -> Vec<Target> {
    let unwanted = pass.read("u_sums").all().last().map_or(0, |sum| *sum as usize);
    all([pass.len().wrapping_sub(unwanted)])
}
