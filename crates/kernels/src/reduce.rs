//! The kernels of `glsl/reduce/`.

mod common;
mod finish;
mod pieces;
mod single_pass;
mod two_pass;

use crate::Kernel;
use Kernel::{Fragment, Group};

pub const KERNELS: &[(&str, Kernel)] = &[
    ("reduce/common/identity.frag", Fragment(common::identity)),
    ("reduce/single_pass/reduce.comp", Group(single_pass::reduce)),
    ("reduce/two_pass/finish.comp", Group(two_pass::finish)),
    ("reduce/two_pass/reduce.comp", Group(two_pass::reduce)),
];
