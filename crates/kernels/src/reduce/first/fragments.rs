//! In textures.

use super::numbered;
use crate::length::Length;
use crate::{Error, FragmentKernel, Terms};

/// Each item of texels that lie as far apart as there are items; with tuples, of values.
pub fn fold(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (source, target, operation) = (terms.source("u_source")?, terms.target(), terms.operation());
    let (block, each, in_texel) =
        (terms.define("BLOCK")?, terms.define("EACH")?, terms.define("TARGET_ITEMS")?);
    let length = Length::new(terms)?;
    let items = source.texel_items as i32;
    Ok(Box::new(move |at| {
        let len = length.items(at, source.shape, 1);
        let first = target.index(at.here) * in_texel;
        for item in first..(first + in_texel).min(target.len) {
            let mut found = at.identity();
            let begins = (0..block).map(|i| (item + i * target.len) * each);
            for begin in begins.take_while(|begin| *begin < len) {
                let values = at.fetch_items(source, source.shape.texel(begin / items));
                let own = (begin % items) as usize..;
                for (index, value) in (begin..len).zip(&values[own]).take(each as usize) {
                    let next = numbered(*value, operation.element_words, index);
                    found = at.combine(&found, &next);
                }
            }
            at.write_item(0, (item - first) as usize, &found, &operation);
        }
    }))
}
