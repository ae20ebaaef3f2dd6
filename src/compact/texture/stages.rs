//! The steps that several compactions share.
//!
//! | method | lets a pass | its shader includes |
//! | --- | --- | --- |
//! | `decide` | read stream or mask, and say what is kept | `compact/common/keep.glsl` |
//! | `condition` | decide about elements that it has already read | `compact/common/condition.glsl` |
//! | `gather` | move elements that it has found, by index, from the stream | `compact/common/move.glsl` |
//! | `write_moved` | write values, indices or both, from any source | |
//! | `whole` | place vertices anywhere in the result: a region for `region` | |
//!
//! Each states its cost. `flags`, `sums`, `search` and `count_from_sums` add whole passes, and `kept_rows` is the
//! vertex stage that covers only the rows that will be filled. `horn_in_blocks` and `hybrid_in_blocks` scan blocks,
//! each alone. Vertices go to `position_at`, or to `NOWHERE` if they draw nothing.

use super::{Compaction, Moved};
use crate::compact::{Keep, shader};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::named::named;
use crate::plan::{AtMost, DrawRecorder, Layout, Plan, Shader, Slot, Uniform};
use crate::scan::ceil_log2;
use crate::scan::{self, AnyScan};

impl Compaction {
    /// Lets a pass decide which elements are kept (`glsl/compact/common/keep.glsl`), with `fetched` texels of the
    /// stream or the mask.
    pub(super) fn decide<'p>(&self, pass: DrawRecorder<'p>, fetched: u64) -> DrawRecorder<'p> {
        let pass = self.condition(pass).define("ITEMS", i64::from(self.layout.items_per_texel));
        match self.mask {
            Some(mask) => pass.read("u_mask", mask).fetches("u_mask", fetched),
            None => pass.read("u_values", self.values).fetches("u_values", fetched),
        }
    }

    /// Adds the condition alone, for a pass that already has the elements.
    pub(super) fn condition<'p>(&self, pass: DrawRecorder<'p>) -> DrawRecorder<'p> {
        let pass = pass.element(self.spec.element);
        match self.spec.keep {
            // ES cannot compile `#if` on an undefined name, so a masked pass gets an unused comparison.
            Keep::Mask => pass.define("MASKED", 1).define("COMPARISON", 0),
            Keep::Condition(condition) => {
                let (name, value) = condition.uniform();
                pass.define("MASKED", 0).define("COMPARISON", condition.code()).set(name, value)
            }
        }
    }

    /// Lets a pass move the elements that it has found (`glsl/compact/common/move.glsl`), with `fetched` texels of the
    /// stream.
    pub(super) fn gather<'p>(&self, pass: DrawRecorder<'p>, fetched: u64, into: Moved) -> DrawRecorder<'p> {
        let pass = self.write_moved(pass, into);
        match into.values {
            Some(_) => pass.read("u_values", self.values).fetches("u_values", fetched),
            None => pass,
        }
    }

    /// Declares what a pass moves, and into which slots.
    pub(super) fn write_moved<'p>(&self, pass: DrawRecorder<'p>, into: Moved) -> DrawRecorder<'p> {
        let pass = pass
            .element(self.spec.element)
            .define("MOVES_VALUES", i64::from(into.values.is_some()))
            .define("MOVES_INDICES", i64::from(into.indices.is_some()));
        into.slots().fold(pass, DrawRecorder::write)
    }

    /// The flags of all elements, 1 or 4 (`per_texel`) to a texel: 1 for unwanted elements, or for kept ones.
    pub(super) fn flags(&self, plan: &mut Plan, per_texel: u32, of: Flag) -> Slot {
        let target = plan.slot("flags", several_a_texel(self.layout.of(ElementType::U32), per_texel));
        let pass = plan
            .draw("flags", shader!("compact/common/flags.frag"))
            .define("PER_TEXEL", i64::from(per_texel))
            .define("UNWANTED", i64::from(of == Flag::Unwanted));
        self.decide(pass, self.spec.len).write(target);
        target
    }

    /// The running count of unwanted elements.
    pub(super) fn sums(&self, plan: &mut Plan, scan: &AnyScan, device: &Device) -> Result<Slot, Error> {
        let spec = scan::of_counts(self.spec.len);
        let (items_per_texel, _) = scan::in_texels(&**scan, spec.len, device)?;
        let flags = self.flags(plan, items_per_texel, Flag::Unwanted);
        scan::append(plan, scan, &spec, flags, device)
    }

    /// The number of kept elements, from the running count of unwanted ones.
    pub(super) fn count_from_sums(&self, plan: &mut Plan, sums: Slot) {
        let per_texel = plan.layout(sums).items_per_texel;
        plan.draw("count", shader!("compact/common/count.frag"))
            .define("PER_TEXEL", i64::from(per_texel))
            .set("u_len", Uniform::Int(self.spec.len as i32))
            .read("u_sums", sums)
            .fetches("u_sums", 1)
            .write(self.count);
    }

    /// Moves each element to its position by a binary search over the running count of unwanted elements, in each block
    /// on its own (`None`: in the whole stream).
    pub(super) fn search(
        &self,
        plan: &mut Plan,
        sums: Slot,
        block: Option<u64>,
        search: Search,
        into: Moved,
    ) {
        let len = self.spec.len;
        let steps = u64::from(ceil_log2(block.unwrap_or(len).min(len)));
        // The improved search looks at a single element, too.
        let turns = if search == Search::While { steps.max(1) } else { steps };
        let per_texel = plan.layout(sums).items_per_texel;
        let pass = plan
            .draw("search", shader!("compact/common/search.frag"))
            .define("PER_TEXEL", i64::from(per_texel))
            .define("BLOCK", block.unwrap_or(0) as i64)
            .define("STEPS", if search == Search::For { steps as i64 } else { 0 })
            .define("IMPROVED", i64::from(search == Search::While))
            .read("u_sums", sums)
            .fetches("u_sums", (turns + 2) * len)
            .at_most(AtMost::READ | AtMost::WRITTEN);
        // The improved search tests whether it has found a wanted element.
        let looks = if search == Search::While { turns * len } else { 0 };
        let pass = self.decide(pass, looks);
        self.gather(pass, len, into);
    }
}

/// The vertex stage of a draw that covers the rows of the result with kept elements. Needs `ITEMS`, `u_count`.
pub(super) fn kept_rows() -> Shader {
    shader!("compact/common/kept_rows.vert")
}

/// The meaning of a flag of 1.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flag {
    Unwanted,
    Kept,
}

/// The loop of the binary search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Search {
    /// A fixed number of halvings.
    For,
    /// roger2007, figure 5: until the element is found, with bounds that are tightened at each step.
    #[default]
    While,
}

named!(Search { For: "for", While: "while" });

/// The same rows with several items per texel: the same items, fewer columns.
fn several_a_texel(layout: Layout, per_texel: u32) -> Layout {
    Layout { items_per_texel: per_texel, width: layout.width / per_texel, ..layout }.with_len(layout.len)
}
