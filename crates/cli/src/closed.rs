//! Standard streams that were closed when the program started. The runtime opens the null device in their place, for
//! reading and writing, so that reading finds nothing and writing loses everything, without an error.

use std::fs::File;
#[cfg(unix)]
use std::io;

/// Returns true if a stream is the null device, opened as the runtime does it.
#[cfg(unix)]
pub fn was_closed(stream: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |found: io::Result<std::fs::Metadata>| found.map(|found| found.rdev()).unwrap_or_default();
    let null = device(std::fs::metadata("/dev/null"));
    let flags = rustix::fs::fcntl_getfl(stream);
    null != 0
        && device(stream.metadata()) == null
        && flags.is_ok_and(|flags| flags.contains(rustix::fs::OFlags::RDWR))
}

#[cfg(not(unix))]
pub fn was_closed(_: &File) -> bool {
    false
}

/// Returns true if a shell closed standard output, as `>&-` does. Programs that start others, such as Python, may open
/// the null device for reading, too, in order to drop what is printed: only a shell's is told from that, on Linux.
#[cfg(target_os = "linux")]
pub fn stdout_was_closed() -> bool {
    use std::os::fd::AsFd;
    const SHELLS: [&str; 11] =
        ["sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "ash", "busybox", "csh", "tcsh"];
    let is_null = || {
        let own = io::stdout().as_fd().try_clone_to_owned();
        own.is_ok_and(|own| was_closed(&File::from(own)))
    };
    let parent = std::os::unix::process::parent_id();
    let is_shell = || {
        let name = std::fs::read_to_string(format!("/proc/{parent}/comm"));
        name.is_ok_and(|name| SHELLS.contains(&name.trim_end()))
    };
    // Else the shell has passed on its own. Some shells close their own while they wait.
    let is_own = || match std::fs::read_link(format!("/proc/{parent}/fd/1")) {
        Ok(path) => path != std::path::Path::new("/dev/null"),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    is_null() && is_shell() && is_own()
}

#[cfg(not(target_os = "linux"))]
pub fn stdout_was_closed() -> bool {
    false
}
