//! Signals that end the program: unfinished files are removed first.
//!
//! On Windows, Ctrl-C, Ctrl-Break and the end of the console, of the session or of the system take the place of signals.
//! A forced end (`SIGKILL`, Windows' Task Manager) and a loss of power leave temporary files, which the next run that
//! writes to that folder removes.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rasterscan::tools::output::abandon;

/// The state shared by the thread that waits for signals and the work that they interrupt.
struct State {
    /// True if the first signal is only a request: see [`gracefully`].
    graceful: bool,
    /// The signal that requested the end.
    wish: Option<i32>,
}

static STATE: Mutex<State> = Mutex::new(State { graceful: false, wish: None });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the first signal from now on a request to end soon; only the second ends the program at once. For long work
/// whose partial results are useful.
pub fn gracefully() -> Gracefully {
    state().graceful = true;
    Gracefully(())
}

/// The time in which the first signal is only a request.
pub struct Gracefully(());

impl Gracefully {
    /// Returns true if a signal has asked for the end.
    pub fn wanted(&self) -> bool {
        state().wish.is_some()
    }

    /// Ends the program by the signal that requested it, if any, now that results are kept.
    pub fn end(self) {
        let wish = state().wish;
        drop(self);
        if let Some(signal) = wish {
            die_of(signal);
        }
    }
}

impl Drop for Gracefully {
    fn drop(&mut self) {
        state().graceful = false;
    }
}

/// Starts a thread that waits for the signals that come from outside a process and end it.
///
/// A file that reaches the limit of its length (`ulimit -f`) does not end the program by `SIGXFSZ`: the write fails,
/// which is reported like any other error.
#[cfg(unix)]
pub fn listen() -> io::Result<()> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{
        SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    };
    const POLITE: [i32; 4] = [SIGHUP, SIGINT, SIGTERM, SIGXCPU];
    const OTHERS: [i32; 6] = [SIGALRM, SIGPROF, SIGQUIT, SIGUSR1, SIGUSR2, SIGVTALRM];

    let taken = taken();
    let is_free = |signal: &i32| taken >> (signal - 1) & 1 == 0;
    if is_free(&SIGXFSZ) {
        signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    }
    let wanted = POLITE.into_iter().chain(OTHERS).filter(is_free);
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    let wait = move || {
        for signal in signals.forever() {
            let mut state = self::state();
            if state.graceful && state.wish.is_none() && POLITE.contains(&signal) {
                state.wish = Some(signal);
                continue;
            }
            // Held to the end, so that no new file is begun.
            let _abandoned = abandon();
            die_of(signal);
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
}

/// Starts a thread that waits for Ctrl-C and its like.
#[cfg(windows)]
pub fn listen() -> io::Result<()> {
    let end = || {
        let mut state = state();
        if state.graceful && state.wish.is_none() {
            state.wish = Some(CONTROL_C_EXIT);
            return;
        }
        // Held to the end, so that no new file is begun.
        let _abandoned = abandon();
        die_of(CONTROL_C_EXIT);
    };
    ctrlc::set_handler(end).map_err(io::Error::other)
}

/// Ends the program, unfinished files removed, as soon as the standard input ends: the pipe from a parent process that is gone, or that
/// wants this one to end.
pub fn with_parent() -> io::Result<()> {
    let wait = || {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        // Held to the end, so that no new file is begun.
        let _abandoned = abandon();
        std::process::exit(0);
    };
    std::thread::Builder::new().name("parent".into()).spawn(wait).map(drop)
}

/// Ends the program as if the signal had never been caught: the parent process sees which it was.
#[cfg(unix)]
fn die_of(signal: i32) {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// The exit code of a program that Ctrl-C ended: `STATUS_CONTROL_C_EXIT`.
#[cfg(windows)]
const CONTROL_C_EXIT: i32 = 0xC000_013A_u32 as i32;

/// Ends the program with the exit code of one that did not catch Ctrl-C.
#[cfg(windows)]
fn die_of(code: i32) {
    std::process::exit(code);
}

/// The signals that stay as they are, a bit each: those that the caller ignores, as `nohup` does, and those that
/// something loaded before us handles, as a profiler does. Known only where the system tells, as Linux does.
#[cfg(unix)]
fn taken() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = |name: &str| {
        let mask = status.lines().find_map(|line| line.strip_prefix(name));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    };
    mask("SigIgn:") | mask("SigCgt:")
}
