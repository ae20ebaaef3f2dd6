//! The kernels of `glsl/compact/`.

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = &[];
