//! What is to be measured: the cells of all papers, within what an effort allows.

use std::fmt;
use std::time::Duration;

use rasterscan::Device;
use serde::{Deserialize, Serialize};

use super::papers::PAPERS;
use crate::lab::Cell;

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Within three minutes on a software renderer of two cores.
    Quick,
    /// Within thirty.
    Full,
}

impl Effort {
    /// For all cells; drawing, verifying the last cell and starting up come on top of it.
    pub fn budget(self) -> Duration {
        match self {
            Effort::Quick => Duration::from_secs(140),
            Effort::Full => Duration::from_secs(1500),
        }
    }

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
    pub quick: bool,
    pub software: bool,
    /// Of the texture era's scans and compactions.
    pub texture: u32,
    /// Of single passes by compute shaders.
    pub compute: u32,
}

impl Bounds {
    pub fn new(effort: Effort, device: &Device) -> Bounds {
        let (quick, software) = (effort == Effort::Quick, device.software);
        Bounds {
            quick,
            software,
            texture: match (quick, software) {
                (true, true) => 18,
                (true, false) | (false, true) => 22,
                (false, false) => 24,
            },
            compute: match (quick, software) {
                (true, true) => 18,
                (true, false) => 24,
                (false, true) => 22,
                (false, false) => 27,
            },
        }
    }

    /// Those of the powers that are not too long.
    pub fn within(&self, most: u32, powers: impl IntoIterator<Item = u32>) -> Vec<u32> {
        powers.into_iter().filter(|power| *power <= most).collect()
    }
}

/// A cell, and whose it is.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The same in every run: what an interrupted one has measured is found by it.
    pub id: String,
    pub key: &'static str,
    pub cell: Cell,
}

impl Planned {
    /// What share of the time it should have: that of a run grows with the length, that of looking twice does not.
    pub fn weight(&self) -> u64 {
        let contenders = self.cell.contenders.len() as u64;
        contenders * (16 + (self.cell.case.n >> 17))
    }
}

impl fmt::Display for Planned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.cell.case)
    }
}

/// The cells of these papers, in the order in which they are measured: shorter streams first in each.
pub fn plan(keys: &[&str], effort: Effort, device: &Device) -> Vec<Planned> {
    let bounds = Bounds::new(effort, device);
    let mut plan: Vec<Planned> = Vec::new();
    for paper in PAPERS.iter().filter(|paper| keys.contains(&paper.key)) {
        let mut cells = (paper.cells)(&bounds);
        cells.sort_by_key(|cell| cell.case.n);
        for (number, cell) in cells.into_iter().enumerate() {
            plan.push(Planned { id: format!("{} {number}: {}", paper.key, cell.case), key: paper.key, cell });
        }
    }
    plan
}
