//! What is measured for maleki2016: names, cases and lengths.

use crate::case::Case;
use crate::cell::Cell;
use crate::contender::Contender;
use crate::measure::Estimate;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::cell;
use crate::reproduce::printed::printed;
use crate::reproduce::rows::{Lookup, PaperRows};
use rasterscan::ElementType;

pub(super) const KEY: &str = "maleki2016";
/// As in the paper: one exchange of carries for each order.
pub(super) const SAM: &str = "sam:exchange=each";
/// The counterpart of CUB.
pub(super) const LOOK_BACK: &str = "look_back";
/// As CUB does it: which prefix a tile finds depends on timing.
pub(super) const EVERY_PREFIX: &str = "look_back:prefixes=every";
/// The scans whose results are compared: those of one pass, and two of more, in which no group waits for another's sum.
pub(super) const COMPARED: [&str; 6] =
    [SAM, EVERY_PREFIX, "look_back:prefixes=block", "chained", "reduce_then_scan", THREE_PHASE];
/// The counterpart of Thrust and of CUDPP.
pub(super) const THREE_PHASE: &str = "three_phase";
pub(super) const COPY: &str = "copy:buffer";
/// The libraries themselves, of today, and the code of the paper's authors.
pub(super) const CUB: &str = "peer:cub";
pub(super) const THRUST: &str = "peer:thrust";
pub(super) const AUTHORS: &str = "peer:sam";

/// The length at which the paper gives factors for orders, and the longest of most cells, as a power of two.
pub(super) const LARGEST: u32 = 27;
/// The first length at which the paper's tables have SAM ahead of CUB.
pub(super) const VERY_LARGE: u32 = 28;
/// The orders and sizes of tuples in the paper's figures.
pub(super) const SIZES: [u32; 3] = [2, 5, 8];
pub(super) const ELEMENTS: [ElementType; 2] = [ElementType::U32, ElementType::U64];
/// Runs whose float sums are compared bit by bit.
pub(super) const RUNS: u32 = 100;
/// The same where sums are long, and reading one back takes a hundred times as long as the scan.
pub(super) const LONG_RUNS: u32 = 3;

/// A prefix sum of one of the paper's two generalizations; of size 1 it is the conventional one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Order(u32),
    Tuple(u32),
}

impl Shape {
    /// The case of `2^log2` items, or a few less: whole tuples, as in the paper (section 6.4).
    pub(super) fn case(self, element: ElementType, log2: u32) -> Case {
        let n = 1u64 << log2;
        match self {
            Shape::Order(order) => Case::scan(n).of(element).order(order),
            Shape::Tuple(size) => Case::scan(n - n % u64::from(size)).of(element).tuple(size),
        }
    }

    /// The shape in words: `order 5`.
    pub(super) fn text(self) -> String {
        match self {
            Shape::Order(order) => format!("order {order}"),
            Shape::Tuple(size) => format!("{size}-tuples"),
        }
    }

    pub(super) fn all() -> impl Iterator<Item = Shape> {
        SIZES.into_iter().map(Shape::Order).chain(SIZES.into_iter().map(Shape::Tuple))
    }
}

/// The conventional sum of `2^log2` items.
pub(super) fn sums_of(element: ElementType, log2: u32) -> Case {
    Shape::Order(1).case(element, log2)
}

/// The tables in the appendix of one GPU and one element.
pub(super) struct Appendix {
    pub(super) gpu: &'static str,
    pub(super) bits: u32,
    pub(super) sums: &'static str,
    pub(super) orders: &'static str,
    pub(super) tuples: &'static str,
}

pub(super) const APPENDIX: [Appendix; 4] = [
    Appendix { gpu: "Titan X", bits: 32, sums: "Table A.1", orders: "Table A.5", tuples: "Table A.9" },
    Appendix { gpu: "Titan X", bits: 64, sums: "Table A.2", orders: "Table A.6", tuples: "Table A.10" },
    Appendix { gpu: "K40", bits: 32, sums: "Table A.3", orders: "Table A.7", tuples: "Table A.11" },
    Appendix { gpu: "K40", bits: 64, sums: "Table A.4", orders: "Table A.8", tuples: "Table A.12" },
];

/// The tables of the Titan X, with which ours are compared.
pub(super) fn titan(element: ElementType) -> &'static Appendix {
    &APPENDIX[usize::from(element.words() > 1)]
}

impl Appendix {
    /// The table with the columns of a shape, and the column of a library in it.
    pub(super) fn column(&self, library: &str, shape: Shape) -> (&'static str, String) {
        match shape {
            Shape::Order(1) | Shape::Tuple(1) => (self.sums, library.into()),
            Shape::Order(order) => (self.orders, format!("{library}{order}")),
            Shape::Tuple(size) => (self.tuples, format!("{library}{size}")),
        }
    }

    /// The throughput of a library at `2^log2` items, in 10^9 items a second; `None` if it is not printed.
    pub(super) fn throughput(&self, library: &str, shape: Shape, log2: u32) -> Option<f64> {
        let (table, column) = self.column(library, shape);
        printed(KEY, table).at(1 << log2, &column)
    }

    /// The speed of SAM relative to a library at `2^log2` items.
    pub(super) fn speed(&self, library: &str, shape: Shape, log2: u32) -> Option<f64> {
        Some(self.throughput("SAM", shape, log2)? / self.throughput(library, shape, log2)?)
    }
}

/// The lengths of conventional sums, as powers of two.
pub(super) fn lengths(bounds: &Bounds, element: ElementType) -> Vec<u32> {
    let powers: &[u32] = match (bounds.quick && bounds.software, element) {
        (true, ElementType::U32) => &[12, 14, 16],
        (true, _) => &[],
        (false, ElementType::U32) => &[10, 12, 14, 16, 18, 20, 22, 24, 26, LARGEST],
        (false, _) => &[12, 16, 18, 20, 22, 24],
    };
    // The bound is one of words.
    bounds.within(bounds.compute + 1 - element.words(), powers.iter().copied())
}

/// The lengths of higher orders and of tuples.
pub(super) fn few(bounds: &Bounds, element: ElementType) -> Vec<u32> {
    let powers: &[u32] = match (bounds.quick && bounds.software, element) {
        (true, ElementType::U32) => &[14, 16],
        (true, _) => &[],
        (false, ElementType::U32) => &[14, 18, 22, LARGEST],
        (false, _) => &[14, 18, 22],
    };
    bounds.within(bounds.compute + 1 - element.words(), powers.iter().copied())
}

/// The shapes that are measured. On the software renderer, each shape costs seconds of compiling.
pub(super) fn shapes(bounds: &Bounds) -> Vec<Shape> {
    if bounds.quick && bounds.software {
        vec![Shape::Order(8), Shape::Tuple(8)]
    } else {
        Shape::all().collect()
    }
}

/// The sum of floats. The numbers are whole and up to 255, so that sums are exact, and their order is of no
/// consequence, up to 2^24: this is long enough to pass that.
pub(super) fn floats(bounds: &Bounds) -> Case {
    sums_of(ElementType::F32, if bounds.quick && bounds.software { 18 } else { 20 })
}

/// The sum of floats that is long enough for times.
pub(super) fn long_floats(bounds: &Bounds) -> Case {
    sums_of(ElementType::F32, bounds.compute.min(26))
}

pub fn cells(bounds: &Bounds) -> Vec<Cell> {
    let mut cells = Vec::new();
    for element in ELEMENTS {
        for log2 in lengths(bounds, element) {
            cells.push(cell(sums_of(element, log2), &[THREE_PHASE, LOOK_BACK, SAM, COPY]));
        }
        for log2 in few(bounds, element) {
            let shapes = shapes(bounds).into_iter();
            cells.extend(shapes.map(|shape| cell(shape.case(element, log2), &[LOOK_BACK, SAM])));
        }
    }
    if bounds.compute >= LARGEST {
        cells.push(cell(sums_of(ElementType::U32, VERY_LARGE), &[LOOK_BACK, SAM]));
    }
    // Where a claim needs them: a program of its own takes a second or two for each case.
    for cell in cells.iter_mut().filter(|cell| cell.case.element() == ElementType::U32) {
        let n = cell.case.n();
        let peers: &[&'static str] =
            match n.is_power_of_two() && cell.case == sums_of(ElementType::U32, n.ilog2()) {
                true => &[CUB, THRUST, AUTHORS],
                false if n.next_power_of_two() == 1 << LARGEST => &[CUB, AUTHORS],
                false => &[],
            };
        cell.contenders.extend(peers.iter().copied().map(Contender::Peer));
    }
    cells.push(Cell { repeats: RUNS, ..cell(floats(bounds), &COMPARED) });
    if long_floats(bounds) != floats(bounds) {
        cells.push(Cell { repeats: LONG_RUNS, ..cell(long_floats(bounds), &COMPARED) });
    }
    cells
}

/// Items a second, 10^9.
pub(super) fn throughput(n: u64, ms: f64) -> f64 {
    n as f64 / ms * 1e-6
}

/// The place from which on SAM stays ahead, where its speed relative to another algorithm passes 1: between
/// two measured places, on a scale of ratios. 0 if it is ahead at all of them, infinite if it is not at the
/// last.
pub(super) fn crossing(speeds: &[(f64, f64)]) -> f64 {
    let Some(behind) = speeds.iter().rposition(|(_, speed)| *speed <= 1.0) else { return 0.0 };
    let Some((after, faster)) = speeds.get(behind + 1) else { return f64::INFINITY };
    let (before, slower) = speeds[behind];
    let share = -slower.ln() / (faster / slower).ln();
    before * (after / before).powf(share)
}

/// The crossing of speeds that `speed` measures at these places. Other runs differ by [`Rows::margin`]; near
/// a tie that moves the crossing far, so the interval is over all speeds within it.
pub(super) fn crossing_of<'a>(
    rows: &PaperRows<'a>,
    places: &[u32],
    speed: impl Fn(&PaperRows<'a>, u32) -> Option<f64>,
) -> Lookup {
    let of = |share: f64| {
        rows.estimate(|rows| {
            let own = |place: &u32| Some((f64::from(*place), share * speed(rows, *place)?));
            Some(crossing(&places.iter().map(own).collect::<Option<Vec<_>>>()?))
        })
    };
    let margin = 1.0 + PaperRows::margin(rows.software());
    let ends = [of(margin), of(1.0 / margin)].map(|found| found.estimate());
    let wider = |estimate: Estimate| Estimate {
        low: ends.iter().flatten().fold(estimate.low, |low, end| low.min(end.low)),
        high: ends.iter().flatten().fold(estimate.high, |high, end| high.max(end.high)),
        ..estimate
    };
    match of(1.0) {
        Lookup::Number(estimate) => Lookup::Number(wider(estimate)),
        Lookup::Unsettled(estimate, why) => Lookup::Unsettled(wider(estimate), why),
        other => other,
    }
}
