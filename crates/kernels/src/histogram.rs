//! The kernels of `glsl/histogram/`.

mod atomic;
mod sorted;

use rasterscan::ElementType;

use crate::{Error, Kernel, Terms, less};

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [histogram/atomic]: count.comp;
    [histogram/sorted]: bins.frag, count.frag;
};

/// The bins of a pass: `glsl/histogram/common/bins.glsl`.
#[derive(Clone, Copy)]
struct Bins {
    element: ElementType,
    count: i32,
}

impl Bins {
    fn new(terms: &Terms<'_>) -> Result<Bins, Error> {
        Ok(Bins { element: terms.operation().element, count: terms.define("BINS")? })
    }

    /// The bin of an item of one word, by the edges; the number of bins if it is in none.
    fn of(self, item: u32, mut edge_at: impl FnMut(i32) -> u32) -> u32 {
        let (mut low, mut high) = (-1, self.count + 1);
        while high - low > 1 {
            let middle = (low + high) / 2;
            match less(self.element, [item, 0], [edge_at(middle), 0]) {
                true => high = middle,
                false => low = middle,
            }
        }
        u32::try_from(low).unwrap_or(self.count as u32)
    }
}
