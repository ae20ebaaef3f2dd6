//! The kernels of `glsl/reduce/`.

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = &[];
