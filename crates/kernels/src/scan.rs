//! The kernels of `glsl/scan/`, and of the steps around scans.

mod block;
mod harris;
mod heads;
mod horn;
mod hybrid;
mod linear;
mod packed;
mod reduce_then_scan;
mod splits;
mod three_phase;
mod tile;
mod totals;

use crate::Kernel;
use Kernel::{Fragment, Group};

pub const KERNELS: &[(&str, Kernel)] = &[
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
