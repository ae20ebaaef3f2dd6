//! `completions SHELL`: what the shell needs to complete our commands and options.

use clap::Args;
use clap_complete::Shell;

use super::output;

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub struct CompletionsOptions {
    /// The shell to print it for
    shell: Shell,
}

pub fn run(options: &CompletionsOptions, mut command: clap::Command) -> anyhow::Result<()> {
    // Into memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, "rasterscan", &mut script);
    output::to_stdout(&script)
}
