//! The engine: the only part of the crate that calls OpenGL. It names no algorithm.
//!
//! [`Gpu`] is a context, headless or the caller's. [`Gpu::prepare`] turns a [`crate::Plan`] into a [`Prepared`], which
//! can be run, traced and timed on [`Stream`]s.
#![allow(unsafe_code, reason = "every OpenGL call is unsafe; this folder is the only place for them")]

mod answers;
mod binaries;
mod bound;
mod buffer;
mod capabilities;
mod debug;
mod dispatch;
mod draw;
mod functions;
mod gpu;
#[cfg(feature = "headless")]
mod headless;
mod lanes;
mod lines;
mod mark;
mod outputs;
mod packed;
#[cfg(target_family = "wasm")]
mod page;
mod pass;
mod pending;
mod pieces;
mod prepared;
mod preparing;
mod program;
mod record;
mod selftest;
mod sparse;
mod state;
mod stream;
mod streams;
mod texture;
mod timer;
mod trial;
mod wide;

pub use answers::AutoChecks;
pub use binaries::ProgramCache;
pub use functions::GlFunctions;
pub use gpu::Gpu;
#[cfg(feature = "headless")]
pub use headless::{DeviceChoice, HeadlessOptions, Level};
pub use outputs::{Compacted, Outputs};
pub use pending::Pending;
pub use pieces::{Transfer, TransferKind, Transfers};
pub use prepared::Prepared;
pub use preparing::Preparing;
pub use sparse::LongBuffers;
pub use stream::Stream;
pub use streams::Streams;
pub use timer::Timing;
