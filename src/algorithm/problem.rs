//! Problems and specs, as data: options, algorithms, the reference, and the comparison of results.
//!
//! A [`Problem`] is a kind of question. A [`Spec`] is one question of a known size: it knows its inputs and outputs,
//! computes the reference on the CPU, and checks results against it. A [`Request`] is a spec whose type is erased;
//! `request.get::<ScanSpec>()` returns it typed. The commands and their help, the app's controls, the axes of
//! `compare`, the fields of documents and the cases of conformance are all derived from this data.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use super::card::EDGES;
use super::results::{Mismatch, Results, Verified};
use super::{Algorithm, Arguments, Card, Parameter, Placement, SideInput};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::SpecError;
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::plan::{Cost, ItemType, Plan, Slot};
use crate::tuning::Shape;

/// A kind of question: scan, compaction, reduction, sort, histogram.
pub struct Problem {
    /// The name on the command line, a verb: `compact`.
    pub name: &'static str,
    /// The noun for it: `compaction`.
    pub noun: &'static str,
    /// One line in the imperative: what is done with numbers.
    pub summary: &'static str,
    /// The numbers that a picture stands for as an input, for readers.
    pub pictures: &'static str,
    /// The text below the options in the program's help: examples that run as they stand.
    pub examples: &'static str,
    /// The options besides the element and the length.
    pub options: &'static [Parameter],
    /// Options that exclude each other: of each list one at most is given. A list may name options that the problem lacks.
    pub alternatives: &'static [&'static [&'static str]],
    /// The items that belong together under these options, such as those of a row: lengths are multiples of it.
    pub whole: fn(&Arguments) -> u64,
    /// The algorithms, in the order in which they are shown. The first one is the reference, on the CPU.
    pub cards: &'static [&'static Card],
    /// The request that these options make of a stream.
    ///
    /// Errors: options that make no sense for this stream on any device.
    pub request: fn(&Arguments, InputInfo) -> Result<Request, Error>,
    /// The algorithms expected to be the fastest, the best one first, from measurements on other devices. An algorithm
    /// that cannot serve the request gives way to the next.
    pub fastest: fn(&dyn Spec, &Device) -> &'static [&'static str],
    /// The candidates for the fastest algorithm on some device: a tuner tries them, for each of the shapes.
    pub rivals: &'static [&'static str],
    /// The shapes of specs whose fastest algorithms may differ.
    pub shapes: &'static [Shape],
    /// Reads a spec that [`Spec::to_json`] wrote.
    #[cfg(feature = "recordings")]
    pub read: fn(serde_json::Value) -> Result<Request, serde_json::Error>,
}

/// The properties of a stream that a request depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputInfo {
    /// The type of its numbers.
    pub element: ElementType,
    /// Its length in numbers.
    pub len: u64,
    /// Interleaved channels of a picture; 1 for everything else.
    pub channels: u32,
    /// Numbers in the stream of offsets beside it, if an option names one.
    pub offsets: u64,
    /// Numbers in the stream of edges beside it.
    pub edges: u64,
    /// The type of the keys beside it, likewise.
    pub keys: ElementType,
}

impl InputInfo {
    /// A stream of so many numbers, not a picture's channels, without other streams.
    pub fn new(element: ElementType, len: u64) -> InputInfo {
        InputInfo { element, len, channels: 1, offsets: 0, edges: EDGES, keys: ElementType::U32 }
    }

    /// These numbers, likewise.
    pub fn of(numbers: &Numbers) -> InputInfo {
        InputInfo::new(numbers.element(), numbers.len() as u64)
    }

    /// The same with another stream beside it, of so many numbers.
    pub fn with(self, side_input: SideInput, element: ElementType, len: u64) -> InputInfo {
        match side_input {
            SideInput::Offsets => InputInfo { offsets: len, ..self },
            SideInput::Edges => InputInfo { edges: len, ..self },
            SideInput::Keys => InputInfo { keys: element, ..self },
            _ => self,
        }
    }
}

impl Problem {
    /// The option with this name.
    pub fn option(&self, name: &str) -> Option<&'static Parameter> {
        self.options.iter().find(|option| option.name == name)
    }

    /// Pairs of options that exclude each other, of [`Self::alternatives`](Problem#structfield.alternatives).
    pub fn conflicts(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let pairs = self.alternatives.iter().flat_map(|names| {
            let others = move |number| names[number + 1..].iter();
            names.iter().enumerate().flat_map(move |(number, one)| others(number).map(|other| (*one, *other)))
        });
        pairs.filter(|(one, other)| self.option(one).is_some() && self.option(other).is_some())
    }

    /// The request without options: an inclusive sum, a compaction of the nonzero values.
    ///
    /// Errors: as [`Self::request`](Problem#structfield.request).
    pub fn plain(&self, element: ElementType, len: u64) -> Result<Request, Error> {
        (self.request)(&Arguments::NONE, InputInfo::new(element, len))
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

/// One question of known size: the request to an algorithm, and the definition of a right answer.
pub trait Spec: fmt::Debug + fmt::Display + Any + Send + Sync {
    /// The problem that this is a case of.
    fn problem(&self) -> &'static Problem;

    /// The stream's length, in items.
    fn len(&self) -> u64;

    /// Returns true if the stream has no items.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The streams that are read; the first one is the stream itself, of [`Self::len`] items. By default only that one,
    /// of [`Self::item`].
    fn inputs(&self) -> Vec<Input> {
        let ItemType { element, operator } = self.item();
        vec![Input::items("input", element, operator.arity(), self.len())]
    }

    /// The resulting streams, in the order of a plan's outputs. By default `values`, of the element of [`Self::item`].
    fn outputs(&self) -> Vec<Output> {
        let ItemType { element, operator } = self.item();
        vec![Output { name: "values", one: "element", element, arity: operator.arity(), counted: false }]
    }

    /// The element and operator of all passes that do not set their own.
    fn item(&self) -> ItemType;

    /// Checks that the spec makes sense, on any device.
    fn check(&self) -> Result<(), SpecError>;

    /// The type of the stream's numbers.
    fn element(&self) -> ElementType {
        self.inputs()[0].element
    }

    /// The stream's length, in 32-bit words.
    fn words(&self) -> u64 {
        let words = |input: &Input| u64::from(input.element.words() * input.arity);
        self.len() * self.inputs().first().map_or(0, words)
    }

    /// The properties, besides size, that decide which algorithm is fastest.
    fn shape(&self) -> Shape {
        Shape::PLAIN
    }

    /// Checks the numbers of the input streams, as far as wrong ones have no right result.
    ///
    /// Errors: as the spec says: [`SpecError::Offsets`].
    fn check_inputs(&self, inputs: &[&Numbers]) -> Result<(), Error> {
        let _ = inputs;
        Ok(())
    }

    /// The items of an output that count, if an input says; all of them otherwise.
    fn valid(&self, output: &Output, inputs: &[&Numbers]) -> Option<u64> {
        let _ = (output, inputs);
        None
    }

    /// The layout that each input stream needs for an algorithm, whether it takes all options itself or leaves some to
    /// passes around its own.
    ///
    /// Errors: as [`Algorithm::placement`].
    fn placements<A: Algorithm<Self> + ?Sized>(
        &self,
        algorithm: &A,
        device: &Device,
    ) -> Result<Vec<Placement>, Error>
    where
        Self: Sized,
    {
        let placement = algorithm.placement(self, device)?;
        Ok(self.inputs().iter().map(|input| input.place(placement)).collect())
    }

    /// Adds the passes of an algorithm, and those for options that it does not take itself.
    ///
    /// Errors: as [`Algorithm::build`].
    fn build<A: Algorithm<Self> + ?Sized>(
        &self,
        algorithm: &A,
        plan: &mut Plan,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error>
    where
        Self: Sized,
    {
        algorithm.build(plan, self, inputs, device)
    }

    /// Computes the reference: the results, on the CPU, item by item.
    ///
    /// Errors: [`SpecError`] in [`Error::Spec`], [`Error::ElementMismatch`], [`Error::NoTwin`], and [`Error::Memory`].
    ///
    /// # Panics
    ///
    /// If an input is not as long as the spec says.
    fn solve(&self, inputs: &[&Numbers]) -> Result<Results, Error>;

    /// The same request of the first items only, as many as a further stream of one u32 says; `None` if the problem has no such
    /// request.
    fn of_gpu_length(&self) -> Option<Request> {
        None
    }

    /// The same request with another operator; `None` if the problem has none.
    fn by_operator(&self, operator: Operator) -> Option<Request> {
        let _ = operator;
        None
    }

    /// The cost of [`Self::solve`], in a plan's counts, if everything is kept.
    fn cost(&self) -> Cost;

    /// Returns true if results must equal the reference to the bit: by default, if the stream has no floats. Otherwise
    /// [`Self::verify`] checks them against bounds.
    fn is_exact(&self) -> bool {
        !self.element().is_float()
    }

    /// Checks results without the reference. `depth` is the longest chain of uses of the operator ([`Cost::depth`] of
    /// a plan); `None` if the results are the reference itself.
    ///
    /// Errors: the first wrong index.
    fn verify(
        &self,
        inputs: &[&Numbers],
        depth: Option<u64>,
        results: &Results,
    ) -> Result<Verified, Mismatch>;

    /// The options that make this request.
    fn arguments(&self) -> Arguments;

    /// Names and values that documents print besides problem, length and element.
    fn facts(&self) -> Vec<(&'static str, String)>;

    /// Returns true if another spec is equal to this one.
    fn equals(&self, other: &dyn Spec) -> bool;

    /// The JSON that [`Problem::read`](Problem#structfield.read) reads.
    #[cfg(feature = "recordings")]
    fn to_json(&self) -> Result<serde_json::Value, serde_json::Error>;
}

/// An input stream of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input {
    /// The name in plans.
    pub name: &'static str,
    /// The type of its numbers.
    pub element: ElementType,
    /// Elements in an item.
    pub arity: u32,
    /// Items in the stream.
    pub len: u64,
    /// Items in each of its own texels; `None` if it lies as the algorithm's stream does. Of no effect in buffers.
    pub own_texels: Option<u32>,
}

impl Input {
    /// The name of a stream of one u32, the last one, that says how many items count.
    pub const LENGTH: &str = "length";
    /// The name of a stream of the indices of the segments' first items.
    pub const OFFSETS: &str = "offsets";
    /// The name of a stream of ascending edges.
    pub const EDGES: &str = "edges";

    /// A stream that lies as the algorithm wants it.
    pub fn items(name: &'static str, element: ElementType, arity: u32, len: u64) -> Input {
        Input { name, element, arity, len, own_texels: None }
    }

    /// A stream of u32, `texel` of them to a texel.
    pub fn words(name: &'static str, len: u64, texel: u32) -> Input {
        Input { own_texels: Some(texel), ..Input::items(name, ElementType::U32, 1, len) }
    }

    /// The number of items that count.
    pub fn length() -> Input {
        Input::words(Input::LENGTH, 1, 1)
    }

    /// The items that count of `len`, by the last of some inputs: all of them unless it is `counted`.
    pub fn valid(counted: bool, inputs: &[&Numbers], len: u64) -> Option<u64> {
        let length = inputs.last().filter(|_| counted)?;
        Some(u64::from(*length.get::<u32>().ok()?.first()?).min(len))
    }

    /// The placement of this stream, for an algorithm with this one.
    pub fn place(&self, algorithm: Placement) -> Placement {
        match (algorithm, self.own_texels) {
            (Placement::Texture { .. }, Some(items_per_texel)) => {
                Placement::Texture { items_per_texel, unit: 1 }
            }
            (placement, _) => placement,
        }
    }

    /// Numbers in the stream.
    pub fn elements(&self) -> u64 {
        self.len.saturating_mul(self.arity.into())
    }
}

/// A resulting stream of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// The name in a plan of several outputs: `values`.
    pub name: &'static str,
    /// The noun for one of its numbers: `value`.
    pub one: &'static str,
    /// The type of its numbers.
    pub element: ElementType,
    /// Elements in an item.
    pub arity: u32,
    /// True if only the first items count, as many as the output [`Output::COUNT`] says; the rest is undefined.
    pub counted: bool,
}

impl Output {
    /// The output that holds the number of valid results in the counted streams.
    pub const COUNT: Output =
        Output { name: "count", one: "count", element: ElementType::U32, arity: 1, counted: false };
}

/// A spec of any problem.
#[derive(Clone)]
pub struct Request(Arc<dyn Spec>);

impl Request {
    /// A spec whose type is erased.
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

    /// The streams of a plain request ([`Problem::plain`]) of these numbers: beside them, if it reads edges, those from 0 on.
    ///
    /// Errors: memory.
    pub fn plain_streams<'a>(&self, numbers: &'a Numbers) -> Result<Vec<Cow<'a, Numbers>>, Error> {
        let ramp =
            |input: Input| Numbers::of_whole(input.element, input.len as usize, 0..input.len).map(Cow::Owned);
        let beside = self.inputs().into_iter().skip(1).map(ramp);
        std::iter::once(Ok(Cow::Borrowed(numbers))).chain(beside).collect()
    }

    /// Reads a spec that [`Spec::to_json`] wrote.
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
