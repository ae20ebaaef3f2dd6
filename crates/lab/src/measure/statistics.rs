//! Statistics of several times of the same run: a median and its bounds.
//!
//! Half of all runs stay below the median; one run that the system disturbed does not move it. Its bounds are a
//! confidence interval that assumes nothing about the distribution of times: from the k-th smallest to the k-th largest
//! of n times, where k is as large as the binomial distribution allows for 95% (W. J. Conover, *Practical Nonparametric
//! Statistics*, section 3.2). Fewer than six times never reach 95%: then all of them lie within.
//!
//! Outliers are counted and not removed: times beyond the fences of J. W. Tukey, *Exploratory Data Analysis*, 1.5
//! interquartile ranges from the quartiles.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A number with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// A number that was counted, and so has no spread.
    pub fn exactly(value: f64) -> Estimate {
        Estimate { value, low: value, high: value }
    }
}

/// A summary of the times of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// The median.
    pub median: Duration,
    /// The lower bound of the median; from six runs on, `low` to `high` has a confidence of 95%.
    pub low: Duration,
    /// The upper bound of the median.
    pub high: Duration,
    /// The number of times.
    pub runs: u32,
    /// The number of times far from all others.
    pub outliers: u32,
}

/// The median of times, of which there is at least one.
pub(crate) fn median(times: &mut [f64]) -> f64 {
    let (even, middle) = (times.len().is_multiple_of(2), times.len() / 2);
    let (lower, upper, _) = times.select_nth_unstable_by(middle, f64::total_cmp);
    match lower.iter().copied().max_by(f64::total_cmp) {
        Some(below) if even => f64::midpoint(below, *upper),
        _ => *upper,
    }
}

/// The least runs whose bounds say more than the least and the greatest time: of fewer, the interval of 95% is all of them,
/// or none is, and nothing is compared by it.
pub const LEAST_RUNS: u32 = 9;

/// The probability with which an interval may miss the median.
const MISSES: f64 = 0.05;

impl Summary {
    /// Summarises times, in any order; `None` if there are none.
    ///
    /// ```
    /// use std::time::Duration;
    /// use rasterscan_lab::measure::Summary;
    ///
    /// let times = [10, 12, 11, 90, 11, 10, 12].map(Duration::from_micros);
    /// let summary = Summary::of(&times).unwrap();
    /// assert_eq!(summary.median, Duration::from_micros(11));
    /// assert_eq!((summary.runs, summary.outliers), (7, 1));
    /// ```
    pub fn of(times: &[Duration]) -> Option<Summary> {
        let mut sorted = times.to_vec();
        sorted.sort();
        let (first, last) = (*sorted.first()?, *sorted.last()?);
        let (low, high) = match rank(sorted.len()) {
            0 => (first, last),
            k => (sorted[k - 1], sorted[sorted.len() - k]),
        };
        let [lower, upper] = [0.25, 0.75].map(|share| quantile(&sorted, share));
        let reach = 1.5 * (upper - lower);
        let far = |time: &&Duration| {
            let time = time.as_secs_f64();
            time < lower - reach || time > upper + reach
        };
        Some(Summary {
            median: Duration::from_secs_f64(quantile(&sorted, 0.5)),
            low,
            high,
            runs: sorted.len() as u32,
            outliers: sorted.iter().filter(far).count() as u32,
        })
    }

    /// Half of the interval, as a share of the median: 0.01 is plus or minus 1%. Infinite if the median is 0.
    pub fn uncertainty(&self) -> f64 {
        let width = (self.high - self.low).as_secs_f64();
        if width == 0.0 { 0.0 } else { width / 2.0 / self.median.as_secs_f64() }
    }
}

/// The rank, counted from 1, of the sorted time that bounds the median of n times from below; 0 if none does with
/// enough confidence.
fn rank(n: usize) -> usize {
    // The chance that at most k of n times are below the median, from logarithms: 2^-n is too small for long samples.
    let mut term = -(n as f64) * std::f64::consts::LN_2;
    let mut below = 0.0;
    for k in 0..n / 2 {
        below += term.exp();
        if below > MISSES / 2.0 {
            return k;
        }
        term += ((n - k) as f64 / (k + 1) as f64).ln();
    }
    n / 2
}

/// A quantile in seconds, interpolated between two times. The times are sorted, and not empty.
fn quantile(sorted: &[Duration], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let [below, above] = [place.floor(), place.ceil()].map(|place| sorted[place as usize].as_secs_f64());
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(micros: &[u64]) -> Summary {
        let times: Vec<Duration> = micros.iter().copied().map(Duration::from_micros).collect();
        Summary::of(&times).unwrap()
    }

    #[test]
    fn ranks_are_those_of_the_printed_tables() {
        // The table of the sign test at 5%, two-sided: k - 1 is its critical value.
        let table = [(1, 0), (5, 0), (6, 1), (8, 1), (9, 2), (11, 2), (12, 3), (15, 4), (20, 6), (25, 8)];
        for (n, expected) in table.into_iter().chain([(50, 18), (100, 40)]) {
            assert_eq!(rank(n), expected, "of {n} times");
        }
        // The normal distribution, for long samples: n/2 - 0.98 sqrt(n).
        for n in [1_000usize, 5_000] {
            let expected = n as f64 / 2.0 - 0.98 * (n as f64).sqrt();
            assert!((rank(n) as f64 - expected).abs() < 2.0, "of {n} times");
        }
    }

    #[test]
    fn the_interval_covers_the_median_as_often_as_it_says() {
        // Times that are skewed as times are: squares of equally distributed numbers, whose median is 0.25.
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for n in [6, 11, 25, 101] {
            let covered = (0..2000).filter(|_| {
                let times: Vec<Duration> =
                    (0..n).map(|_| Duration::from_secs_f64(random().powi(2))).collect();
                let summary = Summary::of(&times).unwrap();
                (summary.low.as_secs_f64()..=summary.high.as_secs_f64()).contains(&0.25)
            });
            let covered = covered.count();
            assert!((1880..=1990).contains(&covered), "{covered} of 2000 samples of {n} times");
        }
    }

    #[test]
    fn known_samples_have_known_summaries() {
        let one = of(&[7]);
        assert_eq!((one.median.as_micros(), one.low, one.high, one.runs), (7, one.median, one.median, 1));
        let four = of(&[4, 1, 3, 2]);
        assert_eq!(four.median, Duration::from_nanos(2500));
        assert_eq!((four.low.as_micros(), four.high.as_micros()), (1, 4));
        let nine = of(&[9, 8, 7, 6, 5, 4, 3, 2, 1]);
        assert_eq!((nine.low.as_micros(), nine.median.as_micros(), nine.high.as_micros()), (2, 5, 8));
        assert_eq!(nine.uncertainty(), 0.6);
        assert_eq!(of(&[5, 5, 5]).uncertainty(), 0.0);
        assert_eq!(of(&[0, 0, 0]).uncertainty(), 0.0);
        assert!(Summary::of(&[]).is_none());
    }

    #[test]
    fn outliers_are_counted_on_both_sides_and_kept() {
        let times = of(&[100, 101, 102, 103, 104, 105, 106, 107, 500, 1]);
        assert_eq!((times.outliers, times.runs), (2, 10));
        assert_eq!(times.median, Duration::from_nanos(103_500));
        assert_eq!(of(&[1, 2, 3, 4, 5, 6, 7, 8]).outliers, 0);
    }
}
