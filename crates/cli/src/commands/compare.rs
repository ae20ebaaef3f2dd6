//! `compare PROBLEM`: algorithms × sizes, verified, and timed in turns with copies and the CPU.

mod cells;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use rasterscan::ElementType;
use rasterscan::tools::job::Pattern;
use rasterscan::tools::problem::{self, Problem};
use rasterscan_lab::cell::{Lab, set_ratios};
use rasterscan_lab::compare::{self, CompareDocument, changes, figure, text};
use rasterscan_lab::host;
use rasterscan_lab::measure::EXPLANATION;
use rasterscan_lab::model;

use crate::console::Console;
use crate::device::DeviceOptions;
use crate::exit::Usage;
use crate::job::element;
use crate::options::AnyOptions;
use crate::peers::{Program, WithPeers};
use crate::{document, measuring, output, stop};
use cells::{Share, Sizes};

/// Compare algorithms with each other, and with copies and the CPU
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CompareOptions {
    /// The problem whose algorithms to compare
    #[arg(value_name = problem::ALL.map(|problem| problem.name).join("|"), required_unless_present = "explain", value_parser = problem())]
    problem: Option<&'static Problem>,
    /// Algorithms from `list` with their parameters, separated by commas; all means every one that runs on this device
    #[arg(short, long, value_name = "A,B,...", default_value = "all")]
    algorithms: String,
    /// Lengths: 1000, 2^20, or a range that doubles (2^10..2^22) or grows by a factor (2^10..2^22*4) [default:
    /// 2^12..2^20*4, on hardware 2^12..2^24*4]
    #[arg(long, value_name = "N,M,...")]
    sizes: Option<Sizes>,
    /// Element types
    #[arg(long, value_name = "TYPE,...", value_delimiter = ',', default_value = "u32", value_parser = element())]
    dtype: Vec<ElementType>,
    #[command(flatten)]
    axes: AnyOptions<true>,
    /// Shares of nonzero numbers, from 0 to 1; a compaction keeps these [default: 0.6 for compact]
    #[arg(long, value_name = "X,...", value_delimiter = ',')]
    share: Vec<Share>,
    /// Patterns in place of random numbers; a compaction keeps what is not zero
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with = "share", value_parser = pattern())]
    pattern: Vec<Pattern>,
    /// Also time other implementations: numpy, if python3 has it, the crates rdst and lampshade, and CUB, if there is nvcc
    /// to build it; the program rasterscan-peers runs them, after all others
    #[arg(long)]
    peers: bool,
    /// First fit the raster era's cost model, on copies alone; then print its times beside those of what draws, and what they
    /// would be on a device that writes texels ten times as fast
    #[arg(long)]
    model: bool,
    /// The baseline of the ratios: one of the algorithms, copy:texture, copy:buffer, cpu:sequential, cpu:parallel or, of sorts,
    /// cpu:counting
    #[arg(long, value_name = "NAME", default_value = "copy:texture")]
    baseline: String,
    /// Total time to measure, in seconds; every length gets an equal share of what is left
    #[arg(long, value_name = "S", default_value = "60", value_parser = crate::measuring::seconds)]
    seconds: Duration,
    /// Write all rows as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the whole document as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the time of a run, of an item and of the passes as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw the same as PNG
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Report what has become slower since this document of --json; exit with 5 if anything has
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Explain how times are measured and what they do not tell; measures nothing
    #[arg(long)]
    explain: bool,
}

const EXAMPLES: &str = "\
Every comparison includes copies of the stream, by a full-screen pass and by a
compute pass, and the CPU's own algorithm, in one loop and on all cores; of sorts
by at most 16 bits also cpu:counting, as viewers of splats sort in a worker.
--peers adds peer:numpy, peer:rdst, peer:lampshade, peer:cub, for sums of f32
peer:cub:deterministic, peer:thrust and peer:sam; a missing one is left out. -a
takes these names, too; without --peers no other peer is timed.

Examples:
  rasterscan compare scan
  rasterscan compare scan -a horn,hybrid,packed --sizes 2^10..2^22 --svg scans.svg
  rasterscan compare scan -a look_back,sam --order 1,2,5,8 --sizes 2^22
  rasterscan compare compact -a horn,blocks:size=64,search=for --share 0.1,0.5,0.9
  rasterscan compare compact --pattern ends,runs,long_runs
  rasterscan compare reduce --op add,max --sizes 2^16..2^24*16
  rasterscan compare sort --dtype u32,f32,u64 --sizes 2^10..2^20*4
  rasterscan compare sort --bits 16 --moves indices --baseline cpu:counting
  rasterscan compare scan --peers --dtype u32,f32 --sizes 2^16..2^24*16
  rasterscan compare scan -a look_back,sam,peer:cub --sizes 2^20..2^26*4
  rasterscan compare scan -a horn,hybrid,blelloch,packed --model
  rasterscan compare scan --json before.json
  rasterscan compare scan --against before.json
  rasterscan compare --explain";

/// The least time to measure each peer: starting it takes longer than its share may be.
const LEAST_OF_PEERS: Duration = Duration::from_millis(250);

pub fn run(options: &CompareOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let Some(problem) = options.problem.filter(|_| !options.explain) else {
        return output::to_stdout(EXPLANATION.as_bytes());
    };
    // Every usage error is reported before anything is measured.
    let old = options.against.as_deref().map(read).transpose()?;
    let files: Vec<&PathBuf> = options.exports().into_iter().filter_map(|(path, _)| path).collect();
    for (number, path) in files.iter().enumerate() {
        output::FileOutput::new(*path)?;
        if files[..number].contains(path) {
            return Err(Usage(format!("two outputs cannot both go to {}", path.display())).into());
        }
    }
    let gpu = device.open()?;
    let cells = cells::cells(options, problem, gpu.device())?;
    let has_peers = cells.iter().flat_map(|cell| &cell.contenders).any(|one| one.peer().is_some());
    let peers = has_peers.then(Program::find).transpose()?;
    let machine = host::machine(gpu.device());
    let lab = measuring::lab(&gpu);
    let mut lab: Box<dyn Lab> = match peers {
        Some(program) => Box::new(WithPeers { lab, program, least: LEAST_OF_PEERS, done: Vec::new() }),
        None => Box::new(lab),
    };
    let stop = stop::gracefully();
    console.note(machine.line());
    let mut comparison = CompareDocument::new(machine, &options.baseline, options.seconds);
    let bar = console.timed_progress(cells.len(), options.seconds);
    let listener = &mut measuring::listener(&bar, console);
    let go_on = &mut || !stop.wanted();
    let for_model = if options.model { options.seconds / 4 } else { Duration::ZERO };
    let mut measure = || {
        if options.model {
            comparison.model = model::measure(&mut *lab, for_model, listener, go_on)?;
        }
        compare::measure(&cells, &mut *lab, options.seconds - for_model, &mut comparison, listener, go_on)
    };
    let measured = measure();
    bar.finish_and_clear();
    set_ratios(&mut comparison.rows, &options.baseline);
    // Rows measured before an error are delivered, too.
    options.deliver(&comparison, output::text_to_stdout)?;
    measured.map_err(|error| measuring::reproducible(error.into(), device))?;
    if stop.wanted() {
        console.note(format!("interrupted: {} of {} cases measured", comparison.cases(), cells.len()));
    }
    let slower = old.map(|old| changes(&old, &comparison));
    if let Some(slower) = &slower {
        output::text_to_stdout(&format!("\n{}", slower.text()))?;
    }
    stop.end();
    match slower {
        Some(slower) if slower.any() => Err(crate::exit::Slower(slower.summary()).into()),
        _ => Ok(()),
    }
}

/// Reads the document of an earlier run.
///
/// Errors: a file that cannot be read, is damaged, is another document, or was written by a newer version.
fn read(path: &Path) -> anyhow::Result<CompareDocument> {
    let bytes = document::bytes_of(path).with_context(|| format!("cannot read {}", path.display()))?;
    compare::parse(&bytes).with_context(|| format!("cannot compare against {}", path.display()))
}

impl CompareOptions {
    /// Prints the tables, then writes the files, all or none: a full disk does not lose the tables, and a closed stdout does not
    /// lose the files.
    fn deliver(
        &self,
        comparison: &CompareDocument,
        print: impl FnOnce(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let printed = print(&text::text(comparison));
        self.write(comparison)?;
        printed
    }

    /// The file of each format, if it is wanted, and the exporter of that format.
    fn exports(&self) -> [(Option<&PathBuf>, Exporter); 4] {
        [
            (self.json.as_ref(), |comparison| output::json(comparison)),
            (self.csv.as_ref(), |comparison| Ok(text::csv(comparison).into_bytes())),
            (self.svg.as_ref(), |comparison| Ok(figure::figure(comparison).svg().into_bytes())),
            (self.png.as_ref(), |comparison| Ok(figure::figure(comparison).png()?)),
        ]
    }

    fn write(&self, comparison: &CompareDocument) -> anyhow::Result<()> {
        let wanted = self.exports().into_iter().filter_map(|(path, export)| Some((path?, export)));
        let files: anyhow::Result<Vec<_>> =
            wanted.map(|(path, export)| Ok((output::FileOutput::new(path)?, export(comparison)?))).collect();
        output::write_bytes_to(&files?)
    }
}

/// Makes the bytes of a file from a comparison.
type Exporter = fn(&CompareDocument) -> anyhow::Result<Vec<u8>>;

/// A parser of the problems by their names.
fn problem() -> impl TypedValueParser<Value = &'static Problem> {
    PossibleValuesParser::new(problem::ALL.map(|problem| problem.name))
        .try_map(|name| problem::named(&name).ok_or("no such name"))
}

/// A parser of the patterns by their names.
fn pattern() -> impl TypedValueParser<Value = Pattern> {
    PossibleValuesParser::new(Pattern::ALL.map(Pattern::name))
        .try_map(|name| Pattern::named(&name).ok_or("no such pattern"))
}

#[cfg(test)]
mod tests {
    use rasterscan::Device;
    use rasterscan::tools::problem::SCAN;
    use rasterscan_lab::case::Case;
    use rasterscan_lab::cell::{Cell, Lab};
    use rasterscan_lab::contender::Contender;
    use rasterscan_lab::measure::Protocol;
    use rasterscan_lab::stub::{StubLab, machine};

    use super::*;

    fn comparison() -> CompareDocument {
        let mut comparison = CompareDocument::new(machine(), "copy:texture", Duration::from_secs(20));
        let contenders = ["copy:texture", "look_back"].map(|name| Contender::parse(SCAN, name).unwrap());
        let cell =
            Cell { case: Case::scan(1 << 22), contenders: contenders.into(), phases: false, repeats: 0 };
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
        let mut printed = String::new();
        let print = |text: &str| {
            printed = text.to_owned();
            Ok(())
        };
        let gone = folder.path().join("gone");
        options(&gone.join("a.json")).deliver(&comparison, print).unwrap_err();
        assert!(printed.contains("look_back"));
        let file = folder.path().join("a.json");
        let closed = |_: &str| Err(anyhow::anyhow!("the pipe is closed"));
        let error = options(&file).deliver(&comparison, closed).unwrap_err();
        assert!(error.to_string().contains("closed") && read(&file).unwrap() == comparison);
    }
}
