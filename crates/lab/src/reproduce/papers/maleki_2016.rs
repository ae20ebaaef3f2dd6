//! maleki2016: SAM, against the scans of its time.

mod counted;
mod figures;
mod shapes;
mod sums;
mod tables;
#[cfg(test)]
mod tests;

use rasterscan::ElementType;

use crate::case::Case;
use crate::cell::Cell;
use crate::measure::Estimate;
use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{cell, section as new_section};
use crate::reproduce::printed::printed;
use crate::reproduce::rows::{Found, Rows};

const KEY: &str = "maleki2016";
const SAM: &str = "sam";
/// The counterpart of CUB.
const LOOK_BACK: &str = "look_back";
/// The counterpart of Thrust and of CUDPP.
const THREE_PHASE: &str = "three_phase";
const COPY: &str = "copy:buffer";

/// The length at which the paper gives factors for orders, and the longest of most cells, as a power of two.
const LARGEST: u32 = 27;
/// The first length at which the paper's tables have SAM ahead of CUB.
const VERY_LARGE: u32 = 28;
/// The orders and sizes of tuples in the paper's figures.
const SIZES: [u32; 3] = [2, 5, 8];
const ELEMENTS: [ElementType; 2] = [ElementType::U32, ElementType::U64];
/// Runs whose float sums are compared bit by bit.
const RUNS: u32 = 100;

/// A prefix sum of one of the paper's two generalizations; of size 1 it is the conventional one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Order(u32),
    Tuple(u32),
}

impl Shape {
    /// The case of `2^log2` items, or a few less: whole tuples, as in the paper (section 6.4).
    fn case(self, element: ElementType, log2: u32) -> Case {
        let n = 1u64 << log2;
        match self {
            Shape::Order(order) => Case::scan(n).of(element).order(order),
            Shape::Tuple(size) => Case::scan(n - n % u64::from(size)).of(element).tuple(size),
        }
    }

    /// The shape in words: `order 5`.
    fn text(self) -> String {
        match self {
            Shape::Order(order) => format!("order {order}"),
            Shape::Tuple(size) => format!("{size}-tuples"),
        }
    }

    fn all() -> impl Iterator<Item = Shape> {
        SIZES.into_iter().map(Shape::Order).chain(SIZES.into_iter().map(Shape::Tuple))
    }
}

/// The conventional sum of `2^log2` items.
fn sums_of(element: ElementType, log2: u32) -> Case {
    Shape::Order(1).case(element, log2)
}

/// The tables in the appendix of one GPU and one element.
struct Appendix {
    gpu: &'static str,
    bits: u32,
    sums: &'static str,
    orders: &'static str,
    tuples: &'static str,
}

const APPENDIX: [Appendix; 4] = [
    Appendix { gpu: "Titan X", bits: 32, sums: "Table A.1", orders: "Table A.5", tuples: "Table A.9" },
    Appendix { gpu: "Titan X", bits: 64, sums: "Table A.2", orders: "Table A.6", tuples: "Table A.10" },
    Appendix { gpu: "K40", bits: 32, sums: "Table A.3", orders: "Table A.7", tuples: "Table A.11" },
    Appendix { gpu: "K40", bits: 64, sums: "Table A.4", orders: "Table A.8", tuples: "Table A.12" },
];

/// The tables of the Titan X, with which ours are compared.
fn titan(element: ElementType) -> &'static Appendix {
    &APPENDIX[usize::from(element.words() > 1)]
}

impl Appendix {
    /// The table with the columns of a shape, and the column of a library in it.
    fn column(&self, library: &str, shape: Shape) -> (&'static str, String) {
        match shape {
            Shape::Order(1) | Shape::Tuple(1) => (self.sums, library.into()),
            Shape::Order(order) => (self.orders, format!("{library}{order}")),
            Shape::Tuple(size) => (self.tuples, format!("{library}{size}")),
        }
    }

    /// The throughput of a library at `2^log2` items, in 10^9 items a second; `None` if it is not printed.
    fn throughput(&self, library: &str, shape: Shape, log2: u32) -> Option<f64> {
        let (table, column) = self.column(library, shape);
        printed(KEY, table).at(1 << log2, &column)
    }

    /// The speed of SAM relative to a library at `2^log2` items.
    fn speed(&self, library: &str, shape: Shape, log2: u32) -> Option<f64> {
        Some(self.throughput("SAM", shape, log2)? / self.throughput(library, shape, log2)?)
    }
}

/// The lengths of conventional sums, as powers of two.
fn lengths(bounds: &Bounds, element: ElementType) -> Vec<u32> {
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
fn few(bounds: &Bounds, element: ElementType) -> Vec<u32> {
    let powers: &[u32] = match (bounds.quick && bounds.software, element) {
        (true, ElementType::U32) => &[14, 16],
        (true, _) => &[],
        (false, ElementType::U32) => &[14, 18, 22, LARGEST],
        (false, _) => &[14, 18, 22],
    };
    bounds.within(bounds.compute + 1 - element.words(), powers.iter().copied())
}

/// The shapes that are measured. On the software renderer, each shape costs seconds of compiling.
fn shapes(bounds: &Bounds) -> Vec<Shape> {
    if bounds.quick && bounds.software {
        vec![Shape::Order(8), Shape::Tuple(8)]
    } else {
        Shape::all().collect()
    }
}

/// The sum of floats. The numbers are whole and up to 255, so that sums are exact, and their order is of no
/// consequence, up to 2^24: this is long enough to pass that.
fn floats(bounds: &Bounds) -> Case {
    sums_of(ElementType::F32, if bounds.quick && bounds.software { 18 } else { 20 })
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
    cells.push(Cell { repeats: RUNS, ..cell(floats(bounds), &[SAM, LOOK_BACK]) });
    cells
}

pub fn section(rows: &Rows<'_>, bounds: &Bounds) -> Section {
    let mut section = new_section(
        KEY,
        "SAM: higher orders and tuples in one pass",
        "S. Maleki: Higher-Order and Tuple-Based Massively-Parallel Prefix Sums. Thesis, Texas State \
         University, 2016; S. Maleki, A. Yang, M. Burtscher: a paper of the same title. PLDI, 2016.",
    );
    section.notes = NOTES.iter().map(|note| (*note).to_owned()).collect();
    section.claims = counted::CLAIMS.to_vec();
    section.claims.push(counted::this_device());
    section.claims.push(sums::same_bits(rows, bounds));
    section.claims.extend(sums::claims(rows));
    section.claims.extend(shapes::claims(rows));
    section.tables = tables::tables(rows, bounds);
    section.figures = figures::figures(rows, bounds);
    section.errata = ERRATA.map(|(place, text)| (place.to_owned(), text.to_owned())).to_vec();
    section
}

const NOTES: [&str; 5] = [
    "The libraries that the paper compares with are CUDA's. Beside SAM stand algorithms of the same \
     structure, by compute shaders: `three_phase` for Thrust and CUDPP, which are two claims against one \
     algorithm, `reduce_then_scan` for MGPU, `chained` for StreamScan, `look_back` for CUB. Higher orders by \
     `look_back` are as many scans, one after the other, as the paper iterates CUB.",
    "The paper has two GPUs, a Titan X and a K40, which disagree on where SAM is ahead. Unless a claim says \
     otherwise, its numbers are of the Titan X. The paper's numbers stand beside ours at the same number of \
     items only. Tuples are cut to whole ones, as in the paper.",
    "Up to 2.9 times as fast at order 8, and up to 2.6 times at 8-tuples, is what the abstract and section \
     1.6 say. The paper's own tables do not have these numbers, as a table below shows: they have at most \
     2.2 and 2.26 where CUB reaches 10\u{2079} items a second. Before rounding, 2.9 and 2.6 are possible \
     only where CUB has 0.2 or less in print. The claims are judged by the sentences.",
    "From which order on SAM is ahead on the K40, the paper says in two ways: above about order five \
     (section 1.6), and, for 32 bits, that order eight is a tie (section 6.3). A table below has what its \
     tables say.",
    "The theoretical peak bandwidth of this device is not known to the program. A copy of the stream stands \
     for the peak: in the paper, SAM and the copy have the same 264 GB/s, 78.6% of the Titan X's peak.",
];

/// Errors in print, each with what it should be.
const ERRATA: [(&str, &str); 9] = [
    (
        "Section 4.4",
        "All orders share one array of sums, and the ready flags count the orders. A fast group then \
         overwrites the sum of one order by that of the next, before a slow group has read it. Each order \
         needs sums of its own.",
    ),
    (
        "Abstract, section 1.6",
        "Up to 2.9 times as fast as CUB at higher orders. Where CUB reaches 10\u{2079} items a second, \
         tables A.5 to A.8 have at most 2.2, at order 8. Only where CUB has 0.2 or less in print do the \
         digits allow for 2.9.",
    ),
    (
        "Abstract, section 1.6",
        "Up to 2.6 times as fast as CUB for tuples. Where CUB reaches 10\u{2079} items a second, tables A.9 \
         to A.12 have at most 2.26, at 8-tuples of 64-bit words. Only where CUB has 0.2 or less in print do \
         the digits allow for 2.6.",
    ),
    (
        "Section 7.1",
        "Up to 2.9 times on orders and tuple sizes of about five and above. For tuples, the abstract and \
         section 1.6 say 2.6.",
    ),
    (
        "Section 1.6",
        "On the K40, SAM is faster than CUB above about order five. Section 6.3 calls order eight a tie for \
         32 bits, and table A.7 has 3.3 against 3.37 at 2^27. For 64 bits, table A.8 has SAM ahead at orders \
         three, four and eight.",
    ),
    (
        "Table A.8, CUB5",
        "Five scans by CUB are faster than four in most rows, which cannot be. The column is that of the \
         Titan X in table A.6, in 24 of 25 rows with numbers.",
    ),
    ("Table A.7", "The table is printed twice, with the same numbers."),
    (
        "Section 6.2",
        "SAM's 33 billion items a second are higher than the maximum of the other codes. Table A.1 has 33 \
         for CUB as well, at 2^29 and 2^30; at 10^9 items it has 32.9 against 32.6.",
    ),
    (
        "Chapters 4 to 6",
        "Figures 1 to 14 and table 1 in the text are figures 4.1 to 6.12 and table 4.1 in the captions. \
         Section 2.5 is section 4.4, section 5.1 is section 6.2, and two sections are 4.3.",
    ),
];

/// Items a second, 10^9.
fn throughput(n: u64, ms: f64) -> f64 {
    n as f64 / ms * 1e-6
}

/// The place from which on SAM stays ahead, where its speed relative to another algorithm passes 1: between
/// two measured places, on a scale of ratios. 0 if it is ahead at all of them, infinite if it is not at the
/// last.
fn crossing(speeds: &[(f64, f64)]) -> f64 {
    let Some(behind) = speeds.iter().rposition(|(_, speed)| *speed <= 1.0) else { return 0.0 };
    let Some((after, faster)) = speeds.get(behind + 1) else { return f64::INFINITY };
    let (before, slower) = speeds[behind];
    let share = -slower.ln() / (faster / slower).ln();
    before * (after / before).powf(share)
}

/// The crossing of speeds that `speed` measures at these places. Other runs differ by [`Rows::margin`]; near
/// a tie that moves the crossing far, so the interval is over all speeds within it.
fn crossing_of<'a>(rows: &Rows<'a>, places: &[u32], speed: impl Fn(&Rows<'a>, u32) -> Option<f64>) -> Found {
    let of = |share: f64| {
        rows.estimate(|rows| {
            let own = |place: &u32| Some((f64::from(*place), share * speed(rows, *place)?));
            Some(crossing(&places.iter().map(own).collect::<Option<Vec<_>>>()?))
        })
    };
    let margin = 1.0 + Rows::margin(rows.software());
    let ends = [of(margin), of(1.0 / margin)].map(|found| found.estimate());
    let wider = |estimate: Estimate| Estimate {
        low: ends.iter().flatten().fold(estimate.low, |low, end| low.min(end.low)),
        high: ends.iter().flatten().fold(estimate.high, |high, end| high.max(end.high)),
        ..estimate
    };
    match of(1.0) {
        Found::Number(estimate) => Found::Number(wider(estimate)),
        Found::Unsettled(estimate, why) => Found::Unsettled(wider(estimate), why),
        other => other,
    }
}
