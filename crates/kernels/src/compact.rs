//! The kernels of `glsl/compact/`.

mod bitonic;
mod bits;
mod blocks;
mod buffers;
mod common;
mod condition;
mod geometry;
mod histopyramid;
mod keep;
mod moves;
mod packed;
mod points;
mod scatter;
mod sums;

use crate::Kernel;
use Kernel::{Fragment, Geometry, Group, Vertex};

pub const KERNELS: &[(&str, Kernel)] = &[
    ("compact/bitonic/count.frag", Fragment(bitonic::count)),
    ("compact/bitonic/gather.frag", Fragment(bitonic::gather)),
    ("compact/bitonic/keys.frag", Fragment(bitonic::keys)),
    ("compact/bitonic/step.frag", Fragment(bitonic::step)),
    ("compact/blocks/bits.frag", Fragment(blocks::bits)),
    ("compact/blocks/concatenate.frag", Fragment(blocks::concatenate)),
    ("compact/blocks/counts.frag", Fragment(blocks::counts)),
    ("compact/blocks/draw_part.vert", Vertex(blocks::draw_part)),
    ("compact/blocks/ends.frag", Fragment(blocks::ends)),
    ("compact/blocks/pass_on.vert", Vertex(blocks::pass_on)),
    ("compact/blocks/search_bits.frag", Fragment(blocks::search_bits)),
    ("compact/blocks/segments.vert", Vertex(blocks::segments)),
    ("compact/blocks/split.geom", Geometry(blocks::split)),
    ("compact/common/count.frag", Fragment(common::count)),
    ("compact/common/flags.frag", Fragment(common::flags)),
    ("compact/common/kept_rows.vert", Vertex(common::kept_rows)),
    ("compact/common/search.frag", Fragment(common::search)),
    ("compact/common/zero.comp", Group(common::zero_in_buffer)),
    ("compact/common/zero.frag", Fragment(common::zero)),
    ("compact/geometry/count.frag", Fragment(geometry::count)),
    ("compact/geometry/elements.vert", Vertex(geometry::elements)),
    ("compact/geometry/keep.geom", Geometry(geometry::keep)),
    ("compact/histopyramid/count.frag", Fragment(histopyramid::count)),
    ("compact/histopyramid/reduce.frag", Fragment(histopyramid::reduce)),
    ("compact/histopyramid/traverse.frag", Fragment(histopyramid::traverse)),
    ("compact/packed/bits.frag", Fragment(packed::bits)),
    ("compact/packed/count.frag", Fragment(packed::count)),
    ("compact/packed/counts.frag", Fragment(packed::counts)),
    ("compact/packed/gather.frag", Fragment(packed::gather)),
    ("compact/packed/hints.frag", Fragment(packed::hints)),
    ("compact/packed/runs.frag", Fragment(packed::runs)),
    ("compact/points/point.frag", Fragment(points::point)),
    ("compact/points/scatter.vert", Vertex(points::scatter)),
    ("compact/scatter/flags.comp", Group(scatter::flags)),
    ("compact/scatter/scatter.comp", Group(scatter::scatter)),
];
