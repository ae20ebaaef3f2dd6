//! What the paper says and does not measure, or measured on its other GPU alone: orders of tuples, other operators, the K40, energy.

use super::counted::{self, COUNTED};
use super::setup::{KEY, LARGEST, SAM, SIZES, Shape};
use rasterscan::ElementType;

use crate::case::Case;
use crate::report::page::Claim;
use crate::reproduce::paper::at;
use crate::reproduce::rows::{Lookup, PaperRows};
use crate::reproduce::statements::statement;

/// The claims on the K40 alone.
const K40: [&str; 4] = ["k40_sums", "k40_cub", "k40_orders", "k40_tuples"];
const ENERGY: &str = "OpenGL tells no energy, and the paper gives none";

pub fn claims(rows: &PaperRows<'_>) -> Vec<Claim> {
    let at = at(1 << LARGEST);
    let without = |name, found| statement(KEY, name).judge(&[("at", &at)], [found]);
    let k40 = K40.map(|name| without(name, Lookup::NotMeasured(String::new())));
    let energy = without("energy", Lookup::NotOnThisDevice(ENERGY.into()));
    [words_of_both(rows), words_of_operators(rows)].into_iter().chain(k40).chain([energy]).collect()
}

/// Words that SAM's plan moves for an item.
fn words(rows: &PaperRows<'_>, case: &Case) -> Lookup {
    rows.counted(SAM, case, |plan| counted::words(plan, case))
}

/// Orders and tuples at the same time, in whole tuples.
fn words_of_both(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "words_of_both");
    let point = |size: u32| {
        let case = Shape::Tuple(size).case(ElementType::U32, COUNTED[0]).order(size);
        claim.point(0, &[("size", &size)], words(rows, &case))
    };
    claim.with_points(&[("device", &rows.counted_on())], SIZES.map(point))
}

/// Max and xor are the paper's.
fn words_of_operators(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "words_of_operators");
    let point = |operator: &str| {
        let case = Case::scan(1 << COUNTED[0]).with("op", operator);
        let found =
            case.map_or_else(|error| Lookup::NotMeasured(error.to_string()), |case| words(rows, &case));
        claim.point(0, &[("operator", &operator)], found)
    };
    claim.with_points(&[("device", &rows.counted_on())], ["max", "xor", "mul"].map(point))
}
