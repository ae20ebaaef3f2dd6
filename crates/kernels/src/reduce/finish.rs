//! The results of all work groups, combined in order by one group. `glsl/reduce/common/finish.glsl`.

use std::rc::Rc;

use crate::scan::totals::Totals;
use crate::{Binding, Error, Group, Operation, Shared, Terms};

/// The terms of the last group.
pub struct Finish {
    operation: Rc<Operation>,
    totals: Totals,
    source: Binding,
    result: Binding,
    /// The groups' results, for each member of the tuples.
    pub sums: usize,
}

impl Finish {
    /// The terms of a pass.
    pub fn new(terms: &Terms<'_>) -> Result<Finish, Error> {
        Ok(Finish {
            operation: terms.operation(),
            totals: Totals::new(terms)?,
            source: terms.binding("SUMS")?,
            result: terms.binding("RESULT")?,
            sums: terms.int("u_sums")? as usize,
        })
    }

    /// Shared memory for the totals of the group's warps.
    pub fn shared(&self) -> Shared {
        self.totals.shared()
    }

    /// Each invocation takes neighbouring sums. The group must have finished reading totals.
    pub fn run(&self, group: &mut Group<'_>, shared: &mut Shared) {
        let (totals, tuple, words, size) = (self.totals, self.totals.tuple, self.operation.words, group.size);
        let each = self.sums.div_ceil(size);
        for member in 0..tuple {
            let sums = group.map(|at| {
                let own = at.number * each..(at.number * each + each).min(self.sums);
                own.fold(at.identity(), |sum, i| {
                    let next = at.read_item(self.source, i * tuple + member, words);
                    at.combine(&sum, &next)
                })
            });
            let sums = totals.of_lanes(group, sums, 1, totals.warps.lanes);
            group.each(|at| {
                if totals.warps.lane(at.number) == 0 {
                    totals.set(at, shared, member, sums[at.number]);
                }
            });
        }
        group.barrier();
        group.each(|at| {
            for member in (at.number..tuple).step_by(size) {
                let total = totals.of_group(at, shared, member, |_| false);
                at.write_item(self.result, member, &total, words);
            }
        });
    }
}
