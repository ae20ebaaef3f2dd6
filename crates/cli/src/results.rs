//! `results FILE ...`: documents of `compare --json` as one page of Markdown. No OpenGL.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use rasterscan::printable::printable_path;
use rasterscan_lab::compare::{self, CompareDocument};
use rasterscan_lab::results;

use super::console::Console;
use super::{document, output};

/// Make a page of Markdown from the documents of `compare --json`
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ResultsOptions {
    /// Documents that `compare --json` wrote, of any devices and problems
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the page to a file
    #[arg(short, long = "out", value_name = "OUT")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Each document becomes a section, hardware before software, with a table for
each element and option: medians, and multiples of a copy. Links to the
protocol are relative to a page in docs/.

Examples:
  rasterscan compare scan --json scan.json
  rasterscan compare compact --share 0.6 --json compact.json
  rasterscan results scan.json compact.json -o docs/results.md";

pub fn run(options: &ResultsOptions, console: &Console) -> anyhow::Result<()> {
    let out = options.output.as_deref().map(output::FileOutput::new).transpose()?;
    let documents: Vec<CompareDocument> =
        options.files.iter().map(|path| read(path)).collect::<anyhow::Result<_>>()?;
    let page = results::page(&documents);
    let Some(out) = out else { return output::to_stdout(page.as_bytes()) };
    out.write(page.as_bytes())?;
    let count = documents.len();
    let documents = if count == 1 { "document" } else { "documents" };
    console.note(format!("results of {count} {documents} written to {}", printable_path(out.path())));
    Ok(())
}

/// Reads a comparison.
///
/// Errors name the file, and say why this version cannot read it as a comparison.
fn read(path: &Path) -> anyhow::Result<CompareDocument> {
    let cannot = || format!("cannot read {}", path.display());
    let bytes = document::bytes_of(path).with_context(cannot)?;
    compare::parse(&bytes).with_context(cannot)
}
