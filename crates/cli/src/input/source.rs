//! Opens files and standard input.

use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::{Context, ensure};
use rasterscan_files::ByteSource;

use crate::closed::was_closed;

/// Opens a file.
pub fn open(path: &Path) -> anyhow::Result<ByteSource<'static>> {
    of(File::open(path).context("cannot read")?)
}

/// Opens standard input. The standard library's reader would treat an unreadable one as empty.
pub fn stdin() -> anyhow::Result<ByteSource<'static>> {
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned();
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned();
    let file = File::from(handle.context("cannot read")?);
    ensure!(!was_closed(&file), "cannot read: it is closed");
    of(file)
}

fn of(file: File) -> anyhow::Result<ByteSource<'static>> {
    let found = file.metadata().context("cannot read")?;
    ensure!(!found.is_dir(), "cannot read: it is a directory");
    let len = found.is_file().then_some(found.len());
    Ok(ByteSource::new(file, len))
}
