//! An axis fitted to its values: its range, the places of values on it, and its ticks.

use crate::number::{decimal, power};

/// The way from numbers to lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal steps, from 0 on.
    LinearFromZero,
    /// Powers of two.
    Log2,
    /// Powers of ten.
    Log10,
}

/// Values further from zero are not drawn: the arithmetic of ranges would overflow.
const FAR: f64 = 1e300;
/// Share of the range that is left free beyond the outermost values.
const FREE: f64 = 0.04;

impl Scale {
    fn is_log(self) -> bool {
        matches!(self, Scale::Log2 | Scale::Log10)
    }

    /// Returns true if a value has a place on an axis of this scale.
    pub fn admits(self, value: f64) -> bool {
        value.abs() < FAR && (!self.is_log() || value > 1.0 / FAR)
    }

    fn of(self, value: f64) -> f64 {
        match self {
            Scale::Linear | Scale::LinearFromZero => value,
            Scale::Log2 => value.log2(),
            Scale::Log10 => value.log10(),
        }
    }
}

/// An axis with its ticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruler {
    scale: Scale,
    /// The least value, or its logarithm.
    low: f64,
    high: f64,
    /// The ticks, each with its place from 0 to 1.
    pub ticks: Vec<(f64, String)>,
}

impl Ruler {
    /// A ruler for all values that the scale admits, with at most about `most` ticks; `None` if there are none.
    pub fn new(scale: Scale, values: impl Iterator<Item = f64>, most: usize) -> Option<Ruler> {
        let (low, high) = values
            .filter(|value| scale.admits(*value))
            .map(|value| scale.of(value))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return None;
        }
        let (low, high) = room(scale, low, high);
        let mut ruler = Ruler { scale, low, high, ticks: Vec::new() };
        ruler.ticks = ruler.find_ticks(most.max(2));
        Some(ruler)
    }

    /// The place of a value, from 0 to 1; a value beyond the range is at its end.
    pub fn share(&self, value: f64) -> f64 {
        self.place(if self.scale.admits(value) { self.scale.of(value) } else { self.low })
    }

    fn place(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn find_ticks(&self, most: usize) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Linear | Scale::LinearFromZero => {
                let ticks = linear(self.low, self.high, most);
                ticks.into_iter().map(|(value, text)| (self.place(value), text)).collect()
            }
            Scale::Log2 => self.powers(2, most),
            Scale::Log10 => self.decades(most),
        }
    }

    /// Whole exponents, as many as fit.
    fn powers(&self, base: u32, most: usize) -> Vec<(f64, String)> {
        let (first, last) = (self.low.ceil() as i32, self.high.floor() as i32);
        let step = ((last - first) as usize / most + 1) as i32;
        // Multiples of the step, so that 2⁰ and 10⁰ are among them.
        let (first, last) =
            (first.div_euclid(step) + i32::from(first.rem_euclid(step) > 0), last.div_euclid(step));
        (first..=last).map(|i| i * step).map(|e| (self.place(f64::from(e)), power(base, e))).collect()
    }

    /// Powers of ten in plain digits where they are short; 1, 2 and 5 of each where there are few.
    fn decades(&self, most: usize) -> Vec<(f64, String)> {
        let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
        if first < -4 || last > 7 {
            return self.powers(10, most);
        }
        let steps: &[f64] = if self.high - self.low < 2.2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let ticks = (first..=last).flat_map(|e| {
            steps.iter().map(move |step| {
                (step * 10_f64.powi(e), decimal(step * 10_f64.powi(e), (-e).max(0) as usize))
            })
        });
        let inside = |value: f64| (self.low..=self.high).contains(&value.log10());
        let ticks: Vec<_> = ticks.filter(|(value, _)| inside(*value)).collect();
        let ticks = match ticks.len() {
            // Less than a third of a decade.
            0..3 => linear(10_f64.powf(self.low), 10_f64.powf(self.high), most),
            _ => ticks,
        };
        ticks.into_iter().map(|(value, text)| (self.share(value), text)).collect()
    }
}

/// The range with room on both sides, and never empty.
fn room(scale: Scale, low: f64, high: f64) -> (f64, f64) {
    let (low, high) =
        if scale == Scale::LinearFromZero { (low.min(0.0), high.max(0.0)) } else { (low, high) };
    let middle = low.midpoint(high);
    let smallest = match scale {
        Scale::Log2 => 2.0,
        Scale::Log10 => 0.3,
        // Less than this is rounding.
        _ if high - low <= middle.abs() * 1e-9 => (middle.abs() * 0.2).max(1e-12),
        _ => 0.0,
    };
    let (low, high) = match high - low {
        // All are zero.
        0.0 if low == 0.0 && !scale.is_log() => return (0.0, 1.0),
        span if span < smallest => (middle - smallest / 2.0, middle + smallest / 2.0),
        _ => (low, high),
    };
    let free = (high - low) * FREE;
    match scale {
        // Bars and lines stand on the axis.
        Scale::LinearFromZero if low == 0.0 => (low, high + free),
        Scale::LinearFromZero if high == 0.0 => (low - free, high),
        _ => (low - free, high + free),
    }
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear(low: f64, high: f64, most: usize) -> Vec<(f64, String)> {
    let rough = (high - low) / most as f64;
    if !rough.is_normal() {
        return Vec::new();
    }
    let power_of_ten = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power_of_ten >= rough).unwrap_or(10.0);
    let step = factor * power_of_ten;
    let (first, count) = ((low / step).ceil(), ((high - low) / step) as usize + 1);
    let values = (0..count).map(|i| (first + i as f64) * step).filter(|value| *value <= high);
    values.map(|value| (value, label(value, step, low.abs().max(high.abs())))).collect()
}

fn label(value: f64, step: f64, largest: f64) -> String {
    let exponent = |value: f64| (value.log10() + 1e-9).floor() as i32;
    if value == 0.0 {
        return "0".into();
    }
    let scale = exponent(largest);
    if !(-4..=6).contains(&scale) {
        // All in the same power of ten.
        let digits = (scale - exponent(step)).clamp(0, 12) as usize;
        return format!("{}×{}", decimal(value / 10_f64.powi(scale), digits), power(10, scale));
    }
    decimal(value, (-exponent(step)).clamp(0, 12) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, values: &[f64], most: usize) -> Vec<String> {
        Ruler::new(scale, values.iter().copied(), most)
            .unwrap()
            .ticks
            .into_iter()
            .map(|(_, text)| text)
            .collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(Scale::LinearFromZero, &[93.0], 6), ["0", "20", "40", "60", "80"]);
        assert_eq!(labels(Scale::Linear, &[0.11, 0.13], 4), ["0.11", "0.12", "0.13"]);
        assert_eq!(labels(Scale::Log2, &[1024.0, 65536.0], 12)[0], "2¹⁰");
        assert_eq!(labels(Scale::Log10, &[0.02, 1500.0], 8), ["0.1", "1", "10", "100", "1,000"]);
        assert_eq!(labels(Scale::Log10, &[0.7, 6.0], 8), ["1", "2", "5"]);
        assert_eq!(labels(Scale::Log10, &[1e-9, 1e9], 6), ["10⁻⁸", "10⁻⁴", "10⁰", "10⁴", "10⁸"]);
        assert_eq!(labels(Scale::Linear, &[0.0, 3e9], 4), ["0", "1×10⁹", "2×10⁹", "3×10⁹"]);
    }

    /// Whatever the values: some ticks, not too many, upwards, inside.
    #[test]
    fn every_range_has_ticks() {
        let ends =
            [-1e299, -1e9, -1.0, -1e-9, 0.0, 1e-299, 1e-9, 0.3, 0.31, 1.0, 1.0 + 1e-12, 7.0, 1e9, 1e299];
        for scale in [Scale::Linear, Scale::LinearFromZero, Scale::Log2, Scale::Log10] {
            for (a, b) in ends.iter().flat_map(|a| ends.map(|b| (*a, b))) {
                let Some(ruler) = Ruler::new(scale, [a, b].into_iter(), 7) else {
                    assert!(!scale.admits(a) && !scale.admits(b));
                    continue;
                };
                let shares: Vec<f64> = ruler.ticks.iter().map(|(share, _)| *share).collect();
                assert!((1..=22).contains(&shares.len()), "{scale:?} {a} {b}: {:?}", ruler.ticks);
                assert!(
                    shares.windows(2).all(|pair| pair[0] < pair[1]),
                    "{scale:?} {a} {b}: {:?}",
                    ruler.ticks
                );
                assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
                assert!((0.0..=1.0).contains(&ruler.share(a)) && (0.0..=1.0).contains(&ruler.share(b)));
            }
        }
    }
}
