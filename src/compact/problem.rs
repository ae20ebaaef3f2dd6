//! The compaction as a problem: its options, its reference, the check of results, and its fastest algorithms.

use std::any::Any;

use super::{CARDS, CompactSpec, Condition, Keep, Kept, Moves, sequential, verify};
use crate::algorithm::results::{Mismatch, Results, Verified};
use crate::algorithm::{Algorithm, Input, InputInfo, Output, Problem, Request, Spec};
use crate::algorithm::{Arguments, Candidates, CustomSyntax, Domain, Parameter, SideInput};
use crate::device::Device;
use crate::each;
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::{ConditionError, SpecError};
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::plan::{Cost, ItemType, Plan, Slot};
use crate::tuning::Shape;
use crate::tuning::table;
use crate::unsupported::Unsupported;

/// Stream compaction.
pub static PROBLEM: Problem = Problem {
    name: "compact",
    noun: "compaction",
    summary: "Keep some of the numbers, in their order, and remove the rest",
    pictures: "luma, row by row",
    examples: "\
Keep:
  nonzero          values other than zero, NaN included
  '>=200'          values that compare so with a number of the input's type:
                   > >= < <= == != (in quotes: a shell reads > and < itself)

Examples:
  rasterscan compact photo.jpg --keep '>=200' -o bright.npy
  seq 1 10 | rasterscan compact - --keep '>7'
  rasterscan compact photo.jpg --keep '>=200' -o bright.npy --indices=places.npy
  rasterscan compact values.npy --mask wanted.npy --moves indices
  rasterscan compact random:n=1000000,keep=0.6 -a blocks:size=32,search=for --json
  rasterscan compact random:n=2^20,keep=0.6 -a select -v -o kept.npy",
    options: &[
        KEEP,
        Parameter {
            name: "mask",
            about: "Keep the elements for which this input, as long as the first, is not zero: values:1,0,1, a .npy \
                    of bool or u1, or a .png (its luma)",
            default: "",
            candidates: Candidates::NONE,
            domain: Domain::custom(CustomSyntax::Stream(SideInput::Flags)),
        },
        MOVES,
    ],
    alternatives: &[&["keep", "mask"]],
    whole: |_| 1,
    cards: CARDS,
    request,
    fastest,
    rivals: &["packed", "select", "histopyramid"],
    shapes: &[Shape::PLAIN],
    #[cfg(feature = "recordings")]
    read: Request::read::<CompactSpec>,
};

const KEEP: Parameter = Parameter {
    name: "keep",
    about: "The elements to keep: nonzero, or >T, >=T, <T, <=T, ==T, !=T with a number of the input's type, in quotes",
    default: "nonzero",
    candidates: Candidates::NONE,
    domain: Domain::custom(CustomSyntax::Text {
        reads: may_be_a_condition,
        title: "Condition",
        expected: "nonzero, or >, >=, <, <=, == or != and a number",
        examples: &[">100", "==0", "<=7"],
    }),
};

/// Returns true if a text is a condition on some element: all read the same signs.
fn may_be_a_condition(text: &str) -> bool {
    !matches!(Condition::parse(ElementType::F32, text), Err(ConditionError::Syntax(_)))
}

const MOVES: Parameter = Parameter {
    name: "moves",
    about: "The results: the values of the kept elements, their indices (counted from 0), or both",
    default: "values",
    candidates: Candidates::NONE,
    domain: Domain::words(Moves::WORDS),
};

fn request(arguments: &Arguments, given: InputInfo) -> Result<Request, Error> {
    let moves = arguments.variant("moves", &Moves::ALL, Moves::name);
    let spec = CompactSpec::of(given.element, given.len).moves(moves.unwrap_or(Moves::Values));
    let spec = match (arguments.stream("mask"), arguments.word("keep")) {
        (Some(_), None) => spec.masked(),
        (Some(_), Some(_)) => return Err(SpecError::TwoKeeps.into()),
        (None, Some(keep)) => spec.keep(Condition::parse(given.element, keep)?),
        (None, None) => spec,
    };
    spec.check()?;
    Ok(Request::new(spec))
}

fn fastest(_: &dyn Spec, device: &Device) -> &'static [&'static str] {
    table::fastest(&table::COMPACTIONS, &device.traits())
}

impl CompactSpec {
    fn mask<'a>(&self, inputs: &[&'a Numbers]) -> Result<&'a [u32], Error> {
        let mask = inputs.get(1).filter(|_| self.keep == Keep::Mask);
        mask.map_or(Ok(&[][..]), |mask| mask.get())
    }

    /// The elements that count, as a stream of their own.
    fn first<'a, T>(
        &self,
        inputs: &[&Numbers],
        input: &'a [T],
        mask: &'a [u32],
    ) -> (CompactSpec, &'a [T], &'a [u32]) {
        let len = Input::valid(self.has_gpu_length, inputs, self.len).unwrap_or(self.len);
        let of_mask = mask.len().min(len as usize);
        (CompactSpec { len, has_gpu_length: false, ..*self }, &input[..len as usize], &mask[..of_mask])
    }
}

/// The algorithm chooses the layout of the streams; [`CompactSpec::columns`](CompactSpec#structfield.columns) makes one
/// plan's result fit another's input.
impl Spec for CompactSpec {
    fn problem(&self) -> &'static Problem {
        &PROBLEM
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn inputs(&self) -> Vec<Input> {
        let input = Input::items("input", self.element, 1, self.len);
        let mask = Input { name: "mask", element: ElementType::U32, ..input };
        let masked = self.keep == Keep::Mask;
        let length = self.has_gpu_length.then(Input::length);
        [Some(input), masked.then_some(mask), length].into_iter().flatten().collect()
    }

    fn build<A: Algorithm<Self> + ?Sized>(
        &self,
        algorithm: &A,
        plan: &mut Plan,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        if !self.has_gpu_length {
            return algorithm.build(plan, self, inputs, device);
        }
        if !algorithm.handles_natively(self, device) {
            return Err(Unsupported::length(algorithm.name(), "packed or select").into());
        }
        plan.indirect(inputs[inputs.len() - 1], self.len, |plan| algorithm.build(plan, self, inputs, device))
    }

    fn outputs(&self) -> Vec<Output> {
        let values = Output { name: "values", one: "value", element: self.element, arity: 1, counted: true };
        let indices =
            Output { name: "indices", one: "index", element: ElementType::U32, arity: 1, counted: true };
        let values = self.moves.values().then_some(values);
        let indices = self.moves.indices().then_some(indices);
        values.into_iter().chain(indices).chain([Output::COUNT]).collect()
    }

    /// Counts; passes over the stream itself set their own element.
    fn item(&self) -> ItemType {
        ItemType { element: ElementType::U32, operator: Operator::ADD }
    }

    fn check(&self) -> Result<(), SpecError> {
        CompactSpec::check(self)
    }

    fn solve(&self, inputs: &[&Numbers]) -> Result<Results, Error> {
        let mask = self.mask(inputs)?;
        each!(inputs[0], input => {
            let (spec, input, mask) = self.first(inputs, input, mask);
            let Kept { values, indices } = sequential(&spec, input, mask)?;
            let count = Numbers::from(vec![indices.len() as u32]);
            let values = self.moves.values().then(|| values.into());
            let indices = self.moves.indices().then(|| indices.into());
            Ok(Results::new(self.outputs().into_iter().zip(values.into_iter().chain(indices).chain([count]))))
        })
    }

    fn of_gpu_length(&self) -> Option<Request> {
        Some(Request::new(self.with_gpu_length()))
    }

    fn cost(&self) -> Cost {
        let words = u64::from(self.element.words());
        let masked = u64::from(self.keep == Keep::Mask);
        let read = if masked == 0 || self.moves.values() { words } else { 0 };
        let values = if self.moves.values() { words } else { 0 };
        let written = values + u64::from(self.moves.indices());
        Cost { words_read: self.len * (read + masked), words_written: self.len * written, ..Cost::default() }
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn verify(&self, inputs: &[&Numbers], _: Option<u64>, results: &Results) -> Result<Verified, Mismatch> {
        let mask = self.mask(inputs).unwrap_or_default();
        each!(inputs[0], input => {
            let (spec, input, mask) = self.first(inputs, input, mask);
            let got = |name, wanted: bool| wanted.then(|| results.get(name));
            let values = got("values", self.moves.values());
            let values = values.map(|values| values.and_then(|values| values.get().ok()).unwrap_or_default());
            let indices = got("indices", self.moves.indices());
            let indices = indices.map(|indices| indices.and_then(|indices| indices.get().ok()).unwrap_or_default());
            let compared = verify(&spec, input, mask, results.count().unwrap_or(0), values, indices)?;
            Ok(Verified { compared, unbounded: 0 })
        })
    }

    fn arguments(&self) -> Arguments {
        let arguments = Arguments::NONE.with(&MOVES, self.moves.name());
        match self.keep {
            Keep::Condition(condition) => arguments.with(&KEEP, condition),
            // The request does not say which stream that is.
            Keep::Mask => arguments,
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let keep = match self.keep {
            Keep::Condition(condition) => condition.to_string(),
            Keep::Mask => "mask".into(),
        };
        vec![("keep", keep), ("moves", self.moves.name().into())]
    }

    fn equals(&self, other: &dyn Spec) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    #[cfg(feature = "recordings")]
    fn to_json(&self) -> Result<serde_json::Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}
