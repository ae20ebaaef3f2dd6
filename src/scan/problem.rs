//! The scan as a problem: its options, its reference, the check of results, and its fastest algorithms.

use std::any::Any;

use super::reference::{sequential, verify};
use super::{CARDS, ScanKind, ScanSpec};
use crate::algorithm::results::{Mismatch, Results, Verified, single};
use crate::algorithm::{Arguments, Domain, NumberRange, Parameter, Tried};
use crate::algorithm::{Given, Problem, Request, Spec};
use crate::device::Device;
use crate::each;
use crate::error::Error;
use crate::limits::{MAX_ORDER, MAX_TUPLE, SpecError};
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::plan::{Cost, ItemType};
use crate::tuning::Shape;

/// Prefix sums.
pub static PROBLEM: Problem = Problem {
    name: "scan",
    noun: "scan",
    summary: "Scan numbers: prefix sums, or another associative operator",
    pictures: "luma, row by row; with --channels every channel",
    examples: "\
Examples:
  rasterscan scan photo.jpg -o sums.npy
  seq 1 10 | rasterscan scan - --exclusive
  rasterscan scan random:n=1000000 -a hybrid:reduce=8 --json
  rasterscan scan random:n=2^20 -a sam --order 2 -v -o sums.npy
  rasterscan scan numbers.csv --op max -a all -o highest.csv",
    options: &[
        OPERATOR,
        Parameter {
            name: "exclusive",
            about: "Exclude each value from its own result",
            default: "",
            tried: Tried::NOTHING,
            domain: Domain::FLAG,
        },
        ORDER,
        TUPLE,
        Parameter {
            name: "channels",
            about: "Keep an image's channels interleaved and scan each on its own (sets --tuple)",
            default: "",
            tried: Tried::NOTHING,
            domain: Domain::FLAG,
        },
    ],
    conflicts: &[("tuple", "channels")],
    cards: CARDS,
    request,
    fastest,
    rivals: &["packed", "hybrid", "look_back", "sam", "reduce_then_scan"],
    shapes: &[Shape::PLAIN, Shape::HIGHER_ORDER, Shape::TUPLES, Shape::BOTH],
    #[cfg(feature = "recordings")]
    read: Request::read::<ScanSpec>,
};

/// The option of problems that combine items.
pub(crate) const OPERATOR: Parameter = Parameter {
    name: "op",
    about: "The operator; affine takes pairs a, b",
    default: "add",
    tried: Tried::NOTHING,
    domain: Domain::words(&Operator::NAMES),
};

const ORDER: Parameter = Parameter {
    name: "order",
    about: "Repeat the scan this many times",
    default: "1",
    tried: Tried::NOTHING,
    domain: Domain::numbers(NumberRange { min: 1, max: MAX_ORDER, powers_of_two: false }, &[]),
};

/// The option of problems that take interleaved streams.
pub(crate) const TUPLE: Parameter = Parameter {
    name: "tuple",
    about: "Treat the stream as this many interleaved ones",
    default: "1",
    tried: Tried::NOTHING,
    domain: Domain::numbers(NumberRange { min: 1, max: MAX_TUPLE, powers_of_two: false }, &[]),
};

/// The operator in these options, and the number of items in the stream.
pub(crate) fn items(arguments: &Arguments, given: Given) -> Result<(Operator, u64), SpecError> {
    let name = arguments.word("op").unwrap_or("add");
    let operator = Operator::ALL.into_iter().find(|operator| operator.name() == name);
    let operator = operator.unwrap_or(Operator::ADD);
    let arity = u64::from(operator.arity());
    if !given.len.is_multiple_of(arity) {
        return Err(SpecError::NoPairs { operator, len: given.len });
    }
    Ok((operator, given.len / arity))
}

fn request(arguments: &Arguments, given: Given) -> Result<Request, Error> {
    let (operator, len) = items(arguments, given)?;
    let channels = arguments.flag("channels").then_some(given.channels);
    let kind = if arguments.flag("exclusive") { ScanKind::Exclusive } else { ScanKind::Inclusive };
    let spec = ScanSpec {
        len,
        element: given.element,
        operator,
        kind,
        order: arguments.number("order").unwrap_or(1),
        tuple: channels.or(arguments.number("tuple")).unwrap_or(1),
    };
    spec.check()?;
    Ok(Request::new(spec))
}

/// From measurements on an H200 and on llvmpipe:
///
/// - With compute shaders on hardware: `look_back`, and for scans of higher order `sam`; `sam` also for tuples of 4 (1.1
///   to 1.25 times as fast from 2^22 items on) and 8 (1.7 to 2.4 times from 2^20 on), but not of 2 or 3.
/// - Without compute shaders: `packed`, at every length. But if members of a tuple lie across its texels it fetches
///   twice as often, and `hybrid` is as fast (llvmpipe) or up to 2.5 times as fast (H200).
/// - With compute shaders on a CPU: `packed` too, since copying a buffer takes as long there as scanning packed texels.
///   But `reduce_then_scan` does tuples in 0.5 to 1.0 of the time, and from order 4 on `sam` does the others in 0.6 to
///   0.9 of it (2^20 and 2^22 u32).
fn fastest(spec: &dyn Spec, device: &Device) -> &'static [&'static str] {
    let Some(spec) = (spec as &dyn Any).downcast_ref::<ScanSpec>() else { return &[] };
    match (device.compute.is_some(), device.software) {
        (true, false) if spec.order > 1 => &["sam", "look_back", "packed"],
        (true, false) if spec.len >= 1 << 20 && [4, 8].contains(&spec.tuple) => {
            &["sam", "look_back", "packed"]
        }
        (true, false) => &["look_back", "packed"],
        (true, true) if spec.tuple > 1 => &["reduce_then_scan", "packed"],
        (true, true) if spec.order >= 4 => &["sam", "packed"],
        _ if in_whole_texels(spec) => &["packed", "hybrid"],
        _ => &["hybrid", "packed"],
    }
}

/// Returns true if no tuple lies across the texels of the packed scan.
fn in_whole_texels(spec: &ScanSpec) -> bool {
    spec.tuple == 1 || spec.tuple.is_multiple_of(4 / spec.item_words())
}

impl Spec for ScanSpec {
    fn problem(&self) -> &'static Problem {
        &PROBLEM
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn item(&self) -> ItemType {
        ItemType { element: self.element, operator: self.operator.clone() }
    }

    fn check(&self) -> Result<(), SpecError> {
        ScanSpec::check(self)
    }

    fn shape(&self) -> Shape {
        Shape::new(self.order, self.tuple)
    }

    fn solve(&self, inputs: &[&Numbers]) -> Result<Results, Error> {
        each!(inputs[0], input => Ok(single(self, sequential(self, input)?)))
    }

    fn cost(&self) -> Cost {
        let order = u64::from(self.order);
        let words = self.words() * order;
        let adds = self.len.saturating_sub(u64::from(self.tuple)) * order;
        Cost { words_read: words, words_written: words, adds, ..Cost::default() }
    }

    fn verify(
        &self,
        inputs: &[&Numbers],
        depth: Option<u64>,
        results: &Results,
    ) -> Result<Verified, Mismatch> {
        let depth = depth.map_or(self.len, |depth| depth / u64::from(self.order));
        each!(inputs[0], input => {
            let got = results.first().and_then(|got| got.get().ok()).unwrap_or_default();
            verify(self, depth, input, got)
        })
    }

    fn arguments(&self) -> Arguments {
        let exclusive = self.kind == ScanKind::Exclusive;
        Arguments::NONE
            .with(&OPERATOR, self.operator.name())
            .with_flag("exclusive", exclusive)
            .with(&ORDER, self.order)
            .with(&TUPLE, self.tuple)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("op", self.operator.to_string()),
            ("kind", self.kind.name().into()),
            ("order", self.order.to_string()),
            ("tuple", self.tuple.to_string()),
        ]
    }

    fn equals(&self, other: &dyn Spec) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    #[cfg(feature = "recordings")]
    fn to_json(&self) -> Result<serde_json::Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}
