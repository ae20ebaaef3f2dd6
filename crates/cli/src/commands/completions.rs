//! `completions SHELL`: a script with which a shell completes commands and options.

use clap::Args;
use clap_complete::Shell;

use crate::output;

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub struct CompletionsOptions {
    /// The shell
    shell: Shell,
}

pub fn run(options: &CompletionsOptions, mut command: clap::Command) -> anyhow::Result<()> {
    // Into memory first: the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, "rasterscan", &mut script);
    output::to_stdout(&script)
}
