//! `results FILE ...`: documents of `compare --json` and `selftest --json` as one page of Markdown. No OpenGL.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use rasterscan::tools::printable::{counted, printable_path};
use rasterscan_lab::compare::{self, CompareDocument};
use rasterscan_lab::document::DocumentError;
use rasterscan_lab::results;
use rasterscan_lab::selftest::{self, SelftestReport};

use crate::console::Console;
use crate::exit::Usage;
use crate::output::FileOutput;
use crate::{document, output};

/// Make a page of Markdown from the documents of `compare --json` and `selftest --json`
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ResultsOptions {
    /// Documents that `compare --json`, `selftest --json` or the page wrote, of any devices and problems
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the page to a file
    #[arg(short, long = "out", value_name = "OUT")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Each comparison becomes a section, hardware before software, with a table for
each element and option: medians, and multiples of a copy. Self-tests become
one table, with a row for each device. Links to the protocol are relative to a
page in docs/.

Examples:
  rasterscan compare scan --json scan.json
  rasterscan compare compact --share 0.6 --json compact.json
  rasterscan selftest --json > selftest.json
  rasterscan results scan.json compact.json selftest.json -o docs/results.md";

pub fn run(options: &ResultsOptions, console: &Console) -> anyhow::Result<()> {
    let out = options.output.as_deref().map(FileOutput::new).transpose()?;
    if let Some(out) = &out {
        let is_out = |path: &&PathBuf| FileOutput::of(path).is_ok_and(|file| file.is_same_file(out));
        if let Some(input) = options.files.iter().find(is_out) {
            let (input, out) = (printable_path(input), printable_path(out.path()));
            return Err(Usage(format!("the page cannot go to {out}: it would replace {input}")).into());
        }
    }
    let (mut comparisons, mut reports) = (Vec::new(), Vec::new());
    for path in &options.files {
        match read(path)? {
            ResultDocument::Comparison(document) => comparisons.push(document),
            ResultDocument::Report(report) => reports.push(report),
        }
    }
    let page = results::page(&comparisons, &reports);
    let Some(out) = out else { return output::text_to_stdout(&page) };
    out.write(page.as_bytes())?;
    let documents = counted(options.files.len() as u64, "document");
    console.note(format!("results of {documents} written to {}", printable_path(out.path())));
    Ok(())
}

/// A document of one of the two kinds.
enum ResultDocument {
    Comparison(CompareDocument),
    Report(SelftestReport),
}

/// Reads a document.
///
/// Errors name the file, and say why this version cannot read it.
fn read(path: &Path) -> anyhow::Result<ResultDocument> {
    let cannot = || format!("cannot read {}", path.display());
    let bytes = document::bytes_of(path).with_context(cannot)?;
    match selftest::parse(&bytes) {
        Ok(report) => Ok(ResultDocument::Report(report)),
        // Another document may be a comparison.
        Err(DocumentError::None { .. } | DocumentError::Other { .. }) => {
            compare::parse(&bytes).map(ResultDocument::Comparison).with_context(cannot)
        }
        Err(error) => Err(error).with_context(cannot),
    }
}
