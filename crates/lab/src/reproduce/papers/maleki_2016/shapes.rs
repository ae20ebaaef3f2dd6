//! Claims on higher orders and tuples: sections 6.3 and 6.4.

use rasterscan::ElementType;

use super::setup::{
    APPENDIX, AUTHORS, CUB, ELEMENTS, KEY, LARGEST, LOOK_BACK, SAM, SIZES, Shape, crossing_of, titan,
};
use super::sums::stated;
use super::tables;
use crate::case::Case;
use crate::report::page::Claim;
use crate::reproduce::paper::at;
use crate::reproduce::rows::{Lookup, PaperRows};
use crate::reproduce::statements::statement;
use crate::reproduce::unit::times;

const U32: ElementType = ElementType::U32;
const U64: ElementType = ElementType::U64;
/// The longest of the lengths that a quick run has as well, as a power of two.
const MIDDLE: u32 = 22;

/// The paper's factors at orders 2, 5 and 8, and at tuples of 2, 5 and 8.
const ORDERS: [f64; 3] = [1.52, 1.78, 1.87];
/// Of table A.9 at the largest length; section 6.4 has 0.83, 1.2 and 1.34 for "large inputs".
const TUPLES: [f64; 3] = [0.84, 1.15, 1.33];

/// The claims on generalized sums, in the order of the paper.
pub fn claims(rows: &PaperRows<'_>) -> Vec<Claim> {
    vec![
        factors(rows, "orders", [LOOK_BACK, SAM], Shape::Order, ORDERS),
        most(rows, "most_orders", Shape::Order(8)),
        growing(rows, "growing_orders", Shape::Order, ORDERS),
        titan_x(rows),
        statement(KEY, "first_order")
            .judge(&[("at", &at(1 << LARGEST))], [Lookup::NotMeasured(String::new())]),
        factors(rows, "tuples", [LOOK_BACK, SAM], Shape::Tuple, TUPLES),
        most(rows, "most_tuples", Shape::Tuple(8)),
        growing(rows, "growing_tuples", Shape::Tuple, TUPLES),
        first_tuple(rows),
        same_for_64_bits(rows),
    ]
}

/// The factors beside CUB itself, by our SAM and by the authors'.
pub fn of_libraries(rows: &PaperRows<'_>) -> Vec<Claim> {
    vec![
        factors(rows, "orders_itself", [CUB, SAM], Shape::Order, ORDERS),
        factors(rows, "authors_orders", [CUB, AUTHORS], Shape::Order, ORDERS),
        factors(rows, "tuples_itself", [CUB, SAM], Shape::Tuple, TUPLES),
    ]
}

fn speed(rows: &PaperRows<'_>, case: &Case) -> Option<f64> {
    rows.factor(LOOK_BACK, SAM, case)
}

/// A point for each size at the largest length, where the paper gives a factor.
fn factors(
    rows: &PaperRows<'_>,
    name: &str,
    sides: [&str; 2],
    shape: fn(u32) -> Shape,
    factors: [f64; 3],
) -> Claim {
    let claim = statement(KEY, name);
    let point = |(size, paper): (u32, f64)| {
        let shape = shape(size);
        let found = rows.speed(sides, &shape.case(U32, LARGEST));
        claim.point(0, &[("shape", &shape.text()), ("at", &at(1 << LARGEST)), ("paper", &paper)], found)
    };
    claim.with_points(&[], SIZES.into_iter().zip(factors).map(point))
}

/// The greatest speed of SAM over the lengths and elements that are measured for a shape. Without the largest
/// there is none: the paper's greatest is over these, too.
fn most(rows: &PaperRows<'_>, name: &str, shape: Shape) -> Claim {
    let lengths =
        |element| if element == U32 { &[14, 18, MIDDLE, LARGEST] as &[u32] } else { &[14, 18, MIDDLE] };
    let of = |element| lengths(element).iter().map(move |log2| shape.case(element, *log2));
    let cases: Vec<Case> = ELEMENTS.into_iter().flat_map(of).collect();
    let most = tables::greatest_in_print(shape).map_or_else(String::new, |greatest| times(greatest.speed));
    statement(KEY, name).judge(&[("most", &most)], [rows.greatest_factor(LOOK_BACK, SAM, &cases)])
}

/// The speed at one size over that at the size before, at the largest length.
fn growing(rows: &PaperRows<'_>, name: &str, shape: fn(u32) -> Shape, factors: [f64; 3]) -> Claim {
    let claim = statement(KEY, name);
    let point = |number: usize| {
        let [before, after] = [number - 1, number].map(|number| shape(SIZES[number]));
        let found = rows.estimate(|rows| {
            let [before, after] = [before, after].map(|shape| speed(rows, &shape.case(U32, LARGEST)));
            Some(after? / before?)
        });
        let (before, after, at) = (before.text(), after.text(), at(1 << LARGEST));
        let paper = factors[number] / factors[number - 1];
        claim.point(0, &[("before", &before), ("after", &after), ("at", &at), ("paper", &paper)], found)
    };
    claim.with_points(&[], [1, 2].map(point))
}

/// From 2^18 on: on shorter streams, table A.5 has CUB ahead at order 2.
fn titan_x(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "titan_x");
    let mut points = Vec::new();
    for log2 in [18, MIDDLE, LARGEST] {
        for shape in SIZES.map(Shape::Order) {
            let paper = stated(titan(U32).speed("CUB", shape, log2));
            let found = rows.speed([LOOK_BACK, SAM], &shape.case(U32, log2));
            let (shape, at) = (shape.text(), at(1 << log2));
            points.push(claim.point(0, &[("shape", &shape), ("at", &at), ("paper", &paper)], found));
        }
    }
    claim.with_points(&[], points)
}

/// The size from which on SAM is ahead, between the sizes 1, 2, 5 and 8 at the largest length. The paper's
/// own crossovers are between 2 and 8.
fn first_tuple(rows: &PaperRows<'_>) -> Claim {
    let sizes = [1, SIZES[0], SIZES[1], SIZES[2]];
    let found = crossing_of(rows, &sizes, |rows, size| speed(rows, &Shape::Tuple(size).case(U32, LARGEST)));
    statement(KEY, "first_tuple").judge(&[("at", &at(1 << LARGEST))], [found])
}

/// At a length at which the paper's table has the three within 3% of each other.
fn same_for_64_bits(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "same_for_64_bits");
    let throughput = |rows: &PaperRows<'_>, case: &Case| Some(case.n() as f64 / rows.ms(SAM, case)?);
    let cases = SIZES.map(|size| Shape::Tuple(size).case(U64, MIDDLE));
    let paper = SIZES.map(|size| APPENDIX[1].throughput("SAM", Shape::Tuple(size), MIDDLE));
    let point = |number: usize| {
        let found =
            rows.estimate(|rows| Some(throughput(rows, &cases[number])? / throughput(rows, &cases[0])?));
        let paper = stated(paper[number].zip(paper[0]).map(|(own, pairs)| own / pairs));
        let (size, at) = (SIZES[number], at(1 << MIDDLE));
        claim.point(0, &[("size", &size), ("at", &at), ("paper", &paper)], found)
    };
    claim.with_points(&[], [1, 2].map(point))
}
