//! What several compactions have in common: how a pass decides what is kept, and what it moves; flags, their
//! running count, the search over it, and the count that stays on the GPU.

use super::{Compaction, Moved};
use crate::compact::Keep;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{DrawRecorder, Layout, Plan, Shader, Slot, Uniform, shader};
use crate::scan::texture::ceil_log2;
use crate::scan::{self, AnyScan};

impl Compaction {
    /// Lets a pass decide what is kept (`glsl/compact/common/keep.glsl`), by `fetched` texels of the stream or
    /// of the mask.
    pub(super) fn decide<'p>(&self, pass: DrawRecorder<'p>, fetched: u64) -> DrawRecorder<'p> {
        let pass = self.condition(pass).define("ITEMS", i64::from(self.layout.items_per_texel));
        match self.mask {
            Some(mask) => pass.read("u_mask", mask).fetches("u_mask", fetched),
            None => pass.read("u_values", self.values).fetches("u_values", fetched),
        }
    }

    /// The condition alone, for a pass that has the elements already.
    pub(super) fn condition<'p>(&self, pass: DrawRecorder<'p>) -> DrawRecorder<'p> {
        let pass = pass.element(self.spec.element);
        match self.spec.keep {
            // ES compiles no #if on what is undefined, so there is a comparison that nobody uses.
            Keep::Mask => pass.define("MASKED", 1).define("COMPARISON", 0),
            Keep::Condition(condition) => {
                let words = condition.words().map(|word| word as i32);
                pass.define("MASKED", 0)
                    .define("COMPARISON", condition.comparison() as i64)
                    .set("u_constant", Uniform::Int2(words))
            }
        }
    }

    /// Lets a pass move what it has found (`glsl/compact/common/move.glsl`), by `fetched` texels of the stream.
    pub(super) fn gather<'p>(&self, pass: DrawRecorder<'p>, fetched: u64, into: Moved) -> DrawRecorder<'p> {
        let pass = self.write_moved(pass, into);
        match into.values {
            Some(_) => pass.read("u_values", self.values).fetches("u_values", fetched),
            None => pass,
        }
    }

    /// Says what a pass moves, and where it goes.
    pub(super) fn write_moved<'p>(&self, pass: DrawRecorder<'p>, into: Moved) -> DrawRecorder<'p> {
        let pass = pass
            .element(self.spec.element)
            .define("MOVES_VALUES", i64::from(into.values.is_some()))
            .define("MOVES_INDICES", i64::from(into.indices.is_some()));
        into.slots().fold(pass, DrawRecorder::write)
    }

    /// The flags of all elements, `per_texel` 1 or 4 to a texel: 1 for the unwanted, or for those kept.
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

    /// The count of what is kept, from the running count of what is not.
    pub(super) fn count_from_sums(&self, plan: &mut Plan, sums: Slot) {
        let per_texel = plan.layout(sums).items_per_texel;
        plan.draw("count", shader!("compact/common/count.frag"))
            .define("PER_TEXEL", i64::from(per_texel))
            .set("u_len", Uniform::Int(self.spec.len as i32))
            .read("u_sums", sums)
            .fetches("u_sums", 1)
            .write(self.count);
    }

    /// Moves each element to its place by a dichotomic search over the running count of unwanted elements,
    /// in blocks that are searched alone (`None`: in the whole stream).
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
        let per_texel = plan.layout(sums).items_per_texel;
        let pass = plan
            .draw("search", shader!("compact/common/search.frag"))
            .define("PER_TEXEL", i64::from(per_texel))
            .define("BLOCK", block.unwrap_or(0) as i64)
            .define("STEPS", if search == Search::For { steps as i64 } else { 0 })
            .define("IMPROVED", i64::from(search == Search::While))
            .read("u_sums", sums)
            .fetches("u_sums", (steps + 2) * len);
        // The improved search looks whether it has found a wanted one.
        let looks = if search == Search::While { steps * len } else { 0 };
        let pass = self.decide(pass, looks);
        self.gather(pass, len, into);
    }
}

impl Search {
    pub const ALL: [Search; 2] = [Search::For, Search::While];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Search::For => "for",
            Search::While => "while",
        }
    }
}

/// The vertex stage of a draw that covers the rows of the result which are kept. Needs `ITEMS`, `u_count`.
pub(super) fn kept_rows() -> Shader {
    shader!("compact/common/kept_rows.vert")
}

/// What a flag of 1 means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flag {
    Unwanted,
    Kept,
}

/// How the dichotomic search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Search {
    /// Always the same number of halvings.
    For,
    /// roger2007, figure 5: until the element is found, with bounds that are tightened at each step.
    #[default]
    While,
}

/// The same rows with several items in each texel: as many items, fewer columns.
fn several_a_texel(layout: Layout, per_texel: u32) -> Layout {
    Layout { items_per_texel: per_texel, width: layout.width / per_texel, ..layout }.with_len(layout.len)
}
