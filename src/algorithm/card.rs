//! The card of an algorithm: what is said of it, and what makes it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::{Algorithm, Arguments, Choice};
use super::{Problem, Spec};
use crate::device::Device;
use crate::error::{Error, Unsupported};
use crate::plan::Plan;
use crate::tuning::Shape;

/// What an algorithm runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// The CPU.
    Cpu,
    /// Fragments and vertices: OpenGL 3.3 or OpenGL ES 3.0.
    Texture,
    /// Compute shaders: OpenGL 4.3 or OpenGL ES 3.1.
    Compute,
}

/// What a device must offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Need {
    Nothing,
    /// Vertex and fragment shaders, and transform feedback.
    Fragments,
    /// Geometry shaders as well.
    Geometry,
    Compute,
}

impl Need {
    /// In the words of OpenGL.
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
    pub fn name(self) -> &'static str {
        match self {
            Era::Cpu => "cpu",
            Era::Texture => "texture",
            Era::Compute => "compute",
        }
    }
}

/// The card of an algorithm, which lies in its file.
#[derive(Debug)]
pub struct Card {
    /// The name on the command line; also the stem of the algorithm's file, shaders and tests.
    pub name: &'static str,
    pub problem: &'static Problem,
    pub era: Era,
    /// Parameters may ask for more.
    pub needs: Need,
    /// One line.
    pub summary: &'static str,
    /// Keys of `assets/references.bib`.
    pub sources: &'static [&'static str],
    /// Passes over n items, for people.
    pub passes: &'static str,
    /// The work for n items, for people: of a scan its uses of the operator.
    pub work: &'static str,
    pub parameters: &'static [Parameter],
    pub variants: Variants,
    /// The algorithm with these parameters as its papers print it; what it is made of comes behind.
    pub pseudo_code: fn(&Arguments) -> Vec<&'static PseudoCode>,
    /// Makes the algorithm with these parameters.
    pub build: fn(&Arguments) -> Built,
}

/// A piece of pseudo-code from one place.
///
/// A line of the text is `marks | pseudo-code`, the marks set apart by commas, each `pass`, `pass@stage` or `@stage`: who is at
/// that line. A pass is known by its phase, or by its shader without its ending. `!` before the bar marks what is printed
/// otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PseudoCode {
    pub title: &'static str,
    /// Keys of `assets/references.bib`.
    pub sources: &'static [&'static str],
    /// What is different from print; nothing where nothing is.
    pub corrected: &'static str,
    pub text: &'static str,
}

/// The parameters with which tests run an algorithm, as behind the colon of the command line; the empty text is all
/// defaults.
#[derive(Debug, Clone, Copy)]
pub struct Variants {
    /// Those that change its way through the code: with every operator, element and length.
    pub all: &'static [&'static str],
    /// Those that change addresses alone, and are slow to compile: with fewer.
    pub some: &'static [&'static str],
}

impl Variants {
    /// All parameters at their defaults, and nothing else.
    pub const DEFAULT: Variants = Variants { all: &[""], some: &[] };
}

/// A parameter of an algorithm, or an option of a problem.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// As it would be written on the command line.
    pub default: &'static str,
    /// What a tuner tries where it is `auto`.
    pub tried: Tried,
    pub domain: Domain,
}

/// What a tuner tries of a parameter. The algorithm takes what it has found from [`Device::tuning`].
#[derive(Debug, Clone, Copy)]
pub struct Tried {
    /// In ascending order; none where the parameter is not tuned.
    pub numbers: &'static [u32],
    /// The shapes of specs for which other numbers may be the best.
    pub shapes: &'static [Shape],
    /// Whether what is the best at the largest size that is timed is so beyond it.
    pub endless: bool,
}

impl Tried {
    pub const NOTHING: Tried = Tried { numbers: &[], shapes: &[], endless: true };

    /// These, alike for all shapes and beyond the largest size.
    pub const fn numbers(numbers: &'static [u32]) -> Tried {
        Tried { numbers, shapes: &[Shape::PLAIN], endless: true }
    }
}

/// The values of a parameter: numbers, words, other algorithms. A flag has none: it is there or not.
#[derive(Debug, Clone, Copy)]
pub struct Domain {
    pub numbers: Option<NumberRange>,
    pub words: &'static [&'static str],
    pub inner: Option<Inner>,
    pub free: Option<Free>,
}

/// Values that are neither words nor numbers.
#[derive(Debug, Clone, Copy)]
pub enum Free {
    /// A comparison with a number of the stream's element, which is not known yet; `reads` says what is none for any
    /// element.
    Condition { reads: fn(&str) -> bool },
    /// Another stream, as long as the first: an INPUT of its own.
    Stream,
}

/// The numbers that a parameter takes.
#[derive(Debug, Clone, Copy)]
pub struct NumberRange {
    pub min: u32,
    pub max: u32,
    /// Whether only powers of two are taken.
    pub powers_of_two: bool,
}

/// The algorithms that a parameter takes: those that can be a step of the algorithm around them.
#[derive(Debug, Clone, Copy)]
pub struct Inner {
    /// Those of the problem.
    pub cards: fn() -> &'static [&'static Card],
    /// Whether one of them fits, by how its streams lie for example.
    pub fits: fn(&Card) -> bool,
}

impl Inner {
    /// The algorithms themselves.
    pub fn cards(&self) -> impl Iterator<Item = &'static Card> + Clone {
        let Inner { cards, fits } = *self;
        cards().iter().copied().filter(move |card| fits(card))
    }
}

impl Domain {
    /// No value: the parameter is given or not.
    pub const FLAG: Domain = Domain { numbers: None, words: &[], inner: None, free: None };

    pub const fn words(words: &'static [&'static str]) -> Domain {
        Domain { words, ..Domain::FLAG }
    }

    pub const fn free(free: Free) -> Domain {
        Domain { free: Some(free), ..Domain::FLAG }
    }

    /// Whether it takes another stream.
    pub fn is_stream(&self) -> bool {
        matches!(self.free, Some(Free::Stream))
    }

    /// Whether it takes no value.
    pub fn is_flag(&self) -> bool {
        self.numbers.is_none() && self.words.is_empty() && self.inner.is_none() && self.free.is_none()
    }

    pub const fn numbers(numbers: NumberRange, words: &'static [&'static str]) -> Domain {
        Domain { numbers: Some(numbers), words, ..Domain::FLAG }
    }

    /// Algorithms, with parameters of their own; and words.
    pub const fn algorithms(inner: Inner, words: &'static [&'static str]) -> Domain {
        Domain { inner: Some(inner), words, ..Domain::FLAG }
    }

    /// The words, and the names of the algorithms.
    pub fn names(&self) -> Vec<&'static str> {
        let inner =
            self.inner.iter().flat_map(|inner| inner.cards().map(|card| card.name).collect::<Vec<_>>());
        self.words.iter().copied().chain(inner).collect()
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.free {
            Some(Free::Condition { .. }) => {
                return f.write_str("nonzero, or >, >=, <, <=, == or != and a number");
            }
            Some(Free::Stream) => return f.write_str("an input as long as the stream"),
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
    /// The oracle of a family, on the CPU.
    Sequential,
    /// An algorithm that makes plans.
    Planned(Box<dyn Planned>),
}

/// An algorithm for specs of a type that is known at run time.
pub trait Planned: fmt::Debug + Send + Sync {
    /// A plan for a spec.
    ///
    /// Errors: as [`Algorithm::plan`], and [`Error::Unsupported`] where the spec is of another problem.
    fn plan(&self, spec: &dyn Spec, device: &Device) -> Result<Plan, Error>;

    /// The name of the algorithm's type, without its path.
    fn type_name(&self) -> &'static str;

    /// An `Arc` of the algorithm itself.
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
            None => Err(Unsupported(format!("{} cannot do this: {spec}", self.algorithm.name())).into()),
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

    /// The algorithm itself, if it is one for specs of type `S`.
    pub fn typed<S: Spec>(&self) -> Option<Arc<dyn Algorithm<S>>> {
        match self {
            Built::Sequential => None,
            Built::Planned(planned) => planned.as_any().downcast_ref::<Arc<dyn Algorithm<S>>>().cloned(),
        }
    }
}

impl Card {
    /// Whether the device offers what the algorithm needs.
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
