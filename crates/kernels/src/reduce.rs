//! The kernels of `glsl/reduce/`.

mod common;
mod finish;
mod first;
mod pieces;
mod single_pass;
mod two_pass;

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [reduce/common]: identity.frag;
    [reduce/first::fragments]: fold.frag;
    [reduce/first::groups]: fold.comp;
    [reduce/single_pass]: reduce.comp;
    [reduce/two_pass]: finish.comp, reduce.comp;
};
