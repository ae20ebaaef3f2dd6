//! Passes that several compactions share. `glsl/compact/common/`.

use super::keep::Keep;
use super::moves::Gather;
use super::sums::Sums;
use crate::{Error, Fragment, FragmentKernel, Terms, Texel, VertexKernel};

/// The number of kept elements: all except the unwanted ones, which the last running count gives.
pub fn count(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (sums, len) = (Sums::new(terms)?, terms.int("u_len")?);
    Ok(Box::new(move |at| {
        let unwanted = sums.at(at, sums.len - 1);
        at.write(0, &[(len - unwanted) as u32]);
    }))
}

/// 1 for each unwanted element, or for each kept one. The stream has one element to a texel, the flags may have several.
pub fn flags(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let keep = Keep::new(terms)?;
    let (per_texel, unwanted) = (terms.define("PER_TEXEL")?, terms.is_on("UNWANTED"));
    Ok(Box::new(move |at| {
        let here = at.here;
        let texels = (0..per_texel).map(|i| Texel { x: here.x * per_texel + i, y: here.y });
        let flags: Vec<u32> = texels.map(|texel| u32::from(keep.keeps(at, texel) != unwanted)).collect();
        at.write(0, &flags);
    }))
}

/// A rectangle over the rows of the result that kept elements will fill, by their count.
pub fn kept_rows(terms: &Terms<'_>) -> Result<VertexKernel, Error> {
    let (count, target, items) = (terms.source("u_count")?, terms.target(), terms.define("ITEMS")?);
    Ok(Box::new(move |at| {
        let kept = at.fetch_word(count, Texel { x: 0, y: 0 });
        let texels = kept.div_ceil(items.max(1) as u32);
        let rows = texels.div_ceil(target.width as u32);
        let (right, upper) = (at.number & 1, at.number >> 1);
        at.give("v_count", [kept, 0, 0, 0]);
        at.place((right * target.width) as f32, (upper as u32 * rows) as f32);
    }))
}

/// The dichotomic search: position i of the result finds the wanted j with `j - pSum[j] = i`, where `pSum[j]` counts the
/// unwanted elements up to j. In each block on its own, or in the whole stream.
#[derive(Clone, Copy)]
struct Search {
    sums: Sums,
    block: Option<i32>,
    /// Halvings.
    steps: i32,
}

/// The elements to search for one position.
struct SearchRange {
    /// The first one of the block.
    first: i32,
    /// The position in the block.
    i: i32,
    /// The bounds of j, in the block.
    lower: i32,
    upper: i32,
}

impl Search {
    fn new(terms: &Terms<'_>) -> Result<Search, Error> {
        let block = Some(terms.define("BLOCK")?).filter(|block| *block > 0);
        Ok(Search { sums: Sums::new(terms)?, block, steps: terms.define("STEPS")? })
    }

    /// `None` if fewer elements are kept.
    fn part(&self, at: &mut Fragment<'_>, place: i32) -> Option<SearchRange> {
        let len = self.sums.len;
        let first = self.block.map_or(0, |block| place - place % block);
        let size = self.block.map_or(len, |block| block.min(len - first));
        let i = place - first;
        if i >= size {
            return None;
        }
        let lower = i + self.sums.at(at, place);
        let upper = i + self.sums.at(at, first + size - 1);
        (upper < size).then_some(SearchRange { first, i, lower, upper })
    }

    /// A loop of fixed length, for the first j up to which i + 1 elements are kept.
    fn halving(&self, at: &mut Fragment<'_>, part: &SearchRange) -> i32 {
        let SearchRange { first, i, mut lower, mut upper } = *part;
        for _ in 0..self.steps {
            let middle = (lower + upper) / 2;
            if middle - self.sums.at(at, first + middle) >= i {
                upper = middle;
            } else {
                lower = middle + 1;
            }
        }
        first + upper
    }

    /// roger2007, figure 5: a loop that ends when the element is found, and tightens both bounds by the distance to it.
    fn improved(&self, keep: &Keep, at: &mut Fragment<'_>, part: &SearchRange) -> Option<i32> {
        let SearchRange { first, i, mut lower, mut upper } = *part;
        // Each turn halves what is left.
        for _ in 0..=u32::BITS {
            let j = (lower + upper) / 2;
            let found = j - self.sums.at(at, first + j) - i;
            if found == 0 && keep.keeps(at, keep.shape().texel(first + j)) {
                return Some(first + j);
            }
            if found < 0 {
                lower = j - found;
            } else {
                upper = j - found.max(1);
            }
        }
        at.fail(|| format!("searches in vain for the element of place {}", first + i));
        None
    }
}

/// Moves to each position the element that the search finds.
pub fn search(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (search, gather, target) = (Search::new(terms)?, Gather::new(terms)?, terms.target());
    let improved = terms.is_on("IMPROVED").then(|| Keep::new(terms)).transpose()?;
    Ok(Box::new(move |at| {
        let element = search.part(at, target.index(at.here)).and_then(|part| match &improved {
            Some(keep) => search.improved(keep, at, &part),
            None => Some(search.halving(at, &part)),
        });
        gather.from(at, element);
    }))
}

/// The count of a stream without elements.
pub fn zero(_: &Terms<'_>) -> Result<FragmentKernel, Error> {
    Ok(Box::new(|at| at.write(0, &[0])))
}

/// The same in buffers.
pub mod in_buffers {
    use crate::{Error, GroupKernel, Terms};

    /// The count of a stream without elements. The shader does not record this write.
    pub fn zero(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
        let count = terms.binding("COUNT")?;
        Ok(Box::new(move |group| {
            group.each(|at| {
                at.exchange(count, 0, |_| 0);
            });
        }))
    }
}
