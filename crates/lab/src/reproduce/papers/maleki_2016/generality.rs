//! What the paper says and does not measure, or measured on its other GPU alone: orders of tuples, other operators, the K40, energy.

use super::counted::{self, COUNTED};
use super::setup::{K40, KEY, LARGEST, SAM, SIZES, Shape};
use rasterscan::ElementType;

use crate::case::Case;
use crate::report::page::Claim;
use crate::reproduce::paper::{at, plan_of};
use crate::reproduce::rows::Lookup;
use crate::reproduce::statements::statement;

/// The claims that no device of today can judge, and why.
const NOT_HERE: [(&str, &str); 5] =
    [("k40_sums", K40), ("k40_cub", K40), ("k40_orders", K40), ("k40_tuples", K40), ("energy", ENERGY)];
const ENERGY: &str = "OpenGL tells no energy, and the paper gives none";

pub fn claims() -> Vec<Claim> {
    let not_here = |(name, reason): (&str, &str)| {
        statement(KEY, name).judge(&[("at", &at(1 << LARGEST))], [Lookup::NotOnThisDevice(reason.into())])
    };
    [words_of_both(), words_of_operators()].into_iter().chain(NOT_HERE.map(not_here)).collect()
}

/// Words that SAM's plan moves for an item.
fn words(case: &Case) -> Lookup {
    Lookup::exactly(counted::words(&plan_of(SAM, case), case))
}

/// Orders and tuples at the same time, in whole tuples.
fn words_of_both() -> Claim {
    let claim = statement(KEY, "words_of_both");
    let point = |size: u32| {
        let case = Shape::Tuple(size).case(ElementType::U32, COUNTED[0]).order(size);
        claim.point(0, &[("size", &size)], words(&case))
    };
    claim.with_points(&[], SIZES.map(point))
}

/// Max and xor are the paper's.
fn words_of_operators() -> Claim {
    let claim = statement(KEY, "words_of_operators");
    let point = |operator: &str| {
        let case = Case::scan(1 << COUNTED[0]).with("op", operator);
        let found = case.map_or_else(|error| Lookup::NotMeasured(error.to_string()), |case| words(&case));
        claim.point(0, &[("operator", &operator)], found)
    };
    claim.with_points(&[], ["max", "xor", "mul"].map(point))
}
