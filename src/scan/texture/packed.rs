//! The packed scan: four words a texel, several texels a block, each result written once.
//!
//! Source: ours, the step that the era did not take; blocks as in blelloch1990, levels as in
//! sengupta2006. Work: reads about (1 + block/2 + 1) n/4 texels, writes n/4 and little more; all in
//! all n/4 + n/4 texels of four words are the least that a reduce and a down-sweep can move.
//! Steps: 2 log(n) / log(4 · block) - 1.
//! Wins: everywhere. In a texel-bound device's measure it takes 1.4 copies where Horn's takes 24.
//!
//! ```text
//! while a(d) is longer than a block                      reduce
//!   for each block b: a(d+1)[b] = sum of the block's items
//! for each level, the top one first                      down-sweep
//!   for each i in block b:
//!     a(d)[i] = a(d+1)[b - 1] + the items of b up to i
//! ```
//!
//! What it does that the paper's scans do not:
//! 1. An item is a part of a texel: 4 of one word, 2 of two, 1 of four. Input and output are packed.
//! 2. The reduce halves log2(4 · block) times in one pass; the down-sweep goes down as many levels.
//! 3. No Horn at the top: levels end when one block is left, which the down-sweep scans alone.
//! 4. Tuples of s: a block is `block` tuples, fetched item by item (about twice as slow).

use super::record;
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Layout, Plan, Slot, shader};
use crate::scan::ScanAlgorithm;
use crate::spec::{ScanKind, ScanSpec};

/// The scan over packed texels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Packed {
    /// Texels in a block: a power of two from 2 to 64. `None` is what suits the device.
    pub block: Option<u32>,
}

impl Packed {
    /// Measured at 2^20 to 2^24: larger blocks save passes, smaller ones fetches.
    fn block(&self, _device: &Device) -> u32 {
        self.block.unwrap_or(8)
    }
}

impl ScanAlgorithm for Packed {
    fn plan(&self, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
        let block = self.block(device);
        let items_per_texel = 4 / spec.item_words();
        let name = format!("packed:block={block}");
        record(name, spec, device, items_per_texel, block, |plan, source, kind| {
            Blocks { block, tuple: spec.tuple }.scan(plan, source, kind, 0)
        })
    }
}

/// How a level is cut into blocks.
struct Blocks {
    block: u32,
    tuple: u32,
}

impl Blocks {
    /// Tuples in a block.
    fn tuples(&self, items_per_texel: u32) -> u64 {
        let per_texel = if self.tuple == 1 { items_per_texel } else { 1 };
        u64::from(self.block * per_texel)
    }

    /// Records the scan of one level, those above it included.
    fn scan(&self, plan: &mut Plan, source: Slot, kind: ScanKind, level: u32) -> Slot {
        let layout = *plan.layout(source);
        let tuples = layout.len / u64::from(self.tuple);
        let sums = (tuples > self.tuples(layout.items_per_texel)).then(|| {
            let sums = self.reduce(plan, source, level + 1);
            self.scan(plan, sums, ScanKind::Inclusive, level + 1)
        });
        self.down_sweep(plan, source, sums, kind, level)
    }

    /// Where the sums of a level lie: in the rows of what they sum, while those are long enough for
    /// blocks of their own. Neighbouring fragments then read neighbouring rows, for which textures are
    /// stored; with one long row for many the reduce took four times as long (H200).
    fn place(&self, sums: Layout, level: &Layout) -> Layout {
        let width = level.width / (self.block * level.items_per_texel);
        if self.tuple == 1 && width >= self.block {
            return Layout { width, ..sums }.with_len(sums.len);
        }
        let mut square = Layout { width: self.block, ..sums }.with_len(sums.len);
        while square.width < square.height {
            square = Layout { width: square.width * 2, ..sums }.with_len(sums.len);
        }
        square
    }

    fn reduce(&self, plan: &mut Plan, source: Slot, level: u32) -> Slot {
        let layout = *plan.layout(source);
        let member = u64::from(self.tuple);
        let blocks = (layout.len / member).div_ceil(self.tuples(layout.items_per_texel));
        let sums = layout.with_len(blocks * member);
        let target = plan.slot(format!("sums {level}"), self.place(sums, &layout));
        // Whole texels of full blocks, else item by item.
        let full = layout.len / self.tuples(layout.items_per_texel);
        let fetches = match self.tuple {
            1 => full * u64::from(self.block) + layout.len % self.tuples(layout.items_per_texel),
            _ => layout.len,
        };
        plan.draw("reduce", shader!("scan/packed/reduce.frag", "scan/packed/texel.glsl"))
            .define("TUPLE", i64::from(self.tuple))
            .define("BLOCK", i64::from(self.block))
            .read("u_source", source)
            .fetches("u_source", fetches)
            .adds(layout.len - sums.len, u64::from(self.block) + 1)
            .write(target);
        target
    }

    fn down_sweep(
        &self,
        plan: &mut Plan,
        values: Slot,
        sums: Option<Slot>,
        kind: ScanKind,
        level: u32,
    ) -> Slot {
        let layout = *plan.layout(values);
        let target = plan.slot(format!("scanned {level}"), layout);
        let count = self.count(&layout, sums.is_some());
        let mut pass = plan
            .draw("down-sweep", shader!("scan/packed/down_sweep.frag", "scan/packed/texel.glsl"))
            .define("TUPLE", i64::from(self.tuple))
            .define("BLOCK", i64::from(self.block))
            .define("BLOCKS_BEFORE", i64::from(sums.is_some()))
            .define("EXCLUSIVE", i64::from(kind == ScanKind::Exclusive))
            .read("u_values", values)
            .fetches("u_values", count.values);
        if let Some(sums) = sums {
            pass = pass.read("u_sums", sums).fetches("u_sums", count.sums);
        }
        pass.adds(count.adds, count.depth).write(target);
        target
    }

    /// What a down-sweep over this level does.
    fn count(&self, layout: &Layout, blocks_before: bool) -> DownSweepCount {
        let (unit, units_per_block, members) = if self.tuple == 1 {
            (layout.texels(), u64::from(self.block), u64::from(layout.items_per_texel))
        } else {
            (layout.len / u64::from(self.tuple), u64::from(self.block), u64::from(self.tuple))
        };
        // Units (texels, or tuples) that the units of a block read before themselves.
        let before = |n: u64| n * n.saturating_sub(1) / 2;
        let (full, rest) = (unit / units_per_block, unit % units_per_block);
        let before = full * before(units_per_block) + before(rest);
        let later = if blocks_before { unit.saturating_sub(units_per_block) } else { 0 };
        let depth = units_per_block + 4;
        if self.tuple == 1 {
            DownSweepCount {
                values: unit + before,
                sums: later,
                adds: (unit + before) * members,
                depth,
            }
        } else {
            DownSweepCount {
                values: layout.texels() + before * members,
                sums: later * members,
                adds: (unit + before) * members,
                depth,
            }
        }
    }
}

struct DownSweepCount {
    values: u64,
    sums: u64,
    adds: u64,
    depth: u64,
}
