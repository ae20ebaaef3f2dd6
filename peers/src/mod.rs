//! Other people's scans and compactions, as far as they are installed: what `compare --peers` adds.
//!
//! A peer that is missing, cannot do the case, fails, or is wrong is left out with the reason. None of that is an error of
//! this program.

#[cfg(feature = "peers")]
mod lampshade;
mod numpy;

use std::time::Duration;

use rasterscan::{Clock, Device, Element};

use super::case::Case;
use crate::runner::Results;

/// Who is compared without being a part of this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// What python3 has.
    Numpy,
    /// The crate, on wgpu; only with the feature `peers`.
    Lampshade,
}

/// A peer that has a case before it. Its errors are reasons to leave it out.
pub trait Running<T> {
    /// What it is: versions, and where it runs.
    fn parameters(&self) -> Vec<(&'static str, String)>;

    /// Whether it runs on the CPU.
    fn on_cpu(&self) -> bool;

    /// Runs once, and gives the result.
    fn results(&mut self) -> Result<Results<T>, String>;

    /// Runs so often; the time of one run, on whose clock.
    fn time(&mut self, runs: u32) -> Result<(Duration, Clock), String>;
}

impl Peer {
    pub const ALL: [Peer; 2] = [Peer::Numpy, Peer::Lampshade];

    pub fn name(self) -> &'static str {
        match self {
            Peer::Numpy => "peer:numpy",
            Peer::Lampshade => "peer:lampshade",
        }
    }

    /// Brings up the peer and gives it the stream. `device` is the one that all others run on.
    ///
    /// Errors: why it is left out.
    pub fn start<T: Element>(
        self,
        case: &Case,
        device: &Device,
        numbers: &[T],
    ) -> Result<Box<dyn Running<T>>, String> {
        match self {
            Peer::Numpy => Ok(Box::new(numpy::Numpy::start("python3".as_ref(), case, numbers)?)),
            #[cfg(feature = "peers")]
            Peer::Lampshade => Ok(Box::new(lampshade::Lampshade::start(case, device, numbers)?)),
            #[cfg(not(feature = "peers"))]
            Peer::Lampshade => {
                let _ = device;
                Err("this program was built without the feature `peers`".into())
            }
        }
    }
}
