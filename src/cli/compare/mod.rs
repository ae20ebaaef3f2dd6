//! `compare scan|compact`: algorithms × sizes, verified, timed in turns, and beside what nothing can beat.

mod against;
mod cells;
mod document;
mod figure;
mod text;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;

use rasterscan::measure::Protocol;
use rasterscan::registry::Family;
use rasterscan::spec::{MAX_ORDER, MAX_TUPLE};
use rasterscan::{ElementType, Operator};

use super::call::named;
use super::console::Console;
use super::device::DeviceOptions;
use super::exit::Usage;
use super::lab::{Cell, GpuLab, Lab, Machine, set_ratios};
use super::output;
use super::stop;
use cells::{Share, Sizes};
use document::Comparison;

/// Compare algorithms with each other, and with copies and the CPU
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CompareOptions {
    /// What to compare: scan or compact
    #[arg(
        value_name = "scan|compact",
        required_unless_present = "explain",
        value_parser = named(Family::ALL, Family::name)
    )]
    family: Option<Family>,
    /// Algorithms of `list` with their parameters, commas between them; all is every one that this
    /// device runs
    #[arg(short, long, value_name = "A,B,...", default_value = "all")]
    algorithms: String,
    /// Lengths: 1000, 2^20, or a range whose lengths double (2^10..2^22) or are multiplied (2^10..2^22*4)
    /// [default: 2^12..2^20*4, on hardware 2^12..2^24*4]
    #[arg(long, value_name = "N,M,...")]
    sizes: Option<Sizes>,
    /// Types of numbers
    #[arg(long, value_name = "TYPE,...", value_delimiter = ',', default_value = "u32",
        value_parser = named(ElementType::ALL, ElementType::name))]
    dtype: Vec<ElementType>,
    /// Operators, of a scan
    #[arg(long, value_name = "OP,...", value_delimiter = ',', value_parser = named(Operator::ALL, Operator::name))]
    op: Vec<Operator>,
    /// Orders, of a scan
    #[arg(long, value_name = "Q,...", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ORDER)))]
    order: Vec<u32>,
    /// Tuples, of a scan; lengths are rounded up to whole tuples
    #[arg(long, value_name = "S,...", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TUPLE)))]
    tuple: Vec<u32>,
    /// Leave the value itself out of its own result, in a scan
    #[arg(long)]
    exclusive: bool,
    /// Shares that a compaction keeps, from 0 to 1 [default: 0.6]
    #[arg(long, value_name = "X,...", value_delimiter = ',')]
    share: Vec<Share>,
    /// Compare with what others have made, too: numpy, if python3 has it, and the crate lampshade, if
    /// the program was built with the feature peers
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
--peers adds peer:numpy and peer:lampshade; who is missing is left out.

Examples:
  rasterscan compare scan
  rasterscan compare scan -a horn,hybrid,packed --sizes 2^10..2^22 --svg scans.svg
  rasterscan compare scan -a look_back,sam --order 1,2,5,8 --sizes 2^22
  rasterscan compare compact -a horn,blocks:size=64,search=for --share 0.1,0.5,0.9
  rasterscan compare scan --peers --dtype u32,f32 --sizes 2^16..2^24*16
  rasterscan compare scan --json before.json
  rasterscan compare scan --against before.json
  rasterscan compare --explain";

/// How measuring goes, for people: what `--explain` prints.
pub const EXPLANATION: &str = include_str!("../../../docs/measuring.md");

pub fn run(options: &CompareOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let Some(family) = options.family.filter(|_| !options.explain) else {
        return output::to_stdout(EXPLANATION.as_bytes());
    };
    // All that can be wrong is said before anything is measured.
    let old = options.against.as_deref().map(document::read).transpose()?;
    let files: Vec<&PathBuf> =
        [&options.csv, &options.json, &options.svg, &options.png].into_iter().flatten().collect();
    for (number, path) in files.iter().enumerate() {
        output::Output::new(*path)?;
        if files[..number].contains(path) {
            return Err(Usage(format!("two of the outputs cannot both go to {}", path.display())).into());
        }
    }
    let gpu = device.open()?;
    let cells = options.cells(family, gpu.device())?;
    let machine = Machine::of(gpu.device());
    let mut lab = GpuLab::new(&gpu, device.arguments());
    let stop = stop::gracefully();
    console.note(machine.line());
    let mut comparison = Comparison::new(machine, &options.baseline, options.seconds);
    let measured =
        measure(&cells, &mut lab, options.seconds, console, &mut comparison, &mut || !stop.wanted());
    set_ratios(&mut comparison.rows, &options.baseline);
    // What was measured before an error, too.
    options.write(&comparison)?;
    measured?;
    if stop.wanted() {
        console.note(format!("interrupted: {} of {} cases were measured", comparison.cases(), cells.len()));
    }
    output::to_stdout(text::text(&comparison).as_bytes())?;
    let slower = old.map(|old| against::compare(&old, &comparison));
    if let Some(slower) = &slower {
        output::to_stdout(format!("\n{}", slower.text()).as_bytes())?;
    }
    stop.end();
    match slower {
        Some(slower) if slower.any() => Err(super::exit::Slower(slower.summary()).into()),
        _ => Ok(()),
    }
}

/// Measures cell after cell; what is not done when `go_on` says no is not in the comparison.
fn measure(
    cells: &[Cell],
    lab: &mut dyn Lab,
    seconds: Duration,
    console: &Console,
    comparison: &mut Comparison,
    go_on: &mut dyn FnMut() -> bool,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let bar = console.timed_progress(cells.len(), seconds);
    let mut told = BTreeSet::new();
    for (number, cell) in cells.iter().enumerate() {
        bar.set_message(cell.case.to_string());
        bar.tick();
        let left = seconds.saturating_sub(start.elapsed());
        let protocol = Protocol::new(lab.device().software, left / (cells.len() - number) as u32);
        let measured = lab.measure(cell, &protocol, go_on)?;
        for left_out in &measured.left_out {
            // Once of each, whatever the length.
            if told.insert((left_out.name.clone(), left_out.reason.clone())) {
                let note = format!("{}: {} is left out, {}", cell.case, left_out.name, left_out.reason);
                bar.suspend(|| console.note(note));
            }
        }
        // By halves, a cell compares nothing.
        if !go_on() {
            break;
        }
        comparison.add(measured);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

impl CompareOptions {
    fn write(&self, comparison: &Comparison) -> anyhow::Result<()> {
        let write = |path: &Option<PathBuf>, bytes: &dyn Fn() -> anyhow::Result<Vec<u8>>| match path {
            Some(path) => Ok(output::write(path, &bytes()?)?),
            None => Ok(()),
        };
        let figure = || figure::figure(comparison);
        write(&self.json, &|| output::json(comparison))?;
        write(&self.csv, &|| Ok(text::csv(comparison).into_bytes()))?;
        write(&self.svg, &|| Ok(figure().svg()?.into_bytes()))?;
        write(&self.png, &|| figure().png())
    }

    fn cells(&self, family: Family, device: &rasterscan::Device) -> anyhow::Result<Vec<Cell>> {
        let only = |given: bool, option: &str, of: Family| match (given, of == family) {
            (true, false) => Err(Usage(format!("{option} is for {}", of.name()))),
            _ => Ok(()),
        };
        only(!self.op.is_empty(), "--op", Family::Scan)?;
        only(!self.order.is_empty(), "--order", Family::Scan)?;
        only(!self.tuple.is_empty(), "--tuple", Family::Scan)?;
        only(self.exclusive, "--exclusive", Family::Scan)?;
        only(!self.share.is_empty(), "--share", Family::Compact)?;
        cells::cells(self, family, device)
    }
}
