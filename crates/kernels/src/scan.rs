//! The kernels of `glsl/scan/`, and of the steps around scans.

mod around;
mod block;
mod capannini;
mod chained;
mod common;
mod harris;
mod heads;
mod horn;
mod hybrid;
mod linear;
mod look_back;
mod nearest_prefix;
mod packed;
mod prefix_of_block;
mod reduce_then_scan;
mod splits;
mod states;
mod three_phase;
pub(crate) mod tile;
pub(crate) mod totals;

use crate::Kernel;
use Kernel::{Fragment, Group};

pub const KERNELS: &[(&str, Kernel)] = &[
    ("scan/around/arrange.comp", Group(around::buffers::arrange)),
    ("scan/around/arrange.frag", Fragment(around::textures::arrange)),
    ("scan/around/flags.comp", Group(around::heads::flags_in_buffers)),
    ("scan/around/flags.frag", Fragment(around::heads::flags)),
    ("scan/around/last_heads.frag", Fragment(around::heads::last_heads)),
    ("scan/around/restore.comp", Group(around::buffers::restore)),
    ("scan/around/restore.frag", Fragment(around::textures::restore)),
    ("scan/around/starts.frag", Fragment(around::heads::starts)),
    ("scan/around/total.comp", Group(around::buffers::total)),
    ("scan/around/total.frag", Fragment(around::textures::total)),
    ("scan/around/transpose.comp", Group(around::buffers::transpose)),
    ("scan/capannini/cm.comp", Group(capannini::cm)),
    ("scan/capannini/down_sweep.comp", Group(capannini::down_sweep)),
    ("scan/capannini/scan.comp", Group(capannini::scan)),
    ("scan/capannini/up_sweep.comp", Group(capannini::up_sweep)),
    ("scan/common/clear.comp", Group(common::clear)),
    ("scan/common/uniform_add.comp", Group(common::uniform_add)),
    ("scan/chained/scan.comp", Group(chained::scan)),
    ("scan/look_back/scan.comp", Group(look_back::scan)),
    ("scan/harris/naive.comp", Group(harris::naive)),
    ("scan/harris/work_efficient.comp", Group(harris::work_efficient)),
    ("scan/horn/step.frag", Fragment(horn::step)),
    ("scan/hybrid/down_sweep.frag", Fragment(hybrid::down_sweep)),
    ("scan/hybrid/reduce.frag", Fragment(hybrid::reduce)),
    ("scan/packed/down_sweep.frag", Fragment(packed::down_sweep)),
    ("scan/packed/reduce.frag", Fragment(packed::reduce)),
    ("scan/reduce_then_scan/columns_reduce.comp", Group(reduce_then_scan::columns_reduce)),
    ("scan/reduce_then_scan/columns_scan.comp", Group(reduce_then_scan::columns_scan)),
    ("scan/reduce_then_scan/linear_reduce.comp", Group(reduce_then_scan::linear_reduce)),
    ("scan/reduce_then_scan/linear_scan.comp", Group(reduce_then_scan::linear_scan)),
    ("scan/reduce_then_scan/prefixes.comp", Group(reduce_then_scan::prefixes)),
    ("scan/reduce_then_scan/reduce.comp", Group(reduce_then_scan::reduce)),
    ("scan/reduce_then_scan/reduce_in_series.comp", Group(reduce_then_scan::reduce_in_series)),
    ("scan/reduce_then_scan/scan.comp", Group(reduce_then_scan::scan)),
    ("scan/reduce_then_scan/scan_in_series.comp", Group(reduce_then_scan::scan_in_series)),
    ("scan/three_phase/add.comp", Group(three_phase::add)),
    ("scan/three_phase/scan.comp", Group(three_phase::scan)),
];
