//! All algorithms with their cards. The program, the tests and the benches iterate over [`all`]: an algorithm that is
//! not listed here does not exist for them.

pub use crate::algorithm::{
    Arguments, Built, Card, Choice, ChoiceError, Chosen, CustomSyntax, Domain, Era, Inner, Need, NumberRange,
    Parameter, PseudoCode, SideInput, Variants, renamed_parameters,
};
pub use crate::hint::hint;

use crate::algorithm::{Problem, Request};
use crate::device::Device;
use crate::error::Error;
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

/// The fastest algorithm that the device and the request allow, with its plan.
///
/// Measurements on this device decide ([`Device::tuning`]). Without any, those on other devices do:
/// [`Problem::fastest`](Problem#structfield.fastest).
///
/// Errors: that of the first choice, if no algorithm has a plan.
pub fn auto(request: impl Into<Request>, device: &Device) -> Result<Chosen, Error> {
    let request = request.into();
    let first = || (request.problem().fastest)(request.spec(), device).first();
    if let Some(chosen) = candidates(&request, device, None).next() {
        return Ok(chosen);
    }
    let choice = first().and_then(|name| named(request.problem(), name));
    choice.unwrap_or_else(|| sequential(request.problem())).chosen(&request, device)
}

/// The algorithms that the device and the request allow, the fastest first, as far as that was measured. One that was
/// `made` before is not planned again.
pub(crate) fn candidates<'r>(
    request: &'r Request,
    device: &'r Device,
    mut made: Option<Chosen>,
) -> impl Iterator<Item = Chosen> + 'r {
    let problem = request.problem();
    let tuned = device.tuning.algorithm(problem.name, request.shape(), request.words());
    // An algorithm that cannot serve the request gives way to the next: buffers hold half of what packed texels hold,
    // and texels of one item half of that.
    let fastest =
        (problem.fastest)(request.spec(), device).iter().copied().filter(move |name| Some(*name) != tuned);
    let choices = tuned.into_iter().chain(fastest).filter_map(|name| named(problem, name));
    choices.filter_map(move |choice| {
        match made.take_if(|made| made.choice.to_string() == choice.to_string()) {
            Some(made) => Some(made),
            None => choice.chosen(request, device).ok(),
        }
    })
}

/// The algorithm with this name, all parameters at their defaults.
fn named(problem: &'static Problem, name: &str) -> Option<Choice> {
    of(problem).find(|card| card.name == name).map(Card::with_defaults)
}
