//! The processes of a run: the program itself, called again.

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::stop::Gracefully;

/// Time between two looks at a process that is measuring.
const LOOK: Duration = Duration::from_millis(30);

/// Runs a process of this number for this time to its end, or until a signal asks for the end of the program. Each saves after every cell, so that little is lost.
///
/// Errors: it cannot be started, or failed, which it has reported itself.
pub fn run(number: u32, time: Duration, stop: &Gracefully) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("cannot find the program itself")?;
    let starts_over = |word: &OsString| word != "--resume" && word != "--overwrite";
    let mut child = Command::new(program)
        .args(std::env::args_os().skip(1).filter(starts_over))
        .args(["--process", &number.to_string(), "--own", &time.as_secs_f64().to_string()])
        // It ends when this pipe does, however this process ends.
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .context("cannot start a process of the run")?;
    let pipe = child.stdin.take();
    let status = loop {
        if let Some(status) = child.try_wait().context("cannot wait for a process of the run")? {
            break status;
        }
        if stop.wanted() {
            drop(pipe);
            break child.wait().context("cannot wait for a process of the run")?;
        }
        std::thread::sleep(LOOK);
    };
    match status.code() {
        _ if status.success() || stop.wanted() => Ok(()),
        Some(code) => std::process::exit(code),
        None => bail!("process {number} of the run was ended ({status})"),
    }
}
