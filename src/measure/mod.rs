//! Timing: how often to run what, what the times say, and what they are held against.
//!
//! `docs/measuring.md` tells it to people. [`copy_texture`] and [`copy_buffer`]: what nothing that reads and writes every
//! item can beat. [`interleaved`]: runs in turns, until the medians are known well enough. [`Summary`]: a median and its
//! spread.
//!
//! Nothing here looks at results: what is timed must have been verified before.

mod limits;
mod protocol;
mod statistics;

pub use limits::{copy_buffer, copy_texture};
pub use protocol::{Protocol, Sampled, at_a_time, interleaved, sample};
pub use statistics::Summary;
