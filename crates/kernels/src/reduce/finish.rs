//! The results of all work groups, combined in order by one group. `glsl/reduce/common/finish.glsl`.

use std::rc::Rc;

use crate::scan::totals::{Totals, sum_of_lanes};
use crate::{Binding, Error, Group, Operation, Terms, Warps};

/// What the last group needs to know.
pub struct Finish {
    operation: Rc<Operation>,
    warps: Warps,
    invocations: usize,
    tuple: usize,
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
            warps: Warps::new(terms.lanes(), terms.define("LANES")? as usize),
            invocations: terms.invocations(),
            tuple: terms.define("TUPLE")? as usize,
            source: terms.binding("SUMS")?,
            result: terms.binding("RESULT")?,
            sums: terms.int("u_sums")? as usize,
        })
    }

    /// Shared memory for the totals of the group's warps.
    pub fn totals(&self) -> Totals {
        Totals::new(self.invocations / self.warps.lanes, self.tuple, self.operation.words)
    }

    /// Each invocation takes neighbouring sums. The group must have finished reading totals.
    pub fn run(&self, group: &mut Group<'_>, totals: &mut Totals) {
        let words = self.operation.words;
        let each = self.sums.div_ceil(self.invocations);
        for member in 0..self.tuple {
            let sums = group.map(|at| {
                let own = at.number * each..(at.number * each + each).min(self.sums);
                own.fold(at.identity(), |sum, i| {
                    let next = at.read_item(self.source, i * self.tuple + member, words);
                    at.combine(&sum, &next)
                })
            });
            let sums = sum_of_lanes(group, self.warps, sums, words, (1, self.warps.lanes), |_| true);
            group.each(|at| {
                if self.warps.lane(at.number) == 0 {
                    totals.set(at, self.warps.warp(at.number), member, sums[at.number]);
                }
            });
        }
        group.barrier();
        group.each(|at| {
            for member in (at.number..self.tuple).step_by(self.invocations) {
                let total = totals.of_all(at, member);
                at.write_item(self.result, member, &total, words);
            }
        });
    }
}
