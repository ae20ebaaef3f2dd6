//! All algorithms with their cards. The program, the tests and the benches iterate over [`ALL`]; an
//! algorithm that is not here does not exist for them.

mod choice;

use std::fmt;

use choice::Value;
pub use choice::{Arguments, Choice, ChoiceError, hint};

use crate::device::Device;
use crate::error::Unsupported;
use crate::scan::ScanAlgorithm;
use crate::scan::texture::{Horn, Hybrid, Packed, Reduce};
use crate::spec::ScanSpec;

/// What an algorithm does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    Scan,
    Compact,
}

impl Family {
    pub fn name(self) -> &'static str {
        match self {
            Family::Scan => "scan",
            Family::Compact => "compact",
        }
    }
}

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

impl Era {
    pub fn name(self) -> &'static str {
        match self {
            Era::Cpu => "cpu",
            Era::Texture => "texture",
            Era::Compute => "compute",
        }
    }

    /// What a device must offer, for people.
    pub fn requires(self) -> &'static str {
        match self {
            Era::Cpu => "nothing",
            Era::Texture => "OpenGL 3.3 or OpenGL ES 3.0",
            Era::Compute => "OpenGL 4.3 or OpenGL ES 3.1",
        }
    }
}

/// The card of an algorithm: what `list` prints.
#[derive(Debug)]
pub struct Card {
    /// The name on the command line; also the stem of the algorithm's file, shaders and tests.
    pub name: &'static str,
    pub family: Family,
    pub era: Era,
    /// One line.
    pub summary: &'static str,
    /// Keys of `assets/references.bib`.
    pub sources: &'static [&'static str],
    pub parameters: &'static [Parameter],
    build: fn(&Arguments) -> Algorithm,
}

/// A parameter of an algorithm.
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// As it would be written on the command line.
    pub default: &'static str,
    pub range: Range,
}

/// The values of a parameter.
#[derive(Debug)]
pub struct Range {
    pub min: u32,
    pub max: u32,
    /// Whether only powers of two are taken.
    pub powers_of_two: bool,
    /// Words that are taken beside the numbers.
    pub words: &'static [&'static str],
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.powers_of_two {
            write!(f, "a power of two from ")?;
        }
        write!(f, "{} to {}", self.min, self.max)?;
        self.words.iter().try_for_each(|word| write!(f, ", {word}"))
    }
}

/// An algorithm with its parameters set.
pub enum Algorithm {
    /// [`crate::reference::scan`], on the CPU.
    Sequential,
    /// An algorithm that makes plans.
    Scan(Box<dyn ScanAlgorithm>),
}

/// Every algorithm, in the order in which `list` and `demo` show them.
pub const ALL: &[Card] = &[
    Card {
        name: "sequential",
        family: Family::Scan,
        era: Era::Cpu,
        summary: "one element after the other, on the CPU: the oracle",
        sources: &["sengupta2006"],
        parameters: &[],
        build: |_| Algorithm::Sequential,
    },
    Card {
        name: "horn",
        family: Family::Scan,
        era: Era::Texture,
        summary: "ping-pong between two textures, ceil(log2 n) full passes",
        sources: &["horn2005", "hillis1986", "sengupta2006"],
        parameters: &[],
        build: |_| Algorithm::Scan(Box::new(Horn)),
    },
    Card {
        name: "hybrid",
        family: Family::Scan,
        era: Era::Texture,
        summary: "halve the stream R times, Horn on what is left, sweep down again",
        sources: &["sengupta2006"],
        parameters: &[Parameter {
            name: "reduce",
            about: "reduce passes; 0 is Horn, max ends in one row, auto leaves 4096 items",
            default: "auto",
            range: Range { min: 0, max: 30, powers_of_two: false, words: &["auto", "max"] },
        }],
        build: |arguments| {
            let reduce = match arguments.value("reduce") {
                Some(Value::Number(steps)) => Reduce::Steps(steps),
                Some(Value::Word("max")) => Reduce::Max,
                _ => Reduce::Auto,
            };
            Algorithm::Scan(Box::new(Hybrid { reduce }))
        },
    },
    Card {
        name: "blelloch",
        family: Family::Scan,
        era: Era::Texture,
        summary: "the hybrid with the most reduce passes: down to one row",
        sources: &["blelloch1990", "sengupta2006"],
        parameters: &[],
        build: |_| Algorithm::Scan(Box::new(Hybrid::BLELLOCH)),
    },
    Card {
        name: "packed",
        family: Family::Scan,
        era: Era::Texture,
        summary: "four words a texel, blocks of texels, every result written once",
        sources: &["blelloch1990", "sengupta2006"],
        parameters: &[Parameter {
            name: "block",
            about: "texels (with tuples: tuples) in a block",
            default: "auto",
            range: Range { min: 2, max: 64, powers_of_two: true, words: &["auto"] },
        }],
        build: |arguments| {
            let block = match arguments.value("block") {
                Some(Value::Number(block)) => Some(block),
                _ => None,
            };
            Algorithm::Scan(Box::new(Packed { block }))
        },
    },
];

/// The cards of one family.
pub fn family(family: Family) -> impl Iterator<Item = &'static Card> {
    ALL.iter().filter(move |card| card.family == family)
}

impl Card {
    /// Whether the device offers what the algorithm's era needs.
    pub fn supported(&self, device: &Device) -> Result<(), Unsupported> {
        match self.era {
            Era::Cpu | Era::Texture => Ok(()),
            Era::Compute if device.compute => Ok(()),
            Era::Compute => Err(Unsupported(format!(
                "{} needs compute shaders ({}); this is {}",
                self.name,
                self.era.requires(),
                device.level()
            ))),
        }
    }

    /// The algorithm with all parameters at their defaults.
    pub fn with_defaults(&'static self) -> Choice {
        Choice::with_defaults(self)
    }
}

/// The fastest algorithm that the device and the spec allow.
///
/// From measurements on an H200 and on llvmpipe: `packed` is the fastest at every length, unless members
/// of a tuple lie across its texels. Then it fetches twice as often, and `hybrid` is as fast (llvmpipe) or
/// up to 2.5 times as fast (H200).
pub fn auto(family: Family, spec: &ScanSpec, device: &Device) -> Choice {
    let items_per_texel = 4 / spec.item_words();
    let aligned = spec.tuple == 1 || spec.tuple.is_multiple_of(items_per_texel);
    let names = if aligned { ["packed", "hybrid"] } else { ["hybrid", "packed"] };
    let choices = names.map(|name| {
        let card = self::family(family).find(|card| card.name == name);
        card.unwrap_or(&ALL[0]).with_defaults()
    });
    let [first, second] = choices;
    // Packed texels hold four times as much: there are lengths that the hybrid cannot do.
    if first.plan(spec, device).is_err() && second.plan(spec, device).is_ok() { second } else { first }
}
