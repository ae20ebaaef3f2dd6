//! Builds one pass: what an algorithm says about a draw after it has begun one.

use super::{AtMost, Command, Cost, Draw, Plan, Primitives, Region, Shader, Slot, Storage, Uniform};
use crate::element::ElementType;

/// A draw being added. It is already in the plan; each method adds to it.
#[derive(Debug)]
pub struct DrawRecorder<'p> {
    pub(super) plan: &'p mut Plan,
    pub(super) index: usize,
}

impl DrawRecorder<'_> {
    fn change(self, change: impl FnOnce(&mut Draw, &mut Account<'_>)) -> Self {
        let slots = &self.plan.slots;
        let pass = &mut self.plan.passes[self.index];
        if let Command::Draw(draw) = &mut pass.command {
            change(draw, &mut Account { slots, cost: &mut pass.cost });
        }
        self
    }

    /// Reads a slot through the sampler uniform `name`. The engine also sets `<name>_shape`, an ivec4 of width, log2 of
    /// the width (-1 if it is not a power of two), height and length. A buffer is read through a `usamplerBuffer`, one
    /// texel per item. Repeated calls do no harm.
    pub fn read(self, name: &'static str, slot: Slot) -> Self {
        let slot = self.plan.own_or_noted(slot);
        self.change(|draw, _| {
            if !draw.reads.contains(&(name, slot)) {
                draw.reads.push((name, slot));
            }
        })
    }

    /// Tells the shaders how many items count, if the plan counts them ([`Plan::indirect`]): defines `COUNTED` and reads the
    /// number as `u_length`, both for `common/length.glsl`. [`Plan::draw`] calls it itself.
    pub fn knows_length(self) -> Self {
        match self.plan.cover.with_gpu_length() {
            Some(counting) => self.define("COUNTED", 1).read("u_length", counting.length),
            None => self,
        }
    }

    /// Makes the items of a buffer the vertices' attributes at the next location, as unsigned words.
    pub fn attribute(self, slot: Slot) -> Self {
        let slot = self.plan.own_or_noted(slot);
        self.change(|draw, account| {
            draw.attributes.push(slot);
            let words = account.slots[slot.index()].layout.words_per_texel();
            account.cost.words_read += draw.primitives.vertices() * u64::from(words);
        })
    }

    /// Sets a `#define`.
    pub fn define(self, name: &'static str, value: i64) -> Self {
        self.change(|draw, _| draw.defines.push((name, value)))
    }

    /// Sets a uniform.
    pub fn set(self, name: &'static str, value: impl Into<Uniform>) -> Self {
        self.change(|draw, _| draw.uniforms.push((name, value.into())))
    }

    /// Sets the element of this pass, which `#include <element>` stands for, if it is not the plan's.
    pub fn element(self, element: ElementType) -> Self {
        self.plan.passes[self.index].item.element = element;
        self
    }

    /// Adds a geometry stage, which desktop OpenGL and ES 3.2 have. In a capture it must emit points.
    pub fn geometry(self, shader: Shader) -> Self {
        self.change(|draw, _| draw.stages.geometry = Some(shader))
    }

    /// Writes a texture. The drawn region is the used one of the first target or, if the vertex stage places what is
    /// drawn, the whole target. [`Self::region`] can change it.
    pub fn write(self, slot: Slot) -> Self {
        let slot = self.plan.own_or_noted(slot);
        self.change(|draw, account| {
            draw.writes.push(slot);
            if draw.writes.len() == 1 {
                let layout = &account.slots[slot.index()].layout;
                draw.region = match draw.primitives {
                    Primitives::Screen => layout.region(),
                    _ => Region { width: layout.width, height: layout.height },
                };
            }
            account.count_writes(draw);
        })
    }

    /// Captures the output `name` of the last stage in a buffer: one item per emitted vertex.
    pub fn capture(self, name: &'static str, slot: Slot) -> Self {
        let slot = self.plan.own_or_noted(slot);
        self.change(|draw, account| {
            draw.captured.push(name);
            draw.writes.push(slot);
            let layout = &account.slots[slot.index()].layout;
            account.cost.words_written += layout.len * u64::from(layout.words_per_texel());
        })
    }

    /// Sets the region of the targets that is drawn. To be called after the targets.
    pub fn region(self, region: Region) -> Self {
        self.change(|draw, account| {
            draw.region = region;
            account.count_writes(draw);
        })
    }

    /// States how many texels of each target are written, if it is not the whole region. To be called after targets and
    /// region.
    pub fn covers(self, texels: u64) -> Self {
        self.change(|draw, account| account.count_texels(draw, texels))
    }

    /// States how many texels of the slot read as `name` the pass fetches in all. To be called after [`Self::read`].
    pub fn fetches(self, name: &'static str, texels: u64) -> Self {
        self.change(|draw, account| {
            let read = draw.reads.iter().find(|(read, _)| *read == name);
            debug_assert!(read.is_some(), "no slot is read as {name}");
            let words = read.map_or(0, |(_, slot)| account.slots[slot.index()].layout.words_per_texel());
            account.cost.texels_read += texels;
            account.cost.words_read += texels * u64::from(words);
        })
    }

    /// States that these numbers of the cost are maxima, in addition to earlier ones.
    pub fn at_most(self, numbers: AtMost) -> Self {
        let pass = &mut self.plan.passes[self.index];
        pass.at_most = pass.at_most | numbers;
        self
    }

    /// States how often the pass uses the operator in all, and the longest chain in one result.
    pub fn adds(self, adds: u64, depth: u64) -> Self {
        self.change(|_, account| {
            account.cost.adds = adds;
            account.cost.depth = depth;
        })
    }

    pub(super) fn count_vertices(self) -> Self {
        self.change(|draw, account| {
            account.cost.vertices = match draw.primitives {
                Primitives::Screen => 0,
                drawn => drawn.vertices(),
            };
        })
    }
}

/// The parts of plan and pass that a recorder needs besides the draw.
struct Account<'a> {
    slots: &'a [super::SlotInfo],
    cost: &'a mut Cost,
}

impl Account<'_> {
    fn count_writes(&mut self, draw: &Draw) {
        self.count_texels(draw, draw.region.texels());
    }

    fn count_texels(&mut self, draw: &Draw, texels: u64) {
        let textures = || {
            draw.writes
                .iter()
                .map(|slot| &self.slots[slot.index()].layout)
                .filter(|layout| layout.storage == Storage::Texture)
        };
        self.cost.texels_written = texels * textures().count() as u64;
        self.cost.words_written = textures().map(|layout| texels * u64::from(layout.words_per_texel())).sum();
    }
}
