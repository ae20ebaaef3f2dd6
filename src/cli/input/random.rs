//! `random:n=...,seed=...,max=...`: numbers made on the spot, the same on every machine.
//!
//! Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014:
//! SplitMix64. Value `i` is `mix(seed + (i + 1) · 0x9E3779B97F4A7C15)`, brought to `0..=max` as the high 64
//! bits of its product with `max + 1`.

use std::fmt;
use std::str::FromStr;

use rasterscan::registry::hint;
use rasterscan::spec::MAX_LEN;
use rasterscan::{ElementType, Unsupported};

use crate::cli::numbers::Numbers;

/// A stream of equally distributed numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random {
    pub n: u64,
    pub seed: u64,
    /// The greatest value; the least is 0.
    pub max: u64,
}

impl Default for Random {
    fn default() -> Self {
        Random { n: 1_000_000, seed: 7, max: 255 }
    }
}

impl FromStr for Random {
    type Err = String;

    /// Reads what follows `random:`. What is not set has its default.
    fn from_str(text: &str) -> Result<Random, String> {
        let mut random = Random::default();
        for setting in text.split(',').filter(|setting| !setting.is_empty()) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            let place = match name {
                "n" => &mut random.n,
                "seed" => &mut random.seed,
                "max" => &mut random.max,
                "keep" => return Err("random: keep= is for compact; a scan keeps every value".into()),
                other => {
                    let hint = hint(other, ["n", "seed", "max"].into_iter());
                    return Err(format!("random: there is no setting '{other}'; {hint}"));
                }
            };
            *place = value
                .parse()
                .map_err(|_| format!("random: {name} cannot be '{value}'; expected 0 to {}", u64::MAX))?;
        }
        Ok(random)
    }
}

impl fmt::Display for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "random:n={},seed={},max={}", self.n, self.seed, self.max)
    }
}

impl Random {
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
        let Random { n, seed, max } = *self;
        let choices = u128::from(max) + 1;
        (1..=n).map(move |i| {
            let bits = mix(seed.wrapping_add(i.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
            ((u128::from(bits) * choices) >> 64) as u64
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

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs of SplitMix64 for the seed 1234567, as every implementation gives them.
        let random = Random { n: 3, seed: 1234567, max: u64::MAX };
        let expected = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        assert_eq!(random.values().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn max_is_reached_and_not_passed() {
        let random: Random = "n=1000,max=3".parse().unwrap();
        let values: Vec<u64> = random.values().collect();
        assert!((0..=3).all(|value| values.contains(&value)));
        assert!(values.iter().all(|value| *value <= 3));
        assert!("max=0".parse::<Random>().unwrap().values().all(|value| value == 0));
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        for (text, expected) in [
            ("n=many", "n cannot be 'many'"),
            ("n", "n cannot be ''"),
            ("n=-1", "n cannot be '-1'"),
            ("sead=1", "did you mean seed?"),
            ("keep=0.6", "keep= is for compact"),
        ] {
            let error = text.parse::<Random>().unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        assert!(Random { n: MAX_LEN + 1, ..Random::default() }.numbers().is_err());
        assert!(Random { n: u64::MAX, ..Random::default() }.numbers().is_err());
    }
}
