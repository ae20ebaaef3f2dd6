//! The passes around scans in textures of any width.

use super::{Places, Values, flag_of};
use crate::length::Length;
use crate::{Error, Fragment, FragmentKernel, Source, Terms};

/// The bit of item `index`; where no flags are bound, none is set.
fn flag_at(at: &mut Fragment<'_>, flags: Option<Source>, index: i32) -> bool {
    flags.is_some_and(|flags| flag_of(at.fetch_word(flags, flags.shape.texel(index >> 5)), index))
}

/// The flags of a pass, if it looks at them.
fn flags(terms: &Terms<'_>, looks: bool) -> Result<Option<Source>, Error> {
    (looks && terms.is_on("FLAGGED")).then(|| terms.source("u_flags")).transpose()
}

/// Arrange: the items in the order of their visits, each with a flag where a scan begins.
pub fn arrange(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (places, values) = (Places::new(terms)?, Values::new(terms));
    let (source, target) = (terms.source("u_source")?, terms.target());
    let (flags, items) = (flags(terms, true)?, terms.define("TARGET_ITEMS")?);
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * items;
        for (visit, place) in (first..places.len).zip(0..items as usize) {
            let index = places.index_of_visit(visit);
            let value = at.fetch_item_at(source, index);
            let item = values.item(value, || places.begins(visit, index, |index| flag_at(at, flags, index)));
            at.write_item(0, place, &item, &values.operation);
        }
    }))
}

/// Restore: the results where their items were, without flags, and after the seed.
pub fn restore(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (places, values) = (Places::new(terms)?, Values::new(terms));
    let (source, target) = (terms.source("u_source")?, terms.target());
    let exclusive = terms.is_on("EXCLUSIVE");
    let (flags, items) = (flags(terms, exclusive)?, terms.define("TARGET_ITEMS")?);
    let seed = terms.is_on("SEEDED").then(|| terms.source("u_seed")).transpose()?;
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * items;
        for (index, place) in (first..places.len).zip(0..items as usize) {
            let visit = places.visit_of_index(index);
            let item = at.fetch_item_at(source, visit);
            let mut value = values.of_item(item);
            // The item before may belong to another scan.
            if values.split && exclusive && places.begins(visit, index, |index| flag_at(at, flags, index)) {
                value = values.operation().identity();
            }
            if let Some(seed) = seed {
                let before = at.fetch_item_at(seed, visit % places.tuple);
                value = values.combine(at, &before, &value);
            }
            at.write_item(0, place, &value, values.operation());
        }
    }))
}

/// Total: the sum of each member of the tuples, from the last results, and of an exclusive scan from the last items too.
pub fn total(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (places, operation) = (Places::of_stream(terms)?, terms.operation());
    let (scanned, length) = (terms.source("u_scanned")?, Length::new(terms)?);
    let source = terms.is_on("EXCLUSIVE").then(|| terms.source("u_source")).transpose()?;
    let seed = terms.is_on("SEEDED").then(|| terms.source("u_seed")).transpose()?;
    Ok(Box::new(move |at| {
        let member = at.here.x;
        let len = length.items(at, scanned.shape, 1);
        // Without items the total is the seed.
        let mut total = match seed {
            Some(seed) => at.fetch_item_at(seed, member),
            None => at.identity(),
        };
        if len >= places.tuple {
            let index = places.index_of_visit(len - places.tuple + member);
            total = at.fetch_item_at(scanned, index);
            if let Some(source) = source {
                let last = at.fetch_item_at(source, index);
                total = at.combine(&total, &last);
            }
        }
        at.write_item(0, 0, &total, &operation);
    }))
}
