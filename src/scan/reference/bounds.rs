//! Bounds on the distance between any f32 evaluation of a scan and its value in f64.
//!
//! Two things that an evaluation on the CPU keeps are allowed to be lost, since GLSL promises neither: values below the
//! normal range, which a device may take for 0 ([`LOSS`]), and the sign of zero, for 0.0 and -0.0 are no distance apart.
//! `docs/library.md` says which algorithm keeps them on llvmpipe.

use crate::element::Element;
use crate::operator::Rounding;
use crate::scan::{ScanKind, ScanSpec};

/// Half the distance from 1 to the next f32: the largest relative error of one rounding.
const UNIT_ROUNDOFF: f64 = 1.0 / (1 << 24) as f64;

/// A value in f64, and how far any f32 evaluation may be from it; infinite if nothing is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounded {
    /// The value in exact arithmetic, as far as f64 goes.
    pub value: f64,
    /// The largest distance of any f32 evaluation.
    pub error: f64,
}

/// The largest relative error of this many roundings in a row: (1 + u)^k - 1.
fn relative_error(roundings: f64) -> f64 {
    (roundings * UNIT_ROUNDOFF).exp_m1()
}

/// The scan in f64, with error bounds, item by item. Every operator here is a case of affine: add has slopes of 1, mul
/// has no constant part.
pub(super) struct Bounds {
    rounding: Rounding,
    /// True if the last order's results exclude their own item.
    exclusive: bool,
    tuple: usize,
    depth: f64,
    /// The interleaved stream of the next item.
    lane: usize,
    /// One chain for each order and each interleaved stream.
    chains: Vec<Chain>,
}

impl Bounds {
    pub fn new(spec: &ScanSpec, depth: u64) -> Bounds {
        let tuple = spec.tuple as usize;
        Bounds {
            rounding: spec.operator.rounding(),
            exclusive: spec.kind == ScanKind::Exclusive,
            tuple,
            depth: depth.max(1) as f64,
            lane: 0,
            chains: vec![Chain::default(); tuple * spec.order as usize],
        }
    }

    /// Begins another scan.
    pub fn begin(&mut self) {
        self.chains.fill(Chain::default());
        self.lane = 0;
    }

    /// The results for the next item: one per element.
    pub fn next<T: Element>(&mut self, [first, second]: [T; 2]) -> [Bounded; 2] {
        let exact = |value: f64| Bounded { value, error: 0.0 };
        let mut map = match self.rounding {
            Rounding::Sum => [exact(1.0), exact(first.to_f64())],
            Rounding::Product => [exact(first.to_f64()), exact(0.0)],
            _ => [exact(first.to_f64()), exact(second.to_f64())],
        };
        let tuple = self.tuple;
        let orders = self.chains.len() / tuple;
        for (order, chain) in (1..).zip(self.chains[self.lane..].iter_mut().step_by(tuple)) {
            let exclusive = order == orders && self.exclusive;
            let before = exclusive.then(|| chain.result(self.rounding));
            chain.push(map, self.depth);
            map = before.unwrap_or_else(|| chain.result(self.rounding));
        }
        self.lane = (self.lane + 1) % tuple;
        if self.rounding == Rounding::Sum { [map[1], map[0]] } else { map }
    }
}

/// The composition of the maps so far, in exact arithmetic as far as f64 goes, with the values that bound its
/// evaluation in f32 in any order of neighbours.
#[derive(Debug, Clone, Copy, Default)]
struct Chain {
    count: f64,
    /// The relative error of a sum of so many, which grows no more beyond the depth.
    relative: f64,
    /// True if an input was infinite or NaN.
    broken: bool,
    slopes: Slopes,
    constant: f64,
    /// The sum of the magnitudes of all terms, errors of the input included.
    constant_magnitude: f64,
    /// The greatest such sum so far. No partial result can be larger: its terms are among those of the sum that ends at
    /// the same index.
    constant_peak: f64,
    /// The largest effect of input errors on the constant.
    constant_error: f64,
    /// The largest loss of the constant below the normal range: at every index as many results as a chain is deep can
    /// lose, and the loss grows with the slopes that follow.
    constant_lost: f64,
}

/// The product of all slopes so far.
#[derive(Debug, Clone, Copy)]
struct Slopes {
    value: f64,
    /// The same with magnitudes, errors of the input included.
    magnitude: f64,
    /// The largest effect of input errors on the value.
    error: f64,
    /// log2 of the product of all slopes except zeros; its least and its greatest value so far.
    log: f64,
    log_low: f64,
    log_high: f64,
    /// log2 of the greatest and the least product of neighbours, over all ranges.
    greatest: f64,
    least: f64,
}

impl Default for Slopes {
    fn default() -> Self {
        Slopes {
            value: 1.0,
            magnitude: 1.0,
            error: 0.0,
            log: 0.0,
            log_low: 0.0,
            log_high: 0.0,
            greatest: 0.0,
            least: 0.0,
        }
    }
}

impl Slopes {
    fn push(&mut self, a: Bounded) {
        // That of a sum changes nothing.
        if (a.value, a.error) == (1.0, 0.0) {
            return;
        }
        let magnitude = a.value.abs() + a.error;
        self.error = magnitude * self.error + a.error * self.value.abs();
        self.value *= a.value;
        self.magnitude *= magnitude;
        if magnitude > 0.0 {
            self.log += magnitude.log2();
            self.greatest = self.greatest.max(self.log - self.log_low);
            self.least = self.least.min(self.log - self.log_high);
            self.log_low = self.log_low.min(self.log);
            self.log_high = self.log_high.max(self.log);
        }
    }

    /// Returns true if no product of neighbours can overflow.
    fn fit(&self) -> bool {
        self.greatest < 127.99
    }

    /// Returns true if some product of neighbours may be less than the normal range.
    fn may_vanish(&self) -> bool {
        self.least < -125.99
    }

    /// The largest factor by which a loss on the way can grow until the end.
    fn growth(&self) -> f64 {
        self.greatest.exp2().max(1.0)
    }
}

/// The possible loss of a result below the normal range: all of it.
const LOSS: f64 = f32::MIN_POSITIVE as f64;

impl Chain {
    fn push(&mut self, [a, b]: [Bounded; 2], depth: f64) {
        self.count += 1.0;
        if self.count <= depth {
            self.relative = relative_error(self.count);
        }
        self.broken |= !a.value.is_finite() || !b.value.is_finite();
        let a_magnitude = a.value.abs() + a.error;
        self.constant_error = a_magnitude * self.constant_error + a.error * self.constant.abs() + b.error;
        self.constant = a.value * self.constant + b.value;
        self.constant_magnitude = a_magnitude * self.constant_magnitude + b.value.abs() + b.error;
        self.constant_peak = self.constant_peak.max(self.constant_magnitude);
        self.slopes.push(a);
        // A slope that vanishes on the way takes with it what it would have carried.
        let carried = if self.slopes.may_vanish() { self.constant_peak } else { 0.0 };
        self.constant_lost = a_magnitude * self.constant_lost + depth * LOSS * (2.0 + carried);
    }

    fn result(&self, rounding: Rounding) -> [Bounded; 2] {
        let exact = |value: f64| Bounded { value, error: 0.0 };
        match rounding {
            // A sum's slope is 1, exactly.
            Rounding::Sum => [exact(1.0), self.constant(self.relative)],
            // A product's constant is 0.
            Rounding::Product => [self.slope(), exact(0.0)],
            _ => [self.slope(), self.constant(relative_error(2.0 * self.count))],
        }
    }

    fn slope(&self) -> Bounded {
        let slopes = &self.slopes;
        let lost = if slopes.may_vanish() { self.count * LOSS * slopes.growth() } else { 0.0 };
        let rounded = slopes.error + relative_error(self.count) * slopes.magnitude;
        self.bounded(slopes.value, slopes.magnitude, rounded, lost)
    }

    fn constant(&self, relative: f64) -> Bounded {
        let rounded = self.constant_error + relative * self.constant_magnitude;
        let peak = (self.constant_peak + self.constant_error) * (1.0 + relative);
        if peak >= f64::from(f32::MAX) {
            return Bounded { value: self.constant, error: f64::INFINITY };
        }
        self.bounded(self.constant, self.constant_magnitude, rounded, self.constant_lost)
    }

    /// No bound holds if partial results may overflow, or if the possible loss below the normal range is no longer
    /// small.
    fn bounded(&self, value: f64, magnitude: f64, rounded: f64, lost: f64) -> Bounded {
        let small = lost <= (-100f64).exp2() || lost <= magnitude / 1024.0;
        let known = !self.broken && self.slopes.fit() && small;
        Bounded { value, error: if known { rounded + lost } else { f64::INFINITY } }
    }
}
