//! `random:n=...,seed=...,max=...,keep=...`: numbers made on the spot, the same on every machine
//! ([`rasterscan::random`]).

use std::fmt;

use rasterscan::random;
use rasterscan::registry::{Family, hint};
use rasterscan::spec::MAX_LEN;
use rasterscan::{ElementType, Error, memory};
use rasterscan_files::{Numbers, too_many};

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
    pub fn numbers(&self) -> Result<Numbers, Error> {
        const WHAT: &str = "random numbers";
        if self.n > MAX_LEN {
            return Err(too_many(self.n));
        }
        if self.element() == ElementType::U32 {
            let mut values = memory::room(self.n as usize, WHAT)?;
            values.extend(self.values().map(|value| value as u32));
            return Ok(Numbers::U32(values));
        }
        let mut values = memory::room(self.n as usize, WHAT)?;
        values.extend(self.values());
        Ok(Numbers::U64(values))
    }

    fn values(&self) -> impl Iterator<Item = u64> {
        let Random { n, seed, max, keep } = *self;
        random::Random { seed, max, keep }.values().take(n as usize)
    }
}

/// A whole number as people write it: 2048 or 2^11.
pub fn whole(text: &str) -> Option<u64> {
    match text.strip_prefix("2^") {
        Some(exponent) => 2u64.checked_pow(exponent.parse().ok()?),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
