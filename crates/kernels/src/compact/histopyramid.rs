//! ziegler2006: a pyramid of counts, four to a texel, and the way down to each kept element. `glsl/compact/histopyramid/`.

use super::moves::Gather;
use crate::{Error, Fragment, FragmentKernel, Item, Source, Terms, Texel};

/// Each count is the sum of the four in a texel of the level below.
pub fn reduce(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (level, target) = (terms.source("u_level")?, terms.target());
    Ok(Box::new(move |at| {
        let first = 4 * target.index(at.here);
        let mut sums = [0; 4];
        for (texel, sum) in (first..).zip(&mut sums).take_while(|(texel, _)| 4 * texel < level.shape.len) {
            *sum = sum_of(at, level, level.shape.texel(texel));
        }
        at.write(0, &sums);
    }))
}

/// The sum of the four counts in a texel.
fn sum_of(at: &mut Fragment<'_>, level: Source, texel: Texel) -> u32 {
    let [a, b, c, d] = at.fetch(level, texel).map(|count| Item::of(&[count]));
    let (low, high) = (at.combine(&a, &b), at.combine(&c, &d));
    let all = at.combine(&low, &high);
    at.note_depth(&all);
    all.words()[0]
}

/// The number of kept elements: the sum of the top.
pub fn count(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let top = terms.source("u_level")?;
    Ok(Box::new(move |at| {
        let count = sum_of(at, top, Texel { x: 0, y: 0 });
        at.write(0, &[count]);
    }))
}

/// From the top down: the element with `rank` kept elements before it is in the quarter where the running sum of the
/// counts passes `rank`, with one fetch for each level.
pub fn traverse(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (target, gather) = (terms.target(), Gather::new(terms)?);
    let levels = (0..terms.define("LEVELS")?).map(|level| terms.source(&format!("u_level_{level}")));
    let levels = levels.collect::<Result<Vec<Source>, Error>>()?;
    Ok(Box::new(move |at| {
        let mut rank = target.index(at.here) as u32;
        let mut node = None;
        if rank < at.given("v_count")[0] {
            let mut place = 0;
            for level in levels.iter().rev() {
                let counts = at.fetch(*level, level.shape.texel(place));
                let mut quarter = 0;
                while quarter < 3 && rank >= counts[quarter] {
                    rank -= counts[quarter];
                    quarter += 1;
                }
                place = 4 * place + quarter as i32;
            }
            node = Some(place);
        }
        gather.from(at, node);
    }))
}
