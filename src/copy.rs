//! Copies of a stream, as plans of their own: the device limits that times are compared with.

use std::fmt;

use crate::device::Device;
use crate::error::Error;
use crate::plan::{Access, ItemType, Lanes, Layout, Plan, Primitives, Uniform, shader};
use crate::scan::ScanSpec;
use crate::unsupported::Unsupported;

/// A copy by one draw: by default `copy:texture`, a full-screen pass over one item per texel, each fetched once.
///
/// With more fetches, the others of a texel are its neighbours in the row, and do not change the result. `copy:points` draws a
/// point for each texel. Such copies show what a fetch and a vertex cost beside a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextureCopy {
    /// Items in a texel.
    pub items_per_texel: u32,
    /// Fetches of a fragment: a power of two; 1 by points.
    pub fetches: u32,
    /// Each texel is a point, whose vertex fetches it.
    pub by_points: bool,
}

impl Default for TextureCopy {
    fn default() -> TextureCopy {
        TextureCopy { items_per_texel: 1, fetches: 1, by_points: false }
    }
}

impl fmt::Display for TextureCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.by_points { "copy:points" } else { "copy:texture" })?;
        if (self.items_per_texel, self.fetches) != (1, 1) {
            write!(f, ":items={},fetches={}", self.items_per_texel, self.fetches)?;
        }
        Ok(())
    }
}

impl TextureCopy {
    /// The plan for the stream of `spec`. Writes a texel for `items_per_texel` items, and fetches `fetches` for each; by points,
    /// each is a vertex.
    ///
    /// Errors: [`Error::Spec`]; [`Error::Unsupported`] if no texture holds the stream, no texel the items, for more than one
    /// fetch of floats or by points, and for fetches that are no power of two.
    pub fn plan(self, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
        spec.check()?;
        if self.fetches > 1 && (spec.element.is_float() || self.by_points) {
            return Err(
                Unsupported::request("a copy of floats, or by points, fetches each texel once").into()
            );
        }
        if !self.fetches.is_power_of_two() || self.items_per_texel == 0 {
            return Err(Unsupported::request(
                "a copy fetches 1, 2, 4, 8, ... texels for each, of 1 item or more",
            )
            .into());
        }
        let arity = spec.operator.arity();
        let layout =
            Layout::fit(device, spec.element, arity, self.items_per_texel, spec.len, self.fetches.max(2))?;
        let item = ItemType { element: spec.element, operator: spec.operator.clone() };
        let mut plan = Plan::new(self.to_string(), item, layout)
            .task(format!("a copy of {} {}", spec.len, spec.element));
        let copy = plan.slot("copy", layout);
        let source = plan.input();
        let pass = if self.by_points {
            let points = Primitives::Points(layout.texels());
            plan.draw_vertices("copy", points, shader!("copy/points.vert"), shader!("copy/scatter.frag"))
                .define("WORDS", layout.words_per_texel().into())
        } else {
            plan.draw("copy", shader!("copy/texture.frag")).define("FETCHES", self.fetches.into())
        };
        let pass = if self.fetches > 1 { pass.set("u_kept_bits", Uniform::Int(0)) } else { pass };
        let pass = pass.read("u_source", source);
        let pass = pass.fetches("u_source", layout.texels() * u64::from(self.fetches)).write(copy);
        // A screen also covers what is behind the last texel.
        if self.by_points {
            pass.covers(layout.texels());
        }
        Ok(plan.finish(copy))
    }
}

/// `copy:texture`: one full-screen pass that copies the stream of `spec`, one item per texel.
///
/// No fragment algorithm that reads and writes every texel can be faster. Reads and writes n texels.
pub fn texture(spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
    TextureCopy::default().plan(spec, device)
}

/// `copy:buffer`: one dispatch that copies the stream of `spec`, four words at a time.
///
/// No compute algorithm that reads and writes every item can be faster. Reads and writes n items.
///
/// Errors: [`Error::Spec`]; [`Error::Unsupported`] without compute shaders, or if no buffer is long enough.
pub fn buffer(spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
    spec.check()?;
    /// Invocations in a group.
    const GROUP: u32 = 256;
    let layout = Layout::in_buffer(device, spec.element, spec.operator.arity(), spec.len)?;
    // Vectors per invocation: of 2^22 words and more, more groups copy no faster (an H200).
    let rows = if layout.words() < 1 << 22 { 1 } else { 4 };
    let item = ItemType { element: spec.element, operator: spec.operator.clone() };
    let mut plan =
        Plan::new("copy:buffer", item, layout).task(format!("a copy of {} {}", spec.len, spec.element));
    let copy = plan.slot("copy", layout);
    let source = plan.input();
    let words = u64::from(layout.words_per_texel());
    for part in layout.parts(device, u64::from(GROUP * rows * 4), u64::MAX)? {
        let moved = (part.end - part.start) * words;
        let vectors = moved.div_ceil(4);
        plan.dispatch(
            "copy",
            shader!("copy/buffer.comp"),
            Lanes::Serial,
            GROUP,
            vectors.div_ceil((GROUP * rows).into()),
        )
        .bind_loads("SOURCE", source, part.clone(), 4)
        .bind_part("TARGET", copy, Access::Write, part)
        .define("ROWS", rows)
        .define("LOAD", 4)
        .set("u_vectors", Uniform::Int(vectors as i32))
        .moves(moved, moved);
    }
    Ok(plan.finish(copy))
}
