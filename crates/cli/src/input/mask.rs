//! A mask for a compaction: one flag for each element of the input.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::source::Source;
use super::{Format, npy, picture, read_image};

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
    let mut source = Source::open(path)?;
    match Format::of(path) {
        Ok(Format::Npy) => npy::read_mask(&mut source),
        Ok(format @ Format::Png) => picture::luma(&read_image(&mut source, format, false)?),
        _ => bail!("expected a .npy of bool or u1, or a .png"),
    }
}
