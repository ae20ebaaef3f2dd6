//! The kernels of `glsl/sort/`.

mod onesweep;
mod three_pass;
mod tile;

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [sort/onesweep]: counts.comp, sort.comp, starts.comp;
    [sort/three_pass]: counts.comp, scatter.comp;
};
