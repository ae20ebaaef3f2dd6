//! The peers, and the interface to run a case on them.

use std::path::PathBuf;
use std::time::Duration;

use rasterscan::{Element, device::Clock};
use rasterscan_lab::case::Case;
use rasterscan_lab::contender::PEERS;

use crate::cuda::{self, Library};
#[cfg(feature = "lampshade")]
use crate::lampshade::Lampshade;
use crate::numpy;
#[cfg(feature = "rdst")]
use crate::rdst::Rdst;

/// A library by others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// The library of python3.
    Numpy,
    /// The crate, on all cores; only with the feature `rdst`.
    Rdst,
    /// The crate, on wgpu; only with the feature `lampshade`.
    Lampshade,
    /// A library of CUDA, only where nvcc is.
    Cuda(Library),
}

/// The wishes for all peers: the device of all other contenders, if they can.
#[derive(Debug, Clone, Default)]
pub struct PeersWanted {
    pub renderer: String,
    pub software: bool,
    /// A folder for what is built.
    pub cache: Option<PathBuf>,
}

/// A peer with a case. Its errors are reasons to leave it out.
pub trait Running<T> {
    /// Its versions, and its device.
    fn parameters(&self) -> Vec<(&'static str, String)>;

    /// Runs once, and returns the sums, the kept values, or the streams of a sort one after the other, indices as wide as keys.
    fn results(&mut self) -> Result<Vec<T>, String>;

    /// Runs `runs` times; returns the time of one run, and the clock.
    fn time(&mut self, runs: u32) -> Result<(Duration, Clock), String>;
}

impl Peer {
    pub const ALL: [Peer; PEERS.len()] = [
        Peer::Numpy,
        Peer::Rdst,
        Peer::Lampshade,
        Peer::Cuda(Library::Cub),
        Peer::Cuda(Library::CubDeterministic),
        Peer::Cuda(Library::Thrust),
        Peer::Cuda(Library::Sam),
    ];

    pub fn name(self) -> &'static str {
        PEERS.into_iter().zip(Peer::ALL).find(|(_, peer)| *peer == self).map_or("", |(name, _)| name)
    }

    /// Builds what the peer needs for a case. What cannot be built is said when it is started.
    pub fn prepare(self, case: &Case, wanted: &PeersWanted) {
        if let Peer::Cuda(library) = self {
            let _ = cuda::prepare(library, case, wanted);
        }
    }

    /// Starts the peer and gives it the stream.
    ///
    /// Errors: the reason why it is left out.
    pub fn start<T: Element>(
        self,
        case: &Case,
        wanted: &PeersWanted,
        numbers: &[T],
    ) -> Result<Box<dyn Running<T>>, String> {
        match self {
            Peer::Numpy => Ok(Box::new(numpy::start("python3".as_ref(), case, numbers)?)),
            Peer::Cuda(library) => Ok(Box::new(cuda::start(library, case, wanted, numbers)?)),
            #[cfg(feature = "rdst")]
            Peer::Rdst => Ok(Box::new(Rdst::start(case, numbers)?)),
            #[cfg(not(feature = "rdst"))]
            Peer::Rdst => Err("rasterscan-peers was built without the feature `rdst`".into()),
            #[cfg(feature = "lampshade")]
            Peer::Lampshade => Ok(Box::new(Lampshade::start(case, wanted, numbers)?)),
            #[cfg(not(feature = "lampshade"))]
            Peer::Lampshade => Err("rasterscan-peers was built without the feature `lampshade`".into()),
        }
    }
}
