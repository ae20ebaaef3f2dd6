//! The result for an empty stream. `glsl/reduce/common/`.

use crate::{Error, FragmentKernel, Terms};

/// The identity, in every item of a texel.
pub fn identity(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let operation = terms.operation();
    let items = terms.define("ITEMS")? as usize;
    Ok(Box::new(move |at| {
        let identity = at.identity();
        (0..items).for_each(|item| at.write_item(0, item, &identity, &operation));
    }))
}
