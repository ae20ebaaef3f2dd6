//! All algorithms with their cards. The program, the tests and the benches iterate over [`all`]; an
//! algorithm that is not here does not exist for them.

mod choice;
mod compact;
mod scan;

use std::fmt;

pub use crate::spec::Family;
pub use choice::{Arguments, Choice, ChoiceError, hint};

use crate::compact::CompactAlgorithm;
use crate::device::Device;
use crate::error::Unsupported;
use crate::scan::ScanAlgorithm;
use crate::spec::{Request, ScanSpec};

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

/// The card of an algorithm: what `list` prints.
#[derive(Debug)]
pub struct Card {
    /// The name on the command line; also the stem of the algorithm's file, shaders and tests.
    pub name: &'static str,
    pub family: Family,
    pub era: Era,
    /// Parameters may ask for more.
    pub needs: Need,
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

/// The values of a parameter: numbers, words, or both.
#[derive(Debug)]
pub struct Range {
    pub numbers: Option<Numbers>,
    pub words: &'static [&'static str],
}

/// The numbers that a parameter takes.
#[derive(Debug)]
pub struct Numbers {
    pub min: u32,
    pub max: u32,
    /// Whether only powers of two are taken.
    pub powers_of_two: bool,
}

impl Range {
    const fn words(words: &'static [&'static str]) -> Range {
        Range { numbers: None, words }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Numbers { min, max, powers_of_two }) = self.numbers else {
            return f.write_str(&self.words.join(", "));
        };
        if powers_of_two {
            write!(f, "a power of two from ")?;
        }
        write!(f, "{min} to {max}")?;
        self.words.iter().try_for_each(|word| write!(f, ", {word}"))
    }
}

/// An algorithm with its parameters set.
pub enum Algorithm {
    /// [`crate::reference::scan`] or [`crate::reference::compact()`], on the CPU.
    Sequential,
    /// Algorithms that make plans.
    Scan(Box<dyn ScanAlgorithm>),
    Compact(Box<dyn CompactAlgorithm>),
}

/// Every algorithm, in the order in which `list` and `demo` show them.
pub fn all() -> impl Iterator<Item = &'static Card> {
    scan::CARDS.iter().chain(compact::CARDS)
}

/// The cards of one family.
pub fn family(family: Family) -> impl Iterator<Item = &'static Card> {
    all().filter(move |card| card.family == family)
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

    /// The algorithm with all parameters at their defaults.
    pub fn with_defaults(&'static self) -> Choice {
        Choice::with_defaults(self)
    }
}

/// The oracle of a family, which runs on the CPU.
pub fn sequential(family: Family) -> Choice {
    let [scan, compact] = [&scan::CARDS[0], &compact::CARDS[0]];
    match family {
        Family::Scan => scan.with_defaults(),
        Family::Compact => compact.with_defaults(),
    }
}

/// The fastest algorithm that the device and the request allow.
///
/// What was measured on this device decides ([`Device::tuning`]). Where nothing was, this does, from measurements on
/// an H200 and on llvmpipe:
///
/// - With compute shaders on hardware: `look_back`, and for scans of higher order `sam`; `select`.
/// - With none: `packed`, at every length and share kept. But where members of a tuple lie across its texels it
///   fetches twice as often, and `hybrid` is as fast (llvmpipe) or up to 2.5 times as fast (H200).
/// - With compute shaders on a CPU: `packed` too, since copying a buffer takes as long there as scanning packed
///   texels. But tuples `reduce_then_scan` does in 0.5 to 1.0 of the time, and from order 4 on `sam` the others in 0.6
///   to 0.9 of it (2^20 and 2^22 u32).
pub fn auto(request: impl Into<Request>, device: &Device) -> Choice {
    let request = request.into();
    let able = |choice: &Choice| choice.plan(&request, device).is_ok();
    if let Some(tuned) = device.tuning.algorithm(&request).and_then(|name| named(request.family(), name))
        && able(&tuned)
    {
        return tuned;
    }
    // Whatever cannot do the request gives way to the next: buffers hold half of what packed texels hold, and texels of
    // one item half of that.
    let compute = device.compute.is_some();
    let names: &[&str] = match &request {
        Request::Compact(_) if compute && !device.software => &["select", "packed"],
        Request::Compact(_) => &["packed", "horn"],
        Request::Scan(spec) => fastest_scans(spec, compute, device.software),
    };
    let family = request.family();
    let choices = names.iter().map(|name| named(family, name).unwrap_or_else(|| sequential(family)));
    let mut choices: Vec<Choice> = choices.collect();
    choices.swap_remove(choices.iter().position(able).unwrap_or(0))
}

/// The algorithm of this name, all parameters at their defaults.
fn named(family: Family, name: &str) -> Option<Choice> {
    self::family(family).find(|card| card.name == name).map(Card::with_defaults)
}

fn fastest_scans(spec: &ScanSpec, compute: bool, software: bool) -> &'static [&'static str] {
    match (compute, software) {
        (true, false) if spec.order > 1 => &["sam", "look_back", "packed"],
        (true, false) => &["look_back", "packed"],
        (true, true) if spec.tuple > 1 => &["reduce_then_scan", "packed"],
        (true, true) if spec.order >= 4 => &["sam", "packed"],
        _ if in_whole_texels(spec) => &["packed", "hybrid"],
        _ => &["hybrid", "packed"],
    }
}

/// Whether no tuple lies across the texels of the packed scan.
fn in_whole_texels(spec: &ScanSpec) -> bool {
    spec.tuple == 1 || spec.tuple.is_multiple_of(4 / spec.item_words())
}
