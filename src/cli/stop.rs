//! Stopping in the middle: what a signal leaves unfinished is removed before the program ends by it.
//!
//! `SIGKILL` and a loss of power leave temporary files; there is no clean-up on Windows.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// What the thread that waits for signals has to know. Who holds the lock cannot be stopped.
struct State {
    listening: bool,
    /// The files to remove.
    unfinished: Vec<PathBuf>,
    /// Whether the first signal is only a wish: see [`gracefully`].
    graceful: bool,
    /// The signal that has wished for the end.
    wish: Option<i32>,
}

static STATE: Mutex<State> =
    Mutex::new(State { listening: false, unfinished: Vec::new(), graceful: false, wish: None });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a temporary file that a signal removes, until the next [`undisturbed`] is over.
pub fn unfinished(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    let mut state = state();
    listen(&mut state)?;
    let file = make()?;
    state.unfinished.push(file.path().to_owned());
    Ok(file)
}

/// Does what is short and must not be done by half: a signal waits until then. Nothing is unfinished
/// afterwards.
pub fn undisturbed<T, E: From<io::Error>>(act: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let mut state = state();
    listen(&mut state)?;
    let result = act();
    state.unfinished.clear();
    result
}

/// For work that takes long and is worth something by halves: from now on the first signal is a wish to end soon, and
/// only the second ends the program at once.
pub fn gracefully() -> io::Result<Gracefully> {
    let mut state = state();
    listen(&mut state)?;
    state.graceful = true;
    Ok(Gracefully(()))
}

/// The time in which the first signal is a wish.
pub struct Gracefully(());

impl Gracefully {
    /// Whether somebody wants the program to end.
    pub fn wanted(&self) -> bool {
        state().wish.is_some()
    }

    /// What was worth keeping is kept: where the end was wished for, this is the end, by that signal.
    pub fn end(self) {
        let wish = state().wish;
        drop(self);
        #[cfg(unix)]
        if let Some(signal) = wish {
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
        #[cfg(not(unix))]
        let _ = wish;
    }
}

impl Drop for Gracefully {
    fn drop(&mut self) {
        state().graceful = false;
    }
}

/// Starts to wait for signals, in a thread of their own.
#[cfg(unix)]
fn listen(state: &mut State) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    if state.listening {
        return Ok(());
    }
    // What the caller chose to ignore, as `nohup` does, stays ignored.
    let wanted = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal));
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    let wait = move || {
        for signal in signals.forever() {
            // Held to the end, so that nothing is begun any more.
            let mut state = self::state();
            if state.graceful && state.wish.is_none() {
                state.wish = Some(signal);
                continue;
            }
            for path in &state.unfinished {
                let _ = std::fs::remove_file(path);
            }
            // As if nobody had listened: whoever started us sees which signal it was.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(wait)?;
    state.listening = true;
    Ok(())
}

#[cfg(not(unix))]
fn listen(state: &mut State) -> io::Result<()> {
    state.listening = true;
    Ok(())
}

/// Whether the signal is ignored, as far as the system tells (Linux does).
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
