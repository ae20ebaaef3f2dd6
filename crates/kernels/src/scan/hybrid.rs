//! sengupta2006: up and down a balanced tree of textures of halving height. `glsl/scan/hybrid/`.

use super::heads::Heads;
use crate::{Error, FragmentKernel, Terms, Texel};

/// Algorithm 3: `a(d)[i] <- a(d-1)[2i] + a(d-1)[2i+1]`.
pub fn reduce(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let operation = terms.operation();
    let source = terms.source("u_source")?;
    let tuple = terms.define("TUPLE")?;
    let last_alone = terms.is_on("LAST_ALONE");
    let heads = Heads::new(terms)?;
    let shape = source.shape;
    Ok(Box::new(move |at| {
        let here = at.here;
        let half_width = shape.width / 2;
        let lower = i32::from(here.x >= half_width);
        let x = here.x - lower * half_width;
        // Below the last row there is nothing, and the result there is not used.
        let first = Texel { x: 2 * x - x % tuple, y: (2 * here.y + lower).min(shape.height - 1) };
        let second = Texel { x: first.x + tuple, y: first.y };
        let (left, right) = (at.fetch_item(source, first, 0), at.fetch_item(source, second, 0));
        let cut = heads.is_some_and(|heads| heads.begins_in(at, shape.index(second).min(shape.len - 1)));
        let sum = match cut {
            _ if last_alone && shape.index(second) >= shape.len => left,
            true => right,
            false => at.combine(&left, &right),
        };
        at.write_item(0, 0, &sum, &operation);
    }))
}

/// Algorithm 4: odd i takes `a(d+1)[i/2]`, even i > 0 takes `a(d+1)[i/2 - 1] + a(d)[i]`, the first is left; and its
/// exclusive form.
pub fn down_sweep(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let operation = terms.operation();
    let (values, sums) = (terms.source("u_values")?, terms.source("u_sums")?);
    let tuple = terms.define("TUPLE")?;
    let exclusive = terms.is_on("EXCLUSIVE");
    let block = terms.has("BLOCK").then(|| terms.define("BLOCK")).transpose()?;
    let heads = Heads::new(terms)?;
    let shape = values.shape;
    Ok(Box::new(move |at| {
        let here = at.here;
        let (i, member) = (here.x / tuple, here.x % tuple);
        let odd = i % 2 == 1;
        let own = Texel { x: i / 2 * tuple + member + (here.y & 1) * (shape.width / 2), y: here.y >> 1 };
        let before = sums.shape.left_of(own, [tuple, 0]);
        let mut value = at.identity();
        let place = if exclusive {
            if odd {
                value = at.fetch_item(values, Texel { x: (here.x - tuple).max(0), y: here.y }, 0);
            }
            before
        } else {
            value = at.fetch_item(values, here, 0);
            if odd { own } else { before }
        };
        let sum = at.fetch_item(sums, Texel { x: place.x.max(0), y: place.y.max(0) }, 0);
        let alone = match (block, heads) {
            (Some(block), _) => i % block == 0,
            (None, Some(heads)) => {
                let index = shape.index(here);
                if exclusive {
                    let start = heads.start_of(at, index.min(heads.items - 1));
                    if start == index {
                        value = at.identity();
                    }
                    if odd { start >= index - 1 } else { start == index }
                } else {
                    // An odd item's sum is that of its pair, which is its own.
                    let cut = heads.begins_in(at, index.min(shape.len - 1));
                    !odd && (cut || place.y < 0)
                }
            }
            (None, None) => place.y < 0,
        };
        let result = match alone {
            true => value,
            false if odd == exclusive => at.combine(&sum, &value),
            false => sum,
        };
        at.write_item(0, 0, &result, &operation);
    }))
}
