//! All algorithms with their cards. The program, the tests and the benches iterate over [`all`]: an algorithm that is
//! not listed here does not exist for them.

pub use crate::algorithm::{
    Arguments, Built, Card, Choice, ChoiceError, Domain, Era, Free, Further, Inner, Need, NumberRange,
    Parameter, PseudoCode, Variants,
};
pub use crate::hint::hint;

use crate::algorithm::{Problem, Request};
use crate::device::Device;
use crate::problem;

/// Every algorithm, in the order in which `list` shows them.
pub fn all() -> impl Iterator<Item = &'static Card> {
    problem::ALL.into_iter().flat_map(of)
}

/// The algorithms of one problem.
pub fn of(problem: &'static Problem) -> impl Iterator<Item = &'static Card> + Clone {
    problem.cards.iter().copied()
}

/// The algorithm that computes the reference of a problem, on the CPU.
pub fn sequential(problem: &'static Problem) -> Choice {
    problem.cards[0].with_defaults()
}

/// The fastest algorithm that the device and the request allow.
///
/// Measurements on this device decide ([`Device::tuning`]). Without any, those on other devices do:
/// [`Problem::fastest`](Problem#structfield.fastest).
pub fn auto(request: impl Into<Request>, device: &Device) -> Choice {
    let request = request.into();
    let first = || (request.problem().fastest)(request.spec(), device).first();
    candidates(&request, device)
        .next()
        // Its error says why there is none.
        .or_else(|| named(request.problem(), first()?))
        .unwrap_or_else(|| sequential(request.problem()))
}

/// The algorithms that the device and the request allow, the fastest first, as far as that was measured.
pub(crate) fn candidates<'r>(request: &'r Request, device: &'r Device) -> impl Iterator<Item = Choice> + 'r {
    let problem = request.problem();
    let tuned = device.tuning.algorithm(problem.name, request.shape(), request.words());
    // An algorithm that cannot serve the request gives way to the next: buffers hold half of what packed texels hold,
    // and texels of one item half of that.
    let fastest =
        (problem.fastest)(request.spec(), device).iter().copied().filter(move |name| Some(*name) != tuned);
    let choices = tuned.into_iter().chain(fastest).filter_map(|name| named(problem, name));
    choices.filter(move |choice| choice.plan(request, device).is_ok())
}

/// The algorithm with this name, all parameters at their defaults.
fn named(problem: &'static Problem, name: &str) -> Option<Choice> {
    of(problem).find(|card| card.name == name).map(Card::with_defaults)
}
