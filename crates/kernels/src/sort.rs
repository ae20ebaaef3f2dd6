//! The kernels of `glsl/sort/`.

mod bitonic;
mod moves;
mod split;

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [sort/bitonic]: first.frag, gather.frag, step.frag;
    [sort/split]: flags.frag, gather.frag;
};
