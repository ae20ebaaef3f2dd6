//! The passes of Capannini's scan.

use super::AccessPattern;
use crate::device::Device;
use crate::plan::{Access, DispatchRecorder, Plan, Slot};
use crate::scan::ScanKind;
use crate::scan::compute::Round;
use crate::scan::compute::blocks::{BlockedStream, BoundBlocks};
use crate::scan::shader;
use crate::unsupported::Unsupported;

/// The kernels of a pattern, with all numbers chosen.
pub(super) struct Kernels<'d> {
    /// The addresses of a block's sums.
    pub pattern: AccessPattern,
    /// Tuples in a block.
    pub block: u32,
    /// log2 of the banks of shared memory.
    pub log_banks: u32,
    /// The device that they are for.
    pub device: &'d Device,
}

impl Kernels<'_> {
    /// Adds the paper's case (ii), a scan of any length; returns the slot of the result.
    pub fn arbitrary(&self, plan: &mut Plan, source: Slot, round: Round) -> Result<Slot, Unsupported> {
        let target = plan.slot("scanned", *plan.layout(source));
        self.scan(plan, source, target, round)?;
        Ok(target)
    }

    /// Adds the paper's case (i), each block scanned on its own.
    pub fn alone(&self, plan: &mut Plan, source: Slot, round: Round) -> Result<Slot, Unsupported> {
        let target = plan.slot("scanned", *plan.layout(source));
        let blocks = BlockedStream::new(plan, source, round, self.block);
        self.scan_alone(plan, &blocks, source, target, None, round)?;
        Ok(target)
    }

    fn scan(&self, plan: &mut Plan, source: Slot, target: Slot, round: Round) -> Result<(), Unsupported> {
        let blocks = BlockedStream::new(plan, source, round, self.block);
        if blocks.count() == 1 {
            return self.scan_alone(plan, &blocks, source, target, None, round);
        }
        let partial = plan.slot("partial", blocks.sums());
        let before = plan.slot("partial scan", blocks.sums());
        let exclusive = Round { kind: ScanKind::Exclusive, ..round };
        if self.pattern == AccessPattern::Cm {
            self.scan_alone(plan, &blocks, source, target, Some(partial), round)?;
            self.scan(plan, partial, before, exclusive)?;
            return blocks.uniform_add(plan, target, before, self.device);
        }
        let tree = plan.slot("tree", blocks.filled(self.device)?);
        self.up_sweep(plan, &blocks, source, tree, partial)?;
        self.scan(plan, partial, before, exclusive)?;
        self.down_sweep(plan, &blocks, tree, before, target, round)
    }

    /// Blocks scanned on their own; with CM also their totals, if these are wanted.
    fn scan_alone(
        &self,
        plan: &mut Plan,
        blocks: &BlockedStream,
        source: Slot,
        target: Slot,
        partial: Option<Slot>,
        round: Round,
    ) -> Result<(), Unsupported> {
        let words = blocks.words();
        let (block, steps) = (u64::from(self.block), blocks.log_size());
        let cm = self.pattern == AccessPattern::Cm;
        let shader = if cm {
            shader!("scan/capannini/cm.comp")
        } else {
            shader!("scan/capannini/scan.comp", "scan/capannini/tree.glsl")
        };
        for part in blocks.parts(self.device)? {
            let (items, groups) = (part.len(), part.groups());
            let totals = if partial.is_some() { groups } else { 0 };
            let mut pass = blocks
                .dispatch(plan, "scan blocks", shader.clone(), self.block / 2, &part)
                .define("EXCLUSIVE", round.kind == ScanKind::Exclusive)
                .bind_part("SOURCE", source, Access::Read, part.items.clone())
                .bind_part("TARGET", target, Access::Write, part.items)
                .moves(items * words, (items + totals) * words);
            if !cm {
                self.define_tree(pass, steps).adds(groups * 2 * (block - 1), 2 * steps - 1);
                continue;
            }
            if let Some(partial) = partial {
                pass = pass.bind_part("PARTIAL", partial, Access::Write, part.sums);
            }
            pass.define("SUMMED", partial.is_some()).adds(groups * (block * steps - (block - 1)), steps);
        }
        Ok(())
    }

    /// The first part of the scan: from the stream to trees and totals.
    fn up_sweep(
        &self,
        plan: &mut Plan,
        blocks: &BlockedStream,
        source: Slot,
        tree: Slot,
        partial: Slot,
    ) -> Result<(), Unsupported> {
        let words = blocks.words();
        let shader = shader!("scan/capannini/up_sweep.comp", "scan/capannini/tree.glsl");
        for part in blocks.parts(self.device)? {
            let (items, groups, nodes) = (part.len(), part.groups(), nodes(&part));
            let pass = blocks
                .dispatch(plan, "up-sweep", shader.clone(), self.block / 2, &part)
                // The way down applies it.
                .define("EXCLUSIVE", true)
                .bind_part("SOURCE", source, Access::Read, part.items)
                .bind_part("TARGET", tree, Access::Write, part.filled)
                .bind_part("PARTIAL", partial, Access::Write, part.sums)
                .moves(items * words, (nodes + groups) * words);
            self.define_tree(pass, blocks.log_size())
                .adds(groups * u64::from(self.block - 1), blocks.log_size());
        }
        Ok(())
    }

    /// The second part: from the trees and the sums before them to the result.
    fn down_sweep(
        &self,
        plan: &mut Plan,
        blocks: &BlockedStream,
        tree: Slot,
        before: Slot,
        target: Slot,
        round: Round,
    ) -> Result<(), Unsupported> {
        let exclusive = round.kind == ScanKind::Exclusive;
        let words = blocks.words();
        let shader = shader!("scan/capannini/down_sweep.comp", "scan/capannini/tree.glsl");
        for part in blocks.parts(self.device)? {
            let (items, groups, nodes) = (part.len(), part.groups(), nodes(&part));
            let pass = blocks
                .dispatch(plan, "down-sweep", shader.clone(), self.block / 2, &part)
                .define("EXCLUSIVE", exclusive)
                .bind_part("SOURCE", tree, Access::Read, part.filled)
                .bind_part("PARTIAL", before, Access::Read, part.sums)
                .bind_part("TARGET", target, Access::Write, part.items)
                .moves((nodes + groups) * words, items * words);
            // An inclusive scan also writes the total at the end.
            self.define_tree(pass, blocks.log_size())
                .adds(groups * u64::from(self.block - u32::from(exclusive)), blocks.log_size());
        }
        Ok(())
    }

    fn define_tree<'p>(&self, pass: DispatchRecorder<'p>, log_block: u64) -> DispatchRecorder<'p> {
        let pattern = match self.pattern {
            AccessPattern::Cm | AccessPattern::NoPadding => 0,
            AccessPattern::Padding => 1,
            AccessPattern::LeftRight => 2,
        };
        pass.define("PATTERN", pattern)
            .define("LOG_BANKS", self.log_banks)
            .define("LOG_BLOCK", log_block as i64)
    }
}

/// Nodes in the trees of a part.
fn nodes(part: &BoundBlocks) -> u64 {
    part.filled.end - part.filled.start
}
