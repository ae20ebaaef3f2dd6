//! The kernels of `glsl/reduce/`.

mod batches;
mod common;
mod finish;
mod first;
mod pieces;
mod segments;
mod single_pass;
mod two_pass;

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [reduce/batches::buffers]: step.comp;
    [reduce/batches::textures]: step.frag;
    [reduce/common]: identity.frag;
    [reduce/first::fragments]: fold.frag;
    [reduce/first::groups]: fold.comp;
    [reduce/segments::buffers]: counts.comp, heads.comp, take.comp;
    [reduce/segments::textures]: counts.frag, heads.frag, take.frag;
    [reduce/single_pass]: reduce.comp;
    [reduce/two_pass]: finish.comp, reduce.comp;
};
