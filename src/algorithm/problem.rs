//! The problem: what can be asked, and what is right.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use super::results::{Mismatch, Results, Verified};
use super::{Arguments, Card, Parameter};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::SpecError;
use crate::numbers::Numbers;
use crate::plan::{Cost, ItemType};
use crate::tuning::Shape;

/// A kind of question.
pub struct Problem {
    /// The name on the command line, which is a verb: `compact`.
    pub name: &'static str,
    /// What it is called in a sentence: `compaction`.
    pub noun: &'static str,
    /// One line, as a command: what is done with numbers.
    pub summary: &'static str,
    /// What pictures are as an input, for people.
    pub pictures: &'static str,
    /// What stands below the options in the program's help: examples that can be typed as they stand.
    pub examples: &'static str,
    /// What can be asked for beside the element and the length.
    pub options: &'static [Parameter],
    /// Pairs of options that cannot be given together.
    pub conflicts: &'static [(&'static str, &'static str)],
    /// The algorithms, in the order in which they are shown. The first one is the oracle, on the CPU.
    pub cards: &'static [&'static Card],
    /// The question that these options ask of a stream.
    ///
    /// Errors: what makes no sense for this stream, on any device.
    pub request: fn(&Arguments, Given) -> Result<Request, Error>,
    /// The algorithms that should be the fastest, the best one first, by what was measured on other devices. Whatever cannot
    /// do the request gives way to the next.
    pub fastest: fn(&dyn Spec, &Device) -> &'static [&'static str],
    /// Those that may be the fastest on some device: a tuner tries them, for each of the shapes.
    pub rivals: &'static [&'static str],
    /// The shapes of specs whose fastest algorithms may differ.
    pub shapes: &'static [Shape],
    /// Reads a spec as [`Spec::to_json`] writes it.
    #[cfg(feature = "recordings")]
    pub read: fn(serde_json::Value) -> Result<Request, serde_json::Error>,
}

/// A stream that something is asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Given {
    pub element: ElementType,
    /// Numbers in it.
    pub len: u64,
    /// Interleaved channels of a picture; 1 for everything else.
    pub channels: u32,
}

impl Given {
    /// These numbers, which are no picture's channels.
    pub fn of(numbers: &Numbers) -> Given {
        Given { element: numbers.element(), len: numbers.len() as u64, channels: 1 }
    }
}

impl Problem {
    /// The option of this name.
    pub fn option(&self, name: &str) -> Option<&'static Parameter> {
        self.options.iter().find(|option| option.name == name)
    }

    /// An inclusive sum, a compaction of what is not zero: what is asked where nothing is said.
    ///
    /// Errors: as [`Self::request`](Problem#structfield.request).
    pub fn plain(&self, element: ElementType, len: u64) -> Result<Request, Error> {
        (self.request)(&Arguments::NONE, Given { element, len, channels: 1 })
    }
}

impl PartialEq for Problem {
    fn eq(&self, other: &Problem) -> bool {
        self.name == other.name
    }
}

impl Eq for Problem {}

impl Hash for Problem {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// One question: what an algorithm is asked for, of a known size, and what is right.
pub trait Spec: fmt::Debug + fmt::Display + Any + Send + Sync {
    fn problem(&self) -> &'static Problem;

    /// Items in the stream.
    fn len(&self) -> u64;

    /// Whether the stream has no items.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The streams that are read, all of [`Self::len`] items; the first one is the stream itself. By default that alone, of
    /// [`Self::item`].
    fn inputs(&self) -> Vec<Input> {
        let ItemType { element, operator } = self.item();
        vec![Input { name: "input", element, arity: operator.arity() }]
    }

    /// The streams that are given, in the order of a plan's outputs. By default `values`, of the element of [`Self::item`].
    fn outputs(&self) -> Vec<Output> {
        vec![Output { name: "values", one: "element", element: self.item().element, counted: false }]
    }

    /// What the passes combine, where they do not say otherwise.
    fn item(&self) -> ItemType;

    /// Whether the spec makes sense, on any device.
    fn check(&self) -> Result<(), SpecError>;

    /// The type of the stream's numbers.
    fn element(&self) -> ElementType {
        self.inputs()[0].element
    }

    /// 32-bit words in the stream.
    fn words(&self) -> u64 {
        let words = |input: &Input| u64::from(input.element.words() * input.arity);
        self.len() * self.inputs().first().map_or(0, words)
    }

    /// What tells specs of the same size apart whose fastest algorithms are different ones.
    fn shape(&self) -> Shape {
        Shape::PLAIN
    }

    /// The answer, found on the CPU, one item after the other: the oracle.
    ///
    /// Errors: [`SpecError`] in [`Error::Spec`], [`Error::ElementMismatch`], [`Error::NoTwin`], and [`Error::Memory`].
    ///
    /// # Panics
    ///
    /// If an input is not as long as the spec says.
    fn solve(&self, inputs: &[&Numbers]) -> Result<Results, Error>;

    /// What [`Self::solve`] does, in a plan's counts, if everything is kept.
    fn cost(&self) -> Cost;

    /// Whether results must be the oracle's to the bit: by default, where the stream has no floats. Else [`Self::verify`] holds
    /// them against bounds.
    fn is_exact(&self) -> bool {
        !self.element().is_float()
    }

    /// Holds results against the question, without the oracle's answer. `depth` is the longest chain of uses of the operator
    /// ([`Cost::depth`] of a plan); without, it was the oracle itself that gave them.
    ///
    /// Errors: the first place that is wrong.
    fn verify(
        &self,
        inputs: &[&Numbers],
        depth: Option<u64>,
        results: &Results,
    ) -> Result<Verified, Mismatch>;

    /// The options that ask for this.
    fn arguments(&self) -> Arguments;

    /// What documents say of it beside its problem, length and element: names and values.
    fn facts(&self) -> Vec<(&'static str, String)>;

    /// Whether another spec is the same.
    fn equals(&self, other: &dyn Spec) -> bool;

    /// For [`Problem::read`](Problem#structfield.read).
    #[cfg(feature = "recordings")]
    fn to_json(&self) -> Result<serde_json::Value, serde_json::Error>;
}

/// An input stream of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input {
    pub name: &'static str,
    pub element: ElementType,
    /// Elements in an item: 1 or 2.
    pub arity: u32,
}

/// A stream that a problem's algorithms give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// As in a plan of several outputs: `values`.
    pub name: &'static str,
    /// What one of its numbers is called: `value`.
    pub one: &'static str,
    pub element: ElementType,
    /// Whether only as many numbers count as the output [`Output::COUNT`] says; what lies behind them is undefined.
    pub counted: bool,
}

impl Output {
    /// The output that holds how many numbers of the others count.
    pub const COUNT: Output =
        Output { name: "count", one: "count", element: ElementType::U32, counted: false };
}

/// A spec of any problem.
#[derive(Clone)]
pub struct Request(Arc<dyn Spec>);

impl Request {
    /// A spec whose type is forgotten.
    pub fn new(spec: impl Spec) -> Request {
        Request(Arc::new(spec))
    }

    /// The spec, if it is of this type.
    pub fn get<S: Spec>(&self) -> Option<&S> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// The spec itself.
    pub fn spec(&self) -> &dyn Spec {
        &*self.0
    }

    /// Reads a spec as [`Spec::to_json`] writes it.
    #[cfg(feature = "recordings")]
    pub fn read<S: Spec + serde::de::DeserializeOwned>(
        value: serde_json::Value,
    ) -> Result<Request, serde_json::Error> {
        serde_json::from_value::<S>(value).map(Request::new)
    }
}

impl Deref for Request {
    type Target = dyn Spec;

    fn deref(&self) -> &dyn Spec {
        &*self.0
    }
}

impl<S: Spec + Clone> From<&S> for Request {
    fn from(spec: &S) -> Request {
        Request::new(spec.clone())
    }
}

impl From<&Request> for Request {
    fn from(request: &Request) -> Request {
        request.clone()
    }
}

impl PartialEq for Request {
    fn eq(&self, other: &Request) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for Request {}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
