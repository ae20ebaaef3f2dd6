//! The histogram by sorted bins. `glsl/histogram/sorted/`.

use super::Bins;
use crate::{Error, FragmentKernel, Terms};

/// The bin of each item.
pub fn bins(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (bins, items, edges) = (Bins::new(terms)?, terms.source("u_items")?, terms.source("u_edges")?);
    let target = terms.target();
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * items.texel_items as i32;
        let words = at.fetch(items, items.shape.texel(first / items.texel_items as i32));
        let found: Vec<u32> = (first..items.shape.len)
            .zip(&words[..items.texel_items])
            .map(|(_, item)| bins.of(*item, |edge| at.fetch_item_at(edges, edge).words()[0]))
            .collect();
        let mut texel = vec![bins.count as u32; items.texel_items];
        texel[..found.len()].copy_from_slice(&found);
        at.write(0, &texel);
    }))
}

/// How many items each bin has.
pub fn count(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (sorted, target) = (terms.source("u_sorted")?, terms.target());
    Ok(Box::new(move |at| {
        let bin = target.index(at.here);
        let [below, up_to] = [bin, bin + 1].map(|bin| {
            let (mut low, mut high) = (0, sorted.shape.len);
            while low < high {
                let middle = (low + high) / 2;
                match (at.fetch_item_at(sorted, middle).words()[0] as i32) < bin {
                    true => low = middle + 1,
                    false => high = middle,
                }
            }
            low
        });
        at.write(0, &[(up_to - below) as u32]);
    }))
}
