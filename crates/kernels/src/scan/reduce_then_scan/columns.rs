//! Columns of a matrix, a column of a band of rows for each invocation. `columns.glsl` and `columns_*.comp`.

use crate::{Binding, Error, GroupKernel, Invocation, Item, Terms};

/// The bands of a matrix.
#[derive(Clone, Copy)]
struct Columns {
    source: Binding,
    /// Work groups in a row.
    across: usize,
    /// Items in a row.
    width: usize,
    /// Rows in a band.
    band: usize,
    /// Invocations in a group.
    group: usize,
    words: usize,
}

impl Columns {
    fn new(terms: &Terms<'_>) -> Result<Columns, Error> {
        Ok(Columns {
            source: terms.binding("SOURCE")?,
            across: terms.int("u_across")?.max(1) as usize,
            width: terms.int("u_width")? as usize,
            band: terms.define("BAND")? as usize,
            group: terms.invocations(),
            words: terms.operation().words,
        })
    }

    /// The column and the band of an invocation, if it has one.
    fn own(&self, at: &Invocation<'_>) -> Option<(usize, usize)> {
        let group = at.id / self.group;
        let column = group % self.across * self.group + at.number;
        (column < self.width).then_some((column, group / self.across))
    }

    fn item(&self, at: &mut Invocation<'_>, row: usize, column: usize) -> Item {
        at.read_item(self.source, row * self.width + column, self.words)
    }
}

/// The sum of each column of a band.
pub fn columns_reduce(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let columns = Columns::new(terms)?;
    let sums = terms.binding("SUMS")?;
    Ok(Box::new(move |group| {
        group.each(|at| {
            let Some((column, band)) = columns.own(at) else { return };
            let first = columns.item(at, band * columns.band, column);
            let sum = (1..columns.band).fold(first, |sum, row| {
                let next = columns.item(at, band * columns.band + row, column);
                at.combine(&sum, &next)
            });
            at.write_item(sums, band * columns.width + column, &sum, columns.words);
        });
    }))
}

/// Each column of a band, from the sum of the bands before it.
pub fn columns_scan(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let columns = Columns::new(terms)?;
    let Columns { width, words, .. } = columns;
    let sums = terms.is_on("SUMMED").then(|| terms.binding("SUMS")).transpose()?;
    let target = terms.binding("TARGET")?;
    let rows = terms.int("u_rows")? as usize;
    let exclusive = terms.is_on("EXCLUSIVE");
    Ok(Box::new(move |group| {
        group.each(|at| {
            let Some((column, band)) = columns.own(at) else { return };
            // The first item is copied, so that -0.0 stays -0.0.
            let mut sum =
                sums.filter(|_| band > 0).map(|sums| at.read_item(sums, (band - 1) * width + column, words));
            for row in band * columns.band..rows.min((band + 1) * columns.band) {
                let own = columns.item(at, row, column);
                let next = sum.map_or(own, |sum| at.combine(&sum, &own));
                let result = if exclusive { sum.unwrap_or_else(|| at.identity()) } else { next };
                at.write_item(target, row * width + column, &result, words);
                sum = Some(next);
            }
        });
    }))
}
