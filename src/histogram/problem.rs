//! The histogram as a problem: its option, its reference, the check of results, and its fastest algorithms.

use std::any::Any;

use super::{CARDS, HistogramSpec, sequential};
use crate::algorithm::results::{Mismatch, Results, Verified};
use crate::algorithm::{
    Arguments, Candidates, CustomSyntax, Domain, NumberRange, Parameter, SideInput, edges,
};
use crate::algorithm::{Input, InputInfo, Output, Problem, Request, Spec};
use crate::device::Device;
use crate::each;
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::{SpecError, check_edges};
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::plan::{Cost, ItemType};
use crate::tuning::{Shape, table};

/// Counting items in bins.
pub static PROBLEM: Problem = Problem {
    name: "histogram",
    noun: "histogram",
    summary: "Count the numbers in each bin",
    pictures: "luma",
    examples: "\
A bin is from an edge on, up to the next one, which it excludes. With --bins
the last one includes the greatest number, as in numpy. --json has the edges,
too, as result_edges.

Examples:
  rasterscan histogram photo.jpg -o counts.csv
  rasterscan histogram numbers.npy --bins 10 --range 0..100
  rasterscan histogram values:3,1,7,0 --edges values:0,2,8 --json",
    options: &[EDGES, BINS, RANGE],
    alternatives: &[&[Input::EDGES, edges::BINS], &[Input::EDGES, edges::RANGE]],
    whole: |_| 1,
    cards: CARDS,
    request,
    fastest,
    rivals: &["atomic", "sorted"],
    shapes: &[Shape::PLAIN],
    #[cfg(feature = "recordings")]
    read: Request::read::<HistogramSpec>,
};

const EDGES: Parameter = Parameter {
    name: Input::EDGES,
    about: "The edges of the bins, one more than bins, in ascending order: an input such as values:0,2,8 or a file. Values below \
            the first edge, from the last one on, and NaN are not counted [default: 0, 1, 2 ... 256]",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::custom(CustomSyntax::Stream(SideInput::Edges)),
};

const BINS: Parameter = Parameter {
    name: edges::BINS,
    about: "Bins of equal width, from the least number to the greatest or in --range",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::numbers(NumberRange { min: 1, max: 1 << 24, powers_of_two: false }, &[]),
};

const RANGE: Parameter = Parameter {
    name: edges::RANGE,
    about: "The range of --bins, of which there are 10 by default; what lies outside is not counted",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::custom(CustomSyntax::Text {
        reads: |text| edges::range(text).is_some(),
        title: "Range of bins",
        expected: "two numbers with .. between them",
        examples: &["0..100", "-1..1"],
    }),
};

fn request(arguments: &Arguments, given: InputInfo) -> Result<Request, Error> {
    // Numbers that are typed in are counted before they are read.
    let typed = arguments.stream(EDGES.name).and_then(|source| source.len());
    let bins = edges::bins(arguments).unwrap_or(typed.unwrap_or(given.edges).saturating_sub(1));
    let spec = HistogramSpec::of(given.element, given.len, bins);
    spec.check()?;
    Ok(Request::new(spec))
}

fn fastest(_: &dyn Spec, device: &Device) -> &'static [&'static str] {
    table::fastest(&table::HISTOGRAMS, &device.traits())
}

impl Spec for HistogramSpec {
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
        let edges = Input::items(Input::EDGES, self.element, 1, self.bins + 1);
        let items = Input::items("input", self.element, 1, self.len);
        vec![items, Input { own_texels: Some(1), ..edges }]
    }

    fn outputs(&self) -> Vec<Output> {
        vec![Output { name: "counts", one: "bin", element: ElementType::U32, arity: 1, counted: false }]
    }

    fn check(&self) -> Result<(), SpecError> {
        HistogramSpec::check(self)
    }

    fn check_inputs(&self, inputs: &[&Numbers]) -> Result<(), Error> {
        each!(inputs[1], edges => Ok(check_edges(edges)?))
    }

    fn solve(&self, inputs: &[&Numbers]) -> Result<Results, Error> {
        let counts = each!(inputs[0], items => sequential(self, items, inputs[1].get()?)?);
        Ok(Results::new(self.outputs().into_iter().zip([counts.into()])))
    }

    fn cost(&self) -> Cost {
        Cost { words_read: self.len + self.bins + 1, words_written: self.bins, ..Cost::default() }
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn verify(&self, inputs: &[&Numbers], _: Option<u64>, results: &Results) -> Result<Verified, Mismatch> {
        let refused = |error: Error| Mismatch::exact("bin", 0, error.to_string(), "a result".into());
        results.same(&self.solve(inputs).map_err(refused)?)
    }

    fn arguments(&self) -> Arguments {
        Arguments::NONE
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![("bins", self.bins.to_string())]
    }

    fn equals(&self, other: &dyn Spec) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    #[cfg(feature = "recordings")]
    fn to_json(&self) -> Result<serde_json::Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}
