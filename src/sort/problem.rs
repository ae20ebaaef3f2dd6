//! The sort as a problem: its options, its reference, the check of results, and its fastest algorithms.

use std::any::Any;

use super::{CARDS, SortSpec, sequential, verify};
use crate::algorithm::results::{Mismatch, Results, Verified};
use crate::algorithm::{Arguments, Candidates, CustomSyntax, Domain, Parameter};
use crate::algorithm::{Input, InputInfo, Output, Problem, Request, Spec};
use crate::compact::Moves;
use crate::device::Device;
use crate::each;
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::SpecError;
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::plan::{Cost, ItemType};
use crate::tuning::Shape;
use crate::tuning::table;

/// Sorting.
pub static PROBLEM: Problem = Problem {
    name: "sort",
    noun: "sort",
    summary: "Sort numbers, or find the order that sorts them",
    pictures: "luma, row by row",
    examples: "\
Equal keys stay in their order. Floats go from -nan, -inf and negative numbers
over -0.0 and 0.0 to positive ones, inf and nan.

Examples:
  rasterscan sort values:3,1,7,0
  rasterscan sort photo.jpg --descending -o sorted.npy
  rasterscan sort numbers.npy --moves indices -o order.npy
  rasterscan sort random:n=2^20 --bits 8..24 -v",
    options: &[DESCENDING, MOVES, BITS],
    conflicts: &[],
    whole: |_| 1,
    cards: CARDS,
    request,
    fastest,
    rivals: &["radix"],
    shapes: &[Shape::PLAIN],
    #[cfg(feature = "recordings")]
    read: Request::read::<SortSpec>,
};

const DESCENDING: Parameter = Parameter {
    name: "descending",
    about: "Put the highest key first",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::FLAG,
};

const MOVES: Parameter = Parameter {
    name: "moves",
    about: "The results: the sorted values, the index (counted from 0) that each had, or both",
    default: "values",
    candidates: Candidates::NONE,
    domain: Domain::words(&["values", "indices", "both"]),
};

const BITS: Parameter = Parameter {
    name: "bits",
    about: "Compare only these bits, from the lowest, 0, on: 8..24; or so many of the highest: 16",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::custom(CustomSyntax::Text {
        reads: |text| bits(text, 64).is_some(),
        title: "Bits",
        expected: "a number of bits, or two with .. between them",
        examples: &["16", "8..24"],
    }),
};

/// The bits of a key of `all` that a text names.
fn bits(text: &str, all: u32) -> Option<[u32; 2]> {
    let number = |text: &str| text.parse::<u32>().ok();
    match text.split_once("..") {
        Some((low, high)) => Some([number(low)?, number(high)?]),
        None => Some([all.checked_sub(number(text)?)?, all]),
    }
}

fn request(arguments: &Arguments, given: InputInfo) -> Result<Request, Error> {
    let moves = arguments.variant("moves", &[Moves::Values, Moves::Indices, Moves::Both], Moves::name);
    let spec = SortSpec::of(given.element, given.len).moves(moves.unwrap_or(Moves::Values));
    let spec = SortSpec { descending: arguments.flag("descending"), ..spec };
    let spec = match arguments.word("bits") {
        Some(text) => {
            let all = 32 * given.element.words();
            SortSpec { bits: bits(text, all).unwrap_or([all, 0]), ..spec }
        }
        None => spec,
    };
    spec.check()?;
    Ok(Request::new(spec))
}

fn fastest(_: &dyn Spec, device: &Device) -> &'static [&'static str] {
    table::fastest(&table::SORTS, &device.traits())
}

impl Spec for SortSpec {
    fn problem(&self) -> &'static Problem {
        &PROBLEM
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn item(&self) -> ItemType {
        ItemType { element: self.element, operator: Operator::MAX }
    }

    fn inputs(&self) -> Vec<Input> {
        let keys = Input::items("input", self.element, 1, self.len);
        [Some(keys), self.has_payload.then(|| Input::words("payload", self.len, 4))]
            .into_iter()
            .flatten()
            .collect()
    }

    fn outputs(&self) -> Vec<Output> {
        let output = |name, one, element| Output { name, one, element, counted: false };
        let values = self.moves.values().then(|| output("values", "value", self.element));
        let indices = self.moves.indices().then(|| output("indices", "index", ElementType::U32));
        let payload = self.has_payload.then(|| output("payload", "payload", ElementType::U32));
        [values, indices, payload].into_iter().flatten().collect()
    }

    fn check(&self) -> Result<(), SpecError> {
        SortSpec::check(self)
    }

    fn solve(&self, inputs: &[&Numbers]) -> Result<Results, Error> {
        each!(inputs[0], keys => {
            let order = sequential(self, keys)?;
            let moved: Vec<_> = order.iter().map(|index| keys[*index as usize]).collect();
            let payload = match inputs.get(1) {
                Some(payload) => {
                    let payload = payload.get::<u32>()?;
                    Some(order.iter().map(|index| payload[*index as usize]).collect::<Vec<_>>().into())
                }
                None => None,
            };
            let values = self.moves.values().then(|| moved.into());
            let indices = self.moves.indices().then(|| order.into());
            let results = [values, indices, payload].into_iter().flatten();
            Ok(Results::new(self.outputs().into_iter().zip(results)))
        })
    }

    fn cost(&self) -> Cost {
        let words = u64::from(self.element.words());
        let payload = u64::from(self.has_payload);
        let written = words * u64::from(self.moves.values()) + u64::from(self.moves.indices()) + payload;
        Cost {
            words_read: self.len * (words + payload),
            words_written: self.len * written,
            ..Cost::default()
        }
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn verify(&self, inputs: &[&Numbers], _: Option<u64>, results: &Results) -> Result<Verified, Mismatch> {
        each!(inputs[0], keys => {
            let order = sequential(self, keys)
                .map_err(|error| Mismatch::exact("value", 0, error.to_string(), "a result".into()))?;
            let mut compared = 0;
            if self.moves.values() {
                let got = results.get("values").and_then(|got| got.get().ok()).unwrap_or_default();
                compared += verify(&order, keys, got, "value")?;
            }
            if self.moves.indices() {
                let own: Vec<u32> = (0..keys.len() as u32).collect();
                let got = results.get("indices").and_then(|got| got.get().ok()).unwrap_or_default();
                compared += verify(&order, &own, got, "index")?;
            }
            if let Some(payload) = inputs.get(1) {
                let got = results.get("payload").and_then(|got| got.get().ok()).unwrap_or_default();
                compared += verify(&order, payload.get::<u32>().unwrap_or_default(), got, "payload")?;
            }
            Ok(Verified { compared, unbounded: 0 })
        })
    }

    fn arguments(&self) -> Arguments {
        let arguments = Arguments::NONE.with(&MOVES, self.moves.name());
        let [low, high] = self.bits;
        let arguments = match high - low == 32 * self.element.words() {
            true => arguments,
            false => arguments.with(&BITS, format!("{low}..{high}")),
        };
        match self.descending {
            true => arguments.with(&DESCENDING, ""),
            false => arguments,
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let [low, high] = self.bits;
        vec![
            ("moves", self.moves.name().into()),
            ("descending", self.descending.to_string()),
            ("bits", format!("{low}..{high}")),
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
