//! The user's cache folder: the results of `tune`, one file per device, keyed by renderer, driver version and program
//! version, and the binaries of programs.
//!
//! A file that cannot be used is ignored, with a note that says what to do. It is only a cache: only speed depends on
//! it.

mod programs;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use etcetera::BaseStrategy;

use rasterscan::tools::printable::{printable, printable_path};
use rasterscan::tuning::{Tuned, Tuning};
use rasterscan::{Device, Gpu};
use rasterscan_lab::tuner::kept::{TuningDocument, file_name, read};

use programs::ProgramFolder;

use super::console::called;
use super::document;
use super::output::FileOutput;
use super::{lock, output};

/// The variable that names another folder, or turns the cache `off`.
const VARIABLE: &str = "RASTERSCAN_CACHE";

/// The place where tunings are kept.
#[derive(Debug, Clone)]
pub enum Cache {
    Folder(PathBuf),
    /// `RASTERSCAN_CACHE=off`.
    Off,
    /// The system names no folder for caches.
    NoFolder(String),
}

/// The cache's entry for a device.
#[derive(Debug)]
pub enum CacheEntry {
    Tuning(PathBuf, Tuning),
    /// No file; `tune` writes one.
    Nothing(PathBuf),
    /// A file that cannot be used, and why.
    Unusable(PathBuf, String),
    /// There is no cache, and why.
    NoCache(String),
}

impl Cache {
    /// The cache that the environment names.
    pub fn from_environment() -> Cache {
        match std::env::var_os(VARIABLE) {
            Some(value) if value == "off" => Cache::Off,
            Some(value) if !value.is_empty() => Cache::Folder(value.into()),
            _ => match etcetera::choose_base_strategy() {
                Ok(strategy) => Cache::Folder(strategy.cache_dir().join("rasterscan")),
                Err(error) => Cache::NoFolder(error.to_string()),
            },
        }
    }

    /// The folder, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Cache::Folder(folder) => Some(folder),
            Cache::Off | Cache::NoFolder(_) => None,
        }
    }

    /// The place for binaries of programs, if there is a cache.
    pub fn programs(&self) -> Option<ProgramFolder> {
        self.folder().map(|folder| ProgramFolder(folder.join("programs")))
    }

    /// The file of a device.
    ///
    /// Errors: there is no cache; the text says what to do.
    pub fn file(&self, device: &Device) -> Result<PathBuf, String> {
        match self {
            Cache::Folder(folder) => Ok(folder.join(file_name(device))),
            Cache::Off => Err(format!("{VARIABLE} is off")),
            Cache::NoFolder(reason) => {
                Err(format!("cannot find the user's cache folder ({reason}); {VARIABLE} can name one"))
            }
        }
    }

    /// Finds the tuning of a device.
    pub fn find(&self, device: &Device) -> CacheEntry {
        let path = match self.file(device) {
            Ok(path) => path,
            Err(reason) => return CacheEntry::NoCache(reason),
        };
        match document::bytes_of(&path) {
            Ok(bytes) => match read(&bytes, device) {
                Ok(tuning) => CacheEntry::Tuning(path, tuning),
                Err(reason) => CacheEntry::Unusable(path, printable(&reason).into_owned()),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => CacheEntry::Nothing(path),
            Err(error) => CacheEntry::Unusable(path, error.to_string()),
        }
    }

    /// Applies the tuning of a device. A file that cannot be used is not an error, only a warning.
    pub fn tune(&self, gpu: Gpu) -> anyhow::Result<Gpu> {
        match self.find(gpu.device()) {
            CacheEntry::Tuning(path, tuning) => {
                tracing::info!("tuning from {}", path.display());
                Ok(gpu.with_tuning(tuning)?)
            }
            CacheEntry::Unusable(path, reason) => {
                let path = path.display();
                tracing::warn!(
                    "the tuning of this device is ignored: {reason}\n      \
                     hint: run `{} tune` to measure again, or delete {path}",
                    called()
                );
                Ok(gpu)
            }
            CacheEntry::Nothing(_) | CacheEntry::NoCache(_) => Ok(gpu),
        }
    }
}

/// Checks, before anything is measured, that a file can be written; makes its folder.
pub fn check(path: &Path) -> anyhow::Result<()> {
    let folder = output::folder_of(path);
    let hint = || format!("cannot write {} ({VARIABLE} can name another folder)", printable_path(path));
    fs::create_dir_all(folder).with_context(hint)?;
    FileOutput::new(path).map(drop).map_err(|error| error.error).with_context(hint)
}

/// Adds answers to the tuning of a device. Another run may have added some meanwhile, so the file is locked and read
/// again first.
pub fn add(path: &Path, device: &Device, answers: &[Tuned]) -> anyhow::Result<()> {
    let folder = output::folder_of(path);
    let _held = lock::wait_for(folder).with_context(|| format!("cannot lock {}", printable_path(folder)))?;
    // A file that cannot be used is replaced.
    let kept = fs::read(path).ok().and_then(|bytes| read(&bytes, device).ok());
    let mut tuning = kept.unwrap_or_default();
    answers.iter().for_each(|answer| tuning.record(*answer));
    keep(path, device, &tuning)
}

/// Writes the tuning of a device to its file, whole or not at all.
fn keep(path: &Path, device: &Device, tuning: &Tuning) -> anyhow::Result<()> {
    Ok(output::write(path, &output::json(&TuningDocument::new(device, tuning))?)?)
}

#[cfg(test)]
mod tests {
    use rasterscan::tools::problem::{COMPACT, SCAN};
    use rasterscan::tuning::{Best, Shape, Subject};

    use super::*;

    #[test]
    fn what_is_kept_is_found_again() {
        let shape = Shape { higher_order: true, tuples: false };
        let range = |subject, best| Tuned { subject, shape, from: 1, up_to: 1 << 17, best };
        let problem = SCAN;
        let sam = Subject::Parameter { problem: problem.name, algorithm: "sam", parameter: "vectors" };
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
        assert!(matches!(cache.find(&device), CacheEntry::Nothing(nothing) if nothing == path));
        check(&path).unwrap();
        keep(&path, &device, &tuning).unwrap();
        assert!(matches!(cache.find(&device), CacheEntry::Tuning(_, found) if found == tuning));
        assert!(matches!(cache.find(&Device::gl33()), CacheEntry::Nothing(_)));
        assert!(matches!(Cache::Off.find(&device), CacheEntry::NoCache(_)));
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
        // Neither run knows of the other; the first subject is answered twice.
        add(&path, &device, &[auto("packed")]).unwrap();
        add(&path, &device, &[columns]).unwrap();
        add(&path, &device, &[auto("hybrid")]).unwrap();
        let CacheEntry::Tuning(_, kept) = cache.find(&device) else { panic!("nothing is kept") };
        assert_eq!(kept.ranges.len(), 2);
        assert!(kept.ranges.contains(&auto("hybrid")) && kept.ranges.contains(&columns), "{kept:?}");
        // A damaged file is replaced.
        fs::write(&path, "{").unwrap();
        add(&path, &device, &[columns]).unwrap();
        assert!(matches!(cache.find(&device), CacheEntry::Tuning(_, kept) if kept.ranges == [columns]));
    }
}
