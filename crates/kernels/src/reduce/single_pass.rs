//! harris2007 on reduction, with a ticket: the last group to finish combines the results of all. `glsl/reduce/single_pass/`.

use super::finish::Finish;
use super::pieces::Pieces;
use crate::{Error, GroupKernel, Item, Terms};

/// Each group combines its pieces and takes a ticket; the group with the last one finishes.
pub fn reduce(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (pieces, finish) = (Pieces::new(terms)?, Finish::new(terms)?);
    let ticket = terms.binding("TICKET")?;
    Ok(Box::new(move |group| {
        let mut totals = pieces.reduce(group);
        pieces.put_sums(group, &totals);
        group.barrier();
        let mut first = group.invocation(0);
        let taken = first.peek(ticket, 0);
        first.write(ticket, 0, &Item::of(&[taken + 1]), 1);
        group.barrier();
        if taken as usize + 1 != finish.sums {
            return;
        }
        finish.run(group, &mut totals);
        group.invocation(0).write(ticket, 0, &Item::of(&[0]), 1);
    }))
}
