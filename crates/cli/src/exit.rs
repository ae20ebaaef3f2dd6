//! The exit code of every error, and the one report of it on stderr.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anyhow::Context;
use rasterscan::algorithm::results::Mismatch;
use rasterscan::tools::limits::ConditionError;
use rasterscan::tools::printable::{printable, printable_lines};
use rasterscan::tools::registry::ChoiceError;
use rasterscan::{Error, SpecError, Unsupported};

use super::console::colours_on_stderr;

const DATA: u8 = 1;
const USAGE: u8 = 2;
const WRONG_RESULT: u8 = 3;
const NO_DEVICE: u8 = 4;
const SLOWER: u8 = 5;

/// A request for something that does not exist, or for things that do not go together.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// A result that differs from the reference.
#[derive(Debug, thiserror::Error)]
#[error("{algorithm} is wrong: {mismatch}\nreproduce it with: {command}")]
pub struct WrongResult {
    pub algorithm: String,
    pub mismatch: Box<Mismatch>,
    pub command: String,
}

/// Results that differ from the reference, as listed in a report.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failed(pub String);

/// Something became slower: the regression guard's only finding.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Slower(pub String);

/// Prints the error and returns the exit code. A closed stdout is not an error, nor is the text of `--help` and
/// `--version`.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if let Some(error) = error.downcast_ref::<clap::Error>() {
        return report_usage(error);
    }
    let code = code(error);
    if code != 0 {
        let paint = if colours_on_stderr() { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
        let mut stderr = std::io::stderr().lock();
        let text = chain(error);
        let _ = writeln!(stderr, "rasterscan: {}error:{} {}", paint.0, paint.1, printable_lines(&text));
    }
    ExitCode::from(code)
}

fn report_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Printed with colours if stdout takes them; a failure may show only when it is flushed.
        let printed = error.print().and_then(|()| std::io::stdout().flush());
        return match printed.context("cannot write to stdout") {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => report(&error),
        };
    }
    let text = error.render();
    // In coloured text, the colours of an argument cannot be told from ours.
    let is_plain = |word: &OsString| matches!(printable(&word.to_string_lossy()), Cow::Borrowed(_));
    let text = if colours_on_stderr() && std::env::args_os().all(|word| is_plain(&word)) {
        text.ansi().to_string()
    } else {
        printable_lines(&text.to_string()).into_owned()
    };
    let _ = write!(std::io::stderr().lock(), "rasterscan: {text}");
    ExitCode::from(USAGE)
}

/// The error and its causes in one line, each once.
fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// The exit code: that of the first cause that has one, else that of data errors.
fn code(error: &anyhow::Error) -> u8 {
    error.chain().find_map(code_of).unwrap_or(DATA)
}

fn code_of(error: &(dyn StdError + 'static)) -> Option<u8> {
    if let Some(error) = error.downcast_ref::<std::io::Error>() {
        return (error.kind() == ErrorKind::BrokenPipe).then_some(0);
    }
    if let Some(error) = error.downcast_ref::<Error>() {
        return Some(match error {
            Error::Spec(error) => code_of_spec(error),
            Error::Length { .. }
            | Error::ElementMismatch { .. }
            | Error::Memory { .. }
            | Error::DoesNotFit(_) => DATA,
            Error::Condition(_) | Error::NoNumber(_) => USAGE,
            _ => NO_DEVICE,
        });
    }
    if let Some(error) = error.downcast_ref::<SpecError>() {
        return Some(code_of_spec(error));
    }
    if error.is::<Unsupported>() {
        return Some(NO_DEVICE);
    }
    if error.is::<WrongResult>() || error.is::<Failed>() {
        return Some(WRONG_RESULT);
    }
    if error.is::<Slower>() {
        return Some(SLOWER);
    }
    let usage = error.is::<Usage>() || error.is::<ChoiceError>() || error.is::<ConditionError>();
    usage.then_some(USAGE)
}

fn code_of_spec(error: &SpecError) -> u8 {
    match error {
        SpecError::TupleDoesNotDivide { .. }
        | SpecError::NoPairs { .. }
        | SpecError::RowsDoNotDivide { .. }
        | SpecError::TupleInRow { .. }
        | SpecError::Offsets { .. }
        | SpecError::Edges { .. }
        | SpecError::BinRange { .. }
        | SpecError::BinExtent => DATA,
        SpecError::OperatorElement(..) | SpecError::BinElement(_) => NO_DEVICE,
        _ => USAGE,
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;
    use rasterscan::{ScanSpec, scan};

    #[test]
    fn every_kind_of_error_has_its_code() {
        let none = Error::NoDevice("EGL has no devices".into());
        assert_eq!(code(&anyhow!(none)), 4);
        assert_eq!(code(&anyhow!(Error::Memory { bytes: 1 << 40, what: "the numbers" })), 1);
        assert_eq!(code(&anyhow!(Error::NotCurrent)), 4);
        assert_eq!(code(&anyhow!(Error::ContextLost { during: "a run", reason: "reset".into() })), 4);
        assert_eq!(code(&anyhow!(Error::from(SpecError::TupleDoesNotDivide { tuple: 2, len: 3 }))), 1);
        let offsets = SpecError::Offsets { index: 1, offset: 1, least: 3, most: 4 };
        assert_eq!(code(&anyhow!(Error::from(offsets))), 1);
        assert_eq!(code(&anyhow!(Error::from(SpecError::Order(0)))), 2);
        assert_eq!(code(&anyhow!(Usage("no".into())).context("while trying")), 2);
        assert_eq!(code(&anyhow!("plain")), 1);
        let pipe: anyhow::Result<()> =
            Err(std::io::Error::from(ErrorKind::BrokenPipe)).context("cannot write to stdout");
        assert_eq!(code(&pipe.unwrap_err()), 0);
    }

    #[test]
    fn a_wrong_result_names_all_that_is_needed_to_see_it_again() {
        let spec = ScanSpec::new::<u32>(4);
        let mismatch = scan::verify(&spec, 2, &[1u32, 2, 3, 4], &[1, 3, 7, 10]).unwrap_err();
        let error = anyhow!(WrongResult {
            algorithm: "packed:block=8".into(),
            mismatch: Box::new(mismatch),
            command: "rasterscan scan random:n=4 -a packed:block=8".into(),
        });
        assert_eq!(code(&error), 3);
        assert_eq!(
            chain(&error),
            "packed:block=8 is wrong: element 2 is 7, expected 6\n\
             reproduce it with: rasterscan scan random:n=4 -a packed:block=8"
        );
    }

    #[test]
    fn a_chain_says_everything_once() {
        let inner = std::io::Error::other("disk on fire");
        let error = anyhow!(inner).context("cannot read a.npy");
        assert_eq!(chain(&error), "cannot read a.npy: disk on fire");
        let repeated = anyhow!(Error::from(rasterscan::plan::PlanError::NoResult));
        let says = "invalid plan: no pass writes the result; finish the plan with a slot that a pass writes";
        assert_eq!(chain(&repeated), says);
    }
}
