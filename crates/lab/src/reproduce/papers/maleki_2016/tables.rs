//! Tables: ours beside the paper's, what follows from the paper's own, and these in full.

use rasterscan::ElementType;
use rasterscan_drawing::number::{grouped, significant};

use super::counted::{COUNTED, auxiliary};
use super::setup::{
    APPENDIX, AUTHORS, Appendix, COMPARED, COPY, CUB, ELEMENTS, EVERY_PREFIX, KEY, LARGEST, LONG_RUNS,
    LOOK_BACK, RUNS, SAM, SIZES, Shape, THREE_PHASE, THRUST, VERY_LARGE, crossing, few, floats, lengths,
    long_floats, shapes, sums_of, throughput, titan,
};
use crate::case::{Case, length};
use crate::report::page::Table;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{at, or_dash};
use crate::reproduce::printed::printed;
use crate::reproduce::rows::PaperRows;
use crate::reproduce::unit::{size, times};

/// Ours, what follows from the paper's, and the paper's own in full.
pub fn tables(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Table> {
    let mut tables = vec![
        sums(rows, bounds),
        generalized(rows, bounds),
        greatest(),
        crossovers(),
        same_bits(rows, bounds),
        memory(rows),
        printed(KEY, "Table 2.1").table(),
        printed(KEY, "Table 4.1").table(),
    ];
    tables.extend(libraries(rows, bounds));
    tables.extend((1..=12).map(|number| printed(KEY, &format!("Table A.{number}")).table()));
    tables
}

/// The throughput of ours on a case.
fn ours(rows: &PaperRows<'_>, name: &str, case: &Case) -> String {
    or_dash(rows.ms(name, case).map(|ms| throughput(case.n(), ms)), significant)
}

/// The throughput of a library at `2^log2` items, digit by digit.
fn in_print(appendix: &Appendix, library: &str, shape: Shape, log2: u32) -> String {
    let (name, column) = appendix.column(library, shape);
    printed(KEY, name).cell(&format!("2^{log2}"), &column).unwrap_or("-").to_owned()
}

/// Conventional sums at the lengths that were measured.
fn sums(rows: &PaperRows<'_>, bounds: &Bounds) -> Table {
    let mut lines = Vec::new();
    for element in ELEMENTS {
        let longest = (element == ElementType::U32 && bounds.compute >= LARGEST).then_some(VERY_LARGE);
        for log2 in lengths(bounds, element).into_iter().chain(longest) {
            let case = sums_of(element, log2);
            let paper = |library| in_print(titan(element), library, Shape::Order(1), log2);
            lines.push(vec![
                format!("{element}, {}", length(1 << log2)),
                ours(rows, THREE_PHASE, &case),
                paper("THRUST"),
                paper("CUDPP"),
                ours(rows, LOOK_BACK, &case),
                paper("CUB"),
                ours(rows, SAM, &case),
                paper("SAM"),
            ]);
        }
    }
    Table::new(
        "Conventional sums, 10\u{2079} items a second: ours beside those on the Titan X (tables A.1 and A.2)",
        ["items", "three_phase", "Thrust", "CUDPP", "look_back", "CUB", "sam", "SAM"],
        lines,
    )
}

/// The libraries themselves, where they were measured.
fn libraries(rows: &PaperRows<'_>, bounds: &Bounds) -> Option<Table> {
    const NAMES: [&str; 5] = [THRUST, CUB, AUTHORS, SAM, COPY];
    let sums = ELEMENTS.into_iter().flat_map(|element| {
        lengths(bounds, element)
            .into_iter()
            .chain([VERY_LARGE])
            .map(move |log2| (element, Shape::Order(1), log2))
    });
    let shapes = ELEMENTS.into_iter().flat_map(|element| {
        let lengths = move |shape| few(bounds, element).into_iter().map(move |log2| (element, shape, log2));
        shapes(bounds).into_iter().flat_map(lengths)
    });
    let line = |(element, shape, log2): (ElementType, Shape, u32)| {
        let case = shape.case(element, log2);
        let measured = [THRUST, CUB, AUTHORS].iter().any(|name| rows.row(name, &case).is_some());
        let of_shape = if shape == Shape::Order(1) { String::new() } else { format!(", {}", shape.text()) };
        let first = format!("{element}, {}{of_shape}", length(1 << log2));
        measured.then(|| [first].into_iter().chain(NAMES.map(|name| ours(rows, name, &case))).collect())
    };
    let lines: Vec<Vec<String>> = sums.chain(shapes).filter_map(line).collect();
    let heads = ["items", "Thrust", "CUB", "SAM 1.1", "sam", "copy:buffer"];
    let title = "The libraries themselves on this device, 10\u{2079} items a second";
    (!lines.is_empty()).then(|| Table::new(title, heads, lines))
}

/// Orders and tuples at the lengths that were measured.
fn generalized(rows: &PaperRows<'_>, bounds: &Bounds) -> Table {
    let mut lines = Vec::new();
    for element in ELEMENTS {
        for shape in shapes(bounds) {
            for log2 in few(bounds, element) {
                let case = shape.case(element, log2);
                let paper = |library| titan(element).throughput(library, shape, log2);
                let speed = rows.factor(LOOK_BACK, SAM, &case);
                // A single digit says little of a ratio.
                let ratio = paper("CUB").filter(|cub| *cub >= 1.0).and_then(|cub| Some(paper("SAM")? / cub));
                lines.push(vec![
                    format!("{element}, {}, {}", shape.text(), length(1 << log2)),
                    ours(rows, LOOK_BACK, &case),
                    ours(rows, SAM, &case),
                    or_dash(speed, times),
                    in_print(titan(element), "CUB", shape, log2),
                    in_print(titan(element), "SAM", shape, log2),
                    or_dash(ratio, times),
                ]);
            }
        }
    }
    Table::new(
        "Orders and tuples, 10\u{2079} items a second: ours beside those on the Titan X (tables A.5, A.6, A.9 and \
         A.10)",
        ["items", "look_back", "sam", "speed of sam", "CUB", "SAM", "speed of SAM"],
        lines,
    )
}

/// A speed of SAM relative to CUB in a table of the paper.
pub struct InPrint {
    /// The ratio of the printed numbers.
    pub speed: f64,
    /// The greatest ratio that rounds to these numbers.
    pub most: f64,
    /// The throughput of CUB.
    pub cub: f64,
    /// The items, as printed.
    pub items: &'static str,
}

/// All ratios of a shape in the table of a GPU and an element.
fn ratios(appendix: &Appendix, shape: Shape) -> Vec<InPrint> {
    let table = printed(KEY, appendix.column("CUB", shape).0);
    let columns = ["CUB", "SAM"].map(|library| appendix.column(library, shape).1);
    let of = |row: &Vec<&'static str>| {
        let [cub_text, sam_text] = columns.each_ref().map(|column| table.cell(row[0], column));
        let (cub_text, sam_text) = (cub_text?, sam_text?);
        let (cub, sam): (f64, f64) = (cub_text.parse().ok()?, sam_text.parse().ok()?);
        let most = (sam + half_a_digit(sam_text)) / (cub - half_a_digit(cub_text)).max(0.0);
        Some(InPrint { speed: sam / cub, most, cub, items: row[0] })
    };
    table.rows.iter().filter_map(of).collect()
}

/// The most that a number may have lost or gained by rounding.
fn half_a_digit(text: &str) -> f64 {
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    0.5 * 10f64.powi(-(decimals as i32))
}

/// The greatest speed of SAM in the paper's tables, where CUB reaches 10^9 items a second.
pub fn greatest_in_print(shape: Shape) -> Option<InPrint> {
    let all = APPENDIX.iter().flat_map(|appendix| ratios(appendix, shape));
    all.filter(|ratio| ratio.cub >= 1.0).max_by(|a, b| a.speed.total_cmp(&b.speed))
}

/// The sentences against the tables: up to 2.9 and up to 2.6.
fn greatest() -> Table {
    let mut lines = Vec::new();
    for (shape, claimed) in [(Shape::Order(8), 2.9), (Shape::Tuple(8), 2.6)] {
        for appendix in &APPENDIX {
            let Appendix { gpu, bits, .. } = appendix;
            let all = ratios(appendix, shape);
            let fast = || all.iter().filter(|ratio| ratio.cub >= 1.0);
            let best = fast().max_by(|a, b| a.speed.total_cmp(&b.speed));
            let most = fast().map(|ratio| ratio.most).reduce(f64::max);
            let allowed =
                all.iter().filter(|ratio| ratio.most >= claimed).map(|ratio| ratio.cub).reduce(f64::max);
            lines.push(vec![
                format!("{}: {gpu}, {bits} bits, {}", appendix.column("CUB", shape).0, shape.text()),
                format!("{claimed}x"),
                or_dash(best.map(|ratio| ratio.speed), times),
                or_dash(best, |ratio| ratio.items.into()),
                or_dash(most, times),
                or_dash(allowed, |cub| cub.to_string()),
            ]);
        }
    }
    Table::new(
        "The greatest speed of SAM relative to CUB in the paper's own tables, where CUB reaches 10\u{2079} items a \
         second; and the fastest CUB, in 10\u{2079} items a second, at which the printed digits allow for the factor in \
         the abstract",
        ["table", "abstract", "greatest", "at", "most before rounding", "allowed up to CUB of"],
        lines,
    )
}

/// The size from which on SAM is ahead in the paper's tables, by the same reading as ours.
pub fn crossing_in_print(appendix: &Appendix, sizes: &[u32], shape: fn(u32) -> Shape) -> Option<f64> {
    let speed = |size: &u32| Some((f64::from(*size), appendix.speed("CUB", shape(*size), LARGEST)?));
    Some(crossing(&sizes.iter().map(speed).collect::<Option<Vec<_>>>()?))
}

fn crossovers() -> Table {
    let speeds = |appendix: &Appendix, sizes: &[u32], shape: fn(u32) -> Shape| -> String {
        let speed = |size: &u32| or_dash(appendix.speed("CUB", shape(*size), LARGEST), times);
        sizes.iter().map(speed).collect::<Vec<_>>().join(", ")
    };
    let orders = [1, 2, 3, 4, 5, 8];
    let tuples = [1, SIZES[0], SIZES[1], SIZES[2]];
    let line = |appendix: &Appendix| {
        vec![
            format!("{}, {} bits", appendix.gpu, appendix.bits),
            speeds(appendix, &orders, Shape::Order),
            or_dash(crossing_in_print(appendix, &orders, Shape::Order), size),
            speeds(appendix, &tuples, Shape::Tuple),
            or_dash(crossing_in_print(appendix, &tuples, Shape::Tuple), size),
        ]
    };
    let [orders_of, tuples_of] = ["speed of SAM at orders 1, 2, 3, 4, 5, 8", "at tuples of 1, 2, 5, 8"];
    Table::new(
        "The order and the size of tuples from which on SAM is ahead of CUB, in the paper's own tables at 2^27 items. For \
         64 bits on the K40, the column of order 5 is that of the Titan X (see the errata)",
        ["", orders_of, "ahead from", tuples_of, "ahead from"],
        APPENDIX.iter().map(line),
    )
}

/// Float sums, run again and again, and the price of an order that is always the same.
fn same_bits(rows: &PaperRows<'_>, bounds: &Bounds) -> Table {
    let (case, long) = (floats(bounds), long_floats(bounds));
    let mut runs = vec![(RUNS, &case), (LONG_RUNS, &long)];
    runs.dedup_by_key(|(_, case)| *case);
    let fastest = COMPARED.iter().filter_map(|name| rows.ms(name, &long)).reduce(f64::min);
    let line = |name: &str| {
        let results = |(_, case): &(u32, &Case)| {
            or_dash(rows.row(name, case).and_then(|row| row.distinct), |results| results.to_string())
        };
        let load = or_dash(rows.row(name, &case), |row| if row.beside_load { "yes" } else { "no" }.into());
        let ms = rows.ms(name, &long);
        let over = or_dash(ms.zip(fastest), |(ms, fastest)| times(ms / fastest));
        let paper = match name {
            SAM => "deterministic",
            EVERY_PREFIX => "CUB may vary",
            _ => "-",
        };
        let rest = [load, or_dash(ms, significant), over, paper.into()];
        [name.to_owned()].into_iter().chain(runs.iter().map(results)).chain(rest).collect()
    };
    let heads = runs.iter().map(|(runs, case)| format!("in {runs} runs {}", at(case.n())));
    let rest = ["run beside other work", &format!("ms {}", at(long.n())), "over the fastest", "in the paper"];
    Table::new(
        "Different results of float sums, compared bit by bit, and their times",
        [String::new()].into_iter().chain(heads).chain(rest.map(str::to_owned)),
        COMPARED.map(line),
    )
}

/// Counted from the plans.
fn memory(rows: &PaperRows<'_>) -> Table {
    let names = [THREE_PHASE, "reduce_then_scan", "chained", LOOK_BACK, SAM];
    let line = |name: &str| {
        let [short, long] = COUNTED.map(|log2| {
            let bytes = auxiliary(rows, name, log2).estimate();
            or_dash(bytes, |bytes| grouped(bytes.value as u64))
        });
        vec![name.to_owned(), short, long]
    };
    let [short, long] = COUNTED.map(|log2| at(1 << log2));
    Table::new(
        format!("Bytes besides input and output, counted from the plans for {}", rows.counted_on()),
        [String::new(), short, long],
        names.map(line),
    )
}
