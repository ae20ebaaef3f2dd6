//! `random:n=...,seed=...,max=...,keep=...`: numbers made on the spot, the same on every machine.
//!
//! Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014:
//! SplitMix64. The bits of value `i` are `mix(seed + (i + 1) · 0x9E3779B97F4A7C15)`, brought to `0..=max` as the
//! high 64 bits of their product with `max + 1`.
//!
//! With `keep=S` they are brought to `1..=max` likewise, and that is the value where `mix(bits)` is below
//! `S · 2^64`; all others are 0.

use std::fmt;

use rasterscan::registry::{Family, hint};
use rasterscan::spec::MAX_LEN;
use rasterscan::{ElementType, Unsupported};

use crate::cli::numbers::{Numbers, whole};

/// A stream of equally distributed numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Random {
    pub n: u64,
    pub seed: u64,
    /// The greatest value; the least is 0.
    pub max: u64,
    /// The share of values that are not 0, from 0 to 1; `None` leaves that to chance.
    pub keep: Option<f64>,
}

impl Default for Random {
    fn default() -> Self {
        Random { n: 1_000_000, seed: 7, max: 255, keep: None }
    }
}

impl fmt::Display for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "random:n={},seed={},max={}", self.n, self.seed, self.max)?;
        self.keep.map_or(Ok(()), |share| write!(f, ",keep={share}"))
    }
}

impl Random {
    /// Reads what follows `random:`, for a command of this family. What is not set has its default.
    pub fn parse(text: &str, family: Family) -> Result<Random, String> {
        let mut random = Random::default();
        for setting in text.split(',').filter(|setting| !setting.is_empty()) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            let wrong = |expected| format!("random: {name} cannot be '{value}'; expected {expected}");
            let place = match (name, family) {
                ("n", _) => &mut random.n,
                ("seed", _) => &mut random.seed,
                ("max", _) => &mut random.max,
                ("keep", Family::Scan) => {
                    return Err("random: keep= is for compact; a scan keeps every value".into());
                }
                ("keep", Family::Compact) => {
                    let share = value.parse().ok().filter(|share| (0.0..=1.0).contains(share));
                    random.keep = Some(share.ok_or_else(|| wrong("a share from 0 to 1".into()))?);
                    continue;
                }
                (other, _) => {
                    let known: &[&str] = match family {
                        Family::Scan => &["n", "seed", "max"],
                        Family::Compact => &["n", "seed", "max", "keep"],
                    };
                    let hint = hint(other, known.iter().copied());
                    return Err(format!("random: there is no setting '{other}'; {hint}"));
                }
            };
            *place = whole(value).ok_or_else(|| wrong(format!("0 to {}, or a power as 2^20", u64::MAX)))?;
        }
        match random {
            Random { keep: Some(_), max: 0, .. } => {
                Err("random: keep= is the share of values that are not 0, and max=0 allows none".into())
            }
            _ => Ok(random),
        }
    }

    /// The type of the numbers: u32 where `max` is one, else u64.
    pub fn element(&self) -> ElementType {
        if u32::try_from(self.max).is_ok() { ElementType::U32 } else { ElementType::U64 }
    }

    /// The numbers, as [`Self::element`].
    ///
    /// Errors before anything is allocated if they are more than a stream can hold, or than the
    /// memory can.
    pub fn numbers(&self) -> anyhow::Result<Numbers> {
        if self.n > MAX_LEN {
            return Err(Unsupported(format!(
                "{} values are more than any stream holds: at most {MAX_LEN}",
                self.n
            ))
            .into());
        }
        if self.element() == ElementType::U32 {
            let mut values = Vec::new();
            values.try_reserve_exact(self.n as usize)?;
            values.extend(self.values().map(|value| value as u32));
            return Ok(Numbers::U32(values));
        }
        let mut values = Vec::new();
        values.try_reserve_exact(self.n as usize)?;
        values.extend(self.values());
        Ok(Numbers::U64(values))
    }

    fn values(&self) -> impl Iterator<Item = u64> {
        let Random { n, seed, max, keep } = *self;
        // Exact: a power of two changes no digit of a float.
        let below = keep.map(|share| (share * 2f64.powi(64)) as u128);
        (1..=n).map(move |i| {
            let bits = mix(seed.wrapping_add(i.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
            let up_to = |choices: u128| ((u128::from(bits) * choices) >> 64) as u64;
            match below {
                None => up_to(u128::from(max) + 1),
                Some(below) if u128::from(mix(bits)) < below => 1 + up_to(max.into()),
                Some(_) => 0,
            }
        })
    }
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

    fn values(text: &str) -> Vec<u64> {
        Random::parse(text, Family::Compact).unwrap().values().collect()
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs of SplitMix64 for the seed 1234567, as every implementation gives them.
        let expected = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        assert_eq!(values(&format!("n=3,seed=1234567,max={}", u64::MAX)), expected);
    }

    #[test]
    fn max_is_reached_and_not_passed() {
        let some = values("n=1000,max=3");
        assert!((0..=3).all(|value| some.contains(&value)));
        assert!(some.iter().all(|value| *value <= 3));
        assert!(values("n=1000,max=0").iter().all(|value| *value == 0));
    }

    #[test]
    fn the_wanted_share_is_not_zero() {
        for (share, expected) in
            [("0", 0..=0), ("0.01", 80..=120), ("0.6", 5900..=6100), ("1", 10000..=10000)]
        {
            let some = values(&format!("n=10000,max=3,keep={share}"));
            let kept: Vec<u64> = some.into_iter().filter(|value| *value != 0).collect();
            assert!(expected.contains(&kept.len()), "{share}: {}", kept.len());
            // Those kept are as evenly distributed as ever.
            let twos = kept.iter().filter(|value| **value == 2).count();
            assert!(kept.len() < 1000 || (kept.len() * 30 / 100..kept.len() * 37 / 100).contains(&twos));
            assert!(kept.iter().all(|value| *value <= 3));
        }
        assert!(values(&format!("n=9,max={},keep=1", u64::MAX)).iter().all(|value| *value > 0));
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        for (text, family, expected) in [
            ("n=many", Family::Scan, "n cannot be 'many'"),
            ("n", Family::Scan, "n cannot be ''"),
            ("n=-1", Family::Scan, "n cannot be '-1'"),
            ("n=2^64", Family::Scan, "n cannot be '2^64'"),
            ("n=3^2", Family::Scan, "or a power as 2^20"),
            ("sead=1", Family::Scan, "did you mean seed?"),
            ("keep=0.6", Family::Scan, "keep= is for compact"),
            ("keap=0.6", Family::Compact, "did you mean keep?"),
            ("keep=1.01", Family::Compact, "keep cannot be '1.01'; expected a share from 0 to 1"),
            ("keep=-0.1", Family::Compact, "keep cannot be '-0.1'"),
            ("keep=nan", Family::Compact, "keep cannot be 'nan'"),
            ("keep", Family::Compact, "keep cannot be ''"),
            ("keep=0.6,max=0", Family::Compact, "max=0 allows none"),
        ] {
            let error = Random::parse(text, family).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        assert!(Random { n: MAX_LEN + 1, ..Random::default() }.numbers().is_err());
        assert!(Random { n: u64::MAX, ..Random::default() }.numbers().is_err());
    }

    #[test]
    fn what_is_printed_says_the_same_again() {
        assert_eq!(
            Random::parse("n=2^20,max=2^3", Family::Scan),
            Random::parse("n=1048576,max=8", Family::Scan)
        );
        for text in ["n=5,seed=1,max=9", "n=5,seed=1,max=9,keep=0.3", "n=5,seed=1,max=9,keep=1e-9"] {
            let random = Random::parse(text, Family::Compact).unwrap();
            let printed = random.to_string();
            let again = Random::parse(printed.strip_prefix("random:").unwrap(), Family::Compact);
            assert_eq!(again, Ok(random), "{printed}");
        }
    }
}
