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
mod select;
mod sums;

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [compact/bitonic]: count.frag, gather.frag, keys.frag, step.frag;
    [compact/blocks]: bits.frag, concatenate.frag, counts.frag, draw_part.vert, ends.frag, pass_on.vert;
    [compact/blocks]: search_bits.frag, segments.vert, split.geom;
    [compact/common]: count.frag, flags.frag, kept_rows.vert, search.frag, zero.frag;
    [compact/common::in_buffers]: zero.comp;
    [compact/geometry]: count.frag, elements.vert, keep.geom;
    [compact/histopyramid]: count.frag, reduce.frag, traverse.frag;
    [compact/packed]: bits.frag, count.frag, counts.frag, gather.frag, hints.frag, runs.frag;
    [compact/points]: point.frag, scatter.vert;
    [compact/scatter]: flags.comp, scatter.comp;
    [compact/select]: select.comp;
};
