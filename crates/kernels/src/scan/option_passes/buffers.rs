//! The passes around scans in buffers: an invocation for each item, or a group for a square of a matrix.

use super::heads::{BITS, word_of_flags, word_of_keys};
use super::{Places, Values, flag_of};
use crate::length::BoundLength;
use crate::{Binding, Error, GroupKernel, Invocation, Item, Terms};

/// The bit of item `index`; where no flags are bound, none is set.
fn flag_at(at: &mut Invocation<'_>, flags: Option<Binding>, index: i32) -> bool {
    flags.is_some_and(|flags| flag_of(at.read(flags, index as usize >> 5, 1).words()[0], index))
}

/// Arrange: the items in the order of their visits, each with a flag where a scan begins.
pub fn arrange(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (places, values) = (Places::new(terms)?, Values::new(terms));
    let (source, target) = (terms.binding("SOURCE")?, terms.binding("TARGET")?);
    let flags = places.flagged.then(|| terms.binding("FLAGS")).transpose()?;
    Ok(Box::new(move |group| {
        group.each(|at| {
            let visit = at.id as i32;
            if visit >= places.len {
                return;
            }
            let index = places.index_of_visit(visit);
            let value = at.read_item(source, index as usize, values.operation().words);
            let item = values.item(value, || places.begins(visit, index, |index| flag_at(at, flags, index)));
            at.write_item(target, visit as usize, &item, values.operation.words);
        });
    }))
}

/// Restore: the results where their items were, without flags, and after the seed.
pub fn restore(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (places, values) = (Places::new(terms)?, Values::new(terms));
    let (source, target) = (terms.binding("SOURCE")?, terms.binding("TARGET")?);
    let resets = values.split && terms.is_on("EXCLUSIVE");
    let flags = (resets && places.flagged).then(|| terms.binding("FLAGS")).transpose()?;
    let seed = terms.is_on("SEEDED").then(|| terms.binding("SEED")).transpose()?;
    Ok(Box::new(move |group| {
        let words = values.operation().words;
        group.each(|at| {
            let index = at.id as i32;
            if index >= places.len {
                return;
            }
            let visit = places.visit_of_index(index);
            let item = at.read_item(source, visit as usize, values.operation.words);
            let mut value = values.of_item(item);
            // The item before may belong to another scan.
            if resets && places.begins(visit, index, |index| flag_at(at, flags, index)) {
                value = values.operation().identity();
            }
            if let Some(seed) = seed {
                let before = at.read_item(seed, (visit % places.tuple) as usize, words);
                value = values.combine(at, &before, &value);
            }
            at.write_item(target, index as usize, &value, words);
        });
    }))
}

/// Total: the sum of each member of the tuples, from the last results, and of an exclusive scan from the last items too.
pub fn total(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (places, length) = (Places::of_stream(terms)?, BoundLength::new(terms)?);
    let (scanned, target) = (terms.binding("SCANNED")?, terms.binding("TOTAL")?);
    let source = terms.is_on("EXCLUSIVE").then(|| terms.binding("SOURCE")).transpose()?;
    let seed = terms.is_on("SEEDED").then(|| terms.binding("SEED")).transpose()?;
    let words = terms.operation().words;
    Ok(Box::new(move |group| {
        group.each(|at| {
            let member = at.number as i32;
            if member >= places.tuple {
                return;
            }
            let len = length.of(at, places.len);
            // Without items the total is the seed.
            let mut total = match seed {
                Some(seed) => at.read_item(seed, at.number, words),
                None => at.identity(),
            };
            if len >= places.tuple {
                let index = places.index_of_visit(len - places.tuple + member) as usize;
                total = at.read_item(scanned, index, words);
                if let Some(source) = source {
                    let last = at.read_item(source, index, words);
                    total = at.combine(&total, &last);
                }
            }
            at.write_item(target, at.number, &total, words);
        });
    }))
}

/// A matrix, transposed: each group moves a square of it through shared memory. Of a reversed scan visits are counted from
/// the last item: those are the target's indices, or where results are restored the source's.
pub fn transpose(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (source, target) = (terms.binding("SOURCE")?, terms.binding("TARGET")?);
    let seed = terms.is_on("SEEDED").then(|| terms.binding("SEED")).transpose()?;
    let [rows, columns] = ["u_rows", "u_columns"].map(|name| terms.int(name));
    let (rows, columns) = (rows? as usize, columns? as usize);
    let (side, tuple) = (terms.define("SIDE")? as usize, terms.define("TUPLE")? as usize);
    let (is_reversed, restores) = (terms.is_on("REVERSED"), terms.is_on("RESTORES"));
    let (words, size) = (terms.operation().words, terms.invocations());
    let reversed = move |index: usize| if is_reversed { rows * columns - 1 - index } else { index };
    Ok(Box::new(move |group| {
        let across = columns.div_ceil(side);
        let (top, left) = (group.index as usize / across * side, group.index as usize % across * side);
        // An invocation's column of the square, and its rows.
        let column = |thread: usize| (thread % side, (thread / side..side).step_by(size / side));
        let mut square = vec![Item::of(&[]); side * side];
        group.each(|at| {
            let (x, ys) = column(at.number);
            for y in ys.filter(|y| top + y < rows && left + x < columns) {
                let index = (top + y) * columns + left + x;
                let index = if restores { reversed(index) } else { index };
                square[y * side + x] = at.read_item(source, index, words);
            }
        });
        group.barrier();
        group.each(|at| {
            let (x, ys) = column(at.number);
            for y in ys.filter(|y| left + y < columns && top + x < rows) {
                let index = (left + y) * rows + top + x;
                let index = if restores { index } else { reversed(index) };
                let mut item = square[x * side + y];
                if let Some(seed) = seed {
                    // The number of the visit, which the source is indexed by.
                    let visit = reversed((top + x) * columns + left + y);
                    let before = at.read_item(seed, visit % tuple, words);
                    item = at.combine(&before, &item);
                }
                at.write_item(target, index, &item, words);
            }
        });
    }))
}

/// Flags, a word for each invocation.
pub fn flags(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (offsets, target) = (terms.binding("OFFSETS")?, terms.binding("FLAGS")?);
    let (count, words) = (terms.int("u_offsets")? as usize, terms.int("u_words")? as usize);
    Ok(Box::new(move |group| {
        group.each(|at| {
            if at.id < words {
                let first = at.id as u32 * BITS;
                let flags = word_of_flags(first, count, |i| at.read(offsets, i, 1).words()[0]);
                at.write(target, at.id, &Item::of(&[flags]), 1);
            }
        });
    }))
}

/// Flags where keys differ, a word for each invocation.
pub fn keys(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (keys, target) = (terms.binding("KEYS")?, terms.binding("FLAGS")?);
    let (len, words) = (terms.int("u_len")? as usize, terms.define("WORDS")? as usize);
    Ok(Box::new(move |group| {
        group.each(|at| {
            let first = at.id * BITS as usize;
            if first < len {
                let flags = word_of_keys(first, len, |i| at.read_item(keys, i, words).bits());
                at.write(target, at.id, &Item::of(&[flags]), 1);
            }
        });
    }))
}
