//! All algorithms with their cards. The program, the tests and the benches iterate over [`all`]; an
//! algorithm that is not here does not exist for them.

pub use crate::algorithm::{
    Arguments, Built, Card, Choice, ChoiceError, Domain, Era, Inner, Need, Numbers, Parameter, Variants, hint,
};
pub use crate::spec::Family;

use crate::device::Device;
use crate::spec::{Request, ScanSpec};
use crate::{compact, scan};

/// Every algorithm, in the order in which `list` and `demo` show them.
pub fn all() -> impl Iterator<Item = &'static Card> {
    scan::CARDS.iter().chain(compact::CARDS).copied()
}

/// The cards of one family.
pub fn family(family: Family) -> impl Iterator<Item = &'static Card> {
    all().filter(move |card| card.family == family)
}

/// The oracle of a family, which runs on the CPU.
pub fn sequential(family: Family) -> Choice {
    match family {
        Family::Scan => scan::CARDS[0].with_defaults(),
        Family::Compact => compact::CARDS[0].with_defaults(),
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

impl Choice {
    /// Reads an algorithm of a family as [`Choice::among`] does.
    pub fn parse(family: Family, text: &str) -> Result<Choice, ChoiceError> {
        match family {
            Family::Scan => Choice::among(scan::CARDS.iter().copied(), text),
            Family::Compact => Choice::among(compact::CARDS.iter().copied(), text),
        }
    }
}
