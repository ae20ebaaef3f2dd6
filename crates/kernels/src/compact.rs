//! The kernels of `glsl/compact/`.

mod bits;
mod buffers;
mod common;
mod condition;
mod keep;
mod moves;
mod packed;
mod scatter;
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
    ("compact/packed/bits.frag", Fragment(packed::bits)),
    ("compact/packed/count.frag", Fragment(packed::count)),
    ("compact/packed/counts.frag", Fragment(packed::counts)),
    ("compact/packed/gather.frag", Fragment(packed::gather)),
    ("compact/packed/hints.frag", Fragment(packed::hints)),
    ("compact/packed/runs.frag", Fragment(packed::runs)),
    ("compact/scatter/flags.comp", Group(scatter::flags)),
    ("compact/scatter/scatter.comp", Group(scatter::scatter)),
];
