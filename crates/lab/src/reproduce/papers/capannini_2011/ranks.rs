//! The K-model with all accesses, barriers and trips to memory: does it rank the patterns as their times do?

use std::sync::LazyLock;

use rasterscan_kmodel::{Everything, Model, Pattern, simulate};

use super::setup::{BANKS, BANKS_IN_PRINT, BLOCKS};
use crate::report::page::Table;
use crate::reproduce::paper::or_dash;

/// The blocks that are ranked, as powers of two, on today's banks and on the paper's. The longest that run have 2^11 elements.
const SIZES: std::ops::RangeInclusive<u32> = 5..=13;
const BOTH: [u64; 2] = [BANKS, BANKS_IN_PRINT];

/// The place of Padding in [`Pattern::PAPER`]: weights are fitted to its times alone.
const PADDING: usize = 2;

/// Blocks of a size on so many banks: the elements as a power of two, and the times of the patterns, in the order of
/// [`Pattern::PAPER`].
#[derive(Debug, Clone, Copy)]
pub struct Timed {
    pub log2: u32,
    pub banks: u64,
    pub ms: [f64; 4],
}

/// Accesses, barriers and trips of each pattern, in the order of [`Pattern::PAPER`].
type Costs = [[f64; 3]; 4];

/// All that each pattern does for a block.
fn costs(log2: u32, banks: u64) -> Option<Costs> {
    let found = COUNTED.iter().find(|(block, _)| *block == (banks, log2));
    found.map(|(_, costs)| *costs)
}

/// The costs of all blocks, by banks and size, counted once: a number is judged by hundreds of replicates.
static COUNTED: LazyLock<Vec<((u64, u32), Costs)>> = LazyLock::new(|| {
    blocks().filter_map(|(banks, log2)| Some(((banks, log2), count(log2, banks)?))).collect()
});

fn blocks() -> impl Iterator<Item = (u64, u32)> {
    BOTH.into_iter().flat_map(|banks| SIZES.map(move |log2| (banks, log2)))
}

fn count(log2: u32, banks: u64) -> Option<Costs> {
    let model = Model::new(1 << log2, banks).ok()?;
    let input: Vec<u32> = (0..1 << log2).collect();
    Some(Pattern::PAPER.map(|pattern| {
        let run = simulate(pattern, model, &input, 0, |left, right| left.wrapping_add(right));
        let Everything { accesses, barriers, trips } = run.everything();
        [accesses, barriers, trips].map(|count| count as f64)
    }))
}

/// Kendall's rank correlation: the pairs in the same order less those in the opposite one, of all that the first, the model,
/// tells apart.
fn kendall(a: [f64; 4], b: [f64; 4]) -> f64 {
    let pairs = (0..4).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|(i, j)| a[*i] != a[*j]);
    let same =
        |(i, j): (usize, usize)| (a[i] - a[j]).signum() * (b[i] - b[j]).signum() * f64::from(b[i] != b[j]);
    let (all, sum) = pairs.map(same).fold((0, 0.0), |(all, sum), same| (all + 1, sum + same));
    sum / f64::from(all.max(1))
}

/// The rank correlation of the patterns by all accesses with their times. Barriers and trips differ by at most one between them.
pub fn agreement(log2: u32, banks: u64, ms: [f64; 4]) -> Option<f64> {
    Some(kendall(costs(log2, banks)?.map(|[accesses, ..]| accesses), ms))
}

/// Milliseconds for an access, a barrier and a trip, none negative, with the least squares of relative errors.
fn weights(points: &[([f64; 3], f64)]) -> [f64; 3] {
    let rows: Vec<[f64; 3]> = points.iter().map(|(costs, ms)| costs.map(|cost| cost / ms)).collect();
    let error = |weights: &[f64; 3]| -> f64 {
        let off = |row: &[f64; 3]| row.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>() - 1.0;
        rows.iter().map(|row| off(row).powi(2)).sum()
    };
    // The least is that of one of the subsets of weights, the others being 0.
    let of_subset = |subset: u32| {
        let used: Vec<usize> = (0..3).filter(|place| subset >> place & 1 == 1).collect();
        let products = |i: usize| -> Vec<f64> {
            let with = |j: &usize| rows.iter().map(|row| row[i] * row[*j]).sum::<f64>();
            used.iter().map(with).chain([rows.iter().map(|row| row[i]).sum()]).collect()
        };
        let solved = solve(used.iter().map(|i| products(*i)).collect())?;
        let mut weights = [0.0; 3];
        used.into_iter().zip(solved).for_each(|(place, weight)| weights[place] = weight);
        Some(weights).filter(|weights| weights.iter().all(|weight| *weight >= 0.0))
    };
    (1..8).filter_map(of_subset).min_by(|a, b| error(a).total_cmp(&error(b))).unwrap_or([0.0; 3])
}

/// The solution of linear equations, whose right sides are the last column; `None` if they have not just one.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    for column in 0..rows.len() {
        let size = |row: &usize| rows[*row][column].abs();
        let pivot = (column..rows.len()).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        rows.swap(column, pivot);
        let scale = rows[column][column];
        if scale.abs() < 1e-12 {
            return None;
        }
        let own: Vec<f64> = rows[column].iter().map(|number| number / scale).collect();
        for row in (0..rows.len()).filter(|row| *row != column) {
            let factor = rows[row][column];
            rows[row].iter_mut().zip(&own).for_each(|(number, own)| *number -= factor * own);
        }
        rows[column] = own;
    }
    Some(rows.iter().filter_map(|row| row.last().copied()).collect())
}

/// The patterns by their first letters, from the least number on.
fn order(numbers: [f64; 4]) -> String {
    let mut patterns: Vec<usize> = (0..4).collect();
    patterns.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    let letter = |place: usize| &Pattern::PAPER[place].label()[..1];
    patterns.windows(2).fold(letter(patterns[0]).to_owned(), |text, pair| {
        let sign = if numbers[pair[0]] == numbers[pair[1]] { '=' } else { '<' };
        format!("{text} {sign} {}", letter(pair[1]))
    })
}

/// The orders by the model and by times, and how far they agree; the model's times over those of the card.
pub fn tables(timed: &[Timed]) -> [Table; 2] {
    let block = |banks: u64, log2: u32| format!("2^{log2}, {banks} banks");
    let on_banks = |log2: u32, banks: u64| {
        let accesses = costs(log2, banks).map(|costs| costs.map(|[accesses, ..]| accesses));
        let ms = timed.iter().find(|of| of.log2 == log2 && of.banks == banks).map(|of| of.ms);
        let agreement = accesses.zip(ms).map(|(accesses, ms)| kendall(accesses, ms));
        [or_dash(accesses, order), or_dash(ms, order), or_dash(agreement, |tau| format!("{tau:.2}"))]
    };
    let ranks = SIZES.map(|log2| {
        [format!("2^{log2}")]
            .into_iter()
            .chain(BOTH.into_iter().flat_map(|banks| on_banks(log2, banks)))
            .collect()
    });
    let heads =
        BOTH.map(|banks| [format!("by accesses, {banks} banks"), "by time".into(), "Kendall's tau".into()]);
    let padding = timed.iter().filter_map(|of| Some((costs(of.log2, of.banks)?[PADDING], of.ms[PADDING])));
    let weights = weights(&padding.collect::<Vec<_>>());
    let fitted = timed.iter().filter_map(|of| {
        let expected =
            |costs: [f64; 3]| costs.iter().zip(weights).map(|(count, weight)| count * weight).sum::<f64>();
        let over = costs(of.log2, of.banks)?
            .map(expected)
            .into_iter()
            .zip(of.ms)
            .map(|(ours, ms)| format!("{:.2}", ours / ms));
        Some([block(of.banks, of.log2)].into_iter().chain(over).collect())
    });
    let [accesses, barriers, trips] = weights.map(|ms| format!("{:.3} ns", 1e6 * ms / BLOCKS as f64));
    let header = ["block"].into_iter().chain(Pattern::PAPER.map(Pattern::label));
    [
        Table::new(
            "The patterns by all accesses of the K-model and by time: C is CM, N NoPadding, P Padding, L LeftRight",
            ["block".to_owned()].into_iter().chain(heads.into_iter().flatten()),
            ranks,
        ),
        Table::new(
            format!(
                "The model's times over those on this card, by weights that fit the times of Padding alone: {accesses} for an \
                 access, {barriers} for a barrier and {trips} for a segment of each block"
            ),
            header,
            fitted,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_agree_from_all_pairs_to_none() {
        let rising = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(kendall(rising, rising), 1.0);
        assert_eq!(kendall(rising, [4.0, 3.0, 2.0, 1.0]), -1.0);
        assert_eq!(kendall(rising, [2.0, 1.0, 3.0, 4.0]), 4.0 / 6.0);
        assert_eq!(kendall(rising, [1.0; 4]), 0.0);
        assert_eq!(kendall([1.0, 2.0, 2.0, 3.0], rising), 1.0);
        assert_eq!(kendall([1.0; 4], rising), 0.0);
    }

    #[test]
    fn orders_and_their_agreement_have_a_line_for_each_size() {
        let ms = [0.24, 0.32, 0.25, 0.26];
        let [ranks, _] = tables(&[Timed { log2: 11, banks: 16, ms }]);
        let line = |log2: u32| ranks.rows[(log2 - SIZES.start()) as usize].join(" | ");
        assert_eq!(ranks.rows.len(), 9);
        let by_accesses = ["C < N = P < L", "C < P < L < N"];
        assert_eq!(line(5), format!("2^5 | {} | - | - | {} | - | -", by_accesses[0], by_accesses[1]));
        assert_eq!(line(11), "2^11 | P < L < C < N | - | - | L < P < C < N | C < P < L < N | 0.00");
    }

    #[test]
    fn weights_are_found_again_and_never_negative() {
        let costs = [[3.0, 1.0, 2.0], [5.0, 2.0, 8.0], [9.0, 2.0, 1.0], [20.0, 3.0, 5.0]];
        let by = |weights: [f64; 3]| {
            costs.map(|costs| (costs, costs.iter().zip(weights).map(|(a, b)| a * b).sum()))
        };
        for wanted in [[0.5, 2.0, 0.25], [1.0, 0.0, 3.0], [0.0, 0.0, 2.0]] {
            let found = weights(&by(wanted));
            assert!(
                found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-9),
                "{found:?}"
            );
        }
        assert!(weights(&by([2.0, -1.0, 0.5])).iter().all(|weight| *weight >= 0.0));
    }

    /// Barriers and trips rank nothing: all patterns have as many, but for one barrier.
    #[test]
    fn accesses_alone_rank() {
        for (banks, log2) in blocks() {
            let costs = costs(log2, banks).unwrap();
            assert!(costs.iter().all(|[_, barriers, trips]| {
                (barriers - f64::from(2 * log2)).abs() <= 2.0 && *trips == costs[0][2]
            }));
        }
        // The accesses that a barrier would have to cost, to put CM first, as the article says.
        let price = |log2| {
            let [[cm, cm_barriers, _], _, [padding, barriers, _], _] = costs(log2, 32).unwrap();
            (cm - padding) / (barriers - cm_barriers)
        };
        assert_eq!([8, 11].map(price), [86.0, 1411.0]);
    }
}
