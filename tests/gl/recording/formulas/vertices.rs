//! The reads of vertices.

use rasterscan::trace::Work;

use super::{Expected, Seen};

impl Seen<'_> {
    /// The reads of each vertex, if the pass positions vertices.
    pub(super) fn vertices(&self) -> Option<Vec<Expected>> {
        let stage = self.pass.shaders.first()?;
        let primitives = match &self.pass.work {
            Work::Draw { primitives, .. } | Work::Capture { primitives } => primitives,
            Work::Dispatch { .. } => return None,
        };
        let all = 0..primitives.vertices();
        let attributes = |vertex: u64| {
            let sources = (0..).zip(&self.pass.sources);
            sources
                .filter(|(_, source)| source.name == "attribute")
                .map(|(n, _)| (n, vertex))
                .collect::<Vec<_>>()
        };
        let segment = |block: u64| -> Expected {
            let sums = self.named("u_sums");
            let per_texel = self.define("PER_TEXEL");
            let before = (block > 0).then(|| (sums, (block - 1) / per_texel));
            before.into_iter().chain([(sums, block / per_texel)]).collect()
        };
        Some(match stage.path.as_str() {
            "common/fullscreen.vert" => return None,
            "compact/common/kept_rows.vert" => all.map(|_| vec![(self.named("u_count"), 0)]).collect(),
            "compact/points/scatter.vert" => {
                let (deciding, sums) = (self.deciding(), self.named("u_sums"));
                let mut expected: Vec<Expected> =
                    all.map(|vertex| self.moved(vec![(deciding, vertex)], vertex)).collect();
                for (vertex, expected) in (0..).zip(&mut expected) {
                    let drawn = &self.pass.drawn[vertex as usize];
                    if !drawn.is_empty() {
                        expected.push((sums, vertex / self.define("PER_TEXEL")));
                    }
                }
                expected
            }
            "compact/geometry/elements.vert" => all.map(attributes).collect(),
            "compact/blocks/segments.vert" => {
                all.map(|vertex| segment(vertex / self.define("VERTICES"))).collect()
            }
            "compact/blocks/draw_part.vert" | "compact/blocks/pass_on.vert" => {
                match self.define("CAPTURED") {
                    1 => all.map(attributes).collect(),
                    _ => all.map(|vertex| segment(vertex / self.define("VERTICES"))).collect(),
                }
            }
            other => panic!("no formula for {other}"),
        })
    }
}
