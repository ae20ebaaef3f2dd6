//! Tuners: which values of an algorithm's free parameters are the fastest on the device at hand.
//!
//! Source: maleki2016, section 2.1, for `sam`: "the auto-tuner, which runs when SAM is installed and determines the
//! optimal number of input elements to allocate to each thread for different ranges of problem sizes".
//!
//! ```text
//! for each size and order
//!   for each number of rows, the built-in default first
//!     make the plan, run it, compare the result with the reference
//!   for each of some rounds, beginning with another each time
//!     time every plan that is still in the race
//!   another than the default wins only if it is clearly faster (race.rs)
//! ```
//!
//! Deviations from the paper:
//! 1. It runs when somebody asks for it, within a budget; sizes for which there is no time or no memory keep the
//!    built-in default.
//! 2. Scans of the first and of higher orders are tuned apart: each order waits for the sums of the chunks before.

mod race;
mod sam;

use std::time::Duration;

use crate::device::Device;
use crate::error::Unsupported;
use crate::gl::Clock;
use crate::spec::ScanSpec;
use crate::tuning::Tuned;

pub use sam::tune_sam;

/// Whether there is anything to tune on this device.
pub fn supported(device: &Device) -> Result<(), Unsupported> {
    Unsupported::unless_compute(device, "sam").map(|_| ())
}

/// What a tuner tells while it works.
#[derive(Debug)]
pub enum Progress {
    /// It begins with this scan, `number` of `of`, counted from 0.
    Begins {
        number: usize,
        of: usize,
        spec: ScanSpec,
    },
    /// The device cannot run this candidate, or has run it wrongly: it is not among those that are timed.
    Refused {
        spec: ScanSpec,
        rows: u32,
        reason: String,
    },
    /// The built-in default stays: the device cannot run this scan at all.
    LeftOut {
        spec: ScanSpec,
        reason: String,
    },
    /// The built-in default stays: too little of the budget is left.
    NoTime {
        spec: ScanSpec,
    },
    Measured(Measured),
}

/// The best for one size and order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// What was timed.
    pub spec: ScanSpec,
    /// What is concluded from that: the built-in default's rows, or those that are clearly faster.
    pub tuned: Tuned,
    /// The median.
    pub time: Duration,
    pub default_rows: u32,
    /// The median of the built-in default.
    pub default_time: Duration,
    /// How many times both are medians of.
    pub rounds: u32,
    pub clock: Clock,
}
