//! Claims on higher orders and tuples: sections 6.3 and 6.4.

use rasterscan::ElementType;

use super::setup::{APPENDIX, ELEMENTS, LARGEST, LOOK_BACK, SAM, SIZES, Shape, crossing_of, size, titan};
use super::sums::ahead;
use super::tables;
use crate::case::Case;
use crate::report::page::Claim;
use crate::reproduce::judge::{Point, Rule, claim, times};
use crate::reproduce::paper::at;
use crate::reproduce::rows::{Found, Rows};

const U32: ElementType = ElementType::U32;
const U64: ElementType = ElementType::U64;
/// The longest of the lengths that a quick run has as well, as a power of two.
const MIDDLE: u32 = 22;

/// The paper's factors at orders 2, 5 and 8, and at tuples of 2, 5 and 8.
const ORDERS: [f64; 3] = [1.52, 1.78, 1.87];
/// Of table A.9 at the largest length; section 6.4 has 0.83, 1.2 and 1.34 for "large inputs".
const TUPLES: [f64; 3] = [0.84, 1.15, 1.33];

/// The claims on generalized sums, in the order of the paper.
pub fn claims(rows: &Rows<'_>) -> Vec<Claim> {
    vec![
        orders(rows),
        most_orders(rows),
        growing(
            rows,
            "SAM's advantage over CUB increases with the order.",
            "Section 6.3",
            Shape::Order,
            ORDERS,
        ),
        titan_x(rows),
        first_order(rows),
        tuples(rows),
        most_tuples(rows),
        growing(
            rows,
            "SAM's throughput decreases more slowly with the size of tuples than CUB's.",
            "Section 6.4",
            Shape::Tuple,
            TUPLES,
        ),
        first_tuple(rows),
        same_for_64_bits(rows),
    ]
}

fn speed(rows: &Rows<'_>, case: &Case) -> Option<f64> {
    rows.factor(LOOK_BACK, SAM, case)
}

/// A point for each size at the largest length, where the paper gives a factor.
fn points(rows: &Rows<'_>, shape: fn(u32) -> Shape, factors: [f64; 3]) -> Vec<Point> {
    let point = |(size, paper)| {
        let shape = shape(size);
        let what = format!("{}, {}", shape.text(), at(1 << LARGEST));
        Point::factor(rows, what, paper, [LOOK_BACK, SAM], &shape.case(U32, LARGEST))
    };
    SIZES.into_iter().zip(factors).map(point).collect()
}

fn orders(rows: &Rows<'_>) -> Claim {
    claim(
        "Against a first-order scan in one pass, iterated: 1.52, 1.78 and 1.87 times as fast at orders 2, 5 \
         and 8, for 2^27 items.",
        "Section 6.3",
        points(rows, Shape::Order, ORDERS),
        "",
    )
}

fn tuples(rows: &Rows<'_>) -> Claim {
    claim(
        "Against a scan in one pass of a tuple-typed element: 0.83, 1.2 and 1.34 times as fast at tuples of \
         2, 5 and 8, on large inputs.",
        "Section 6.4, table A.9",
        points(rows, Shape::Tuple, TUPLES),
        "The numbers beside ours are those of table A.9 at 2^27 items.",
    )
}

/// The greatest speed of SAM over the lengths and elements that are measured for a shape. Without the largest
/// there is none: the paper's greatest is over these, too.
fn most(rows: &Rows<'_>, shape: Shape) -> Found {
    let lengths =
        |element| if element == U32 { &[14, 18, MIDDLE, LARGEST] as &[u32] } else { &[14, 18, MIDDLE] };
    let of = |element| lengths(element).iter().map(move |log2| shape.case(element, *log2));
    let cases: Vec<Case> = ELEMENTS.into_iter().flat_map(of).collect();
    rows.greatest_factor(LOOK_BACK, SAM, &cases)
}

fn most_orders(rows: &Rows<'_>) -> Claim {
    let found = most(rows, Shape::Order(8));
    let what = "the greatest, over all lengths and both elements";
    claim(
        "At order 8, SAM is up to 2.9 times as fast.",
        "Abstract, section 1.6",
        vec![Point::new(what, Some(2.9), Rule::factor(2.9), found, times)],
        &in_its_tables(Shape::Order(8)),
    )
}

fn most_tuples(rows: &Rows<'_>) -> Claim {
    let found = most(rows, Shape::Tuple(8));
    let what = "the greatest, over all lengths and both elements";
    claim(
        "On 8-tuples, SAM is up to 2.6 times as fast.",
        "Abstract, section 1.6",
        vec![Point::new(what, Some(2.6), Rule::factor(2.6), found, times)],
        &in_its_tables(Shape::Tuple(8)),
    )
}

fn in_its_tables(shape: Shape) -> String {
    let most = tables::greatest_in_print(shape).map_or_else(String::new, |greatest| times(greatest.speed));
    format!("The paper's own tables have at most {most} where CUB reaches 10\u{2079} items a second.")
}

/// The speed at one size over that at the size before, at the largest length.
fn growing(rows: &Rows<'_>, text: &str, source: &str, shape: fn(u32) -> Shape, factors: [f64; 3]) -> Claim {
    let point = |number: usize| {
        let [before, after] = [number - 1, number].map(|number| shape(SIZES[number]));
        let found = rows.estimate(|rows| {
            let [before, after] = [before, after].map(|shape| speed(rows, &shape.case(U32, LARGEST)));
            Some(after? / before?)
        });
        let what = format!("speed at {} over that at {}, {}", after.text(), before.text(), at(1 << LARGEST));
        Point::new(what, Some(factors[number] / factors[number - 1]), ahead(), found, times)
    };
    claim(text, source, vec![point(1), point(2)], "The speed is that of SAM relative to look_back.")
}

/// From 2^18 on: on shorter streams, table A.5 has CUB ahead at order 2.
fn titan_x(rows: &Rows<'_>) -> Claim {
    let mut points = Vec::new();
    for log2 in [18, MIDDLE, LARGEST] {
        for shape in SIZES.map(Shape::Order) {
            let found = rows.estimate(|rows| speed(rows, &shape.case(U32, log2)));
            let what = format!("{}, {}", shape.text(), at(1 << log2));
            points.push(Point::new(what, titan(U32).speed("CUB", shape, log2), Rule::more(), found, times));
        }
    }
    claim(
        "On the Titan X, SAM is faster than CUB at every higher order.",
        "Sections 1.6 and 6.3, table A.5",
        points,
        "On shorter streams, table A.5 has CUB ahead at order 2.",
    )
}

/// The size from which on SAM is ahead, between the sizes 1, 2, 5 and 8 at the largest length. The paper's
/// own crossovers are between 2 and 8.
fn first(rows: &Rows<'_>, shape: fn(u32) -> Shape) -> Point {
    let sizes = [1, SIZES[0], SIZES[1], SIZES[2]];
    let found = crossing_of(rows, &sizes, |rows, size| speed(rows, &shape(size).case(U32, LARGEST)));
    let what = format!("SAM is ahead from, {}", at(1 << LARGEST));
    Point::new(what, Some(5.0), Rule::near(5.0, 1.5, 2.5), found, size).says("about 5")
}

const K40: &str = "the sentence is on one GPU, the K40, where its Titan X differs";

fn first_order(rows: &Rows<'_>) -> Claim {
    claim(
        "On the K40, SAM is faster than CUB only above about order five.",
        "Section 1.6",
        vec![first(rows, Shape::Order).not_on_this_device(K40)],
        "On the Titan X, the paper has SAM ahead from order 2 on.",
    )
}

fn first_tuple(rows: &Rows<'_>) -> Claim {
    claim(
        "SAM is faster than CUB from tuples of about five elements on.",
        "Sections 1.6 and 6.4",
        vec![first(rows, Shape::Tuple)],
        "",
    )
}

/// At a length at which the paper's table has the three within 3% of each other.
fn same_for_64_bits(rows: &Rows<'_>) -> Claim {
    let throughput = |rows: &Rows<'_>, case: &Case| Some(case.n() as f64 / rows.ms(SAM, case)?);
    let cases = SIZES.map(|size| Shape::Tuple(size).case(U64, MIDDLE));
    let paper = SIZES.map(|size| APPENDIX[1].throughput("SAM", Shape::Tuple(size), MIDDLE));
    let point = |number: usize| {
        let found =
            rows.estimate(|rows| Some(throughput(rows, &cases[number])? / throughput(rows, &cases[0])?));
        let paper = paper[number].zip(paper[0]).map(|(own, pairs)| own / pairs);
        let what = format!("throughput of {}-tuples over that of pairs, {}", SIZES[number], at(1 << MIDDLE));
        Point::new(what, paper, Rule::near(1.0, 1.1, 1.25), found, times)
    };
    claim(
        "With 64-bit words, SAM's throughput is nearly the same for 2, 5 and 8 words in a tuple.",
        "Section 6.4, table A.10",
        vec![point(1), point(2)],
        "",
    )
}
