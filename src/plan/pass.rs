//! One pass of a plan: what it draws, reads, writes and costs.

use super::{Plan, Region, Shader, Slot};
use crate::element::ElementType;
use crate::operator::Operator;

/// The value of a uniform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uniform {
    Int(i32),
    Int2([i32; 2]),
}

/// What `#include <element>` and `#include <operator>` stand for in a pass's shaders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ItemType {
    pub element: ElementType,
    pub operator: Operator,
}

/// A pass: a step of the algorithm under the name that the paper gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// The phase in the paper's words: "scan", "reduce", "down-sweep" ...
    pub phase: &'static str,
    pub command: Command,
    pub item: ItemType,
    pub cost: Cost,
}

/// The kinds of pass. Those of later algorithms (points, capture, lines, dispatch, clear) join here.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// A full-screen draw into one or more textures.
    Draw(Draw),
}

/// A rectangle drawn with a fragment shader: one invocation for each texel of the region.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw {
    pub shader: Shader,
    /// `#define`s, in the order in which they were given.
    pub defines: Vec<(&'static str, i64)>,
    /// Sampler uniforms and the slots they read.
    pub reads: Vec<(&'static str, Slot)>,
    pub uniforms: Vec<(&'static str, Uniform)>,
    /// Render targets 0, 1, ...
    pub writes: Vec<Slot>,
    pub region: Region,
}

/// What a pass does, counted from the algorithm and not measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// Texels that the shaders fetch, each counted as often as it is fetched.
    pub texels_read: u64,
    /// Texels that the pass writes, padding of the region included.
    pub texels_written: u64,
    /// 32-bit words in the texels read.
    pub words_read: u64,
    /// 32-bit words in the texels written.
    pub words_written: u64,
    /// Uses of the operator.
    pub adds: u64,
    /// The longest chain of uses of the operator that ends in one result.
    pub depth: u64,
}

impl std::ops::Add for Cost {
    type Output = Cost;

    /// The cost of two passes one after the other.
    fn add(self, other: Cost) -> Cost {
        Cost {
            texels_read: self.texels_read + other.texels_read,
            texels_written: self.texels_written + other.texels_written,
            words_read: self.words_read + other.words_read,
            words_written: self.words_written + other.words_written,
            adds: self.adds + other.adds,
            depth: self.depth + other.depth,
        }
    }
}

impl Cost {
    /// Words read and written.
    pub fn words_moved(&self) -> u64 {
        self.words_read + self.words_written
    }
}

impl Pass {
    pub fn reads(&self) -> impl Iterator<Item = Slot> + '_ {
        let Command::Draw(draw) = &self.command;
        draw.reads.iter().map(|&(_, slot)| slot)
    }

    pub fn writes(&self) -> &[Slot] {
        let Command::Draw(draw) = &self.command;
        &draw.writes
    }

    pub fn touches(&self, slot: Slot) -> bool {
        self.writes().contains(&slot) || self.reads().any(|read| read == slot)
    }
}

/// A draw being recorded. It is already in the plan; each method adds to it.
pub struct DrawRecorder<'p> {
    pub(super) plan: &'p mut Plan,
    pub(super) index: usize,
}

impl DrawRecorder<'_> {
    fn change(self, change: impl FnOnce(&mut Draw, &mut Account<'_>)) -> Self {
        let slots = &self.plan.slots;
        let pass = &mut self.plan.passes[self.index];
        let Command::Draw(draw) = &mut pass.command;
        let mut account = Account { slots, cost: &mut pass.cost };
        change(draw, &mut account);
        self
    }

    /// Reads a slot through the sampler uniform `name`. The engine also sets `<name>_shape`, an
    /// ivec4 of width, log2 of the width (-1 where that is no whole number), height and length.
    pub fn read(self, name: &'static str, slot: Slot) -> Self {
        self.change(|draw, _| draw.reads.push((name, slot)))
    }

    /// Sets a `#define`.
    pub fn define(self, name: &'static str, value: i64) -> Self {
        self.change(|draw, _| draw.defines.push((name, value)))
    }

    /// Sets a uniform.
    pub fn set(self, name: &'static str, value: Uniform) -> Self {
        self.change(|draw, _| draw.uniforms.push((name, value)))
    }

    /// Writes a slot: the used region of it, unless [`Self::region`] says otherwise.
    pub fn write(self, slot: Slot) -> Self {
        self.change(|draw, account| {
            draw.writes.push(slot);
            if draw.writes.len() == 1 {
                draw.region = account.slots[slot.index()].layout.region();
            }
            account.count_writes(draw);
        })
    }

    /// Draws another region than the whole of the first target.
    pub fn region(self, region: Region) -> Self {
        self.change(|draw, account| {
            draw.region = region;
            account.count_writes(draw);
        })
    }

    /// States how many texels of the slot read as `name` the pass fetches in all.
    pub fn fetches(self, name: &'static str, texels: u64) -> Self {
        self.change(|draw, account| {
            let words = draw
                .reads
                .iter()
                .find(|(read, _)| *read == name)
                .map_or(0, |(_, slot)| account.slots[slot.index()].layout.words_per_texel());
            account.cost.texels_read += texels;
            account.cost.words_read += texels * u64::from(words);
        })
    }

    /// States how often the pass uses the operator in all, and the longest chain in one result.
    pub fn adds(self, adds: u64, depth: u64) -> Self {
        self.change(|_, account| {
            account.cost.adds = adds;
            account.cost.depth = depth;
        })
    }
}

/// The parts of plan and pass that a recorder needs beside the draw itself.
struct Account<'a> {
    slots: &'a [super::SlotInfo],
    cost: &'a mut Cost,
}

impl Account<'_> {
    fn count_writes(&mut self, draw: &Draw) {
        let texels = draw.region.texels();
        self.cost.texels_written = texels * draw.writes.len() as u64;
        self.cost.words_written = draw
            .writes
            .iter()
            .map(|slot| texels * u64::from(self.slots[slot.index()].layout.words_per_texel()))
            .sum();
    }
}
