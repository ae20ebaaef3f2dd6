//! The reduction as a problem: its options, its reference, the check of results, and its fastest algorithms.

use std::any::Any;

use super::reference::{sequential, verify};
use super::{CARDS, ReduceSpec, first};
use crate::algorithm::results::{Mismatch, Results, Verified, single};
use crate::algorithm::{
    Algorithm, Arguments, Candidates, Domain, Input, InputInfo, Output, Parameter, Problem,
};
use crate::algorithm::{Request, Spec};
use crate::device::Device;
use crate::each;
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::SpecError;
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::plan::{Cost, ItemType, Plan, Slot};
use crate::scan::problem::{TUPLE, items};
use crate::tuning::Shape;
use crate::tuning::table;
use crate::unsupported::Unsupported;

/// Reduction: all items combined into one.
pub static PROBLEM: Problem = Problem {
    name: "reduce",
    noun: "reduction",
    summary: "Reduce numbers to one: their sum, or the result of another associative operator",
    pictures: "luma, row by row",
    examples: "\
With --tuple S the result has S numbers: one for each of the interleaved
streams. With --op affine it is a pair. Of no numbers it is the operator's
identity: 0 for add. With --op argmin or argmax it is an index, of no numbers
4294967295.

Examples:
  seq 1 100 | rasterscan reduce -
  rasterscan reduce photo.jpg --op max
  rasterscan reduce photo.jpg --op argmax
  rasterscan reduce random:n=2^24 -a single_pass -v
  rasterscan reduce points.csv --op min --tuple 3 --json
  rasterscan reduce numbers.npy -a all",
    options: &[OPERATOR, TUPLE],
    conflicts: &[],
    whole: |options| options.number("tuple").unwrap_or(1).max(1).into(),
    cards: CARDS,
    request,
    fastest,
    rivals: &["packed", "pairs", "two_pass", "single_pass"],
    shapes: &[Shape::PLAIN, Shape::TUPLES],
    #[cfg(feature = "recordings")]
    read: Request::read::<ReduceSpec>,
};

const OPERATOR: Parameter = Parameter {
    name: "op",
    about: "The operator; affine takes pairs a, b; argmin and argmax give the index of the first smallest or largest value, of which NaN is the first, as in numpy; min and max mostly skip NaN, which numpy propagates, and results after one are not checked",
    default: "add",
    candidates: Candidates::NONE,
    domain: Domain::words(&OPERATIONS),
};

/// The operators, and the operations that find an item.
const OPERATIONS: [&str; Operator::NAMES.len() + 2] = {
    let mut names = ["argmax"; Operator::NAMES.len() + 2];
    let mut number = 0;
    while number < Operator::NAMES.len() {
        names[number] = Operator::NAMES[number];
        number += 1;
    }
    names[number] = "argmin";
    names
};

fn request(arguments: &Arguments, given: InputInfo) -> Result<Request, Error> {
    let (operator, len) = items(arguments, given)?;
    let tuple = arguments.number("tuple").unwrap_or(1);
    let spec = ReduceSpec { operator, tuple, ..ReduceSpec::of(given.element, len) };
    let spec = match arguments.word("op") {
        Some("argmin") => spec.argmin(),
        Some("argmax") => spec.argmax(),
        _ => spec,
    };
    spec.check()?;
    Ok(Request::new(spec))
}

fn fastest(_: &dyn Spec, device: &Device) -> &'static [&'static str] {
    table::fastest(&table::REDUCTIONS, &device.traits())
}

impl ReduceSpec {
    /// The items that count, as a stream of their own.
    fn first<'a, T>(&self, inputs: &[&Numbers], input: &'a [T]) -> (ReduceSpec, &'a [T]) {
        let len = Input::valid(self.has_gpu_length, inputs, self.len).unwrap_or(self.len);
        let spec = ReduceSpec { len, has_gpu_length: false, operator: self.operator.clone(), ..*self };
        (spec, &input[..len as usize * self.operator.arity() as usize])
    }
}

impl Spec for ReduceSpec {
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
        ReduceSpec::check(self)
    }

    fn shape(&self) -> Shape {
        Shape::new(1, self.tuple)
    }

    fn inputs(&self) -> Vec<Input> {
        let input = Input::items("input", self.element, self.operator.arity(), self.len);
        [Some(input), self.has_gpu_length.then(Input::length)].into_iter().flatten().collect()
    }

    fn outputs(&self) -> Vec<Output> {
        let values = Output { name: "values", one: "element", element: self.element, counted: false };
        let indices = Output { name: "indices", one: "index", element: ElementType::U32, ..values };
        [self.has_index.then_some(indices), Some(values)].into_iter().flatten().collect()
    }

    fn build<A: Algorithm<Self> + ?Sized>(
        &self,
        algorithm: &A,
        plan: &mut Plan,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        if self.has_index {
            return first::build(self, algorithm, plan, inputs, device);
        }
        if self.has_gpu_length && !algorithm.handles_natively(self, device) {
            return Err(Unsupported::length(algorithm.name(), "packed, two_pass or single_pass").into());
        }
        algorithm.build(plan, self, inputs, device)
    }

    fn solve(&self, inputs: &[&Numbers]) -> Result<Results, Error> {
        each!(inputs[0], input => {
            let (spec, input) = self.first(inputs, input);
            if self.has_index {
                let (values, indices) = spec.at_indices(input, &spec.first_indices(input));
                return Ok(Results::new(self.outputs().into_iter().zip([indices.into(), values.into()])));
            }
            Ok(single(self, sequential(&spec, input)?))
        })
    }

    fn cost(&self) -> Cost {
        let words = u64::from(self.operator.item_words(self.element));
        Cost {
            words_read: self.len * words,
            words_written: self.results() * words,
            adds: self.len.saturating_sub(self.tuple.into()),
            ..Cost::default()
        }
    }

    fn is_exact(&self) -> bool {
        !self.operator.has_floats(self.element)
    }

    fn verify(
        &self,
        inputs: &[&Numbers],
        depth: Option<u64>,
        results: &Results,
    ) -> Result<Verified, Mismatch> {
        each!(inputs[0], input => {
            let got = results.get("values").and_then(|got| got.get().ok()).unwrap_or_default();
            let (spec, input) = self.first(inputs, input);
            if let Some(indices) = results.get("indices") {
                return spec.verify_first(input, got, indices.get().unwrap_or_default());
            }
            verify(&spec, depth.unwrap_or(self.len), input, got)
        })
    }

    fn arguments(&self) -> Arguments {
        Arguments::NONE.with(&OPERATOR, self.operation()).with(&TUPLE, self.tuple)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![("op", self.operation().to_owned()), ("tuple", self.tuple.to_string())]
    }

    fn equals(&self, other: &dyn Spec) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    #[cfg(feature = "recordings")]
    fn to_json(&self) -> Result<serde_json::Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}
