//! Timing: the number and order of runs, statistics of their times, and the yardstick that they are checked against.
//!
//! [`EXPLANATION`] explains it to people. [`interleaved`]: runs in turns, until the medians are known well enough.
//! [`Yardstick`]: whether the device has run at its full speed meanwhile. [`Summary`]: a median and its spread.
//!
//! Nothing here looks at results: what is timed must have been verified before.

mod phases;
mod protocol;
#[cfg(any(test, feature = "stub"))]
pub mod sleeper;
mod statistics;
mod yardstick;

pub use phases::{PhaseTime, phases};
pub use protocol::{Batch, Laps, Protocol, Sampled, at_a_time, interleaved, sample};
pub(crate) use statistics::median;
pub use statistics::{Estimate, LEAST_RUNS, Summary};
pub use yardstick::{Patience, Workload, Yardstick};

/// The protocol and its biases, for people, in Markdown.
pub const EXPLANATION: &str = include_str!("../docs/measuring.md");
