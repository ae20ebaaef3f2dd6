//! The program `rasterscan`: its command line, its commands, and files that several of them share.
//!
//! Data goes to stdout or to `-o`, and everything else to stderr. Scripts can rely on this.

#![deny(unsafe_code)]

mod cache;
mod chunked;
mod closed;
mod commands;
mod console;
mod device;
mod document;
mod engine;
mod exit;
mod input;
mod job;
mod lesson;
mod lock;
mod measuring;
mod options;
mod outcome;
mod output;
mod peers;
mod probe;
mod runs;
mod stop;

#[cfg(test)]
#[path = "../tests/cli/file_arguments.rs"]
mod file_arguments;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, CommandFactory, Parser, Subcommand};

use commands::*;
use console::Console;
use device::DeviceArguments;
use rasterscan::tools::registry::renamed_parameters;

/// Prefix sums and stream compaction on the GPU: by drawing into textures, as before compute shaders, and by compute
/// shaders.
///
/// Without a command: the same as `rasterscan demo`.
#[derive(Debug, Parser)]
#[command(name = "rasterscan", version, after_long_help = SURROUNDINGS)]
struct Cli {
    #[command(flatten)]
    global: GlobalOptions,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Options that every command takes.
#[derive(Debug, Args)]
struct GlobalOptions {
    #[command(flatten)]
    device: DeviceArguments,
    /// Print only errors, and which values could not be checked, to stderr
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 900)]
    quiet: bool,
    /// Print the plan, pass by pass, and the program's steps to stderr (-vv: more)
    #[arg(short, long, global = true, action = clap::ArgAction::Count, display_order = 901)]
    verbose: u8,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::DemoOptions),
    Info(info::InfoOptions),
    List(list::ListOptions),
    #[command(flatten)]
    Solve(Box<solve::Solve>),
    Trace(trace::TraceOptions),
    Compare(Box<compare::CompareOptions>),
    Results(results::ResultsOptions),
    Reproduce(reproduce::ReproduceOptions),
    Kmodel(kmodel::KmodelOptions),
    App(Box<app::AppOptions>),
    Tune(tune::TuneOptions),
    Selftest(selftest::SelftestOptions),
    Gallery(gallery::GalleryOptions),
    Grade(grade::GradeOptions),
    Lesson(commands::lesson::LessonOptions),
    Completions(completions::CompletionsOptions),
    Man(man::ManOptions),
}

const SURROUNDINGS: &str = "\
Environment:
  RASTERSCAN_DEVICE  the device where --device is not given
  RASTERSCAN_API     the API where --api is not given
  RASTERSCAN_CACHE   the folder for the results of `tune` and for compiled
                     programs, in place of the user's cache folder; off: none
  RASTERSCAN_PROBE   off: do not try a driver in a process of its own first;
                     a number: seconds to wait for that [default: 30]
  RASTERSCAN_PEERS   the program that `compare --peers` starts, in place of
                     rasterscan-peers beside this one
  NO_COLOR           no colours, if set

Exit codes:
  0  done
  1  input, output or data error
  2  usage
  3  a result did not match the reference
  4  no usable OpenGL, or this device or request rules the algorithm out
  5  compare --against: something became slower";

fn main() -> ExitCode {
    if let Some(code) = probe::child() {
        return code;
    }
    let result = listen().and_then(|()| parse(std::env::args_os())).and_then(run);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit::report(&error),
    }
}

/// Starts the clean-up that runs before a signal ends the program.
fn listen() -> anyhow::Result<()> {
    stop::listen().context("cannot wait for signals")
}

/// Reads the command line. Help and version are errors here, too; [`exit::report`] handles them.
fn parse(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Cli> {
    Ok(Cli::try_parse_from(arguments)?)
}

/// Runs the command.
fn run(cli: Cli) -> anyhow::Result<()> {
    let console = Console::new(cli.global.quiet, cli.global.verbose);
    for argument in std::env::args_os() {
        for (old, new) in renamed_parameters(&argument.to_string_lossy()) {
            console.note(format!("the parameter '{old}' is called '{new}' now"));
        }
    }
    let device = &cli.global.device.resolve()?;
    match cli.command {
        None => demo::run(&demo::DemoOptions::default(), device, &console),
        Some(Command::Demo(options)) => demo::run(&options, device, &console),
        Some(Command::Info(options)) => info::run(&options, device),
        Some(Command::List(options)) => list::run(&options, device, &console),
        Some(Command::Solve(solve)) => solve::run(&solve, device, &console),
        Some(Command::Trace(options)) => trace::run(&options, device, &console),
        Some(Command::Compare(options)) => compare::run(&options, device, &console),
        Some(Command::Results(options)) => results::run(&options, &console),
        Some(Command::Reproduce(options)) => reproduce::run(&options, device, &console),
        Some(Command::Kmodel(options)) => kmodel::run(&options, &console),
        Some(Command::App(options)) => app::run(&options, device, &console),
        Some(Command::Tune(options)) => tune::run(&options, device, &console),
        Some(Command::Selftest(options)) => selftest::run(&options, device, &console),
        Some(Command::Gallery(options)) => gallery::run(&options, device, &console),
        Some(Command::Grade(options)) => grade::run(&options, device, &console),
        Some(Command::Lesson(options)) => commands::lesson::run(&options, device, &console),
        Some(Command::Completions(options)) => completions::run(&options, Cli::command()),
        Some(Command::Man(options)) => man::run(&options, Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn the_grammar_is_consistent() {
        Cli::command().debug_assert();
    }

    /// Each argument that names a file, with its command.
    fn named_files(command: &clap::Command, path: &str, found: &mut Vec<(String, String)>) {
        for argument in command.get_arguments().filter(|argument| !argument.is_global_set()) {
            let kind = argument.get_value_parser().type_id();
            let is_path = kind == TypeId::of::<PathBuf>() || kind == TypeId::of::<OsString>();
            let words = argument.get_value_names().unwrap_or_default();
            let says_so = words.iter().any(|word| ["FILE", "DIR", "OUT", "MASK"].contains(&word.as_str()));
            if is_path || says_so {
                let id = argument.get_id().as_str().to_uppercase();
                let name = argument.get_long().map_or(id, |long| format!("--{long}"));
                found.push((path.trim().to_owned(), name));
            }
        }
        for inner in command.get_subcommands() {
            named_files(inner, &format!("{path} {}", inner.get_name()), found);
        }
    }

    #[test]
    fn every_argument_that_names_a_file_is_tested_with_every_kind_of_file() {
        let mut found = Vec::new();
        named_files(&Cli::command(), "", &mut found);
        let mut listed: Vec<(String, String)> = file_arguments::FILE_ARGUMENTS
            .iter()
            .map(|argument| (argument.command.to_owned(), argument.name.to_owned()))
            .collect();
        found.sort();
        listed.sort();
        assert_eq!(found, listed, "tests/cli/file_arguments.rs needs a line for each");
    }
}
