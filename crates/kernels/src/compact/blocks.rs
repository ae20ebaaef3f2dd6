//! roger2007, section III: blocks are compacted each alone, and joined by drawing lines. `glsl/compact/blocks/`.

mod segments;

pub use segments::{draw_part, pass_on, segments, split};

use super::bits::{bits_of, place_of};
use super::keep::Keep;
use super::moves::{Gather, Moves};
use super::sums::Sums;
use crate::{Error, FragmentKernel, Machine, Source, Terms, Texel};

/// A bit for each element, 1 if it is kept, in words of 32.
pub fn bits(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (keep, words) = (Keep::new(terms)?, terms.define("WORDS")?);
    Ok(Box::new(move |at| {
        let here = at.here;
        let mut word = |word: i32| {
            let first = (here.x * words + word) * 32;
            (0..32).fold(0, |bits, i| bits | keep.bits(at, Texel { x: first + i, y: here.y }) << i)
        };
        let words: Vec<u32> = (0..words).map(&mut word).collect();
        at.write(0, &words);
    }))
}

/// The bits of blocks. A block of up to 128 elements lies in one texel, a shorter one beside others; a longer block takes
/// several texels. `block_bits.glsl`.
#[derive(Clone, Copy)]
struct BlockBits {
    source: Source,
    /// Elements in a block.
    block: i32,
    /// Elements of the stream.
    len: i32,
}

impl BlockBits {
    fn new(terms: &Terms<'_>) -> Result<BlockBits, Error> {
        Ok(BlockBits {
            source: terms.source("u_bits")?,
            block: terms.define("BLOCK")?.max(1),
            len: terms.int("u_len")?,
        })
    }

    /// Elements in a texel.
    fn in_texel(&self) -> i32 {
        32 * self.source.texel_words as i32
    }

    /// The bits of the texel that holds an element; for a shorter block only its own.
    fn around(&self, at: &mut Machine, index: i32) -> u128 {
        let texel = at.fetch(self.source, self.source.shape.texel(index / self.in_texel()));
        let bits = bits_of(&texel[..self.source.texel_words.min(4)]);
        let in_texel = index % self.in_texel();
        match self.block < self.in_texel() {
            true => bits >> (in_texel - in_texel % self.block) & ((1 << self.block) - 1),
            false => bits,
        }
    }

    /// The first elements of the texels of a block that starts at `first`.
    fn texels(&self, first: i32) -> impl Iterator<Item = i32> + use<> {
        (first..self.len.min(first + self.block)).step_by(self.in_texel() as usize)
    }

    /// The element that moves to a position of the compacted blocks, if as many are kept in its block.
    fn element_for(&self, at: &mut Machine, place: i32) -> Option<i32> {
        if place >= self.len {
            return None;
        }
        let mut i = (place % self.block) as u32;
        for first in self.texels(place - place % self.block) {
            let bits = self.around(at, first);
            match place_of(bits, i) {
                Some(bit) => return Some(first + bit as i32),
                None => i -= bits.count_ones(),
            }
        }
        None
    }
}

/// The number of unwanted elements of each block, from its bits.
pub fn counts(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (bits, target) = (BlockBits::new(terms)?, terms.target());
    let per_texel = terms.define("PER_TEXEL")?;
    Ok(Box::new(move |at| {
        let block = per_texel * target.index(at.here);
        let mut unwanted = |block: i32| {
            let first = block * bits.block;
            let kept: u32 = bits.texels(first).map(|first| bits.around(at, first).count_ones()).sum();
            (bits.len.min(first + bits.block) - first).max(0) as u32 - kept
        };
        let unwanted: Vec<u32> = (block..block + per_texel).map(&mut unwanted).collect();
        at.write(0, &unwanted);
    }))
}

/// The number of unwanted elements of each block: the last term of its running count.
pub fn ends(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (sums, target) = (Sums::new(terms)?, terms.target());
    let (block, per_texel) = (terms.define("BLOCK")?, terms.define("PER_TEXEL")?);
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * per_texel;
        let mut unwanted = |i: i32| sums.at(at, ((first + i + 1) * block).min(sums.len) - 1) as u32;
        let unwanted: Vec<u32> = (0..per_texel).map(&mut unwanted).collect();
        at.write(0, &unwanted);
    }))
}

/// Position i of a block finds the element of its block that has i kept elements before it, in the block's bits. The texels
/// of segments (`DRAWN`) have their places in the compacted blocks further to the right.
pub fn search_bits(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (bits, gather, target) = (BlockBits::new(terms)?, Gather::new(terms)?, terms.target());
    let drawn = terms.is_on("DRAWN");
    Ok(Box::new(move |at| {
        let way = if drawn { at.given("v_way")[0] as i32 } else { 0 };
        let place = target.index(at.here) + way;
        let element = bits.element_for(at, place);
        gather.from(at, element);
    }))
}

/// A texel of a segment: the element of the compacted blocks as far to its right as there are unwanted elements before its
/// block.
pub fn concatenate(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (moves, target) = (Moves::new(terms), terms.target());
    let source = |moved: bool, name| moved.then(|| terms.source(name)).transpose();
    let values = source(moves.values, "u_moved_values")?;
    let indices = source(moves.indices, "u_moved_indices")?;
    Ok(Box::new(move |at| {
        let from = target.index(at.here) + at.given("v_way")[0] as i32;
        let mut moved = |source: Source| at.fetch(source, source.shape.texel(from));
        let (value, index) = (values.map(&mut moved), indices.map(&mut moved));
        moves.write(at, &value.unwrap_or_default(), index.unwrap_or_default()[0]);
    }))
}
