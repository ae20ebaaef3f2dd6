//! A directory of files: all of them appear, or none does.

use std::path::Path;

use anyhow::{Context, bail};

use super::output::folder_of;
use super::stop;

/// Says before any work is done whether `folder` can be written to: it exists, or can be made.
pub fn check(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() && !folder.is_dir() {
        bail!("cannot write into {}: it is no directory", folder.display());
    }
    let parent = folder_of(folder);
    if !folder.exists() && !parent.is_dir() {
        bail!("cannot make {}: there is no directory {}", folder.display(), parent.display());
    }
    Ok(())
}

/// The same for a directory of which nothing but these files shall be there.
pub fn check_empty(folder: &Path) -> anyhow::Result<()> {
    check(folder)?;
    if folder.is_dir() {
        let mut found =
            std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        if found.next().is_some() {
            bail!("cannot write into {}: expected a new directory, or an empty one", folder.display());
        }
    }
    Ok(())
}

/// Writes all files aside, then moves them into place: as a whole new directory, or one by one into
/// one that exists, where files of these names are replaced.
pub fn write(folder: &Path, files: &[(impl AsRef<str>, Vec<u8>)]) -> anyhow::Result<()> {
    stop::undisturbed(|| write_aside(folder, files))
}

fn write_aside(folder: &Path, files: &[(impl AsRef<str>, Vec<u8>)]) -> anyhow::Result<()> {
    let failed = || format!("cannot write into {}", folder.display());
    let exists = folder.is_dir();
    let beside = if exists { folder } else { folder_of(folder) };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rasterscan-");
    // Temporary directories are the owner's alone by default; this one becomes one like any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let aside = builder.tempdir_in(beside).with_context(failed)?;
    for (name, bytes) in files {
        let name = name.as_ref();
        if folder.join(name).is_dir() {
            bail!("cannot write {}: it is a directory", folder.join(name).display());
        }
        std::fs::write(aside.path().join(name), bytes).with_context(failed)?;
    }
    if exists {
        for (name, _) in files {
            let name = name.as_ref();
            std::fs::rename(aside.path().join(name), folder.join(name)).with_context(failed)?;
        }
    } else {
        std::fs::rename(aside.path(), folder).with_context(failed)?;
        // It has another name now, under which it stays.
        let _ = aside.keep();
    }
    Ok(())
}
