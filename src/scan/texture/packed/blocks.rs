//! The passes of the packed scan, and what each costs.

use super::super::heads::{self, Nodes};
use crate::plan::{Layout, Plan, Slot};
use crate::scan::{Heads, ScanKind, shader};
use crate::tuning::table::packed::{ALL_ADDED, UPPER};

/// The division of a level into blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LevelBlocks {
    /// Texels in a block.
    pub block: u32,
    /// Items in a tuple.
    pub tuple: u32,
    /// Where scans begin anew.
    pub heads: Heads,
    /// Items in the stream.
    pub items: u64,
    /// True if loops over a block are as long for all texels, and there is no branch for the last block. The fetches that
    /// repeat others are not counted, and a recorded run leaves them out.
    pub repeats: bool,
    /// Texels of sums in a block whose sums the items below add up; 0 if the sums of every level are scanned.
    pub added: u32,
}

/// A level of the tree: 0 is the stream.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Level {
    number: u32,
    /// Items of the stream in an item of the level.
    each: u64,
}

/// The sums of a level's blocks: scanned, or with [`LevelBlocks::added`] as they are, for items to add up.
#[derive(Debug, Clone, Copy)]
struct BlockSums {
    sums: Slot,
    /// The scanned sums of blocks of [`LevelBlocks::added`] texels of `sums`; without them, items add up all `sums` before
    /// their block.
    above: Option<Slot>,
}

impl Level {
    /// The stream.
    pub const STREAM: Level = Level { number: 0, each: 1 };

    /// The level of the sums of blocks of so many items.
    pub fn above(self, items: u64) -> Level {
        Level { number: self.number + 1, each: self.each.saturating_mul(items) }
    }
}

impl LevelBlocks {
    /// Tuples in a block.
    fn tuples(&self, items_per_texel: u32) -> u64 {
        let per_texel = if self.tuple == 1 { items_per_texel } else { 1 };
        u64::from(self.block * per_texel)
    }

    /// Returns true if one block holds a whole level.
    fn holds(&self, layout: &Layout) -> bool {
        layout.len / u64::from(self.tuple) <= self.tuples(layout.items_per_texel)
    }

    /// Adds the scan of one level, including the levels above it.
    pub fn scan(&self, plan: &mut Plan, source: Slot, kind: ScanKind, level: Level) -> Slot {
        let sums = (!self.holds(plan.layout(source))).then(|| {
            let (sums, level) = self.reduce(plan, source, level);
            if self.added == 0 {
                BlockSums { sums: self.scan(plan, sums, ScanKind::Inclusive, level), above: None }
            } else if plan.layout(sums).texels() <= ALL_ADDED {
                BlockSums { sums, above: None }
            } else {
                let (above, level) = LevelBlocks { block: self.added, ..*self }.reduce(plan, sums, level);
                let one = plan.layout(above).texels() <= u64::from(2 * UPPER);
                let upper = LevelBlocks { block: if one { 2 * UPPER } else { UPPER }, ..*self };
                BlockSums { sums, above: Some(upper.scan(plan, above, ScanKind::Inclusive, level)) }
            }
        });
        self.down_sweep(plan, source, sums, kind, level)
    }

    /// The layout of a level's sums, in rows of whole blocks.
    fn place(&self, sums: u64, level: &Layout) -> Layout {
        let one = sums.div_ceil(u64::from(level.items_per_texel)) <= u64::from(2 * UPPER);
        let least = match self.added {
            0 => self.block,
            _ if one => 2 * UPPER,
            _ => UPPER,
        };
        if self.tuple == 1 {
            level.reduced(sums, self.block * level.items_per_texel, least)
        } else {
            level.square(sums, least)
        }
    }

    /// Adds the pass for the sums of a level's blocks. Returns them and their level.
    pub fn reduce(&self, plan: &mut Plan, source: Slot, level: Level) -> (Slot, Level) {
        let layout = *plan.layout(source);
        let member = u64::from(self.tuple);
        let blocks = (layout.len / member).div_ceil(self.tuples(layout.items_per_texel));
        let sums = blocks * member;
        let above = level.above(self.items(&layout));
        let target = plan.slot(format!("sums {}", above.number), self.place(sums, &layout));
        let (fetches, adds) = self.count_reduce(&layout, sums);
        let counts = plan.is_counting();
        let pass = plan
            .draw("reduce", shader!("scan/packed/reduce.frag", "scan/packed/texel.glsl"))
            .define("TUPLE", i64::from(self.tuple))
            .define("BLOCK", i64::from(self.block));
        let pass = if counts { pass.define("EACH", level.each.min(1 << 30) as i64) } else { pass };
        let pass = if self.repeats { pass.define("REPEATS", 1) } else { pass };
        // A texel looks up all of its sums, those of padding too.
        let lookups = sums.next_multiple_of(layout.items_per_texel.into());
        let pass = heads::bind_to(pass, self.heads, self.nodes(level), lookups);
        pass.read("u_source", source)
            .fetches("u_source", fetches)
            .adds(adds, self.items(&layout))
            .write(target);
        (target, above)
    }

    fn down_sweep(
        &self,
        plan: &mut Plan,
        values: Slot,
        sums: Option<BlockSums>,
        kind: ScanKind,
        level: Level,
    ) -> Slot {
        let layout = *plan.layout(values);
        let target = plan.slot(format!("scanned {}", level.number), layout);
        let mut count = self.count_down_sweep(&layout, kind);
        // Blocks or windows, a texel's own tree and its items, in one chain. Where scans begin anew, the items of a block.
        let of_block = if self.heads == Heads::None { u64::from(self.block) } else { self.items(&layout) };
        let mut depth = of_block + 5;
        let above = sums.and_then(|sums| sums.above);
        let added = if sums.is_some() { self.added } else { 0 };
        let sums = sums.map(|BlockSums { sums, .. }| {
            let cost = match self.added {
                0 => Added { sums: self.count_sums(&layout), ..Added::default() },
                _ => self.count_added(&layout, plan.layout(sums), above.is_some()),
            };
            (sums, cost)
        });
        let mut pass = plan
            .draw("down-sweep", shader!("scan/packed/down_sweep.frag", "scan/packed/texel.glsl"))
            .define("TUPLE", i64::from(self.tuple))
            .define("BLOCK", i64::from(self.block))
            .define("SUMS", i64::from(sums.is_some()))
            .define("ADDED", i64::from(added))
            .define("ABOVE", i64::from(above.is_some()))
            .define("EXCLUSIVE", i64::from(kind == ScanKind::Exclusive))
            .read("u_values", values)
            .fetches("u_values", count.values);
        if self.repeats {
            pass = pass.define("REPEATS", 1);
        }
        if let Some((sums, cost)) = sums {
            count.adds += cost.adds;
            depth += cost.depth;
            pass = pass.read("u_sums", sums).fetches("u_sums", cost.sums);
            if let Some(above) = above {
                pass = pass.read("u_above", above).fetches("u_above", cost.above);
            }
        }
        if self.heads != Heads::None {
            // The items of a texel share a texel of the table, or on the levels above have one each.
            let each = if level.number == 0 { 1 } else { u64::from(layout.items_per_texel) };
            let lookups = layout.texels() * each;
            pass = heads::bind_to(pass, self.heads, self.nodes(level), lookups);
            pass = pass.define("LEAVES", (level.number == 0).into());
        }
        pass.adds(count.adds, depth).write(target);
        target
    }

    /// The items of a level.
    fn nodes(&self, level: Level) -> Nodes {
        Nodes { items: self.items, each: level.each }
    }

    /// Items in a block.
    fn items(&self, layout: &Layout) -> u64 {
        self.tuples(layout.items_per_texel) * u64::from(self.tuple)
    }

    /// Texels fetched and uses of the operator in a reduce of this level. Without tuples: whole texels of full blocks,
    /// and a last block item by item, starting from the identity.
    fn count_reduce(&self, layout: &Layout, sums: u64) -> (u64, u64) {
        let items = self.items(layout);
        let (full, rest) = (layout.len / items, layout.len % items);
        if self.tuple == 1 {
            let fetches = full * u64::from(self.block) + rest;
            // Where scans begin anew, items are added one by one.
            let adds =
                if self.heads == Heads::None { layout.len - sums + u64::from(rest > 0) } else { layout.len };
            return (fetches, adds);
        }
        // With tuples: after `tuple` texels of sums, blocks and windows repeat.
        let per_texel = u64::from(layout.items_per_texel);
        let texels = sums.div_ceil(per_texel);
        let whole_texels = full * u64::from(self.tuple) / per_texel;
        let periods = whole_texels / u64::from(self.tuple);
        let fetches = |texels: std::ops::Range<u64>| -> u64 {
            texels.map(|texel| self.count_reduce_texel(texel, layout)).sum()
        };
        let first_period = if periods > 0 { fetches(0..u64::from(self.tuple)) } else { 0 };
        let rest = fetches(periods * u64::from(self.tuple)..texels);
        (periods * first_period + rest, layout.len)
    }

    /// Texels that the shader fetches for one texel of a tuple's sums.
    fn count_reduce_texel(&self, texel: u64, layout: &Layout) -> u64 {
        let (tuple, block) = (u64::from(self.tuple), u64::from(self.block));
        let items = u64::from(layout.items_per_texel);
        let first = texel * items;
        (first / tuple..(first + items).div_ceil(tuple))
            .flat_map(|b| (0..block).map(move |k| first + b * (block - 1) * tuple + k * tuple))
            .take_while(|window| *window < layout.len)
            .map(|window| if window % items == 0 { 1 } else { 2 })
            .sum()
    }

    /// The same for a down-sweep, without the sums before a block.
    fn count_down_sweep(&self, layout: &Layout, kind: ScanKind) -> Count {
        // Blocks and texels coincide again after this many texels.
        let per_texel = u64::from(layout.items_per_texel);
        let period = self.items(layout);
        let (periods, rest) = (layout.texels() / period, layout.texels() % period);
        let sum = |texels: u64| (0..texels).map(|t| self.count_texel(t, per_texel, kind)).sum::<Count>();
        let mut count = sum(rest);
        if periods > 0 {
            let whole = sum(period);
            count.values += periods * whole.values;
            count.adds += periods * whole.adds;
        }
        count
    }

    /// Texels of scanned sums that a down-sweep fetches.
    fn count_sums(&self, layout: &Layout) -> u64 {
        let per_texel = u64::from(layout.items_per_texel);
        let first_block = self.items(layout).div_ceil(per_texel);
        let later = layout.texels().saturating_sub(first_block);
        later * if self.tuple == 1 { 1 } else { per_texel }
    }

    /// The fetches and adds of a down-sweep over sums that are not scanned.
    fn count_added(&self, layout: &Layout, sums: &Layout, above: bool) -> Added {
        let per_texel = u64::from(sums.items_per_texel);
        let texels = if above { u64::from(self.added) } else { sums.texels() };
        // Blocks of the level whose sums lie in one block of sums.
        let period = texels * per_texel;
        // Of one texel in each of the first blocks.
        let count = |blocks: u64| {
            let within = |blocks: u64| {
                (0..blocks).fold((0, 0), |(fetches, adds), block| {
                    (fetches + block / per_texel + u64::from(block % per_texel > 0), adds + block)
                })
            };
            let (periods, rest) = (blocks / period, blocks % period);
            let ((whole_fetches, whole_adds), (fetches, adds)) = (within(period), within(rest));
            Added {
                sums: periods * whole_fetches + fetches,
                above: if above { blocks.saturating_sub(period) } else { 0 },
                adds: periods * whole_adds + adds,
                depth: texels + per_texel + 2,
            }
        };
        let (block, texels) = (u64::from(self.block), layout.texels());
        let (full, rest) = (texels / block, texels % block);
        let (before, last) = (count(full), count(full + 1));
        let sum = |full: u64, with_last: u64| full * block + (with_last - full) * rest;
        Added {
            sums: sum(before.sums, last.sums),
            above: sum(before.above, last.above),
            adds: sum(before.adds, last.adds),
            depth: before.depth,
        }
    }

    /// The shader's work for one texel, by its index.
    fn count_texel(&self, texel: u64, per_texel: u64, kind: ScanKind) -> Count {
        if self.tuple == 1 {
            let before = texel % u64::from(self.block);
            return Count { values: 1 + before, adds: (1 + before) * per_texel };
        }
        let (tuple, items) = (i64::from(self.tuple), per_texel as i64);
        let first = texel as i64 * items;
        let block = i64::from(self.block) * tuple;
        let start = first / block * block;
        // An exclusive result excludes its own item.
        let own = if kind == ScanKind::Inclusive { per_texel } else { 0 };
        let mut count = Count { values: 1, adds: own };
        let mut window = first - tuple;
        while window + items > start {
            let aligned = window >= 0 && window % items == 0;
            count.values += if aligned { 1 } else { 2 };
            count.adds += (0..items).filter(|i| window + i >= start).count() as u64;
            window -= tuple;
        }
        count
    }
}

/// Texels fetched from the sums and from those above them, uses of the operator, and the longest chain of these.
#[derive(Debug, Clone, Copy, Default)]
struct Added {
    sums: u64,
    above: u64,
    adds: u64,
    depth: u64,
}

/// Texels fetched from the level, and uses of the operator.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    values: u64,
    adds: u64,
}

impl std::iter::Sum for Count {
    fn sum<I: Iterator<Item = Count>>(counts: I) -> Count {
        counts.fold(Count::default(), |sum, count| Count {
            values: sum.values + count.values,
            adds: sum.adds + count.adds,
        })
    }
}
