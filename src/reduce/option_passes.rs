//! Options that every reduction has, whichever algorithm it is by: rows, columns and segments. Their passes take the place of
//! the algorithm's own, and work on streams that lie as the algorithm's do.
//!
//! ```text
//! rows, columns   while one has more than one tuple: each item combines up to STEP neighbours    step
//! segments        a segmented scan of the items
//!   by keys       flags where a key differs from the one before                                   keys
//!   by flags      the heads of each word, counted; a scan of the counts; the index of each head   counts, scan, heads
//!                 the last item of each segment, or of an empty one the identity                  take
//!   by keys       the keys of the heads                                                           gather
//! ```
//!
//! The scan is the fastest one on the device.

use super::{ReduceSpec, shader};
use crate::algorithm::{Placement, Spec};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::operator::Operator;
use crate::plan::{
    Access, AtMost, DispatchRecorder, ItemType, Lanes, Layout, Plan, Shader, Slot, Storage, Uniform,
};
use crate::scan::{self, AnyScan, Batch, ScanSpec, Segments};
use crate::unsupported::Unsupported;

/// Items that a step combines to one: at most so many are read one after the other, and so many times fewer are left. Not
/// measured.
const STEP: u64 = 16;

/// The invocations of a work group.
const GROUP: u32 = 256;

/// The layouts that the streams need, for an algorithm that itself needs this one.
///
/// Errors: as [`scan::fastest_in`].
pub(super) fn placements(
    spec: &ReduceSpec,
    algorithm: Placement,
    device: &Device,
) -> Result<Vec<Placement>, Error> {
    if spec.segments == Segments::None {
        return Ok(vec![algorithm]);
    }
    let scan = spec.scan();
    scan.placements(&*scan::fastest_in(algorithm.storage(), &scan, device)?, device)
}

/// Adds the passes of a reduction of rows, columns or segments.
///
/// Errors: [`Error::Unsupported`] where the device or the scan rules the spec out.
pub(super) fn build(
    spec: &ReduceSpec,
    plan: &mut Plan,
    inputs: &[Slot],
    device: &Device,
) -> Result<Vec<Slot>, Error> {
    let parts = Passes { spec, storage: plan.layout(inputs[0]).storage, device };
    if spec.segments == Segments::None {
        return Ok(vec![parts.steps(plan, inputs[0])?]);
    }
    if let Segments::Offsets(_) = spec.segments {
        let scanned = parts.scan(plan, &spec.scan(), inputs)?[0];
        return Ok(vec![parts.take(plan, scanned, inputs[1], None)?]);
    }
    let flags = scan::flags_of(plan, inputs[1], &spec.scan(), device)?;
    let scanned = parts.scan(plan, &spec.scan().segmented(), &[inputs[0], flags])?[0];
    let [heads, count] = parts.heads(plan, flags)?;
    let mut results = vec![("values", parts.take(plan, scanned, heads, Some(count))?)];
    if let Segments::Keys(_) = spec.segments {
        results.push(("keys", plan.gather(inputs[1], heads, Some(count))?));
    }
    results.push(("count", count));
    results.iter().for_each(|(name, slot)| plan.rename(*slot, *name));
    Ok(results.into_iter().map(|(_, slot)| slot).collect())
}

/// The passes of one spec, over streams in textures or in buffers.
pub(super) struct Passes<'a> {
    pub(super) spec: &'a ReduceSpec,
    pub(super) storage: Storage,
    pub(super) device: &'a Device,
}

impl Passes<'_> {
    /// Adds a scan, the fastest one here.
    fn scan(&self, plan: &mut Plan, spec: &ScanSpec, inputs: &[Slot]) -> Result<Vec<Slot>, Error> {
        let by: AnyScan = scan::fastest_in(self.storage, spec, self.device)?;
        plan.append(&*by, spec, inputs, self.device)
    }

    /// Adds the passes that reduce rows or columns, each to a tuple.
    fn steps(&self, plan: &mut Plan, source: Slot) -> Result<Slot, Error> {
        let spec = self.spec;
        let tuple = u64::from(spec.tuple);
        // Tuples of a column are rows of it, side by side with those of the other columns.
        let (mut len, inner) = match spec.batch {
            Batch::Columns(width) => (spec.scan().scan_len() / tuple, width * tuple),
            Batch::Rows(_) | Batch::Whole => (spec.scan().scan_len() / tuple, tuple),
        };
        let outer = spec.results() / inner;
        let mut slot = source;
        while len != 1 && outer > 0 {
            let next = len.div_ceil(STEP).max(1);
            let (from, to) = (outer * len * inner, outer * next * inner);
            let target = plan.slot("reduced", self.layout(plan, source, to)?);
            let uniforms = [("u_len", len), ("u_next", next), ("u_inner", inner)]
                .map(|(name, value)| (name, int(value)));
            let (adds, depth) = (from.saturating_sub(to), len.min(STEP).saturating_sub(1));
            match self.storage {
                Storage::Buffer => {
                    let pass =
                        self.dispatch(plan, "step", shader!("reduce/batches/step.comp"), [slot, target], to)?;
                    let pass = pass.define("STEP", STEP as i64).set("u_items", int(to));
                    let words = u64::from(spec.operator.item_words(spec.element));
                    uniforms
                        .into_iter()
                        .fold(pass, |pass, (name, value)| pass.set(name, value))
                        .bind("SOURCE", slot, Access::Read)
                        .bind("TARGET", target, Access::Write)
                        .moves(from * words, to * words)
                        .adds(adds, depth);
                }
                Storage::Texture => {
                    let [of_source, of_target] = [slot, target].map(|slot| plan.layout(slot).items_per_texel);
                    // Of single rows a texel is fetched once for all its items, but where two fragments share it.
                    let rows = from / u64::from(of_source) + 2 * texels(*plan.layout(target));
                    let shares = inner == 1 && of_source > 1;
                    let fetches = if shares { rows.min(from) } else { from };
                    let at_most = if of_source > 1 { AtMost::READ } else { AtMost::default() };
                    let pass = plan
                        .draw("step", shader!("reduce/batches/step.frag"))
                        .define("STEP", STEP as i64)
                        .define("SOURCE_ITEMS", of_source.into())
                        .define("TARGET_ITEMS", of_target.into());
                    uniforms
                        .into_iter()
                        .fold(pass, |pass, (name, value)| pass.set(name, value))
                        .read("u_source", slot)
                        .fetches("u_source", fetches)
                        .adds(adds, depth)
                        .at_most(at_most)
                        .write(target);
                }
            }
            (slot, len) = (target, next);
        }
        Ok(slot)
    }

    /// Adds the passes that find the heads of segments: a stream of their indices, as long as there may be segments, and
    /// their count.
    pub(super) fn heads(&self, plan: &mut Plan, flags: Slot) -> Result<[Slot; 2], Error> {
        let len = self.spec.len;
        let words = len.div_ceil(32);
        let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
        let spec = ScanSpec::of(ElementType::U32, words).with_total();
        let by: AnyScan = scan::fastest_in(self.storage, &spec, self.device)?;
        plan.with_item(item, |plan| {
            let placement = spec.placements(&*by, self.device)?[0];
            let layout = placement.layout(self.device, ElementType::U32, 1, words)?;
            let counts = plan.slot("counts", layout);
            let heads = plan.slot("heads", self.words(len)?);
            match self.storage {
                Storage::Buffer => {
                    self.dispatch(
                        plan,
                        "counts",
                        shader!("reduce/segments/counts.comp"),
                        [flags, counts],
                        words,
                    )?
                    .set("u_len", int(len))
                    .bind("FLAGS", flags, Access::Read)
                    .bind("COUNTS", counts, Access::Write)
                    .moves(words, words);
                }
                Storage::Texture => {
                    plan.draw("counts", shader!("reduce/segments/counts.frag"))
                        .define("TARGET_ITEMS", layout.items_per_texel.into())
                        .set("u_len", int(len))
                        .read("u_flags", flags)
                        .fetches("u_flags", words)
                        .write(counts);
                }
            }
            let scanned = plan.append(&*by, &spec, &[counts], self.device)?;
            let (counts, count) = (scanned[0], scanned[1]);
            // A bisection of the words for each head, then its word, and the count of the one before.
            let turns = u64::from(scan::ceil_log2(words)) + 2;
            match self.storage {
                Storage::Buffer => {
                    self.dispatch(plan, "heads", shader!("reduce/segments/heads.comp"), [flags, heads], len)?
                        .set("u_len", int(len))
                        .bind("FLAGS", flags, Access::Read)
                        .bind("COUNTS", counts, Access::Read)
                        .bind("COUNT", count, Access::Read)
                        .bind("HEADS", heads, Access::Write)
                        .moves(len * (turns + 1) + u64::from(GROUP), len)
                        .at_most(AtMost::READ | AtMost::WRITTEN);
                }
                Storage::Texture => {
                    let of_counts = plan.layout(counts).items_per_texel;
                    plan.draw("heads", shader!("reduce/segments/heads.frag"))
                        .define("COUNTS_ITEMS", of_counts.into())
                        .read("u_flags", flags)
                        .read("u_counts", counts)
                        .read("u_count", count)
                        .fetches("u_flags", len)
                        .fetches("u_counts", len * (turns - 1))
                        .fetches("u_count", texels(self.words(len)?))
                        .at_most(AtMost::READ)
                        .write(heads);
                }
            }
            Ok([heads, count])
        })
    }

    /// Adds the pass that takes the last item of each segment. `count` says how many there are, if not as many as offsets.
    fn take(
        &self,
        plan: &mut Plan,
        scanned: Slot,
        offsets: Slot,
        count: Option<Slot>,
    ) -> Result<Slot, Error> {
        let (spec, len) = (self.spec, self.spec.results());
        let target = plan.slot("sums", self.layout(plan, scanned, len)?);
        let layout = *plan.layout(target);
        if self.storage == Storage::Buffer {
            let words = u64::from(spec.operator.item_words(spec.element));
            let pass =
                self.dispatch(plan, "take", shader!("reduce/segments/take.comp"), [scanned, target], len)?;
            let pass = pass
                .define("COUNTED_RESULTS", count.is_some())
                .set("u_len", int(spec.len))
                .set("u_room", int(len))
                .bind("SCANNED", scanned, Access::Read)
                .bind("OFFSETS", offsets, Access::Read)
                .bind("TARGET", target, Access::Write);
            let counted = if count.is_some() { len + u64::from(GROUP) } else { 0 };
            // An empty segment has no last item.
            count
                .into_iter()
                .fold(pass, |pass, count| pass.bind("COUNT", count, Access::Read))
                .moves(len * (words + 2) + counted, len * words)
                .at_most(AtMost::READ | AtMost::WRITTEN);
            return Ok(target);
        }
        let of_source = plan.layout(scanned).items_per_texel;
        let pass = plan
            .draw("take", shader!("reduce/segments/take.frag"))
            .define("COUNTED_RESULTS", count.is_some().into())
            .define("SOURCE_ITEMS", of_source.into())
            .define("TARGET_ITEMS", layout.items_per_texel.into())
            .read("u_scanned", scanned)
            .read("u_offsets", offsets)
            .fetches("u_scanned", len)
            .fetches("u_offsets", 2 * len);
        count
            .into_iter()
            .fold(pass, |pass, count| pass.read("u_count", count).fetches("u_count", texels(layout)))
            .at_most(AtMost::READ)
            .write(target);
        Ok(target)
    }

    /// The layout of `len` items of this reduction, in texels of as many as those of a slot.
    fn layout(&self, plan: &Plan, like: Slot, len: u64) -> Result<Layout, Unsupported> {
        let Layout { element, arity, items_per_texel, .. } = *plan.layout(like);
        self.place(items_per_texel).layout(self.device, element, arity, len)
    }

    /// The layout of `len` offsets.
    fn words(&self, len: u64) -> Result<Layout, Unsupported> {
        self.place(4).layout(self.device, ElementType::U32, 1, len)
    }

    /// The placement of a stream, with so many items in a texel if it has texels.
    fn place(&self, items_per_texel: u32) -> Placement {
        match self.storage {
            Storage::Buffer => Placement::Buffer,
            Storage::Texture => Placement::Texture { items_per_texel, unit: 1 },
        }
    }

    /// A dispatch of an invocation for each of `items`, with all of each slot bound at once.
    fn dispatch<'p>(
        &self,
        plan: &'p mut Plan,
        phase: &'static str,
        shader: Shader,
        slots: [Slot; 2],
        items: u64,
    ) -> Result<DispatchRecorder<'p>, Unsupported> {
        let compute = Unsupported::unless_compute(self.device, "this reduction")?;
        scan::check_bound(plan, &slots, self.device)?;
        let group = GROUP.min(compute.max_invocations);
        Ok(plan.dispatch(phase, shader, Lanes::Serial, group, items.div_ceil(group.into())))
    }
}

fn int(value: u64) -> Uniform {
    Uniform::Int(value as i32)
}

/// Fragments of a draw over a stream.
fn texels(layout: Layout) -> u64 {
    layout.region().texels()
}
