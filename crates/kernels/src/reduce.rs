//! The kernels of `glsl/reduce/`.

mod common;
mod finish;
mod pieces;
mod single_pass;
mod two_pass;

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [reduce/common]: identity.frag;
    [reduce/single_pass]: reduce.comp;
    [reduce/two_pass]: finish.comp, reduce.comp;
};
