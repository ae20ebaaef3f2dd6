//! Linear systems: what `glsl/scan/sam/linear.glsl` needs to carry all orders of a sum, or a recurrence, in one exchange.
//!
//! Each item changes a state of `order` items: `state' = A state + (item, 0, 0 ...)`. So n items multiply it by A^n, and add
//! the state that they make of zeros: pieces of a stream are put together with powers of A alone, which are computed here.
//!
//! - Sums of order q: the state is the last sums of all orders. A^n has C(n - 1 + d, d) from order j to order j + d: one
//!   weight for each d, the coefficients of (1 - z)^-n.
//! - A recurrence: the state is w, the input with only the feedback applied, and those before it. A is the companion
//!   matrix, and a power has order² weights.
//!
//! Integers wrap, and so all of this is exact. Sources: maleki2016, section 4.4, which holds that there is no single step
//! for higher orders; S. Maleki, M. Burtscher: Automatic Hierarchical Parallelization of Linear Recurrences, ASPLOS 2018,
//! whose correction factors are the rows of the powers.

use std::sync::Arc;

use crate::element::ElementType;
use crate::operator::Operator;
use crate::plan::{Access, DispatchRecorder, Lanes, Layout, Plan, Slot};
use crate::scan::compute::tile::{Tile, UNROLLED};
use crate::scan::{Recurrence, ScanSpec};

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
    fn one(&self) -> Power {
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
    fn powers(&self, step: u64, count: u32) -> impl Iterator<Item = Power> {
        let step = self.power(step);
        std::iter::successors(Some(self.zero()), move |power| Some(self.product(power, &step)))
            .take(count as usize)
    }

    /// Adds the buffer that the shader reads, for tiles whose lanes have runs of `run` tuples: the powers of 0 to GROUP - 1
    /// runs, those of 0 to GROUP chunks, and the coefficients of a recurrence.
    pub fn powers_of(&self, plan: &mut Plan, element: ElementType, tile: &Tile, run: u64) -> Slot {
        let group = tile.group;
        let of_chunks = self.powers(run * u64::from(group), group + 1);
        let mut items: Vec<u64> = self.powers(run, group).chain(of_chunks).flatten().collect();
        if let System::Recurrence(recurrence) = self {
            let [forward, feedback] = [recurrence.forward(), recurrence.feedback()];
            items.extend(forward.iter().chain(feedback).map(|coefficient| *coefficient as u64));
            // The shader multiplies as many as a state has.
            items.resize(items.len() + self.order() as usize - feedback.len(), 0);
        }
        let words: Arc<[u32]> = match element.words() {
            1 => items.iter().map(|item| *item as u32).collect(),
            _ => items.iter().flat_map(|item| [*item as u32, (*item >> 32) as u32]).collect(),
        };
        plan.constant("powers", Layout::buffer(element, 1, items.len() as u64), words)
    }

    /// Tells a pass of the system, for a stream of tuples.
    pub fn tell<'p>(&self, pass: DispatchRecorder<'p>, powers: Slot, tuple: u32) -> DispatchRecorder<'p> {
        let pass = pass
            .bind("POWERS", powers, Access::Read)
            .define("LINEAR", true)
            .define("INTERLEAVED", tuple)
            .define("SUMS", matches!(self, System::Sums(_)));
        match self {
            System::Sums(_) => pass,
            System::Recurrence(recurrence) => pass.define("FORWARD", recurrence.forward().len() as i64),
        }
    }

    /// 32-bit words of the powers that a group reads for a chunk.
    pub fn words_read(&self, tile: &Tile, element: ElementType) -> u64 {
        let powers = tile.lane_count.ilog2() + 3;
        u64::from(tile.group * powers * element.words()) * self.weights()
    }

    /// Uses of the operator to scan a chunk, products among them, if so many groups read its sums.
    pub fn adds(&self, tile: &Tile, tuple: u32, readers: u64) -> u64 {
        let carried = u64::from(tuple) * self.products();
        let lanes = u64::from(tile.lane_count.ilog2() + 2);
        2 * u64::from(self.order()) * tile.items()
            + u64::from(tile.group) * lanes * carried
            + readers * carried
    }

    /// The most loop iterations in which one invocation scans a chunk; as [`Tile::iterations`], of which a fifth was left at
    /// most here, too.
    pub fn iterations(&self, tile: &Tile, tuple: u32) -> u64 {
        let [order, tuple, items] = [self.order(), tuple, tile.rows * tile.vector].map(u64::from);
        let powers = u64::from(tile.lane_count.ilog2() + tile.warps() + 4);
        let products = powers * (self.weights() + tuple * self.products() + 2 * order * tuple);
        (items * (16 + 4 * order) + products) / UNROLLED
    }

    /// Items in shared memory besides a tile's own: those that are carried and gathered, and a chunk that is turned.
    pub fn shared_items(&self, tile: &Tile, tuple: u32) -> u32 {
        let items = tile.items() as u32;
        let turned = if tile.lanes == Lanes::Serial { 0 } else { items + items / 8 };
        (3 * tile.warps() + 3) * self.order() * tuple + turned
    }

    /// Weights of a power.
    fn weights(&self) -> u64 {
        self.one().len() as u64
    }

    /// Products of a power and a state.
    fn products(&self) -> u64 {
        let order = u64::from(self.order());
        match self {
            System::Sums(_) => order * (order + 1) / 2,
            System::Recurrence(_) => order * order,
        }
    }
}
