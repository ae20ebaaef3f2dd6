//! Explanations of a recording for learners: a sentence for each pass, the paper's pseudo-code with the current lines
//! marked, the accesses to the banks of shared memory, and a tour with questions.
//!
//! Everything is made from a [`Recording`](rasterscan::trace::Recording) alone, without a GPU or a window. Every number
//! in a text is read from the recording.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod answers;
pub mod banks;
pub mod edit;
pub mod file;
pub mod guard;
mod item;
pub mod listing;
pub mod look_back;
mod narration;
pub mod phrases;
mod preprocessed;
pub mod program;
pub mod puzzle;
pub mod race;
pub mod reference;
mod scene;
pub mod shared;
pub mod sketch;
pub mod tour;
pub mod why;
mod words;
pub mod work;
pub mod worked;

pub use item::Item;
pub use narration::{Example, Narration, narrate, narrate_pass, narrated_shaders};
pub use words::expression;
