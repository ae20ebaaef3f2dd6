//! The card of an algorithm: its description, and how to build it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::{Algorithm, Arguments, Choice};
use super::{Problem, Spec};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::{SpecError, check_offsets};
use crate::numbers::Numbers;
use crate::plan::Plan;
use crate::source::{Pattern, Source};
use crate::tuning::Shape;
use crate::unsupported::Unsupported;

/// The part of the machine that an algorithm runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Era {
    /// The CPU.
    Cpu,
    /// Fragments and vertices: OpenGL 3.3 or OpenGL ES 3.0.
    Texture,
    /// Compute shaders: OpenGL 4.3 or OpenGL ES 3.1.
    Compute,
}

/// The features that an algorithm needs of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Need {
    /// No device: the algorithm runs on the CPU.
    Nothing,
    /// Vertex and fragment shaders, and transform feedback.
    Fragments,
    /// Geometry shaders as well.
    Geometry,
    /// Compute shaders and storage buffers.
    Compute,
}

impl Need {
    /// The need in OpenGL's versions and terms.
    pub fn name(self) -> &'static str {
        match self {
            Need::Nothing => "nothing",
            Need::Fragments => "OpenGL 3.3 or OpenGL ES 3.0",
            Need::Geometry => "geometry shaders: OpenGL 3.3 or OpenGL ES 3.2",
            Need::Compute => "OpenGL 4.3 or OpenGL ES 3.1",
        }
    }
}

impl Era {
    /// The name as listings print it.
    pub fn name(self) -> &'static str {
        match self {
            Era::Cpu => "cpu",
            Era::Texture => "texture",
            Era::Compute => "compute",
        }
    }
}

/// The card of an algorithm; it lies in the algorithm's file.
#[derive(Debug)]
pub struct Card {
    /// The name on the command line; also the stem of the algorithm's file, shaders and tests.
    pub name: &'static str,
    /// The problem that it solves.
    pub problem: &'static Problem,
    /// The kind of shaders that it is made of.
    pub era: Era,
    /// The least that it needs; parameters may ask for more.
    pub needs: Need,
    /// One line for listings.
    pub summary: &'static str,
    /// Keys of `assets/references.bib`.
    pub sources: &'static [&'static str],
    /// Passes over n items, for readers.
    pub passes: &'static str,
    /// The work for n items, for readers; for a scan, uses of the operator.
    pub work: &'static str,
    /// The parameters, in the order in which they are printed.
    pub parameters: &'static [Parameter],
    /// The parameters that tests try.
    pub variants: Variants,
    /// The algorithm with these parameters as its papers print it, followed by its inner algorithms.
    pub pseudo_code: fn(&Arguments) -> Vec<&'static PseudoCode>,
    /// Builds the algorithm with these parameters.
    pub build: fn(&Arguments) -> Built,
}

/// The cards of a problem. Without the feature `compute`, what runs on textures alone needs no others.
macro_rules! cards {
    ([$($card:expr),* $(,)?], compute [$($compute:expr),* $(,)?]) => {
        &[$(&$card,)* $(#[cfg(feature = "compute")] &$compute,)*]
    };
}
pub(crate) use cards;

/// A piece of pseudo-code from one source.
///
/// A line of the text is `marks | pseudo-code`. The marks are separated by commas; each is `pass`, `pass@stage` or
/// `@stage`, the pass and stage that the line describes. A pass is named by its phase, or by its shader without the
/// extension. `!` before the bar marks a line that differs from print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PseudoCode {
    /// The title above the listing.
    pub title: &'static str,
    /// Keys of `assets/references.bib`.
    pub sources: &'static [&'static str],
    /// The differences from print; empty if there are none.
    pub corrected: &'static str,
    /// The lines, with their marks.
    pub text: &'static str,
}

/// The parameters with which tests run an algorithm, written as after the colon on the command line; the empty text
/// means all defaults.
#[derive(Debug, Clone, Copy)]
pub struct Variants {
    /// Parameters that select other code: run with every operator, element and length.
    pub all: &'static [&'static str],
    /// Parameters that only change addresses and are slow to compile: run with fewer.
    pub some: &'static [&'static str],
}

impl Variants {
    /// All parameters at their defaults, and nothing else.
    pub const DEFAULT: Variants = Variants { all: &[""], some: &[] };
}

/// A parameter of an algorithm, or an option of a problem.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name on the command line.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// The default, as it is written on the command line.
    pub default: &'static str,
    /// The values that a tuner tries where it is `auto`.
    pub candidates: Candidates,
    /// The values that it takes.
    pub domain: Domain,
}

/// Parameters that have a new name, after their old one, which is still read.
const RENAMED: &[(&str, &str)] = &[("rows", "vectors")];

/// Old and new name of each parameter that an algorithm with parameters names by its old one: `sam:rows=4`.
pub fn renamed_parameters(text: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let named = |old: &str| text.split([':', ',', '+']).any(|part| part.split('=').next() == Some(old));
    RENAMED.iter().copied().filter(move |(old, _)| named(old))
}

impl Parameter {
    /// Returns true if this is its name, or the one it had in earlier versions.
    pub fn is_named(&self, name: &str) -> bool {
        name == self.name || RENAMED.contains(&(name, self.name))
    }
}

/// The values of a parameter that a tuner tries. The algorithm takes the best one from [`Device::tuning`].
#[derive(Debug, Clone, Copy)]
pub struct Candidates {
    /// In ascending order; empty if the parameter is not tuned.
    pub numbers: &'static [u32],
    /// The shapes of specs for which the best value may differ.
    pub shapes: &'static [Shape],
    /// True if the best value at the largest size timed also holds beyond it.
    pub endless: bool,
}

impl Candidates {
    /// A parameter that is not tuned.
    pub const NONE: Candidates = Candidates { numbers: &[], shapes: &[], endless: true };

    /// These values, for all shapes alike and beyond the largest size.
    pub const fn numbers(numbers: &'static [u32]) -> Candidates {
        Candidates { numbers, shapes: &[Shape::PLAIN], endless: true }
    }
}

/// The values of a parameter: numbers, words, other algorithms. A flag takes no value.
#[derive(Debug, Clone, Copy)]
pub struct Domain {
    /// The range of numbers that it takes, if any.
    pub numbers: Option<NumberRange>,
    /// The words that it takes.
    pub words: &'static [&'static str],
    /// The algorithms that it takes, if any.
    pub inner: Option<Inner>,
    /// Its other values, if any.
    pub custom: Option<CustomSyntax>,
}

/// Values that are neither words nor numbers.
#[derive(Debug, Clone, Copy)]
pub enum CustomSyntax {
    /// A text with a grammar of its own.
    Text {
        /// Returns true if a text is a value, whatever the stream's element.
        reads: fn(&str) -> bool,
        /// The name of its field in a form.
        title: &'static str,
        /// The grammar in words, after "expected".
        expected: &'static str,
        /// Some values, which conformance tries.
        examples: &'static [&'static str],
    },
    /// Another stream: an INPUT of its own.
    Stream(SideInput),
}

/// The meaning of a stream beside the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideInput {
    /// A u32 for each item of the first stream, of which only zero or not counts.
    Flags,
    /// The same, for a request that takes flags as bits.
    Bits,
    /// A u32 for each item of the first stream.
    Payload,
    /// A key of any element for each item of the first stream.
    Keys,
    /// Indices of items, in ascending order.
    Offsets,
    /// Numbers of the first stream's element, in ascending order.
    Edges,
    /// A few numbers of the first stream's element, typed in.
    Values,
}

/// The edges from 0 to 256: 256 bins, one for each value of 8 bits.
pub(super) const EDGES: u64 = 257;

impl SideInput {
    /// The stream where no option names one, if a request reads one all the same.
    pub fn without_option(self) -> Option<&'static Source> {
        static RAMP: Source = Source::Pattern { pattern: Pattern::Ramp, n: EDGES };
        (self == SideInput::Edges).then_some(&RAMP)
    }

    /// Returns true if the stream has an item for each of the first one's.
    pub fn is_as_long(self) -> bool {
        !matches!(self, SideInput::Offsets | SideInput::Edges | SideInput::Values)
    }

    /// The element to read it as, where the first stream has `element`.
    pub fn element(self, element: Option<ElementType>) -> Option<ElementType> {
        match self {
            SideInput::Flags | SideInput::Bits | SideInput::Payload | SideInput::Offsets => {
                Some(ElementType::U32)
            }
            SideInput::Edges | SideInput::Values => element,
            SideInput::Keys => None,
        }
    }

    /// The stream that a request of so many items takes, from the one that is read for `option`.
    ///
    /// Errors: [`Error::Length`].
    pub fn stream(self, option: &'static str, read: Numbers, items: u64) -> Result<Numbers, Error> {
        let got = read.len() as u64;
        if self.is_as_long() && got != items {
            return Err(Error::Length { what: option, got, expected: items });
        }
        match self {
            SideInput::Bits => Ok(bits(read.get()?).into()),
            _ => Ok(read),
        }
    }

    /// The stream to read, from the one that a request takes: the reverse of [`Self::stream`].
    pub fn read_from(self, stream: &Numbers, items: u64) -> Numbers {
        match (self, stream.get::<u32>()) {
            (SideInput::Bits, Ok(bits)) => {
                let flag = |item: u64| bits.get(item as usize / 32).map_or(0, |word| word >> (item % 32) & 1);
                (0..items).map(flag).collect::<Vec<u32>>().into()
            }
            _ => stream.clone(),
        }
    }
}

/// Flags as bits, 32 in a u32, the first one the lowest.
pub fn bits(flags: &[u32]) -> Vec<u32> {
    let word =
        |flags: &[u32]| (0..).zip(flags).fold(0, |word, (bit, flag)| word | u32::from(*flag != 0) << bit);
    flags.chunks(32).map(word).collect()
}

/// A bit for each of `items` items, set at these offsets: ascending, and at most `items`. Equal ones bound an empty
/// segment.
///
/// Errors: [`SpecError::Offsets`].
pub(crate) fn bits_at(offsets: &[u32], items: u64) -> Result<Vec<u32>, SpecError> {
    check_offsets(offsets, items)?;
    let mut bits = vec![0; items.div_ceil(32) as usize];
    for offset in offsets.iter().filter(|offset| u64::from(**offset) < items) {
        bits[*offset as usize / 32] |= 1 << (offset % 32);
    }
    Ok(bits)
}

/// The numbers that a parameter takes.
#[derive(Debug, Clone, Copy)]
pub struct NumberRange {
    /// The least number.
    pub min: u32,
    /// The greatest number, itself included.
    pub max: u32,
    /// True if only powers of two are taken.
    pub powers_of_two: bool,
}

/// The algorithms that a parameter takes: those that can be a step of the outer algorithm.
#[derive(Debug, Clone, Copy)]
pub struct Inner {
    /// The algorithms of the inner problem.
    pub cards: fn() -> &'static [&'static Card],
    /// Returns true if an algorithm fits, for example by the layout of its streams.
    pub fits: fn(&Card) -> bool,
}

impl Inner {
    /// The algorithms that fit.
    pub fn cards(&self) -> impl Iterator<Item = &'static Card> + Clone {
        let Inner { cards, fits } = *self;
        cards().iter().copied().filter(move |card| fits(card))
    }
}

impl Domain {
    /// No value: the parameter is present or not.
    pub const FLAG: Domain = Domain { numbers: None, words: &[], inner: None, custom: None };

    /// One of these words.
    pub const fn words(words: &'static [&'static str]) -> Domain {
        Domain { words, ..Domain::FLAG }
    }

    /// Values that are neither words nor numbers.
    pub const fn custom(custom: CustomSyntax) -> Domain {
        Domain { custom: Some(custom), ..Domain::FLAG }
    }

    /// Returns true if it takes another stream.
    pub fn is_stream(&self) -> bool {
        matches!(self.custom, Some(CustomSyntax::Stream(_)))
    }

    /// Returns true if it takes no value.
    pub fn is_flag(&self) -> bool {
        self.numbers.is_none() && self.words.is_empty() && self.inner.is_none() && self.custom.is_none()
    }

    /// Numbers of this range, and words.
    pub const fn numbers(numbers: NumberRange, words: &'static [&'static str]) -> Domain {
        Domain { numbers: Some(numbers), words, ..Domain::FLAG }
    }

    /// Algorithms with their parameters, and words.
    pub const fn algorithms(inner: Inner, words: &'static [&'static str]) -> Domain {
        Domain { inner: Some(inner), words, ..Domain::FLAG }
    }

    /// The words and the names of the algorithms.
    pub fn names(&self) -> Vec<&'static str> {
        let inner =
            self.inner.iter().flat_map(|inner| inner.cards().map(|card| card.name).collect::<Vec<_>>());
        self.words.iter().copied().chain(inner).collect()
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.custom {
            Some(CustomSyntax::Text { expected, .. }) => return f.write_str(expected),
            Some(CustomSyntax::Stream(SideInput::Offsets)) => {
                return f.write_str("an input of ascending indices");
            }
            Some(CustomSyntax::Stream(SideInput::Edges)) => {
                return f.write_str("an input of ascending numbers");
            }
            Some(CustomSyntax::Stream(SideInput::Values)) => {
                return f.write_str("a number, or several with commas");
            }
            Some(CustomSyntax::Stream(_)) => return f.write_str("an input as long as the stream"),
            None => {}
        }
        let Some(NumberRange { min, max, powers_of_two }) = self.numbers else {
            return f.write_str(&self.names().join(", "));
        };
        if powers_of_two {
            write!(f, "a power of two from ")?;
        }
        write!(f, "{min} to {max}")?;
        self.names().iter().try_for_each(|word| write!(f, ", {word}"))
    }
}

/// An algorithm with its parameters set.
#[derive(Debug)]
pub enum Built {
    /// The algorithm that computes the reference, on the CPU.
    Sequential,
    /// An algorithm that builds plans.
    Planned(Box<dyn Planned>),
}

/// An algorithm for specs whose type is known at run time.
pub trait Planned: fmt::Debug + Send + Sync {
    /// The plan for a spec.
    ///
    /// Errors: as [`Algorithm::plan`], and [`Error::Unsupported`] for a spec of another problem.
    fn plan(&self, spec: &dyn Spec, device: &Device) -> Result<Plan, Error>;

    /// The name of the algorithm's type, without its path.
    fn type_name(&self) -> &'static str;

    /// The algorithm itself, in an `Arc`.
    fn as_any(&self) -> &dyn Any;
}

#[derive(Debug)]
struct Typed<S> {
    algorithm: Arc<dyn Algorithm<S>>,
    name: &'static str,
}

impl<S: Spec> Planned for Typed<S> {
    fn plan(&self, spec: &dyn Spec, device: &Device) -> Result<Plan, Error> {
        match (spec as &dyn Any).downcast_ref::<S>() {
            Some(spec) => self.algorithm.plan(spec, device),
            None => Err(Unsupported::request(format!(
                "{} is for another problem than this {spec}; choose an algorithm of the same problem",
                self.algorithm.name()
            ))
            .into()),
        }
    }

    fn type_name(&self) -> &'static str {
        self.name.rsplit("::").next().unwrap_or(self.name)
    }

    fn as_any(&self) -> &dyn Any {
        &self.algorithm
    }
}

impl Built {
    /// The algorithm for specs of type `S`.
    pub fn of<S: Spec>(algorithm: impl Algorithm<S> + 'static) -> Built {
        let name = std::any::type_name_of_val(&algorithm);
        Built::Planned(Box::new(Typed::<S> { algorithm: Arc::new(algorithm), name }))
    }

    /// The algorithm itself, if it takes specs of type `S`.
    pub fn typed<S: Spec>(&self) -> Option<Arc<dyn Algorithm<S>>> {
        match self {
            Built::Sequential => None,
            Built::Planned(planned) => planned.as_any().downcast_ref::<Arc<dyn Algorithm<S>>>().cloned(),
        }
    }
}

impl Card {
    /// Checks that the device has what the algorithm needs.
    pub fn supported(&self, device: &Device) -> Result<(), Unsupported> {
        match self.needs {
            Need::Nothing | Need::Fragments => Ok(()),
            Need::Geometry => Unsupported::unless_geometry(device, self.name),
            Need::Compute => Unsupported::unless_compute(device, self.name).map(|_| ()),
        }
    }

    /// The pseudo-code of the algorithm with all parameters at their defaults.
    pub fn pseudo_code(&self) -> Vec<&'static PseudoCode> {
        (self.pseudo_code)(&Arguments::NONE)
    }

    /// The algorithm with all parameters at their defaults.
    pub fn with_defaults(&'static self) -> Choice {
        Choice::with_defaults(self)
    }
}
