//! The file of a figure, a film or a recording, which appears whole or not at all.

use std::fs::{self, Permissions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

use super::output::folder_of;
use super::stop;

/// Says before any work is done whether the file can be written; its name must have one of these endings.
pub fn check(path: &Path, endings: &[&str]) -> anyhow::Result<()> {
    check_place(path, endings).with_context(|| format!("cannot write {}", path.display()))
}

/// What follows the last dot of a name, in small letters.
pub fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

fn check_place(path: &Path, endings: &[&str]) -> anyhow::Result<()> {
    if !endings.contains(&ending(path).as_str()) {
        bail!("expected a name that ends in .{}", endings.join(" or ."));
    }
    if path.is_dir() {
        bail!("it is a directory");
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        bail!("there is no directory {}", folder.display());
    }
    match permissions(path) {
        Some(permissions) if permissions.readonly() => bail!("it is read-only"),
        _ => Ok(()),
    }
}

/// Those of a file that is there.
fn permissions(path: &Path) -> Option<Permissions> {
    fs::metadata(path).ok().map(|found| found.permissions())
}

/// Writes a file beside it, which then gets its name. A symbolic link stays, and what it leads to is replaced; a pipe
/// is written into.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let failed = || format!("cannot write {}", path.display());
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return fs::write(path, bytes).with_context(failed);
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rasterscan-");
    // Temporary files are the owner's alone by default; this one becomes a file like any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file: NamedTempFile =
        stop::unfinished(|| builder.tempfile_in(folder_of(&target))).with_context(failed)?;
    if let Some(permissions) = permissions(&target) {
        file.as_file().set_permissions(permissions).with_context(failed)?;
    }
    file.write_all(bytes).with_context(failed)?;
    stop::undisturbed(|| file.persist(&target).map(drop).map_err(|error| error.error)).with_context(failed)
}
