//! Items that are moved in textures, a fragment for each texel of the result. `glsl/copy/*.frag`, `*.vert`.

use crate::{Error, Fragment, FragmentKernel, MOST_WORDS, Machine, Shape, Source, Terms, Texel};

pub const ORIGIN: Texel = Texel { x: 0, y: 0 };

/// A copy: every texel read and written once, and neighbours fetched whose bits are masked out. Its shader does not record what it reads.
pub fn texture(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (source, fetches) = (terms.source("u_source")?, terms.define("FETCHES")?);
    let kept_bits = if fetches > 1 { terms.int("u_kept_bits")? as u32 } else { 0 };
    Ok(Box::new(move |at| {
        let here = at.here;
        let mut copy = at.fetch_unrecorded(source, here);
        for i in 1..fetches {
            let neighbour = at.fetch_unrecorded(source, Texel { x: here.x ^ i, ..here });
            copy.iter_mut().zip(neighbour).for_each(|(word, other)| *word |= other & kept_bits);
        }
        at.write(0, &copy);
    }))
}

/// The sum of two counts.
pub fn count(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (count, base) = (terms.source("u_count")?, terms.source("u_base")?);
    Ok(Box::new(move |at| {
        let sum = at.fetch_word(count, ORIGIN).wrapping_add(at.fetch_word(base, ORIGIN));
        at.write(0, &[sum]);
    }))
}

/// A stream in texels, in a rectangle of a texture, or in a buffer, element by element.
#[derive(Clone, Copy)]
pub struct Elements {
    source: Source,
    from_buffer: bool,
    /// The rectangle's first texel, and its columns.
    origin: [i32; 2],
    columns: i32,
    /// Elements in a texel or an item, and words in an element.
    in_texel: i32,
    words: usize,
}

impl Elements {
    pub fn new(terms: &Terms<'_>) -> Result<Elements, Error> {
        Ok(Elements {
            source: terms.source("u_source")?,
            from_buffer: terms.is_on("FROM_BUFFER"),
            origin: terms.int2("u_origin")?,
            columns: terms.int("u_columns")?,
            in_texel: terms.define("SOURCE_ELEMENTS")?,
            words: terms.operation().element_words,
        })
    }

    /// The words of an element; a second one that it lacks is zero.
    pub fn fetch(&self, at: &mut Machine, index: i32) -> [u32; 2] {
        let texel = index / self.in_texel;
        let [x, y] = self.origin;
        let channels = match self.from_buffer {
            true => at.fetch_of_buffer(self.source, texel),
            false => {
                let place = Texel { x: x + texel % self.columns, y: y + texel / self.columns };
                at.fetch(self.source, place)
            }
        };
        let first = (index % self.in_texel) as usize * self.words;
        [channels[first], if self.words == 2 { channels[first + 1] } else { 0 }]
    }
}

/// A stream in another layout: each texel takes its elements from the source, in their order.
pub fn relayout(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (source, target) = (Elements::new(terms)?, terms.target());
    let (in_texel, len) = (terms.define("TARGET_ELEMENTS")?, terms.int("u_elements")?);
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * in_texel;
        let mut words = Vec::with_capacity(4);
        for element in first..(first + in_texel).min(len) {
            let bits = source.fetch(at, element);
            words.extend_from_slice(&bits[..source.words]);
        }
        at.write(0, &words);
    }))
}

/// The results that are written.
#[derive(Clone, Copy)]
struct Results {
    count: Option<Source>,
    /// Those that there is room for.
    room: i32,
}

impl Results {
    fn new(terms: &Terms<'_>) -> Result<Results, Error> {
        let count = terms.is_on("COUNTED_RESULTS").then(|| terms.source("u_count")).transpose()?;
        Ok(Results { count, room: terms.target().len })
    }

    fn of(&self, at: &mut Machine) -> i32 {
        let Some(count) = self.count else { return self.room };
        at.fetch_word(count, ORIGIN).min(self.room as u32) as i32
    }
}

/// The numbers of the items in a texel of the target, of which there are `in_texel`.
fn items_in(target: Shape, at: &Fragment<'_>, in_texel: i32) -> impl Iterator<Item = (usize, i32)> + use<> {
    let first = target.index(at.here) * in_texel;
    (0..).zip(first..first + in_texel)
}

/// Copies an item of a stream, several to a texel, to place `i` of the texel that is written.
fn copy_item(at: &mut Fragment<'_>, i: usize, source: Source, index: i32, texel: &mut [u32; 4]) {
    let items = source.texel_items as i32;
    let words = source.texel_words / source.texel_items;
    let item = at.fetch_item(source, source.shape.texel(index / items), (index % items) as usize);
    texel[i * words..(i + 1) * words].copy_from_slice(&item.words()[..words]);
}

/// The first items of a stream, as many as the count says, then those of a second one.
pub fn join(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (first, second) = (terms.source("u_stream")?, terms.source("u_second")?);
    let (target, results) = (terms.target(), Results::new(terms)?);
    let in_texel = terms.define("TARGET_ITEMS")?;
    Ok(Box::new(move |at| {
        let mut texel = [0; 4];
        let count = results.of(at);
        for (i, place) in items_in(target, at, in_texel) {
            if place < count {
                copy_item(at, i, first, place, &mut texel);
            } else if place < target.len {
                copy_item(at, i, second, place - count, &mut texel);
            }
        }
        at.write(0, &texel);
    }))
}

/// Items of a stream by their indices. One beyond the end takes the last item.
pub fn gather(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (stream, indices) = (terms.source("u_stream")?, terms.source("u_indices")?);
    let (target, results) = (terms.target(), Results::new(terms)?);
    let in_texel = terms.define("TARGET_ITEMS")?;
    let of_indices = indices.texel_items as i32;
    Ok(Box::new(move |at| {
        let mut texel = [0; 4];
        let count = results.of(at);
        for (i, place) in items_in(target, at, in_texel).filter(|(_, place)| *place < count) {
            let found = at.fetch(indices, indices.shape.texel(place / of_indices));
            let index = found[(place % of_indices) as usize].min(stream.shape.len as u32 - 1);
            copy_item(at, i, stream, index as i32, &mut texel);
        }
        at.write(0, &texel);
    }))
}

/// A point's texel: the words of its item.
pub fn scatter(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let words = terms.define("WORDS")? as usize;
    Ok(Box::new(move |at| {
        let item = at.given("v_words");
        at.write(0, &item[..words]);
    }))
}

/// Zeros.
pub fn zero(_: &Terms<'_>) -> Result<FragmentKernel, Error> {
    Ok(Box::new(|_| {}))
}

/// The first items of a stream into the items of a rectangle ([`super::vertices::write_at`]). The rest of it stays as it was.
pub fn write_at(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (stream, target) = (terms.source("u_stream")?, terms.target());
    Ok(Box::new(move |at| {
        let [base, end] = ["v_base", "v_end"].map(|name| at.given(name)[0] as i32);
        let place = target.index(at.here);
        if !(base..end).contains(&place) {
            return at.discard();
        }
        let mut texel = [0; 4];
        // A count may be larger than the stream: its last item is put again and again.
        let item = (place - base).min(stream.shape.len - 1);
        copy_item(at, 0, stream, item, &mut texel);
        at.write(0, &texel);
    }))
}

/// Each item as a function of the caller's maps it.
pub fn map(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (target, map, to) = (terms.target(), terms.map()?, terms.define("TO")? as usize);
    let streams: Vec<Source> = ["u_stream_0", "u_stream_1", "u_stream_2", "u_stream_3"]
        .iter()
        .map_while(|name| terms.source(name).ok())
        .collect();
    let in_texel = terms.define("TARGET_ITEMS")?;
    Ok(Box::new(move |at| {
        let mut texel = [0; MOST_WORDS];
        for (i, index) in items_in(target, at, in_texel).filter(|(_, index)| *index < target.len) {
            let mut read = |stream: usize, index: i64| {
                let source = *streams.get(stream)?;
                let index =
                    i32::try_from(index).ok().filter(|index| (0..source.shape.len).contains(index))?;
                let words = source.texel_words / source.texel_items;
                Some(at.fetch_item_at(source, index).words()[..words].to_vec())
            };
            let from = read(0, index.into()).unwrap_or_default();
            map.apply(&from, &mut read, index as u32, &mut texel[i * to..(i + 1) * to]);
        }
        at.write(0, &texel[..to * in_texel as usize]);
    }))
}

/// Integers of BITS bits, several to a word, the first one in the lowest bits.
pub fn unpack(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (words, target) = (terms.source("u_words")?, terms.target());
    let (bits, in_texel) = (terms.define("BITS")?, terms.define("TARGET_ITEMS")?);
    let of_words = words.texel_items as i32;
    Ok(Box::new(move |at| {
        let mut texel = [0; 4];
        for (i, item) in items_in(target, at, in_texel).filter(|(_, item)| *item < target.len) {
            let word = item / (32 / bits);
            let found = at.fetch(words, words.shape.texel(word / of_words));
            let number = super::unpacked(found[(word % of_words) as usize], item as usize, bits as usize);
            texel[i] = number;
        }
        at.write(0, &texel);
    }))
}
