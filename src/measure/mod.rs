//! Timing: how often to run what, what the times say, and what they are held against.
//!
//! `docs/measuring.md` tells it to people. [`copy_texture`] and [`copy_buffer`]: what nothing that reads and writes every
//! item can beat. [`interleaved`]: runs in turns, until the medians are known well enough. [`Yardstick`]: whether the
//! device has run at its full speed meanwhile. [`Summary`]: a median and its spread.
//!
//! Nothing here looks at results: what is timed must have been verified before.

mod limits;
mod protocol;
#[cfg(test)]
pub(crate) mod sleeper;
mod statistics;
mod yardstick;

#[cfg(test)]
use crate::error::Error;

pub use limits::{copy_buffer, copy_texture};
pub use protocol::{Laps, Protocol, Sampled, at_a_time, interleaved, sample};
pub use statistics::Summary;
pub use yardstick::{Patience, Work, Yardstick};
