//! Messages for people: notes, progress and logging, all on stderr.

use std::ffi::OsStr;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rasterscan::algorithm::results::Verified;
use rasterscan::tools::printable::printable_lines;
use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;

/// The program's name as called, for hints that can be typed as they are; `./run` sets it.
pub fn called() -> String {
    std::env::var("RASTERSCAN_CALLED").unwrap_or_else(|_| "rasterscan".into())
}

/// Prints to stderr. Nothing here fails: a closed stderr is no reason to stop.
pub struct Console {
    quiet: bool,
}

impl Console {
    /// Also starts logging: warnings unless `quiet`, steps with `-v`, details with `-vv`.
    pub fn new(quiet: bool, verbose: u8) -> Console {
        let level = match (quiet, verbose) {
            (true, _) => Level::ERROR,
            (false, 0) => Level::WARN,
            (false, 1) => Level::INFO,
            (false, _) => Level::DEBUG,
        };
        // Other crates, such as those that talk to the display, may only report what the user can act on.
        let targets = Targets::new().with_target("rasterscan", level).with_default(match verbose {
            0 | 1 => Level::ERROR,
            _ => Level::WARN,
        });
        let layer = tracing_subscriber::fmt::layer()
            .with_writer(std::io::stderr)
            .with_ansi(colours_on_stderr())
            .without_time()
            .with_target(false)
            .with_filter(targets);
        let subscriber = tracing_subscriber::registry().with(layer);
        // Fails only if a subscriber is already set, which then stays.
        let _ = tracing::subscriber::set_global_default(subscriber);
        Console { quiet }
    }

    /// Returns true if the user asked for quiet.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints a line, unless the user asked for quiet.
    pub fn note(&self, text: impl AsRef<str>) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr().lock(), "{}", printable_lines(text.as_ref()));
        }
    }

    /// Prints a line even if the user asked for quiet, such as that a result was not checked.
    pub fn warning(&self, text: impl AsRef<str>) {
        let _ = writeln!(std::io::stderr().lock(), "{}", printable_lines(text.as_ref()));
    }

    /// Prints the summary of a run: a note, or a warning if part of its result could not be checked.
    pub fn summary(&self, text: impl AsRef<str>, verified: Option<Verified>) {
        match verified {
            Some(Verified { unbounded: 1.., .. }) => self.warning(text),
            _ => self.note(text),
        }
    }

    /// A progress bar over steps that take about this long in all.
    pub fn timed_progress(&self, steps: usize, time: Duration) -> ProgressBar {
        let bar = self.progress(steps);
        if let Ok(style) = ProgressStyle::with_template(TIMED) {
            let until = humantime::format_duration(Duration::from_secs(time.as_secs())).to_string();
            let write = move |_: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = out.write_str(&until);
            };
            bar.set_style(style.with_key("until", write));
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        bar
    }

    /// A progress bar over `steps` steps, drawn only if stderr is a terminal.
    pub fn progress(&self, steps: usize) -> ProgressBar {
        bar(self.quiet, steps as u64, "{bar:30} {pos}/{len} {msg}")
    }
}

/// The template of a bar over steps that share a time limit.
const TIMED: &str = "{bar:30} {pos}/{len} {elapsed} of about {until}  {wide_msg}";

/// A progress bar of this length, drawn unless the user asked for quiet, and only on a capable terminal.
pub fn bar(quiet: bool, len: u64, template: &str) -> ProgressBar {
    let hidden = quiet || !bars_on_stderr();
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(len), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Returns true if stderr shows bars: a capable terminal.
fn bars_on_stderr() -> bool {
    is_drawn_on(std::io::stderr().is_terminal(), std::env::var_os("TERM").as_deref())
}

/// Returns true if stderr takes colours: a capable terminal, and no `NO_COLOR` (<https://no-color.org>).
pub fn colours_on_stderr() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !unwanted && bars_on_stderr()
}

/// Returns true if colours and bars can be drawn: not on a terminal that is dumb or, on Unix, has no name.
fn is_drawn_on(is_terminal: bool, name: Option<&OsStr>) -> bool {
    is_terminal && name.map_or(!cfg!(unix), |name| !name.is_empty() && name != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dumb_terminal_gets_no_colours() {
        assert!(is_drawn_on(true, Some("xterm".as_ref())));
        for (is_terminal, name) in
            [(true, Some("dumb")), (true, Some("")), (false, Some("xterm")), (false, None)]
        {
            assert!(!is_drawn_on(is_terminal, name.map(OsStr::new)), "{is_terminal} {name:?}");
        }
        assert_eq!(is_drawn_on(true, None), !cfg!(unix));
    }
}
