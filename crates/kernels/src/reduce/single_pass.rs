//! harris2007 on reduction, with a ticket: the last group to finish combines the results of all. `glsl/reduce/single_pass/`.

use super::finish::Finish;
use super::pieces::Pieces;
use crate::{Error, GroupKernel, Terms};

/// Each group combines its pieces and takes a ticket; the group with the last one finishes.
pub fn reduce(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (pieces, finish) = (Pieces::new(terms)?, Finish::new(terms)?);
    let ticket = terms.binding("TICKET")?;
    Ok(Box::new(move |group| {
        let mut totals = pieces.reduce(group);
        pieces.put_sums(group, &totals);
        group.barrier();
        let mut first = group.invocation(0);
        first.list(ticket, 0, 1, true);
        let taken = first.exchange(ticket, 0, |taken| taken + 1);
        group.barrier();
        if taken as usize + 1 != finish.sums {
            return;
        }
        finish.run(group, &mut totals);
        let mut first = group.invocation(0);
        first.list(ticket, 0, 1, true);
        first.exchange(ticket, 0, |_| 0);
    }))
}
