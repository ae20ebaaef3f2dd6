//! govindaraju2005: keys are sorted by a bitonic network, kept ones first. `glsl/compact/bitonic/`.

use super::keep::Keep;
use super::moves::Gather;
use crate::{Error, FragmentKernel, Terms};

/// The bit of keys of unwanted elements, above all indices.
const UNWANTED: u32 = 1 << 31;

/// A key is the index of an element, with a bit above it if it is unwanted, as is everything past the stream's end.
pub fn keys(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (keep, target) = (Keep::new(terms)?, terms.target());
    Ok(Box::new(move |at| {
        let index = target.index(at.here);
        let kept = index < keep.shape().len && keep.keeps(at, keep.shape().texel(index));
        at.write(0, &[index as u32 | if kept { 0 } else { UNWANTED }]);
    }))
}

/// Keys at a distance are compared and exchanged, in runs that alternate in direction.
pub fn step(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let source = terms.source("u_keys")?;
    let (run, distance) = (terms.int("u_run")?, terms.int("u_distance")?);
    Ok(Box::new(move |at| {
        let here = at.here;
        let index = source.shape.index(here);
        let own = at.fetch_word(source, here);
        let other = at.fetch_word(source, source.shape.texel(index ^ distance));
        let (ascending, first) = (index & run == 0, index & distance == 0);
        at.write(0, &[if ascending == first { own.min(other) } else { own.max(other) }]);
    }))
}

/// The key of each kept element says where the element was.
pub fn gather(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (keys, gather) = (terms.source("u_keys")?, Gather::new(terms)?);
    let (target, len) = (terms.target(), terms.int("u_len")?);
    Ok(Box::new(move |at| {
        let place = target.index(at.here);
        let key = (place < len).then(|| at.fetch_word(keys, keys.shape.texel(place)));
        gather.from(at, key.filter(|key| key & UNWANTED == 0).map(|key| key as i32));
    }))
}

/// The number of kept elements: where the unwanted keys begin, by a binary search.
pub fn count(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let keys = terms.source("u_keys")?;
    Ok(Box::new(move |at| {
        let (mut lower, mut upper) = (0, keys.shape.len);
        while lower < upper {
            let middle = (lower + upper) / 2;
            if at.fetch_word(keys, keys.shape.texel(middle)) & UNWANTED == 0 {
                lower = middle + 1;
            } else {
                upper = middle;
            }
        }
        at.write(0, &[upper as u32]);
    }))
}
