//! The user's cache folder: what `tune` has measured, one file a device, keyed by renderer, driver version and program
//! version.
//!
//! A file that is not what it should be is ignored, with a note that says what to do. It is only a cache: nothing depends
//! on it but speed.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use etcetera::BaseStrategy;

use rasterscan::printable::printable_path;
use rasterscan::tuning::{Tuned, Tuning};
use rasterscan::{Device, Gpu};
use rasterscan_lab::tuner::kept::{TuningDocument, file_name, read};

use super::document;
use super::output::FileOutput;
use super::{called, lock, output};

/// Names another folder, or with the word `off` none.
const VARIABLE: &str = "RASTERSCAN_CACHE";

/// Where tunings are kept.
#[derive(Debug, Clone)]
pub enum Cache {
    Folder(PathBuf),
    /// `RASTERSCAN_CACHE=off`.
    Off,
    /// The system names no folder for caches.
    Nowhere(String),
}

/// What the cache has for a device.
#[derive(Debug)]
pub enum Found {
    Tuning(PathBuf, Tuning),
    /// No file, which there would be after `tune`.
    Nothing(PathBuf),
    /// A file that cannot be used, and why.
    Unusable(PathBuf, String),
    /// There is no cache, and why.
    NoCache(String),
}

impl Cache {
    /// The one that the environment means.
    pub fn from_environment() -> Cache {
        match std::env::var_os(VARIABLE) {
            Some(value) if value == "off" => Cache::Off,
            Some(value) if !value.is_empty() => Cache::Folder(value.into()),
            _ => match etcetera::choose_base_strategy() {
                Ok(strategy) => Cache::Folder(strategy.cache_dir().join("rasterscan")),
                Err(error) => Cache::Nowhere(error.to_string()),
            },
        }
    }

    /// The folder, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Cache::Folder(folder) => Some(folder),
            Cache::Off | Cache::Nowhere(_) => None,
        }
    }

    /// The file of a device.
    ///
    /// Errors where there is no cache, with what to do.
    pub fn file(&self, device: &Device) -> Result<PathBuf, String> {
        match self {
            Cache::Folder(folder) => Ok(folder.join(file_name(device))),
            Cache::Off => Err(format!("{VARIABLE} is off")),
            Cache::Nowhere(reason) => {
                Err(format!("no folder for caches is known ({reason}); {VARIABLE} can name one"))
            }
        }
    }

    /// What is kept for a device.
    pub fn find(&self, device: &Device) -> Found {
        let path = match self.file(device) {
            Ok(path) => path,
            Err(reason) => return Found::NoCache(reason),
        };
        match document::bytes_of(&path) {
            Ok(bytes) => match read(&bytes, device) {
                Ok(tuning) => Found::Tuning(path, tuning),
                Err(reason) => Found::Unusable(path, reason),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => Found::Nothing(path),
            Err(error) => Found::Unusable(path, error.to_string()),
        }
    }

    /// Gives a device what is kept for it. A file that cannot be used is no error, but is told.
    pub fn tune(&self, gpu: Gpu) -> anyhow::Result<Gpu> {
        match self.find(gpu.device()) {
            Found::Tuning(path, tuning) => {
                tracing::info!("tuned by {}", path.display());
                Ok(gpu.with_tuning(tuning)?)
            }
            Found::Unusable(path, reason) => {
                let path = path.display();
                tracing::warn!(
                    "the tuning of this device is ignored: {reason}\n      \
                     hint: `{} tune` measures anew; or delete {path}",
                    called()
                );
                Ok(gpu)
            }
            Found::Nothing(_) | Found::NoCache(_) => Ok(gpu),
        }
    }
}

/// Says before anything is measured whether a file can be written; makes its folder.
pub fn check(path: &Path) -> anyhow::Result<()> {
    let folder = output::folder_of(path);
    let hint = || format!("cannot write {} ({VARIABLE} can name another folder)", printable_path(path));
    fs::create_dir_all(folder).with_context(hint)?;
    FileOutput::new(path).map(drop).map_err(|error| error.error).with_context(hint)
}

/// Adds answers to what is kept of a device. Another run may have kept some meanwhile: the file is read anew, and stays as it is
/// until these are in it.
pub fn add(path: &Path, device: &Device, answers: &[Tuned]) -> anyhow::Result<()> {
    let folder = output::folder_of(path);
    let _held = lock::wait_for(folder).with_context(|| format!("cannot lock {}", printable_path(folder)))?;
    // One that cannot be used is replaced.
    let kept = fs::read(path).ok().and_then(|bytes| read(&bytes, device).ok());
    let mut tuning = kept.unwrap_or_default();
    answers.iter().for_each(|answer| tuning.record(*answer));
    keep(path, device, &tuning)
}

/// Writes what is kept of a device, in its file: as a whole or not at all.
fn keep(path: &Path, device: &Device, tuning: &Tuning) -> anyhow::Result<()> {
    Ok(output::write(path, &output::json(&TuningDocument::new(device, tuning))?)?)
}

#[cfg(test)]
mod tests {
    use rasterscan::problem::{COMPACT, SCAN};
    use rasterscan::tuning::{Best, Shape, Subject};

    use super::*;

    #[test]
    fn what_is_kept_is_found_again() {
        let shape = Shape { higher_order: true, tuples: false };
        let range = |subject, best| Tuned { subject, shape, from: 1, up_to: 1 << 17, best };
        let (problem, rows) = (SCAN, "rows");
        let sam = Subject::Parameter { problem: problem.name, algorithm: "sam", parameter: rows };
        let tuning = Tuning {
            ranges: vec![
                range(Subject::Algorithm(COMPACT.name), Best::Algorithm("packed")),
                range(Subject::Columns, Best::Value(1024)),
                range(sam, Best::Value(64)),
                Tuned { up_to: Tuned::NO_END, ..range(sam, Best::BuiltIn) },
            ],
        };
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::Folder(folder.path().join("new/rasterscan"));
        let device = Device::gl43();
        let path = cache.file(&device).unwrap();
        assert!(matches!(cache.find(&device), Found::Nothing(nothing) if nothing == path));
        check(&path).unwrap();
        keep(&path, &device, &tuning).unwrap();
        assert!(matches!(cache.find(&device), Found::Tuning(_, found) if found == tuning));
        assert!(matches!(cache.find(&Device::gl33()), Found::Nothing(_)));
        assert!(matches!(Cache::Off.find(&device), Found::NoCache(_)));
    }

    #[test]
    fn answers_of_several_runs_are_kept_together() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, device) = (Cache::Folder(folder.path().join("new")), Device::gl43());
        let path = cache.file(&device).unwrap();
        check(&path).unwrap();
        let shape = Shape { higher_order: false, tuples: false };
        let answer = |subject, best| Tuned { subject, shape, from: 0, up_to: 1 << 17, best };
        let auto = |name| answer(Subject::Algorithm(SCAN.name), Best::Algorithm(name));
        let columns = answer(Subject::Columns, Best::Value(512));
        // Neither knows of the other, and the first has its answer twice.
        add(&path, &device, &[auto("packed")]).unwrap();
        add(&path, &device, &[columns]).unwrap();
        add(&path, &device, &[auto("hybrid")]).unwrap();
        let Found::Tuning(_, kept) = cache.find(&device) else { panic!("nothing is kept") };
        assert_eq!(kept.ranges.len(), 2);
        assert!(kept.ranges.contains(&auto("hybrid")) && kept.ranges.contains(&columns), "{kept:?}");
        // What is damaged is replaced.
        fs::write(&path, "{").unwrap();
        add(&path, &device, &[columns]).unwrap();
        assert!(matches!(cache.find(&device), Found::Tuning(_, kept) if kept.ranges == [columns]));
    }
}
