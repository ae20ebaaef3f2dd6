//! What is said of a recorded run, for people who learn: a sentence a pass, the paper's pseudo-code with the lines that
//! it is at, what happened in the banks of shared memory, and a tour with questions.
//!
//! All of it is made from a [`Recording`](rasterscan::trace::Recording) alone: no GPU, and no window. Every number that is
//! named was read from the recording.

#![forbid(unsafe_code)]

pub mod banks;
pub mod epochs;
mod item;
pub mod listing;
mod narration;
mod scene;
pub mod tour;
mod words;

pub use item::Item;
pub use narration::{narrate, narrate_pass, narrated_shaders};
pub use scene::kept;
pub use words::expression;
