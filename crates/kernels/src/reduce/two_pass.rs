//! Reduction in two passes: work groups share the stream, then one combines their results. `glsl/reduce/two_pass/`.

use super::finish::Finish;
use super::pieces::Pieces;
use crate::{Error, GroupKernel, Terms};

/// Each group combines its pieces.
pub fn reduce(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let pieces = Pieces::new(terms)?;
    Ok(Box::new(move |group| {
        let totals = pieces.reduce(group);
        pieces.put_sums(group, &totals);
    }))
}

/// One group combines the results of all.
pub fn finish(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let finish = Finish::new(terms)?;
    Ok(Box::new(move |group| {
        let mut totals = finish.shared();
        finish.run(group, &mut totals);
    }))
}
