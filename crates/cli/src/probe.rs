//! Tries the driver in a process of its own first: a crash or a hang becomes an exit code and a message.
//!
//! A success is remembered in the cache folder, keyed by all that is known of a driver before it is loaded, so later
//! starts skip the trial. Without a cache folder, every start tries. `RASTERSCAN_PROBE=off` skips it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rasterscan::{Error, Gpu, HeadlessOptions, Level};

use super::cache::Cache;
use super::exit::Usage;

/// `off` skips the trial. In the process that tries, the value names the device and the API to open.
pub const VARIABLE: &str = "RASTERSCAN_PROBE";

/// The time that a driver may take. The slowest seen takes two seconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// Tries the driver, in the process started for that; `None` in any other.
pub fn child() -> Option<ExitCode> {
    let value = std::env::var(VARIABLE).ok()?;
    let (device, level) = value.split_once(' ')?;
    let (device, level): (_, Level) = (device.parse().ok()?, level.parse().ok()?);
    // An error is not a crash, and the parent process will meet it, too.
    let options = HeadlessOptions { device, ..level.into() };
    Some(if Gpu::headless_with(&options).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Tries the driver, unless it is known to work. `device` and `api` are words of the command line.
///
/// Errors: [`Error::NoDevice`], if it crashes or hangs; a variable that says nothing known.
pub fn check(device: &str, api: &str) -> anyhow::Result<()> {
    let Some(patience) = patience(std::env::var_os(VARIABLE).as_deref())? else { return Ok(()) };
    let known = Cache::from_environment().folder().map(|folder| folder.join(marker(device, api)));
    if known.as_deref().is_some_and(Path::exists) {
        return Ok(());
    }
    let Ok(program) = std::env::current_exe() else { return Ok(()) };
    let child = Command::new(program)
        .env(VARIABLE, format!("{device} {api}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    // If no process can be started, nothing is known about the driver.
    let Ok(mut child) = child else { return Ok(()) };
    let begin = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if begin.elapsed() < patience => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                let waited = begin.elapsed().as_secs();
                return Err(fails(&format!("does not answer its first calls (waited {waited} s)")).into());
            }
        }
    };
    if let Some(signal) = signal_of(status) {
        return Err(fails(&format!("crashes in its first calls (signal {signal})")).into());
    }
    if let (true, Some(path)) = (status.success(), known) {
        // Only a cache: if it cannot be written, the next start tries again.
        let _ = path.parent().map(fs::create_dir_all);
        let _ = fs::write(path, "");
    }
    Ok(())
}

fn fails(what: &str) -> Error {
    Error::NoDevice(format!(
        "the OpenGL driver {what}\n{VARIABLE}=off uses it anyway; `-a sequential` needs no driver"
    ))
}

/// The time to wait for a driver, from the variable's value; `None` if it is not to be tried.
fn patience(value: Option<&OsStr>) -> Result<Option<Duration>, Usage> {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(Some(PATIENCE)) };
    if value == "off" {
        return Ok(None);
    }
    let seconds = value.to_str().and_then(|text| text.parse().ok()).filter(|seconds| *seconds > 0);
    seconds.map(|seconds| Some(Duration::from_secs(seconds))).ok_or_else(|| {
        let value = value.to_string_lossy();
        Usage(format!("{VARIABLE} cannot be '{value}'; expected off, or a number of seconds from 1 on"))
    })
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(status: ExitStatus) -> Option<i32> {
    // On Windows, an exception is a negative exit code.
    status.code().filter(|code| *code < 0)
}

/// The name of the file that marks a driver as working.
fn marker(device: &str, api: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), device, api).hash(&mut hasher);
    // Variables that choose a driver, or change its behaviour.
    const PREFIXES: [&str; 12] = [
        "LD_", "LIBGL_", "GALLIUM_", "MESA_", "EGL_", "__EGL_", "__GLX_", "__NV_", "GBM_", "LP_", "ZINK_",
        "VK_",
    ];
    let chooses = |name: &OsString| PREFIXES.iter().any(|prefix| name.to_string_lossy().starts_with(prefix));
    let mut chosen: Vec<_> = std::env::vars_os().filter(|(name, _)| chooses(name)).collect();
    chosen.sort();
    chosen.hash(&mut hasher);
    // Installing a library or a driver changes the linker's cache, one of these folders, or the kernel's version.
    let libraries = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = std::env::split_paths(&libraries).map(|folder| folder.join("libEGL.so.1"));
    let preloaded = std::env::var_os("LD_PRELOAD").unwrap_or_default();
    let preloaded = preloaded.to_string_lossy().split([':', ' ']).map(PathBuf::from).collect::<Vec<_>>();
    let fixed = ["/etc/ld.so.cache", "/usr/share/glvnd/egl_vendor.d", "/etc/glvnd/egl_vendor.d"];
    for path in folders.chain(preloaded).chain(fixed.map(PathBuf::from)) {
        let about = fs::metadata(&path).ok();
        about.as_ref().map(|about| (about.len(), about.modified().ok())).hash(&mut hasher);
    }
    for path in ["/sys/module/nvidia/version", "/proc/sys/kernel/osrelease"] {
        fs::read(path).ok().hash(&mut hasher);
    }
    format!("driver-works-{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_is_off_or_a_time() {
        let of = |value: &str| patience(Some(OsStr::new(value)));
        assert_eq!(patience(None).unwrap(), Some(PATIENCE));
        assert_eq!(of("").unwrap(), Some(PATIENCE));
        assert_eq!(of("off").unwrap(), None);
        assert_eq!(of("7").unwrap(), Some(Duration::from_secs(7)));
        for wrong in ["OFF", "no", "0", "-1", "1.5", "30s", "99999999999999999999"] {
            let error = of(wrong).unwrap_err().to_string();
            assert!(error.contains(wrong) && error.contains("expected off"), "{error}");
        }
    }
}
