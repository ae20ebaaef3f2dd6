//! The sort as a problem: its options, its reference, the check of results, and its fastest algorithms.

use std::any::Any;

use super::{CARDS, SortSpec, option_passes, sequential_with, verify};
use crate::algorithm::results::{Mismatch, Results, Verified, same};
use crate::algorithm::{Algorithm, Arguments, Candidates, CustomSyntax, Domain, Parameter, SideInput};
use crate::algorithm::{Input, InputInfo, Output, Placement, Problem, Request, Spec};
use crate::compact::Moves;
use crate::device::Device;
use crate::each;
use crate::element::{Element, ElementType};
use crate::error::Error;
use crate::limits::{MAX_PAYLOADS, SpecError};
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::plan::{Cost, ItemType, Plan, Slot};
use crate::scan::Segments;
use crate::scan::problem::{OFFSETS, PARTS, ROWS, SEGMENTS, whole};
use crate::tuning::Shape;
use crate::tuning::table::{self, Traits};

/// Sorting.
pub static PROBLEM: Problem = Problem {
    name: "sort",
    noun: "sort",
    summary: "Sort numbers, or find the order that sorts them",
    pictures: "luma, row by row",
    examples: "\
Equal keys stay in their order, with --descending, too. Floats go in the total
order of IEEE 754: -nan, -inf, negative numbers, -0.0, 0.0, positive numbers,
inf, nan. So a NaN goes by its sign, and 0/0 is -nan on x86; numpy puts every
NaN last, and sees no difference between zeros.

--bits counts the bits of an unsigned number that sorts the same way: of i32
and i64 the sign bit is flipped, of negative f32 all bits. --bits 16 sorts f32
by sign, exponent and 7 bits of the fraction.

Examples:
  rasterscan sort values:3,1,7,0
  rasterscan sort photo.jpg --descending -o sorted.npy
  rasterscan sort numbers.npy --moves indices -o order.npy
  rasterscan sort random:n=2^20 --bits 8..24 -v",
    options: &[DESCENDING, MOVES, BITS, ROWS, SEGMENTS, OFFSETS, PAYLOAD],
    alternatives: &[PARTS],
    whole,
    cards: CARDS,
    request,
    fastest,
    rivals: &["onesweep", "three_pass", "radix", "bitonic"],
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
    domain: Domain::words(Moves::WORDS),
};

const BITS: Parameter = Parameter {
    name: "bits",
    about: "Compare only some bits: a range, counted from the lowest (8..24 is bits 8 to 23), or a number of the highest (16)",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::custom(CustomSyntax::Text {
        reads: |text| bits(text, 64).is_some(),
        title: "Bits",
        expected: "a number of bits, or two with .. between them",
        examples: &["16", "8..24"],
    }),
};

const PAYLOAD: Parameter = Parameter {
    name: "payload",
    about: "Move these numbers with the keys: one u32 for each",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::custom(CustomSyntax::Stream(SideInput::Payload)),
};

/// The bits of a key of `all` that a text names.
fn bits(text: &str, all: u32) -> Option<[u32; 2]> {
    let number = |text: &str| text.parse::<u32>().ok();
    match text.split_once("..") {
        Some((low, high)) => Some([number(low)?, number(high)?]),
        None => Some([all.checked_sub(number(text).filter(|bits| *bits > 0)?)?, all]),
    }
}

fn request(arguments: &Arguments, given: InputInfo) -> Result<Request, Error> {
    let moves = arguments.variant("moves", &Moves::ALL, Moves::name);
    let spec = SortSpec::of(given.element, given.len).moves(moves.unwrap_or(Moves::Values));
    let spec = SortSpec {
        descending: arguments.flag("descending"),
        payloads: arguments.stream("payload").is_some().into(),
        row: arguments.number("rows").map(u64::from),
        segments: Segments::of(arguments, given),
        ..spec
    };
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

fn fastest(spec: &dyn Spec, device: &Device) -> &'static [&'static str] {
    table::fastest(&table::SORTS, &Traits { len: spec.len(), ..device.traits() })
}

/// The names of payloads, as inputs and as outputs.
const PAYLOADS: [&str; MAX_PAYLOADS as usize] = ["payload", "payload_2", "payload_3"];

impl SortSpec {
    fn payload_names(&self) -> &'static [&'static str] {
        &PAYLOADS[..self.payloads as usize]
    }

    /// The payloads among the inputs.
    fn payloads_of<'a>(&self, inputs: &[&'a Numbers]) -> Vec<&'a Numbers> {
        let first = 1 + usize::from(self.segments != Segments::None);
        inputs[first..first + self.payloads as usize].to_vec()
    }

    /// The order in which the keys that count come out.
    fn order<T: Element>(&self, inputs: &[&Numbers], keys: &[T]) -> Result<Vec<u32>, Error> {
        let len = Input::valid(self.has_gpu_length, inputs, self.len).unwrap_or(self.len);
        let spec = SortSpec { len, has_gpu_length: false, ..*self };
        sequential_with(&spec, &keys[..len as usize], &self.segments.of_inputs(inputs)?)
    }
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
        let length = self.has_gpu_length.then(Input::length);
        let payloads =
            self.payload_names().iter().map(|name| Input::items(name, ElementType::U32, 1, self.len));
        [Some(keys), self.segments.input(self.len)]
            .into_iter()
            .flatten()
            .chain(payloads)
            .chain(length)
            .collect()
    }

    fn outputs(&self) -> Vec<Output> {
        let output = |name, one, element| Output { name, one, element, arity: 1, counted: false };
        let values = self.moves.values().then(|| output("values", "value", self.element));
        let indices = self.moves.indices().then(|| output("indices", "index", ElementType::U32));
        let payloads =
            self.payload_names().iter().map(|name| output(name, "payload value", ElementType::U32));
        [values, indices].into_iter().flatten().chain(payloads).collect()
    }

    fn check_inputs(&self, inputs: &[&Numbers]) -> Result<(), Error> {
        self.segments.check(self.len, inputs)
    }

    fn valid(&self, _: &Output, inputs: &[&Numbers]) -> Option<u64> {
        Input::valid(self.has_gpu_length, inputs, self.len)
    }

    fn placements<A: Algorithm<Self> + ?Sized>(
        &self,
        algorithm: &A,
        device: &Device,
    ) -> Result<Vec<Placement>, Error> {
        let plain = SortSpec::of(ElementType::U32, self.len);
        Ok(option_passes::placements(self, algorithm.placement(&plain, device)?))
    }

    fn build<A: Algorithm<Self> + ?Sized>(
        &self,
        algorithm: &A,
        plan: &mut Plan,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let results = match self.is_plain() {
            // There is nothing to move.
            true if self.len == 0 => return Ok(inputs.to_vec()),
            true => algorithm.build(plan, self, inputs, device)?,
            false => option_passes::build(self, algorithm, plan, inputs, device)?,
        };
        for (output, slot) in self.outputs().iter().zip(&results) {
            plan.rename(*slot, output.name);
        }
        Ok(results)
    }

    fn check(&self) -> Result<(), SpecError> {
        SortSpec::check(self)
    }

    fn solve(&self, inputs: &[&Numbers]) -> Result<Results, Error> {
        each!(inputs[0], keys => {
            let order = self.order(inputs, keys)?;
            let values = order.iter().map(|index| keys[*index as usize]).collect::<Vec<_>>();
            let mut results = Vec::new();
            if self.moves.values() {
                results.push(values.into());
            }
            for payload in self.payloads_of(inputs) {
                let payload = payload.get::<u32>()?;
                results.push(order.iter().map(|index| payload[*index as usize]).collect::<Vec<_>>().into());
            }
            if self.moves.indices() {
                results.insert(usize::from(self.moves.values()), order.into());
            }
            Ok(Results::new(self.outputs().into_iter().zip(results)))
        })
    }

    fn of_gpu_length(&self) -> Option<Request> {
        Some(Request::new(self.with_gpu_length()))
    }

    fn cost(&self) -> Cost {
        let words = u64::from(self.element.words());
        let payload = u64::from(self.payloads);
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
            let order = self
                .order(inputs, keys)
                .map_err(|error| Mismatch::exact("value", 0, error.to_string(), "a result".into()))?;
            let mut compared = 0;
            if self.moves.values() {
                let got = results.get("values").and_then(|got| got.get().ok()).unwrap_or_default();
                compared += verify(&order, keys, got, "value")?;
            }
            let words = |name| results.get(name).and_then(|got| got.get::<u32>().ok()).unwrap_or_default();
            if self.moves.indices() {
                compared += same("index", &order, words("indices"))?;
            }
            for (name, payload) in self.payload_names().iter().zip(self.payloads_of(inputs)) {
                compared += verify(&order, payload.get().unwrap_or_default(), words(name), "payload")?;
            }
            Ok(Verified { compared, unbounded: 0 })
        })
    }

    fn arguments(&self) -> Arguments {
        let arguments = Arguments::NONE.with(&MOVES, self.moves.name());
        let [low, high] = self.bits;
        let bits = if self.is_by_all_bits() { String::new() } else { format!("{low}..{high}") };
        arguments
            .with(&BITS, bits)
            .with(&ROWS, self.row.map(|width| width.to_string()).unwrap_or_default())
            .with_flag("descending", self.descending)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let [low, high] = self.bits;
        let bits = (!self.is_by_all_bits()).then(|| ("bits", format!("{low}..{high}")));
        [("moves", self.moves.name().into())]
            .into_iter()
            .chain(bits)
            .chain(self.descending.then(|| ("direction", "descending".to_owned())))
            .chain(self.row.map(|width| ("rows", width.to_string())))
            .chain(self.segments.fact())
            .collect()
    }

    fn equals(&self, other: &dyn Spec) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    #[cfg(feature = "recordings")]
    fn to_json(&self) -> Result<serde_json::Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}
