//! roger2007, section V-B: a geometry stage drops unwanted elements, and a capture appends the others.
//! `glsl/compact/geometry/`.

use super::condition::Condition;
use crate::{Error, Fragment, FragmentKernel, GeometryKernel, Terms, VertexKernel};

/// Each element is a vertex, with its mask if there is one.
pub fn elements(terms: &Terms<'_>) -> Result<VertexKernel, Error> {
    let masked = terms.is_on("MASKED");
    let words = terms.operation().element_words;
    Ok(Box::new(move |at| {
        let attribute = at.attribute(0);
        let mut bits = [0; 4];
        bits[..words].copy_from_slice(&attribute[..words]);
        at.give("v_bits", bits);
        at.give("v_number", [at.number as u32, 0, 0, 0]);
        at.give("v_mask", if masked { at.attribute(1) } else { [1; 4] });
    }))
}

/// Emits a point for a kept element, and nothing for another.
pub fn keep(terms: &Terms<'_>) -> Result<GeometryKernel, Error> {
    let condition = (!terms.is_on("MASKED")).then(|| Condition::new(terms)).transpose()?;
    Ok(Box::new(move |at| {
        let (bits, number) = (at.input(0, "v_bits"), at.input(0, "v_number"));
        let kept = match condition {
            Some(condition) => condition.holds([bits[0], bits[1]]),
            None => at.input(0, "v_mask")[0] != 0,
        };
        if kept {
            at.emit(None, &[("v_value", bits), ("v_index", number)]);
            at.end();
        }
    }))
}

/// The count, which a capture does not leave on the GPU: runs of elements or, in further passes, of counts become one
/// count.
pub fn count(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (counts, masked) = (terms.is_on("COUNTS"), terms.is_on("MASKED"));
    let (target, run) = (terms.target(), terms.define("RUN")?);
    let name = match (counts, masked) {
        (true, _) => "u_counts",
        (false, true) => "u_mask",
        (false, false) => "u_values",
    };
    let source = terms.source(name)?;
    let condition = (!counts && !masked).then(|| Condition::new(terms)).transpose()?;
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * run;
        let count_at = |at: &mut Fragment<'_>, index: i32| {
            if counts {
                return at.fetch_word(source, source.shape.texel(index));
            }
            let bits = at.fetch_of_buffer(source, index);
            u32::from(condition.map_or(bits[0] != 0, |condition| condition.holds([bits[0], bits[1]])))
        };
        let indices = first..(first + run).min(source.shape.len);
        let count: u32 = indices.map(|index| count_at(at, index)).sum();
        at.write(0, &[count]);
    }))
}
