//! The step in which new files take the names of old ones: all of them, or none.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::aside::{self, Aside, Held};
use super::{FileOutput, OutputError, folder_of};

/// Renames each file to its target. If one cannot be renamed, restores those that the earlier ones replaced.
pub(super) fn commit(mut files: Vec<(&FileOutput, &Path, Aside)>) -> Result<(), OutputError> {
    let several = files.len() > 1;
    let mut olds = Vec::new();
    // No signal ends the process between the first and the last. Dropped before the files, which then remove their
    // remains.
    let mut held = aside::hold();
    let mut replace = |(output, target, aside): &mut (&FileOutput, &Path, Aside)| {
        let old = if several { Old::of(target, &mut held) } else { Ok(Old::Nothing) };
        let done = old.and_then(|old| match aside.rename(target, &mut held) {
            Ok(()) => {
                olds.push((target.to_owned(), old));
                Ok(())
            }
            Err(error) => {
                old.forget(&mut held);
                Err(error)
            }
        });
        done.map_err(|error| output.failed(error))
    };
    let result = files.iter_mut().try_for_each(&mut replace);
    for (target, old) in olds.into_iter().rev() {
        match result {
            Ok(()) => old.forget(&mut held),
            Err(_) => old.put_back(&target, &mut held),
        }
    }
    drop(held);
    result
}

/// The state of a target before it was replaced.
enum Old {
    /// There was none, or it is not needed.
    Nothing,
    /// A second name of it, or a copy if the file system has no second names; locked, so that no sweep takes it for
    /// stale.
    File(PathBuf, Option<File>),
}

impl Old {
    fn of(target: &Path, held: &mut Held) -> io::Result<Old> {
        if !target.exists() {
            return Ok(Old::Nothing);
        }
        let path = folder_of(target).join(aside::name());
        held.begin(&path);
        // Windows replaces no file that is open, by any of its names: there the copy is open, and not the file.
        let (opened, linked) = match cfg!(windows) {
            true => (path.as_path(), Err(io::ErrorKind::Unsupported.into())),
            false => (target, fs::hard_link(target, &path)),
        };
        let kept = linked.or_else(|_| fs::copy(target, &path).map(drop));
        let locked = File::open(opened).ok().filter(|file| file.try_lock().is_ok());
        let old = Old::File(path, locked);
        match kept {
            Ok(()) => Ok(old),
            Err(error) => {
                old.forget(held);
                Err(error)
            }
        }
    }

    fn forget(self, held: &mut Held) {
        if let Old::File(path, _locked) = self {
            let _ = fs::remove_file(&path);
            held.end(&path);
        }
    }

    fn put_back(self, target: &Path, held: &mut Held) {
        match self {
            Old::Nothing => {
                let _ = fs::remove_file(target);
            }
            Old::File(path, locked) => {
                // Windows does not rename what another handle holds.
                drop(locked);
                let _ = fs::rename(&path, target);
                held.end(&path);
            }
        }
    }
}
