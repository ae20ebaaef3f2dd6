//! The effort of a run, and the longest streams that it allows.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The extent of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Within three minutes on a software renderer with two cores.
    Quick,
    /// Within five minutes on a GPU, within thirty on a software renderer.
    Full,
}

impl Effort {
    /// The time for all cells of all processes; drawing, verifying the last cell and starting up come on top of it. Peers
    /// take three times as long again: their programs start for each case.
    pub fn budget(self, software: bool, peers: bool) -> Duration {
        let seconds = match (self, software) {
            (Effort::Quick, _) => 140,
            (Effort::Full, false) => 200,
            (Effort::Full, true) => 1500,
        };
        Duration::from_secs(if peers { seconds * 4 } else { seconds })
    }

    /// The name, as in documents.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Quick => "quick",
            Effort::Full => "full",
        }
    }
}

/// The longest streams that are measured, as powers of two.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// True if the run is quick.
    pub quick: bool,
    /// True if the renderer is software.
    pub software: bool,
    /// The bound for the texture era's scans and compactions.
    pub texture: u32,
    /// The bound for single passes by compute shaders.
    pub compute: u32,
}

impl Bounds {
    /// The bounds of an effort, on a software renderer or on hardware.
    pub fn new(effort: Effort, software: bool) -> Bounds {
        let (texture, compute) = match (effort, software) {
            (Effort::Quick, true) => (18, 18),
            (Effort::Quick, false) => (22, 24),
            (Effort::Full, true) => (22, 22),
            (Effort::Full, false) => (24, 27),
        };
        Bounds { quick: effort == Effort::Quick, software, texture, compute }
    }

    /// The powers that are at most `most`.
    pub fn within(&self, most: u32, powers: impl IntoIterator<Item = u32>) -> Vec<u32> {
        powers.into_iter().filter(|power| *power <= most).collect()
    }
}
