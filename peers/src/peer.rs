//! The peers, and what each of them does with a case.

use std::time::Duration;

use rasterscan::{Clock, Element};
use rasterscan_lab::case::Case;
use rasterscan_lab::peers::NAMES;

#[cfg(feature = "lampshade")]
use crate::lampshade::Lampshade;
use crate::numpy::Numpy;

/// A library that others made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// The library of python3.
    Numpy,
    /// The crate, on wgpu; only with the feature `lampshade`.
    Lampshade,
}

/// The device that all others run on.
#[derive(Debug, Clone)]
pub struct PeersWanted {
    pub renderer: String,
    pub software: bool,
}

/// A peer that has a case before it. Its errors are reasons to leave it out.
pub trait Running<T> {
    /// What it is: versions, and where it runs.
    fn parameters(&self) -> Vec<(&'static str, String)>;

    /// Runs once, and gives the sums, or the values that are kept.
    fn results(&mut self) -> Result<Vec<T>, String>;

    /// Runs so often; the time of one run, on whose clock.
    fn time(&mut self, runs: u32) -> Result<(Duration, Clock), String>;
}

impl Peer {
    pub const ALL: [Peer; 2] = [Peer::Numpy, Peer::Lampshade];

    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Brings up the peer and gives it the stream.
    ///
    /// Errors: why it is left out.
    pub fn start<T: Element>(
        self,
        case: &Case,
        wanted: &PeersWanted,
        numbers: &[T],
    ) -> Result<Box<dyn Running<T>>, String> {
        match self {
            Peer::Numpy => Ok(Box::new(Numpy::start("python3".as_ref(), case, numbers)?)),
            #[cfg(feature = "lampshade")]
            Peer::Lampshade => Ok(Box::new(Lampshade::start(case, wanted, numbers)?)),
            #[cfg(not(feature = "lampshade"))]
            Peer::Lampshade => {
                let _ = wanted;
                Err("rasterscan-peers was built without the feature `lampshade`".into())
            }
        }
    }
}
