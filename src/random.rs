//! Random numbers that are the same on every machine, for test streams.
//!
//! Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014: SplitMix64.
//!
//! ```
//! use rasterscan::tools::random::Random;
//!
//! let dice: Vec<u64> = Random { seed: 7, max: 5, keep: None }.values().map(|value| 1 + value).take(1000).collect();
//! assert!((1..=6).all(|face| dice.contains(&face)));
//! ```

/// Uniformly distributed whole numbers.
///
/// The bits of value `i` are `mix(seed + (i + 1) · 0x9E3779B97F4A7C15)`, scaled to `0..=max` as the high 64 bits of
/// their product with `max + 1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Random {
    /// The seed of SplitMix64.
    pub seed: u64,
    /// The greatest value; the least is 0.
    pub max: u64,
    /// The share of values that are not 0, from 0 to 1; `None` leaves it to chance. Values are then scaled to
    /// `1..=max`, and kept if `mix(bits)` is below `keep · 2^64`; all others are 0, and all are if `max` is.
    pub keep: Option<f64>,
}

impl Random {
    /// The values, as an endless iterator.
    pub fn values(self) -> impl Iterator<Item = u64> {
        // Exact: multiplying by a power of two changes no digit of a float.
        let below = self.keep.filter(|_| self.max > 0).map(|share| (share * 2f64.powi(64)) as u128);
        bits(self.seed).map(move |bits| {
            let up_to = |choices: u128| ((u128::from(bits) * choices) >> 64) as u64;
            match below {
                None => up_to(u128::from(self.max) + 1),
                Some(below) if u128::from(mix(bits)) < below => 1 + up_to(self.max.into()),
                Some(_) => 0,
            }
        })
    }
}

/// The output of SplitMix64 for a seed, as an endless iterator.
pub fn bits(seed: u64) -> impl Iterator<Item = u64> {
    (1u64..).map(move |i| mix(seed.wrapping_add(i.wrapping_mul(0x9E37_79B9_7F4A_7C15))))
}

/// The mixing function of SplitMix64.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs for the seed 1234567, as every implementation produces them.
        let expected = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        assert!(bits(1234567).take(3).eq(expected));
        assert!(Random { seed: 1234567, max: u64::MAX, keep: None }.values().take(3).eq(expected));
    }

    #[test]
    fn max_is_reached_and_not_passed() {
        let some = |max| Random { seed: 7, max, keep: None }.values().take(1000);
        assert!((0..=3).all(|value| some(3).any(|other| other == value)));
        assert!(some(3).all(|value| value <= 3));
        assert!(some(0).all(|value| value == 0));
    }

    #[test]
    fn the_wanted_share_is_not_zero() {
        for (share, expected) in [(0.0, 0..=0), (0.01, 80..=120), (0.6, 5900..=6100), (1.0, 10000..=10000)] {
            let some = Random { seed: 7, max: 3, keep: Some(share) }.values().take(10000);
            let kept: Vec<u64> = some.filter(|value| *value != 0).collect();
            assert!(expected.contains(&kept.len()), "{share}: {}", kept.len());
            // The kept values are still uniformly distributed.
            let twos = kept.iter().filter(|value| **value == 2).count();
            assert!(kept.len() < 1000 || (kept.len() * 30 / 100..kept.len() * 37 / 100).contains(&twos));
            assert!(kept.iter().all(|value| *value <= 3));
        }
        let large = Random { seed: 7, max: u64::MAX, keep: Some(1.0) };
        assert!(large.values().take(9).all(|value| value > 0));
    }
}
