//! maleki2016: SAM, against the scans of its time.

use rasterscan::problem::SCAN;
use rasterscan::{Device, ElementType};

use crate::case::Case;
use crate::cell::Cell;
use crate::report::chart::{Figure, Lines, Panel, Role, Scale};
use crate::report::page::{Claim, Section, Table, Verdict};
use crate::reproduce::effort::Bounds;
use crate::reproduce::judge::{self, Factor, compared};
use crate::reproduce::paper::{at, axis, cell, contender, log2_n, section as new_section, series};
use crate::reproduce::rows::Rows;

const SAM: &str = "sam";
const SINGLE_PASS: &str = "look_back";
const COPY: &str = "copy:buffer";
/// The algorithms here, their counterparts in the paper, and the words that the paper says each moves for an item.
const MOVES: [(&str, &str, f64); 5] = [
    ("three_phase", "Thrust and CUDPP", 4.0),
    ("reduce_then_scan", "MGPU", 3.0),
    ("chained", "StreamScan", 2.0),
    (SINGLE_PASS, "CUB", 2.0),
    (SAM, "SAM", 2.0),
];
/// The paper's factors by order, at 2^27 items.
const ORDERS: [(u32, f64); 3] = [(2, 1.52), (5, 1.78), (8, 1.87)];
const ORDERS_AT: u32 = 27;
/// The paper's factors by size of tuple, on large inputs.
const TUPLES: [(u32, f64); 3] = [(2, 0.83), (5, 1.2), (8, 1.34)];
/// Large inputs begin here: where the paper's throughputs reach their plateau (section 6.2).
const LARGE: u32 = 23;
/// The lengths, as powers of two, among which the paper finds its greatest factors. These are judged only if all were
/// measured.
const GREATEST: [u32; 2] = [14, 27];

/// Items a second, 10^9, of CUB and SAM, at a power of two items.
type Throughputs = [(u32, [(f64, f64); 3])];

/// Tables A.5 and A.6: of the Titan X, at orders 2, 5 and 8.
const OF_ORDERS: [&Throughputs; 2] = [
    &[
        (14, [(0.6, 0.5), (0.3, 0.4), (0.2, 0.3)]),
        (16, [(2.1, 1.9), (1.0, 1.4), (0.6, 1.2)]),
        (18, [(6.9, 8.8), (3.1, 5.3), (2.0, 3.9)]),
        (20, [(11.2, 13.8), (4.7, 7.5), (3.0, 5.1)]),
        (22, [(14.7, 18.8), (6.0, 9.7), (3.7, 6.4)]),
        (24, [(15.8, 22.2), (6.4, 11.0), (4.0, 7.3)]),
        (27, [(16.2, 24.6), (6.5, 11.6), (4.1, 7.6)]),
    ],
    &[
        (13, [(0.3, 0.2), (0.1, 0.2), (0.1, 0.2)]),
        (15, [(1.0, 0.9), (0.5, 0.7), (0.3, 0.6)]),
        (17, [(3.4, 4.4), (1.5, 2.7), (1.0, 2.0)]),
        (19, [(5.4, 7.0), (2.3, 3.9), (1.4, 2.7)]),
        (21, [(7.2, 10.0), (2.9, 5.0), (1.8, 3.3)]),
        (23, [(7.9, 11.3), (3.2, 5.6), (2.0, 3.7)]),
        (26, [(8.1, 12.1), (3.3, 5.9), (2.0, 3.8)]),
    ],
];
/// Tables A.9 and A.10: the same for tuples of 2, 5 and 8.
const OF_TUPLES: [&Throughputs; 2] = [
    &[
        (14, [(0.8, 0.5), (0.8, 0.5), (0.7, 0.5)]),
        (16, [(3.1, 2.0), (2.6, 1.9), (2.2, 1.9)]),
        (18, [(10.8, 9.2), (6.6, 7.4), (5.0, 6.3)]),
        (20, [(18.9, 15.5), (9.4, 11.8), (7.2, 9.8)]),
        (22, [(24.6, 20.6), (11.9, 14.5), (8.2, 11.0)]),
        (24, [(28.0, 22.7), (12.6, 15.3), (8.5, 11.6)]),
        (27, [(29.0, 24.3), (14.0, 16.1), (9.0, 12.0)]),
    ],
    &[
        (13, [(0.4, 0.2), (0.3, 0.3), (0.3, 0.5)]),
        (15, [(1.5, 1.0), (1.2, 1.1), (0.9, 1.1)]),
        (17, [(5.3, 4.6), (3.3, 4.7), (2.3, 4.6)]),
        (19, [(8.9, 7.4), (5.0, 7.3), (3.4, 7.2)]),
        (21, [(11.6, 9.1), (6.3, 9.0), (4.0, 8.8)]),
        (23, [(13.2, 9.5), (6.8, 9.4), (4.2, 9.2)]),
        (26, [(13.9, 10.1), (7.2, 9.8), (4.5, 9.6)]),
    ],
];

/// The speed of SAM relative to CUB in the paper's tables, for the shape of this number at `2^log2` items; `None` if
/// they have no such length, or CUB is so slow that the printed digits cannot tell.
fn in_the_tables(tables: [&Throughputs; 2], element: ElementType, shape: usize, log2: u32) -> Option<f64> {
    let table = tables[usize::from(element.words() > 1)];
    // As many words of both.
    let log2 = log2 - (element.words() - 1);
    let (_, shapes) = table.iter().find(|(length, _)| *length == log2)?;
    let (cub, sam) = shapes[shape];
    (cub >= 1.0).then_some(sam / cub)
}

const ELEMENTS: [ElementType; 2] = [ElementType::U32, ElementType::U64];

fn lengths(bounds: &Bounds) -> Vec<u32> {
    bounds.within(bounds.compute, [12, 14, 16, 18, 20, 22, 24, 26, 27])
}

/// Fewer lengths, for orders and tuples.
fn few(bounds: &Bounds) -> Vec<u32> {
    let powers: &[u32] = match (bounds.quick, bounds.software) {
        (true, true) => &[16, 18],
        (true, false) => &[14, 16, 18, 20, 24],
        _ => &[14, 18, 20, 22, 24, 27],
    };
    bounds.within(bounds.compute, powers.iter().copied())
}

fn of(element: ElementType, log2: u32, order: u32, tuple: u32) -> Case {
    // As many words for both elements, and whole tuples.
    let n = (1u64 << log2) / u64::from(element.words());
    Case::scan(n.next_multiple_of(u64::from(tuple))).of(element).order(order).tuple(tuple)
}

pub fn cells(bounds: &Bounds) -> Vec<Cell> {
    let mut cells = Vec::new();
    for element in ELEMENTS {
        for log2 in lengths(bounds) {
            let mut names: Vec<&str> = MOVES.iter().map(|(name, ..)| *name).collect();
            names.push(COPY);
            cells.push(cell(of(element, log2, 1, 1), &names));
        }
        for log2 in few(bounds) {
            for (order, _) in ORDERS {
                cells.push(cell(of(element, log2, order, 1), &[SINGLE_PASS, SAM]));
            }
            for (tuple, _) in TUPLES {
                cells.push(cell(of(element, log2, 1, tuple), &[SINGLE_PASS, SAM]));
            }
        }
    }
    cells
}

pub fn section(rows: &Rows<'_>, bounds: &Bounds) -> Section {
    let mut section = new_section(
        "maleki2016",
        "SAM: higher orders and tuples in one pass",
        "S. Maleki: Higher-Order and Tuple-Based Massively-Parallel Prefix Sums. Thesis, Texas State University, 2016; \
         S. Maleki, A. Yang, M. Burtscher: a paper of the same title. PLDI, 2016.",
    );
    section.notes.push(
        "The libraries that the paper compares with are CUDA's; beside SAM stand algorithms of the same structure, by compute \
         shaders: `three_phase` for Thrust and CUDPP, `reduce_then_scan` for MGPU, `chained` for StreamScan, `look_back` for \
         CUB. The paper's largest figures are of a Titan X and 2^27 items."
            .into(),
    );
    section.claims = vec![
        words_moved(),
        copy_speed(rows, bounds),
        twice(rows, bounds),
        orders(rows),
        most_orders(rows, bounds),
        tuples(rows, bounds),
        most_tuples(rows, bounds),
    ];
    section.tables.push(table(rows, bounds));
    section.figures = figures(rows);
    section
}

/// Counted from the plans, which needs no device that can run them. Reproduced within 5%.
fn words_moved() -> Claim {
    let (case, device) = (Case::scan(1 << 20), Device::gl43());
    let counted = MOVES.map(|(name, library, paper)| {
        let plan = contender(SCAN, name).plan(&case, &device).ok().flatten();
        (name, library, paper, plan.map(|plan| plan.cost().words_moved() as f64 / case.n() as f64))
    });
    let right =
        counted.iter().all(|(.., paper, ours)| ours.is_some_and(|ours| (ours / paper - 1.0).abs() < 0.05));
    let verdict = if right { Verdict::Reproduced } else { Verdict::NotReproduced };
    let points = counted.map(|(name, library, paper, ours)| {
        compared(format!("{name}, as {library}"), paper, ours, |words| format!("{words:.2} words"))
    });
    judge::claim(
        "Words moved for each item: 4 by Thrust and CUDPP, 3 by MGPU, 2 by StreamScan, CUB and SAM.",
        points.into(),
        Some((verdict, "counted from the plans for 2^20 items".into())),
        &[],
    )
}

/// Reproduced within 10% of a copy's time at the greatest length, weaker within 50%.
fn copy_speed(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let large = lengths(bounds).into_iter().filter(|log2| *log2 >= LARGE);
    let last = large.rev().find_map(|log2| {
        let case = of(ElementType::U32, log2, 1, 1);
        Some((log2, rows.factor(SAM, COPY, &case)?))
    });
    let judged = last.map(|(_, factor)| {
        let verdict = match factor {
            factor if factor <= 1.1 => Verdict::Reproduced,
            factor if factor <= 1.5 => Verdict::Weaker,
            _ => Verdict::NotReproduced,
        };
        (verdict, format!("{:.0}% more time than a copy of the stream", 100.0 * (factor - 1.0)))
    });
    let points = last.map(|(log2, factor)| {
        compared(format!("time over a copy's, {}", at(1 << log2)), 1.0, Some(factor), judge::times)
    });
    let absent = rows.absent(SAM, &of(ElementType::U32, lengths(bounds)[0], 1, 1));
    judge::claim("On large inputs SAM is as fast as a copy.", points.into_iter().collect(), judged, &[absent])
}

fn twice(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let longest = lengths(bounds).into_iter().filter(|log2| *log2 > 22);
    let factors = std::iter::once(22).chain(longest).map(|log2| {
        let case = of(ElementType::U32, log2, 1, 1);
        Factor::of(rows, at(1 << log2), 2.0, ["three_phase", SAM], &case)
    });
    judge::factors("From 2^22 items on, SAM is twice as fast as Thrust and CUDPP.", factors.collect(), None)
}

/// The longest length at which these were measured.
fn longest(rows: &Rows<'_>, bounds: &Bounds, case: impl Fn(u32) -> Case) -> u32 {
    let lengths = few(bounds);
    let measured = lengths.iter().rev().find(|log2| rows.ms(SAM, &case(**log2)).is_some());
    *measured.or(lengths.last()).unwrap_or(&16)
}

fn orders(rows: &Rows<'_>) -> Claim {
    let factors = ORDERS.map(|(order, paper)| {
        let case = of(ElementType::U32, ORDERS_AT, order, 1);
        let what = format!("order {order}, {}", at(1 << ORDERS_AT));
        Factor::of(rows, what, paper, [SINGLE_PASS, SAM], &case)
    });
    let text = "Against a first-order scan in one pass, iterated: 1.52, 1.78 and 1.87 times as fast at orders 2, 5 and 8, \
                for 2^27 items.";
    judge::factors(text, factors.into(), None)
}

fn most_orders(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let best = most(rows, bounds, |element, log2| of(element, log2, 8, 1));
    let text = "At order 8, SAM is up to 2.9 times as fast.";
    judge::factors(
        text,
        vec![best_factor("the greatest, over all lengths and elements", 2.9, best, rows, bounds)],
        None,
    )
}

fn tuples(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let factors = TUPLES.map(|(tuple, paper)| {
        let case = |log2| of(ElementType::U32, log2, 1, tuple);
        let log2 = longest(rows, bounds, case).max(LARGE);
        Factor::of(rows, format!("{tuple}-tuples, {}", at(1 << log2)), paper, [SINGLE_PASS, SAM], &case(log2))
    });
    let text = "Against a scan in one pass of a tuple-typed element: 0.83, 1.2 and 1.34 times as fast at tuples of 2, 5 and 8, \
                on large inputs.";
    judge::factors(text, factors.into(), None)
}

fn most_tuples(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let best = TUPLES
        .iter()
        .filter_map(|(tuple, _)| most(rows, bounds, |_, log2| of(ElementType::U64, log2, 1, *tuple)))
        .reduce(f64::max);
    let text = "On tuples of 64-bit words, SAM is up to 2.6 times as fast.";
    judge::factors(
        text,
        vec![best_factor("the greatest, over all lengths and tuples", 2.6, best, rows, bounds)],
        None,
    )
}

/// The greatest factor of all lengths; `None` where those were not measured among which the paper's is.
fn most(rows: &Rows<'_>, bounds: &Bounds, case: impl Fn(ElementType, u32) -> Case) -> Option<f64> {
    if GREATEST.iter().any(|log2| rows.ms(SAM, &case(ElementType::U32, *log2)).is_none()) {
        return None;
    }
    let cases =
        ELEMENTS.into_iter().flat_map(|element| few(bounds).into_iter().map(move |log2| (element, log2)));
    cases.filter_map(|(element, log2)| rows.factor(SINGLE_PASS, SAM, &case(element, log2))).reduce(f64::max)
}

fn best_factor(what: &str, paper: f64, ours: Option<f64>, rows: &Rows<'_>, bounds: &Bounds) -> Factor {
    let absent = rows.absent(SAM, &of(ElementType::U32, few(bounds)[0], 8, 1));
    let absent = absent.map(|left_out| format!("{}: {}", left_out.name, left_out.reason));
    Factor { what: what.into(), paper, ours, absent }
}

/// Orders and tuples at the longest length, of both elements.
fn table(rows: &Rows<'_>, bounds: &Bounds) -> Table {
    let mut lines = Vec::new();
    for element in ELEMENTS {
        let shapes =
            ORDERS.map(|(order, _)| (order, 1)).into_iter().chain(TUPLES.map(|(tuple, _)| (1, tuple)));
        for (number, (order, tuple)) in shapes.enumerate() {
            let case = |log2| of(element, log2, order, tuple);
            let log2 = longest(rows, bounds, case);
            let case = case(log2);
            let ms = |name: &str| {
                rows.ms(name, &case).map_or("-".into(), rasterscan_picture::number::milliseconds)
            };
            let factor = rows.factor(SINGLE_PASS, SAM, &case).map_or("-".into(), judge::times);
            let tables = if order > 1 { OF_ORDERS } else { OF_TUPLES };
            let paper = in_the_tables(tables, element, number % ORDERS.len(), log2);
            let paper = paper.map_or("-".into(), judge::times);
            let shape = if order > 1 { format!("order {order}") } else { format!("{tuple}-tuples") };
            lines.push(vec![
                format!("{element}, {shape}"),
                at(case.n()),
                ms(SINGLE_PASS),
                ms(SAM),
                factor,
                paper,
            ]);
        }
    }
    Table {
        title: "Orders and tuples".into(),
        header: ["", "items", "look_back, ms", "sam, ms", "factor", "CUB to SAM in the paper"]
            .map(Into::into)
            .into(),
        rows: lines,
    }
}

fn figures(rows: &Rows<'_>) -> Vec<Figure> {
    let line = |name: String, role, element: ElementType, algorithm: &str, order: u32, tuple: u32| {
        let own = rows.all().filter(move |row| {
            let case = &row.case;
            let shape = [case.options().number("order"), case.options().number("tuple")];
            let shape = shape.map(|given| given.unwrap_or(1));
            row.name == algorithm && case.element() == element && shape == [order, tuple]
        });
        // The closure above borrows the name of the algorithm as long as the line is made.
        series(&name, role, own, |row| row.case.n() as f64, |row, ms| row.case.n() as f64 / ms * 1e-6)
    };
    let panel = |title: String, series: Vec<crate::report::chart::Series>| {
        Panel::Lines(Lines {
            title,
            x: log2_n(),
            y: axis("items a second, 10\u{2079}", Scale::Log10),
            series: series.into_iter().filter(|series| !series.points.is_empty()).collect(),
            marks: Vec::new(),
        })
    };
    let conventional = ELEMENTS.map(|element| {
        let mut lines: Vec<_> =
            MOVES.iter().map(|(name, ..)| line((*name).into(), Role::Data, element, name, 1, 1)).collect();
        lines.push(line(COPY.into(), Role::Limit, element, COPY, 1, 1));
        panel(format!("{element}"), lines)
    });
    let of_orders = ELEMENTS.map(|element| {
        let mut lines = vec![line("sam".into(), Role::Data, element, SAM, 1, 1)];
        for name in [SAM, SINGLE_PASS] {
            lines.extend(ORDERS.map(|(order, _)| {
                line(format!("{name}, order {order}"), Role::Data, element, name, order, 1)
            }));
        }
        panel(format!("{element}"), lines)
    });
    let of_tuples = ELEMENTS.map(|element| {
        let mut lines = vec![line("sam".into(), Role::Data, element, SAM, 1, 1)];
        for name in [SAM, SINGLE_PASS] {
            lines.extend(TUPLES.map(|(tuple, _)| {
                line(format!("{name}, {tuple}-tuples"), Role::Data, element, name, 1, tuple)
            }));
        }
        panel(format!("{element}"), lines)
    });
    vec![
        Figure {
            title: "Throughput of sums".into(),
            description: "Items a second against n, for 32 and 64 bit, with a copy as the limit.".into(),
            panels: conventional.into(),
        },
        Figure {
            title: "Throughput at orders 1, 2, 5 and 8".into(),
            description: "Items a second against n, for SAM and for iterated scans in one pass.".into(),
            panels: of_orders.into(),
        },
        Figure {
            title: "Throughput of tuples of 1, 2, 5 and 8".into(),
            description: "Items a second against n, for SAM and for scans of tuple-typed elements.".into(),
            panels: of_tuples.into(),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_values_are_those_of_their_own_lengths() {
        let value =
            |tables, element, shape, log2| in_the_tables(tables, element, shape, log2).map(judge::times);
        let (u32, u64) = (ElementType::U32, ElementType::U64);
        assert_eq!(value(OF_ORDERS, u32, 0, 18).as_deref(), Some("1.28x"));
        assert_eq!(value(OF_ORDERS, u32, 2, 18).as_deref(), Some("1.95x"));
        assert_eq!(value(OF_ORDERS, u32, 2, 14), None, "one digit tells nothing");
        assert_eq!(value(OF_ORDERS, u32, 0, 26), None, "not in the list");
        // 2^17 items of two words.
        assert_eq!(value(OF_TUPLES, u64, 2, 18).as_deref(), Some("2.00x"));
        // What the text says of 2^27 is what its tables say.
        for (shape, (_, text)) in ORDERS.into_iter().enumerate() {
            let table = in_the_tables(OF_ORDERS, u32, shape, ORDERS_AT).unwrap();
            assert!((table - text).abs() < 0.025, "{table} {text}");
        }
        for (shape, (_, text)) in TUPLES.into_iter().enumerate() {
            let table = in_the_tables(OF_TUPLES, u32, shape, 27).unwrap();
            assert!((table - text).abs() < 0.06, "{table} {text}");
        }
    }
}
