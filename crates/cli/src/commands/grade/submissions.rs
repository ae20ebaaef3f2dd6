//! The files of answers that are graded: those named, and those in folders.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use rasterscan::tools::printable::printable_path;

/// The deepest folder that is looked into: learning platforms put a folder around each student's files.
const DEEPEST: usize = 4;

/// The most files.
const MOST: usize = 10_000;

/// The files in the order in which they are graded: of a folder, all `.json` files below it, by their names.
///
/// Errors: a folder that cannot be read or has no such file, and too many files.
pub fn files(named: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        collect(path, 0, &mut files)?;
        ensure!(files.len() > before, "{}: no .json file is in this folder", printable_path(path));
    }
    ensure!(files.len() <= MOST, "more than {MOST} files");
    Ok(files)
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let cannot = || format!("cannot read {}", printable_path(folder));
    let entries: Result<Vec<_>, _> = std::fs::read_dir(folder).with_context(cannot)?.collect();
    let mut paths: Vec<PathBuf> = entries.with_context(cannot)?.iter().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        match std::fs::metadata(&path) {
            Ok(found) if found.is_dir() && !hidden && depth < DEEPEST => collect(&path, depth + 1, files)?,
            // A pipe or a device would never end.
            Ok(found) if found.is_file() && !hidden && is_json => files.push(path),
            _ => {}
        }
        ensure!(files.len() <= MOST, "more than {MOST} files");
    }
    Ok(())
}
