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
    /// NVIDIA's library; like the next three only where nvcc is.
    Cub,
    /// Its scan whose sums of floats have the same bits in every run.
    CubDeterministic,
    /// NVIDIA's library above it.
    Thrust,
    /// The code of maleki2016's authors, where the user has it.
    Sam,
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
        Peer::Cub,
        Peer::CubDeterministic,
        Peer::Thrust,
        Peer::Sam,
    ];

    pub fn name(self) -> &'static str {
        PEERS[self as usize]
    }

    /// Builds what the peer needs for a case. What cannot be built is said when it is started.
    pub fn prepare(self, case: &Case, wanted: &PeersWanted) {
        if let Some(library) = self.library() {
            let _ = cuda::prepare(library, case, wanted);
        }
    }

    /// The library of CUDA that the peer is.
    fn library(self) -> Option<Library> {
        match self {
            Peer::Cub => Some(Library::Cub),
            Peer::CubDeterministic => Some(Library::CubDeterministic),
            Peer::Thrust => Some(Library::Thrust),
            Peer::Sam => Some(Library::Sam),
            Peer::Numpy | Peer::Rdst | Peer::Lampshade => None,
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
        if let Some(library) = self.library() {
            return Ok(Box::new(cuda::start(library, case, wanted, numbers)?));
        }
        match self {
            #[cfg(feature = "rdst")]
            Peer::Rdst => Ok(Box::new(Rdst::start(case, numbers)?)),
            #[cfg(not(feature = "rdst"))]
            Peer::Rdst => Err("rasterscan-peers was built without the feature `rdst`".into()),
            #[cfg(feature = "lampshade")]
            Peer::Lampshade => Ok(Box::new(Lampshade::start(case, wanted, numbers)?)),
            #[cfg(not(feature = "lampshade"))]
            Peer::Lampshade => Err("rasterscan-peers was built without the feature `lampshade`".into()),
            _ => Ok(Box::new(numpy::start("python3".as_ref(), case, numbers)?)),
        }
    }
}
