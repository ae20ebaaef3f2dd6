//! A mask for a compaction, in a file.

use std::path::{Path, PathBuf};

use anyhow::Context;
use rasterscan_files::{Format, read_mask};

use super::{source, worded};
use crate::output::ending;

/// What says of each element whether it is kept.
#[derive(Debug)]
pub struct Mask {
    pub path: PathBuf,
    /// Not zero: kept.
    pub flags: Vec<u32>,
}

impl Mask {
    /// Reads an `.npy` of bool or u1, or the luma of a `.png`, row by row.
    ///
    /// Errors name the file.
    pub fn read(path: &Path) -> anyhow::Result<Mask> {
        let flags = read(path).with_context(|| format!("the mask {}", path.display()))?;
        Ok(Mask { path: path.to_owned(), flags })
    }
}

fn read(path: &Path) -> anyhow::Result<Vec<u32>> {
    let mut source = source::open(path)?;
    // An unknown ending has no flags either.
    let format = Format::of_ending(&ending(path)).unwrap_or(Format::Text);
    read_mask(&mut source, format).map_err(worded)
}
