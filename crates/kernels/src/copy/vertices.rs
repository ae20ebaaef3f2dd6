//! Vertices of copies. `glsl/copy/*.vert`.

use super::textures::{Elements, ORIGIN};
use crate::{Error, Terms, VertexKernel};

/// A stream in another layout, a buffer: a vertex for each element, captured as its words.
pub fn relayout(terms: &Terms<'_>) -> Result<VertexKernel, Error> {
    let source = Elements::new(terms)?;
    Ok(Box::new(move |at| {
        let number = at.number;
        let [low, high] = source.fetch(at, number);
        at.give("v_words", [low, high, 0, 0]);
    }))
}

/// Each texel is a point in its own place.
pub fn points(terms: &Terms<'_>) -> Result<VertexKernel, Error> {
    let source = terms.source("u_source")?;
    Ok(Box::new(move |at| {
        let here = source.shape.texel(at.number);
        let words = at.fetch(source, here);
        at.give("v_words", words);
        at.place(here.x as f32 + 0.5, here.y as f32 + 0.5);
    }))
}

/// Each item is a point at its index. One past the end of the target is left out.
pub fn scatter(terms: &Terms<'_>) -> Result<VertexKernel, Error> {
    let (stream, indices, target) = (terms.source("u_stream")?, terms.source("u_indices")?, terms.target());
    let count = terms.is_on("COUNTED_RESULTS").then(|| terms.source("u_count")).transpose()?;
    let of_indices = indices.texel_items as i32;
    Ok(Box::new(move |at| {
        let item = at.number;
        if count.is_some_and(|count| item as u32 >= at.fetch_word(count, ORIGIN)) {
            return;
        }
        let words = at.fetch_item_at(stream, item);
        at.give("v_words", std::array::from_fn(|word| words.words()[word]));
        let found = at.fetch(indices, indices.shape.texel(item / of_indices));
        let index = found[(item % of_indices) as usize];
        if index < target.len as u32 {
            let place = target.texel(index as i32);
            at.place(place.x as f32 + 0.5, place.y as f32 + 0.5);
        }
    }))
}

/// A rectangle over the rows of the target that items are put into: from the base on, as many as the count says.
pub fn write_at(terms: &Terms<'_>) -> Result<VertexKernel, Error> {
    let (count, base) = (terms.source("u_count")?, terms.source("u_base")?);
    let target = terms.target();
    Ok(Box::new(move |at| {
        let base = at.fetch_word(base, ORIGIN).min(target.len as u32) as i32;
        let count = at.fetch_word(count, ORIGIN).min((target.len - base) as u32) as i32;
        let end = base + count;
        let top = base / target.width;
        let bottom = if count == 0 { top } else { (end - 1) / target.width + 1 };
        at.give("v_base", [base as u32; 4]);
        at.give("v_end", [end as u32; 4]);
        let row = if at.number >> 1 == 0 { top } else { bottom };
        at.place(((at.number & 1) * target.width) as f32, row as f32);
    }))
}
