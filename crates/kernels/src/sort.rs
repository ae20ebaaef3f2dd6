//! The kernels of `glsl/sort/`.

mod bitonic;
mod moves;
mod radix;
mod split;

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [sort/bitonic]: first.frag, gather.frag, step.frag;
    [sort/radix]: counts.frag, gather.frag, marks.frag, masks.frag, planes.frag;
    [sort/split]: flags.frag, gather.frag;
};
