//! Unfinished files and folders, which lie beside the ones they will replace.
//!
//! Each is locked while a process writes it (`flock`). So another process can tell one that is still being written from
//! one whose writer is gone, across containers and reused process numbers.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Between these stand the process number, a counter, and a number from the clock: short, however long the target's
/// name is.
const BEGIN: &str = ".rasterscan-";
const END: &str = ".tmp";

/// The unfinished files of the process, and the folders that it has swept.
#[derive(Debug)]
struct State {
    unfinished: Vec<PathBuf>,
    swept: Vec<PathBuf>,
}

static STATE: Mutex<State> = Mutex::new(State { unfinished: Vec::new(), swept: Vec::new() });

/// While this is held, no other thread creates, renames or removes an unfinished file.
#[derive(Debug)]
pub(super) struct Held(MutexGuard<'static, State>);

pub(super) fn hold() -> Held {
    Held(STATE.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Held {
    /// Notes an unfinished file or folder.
    pub fn begin(&mut self, path: &Path) {
        self.0.unfinished.push(path.to_owned());
    }

    /// Forgets one that was finished or removed.
    pub fn end(&mut self, path: &Path) {
        self.0.unfinished.retain(|unfinished| unfinished != path);
    }
}

/// Blocks all writing for as long as it is kept.
#[must_use]
#[derive(Debug)]
pub struct Abandoned {
    _held: Held,
}

/// Removes what this process has not finished, for a process about to end by a signal. Waits for a commit in progress.
/// Until the returned value is dropped, nothing new is begun.
pub fn abandon() -> Abandoned {
    let mut held = hold();
    for path in std::mem::take(&mut held.0.unfinished) {
        remove(&path);
    }
    Abandoned { _held: held }
}

/// Best effort: nothing more can be done about a file that cannot be removed.
fn remove(path: &Path) {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// An unfinished file or folder; removed when dropped unless it was renamed.
#[derive(Debug)]
pub(super) struct Aside {
    path: PathBuf,
    /// Open, and locked if the file system has locks. `None` only while it is dropped.
    file: Option<File>,
    finished: bool,
}

impl Aside {
    /// A new file, with default permissions.
    pub fn file(folder: &Path) -> io::Result<Aside> {
        Aside::new(folder, |path| File::options().write(true).create_new(true).open(path))
    }

    /// A new folder.
    #[cfg(unix)]
    pub fn folder(folder: &Path) -> io::Result<Aside> {
        Aside::new(folder, |path| {
            fs::create_dir(path)?;
            File::open(path).inspect_err(|_| drop(fs::remove_dir(path)))
        })
    }

    /// A file of the caller's, which stays under its own name unless it is renamed.
    pub fn kept(path: PathBuf, file: File) -> Aside {
        Aside { path, file: Some(file), finished: true }
    }

    fn new(folder: &Path, make: impl Fn(&Path) -> io::Result<File>) -> io::Result<Aside> {
        sweep(folder);
        // Names are never reused, so a taken name belongs to another process that ended long ago.
        for _ in 0..100 {
            let path = folder.join(name());
            let mut held = hold();
            let file = match make(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            held.begin(&path);
            drop(held);
            let aside = Aside { path, file: Some(file), finished: false };
            // A sweep that came in between holds the lock, and removes the file before it releases the lock.
            if let Err(TryLockError::WouldBlock) = aside.handle().try_lock() {
                let _ = aside.handle().lock();
            }
            if is_linked(aside.handle()) {
                return Ok(aside);
            }
        }
        Err(io::Error::other("unfinished files are in the way"))
    }

    /// The open file.
    pub fn handle(&self) -> &File {
        self.file.as_ref().expect("it is open until it is dropped")
    }

    /// Its temporary path.
    #[cfg(unix)]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file the permissions of the one that it replaces, and its owner if that is allowed.
    pub fn take_after(&self, replaced: &Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let own = self.handle().metadata()?;
            if (own.uid(), own.gid()) != (replaced.uid(), replaced.gid()) {
                let _ = fchown(self.handle(), Some(replaced.uid()), Some(replaced.gid()));
            }
        }
        self.handle().set_permissions(replaced.permissions())
    }

    /// Gives it its final name.
    pub fn rename(&mut self, target: &Path, held: &mut Held) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        held.end(&self.path);
        self.finished = true;
        Ok(())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if !self.finished {
            let mut held = hold();
            // To remove a folder takes a descriptor, which may have been the last.
            self.file = None;
            remove(&self.path);
            held.end(&self.path);
        }
    }
}

/// Errors if a folder takes no file, or the file no byte, for which a full file system has no block.
pub(super) fn probe(folder: &Path) -> io::Result<()> {
    let aside = Aside::file(folder)?;
    aside.handle().write_all(b"\n")
}

pub(super) fn name() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().subsec_nanos();
    format!("{BEGIN}{}-{number}-{time:08x}{END}", std::process::id())
}

/// Returns true if [`name`] makes such names.
pub(super) fn is_ours(name: &OsStr) -> bool {
    let inner = name.to_str().and_then(|name| name.strip_prefix(BEGIN)?.strip_suffix(END));
    let parts: Vec<&str> = inner.unwrap_or_default().split('-').collect();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_hex = |text: &str| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    matches!(parts[..], [process, number, time] if digits(process) && digits(number) && is_hex(time))
}

/// Returns true if the open file still has a name.
#[cfg(unix)]
fn is_linked(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|found| found.nlink() > 0)
}

#[cfg(not(unix))]
fn is_linked(_: &File) -> bool {
    true
}

/// Removes from a folder, once per process, unfinished files that no process writes any more.
fn sweep(folder: &Path) {
    let mut held = hold();
    if held.0.swept.iter().any(|swept| swept == folder) {
        return;
    }
    held.0.swept.push(folder.to_owned());
    drop(held);
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| is_ours(&entry.file_name())) {
        let is_made_here = entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir());
        if is_made_here && let Ok(file) = File::open(entry.path()) {
            // Removed with the lock held: a file created a moment ago is not locked yet, and its writer checks whether
            // it still exists.
            if file.try_lock().is_ok() {
                remove(&entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_made_here_are_ours() {
        assert!(is_ours(name().as_ref()));
        for other in [
            "",
            "a.tmp",
            ".rasterscan-.tmp",
            ".rasterscan-1-2.tmp",
            ".rasterscan-1-2-abcdefgh.tmp",
            ".rasterscan-1-2-0badcafe",
        ] {
            assert!(!is_ours(other.as_ref()), "{other}");
        }
    }

    #[test]
    fn what_a_process_writes_is_left_alone_and_what_none_writes_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let stale = folder.path().join(format!("{BEGIN}1-0-00000000{END}"));
        let stale_folder = folder.path().join(format!("{BEGIN}1-1-00000000{END}"));
        let own = folder.path().join(format!("{BEGIN}notes{END}"));
        fs::write(&stale, "half").unwrap();
        fs::create_dir(&stale_folder).unwrap();
        fs::write(stale_folder.join("01.png"), "half").unwrap();
        fs::write(&own, "mine").unwrap();
        let written = folder.path().join(format!("{BEGIN}1-2-00000000{END}"));
        let locked = File::create_new(&written).unwrap();
        locked.lock().unwrap();
        sweep(folder.path());
        assert_eq!((stale.exists(), stale_folder.exists()), (false, false));
        assert_eq!((own.exists(), written.exists()), (true, true));
    }
}
