//! The reduction as a problem: its options, its reference, the check of results, and its fastest algorithms.

use std::any::Any;

use super::reference::{sequential, verify};
use super::{CARDS, ReduceSpec, first};
use crate::algorithm::results::{Mismatch, Results, Verified, single};
use crate::algorithm::{Algorithm, Arguments, Input, InputInfo, Output, Problem};
use crate::algorithm::{Request, Spec};
use crate::device::Device;
use crate::each;
use crate::error::Error;
use crate::limits::SpecError;
use crate::numbers::Numbers;
use crate::plan::{Cost, ItemType, Plan, Slot};
use crate::scan::first as firsts;
use crate::scan::problem::{OPERATOR, TUPLE, items};
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
        firsts::outputs(self.element, self.has_index).collect()
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
                let first = |input: &[_]| Some(spec.at_indices(input, &spec.first_indices(input)));
                return firsts::verify(input, got, indices.get().unwrap_or_default(), first);
            }
            verify(&spec, depth.unwrap_or(self.len), input, got)
        })
    }

    fn arguments(&self) -> Arguments {
        Arguments::NONE.with(&OPERATOR, self.operator.operation(self.has_index)).with(&TUPLE, self.tuple)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![("op", self.operator.operation(self.has_index).to_owned()), ("tuple", self.tuple.to_string())]
    }

    fn equals(&self, other: &dyn Spec) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    #[cfg(feature = "recordings")]
    fn to_json(&self) -> Result<serde_json::Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}
