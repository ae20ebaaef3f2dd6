//! The kernels of `glsl/sort/`.

mod bitonic;
mod moves;
mod onesweep;
mod radix;
mod split;
mod three_pass;
mod tile;

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [sort/bitonic]: first.frag, gather.frag, step.frag;
    [sort/radix]: counts.frag, gather.frag, gather_pairs.frag, marks.frag, masks.frag, planes.frag;
    [sort/split]: flags.frag, gather.frag;
    [sort/onesweep]: counts.comp, sort.comp, starts.comp;
    [sort/three_pass]: counts.comp, scatter.comp;
};
