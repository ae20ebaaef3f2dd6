//! A mask for a compaction: one flag for each element of the input.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::{Format, npy, picture};

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
        let flags = read_flags(path).with_context(|| format!("the mask {}", path.display()))?;
        Ok(Mask { path: path.to_owned(), flags })
    }
}

fn read_flags(path: &Path) -> anyhow::Result<Vec<u32>> {
    let bytes = std::fs::read(path).context("cannot read")?;
    match Format::of(path) {
        Ok(Format::Npy) => npy::read_mask(&bytes),
        Ok(Format::Png) => picture::luma_of_png(&bytes),
        _ => bail!("expected a .npy of bool or u1, or a .png"),
    }
}
