//! Blocks: pieces of a stream that work groups scan in shared memory, and the layout of their sums.

use std::ops::{Range, RangeInclusive};

use super::Round;
use crate::algorithm::{Candidates, Domain, NumberRange, Parameter};
use crate::device::{Compute, Device};
use crate::plan::{Access, DispatchRecorder, Lanes, Layout, Plan, Shader, Slot, Uniform};
use crate::scan::{ceil_log2, shader};
use crate::unsupported::Unsupported;

/// The parameter of all algorithms whose blocks lie in shared memory.
pub(super) const BANKS: Parameter = Parameter {
    name: "banks",
    about: "banks of shared memory that addresses are spread over; 16 for the papers' half-warps, fewer to see conflicts",
    default: "32",
    candidates: Candidates::NONE,
    domain: Domain::numbers(NumberRange { min: 2, max: 32, powers_of_two: true }, &[]),
};

/// A stream in blocks. A work group scans one member of the tuples of one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockedStream {
    /// Tuples in a block: a power of two.
    pub size: u32,
    tuple: u32,
    /// The layout of the stream in its buffer.
    layout: Layout,
}

/// A part that is bound at a time.
pub(super) struct BoundBlocks {
    /// Items of the stream.
    pub items: Range<u64>,
    /// The same with the last block padded to full length.
    pub filled: Range<u64>,
    /// The sums of the blocks.
    pub sums: Range<u64>,
}

impl BoundBlocks {
    /// The number of items bound.
    pub fn len(&self) -> u64 {
        self.items.end - self.items.start
    }

    /// Work groups: one per sum.
    pub fn groups(&self) -> u64 {
        self.sums.end - self.sums.start
    }
}

impl BlockedStream {
    /// The blocks of the stream in a slot.
    pub fn new(plan: &Plan, source: Slot, round: Round, size: u32) -> BlockedStream {
        BlockedStream { size, tuple: round.tuple, layout: *plan.layout(source) }
    }

    /// log2 of the tuples in a block.
    pub fn log_size(&self) -> u64 {
        ceil_log2(self.size.into()).into()
    }

    /// Words in an item.
    pub fn words(&self) -> u64 {
        self.layout.words_per_texel().into()
    }

    /// Items in a full block.
    fn items(&self) -> u64 {
        u64::from(self.size) * u64::from(self.tuple)
    }

    /// Blocks in the stream.
    pub fn count(&self) -> u64 {
        self.layout.len.div_ceil(self.items())
    }

    /// Returns true if the last block is full.
    pub fn last_is_full(&self) -> bool {
        self.layout.len.is_multiple_of(self.items())
    }

    /// The layout of the sums, one for each member of each block: a stream of the same tuples.
    pub fn sums(&self) -> Layout {
        Layout::buffer(self.layout.element, self.layout.arity, self.count() * u64::from(self.tuple))
    }

    /// The layout of the stream with the last block padded. Errors if no buffer is that long.
    pub fn filled(&self, device: &Device) -> Result<Layout, Unsupported> {
        let most = Unsupported::unless_compute(device, "this algorithm")?.max_buffer / 4;
        let items = self.count() * self.items();
        let words = items * self.words();
        if words > most {
            return Err(Unsupported::too_large(format!(
                "{} blocks of {} take {words} words, more than a buffer can hold: at most {}; use smaller \
                 blocks, or a shorter stream",
                self.count(),
                self.items(),
                most
            )));
        }
        Ok(Layout::buffer(self.layout.element, self.layout.arity, items))
    }

    /// The parts that are bound at a time: whole blocks. Both their items and their sums begin where a binding may.
    pub fn parts(&self, device: &Device) -> Result<Vec<BoundBlocks>, Unsupported> {
        let compute = Unsupported::unless_compute(device, "this algorithm")?;
        let alignment = u64::from(compute.binding_alignment.max(1));
        let sum = u64::from(self.tuple) * self.words() * 4;
        let blocks = (1..=alignment).find(|blocks| (blocks * sum).is_multiple_of(alignment));
        let unit = blocks.unwrap_or(alignment) * self.items();
        let filled = Layout { len: self.count() * self.items(), ..self.layout };
        let parts = filled.parts(device, unit, u64::MAX)?;
        let part = |filled: Range<u64>| BoundBlocks {
            items: filled.start..filled.end.min(self.layout.len),
            sums: filled.start / u64::from(self.size)..filled.end / u64::from(self.size),
            filled,
        };
        Ok(parts.into_iter().map(part).collect())
    }

    /// Adds a pass over the blocks of a part.
    pub fn dispatch<'p>(
        &self,
        plan: &'p mut Plan,
        phase: &'static str,
        shader: Shader,
        invocations: u32,
        part: &BoundBlocks,
    ) -> DispatchRecorder<'p> {
        plan.dispatch(phase, shader, Lanes::Shared, invocations, part.groups())
            .define("BLOCK", self.size)
            .set("u_len", Uniform::Int(part.len() as i32))
            .set("u_tuple", Uniform::Int(self.tuple as i32))
    }

    /// Adds the uniform add: the sum before each block is added to all of its items, in place.
    pub fn uniform_add(
        &self,
        plan: &mut Plan,
        target: Slot,
        increments: Slot,
        device: &Device,
    ) -> Result<(), Unsupported> {
        let words = self.words();
        for part in self.parts(device)? {
            let (items, groups) = (part.len(), part.groups());
            self.dispatch(plan, "uniform add", shader!("scan/common/uniform_add.comp"), self.size / 2, &part)
                .bind_part("TARGET", target, Access::Update, part.items)
                .bind_part("INCREMENTS", increments, Access::Read, part.sums)
                .moves((items + groups) * words, items * words)
                .adds(items, 1);
        }
        Ok(())
    }
}

/// The block sizes of an algorithm for a scan.
pub(super) struct BlockSizes {
    /// The caller's choice.
    pub asked: Option<u32>,
    /// The fastest one measured on the device.
    pub tuned: Option<u32>,
    /// The size where nothing is chosen or measured.
    pub usual: u32,
    /// The smallest and the largest one.
    pub range: RangeInclusive<u32>,
}

impl BlockSizes {
    /// The block size that was asked for, else the tuned one if it is possible, else the largest up to the usual one that
    /// the device has room for. `needs` returns the invocations and the items of shared memory that a block takes.
    pub fn choose(
        &self,
        device: &Device,
        item_words: u32,
        needs: impl Fn(u32) -> (u32, u32),
    ) -> Result<u32, Unsupported> {
        let compute = Unsupported::unless_compute(device, "this algorithm")?;
        let fits = |size: u32| {
            let (invocations, items) = needs(size);
            check(compute, size, invocations, items * item_words * 4).map(|()| size)
        };
        let possible =
            |size: &u32| size.is_power_of_two() && self.range.contains(size) && fits(*size).is_ok();
        let Some(size) = self.asked.or(self.tuned.filter(possible)) else {
            let mut size = self.usual;
            while size / 2 >= *self.range.start() && fits(size).is_err() {
                size /= 2;
            }
            return fits(size);
        };
        if !size.is_power_of_two() || !self.range.contains(&size) {
            return Err(Unsupported::parameter(format!(
                "the block size cannot be {size}; expected a power of two from {} to {}",
                self.range.start(),
                self.range.end()
            )));
        }
        fits(size)
    }
}

/// Errors if a work group has no room for a block.
fn check(compute: &Compute, size: u32, invocations: u32, bytes: u32) -> Result<(), Unsupported> {
    if invocations > compute.max_invocations {
        return Err(Unsupported::too_large(format!(
            "blocks of {size} take work groups of {invocations} invocations, and this device allows {}; use \
             smaller blocks",
            compute.max_invocations
        )));
    }
    if bytes > compute.max_shared_memory {
        return Err(Unsupported::too_large(format!(
            "blocks of {size} need {bytes} bytes of shared memory, and this device has {}; use smaller \
             blocks",
            compute.max_shared_memory
        )));
    }
    Ok(())
}

/// log2 of the number of banks of shared memory: 16 in the papers, which had half-warps; 32 today; fewer in lessons, so
/// that small blocks have conflicts too.
pub(super) fn log_banks(banks: u32) -> Result<u32, Unsupported> {
    match banks {
        2..=32 if banks.is_power_of_two() => Ok(banks.trailing_zeros()),
        _ => Err(Unsupported::parameter(format!(
            "banks cannot be {banks}; expected a power of two from 2 to 32"
        ))),
    }
}
