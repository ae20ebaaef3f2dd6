//! The reduction as a problem: its options, its reference, the check of results, and its fastest algorithms.

use std::any::Any;

use super::parts::Parts;
use super::reference::{sequential_with, verify_with};
use super::{CARDS, ReduceSpec, first, option_passes};
use crate::algorithm::results::{Mismatch, Results, Verified, same};
use crate::algorithm::{Algorithm, Arguments, Input, InputInfo, Output, Placement};
use crate::algorithm::{Problem, Request, Spec};
use crate::device::Device;
use crate::each;
use crate::error::Error;
use crate::limits::SpecError;
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::plan::{Cost, ItemType, Plan, Slot};
use crate::scan::first as firsts;
use crate::scan::problem::{COLUMNS, KEYS, OFFSETS, OPERATOR, PARTS, ROWS, SEGMENTS, TUPLE, items, whole};
use crate::scan::{Batch, Segments};
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

With --rows, --columns, --segments, --offsets or --keys each row, column,
segment or run of equal keys has a result. Of equal --offsets all but the last
begin an empty segment, whose result is the identity. --json has the keys of
the runs, too, as result_keys.

Examples:
  seq 1 100 | rasterscan reduce -
  rasterscan reduce photo.jpg --op max
  rasterscan reduce photo.jpg --op argmax
  rasterscan reduce random:n=2^24 -a single_pass -v
  rasterscan reduce points.csv --op min --tuple 3 --json
  rasterscan reduce random:n=1000000 --columns 1000 -o sums.npy
  rasterscan reduce numbers.npy -a all",
    options: &[OPERATOR, TUPLE, ROWS, COLUMNS, SEGMENTS, OFFSETS, KEYS],
    alternatives: &[PARTS, &["tuple", "segments"], &["tuple", "offsets"], &["tuple", "keys"]],
    whole,
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
    let batch = Batch::of(arguments);
    let segments = Segments::of(arguments, given);
    let spec = ReduceSpec { operator, tuple, batch, segments, ..ReduceSpec::of(given.element, len) };
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
        let spec = ReduceSpec { len, has_gpu_length: false, ..self.clone() };
        (spec, &input[..len as usize * self.operator.arity() as usize])
    }

    /// The first key of each segment, if they are by keys.
    fn keys(&self, inputs: &[&Numbers], flags: &[u32]) -> Option<Numbers> {
        let Segments::Keys(_) = self.segments else { return None };
        let is_head = |index: usize| flags[index / 32] >> (index % 32) & 1 != 0;
        Some(each!(inputs[1], keys => {
            let heads = (0..keys.len()).filter(|index| is_head(*index));
            heads.map(|index| keys[index]).collect::<Vec<_>>().into()
        }))
    }

    /// Checks the count of segments, and their keys.
    fn verify_counted(
        &self,
        inputs: &[&Numbers],
        segments: &[u32],
        results: &Results,
    ) -> Result<u64, Mismatch> {
        let count = Parts::new(self, segments).map_or(0, |parts| parts.count());
        let mut compared = same("count", &[count as u32], &[results.count().unwrap_or(0) as u32])?;
        if let Some(keys) = self.keys(inputs, segments) {
            let got = results.get("keys").filter(|got| got.element() == keys.element());
            compared += each!(&keys, keys => {
                same("key", keys, got.and_then(|got| got.get().ok()).unwrap_or_default())
            })?;
        }
        Ok(compared)
    }

    /// Returns true if the results are counted.
    fn is_counted(&self) -> bool {
        matches!(self.segments, Segments::Flags | Segments::Keys(_))
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
        let length = self.has_gpu_length.then(Input::length);
        [Some(input), self.segments.input(self.len), length].into_iter().flatten().collect()
    }

    fn outputs(&self) -> Vec<Output> {
        let counted = self.is_counted();
        let values = firsts::outputs(self.element, self.operator.arity(), self.has_index);
        let values = values.map(|output| Output { counted, ..output });
        let keys = match self.segments {
            Segments::Keys(element) => Some(Output { name: "keys", one: "key", element, arity: 1, counted }),
            _ => None,
        };
        values.chain(keys).chain(counted.then_some(Output::COUNT)).collect()
    }

    fn check_inputs(&self, inputs: &[&Numbers]) -> Result<(), Error> {
        self.segments.check(self.len, inputs)
    }

    fn placements<A: Algorithm<Self> + ?Sized>(
        &self,
        algorithm: &A,
        device: &Device,
    ) -> Result<Vec<Placement>, Error> {
        if self.is_whole() {
            let placement = algorithm.placement(self, device)?;
            return Ok(self.inputs().iter().map(|input| input.place(placement)).collect());
        }
        option_passes::placements(self, algorithm.placement(&self.whole(), device)?, device)
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
        match self.is_whole() {
            true => algorithm.build(plan, self, inputs, device),
            false => option_passes::build(self, plan, inputs, device),
        }
    }

    fn solve(&self, inputs: &[&Numbers]) -> Result<Results, Error> {
        each!(inputs[0], input => {
        let (spec, input) = self.first(inputs, input);
        let segments = self.segments.of_inputs(inputs)?;
        let (values, indices) = match self.has_index {
            true => spec.first_items(input, &segments).map(|(values, indices)| (values, Some(indices.into())))?,
            false => (sequential_with(&spec, input, &segments)?, None),
        };
                let items = values.len() as u64 / u64::from(self.operator.arity());
                let count = self.is_counted().then(|| vec![items as u32].into());
                let keys = self.keys(inputs, &segments);
                let results = [indices, Some(values.into()), keys, count].into_iter().flatten();
                Ok(Results::new(self.outputs().into_iter().zip(results)))
            })
    }

    fn of_gpu_length(&self) -> Option<Request> {
        Some(Request::new(self.with_gpu_length()))
    }

    fn by_operator(&self, operator: Operator) -> Option<Request> {
        Some(Request::new(self.operator(operator)))
    }

    fn cost(&self) -> Cost {
        let words = u64::from(self.operator.item_words(self.element));
        Cost {
            words_read: self.len * words,
            words_written: self.results() * words,
            adds: self.len.saturating_sub(self.results()),
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
        let refused = |error: Error| Mismatch::exact("element", 0, error.to_string(), "a result".into());
        let segments = self.segments.of_inputs(inputs).map_err(refused)?;
        let counted =
            if self.is_counted() { self.verify_counted(inputs, &segments, results)? } else { 0 };
        let verified = match results.get("indices") {
            Some(indices) => {
                let first = |input: &[_]| spec.first_items(input, &segments).ok();
                firsts::verify(input, got, indices.get().unwrap_or_default(), first)?
            }
            None => verify_with(&spec, depth.unwrap_or(self.len), input, &segments, got)?,
        };
        Ok(Verified { compared: verified.compared + counted, ..verified })
            })
    }

    fn arguments(&self) -> Arguments {
        Arguments::NONE
            .with(&OPERATOR, self.operator.operation(self.has_index))
            .with(&TUPLE, self.tuple)
            .with(&ROWS, self.batch.width_of(Batch::Rows))
            .with(&COLUMNS, self.batch.width_of(Batch::Columns))
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let operation = self.operator.operation(self.has_index);
        [("op", operation.to_owned()), ("tuple", self.tuple.to_string())]
            .into_iter()
            .chain(self.batch.fact())
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
