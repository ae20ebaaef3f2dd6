//! Reads a lesson: a file, or one of those built in.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow};
use rasterscan::Gpu;
use rasterscan::tools::printable::printable_path;
use rasterscan_gallery::{Exhibit, Piece};
use rasterscan_lesson::file::{GALLERY, Lesson};
use rasterscan_lesson::puzzle::Failure;
use serde::{Deserialize, Serialize};

/// A lesson as it was given.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum LessonText {
    Tour,
    Puzzles,
    Toml(String),
}

impl LessonText {
    /// Reads a file, or takes a built-in name.
    pub fn read(path: &Path) -> anyhow::Result<LessonText> {
        match path.to_str() {
            Some("tour") => Ok(LessonText::Tour),
            Some("gallery") => Ok(LessonText::Toml(GALLERY.into())),
            Some("puzzles") => Ok(LessonText::Puzzles),
            _ => file_text(path).map(LessonText::Toml),
        }
    }

    /// The lesson, whose runs are tried if it is a file.
    pub fn checked(&self) -> anyhow::Result<Lesson> {
        match self {
            LessonText::Toml(text) => Ok(Lesson::checked(text)?),
            built_in => built_in.parse(),
        }
    }

    /// The lesson, as it was given.
    pub fn parse(&self) -> anyhow::Result<Lesson> {
        match self {
            LessonText::Tour => Ok(rasterscan_lesson::tour::TOUR.clone()),
            LessonText::Puzzles => Ok(rasterscan_lesson::file::PUZZLES.clone()),
            LessonText::Toml(text) => Ok(Lesson::parse(text)?),
        }
    }
}

/// The lesson of a name, or of a file.
pub fn lesson(path: &Path) -> anyhow::Result<Lesson> {
    LessonText::read(path)?.checked().with_context(|| printable_path(path).to_string())
}

/// Runs pieces of the gallery on a device.
pub fn show(gpu: &Gpu) -> impl FnMut(&Piece) -> Result<Exhibit, Failure> {
    |piece| Ok((piece.run)(gpu)?)
}

/// A text file, up to a limit.
pub fn file_text(path: &Path) -> anyhow::Result<String> {
    const MOST: u64 = 8 << 20;
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot read {}", printable_path(path)))?;
    file.take(MOST)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", printable_path(path)))?;
    String::from_utf8(bytes).map_err(|_| anyhow!("{}: expected UTF-8 text", printable_path(path)))
}
