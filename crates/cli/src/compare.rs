//! `compare PROBLEM`: algorithms × sizes, verified, timed in turns, and beside what nothing can beat.

mod cells;
mod peers;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use rasterscan::ElementType;
use rasterscan::problem::{self, Problem};
use rasterscan_lab::cell::{Lab, set_ratios};
use rasterscan_lab::compare::{self, CompareDocument, changes, figure, text};
use rasterscan_lab::host;
use rasterscan_lab::measure::EXPLANATION;

use super::console::Console;
use super::device::DeviceOptions;
use super::exit::Usage;
use super::job::element;
use super::options::AnyOptions;
use super::{document, measuring, output, stop};
use cells::{Share, Sizes};
use peers::{Program, WithPeers};

/// Compare algorithms with each other, and with copies and the CPU
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CompareOptions {
    /// What to compare
    #[arg(value_name = problem::ALL.map(|problem| problem.name).join("|"), required_unless_present = "explain", value_parser = problem())]
    problem: Option<&'static Problem>,
    /// Algorithms of `list` with their parameters, commas between them; all is every one that this
    /// device runs
    #[arg(short, long, value_name = "A,B,...", default_value = "all")]
    algorithms: String,
    /// Lengths: 1000, 2^20, or a range whose lengths double (2^10..2^22) or are multiplied (2^10..2^22*4)
    /// [default: 2^12..2^20*4, on hardware 2^12..2^24*4]
    #[arg(long, value_name = "N,M,...")]
    sizes: Option<Sizes>,
    /// Types of numbers
    #[arg(long, value_name = "TYPE,...", value_delimiter = ',', default_value = "u32", value_parser = element())]
    dtype: Vec<ElementType>,
    #[command(flatten)]
    axes: AnyOptions<true>,
    /// Shares of the numbers that are not zero, from 0 to 1: what a compaction keeps [default: 0.6 for that]
    #[arg(long, value_name = "X,...", value_delimiter = ',')]
    share: Vec<Share>,
    /// Compare with what others made, too: numpy, if python3 has it, and the crate lampshade; the program
    /// rasterscan-peers times them, after all others
    #[arg(long)]
    peers: bool,
    /// What the ratios are against: an algorithm that is compared, copy:texture, copy:buffer,
    /// cpu:sequential or cpu:parallel
    #[arg(long, value_name = "NAME", default_value = "copy:texture")]
    baseline: String,
    /// How long to measure, in all; every length gets an equal share of what is left
    #[arg(long, value_name = "S", default_value = "60", value_parser = super::tune::seconds)]
    seconds: Duration,
    /// Write a table of all rows
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the whole document
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw time, throughput, and the time of the passes
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The same as pixels
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Say what has become slower than in this document, which --json wrote; exit 5 if anything has
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Say how it is measured, and what the numbers do not tell; measures nothing
    #[arg(long)]
    explain: bool,
}

const EXAMPLES: &str = "\
Copies of the stream, as a full-screen pass and as a compute pass, and the
CPU's own algorithm, in one loop and on all cores, are in every comparison.
--peers adds peer:numpy and peer:lampshade; one that is missing is left out.

Examples:
  rasterscan compare scan
  rasterscan compare scan -a horn,hybrid,packed --sizes 2^10..2^22 --svg scans.svg
  rasterscan compare scan -a look_back,sam --order 1,2,5,8 --sizes 2^22
  rasterscan compare compact -a horn,blocks:size=64,search=for --share 0.1,0.5,0.9
  rasterscan compare reduce --op add,max --sizes 2^16..2^24*16
  rasterscan compare scan --peers --dtype u32,f32 --sizes 2^16..2^24*16
  rasterscan compare scan --json before.json
  rasterscan compare scan --against before.json
  rasterscan compare --explain";

pub fn run(options: &CompareOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let Some(problem) = options.problem.filter(|_| !options.explain) else {
        return output::to_stdout(EXPLANATION.as_bytes());
    };
    // All that can be wrong is said before anything is measured.
    let old = options.against.as_deref().map(read).transpose()?;
    let files: Vec<&PathBuf> =
        [&options.csv, &options.json, &options.svg, &options.png].into_iter().flatten().collect();
    for (number, path) in files.iter().enumerate() {
        output::FileOutput::new(*path)?;
        if files[..number].contains(path) {
            return Err(Usage(format!("two of the outputs cannot both go to {}", path.display())).into());
        }
    }
    let peers = options.peers.then(Program::find).transpose()?;
    let gpu = device.open()?;
    let cells = cells::cells(options, problem, gpu.device())?;
    let machine = host::machine(gpu.device());
    let lab = measuring::lab(&gpu);
    let mut lab: Box<dyn Lab> = match peers {
        Some(program) => Box::new(WithPeers { lab, program, done: Vec::new() }),
        None => Box::new(lab),
    };
    let stop = stop::gracefully();
    console.note(machine.line());
    let mut comparison = CompareDocument::new(machine, &options.baseline, options.seconds);
    let bar = console.timed_progress(cells.len(), options.seconds);
    let measured = compare::measure(
        &cells,
        &mut *lab,
        options.seconds,
        &mut comparison,
        &mut measuring::listener(&bar, console),
        &mut || !stop.wanted(),
    );
    bar.finish_and_clear();
    set_ratios(&mut comparison.rows, &options.baseline);
    // What was measured before an error, too.
    options.deliver(&comparison, output::to_stdout)?;
    measured.map_err(|error| measuring::reproducible(error.into(), device))?;
    if stop.wanted() {
        console.note(format!("interrupted: {} of {} cases were measured", comparison.cases(), cells.len()));
    }
    let slower = old.map(|old| changes(&old, &comparison));
    if let Some(slower) = &slower {
        output::to_stdout(format!("\n{}", slower.text()).as_bytes())?;
    }
    stop.end();
    match slower {
        Some(slower) if slower.any() => Err(super::exit::Slower(slower.summary()).into()),
        _ => Ok(()),
    }
}

/// Reads what an earlier run wrote.
///
/// Errors: a file that cannot be read, that is damaged, that is something else, or that a newer version wrote.
fn read(path: &Path) -> anyhow::Result<CompareDocument> {
    let bytes = document::bytes_of(path).with_context(|| format!("cannot read {}", path.display()))?;
    compare::parse(&bytes).with_context(|| format!("cannot compare against {}", path.display()))
}

impl CompareOptions {
    /// Prints the tables, and then writes the files: no full disk loses what is on the screen, and a reader that has seen
    /// enough of that still gets the files.
    fn deliver(
        &self,
        comparison: &CompareDocument,
        print: impl FnOnce(&[u8]) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let printed = print(text::text(comparison).as_bytes());
        self.write(comparison)?;
        printed
    }

    fn write(&self, comparison: &CompareDocument) -> anyhow::Result<()> {
        let write = |path: &Option<PathBuf>, bytes: &dyn Fn() -> anyhow::Result<Vec<u8>>| match path {
            Some(path) => Ok(output::write(path, &bytes()?)?),
            None => Ok(()),
        };
        let figure = || figure::figure(comparison);
        write(&self.json, &|| output::json(comparison))?;
        write(&self.csv, &|| Ok(text::csv(comparison).into_bytes()))?;
        write(&self.svg, &|| Ok(figure().svg().into_bytes()))?;
        write(&self.png, &|| Ok(figure().png()?))
    }
}

/// A parser of the problems by their names.
fn problem() -> impl TypedValueParser<Value = &'static Problem> {
    PossibleValuesParser::new(problem::ALL.map(|problem| problem.name))
        .try_map(|name| problem::named(&name).ok_or("no such name"))
}

#[cfg(test)]
mod tests {
    use rasterscan::Device;
    use rasterscan::problem::SCAN;
    use rasterscan_lab::case::Case;
    use rasterscan_lab::cell::{Cell, Lab};
    use rasterscan_lab::contender::Contender;
    use rasterscan_lab::measure::Protocol;
    use rasterscan_lab::stub::{StubLab, machine};

    use super::*;

    fn comparison() -> CompareDocument {
        let mut comparison = CompareDocument::new(machine(), "copy:texture", Duration::from_secs(20));
        let contenders = ["copy:texture", "look_back"].map(|name| Contender::parse(SCAN, name).unwrap());
        let cell = Cell { case: Case::scan(1 << 22), contenders: contenders.into(), phases: false };
        let protocol = Protocol::new(false, Duration::from_secs(20));
        comparison.add(StubLab::new(Device::gl43()).measure(&cell, &protocol, &mut || true).unwrap());
        comparison
    }

    #[test]
    fn neither_a_full_disk_nor_a_reader_that_has_gone_loses_the_rest() {
        #[derive(clap::Parser)]
        struct CompareCommand {
            #[command(flatten)]
            options: CompareOptions,
        }
        let folder = tempfile::tempdir().unwrap();
        let options = |path: &std::path::Path| {
            let words = ["compare", "scan", "--json", path.to_str().unwrap()];
            <CompareCommand as clap::Parser>::parse_from(words).options
        };
        let comparison = comparison();
        let mut printed = Vec::new();
        let print = |bytes: &[u8]| {
            printed = bytes.to_vec();
            Ok(())
        };
        let gone = folder.path().join("gone");
        options(&gone.join("a.json")).deliver(&comparison, print).unwrap_err();
        assert!(String::from_utf8(printed).unwrap().contains("look_back"));
        let file = folder.path().join("a.json");
        let closed = |_: &[u8]| Err(anyhow::anyhow!("the pipe is closed"));
        let error = options(&file).deliver(&comparison, closed).unwrap_err();
        assert!(error.to_string().contains("closed") && read(&file).unwrap() == comparison);
    }
}
