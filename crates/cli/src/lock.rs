//! Locks between processes: a folder that one run writes into.
//!
//! A lock belongs to an open file, and the system releases it when the process ends, however it ends. On Unix it is on
//! the folder itself and leaves nothing behind; elsewhere a folder cannot be opened, so it is on a hidden file in the
//! folder.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// A lock on a folder, held until it is dropped.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code, reason = "it is held, not used")] Option<File>);

/// Locks the folder, once no other process holds it. A file system without locks has nothing to wait for.
pub fn wait_for(folder: &Path) -> io::Result<Lock> {
    let file = open(folder)?;
    match file.lock() {
        Ok(()) => Ok(Lock(Some(file))),
        Err(error) => without(folder, error),
    }
}

/// Locks the folder, unless another process holds it.
pub fn take(folder: &Path) -> io::Result<Option<Lock>> {
    let file = open(folder)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(Some(file)))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => without(folder, error).map(Some),
    }
}

/// Goes on without a lock on a file system that has none: a single run needs none.
fn without(folder: &Path, error: io::Error) -> io::Result<Lock> {
    tracing::warn!(
        "cannot lock {} ({error}): do not let another run write to it meanwhile",
        rasterscan::tools::printable::printable_path(folder)
    );
    Ok(Lock(None))
}

#[cfg(unix)]
fn open(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

#[cfg(not(unix))]
fn open(folder: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(folder.join(".rasterscan-lock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_held_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let held = take(folder.path()).unwrap();
        assert!(held.is_some());
        assert!(take(folder.path()).unwrap().is_none());
        drop(held);
        let waited = wait_for(folder.path()).unwrap();
        assert!(take(folder.path()).unwrap().is_none());
        drop(waited);
        assert!(take(folder.path()).unwrap().is_some());
        assert!(take(&folder.path().join("none")).is_err());
    }
}
