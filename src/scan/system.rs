//! Linear systems: the states of sums of any order, and of recurrences.
//!
//! Each item changes a state of `order` items: `state' = A state + (item, 0, 0 ...)`. So n items multiply it by A^n, and add
//! the state that they make of zeros: pieces of a stream are put together with powers of A alone, which are computed here.
//!
//! - Sums of order q: the state is the last sums of all orders. A^n has C(n - 1 + d, d) from order j to order j + d: one
//!   weight for each d, the coefficients of (1 - z)^-n.
//! - A recurrence: the state is w, the input with only the feedback applied, and those before it. A is the companion
//!   matrix, and a power has order² weights.
//!
//! Integers wrap, and so all of this is exact. Sources: maleki2016, section 4.4, for the question; maleki2018, whose
//! correction factors are the rows of the powers.

use crate::operator::Operator;
use crate::scan::{Recurrence, ScanSpec};
use crate::tuning::table::one_exchange::FEW_WORDS;

/// The most items of a state that lanes hold: orders times the tuple. Of larger states, more would be in registers than
/// there are.
pub(super) const MOST_CARRIED: u32 = 16;

/// The words of the state that one exchange carries for all orders and tuples of a scan; `None` if one is not enough.
pub(super) fn one_exchange_words(spec: &ScanSpec) -> Option<u32> {
    let carried = System::of(spec)?.order() * spec.tuple;
    (carried <= MOST_CARRIED).then(|| carried * spec.element.words())
}

/// Returns true if one exchange is enough, with a state that a GPU's lanes hold easily.
pub(super) fn one_exchange_is_light(spec: &ScanSpec) -> bool {
    one_exchange_words(spec).is_some_and(|words| spec.recurrence.is_some() || words <= FEW_WORDS)
}

/// A linear system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum System {
    /// Sums of an order.
    Sums(u32),
    /// A recurrence.
    Recurrence(Recurrence),
}

/// The weights of a power of A, modulo 2^64.
type Power = Vec<u64>;

impl System {
    /// The system of a scan; `None` if it is not linear over integers.
    pub fn of(spec: &ScanSpec) -> Option<System> {
        match &spec.recurrence {
            Some(recurrence) => Some(System::Recurrence(recurrence.clone())),
            None if spec.operator == Operator::ADD && !spec.element.is_float() => {
                Some(System::Sums(spec.order))
            }
            None => None,
        }
    }

    /// Items in the state of an interleaved stream.
    pub fn order(&self) -> u32 {
        match self {
            System::Sums(order) => *order,
            System::Recurrence(recurrence) => {
                recurrence.forward().len().max(recurrence.feedback().len()) as u32
            }
        }
    }

    /// A.
    pub fn one(&self) -> Power {
        match self {
            System::Sums(order) => vec![1; *order as usize],
            System::Recurrence(recurrence) => {
                let order = self.order() as usize;
                let mut rows = vec![0; order * order];
                for (place, coefficient) in recurrence.feedback().iter().enumerate() {
                    rows[place] = *coefficient as u64;
                }
                (1..order).for_each(|row| rows[row * order + row - 1] = 1);
                rows
            }
        }
    }

    /// A^0.
    fn zero(&self) -> Power {
        let weights = self.one().len();
        let step = match self {
            System::Sums(_) => weights,
            System::Recurrence(_) => self.order() as usize + 1,
        };
        (0..weights).map(|place| u64::from(place % step == 0)).collect()
    }

    fn product(&self, left: &Power, right: &Power) -> Power {
        let order = self.order() as usize;
        let terms = |terms: &mut dyn Iterator<Item = (u64, u64)>| {
            terms.fold(0u64, |sum, (x, y)| sum.wrapping_add(x.wrapping_mul(y)))
        };
        match self {
            System::Sums(_) => {
                (0..order).map(|d| terms(&mut (0..=d).map(|i| (left[i], right[d - i])))).collect()
            }
            System::Recurrence(_) => (0..order * order)
                .map(|place| {
                    let (row, column) = (place / order, place % order);
                    terms(&mut (0..order).map(|i| (left[row * order + i], right[i * order + column])))
                })
                .collect(),
        }
    }

    /// A^n.
    fn power(&self, mut n: u64) -> Power {
        let (mut power, mut square) = (self.zero(), self.one());
        while n > 0 {
            if n % 2 == 1 {
                power = self.product(&power, &square);
            }
            square = self.product(&square, &square);
            n /= 2;
        }
        power
    }

    /// A^0, A^step, A^2step ... : `count` of them.
    pub fn powers(&self, step: u64, count: u32) -> impl Iterator<Item = Power> {
        let step = self.power(step);
        std::iter::successors(Some(self.zero()), move |power| Some(self.product(power, &step)))
            .take(count as usize)
    }
}
