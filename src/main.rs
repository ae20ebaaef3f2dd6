//! The program `rasterscan`: parses the command line, runs it, and reports what went wrong.

#![deny(unsafe_code)]

mod cli;
mod report;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = cli::probe::child() {
        return code;
    }
    let result = cli::listen().and_then(|()| cli::parse(std::env::args_os())).and_then(cli::run);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => cli::exit::report(&error),
    }
}
