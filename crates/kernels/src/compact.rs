//! The kernels of `glsl/compact/`.

mod common;
mod condition;
mod keep;
mod moves;
mod sums;

use crate::Kernel;
use Kernel::{Fragment, Group, Vertex};

pub const KERNELS: &[(&str, Kernel)] = &[
    ("compact/common/count.frag", Fragment(common::count)),
    ("compact/common/flags.frag", Fragment(common::flags)),
    ("compact/common/kept_rows.vert", Vertex(common::kept_rows)),
    ("compact/common/search.frag", Fragment(common::search)),
    ("compact/common/zero.comp", Group(common::zero_in_buffer)),
    ("compact/common/zero.frag", Fragment(common::zero)),
];
