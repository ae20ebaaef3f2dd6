//! podlozhnyuk2007: work groups that count in shared memory. `glsl/histogram/atomic/`.

use super::Bins;
use crate::{Error, GroupKernel, Terms};

/// A group counts its items, and adds its counts to those of all.
pub fn count(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (bins, in_shared) = (Bins::new(terms)?, terms.is_on("IN_SHARED"));
    let [items, edges, counts] = ["ITEMS", "EDGES", "COUNTS"].map(|name| terms.binding(name));
    let (items, edges, counts) = (items?, edges?, counts?);
    let (len, rows) = (terms.int("u_len")? as usize, terms.int("u_rows")? as usize);
    Ok(Box::new(move |group| {
        let (size, first) = (group.size, group.index as usize * rows * group.size);
        let mut copied = vec![0; bins.count as usize + 1];
        let mut own = vec![0; bins.count as usize + 1];
        if in_shared {
            group.each(|at| {
                for edge in (at.number..copied.len()).step_by(size) {
                    copied[edge] = at.read(edges, edge, 1).words()[0];
                }
            });
            group.barrier();
        }
        group.each(|at| {
            for index in (first + at.number..len).step_by(size).take(rows) {
                let item = at.read(items, index, 1).words()[0];
                let edge_at = |edge: i32| match in_shared {
                    true => copied[edge as usize],
                    false => at.read(edges, edge as usize, 1).words()[0],
                };
                let bin = bins.of(item, edge_at) as usize;
                if in_shared {
                    own[bin] += 1;
                } else if bin < bins.count as usize {
                    at.note(counts, bin, 1, true);
                    at.exchange(counts, bin, |count| count + 1);
                }
            }
        });
        if in_shared {
            group.barrier();
            group.each(|at| {
                for bin in (at.number..bins.count as usize).step_by(size) {
                    at.note(counts, bin, 1, true);
                    at.exchange(counts, bin, |count| count + own[bin]);
                }
            });
        }
    }))
}
