//! How far any f32 evaluation of a scan may be from its value in f64.

use crate::element::Element;
use crate::operator::Operator;
use crate::spec::{ScanKind, ScanSpec};

/// Half the distance from 1 to the next f32: the largest relative error of one rounding.
const UNIT_ROUNDOFF: f64 = 1.0 / (1 << 24) as f64;

/// A value in f64 and how far any f32 evaluation may be from it; infinite where nothing is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounded {
    pub value: f64,
    pub error: f64,
}

/// The relative error of `roundings` roundings, one after the other.
fn gamma(roundings: f64) -> f64 {
    let error = roundings * UNIT_ROUNDOFF;
    if error < 0.5 { error / (1.0 - error) } else { f64::INFINITY }
}

/// Scans in f64, with error bounds. Every operator here is a case of affine: add has slopes of 1, mul
/// has no constant part.
pub(super) fn float_bounds<T: Element>(spec: &ScanSpec, depth: u64, input: &[T]) -> Vec<Bounded> {
    let exact = |value: f64| Bounded { value, error: 0.0 };
    let mut maps: Vec<[Bounded; 2]> = match spec.operator {
        Operator::Add => input.iter().map(|x| [exact(1.0), exact(x.to_f64())]).collect(),
        Operator::Mul => input.iter().map(|x| [exact(x.to_f64()), exact(0.0)]).collect(),
        _ => input.chunks_exact(2).map(|pair| [exact(pair[0].to_f64()), exact(pair[1].to_f64())]).collect(),
    };
    let tuple = spec.tuple as usize;
    for order in 1..=spec.order {
        let exclusive = order == spec.order && spec.kind == ScanKind::Exclusive;
        let mut states = vec![Chain::default(); tuple];
        for (place, map) in maps.iter_mut().enumerate() {
            let state = &mut states[place % tuple];
            let before = state.result(spec.operator, depth);
            state.push(*map);
            *map = if exclusive { before } else { state.result(spec.operator, depth) };
        }
    }
    match spec.operator {
        Operator::Add => maps.iter().map(|map| map[1]).collect(),
        Operator::Mul => maps.iter().map(|map| map[0]).collect(),
        _ => maps.iter().flatten().copied().collect(),
    }
}

/// The composition of the maps so far, in exact arithmetic as far as f64 goes.
#[derive(Debug, Clone, Copy)]
struct Chain {
    count: f64,
    slope: f64,
    constant: f64,
    /// The same with magnitudes, errors of the input included.
    slope_magnitude: f64,
    constant_magnitude: f64,
    /// How far errors of the input can move slope and constant.
    slope_error: f64,
    constant_error: f64,
    /// log2 of the product of all slopes but zeros, and its least and greatest value so far: no
    /// product of neighbours is smaller or greater than their difference.
    log: f64,
    log_low: f64,
    log_high: f64,
}

impl Default for Chain {
    fn default() -> Self {
        Chain {
            count: 0.0,
            slope: 1.0,
            constant: 0.0,
            slope_magnitude: 1.0,
            constant_magnitude: 0.0,
            slope_error: 0.0,
            constant_error: 0.0,
            log: 0.0,
            log_low: 0.0,
            log_high: 0.0,
        }
    }
}

impl Chain {
    fn push(&mut self, [a, b]: [Bounded; 2]) {
        let a_magnitude = a.value.abs() + a.error;
        self.count += 1.0;
        self.constant_error = a_magnitude * self.constant_error + a.error * self.constant.abs() + b.error;
        self.slope_error = a_magnitude * self.slope_error + a.error * self.slope.abs();
        self.constant = a.value * self.constant + b.value;
        self.slope *= a.value;
        self.constant_magnitude = a_magnitude * self.constant_magnitude + b.value.abs() + b.error;
        self.slope_magnitude *= a_magnitude;
        if a_magnitude > 0.0 {
            self.log += a_magnitude.log2();
            self.log_low = self.log_low.min(self.log);
            self.log_high = self.log_high.max(self.log);
        }
    }

    fn result(&self, operator: Operator, depth: u64) -> [Bounded; 2] {
        let roundings = match operator {
            Operator::Add => self.count.min(depth as f64),
            _ => 2.0 * self.count,
        };
        let relative = gamma(roundings);
        // Results below the normal range may lose all their bits, or be flushed to zero.
        let least = f64::from(f32::MIN_POSITIVE);
        let spread = self.log_high - self.log_low;
        let slopes_fit = spread < 126.0;
        let growth = self.log_high.max(spread).exp2().max(1.0);
        let bounded = |value: f64, magnitude: f64, error: f64| {
            let underflow = self.count * least * growth;
            let error = error + relative * magnitude + underflow;
            let fits = slopes_fit && magnitude * growth < f64::from(f32::MAX) && value.is_finite();
            Bounded { value, error: if fits { error } else { f64::INFINITY } }
        };
        // A sum's slope is 1, exactly; a product's constant is 0.
        let slope = match operator {
            Operator::Add => Bounded { value: 1.0, error: 0.0 },
            _ => bounded(self.slope, self.slope_magnitude, self.slope_error),
        };
        let constant = match operator {
            Operator::Mul => Bounded { value: 0.0, error: 0.0 },
            _ => bounded(self.constant, self.constant_magnitude, self.constant_error),
        };
        [slope, constant]
    }
}
