//! Locks between processes: a folder that one run writes into.
//!
//! A lock belongs to an open file, and the system gives it back when the process ends, however it ends. On Unix it is on the
//! folder itself and leaves nothing behind; elsewhere a folder cannot be opened, and a hidden file in it stands for it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// A folder that is this process's until this is dropped.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code, reason = "it is held, not used")] Option<File>);

/// Waits until no other process holds the folder. A file system without locks has none to wait for.
pub fn wait_for(folder: &Path) -> io::Result<Lock> {
    let file = open(folder)?;
    match file.lock() {
        Ok(()) => Ok(Lock(Some(file))),
        Err(error) => without(folder, error),
    }
}

/// The folder, unless another process holds it.
pub fn take(folder: &Path) -> io::Result<Option<Lock>> {
    let file = open(folder)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(Some(file)))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => without(folder, error).map(Some),
    }
}

/// A file system that knows no locks is no reason to refuse what needs none while one program runs at a time.
fn without(folder: &Path, error: io::Error) -> io::Result<Lock> {
    tracing::warn!(
        "{} cannot be locked ({error}): no other run may write into it meanwhile",
        rasterscan::printable::printable_path(folder)
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
