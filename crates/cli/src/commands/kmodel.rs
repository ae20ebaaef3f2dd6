//! `kmodel`: executes the access patterns of a scan on capannini2011's machine of k banks, and counts their costs. No
//! OpenGL.

mod document;
mod figure;
mod text;

use std::path::PathBuf;

use clap::Args;

use rasterscan::tools::printable::printable_path;
use rasterscan_kmodel::{Model, Pattern};

use crate::console::Console;
use crate::exit::Usage;
use crate::job::named;
use crate::output;
use document::{KmodelDocument, KmodelRow};
use rasterscan::tools::job::whole;
use rasterscan_drawing::number::grouped;

/// The most elements; they are simulated in a moment, even in a debug build.
const MOST_ELEMENTS: u64 = 1 << 20;

/// The most banks; their square is the most elements. Padding has no conflicts up to k² elements, so each k can show
/// both sides.
const MOST_BANKS: u64 = 1 << 10;

/// Count the bank conflicts of a scan's access patterns in the K-model, and compare with its formulas
#[derive(Debug, Args)]
#[command(after_long_help = WHAT_IS_COUNTED)]
pub struct KmodelOptions {
    /// Elements: a power of two up to 2^20. The default is the paper's longest block
    #[arg(long, value_name = "N", default_value = "2048", value_parser = |text: &str| size(text, MOST_ELEMENTS))]
    n: u64,
    /// Banks, and scalar units: a power of two up to 2^10, at most N. The default is that of the paper's GPU
    #[arg(long, value_name = "K", default_value = "16", value_parser = |text: &str| size(text, MOST_BANKS))]
    k: u64,
    /// Show one pattern step by step, with the degrees of its instructions and the accesses of each bank
    #[arg(long, value_name = "PATTERN", value_parser = named(Pattern::ALL, Pattern::name))]
    pattern: Option<Pattern>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Write the paper's figure 4 for K banks to a file: T(n) of its four patterns
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

const WHAT_IS_COUNTED: &str = "\
Counts:
  Every scan is executed and verified. As in the paper, T, W and l count the
  stores of results on the way up a tree, and in all steps of cm:
  l    instructions, each for at most k neighbours
  T    the sum of their degrees; the degree is the most accesses to one bank
  W    the sum of their lengths, that is, stores
  G    segments of k words that are read from external memory

Examples:
  rasterscan kmodel
  rasterscan kmodel --n 2^16 --k 32 --json
  rasterscan kmodel --n 2^10 --pattern no_padding
  rasterscan kmodel --k 32 --svg figure-4.svg";

/// Parses a power of two, such as 2048 or 2^11.
fn size(text: &str, most: u64) -> Result<u64, String> {
    whole(text).filter(|number| number.is_power_of_two() && *number <= most).ok_or_else(|| {
        format!("expected a power of two from 1 to 2^{}, such as {most} or 2^{0}", most.trailing_zeros())
    })
}

fn banks(k: u64) -> String {
    format!("{} {}", grouped(k), if k == 1 { "bank" } else { "banks" })
}

pub fn run(options: &KmodelOptions, console: &Console) -> anyhow::Result<()> {
    let KmodelOptions { n, k, .. } = *options;
    if k > n {
        return Err(Usage(format!(
            "--k {k} is more than --n {n}: expected at most as many banks as elements"
        ))
        .into());
    }
    let model = Model::new(n, k)?;
    let svg = options.svg.as_deref().map(|path| output::with_ending(path, &["svg"])).transpose()?;
    let patterns = match options.pattern {
        Some(pattern) => vec![pattern],
        None => Pattern::ALL.to_vec(),
    };
    let rows: anyhow::Result<Vec<KmodelRow>> =
        patterns.iter().map(|pattern| KmodelRow::new(*pattern, model, options.pattern.is_some())).collect();
    let document = KmodelDocument::new(model, rows?);
    if let Some(svg) = svg {
        svg.write(figure::figure(n, k).as_bytes())?;
        console.note(format!("figure 4 for k = {k}: {}", printable_path(svg.path())));
    }
    if options.json {
        return output::json_to_stdout(&document);
    }
    console.note("every scan was executed and verified; kmodel --help explains the counts");
    output::text_to_stdout(&text::text(&document))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_two() {
        for (text, expected) in [("1", 1), ("2048", 2048), ("2^0", 1), ("2^11", 2048), ("2^20", 1 << 20)] {
            assert_eq!(size(text, MOST_ELEMENTS), Ok(expected), "{text}");
        }
        for text in
            ["", "0", "3", "-1", "2^", "2^-1", "2^21", "2^64", "2^99999999999", "2097152", "1e3", "3^2"]
        {
            let error = size(text, MOST_ELEMENTS).unwrap_err();
            assert_eq!(error, "expected a power of two from 1 to 2^20, such as 1048576 or 2^20", "{text}");
        }
        assert!(size("2^11", MOST_BANKS).is_err());
    }
}
