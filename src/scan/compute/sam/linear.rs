//! Linear systems: what `glsl/scan/sam/linear.glsl` needs to carry all orders of a sum, or a recurrence, in one exchange.
//!
//! Each item changes a state of `order` items: `state' = A state + (item, 0, 0 ...)`. So n items change it by A^n, and by
//! what they make of zeros; pieces of a stream are put together with powers of A alone, which are computed here.
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
use crate::plan::{Access, DispatchRecorder, Layout, Plan, Slot};
use crate::scan::compute::tile::Tile;
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

    /// The table that the shader reads, for runs of `run` tuples in such tiles.
    pub fn table(&self, tile: &Tile, run: u64) -> Table {
        let (lanes, warps, group) = (tile.lane_count, tile.warps(), tile.group);
        let levels = lanes.ilog2() + warps.ilog2().max(1);
        let chunk = run * u64::from(group);
        let mut powers: Vec<Power> = (0..levels).map(|level| self.power(run << level)).collect();
        let mut begins = [0; 4];
        begins[0] = powers.len() as i64;
        powers.push(self.power(chunk * u64::from(group)));
        begins[1] = powers.len() as i64;
        powers.extend(self.powers(run, lanes));
        begins[2] = powers.len() as i64;
        powers.extend(self.powers(run, group));
        begins[3] = powers.len() as i64;
        let mut of_chunks: Vec<Power> = self.powers(chunk, group).collect();
        of_chunks.reverse();
        powers.extend(of_chunks);
        let weights = self.one().len();
        let mut items: Vec<u64> = powers.concat();
        let mut coefficients = None;
        if let System::Recurrence(recurrence) = self {
            let [forward, feedback] = [recurrence.forward(), recurrence.feedback()];
            coefficients = Some((items.len() as i64, forward.len() as i64));
            items.extend(forward.iter().map(|a| *a as u64));
            items.extend(feedback.iter().map(|b| *b as u64));
            // The shader multiplies as many as a state has.
            items.resize(items.len() + self.order() as usize - feedback.len(), 0);
        }
        Table { items, weights, lane_levels: lanes.ilog2(), begins, coefficients, order: self.order() }
    }
}

/// Powers of A, one after the other, and the coefficients of a recurrence.
#[derive(Debug)]
pub(super) struct Table {
    items: Vec<u64>,
    /// In a power.
    weights: usize,
    /// Powers before those for warps.
    lane_levels: u32,
    /// The numbers of the power of a group of chunks, and of the first for lanes, places in a chunk, and chunks.
    begins: [i64; 4],
    /// The place of the coefficients, and how many are of inputs.
    coefficients: Option<(i64, i64)>,
    order: u32,
}

impl Table {
    /// A buffer with the table.
    pub fn slot(&self, plan: &mut Plan, element: ElementType) -> Slot {
        let words: Arc<[u32]> = match element.words() {
            1 => self.items.iter().map(|item| *item as u32).collect(),
            _ => self.items.iter().flat_map(|item| [*item as u32, (*item >> 32) as u32]).collect(),
        };
        plan.constant("powers", Layout::buffer(element, 1, self.items.len() as u64), words)
    }

    /// Binds it to a pass.
    pub fn bind<'p>(&self, pass: DispatchRecorder<'p>, slot: Slot) -> DispatchRecorder<'p> {
        let [group, lane, place, gather] = self.begins;
        let pass = pass
            .bind("POWERS", slot, Access::Read)
            .define("LINEAR", true)
            .define("SUMS", self.coefficients.is_none())
            .define("WEIGHTS", self.weights as i64)
            .define("LANE_LEVELS", self.lane_levels)
            .define("GROUP_POWER", group)
            .define("LANE_AT", lane)
            .define("PLACE_AT", place)
            .define("GATHER_AT", gather);
        match self.coefficients {
            None => pass,
            Some((at, forward)) => {
                pass.define("FORWARD_AT", at).define("FEEDBACK_AT", at + forward).define("FORWARD", forward)
            }
        }
    }

    /// Weights of a power.
    pub fn weights(&self) -> u64 {
        self.weights as u64
    }

    /// 32-bit words of the table that a group reads for a chunk.
    pub fn words_read(&self, tile: &Tile, element: ElementType) -> u64 {
        let powers = tile.lane_count.ilog2() + 3;
        u64::from(tile.group * powers * element.words()) * self.weights()
    }

    /// Products and sums of a power and a state.
    pub fn adds(&self) -> u64 {
        let order = u64::from(self.order);
        if self.coefficients.is_none() { order * (order + 1) / 2 } else { order * order }
    }
}
