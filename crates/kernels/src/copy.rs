//! The kernels of `glsl/copy/`.

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = &[];
