//! Concatenation by drawing: each block is a segment of the result, drawn as a line or a rectangle (roger2007,
//! section III-C).

use super::{Draw, Ends, Found, SEARCH_BITS, Steps, Wrap};
use crate::compact::shader;
use crate::compact::texture::Moved;
use crate::element::ElementType;
use crate::plan::{AtMost, DrawRecorder, Layout, Plan, Primitives, Slot};

/// Where the elements of segments come from.
#[derive(Clone, Copy)]
pub(super) enum Elements {
    /// The compacted blocks.
    Blocks(Moved),
    /// The stream, in which the bits of blocks say what is kept.
    Bits(Slot),
}

/// The slots that the concatenation draws from.
struct Drawn {
    from: Elements,
    /// The scanned counts of the blocks.
    sums: Slot,
    /// The captured segments, if any.
    segments: Option<Slot>,
}

/// The parts of the segments that a pass draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parts {
    /// Those up to the right edge of the texture.
    Left,
    /// Those beyond it, in the next row.
    Wrapped,
    /// Both, split by a geometry shader.
    Both,
}

impl Steps<'_> {
    /// Computes the segments, and draws them into the results.
    pub(super) fn concatenate(&self, plan: &mut Plan, from: Elements, sums: Slot) {
        let segments = match self.blocks.ends {
            Ends::Captured => Some(self.capture_segments(plan, sums)),
            Ends::Fetched => None,
        };
        let kept = self.compaction.spec.len;
        let drawn = Drawn { from, sums, segments };
        match self.blocks.wrap {
            // Together they write the kept elements. The wrapped share depends on the width: it is zero if everything
            // is kept and blocks end with the rows.
            Wrap::Twice => {
                self.draw_segments(plan, &drawn, Parts::Left, kept);
                self.draw_segments(plan, &drawn, Parts::Wrapped, 0);
            }
            Wrap::Geometry => self.draw_segments(plan, &drawn, Parts::Both, kept),
        }
    }

    /// Vertices per segment: two ends, or two triangles. A geometry shader makes its own corners.
    fn vertices(&self) -> u64 {
        if self.has_triangles() { 6 } else { 2 }
    }

    fn has_triangles(&self) -> bool {
        (self.blocks.wrap, self.draw) == (Wrap::Twice, Draw::Quads)
    }

    fn primitives(&self) -> Primitives {
        let vertices = self.counts.len * self.vertices();
        if self.has_triangles() { Primitives::Triangles(vertices) } else { Primitives::Lines(vertices) }
    }

    fn capture_segments(&self, plan: &mut Plan, sums: Slot) -> Slot {
        let vertices = self.primitives().vertices();
        let segments = plan.slot("segments", Layout::buffer(ElementType::U32, 3, vertices));
        let pass = plan.capture(
            "segments",
            self.primitives(),
            shader!("compact/blocks/segments.vert", "compact/blocks/segment.glsl"),
        );
        self.fetch_ends(pass, sums).capture("v_segment", segments);
        segments
    }

    /// Lets a vertex stage compute the segments (`glsl/compact/blocks/segment.glsl`).
    fn fetch_ends<'p>(&self, pass: DrawRecorder<'p>, sums: Slot) -> DrawRecorder<'p> {
        pass.define("PER_TEXEL", i64::from(self.counts.items_per_texel))
            .define("BLOCK", self.size() as i64)
            .define("VERTICES", self.vertices() as i64)
            .set("u_len", self.len())
            .read("u_sums", sums)
            .fetches("u_sums", (2 * self.counts.len - 1) * self.vertices())
    }

    fn draw_segments(&self, plan: &mut Plan, drawn: &Drawn, parts: Parts, texels: u64) {
        let fragment = match drawn.from {
            Elements::Blocks(_) => shader!("compact/blocks/concatenate.frag"),
            Elements::Bits(_) => SEARCH_BITS,
        };
        let pass = match parts {
            Parts::Left | Parts::Wrapped => {
                let vertex = shader!(
                    "compact/blocks/draw_part.vert",
                    "compact/blocks/ends.glsl",
                    "compact/blocks/part.glsl",
                    "compact/blocks/segment.glsl"
                );
                let (phase, part) =
                    if parts == Parts::Left { ("left parts", 0) } else { ("wrapped parts", 1) };
                plan.draw_vertices(phase, self.primitives(), vertex, fragment).define("PART", part)
            }
            Parts::Both => {
                let vertex = shader!(
                    "compact/blocks/pass_on.vert",
                    "compact/blocks/ends.glsl",
                    "compact/blocks/segment.glsl"
                );
                let phase = if self.draw == Draw::Lines { "lines" } else { "rectangles" };
                plan.draw_vertices(phase, self.primitives(), vertex, fragment)
                    .geometry(shader!("compact/blocks/split.geom", "compact/blocks/part.glsl"))
            }
        };
        let pass = pass
            .define("LINES", i64::from(self.draw == Draw::Lines))
            .define("CAPTURED", i64::from(drawn.segments.is_some()));
        let pass = match drawn.segments {
            Some(segments) => pass.define("VERTICES", self.vertices() as i64).attribute(segments),
            None => self.fetch_ends(pass, drawn.sums),
        };
        // The two parts share what is kept: the left one states all of it.
        let pass = pass.at_most(AtMost::READ | AtMost::WRITTEN);
        let into = self.compaction.moved;
        let pass = match drawn.from {
            Elements::Bits(bits) => self.find_in_bits(pass, bits, Found::Drawn, texels, into),
            Elements::Blocks(moved) => {
                let names = [("u_moved_values", moved.values), ("u_moved_indices", moved.indices)];
                let pass = names.into_iter().fold(pass, |pass, (name, slot)| match slot {
                    Some(slot) => pass.read(name, slot).fetches(name, texels),
                    None => pass,
                });
                self.compaction.write_moved(pass, into)
            }
        };
        pass.covers(texels);
    }
}
