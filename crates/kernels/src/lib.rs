//! The shaders of rasterscan as kernels in Rust, and an engine that runs plans with them: no driver, and in
//! WebAssembly, too.
//!
//! For each entry shader that a plan can name, `glsl/scan/horn/step.frag`, there is a kernel of the same stem here,
//! `src/scan/horn.rs`, function `step`. It is written from the paper, over a small interface:
//!
//! | stage | works on | reads | writes |
//! | --- | --- | --- | --- |
//! | [`VertexKernel`] | a [`Vertex`] | textures, attributes | its place, values for the next stage or a capture |
//! | [`GeometryKernel`] | a [`Geometry`] | what its vertices gave | vertices of strips |
//! | [`FragmentKernel`] | a [`Fragment`] | textures, values | its texel of each target, or nothing |
//! | [`GroupKernel`] | a [`Group`] | buffers, shared memory, other lanes | buffers, shared memory |
//!
//! The tiles of a single pass look at each other's states. Timing decides on a GPU what they find, a [`Schedule`] here.
//!
//! A kernel is a function of the [`Terms`] of a pass, the defines, uniforms and bindings that the plan gives by name. It
//! looks them up once and returns what is done for each vertex, texel or group. All stages combine items through the
//! [`Machine`], which notes reads, writes and uses of the operator. One execution gives the values, the reads and the
//! counts of a pass, and the [`Operands`] of what it wrote; [`replay`] does so for a pass that was recorded.
//!
//! ```
//! use rasterscan::{Algorithm, Device, ScanSpec, tools::Numbers, scan::texture::Horn};
//! use rasterscan_kernels::Engine;
//! let plan = Horn::default().plan(&ScanSpec::new::<u32>(4), &Device::gl33())?;
//! let mut engine = Engine::new(&plan)?;
//! engine.upload(&[&Numbers::of(&[3u32, 1, 7, 0])])?;
//! engine.run()?;
//! assert_eq!(engine.get(plan.output()).get::<u32>()?, [3, 4, 11, 11]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

/// Kernels with the paths of their shaders: `[scan/horn]: step.frag` is `glsl/scan/horn/step.frag` and the function
/// `crate::scan::horn::step`. A module after `::` is one of Rust alone.
macro_rules! kernels {
    ($($folder:tt: $($file:ident.$stage:ident),+;)+) => {
        &[$($((kernels!(@path $folder $file $stage), kernels!(@kernel $folder $file $stage))),+),+]
    };
    (@path [$($folder:ident)/+ $(:: $module:ident)?] $file:ident $stage:ident) => {
        concat!($(stringify!($folder), "/",)+ stringify!($file), ".", stringify!($stage))
    };
    (@kernel $folder:tt $file:ident vert) => { crate::Kernel::Vertex(kernels!(@function $folder $file)) };
    (@kernel $folder:tt $file:ident geom) => { crate::Kernel::Geometry(kernels!(@function $folder $file)) };
    (@kernel $folder:tt $file:ident frag) => { crate::Kernel::Fragment(kernels!(@function $folder $file)) };
    (@kernel $folder:tt $file:ident comp) => { crate::Kernel::Group(kernels!(@function $folder $file)) };
    (@function [$($folder:ident)/+ $(:: $module:ident)?] $file:ident) => {
        crate::$($folder::)+$($module::)?$file
    };
}

mod call;
mod common;
mod compact;
mod copy;
mod draw;
mod engine;
mod error;
mod group;
mod histogram;
mod item;
mod length;
mod machine;
mod memory;
mod operands;
mod record;
mod reduce;
mod replay;
mod scan;
mod schedule;
mod sort;
mod terms;

pub use draw::{Fragment, FragmentKernel, Geometry, GeometryKernel, Vertex, VertexKernel, VertexOutput};
pub use engine::{Engine, Ran};
pub use error::Error;
pub use group::{Group, GroupKernel, Invocation, LaneSteps, Shared, Warps};
pub use item::{Item, MOST_WORDS, Operation, equal, less, product};
pub use machine::Machine;
pub use operands::{Moment, Operands, Read, Span, Stage, Store, Term, Word};
pub use record::{device, record, record_job, record_with, run};
pub use replay::replay;
pub use schedule::{Replay, Schedule};
pub use terms::{Binding, Shape, Source, Terms, Texel};

use rasterscan::plan::Shader;

/// The kernel of an entry shader: a function that binds it to the terms of a pass.
#[derive(Debug, Clone, Copy)]
pub enum Kernel {
    /// Of a vertex stage.
    Vertex(fn(&Terms<'_>) -> Result<VertexKernel, Error>),
    /// Of a geometry stage.
    Geometry(fn(&Terms<'_>) -> Result<GeometryKernel, Error>),
    /// Of a fragment stage.
    Fragment(fn(&Terms<'_>) -> Result<FragmentKernel, Error>),
    /// Of a compute stage.
    Group(fn(&Terms<'_>) -> Result<GroupKernel, Error>),
}

/// All kernels, by the paths of their shaders below `glsl/`.
pub fn kernels() -> impl Iterator<Item = (&'static str, Kernel)> {
    let tables = [
        scan::KERNELS,
        compact::KERNELS,
        reduce::KERNELS,
        sort::KERNELS,
        histogram::KERNELS,
        copy::KERNELS,
        common::KERNELS,
    ];
    tables.into_iter().flatten().copied()
}

/// The kernel of a shader, by its path below `glsl/`; `None` if it has none.
pub fn kernel(path: &str) -> Option<Kernel> {
    kernels().find(|(known, _)| *known == path).map(|(_, kernel)| kernel)
}

/// Kernels of a caller's own shaders, by their paths.
type CallersKernels = [(&'static str, Kernel)];

/// The kernel of a shader: one of the caller's, or of the crate's. `None` for a shader of the crate's that was changed, and
/// for a map without a twin.
fn kernel_of(shader: &Shader, own: &CallersKernels) -> Option<Kernel> {
    if let Some((_, kernel)) = own.iter().find(|(path, _)| *path == shader.path()) {
        return Some(*kernel);
    }
    (shader.is_built_in() || shader.twin().is_some()).then(|| kernel(shader.path())).flatten()
}
