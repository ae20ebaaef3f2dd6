//! The native half of the Python package `rasterscan`, as the module `rasterscan._native`. `python/rasterscan/` is the other
//! half: numpy's shapes and names.
//!
//! | module | what it does |
//! | --- | --- |
//! | `gpu` | `Gpu`: an engine, and the thread that it lives on |
//! | `here` | values that only one thread may touch, in objects that any thread may drop |
//! | `current` | the caller's own context |
//! | `engine` | OpenGL, or kernels in Rust; a task run by one of them |
//! | `request` | from keyword arguments to a task: the library's grammar of jobs |
//! | `numbers` | numpy's arrays, to and from numbers |
//! | `operator` | operators in GLSL with a twin in Python |
//! | `stream` | what stays on the GPU: textures, buffers, results, and plans that run on them |
//! | `recording` | recordings as pictures, pages and sentences |
//! | `errors` | errors as exceptions |

#![deny(missing_debug_implementations, unsafe_code)]

mod current;
mod engine;
mod errors;
mod gpu;
mod here;
mod numbers;
mod operator;
mod recording;
mod request;
mod stream;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::engine::algorithms;
    #[pymodule_export]
    use super::gpu::{Gpu, close};
    #[pymodule_export]
    use super::operator::Operator;
    #[pymodule_export]
    use super::recording::Recording;
    #[pymodule_export]
    use super::request::{arity, options};
    #[pymodule_export]
    use super::stream::{Prepared, Stream};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
