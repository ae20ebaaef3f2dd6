//! The kernels of `glsl/scan/`, and of the steps around scans.

mod block;
mod capannini;
mod chained;
mod common;
mod harris;
mod heads;
mod horn;
mod hybrid;
mod linear;
pub(crate) mod look_back;
mod nearest_prefix;
mod option_passes;
mod packed;
mod prefix_of_block;
mod reduce_then_scan;
mod sam;
pub(crate) mod splits;
pub(crate) mod states;
mod three_phase;
pub(crate) mod tile;
pub(crate) mod totals;

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [scan/option_passes::buffers]: arrange.comp, flags.comp, keys.comp, restore.comp, total.comp, transpose.comp;
    [scan/option_passes::heads]: flags.frag, keys.frag, last_heads.frag, starts.frag;
    [scan/option_passes::textures]: arrange.frag, restore.frag, total.frag;
    [scan/capannini]: cm.comp, down_sweep.comp, scan.comp, up_sweep.comp;
    [scan/chained]: scan.comp;
    [scan/common]: clear.comp, uniform_add.comp;
    [scan/harris]: naive.comp, work_efficient.comp;
    [scan/horn]: step.frag;
    [scan/hybrid]: down_sweep.frag, reduce.frag;
    [scan/look_back]: scan.comp;
    [scan/packed]: down_sweep.frag, reduce.frag;
    [scan/reduce_then_scan]: columns_reduce.comp, columns_scan.comp, prefixes.comp;
    [scan/reduce_then_scan]: linear_reduce.comp, linear_scan.comp;
    [scan/reduce_then_scan]: reduce.comp, reduce_in_series.comp, scan.comp, scan_in_series.comp;
    [scan/sam]: scan.comp;
    [scan/three_phase]: add.comp, scan.comp;
};
