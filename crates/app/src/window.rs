//! A shell for the app: a window of its own, and pictures without one.

mod event_loop;
mod gl;
pub mod offscreen;

pub use event_loop::open;
