//! Passes that move a stream's items by what other streams say: by indices, and by the side of a partition they are on.

use super::{
    Access, AtMost, DispatchRecorder, DrawRecorder, Lanes, Layout, PLANE, Plan, Primitives, Shader, Slot,
    Storage, Uniform, shader,
};
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::SpecError;
use crate::unsupported::Unsupported;

/// The invocations of a work group.
pub(super) const GROUP: u32 = 64;

impl Plan {
    /// Adds a pass that takes items of a stream by their indices: `result[i] = stream[indices[i]]`, a slot named `gather`.
    /// With a `count`, a stream of one u32, only as many results are written. So one compaction, of indices, moves any
    /// number of streams.
    ///
    /// Indices are unsigned, and one beyond the end takes the last item: check for a value that means "none", such as
    /// 0xFFFFFFFF, where the results are used.
    ///
    /// Streams and indices lie in textures or in buffers, all of them, and so does the result. In textures it has the width
    /// of the indices' texture and as many items in a texel, so that a pass can read both by one position; if the words of
    /// as many items do not fit into a texel, it has as many as fit. Costs a read of an index and of an item, and a write,
    /// for each result.
    ///
    /// Errors: [`Error::Spec`] if one is in a texture and another in a buffer, or the indices are not u32;
    /// [`Error::Length`] if there are indices and no items; [`Error::Plan`] for slots of another plan.
    pub fn gather(&mut self, stream: Slot, indices: Slot, count: Option<Slot>) -> Result<Slot, Error> {
        self.all_own(&[stream, indices, count.unwrap_or(stream)])?;
        let (from, by) = (*self.layout(stream), *self.layout(indices));
        if by.element != ElementType::U32 || by.arity != 1 {
            return Err(SpecError::Indices.into());
        }
        if from.len == 0 && by.len > 0 {
            return Err(Error::Length { what: "the stream to take from", got: 0, expected: 1 });
        }
        let to = like(&from, &by);
        let slots = [("STREAM", "u_stream", stream), ("INDICES", "u_indices", indices)];
        self.moved("gather", [shader!("copy/gather.frag"), shader!("copy/gather.comp")], to, &slots, count)
    }

    /// Adds a pass that writes zeros to all of a buffer.
    pub(crate) fn zero(&mut self, buffer: Slot) {
        let words = self.layout(buffer).words();
        self.dispatch("zero", shader!("copy/zero.comp"), Lanes::Serial, GROUP, words.div_ceil(GROUP.into()))
            .set("u_words", Uniform::Int(words as i32))
            .bind("TARGET", buffer, Access::Write)
            .moves(0, words);
    }

    /// Adds two passes that put items of a stream at indices: `result[indices[i]] = stream[i]`, a slot of layout `to` named
    /// `scatter`. With a `count`, a stream of one u32, only as many items are put. Items that are not written are 0.
    ///
    /// Indices are unsigned, and an item whose index is past the end is left out. Where several items have one index, one of
    /// them is there: in textures the last one, in buffers any.
    ///
    /// In textures each item is a point, and `to` has one item to a texel. Costs a read of an index and of an item for each,
    /// and a write of it and of the whole result.
    ///
    /// Errors: as [`Self::gather`]; [`Error::Length`] for another number of indices than of items, and [`Error::Spec`] if
    /// the items of `to` are others.
    pub fn scatter(
        &mut self,
        stream: Slot,
        indices: Slot,
        count: Option<Slot>,
        to: Layout,
    ) -> Result<Slot, Error> {
        self.all_own(&[stream, indices, count.unwrap_or(stream)])?;
        let (from, by) = (*self.layout(stream), *self.layout(indices));
        if by.element != ElementType::U32 || by.arity != 1 {
            return Err(SpecError::Indices.into());
        }
        let same = (from.storage, from.element, from.arity) == (to.storage, to.element, to.arity);
        if !same || to.items_per_texel > 1 {
            return Err(SpecError::ScatterTarget.into());
        }
        if from.len != by.len {
            return Err(Error::Length { what: "the indices", got: by.len, expected: from.len });
        }
        let others: Vec<Slot> = [indices].into_iter().chain(count).collect();
        self.alike(&from, &others)?;
        let target = self.slot("scatter", to);
        let words = from.element.words() * from.arity;
        if to.len == 0 {
            return Ok(target);
        }
        let counted = count.is_some();
        if to.storage == Storage::Buffer {
            self.zero(target);
            if from.len == 0 {
                return Ok(target);
            }
            let groups = from.len.div_ceil(GROUP.into());
            let pass = self
                .dispatch("scatter", shader!("copy/scatter.comp"), Lanes::Serial, GROUP, groups)
                .define("COUNTED_RESULTS", counted)
                .define("WORDS", words)
                .set("u_len", Uniform::Int(from.len as i32))
                .set("u_room", Uniform::Int(to.len as i32))
                .bind("STREAM", stream, Access::Read)
                .bind("INDICES", indices, Access::Read)
                .moves(from.words() + from.len, from.words())
                .at_most(AtMost::READ | AtMost::WRITTEN);
            let pass = match count {
                Some(count) => {
                    pass.bind("COUNT", count, Access::Read).moves(from.len.div_ceil(GROUP.into()), 0)
                }
                None => pass,
            };
            pass.bind("TARGET", target, Access::Write);
            return Ok(target);
        }
        self.draw("zero", shader!("copy/zero.frag")).element(to.element).write(target);
        if from.len == 0 {
            return Ok(target);
        }
        let pass = self
            .draw_vertices(
                "scatter",
                Primitives::Points(from.len),
                shader!("copy/scatter.vert"),
                shader!("copy/scatter.frag"),
            )
            .element(from.element)
            .define("COUNTED_RESULTS", counted.into())
            .define("WORDS", words.into())
            .define("SOURCE_ITEMS", from.items_per_texel.into())
            .define("INDEX_ITEMS", by.items_per_texel.into());
        let pass = match count {
            Some(count) => pass.read("u_count", count).fetches("u_count", from.len).at_most(AtMost::READ),
            None => pass,
        };
        pass.read("u_stream", stream)
            .read("u_indices", indices)
            .fetches("u_stream", from.len)
            .fetches("u_indices", from.len)
            .write(target)
            .covers(from.len)
            .at_most(AtMost::WRITTEN);
        Ok(target)
    }

    /// Adds a pass that puts two streams one after the other: the first `count` items of `first`, then those of `second`,
    /// as many as fit into a stream as long as `first`. With the two sides of a compaction, by a condition and by its
    /// opposite, it is a partition ([`crate::compact::partition`]).
    ///
    /// The streams lie alike. Costs a read and a write of each item.
    ///
    /// Errors: [`Error::Spec`] if the streams do not lie alike.
    pub fn join(&mut self, first: Slot, second: Slot, count: Slot) -> Result<Slot, Error> {
        self.all_own(&[first, second, count])?;
        let layout = *self.layout(first);
        if layout != *self.layout(second) {
            return Err(SpecError::Unlike.into());
        }
        let slots = [("STREAM", "u_stream", first), ("SECOND", "u_second", second)];
        let shaders = [shader!("copy/join.frag"), shader!("copy/join.comp")];
        self.moved("join", shaders, layout, &slots, Some(count))
    }

    /// Adds a pass that puts the first `count` items of a stream into another one, of layout `to`, from its item `base` on;
    /// both are streams of one u32. The other items of the target stay as they were, and items past its end are left out:
    /// so a stream of the caller's ([`Prepared::run_into`](crate::Prepared::run_into)) grows run by run.
    ///
    /// In textures `to` has one item to a texel. Costs a read and a write of each item that is put, and of no other.
    ///
    /// Errors: [`Error::Spec`] if the streams are not alike in kind and in items.
    pub fn write_at(&mut self, stream: Slot, count: Slot, base: Slot, to: Layout) -> Result<Slot, Error> {
        self.all_own(&[stream, count, base])?;
        let from = *self.layout(stream);
        let same = (from.storage, from.element, from.arity) == (to.storage, to.element, to.arity);
        if !same || to.items_per_texel > 1 && to.storage == Storage::Texture {
            return Err(SpecError::Unlike.into());
        }
        self.alike(&from, &[count, base])?;
        let target = self.slot("write_at", to);
        let words = from.element.words() * from.arity;
        if from.storage == Storage::Buffer {
            let groups = from.len.div_ceil(GROUP.into());
            self.dispatch("write_at", shader!("copy/write_at.comp"), Lanes::Serial, GROUP, groups)
                .define("COUNTED_RESULTS", true)
                .define("WORDS", words)
                .set("u_len", Uniform::Int(from.len as i32))
                .set("u_room", Uniform::Int(to.len as i32))
                .bind("STREAM", stream, Access::Read)
                .bind("COUNT", count, Access::Read)
                .bind("BASE", base, Access::Read)
                .bind("TARGET", target, Access::Write)
                .moves(from.words() + 2, from.words());
            return Ok(target);
        }
        self.draw_vertices(
            "write_at",
            Primitives::Rectangle,
            shader!("copy/write_at.vert"),
            shader!("copy/write_at.frag"),
        )
        .element(from.element)
        .define("COUNTED_RESULTS", 0)
        .define("WORDS", words.into())
        .define("SOURCE_ITEMS", from.items_per_texel.into())
        .read("u_count", count)
        .read("u_base", base)
        .read("u_stream", stream)
        .fetches("u_count", 4)
        .fetches("u_base", 4)
        .fetches("u_stream", from.len)
        .covers(from.len)
        .write(target);
        Ok(target)
    }

    /// Adds a pass that adds two counts, streams of one u32, of one layout.
    ///
    /// Errors: [`Error::Spec`] if they do not lie alike.
    pub fn add_counts(&mut self, count: Slot, base: Slot) -> Result<Slot, Error> {
        self.all_own(&[count, base])?;
        let layout = *self.layout(base);
        self.alike(&layout, &[count])?;
        let target = self.slot("total", layout);
        if layout.storage == Storage::Buffer {
            self.dispatch("count", shader!("copy/count.comp"), Lanes::Serial, GROUP, 1)
                .bind("COUNT", count, Access::Read)
                .bind("BASE", base, Access::Read)
                .bind("TARGET", target, Access::Write)
                .moves(2, 1);
            return Ok(target);
        }
        self.draw("count", shader!("copy/count.frag"))
            .element(ElementType::U32)
            .read("u_count", count)
            .read("u_base", base)
            .fetches("u_count", 1)
            .fetches("u_base", 1)
            .write(target);
        Ok(target)
    }

    /// Adds a pass that unpacks integers of 8 or 16 bits, four or two to a word, the first one in the lowest bits: bytes
    /// and shorts as the memory of a little-endian machine has them. `words` is a stream of u32 with at least as many
    /// numbers as `to`, which says where they go: u32, one to an item.
    ///
    /// Costs a read of a word for each number, and a write; in the memory, a quarter or half of the stream.
    ///
    /// Errors: [`Error::Spec`] for other bits, elements or kinds of memory; [`Error::Length`] if there are too few words.
    pub fn unpack(&mut self, words: Slot, bits: u32, to: Layout) -> Result<Slot, Error> {
        let from = *self.layout(self.own(words)?);
        let plain = |layout: &Layout| layout.element == ElementType::U32 && layout.arity == 1;
        if ![8, 16].contains(&bits) || !plain(&from) || !plain(&to) {
            return Err(SpecError::Packed.into());
        }
        if from.storage != to.storage {
            return Err(SpecError::Unlike.into());
        }
        let needed = to.len.div_ceil(u64::from(32 / bits));
        if from.len < needed {
            return Err(Error::Length { what: "the packed stream", got: from.len, expected: needed });
        }
        let target = self.slot("unpacked", to);
        if to.len == 0 {
            return Ok(target);
        }
        if to.storage == Storage::Buffer {
            let groups = to.len.div_ceil(GROUP.into());
            self.dispatch("unpack", shader!("copy/unpack.comp"), Lanes::Serial, GROUP, groups)
                .define("BITS", bits)
                .set("u_len", Uniform::Int(to.len as i32))
                .bind("WORDS", words, Access::Read)
                .bind("TARGET", target, Access::Write)
                .moves(to.len, to.len);
            return Ok(target);
        }
        self.draw("unpack", shader!("copy/unpack.frag"))
            .element(ElementType::U32)
            .define("BITS", bits.into())
            .define("SOURCE_ITEMS", from.items_per_texel.into())
            .define("TARGET_ITEMS", to.items_per_texel.into())
            .read("u_words", words)
            .fetches("u_words", to.len)
            .write(target);
        Ok(target)
    }

    /// Errors if streams lie in another kind of memory than items do, or the items in planes.
    fn alike(&self, items: &Layout, streams: &[Slot]) -> Result<(), Error> {
        if streams.iter().any(|slot| self.layout(*slot).storage != items.storage) {
            return Err(SpecError::Unlike.into());
        }
        match items.planes() {
            1 => Ok(()),
            _ => Ok(Unsupported::unless_in_texel(
                "a pass that moves items of textures",
                items.words_per_texel(),
                "buffers",
            )?),
        }
    }

    /// Adds a pass that moves items of the first of these slots to a stream of layout `to`.
    fn moved(
        &mut self,
        phase: &'static str,
        [fragment, compute]: [Shader; 2],
        to: Layout,
        slots: &[(&'static str, &'static str, Slot)],
        count: Option<Slot>,
    ) -> Result<Slot, Error> {
        let from = *self.layout(slots[0].2);
        let all: Vec<Slot> = slots.iter().map(|(.., slot)| *slot).chain(count).collect();
        self.alike(&from, &all)?;
        let target = self.slot(phase, to);
        if to.len == 0 {
            return Ok(target);
        }
        let words = from.element.words() * from.arity;
        let (_, second, by) = slots[1];
        let by_index = second == "u_indices";
        let in_texel = self.layout(by).items_per_texel;
        let counted = count.map(|count| ("COUNT", "u_count", count));
        let slots = slots.iter().copied().chain(counted);
        if from.storage == Storage::Buffer {
            let pass = self.dispatch(phase, compute, Lanes::Serial, GROUP, to.len.div_ceil(GROUP.into()));
            let pass = pass
                .define("COUNTED_RESULTS", count.is_some())
                .define("WORDS", words)
                .set("u_len", Uniform::Int(to.len as i32))
                .moves(2 * to.words(), to.words());
            let items = Uniform::Int(from.len as i32);
            let pass = if by_index { pass.set("u_items", items) } else { pass };
            slots
                .fold(pass, |pass: DispatchRecorder<'_>, (name, _, slot)| pass.bind(name, slot, Access::Read))
                .bind("TARGET", target, Access::Write);
            return Ok(target);
        }
        let pass = self
            .draw(phase, fragment)
            .element(from.element)
            .define("COUNTED_RESULTS", count.is_some().into())
            .define("WORDS", words.into())
            .define("SOURCE_ITEMS", from.items_per_texel.into())
            .define("TARGET_ITEMS", to.items_per_texel.into());
        let pass = if by_index { pass.define("INDEX_ITEMS", in_texel.into()) } else { pass };
        slots
            .fold(pass, |pass: DrawRecorder<'_>, (_, name, slot)| pass.read(name, slot).fetches(name, to.len))
            .write(target);
        Ok(target)
    }
}

/// The layout of items of one stream, as many and in the same rows as another's, in texels of as many if they fit.
fn like(items: &Layout, rows: &Layout) -> Layout {
    let (element, arity) = (items.element, items.arity);
    if rows.storage == Storage::Buffer {
        return Layout::buffer(element, arity, rows.len);
    }
    let fit = (PLANE / (element.words() * arity)).max(1);
    Layout { element, arity, items_per_texel: rows.items_per_texel.min(fit), ..*rows }.with_len(rows.len)
}
