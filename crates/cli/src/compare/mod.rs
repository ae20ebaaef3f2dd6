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

use super::call::{named, operator};
use super::console::Console;
use super::device::DeviceOptions;
use super::exit::Usage;
use super::lab::{AGAIN, Cell, GpuLab, Lab, Machine, set_ratios, take_better};
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
    #[arg(long, value_name = "OP,...", value_delimiter = ',', value_parser = operator())]
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
pub const EXPLANATION: &str = include_str!("../../../../docs/measuring.md");

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
    options.deliver(&comparison, output::to_stdout)?;
    measured?;
    if stop.wanted() {
        console.note(format!("interrupted: {} of {} cases were measured", comparison.cases(), cells.len()));
    }
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

/// Measures cell after cell, and then those once more during which the device was slower than it turned out to be. What
/// is not done when `go_on` says no is not in the comparison.
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
    let mut whole = true;
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
            whole = false;
            break;
        }
        comparison.add(measured);
        bar.inc(1);
    }
    comparison.judge(lab.pace());
    if whole {
        measure_again(cells, lab, seconds, console, comparison, go_on)?;
    }
    bar.finish_and_clear();
    Ok(())
}

/// Measures the cells again that are not settled, as long as a part of the time lasts.
fn measure_again(
    cells: &[Cell],
    lab: &mut dyn Lab,
    seconds: Duration,
    console: &Console,
    comparison: &mut Comparison,
    go_on: &mut dyn FnMut() -> bool,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let unsettled: Vec<&Cell> = cells.iter().filter(|cell| comparison.is_unsettled(&cell.case)).collect();
    for (number, cell) in unsettled.iter().enumerate() {
        let left = seconds.mul_f64(AGAIN).saturating_sub(start.elapsed());
        // One at least: there may be no more than one.
        if number > 0 && left.is_zero() {
            break;
        }
        let budget = left / (unsettled.len() - number) as u32;
        let measured = lab.measure(cell, &Protocol::new(lab.device().software, budget), go_on)?;
        if !go_on() {
            break;
        }
        take_better(&mut comparison.rows, measured.rows);
        comparison.judge(lab.pace());
    }
    let still = unsettled.iter().filter(|cell| comparison.is_unsettled(&cell.case)).count();
    if !unsettled.is_empty() {
        console.note(format!(
            "{} of {} cases were measured while the device ran below its full speed; after a second measurement {still} still are, and are marked",
            unsettled.len(),
            cells.len(),
        ));
    }
    Ok(())
}

impl CompareOptions {
    /// Prints the tables, and then writes the files: no full disk loses what is on the screen, and a reader that has seen
    /// enough of that still gets the files.
    fn deliver(
        &self,
        comparison: &Comparison,
        print: impl FnOnce(&[u8]) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let printed = print(text::text(comparison).as_bytes());
        self.write(comparison)?;
        printed
    }

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

#[cfg(test)]
mod tests {
    use rasterscan::Device;

    use super::*;
    use crate::lab::stub::sleeper::Sleeper;
    use crate::lab::stub::{StubLab, machine};
    use crate::lab::{Case, Contender, Row};

    /// Two lengths, as in the comparison that found a GPU asleep.
    fn cells() -> Vec<Cell> {
        let cell = |log2: u32| Cell {
            case: Case { order: 8, ..Case::scan(1 << log2) },
            contenders: ["copy:texture", "look_back", "sam"]
                .map(|name| Contender::parse(Family::Scan, name).unwrap())
                .into(),
            phases: false,
        };
        [22, 26].map(cell).into()
    }

    fn compared(lab: &mut StubLab) -> Comparison {
        let seconds = Duration::from_secs(20);
        let mut comparison = Comparison::new(machine(), "copy:texture", seconds);
        let console = Console::new(true, 0);
        measure(&cells(), lab, seconds, &console, &mut comparison, &mut || true).unwrap();
        comparison
    }

    /// How many times the time of a device that is always awake each row has.
    fn slowdowns(rows: &[Row]) -> Vec<f64> {
        let awake = compared(&mut StubLab::new(Device::gl43()));
        assert_eq!(rows.len(), awake.rows.len());
        let pairs = rows.iter().zip(&awake.rows);
        pairs.map(|(row, awake)| (row.ms / awake.ms * 1e3).round() / 1e3).collect()
    }

    fn marks(comparison: &Comparison) -> Vec<Option<bool>> {
        comparison.rows.iter().map(|row| row.settled).collect()
    }

    #[test]
    fn neither_a_full_disk_nor_a_reader_that_has_gone_loses_the_rest() {
        #[derive(clap::Parser)]
        struct Command {
            #[command(flatten)]
            options: CompareOptions,
        }
        let folder = tempfile::tempdir().unwrap();
        let options = |path: &std::path::Path| {
            let words = ["compare", "scan", "--json", path.to_str().unwrap()];
            <Command as clap::Parser>::parse_from(words).options
        };
        let comparison = compared(&mut StubLab::new(Device::gl43()));
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
        assert!(error.to_string().contains("closed") && document::read(&file).unwrap() == comparison);
    }

    #[test]
    fn a_device_that_sleeps_while_references_are_computed_is_woken() {
        let sleeper = Sleeper::new(Duration::from_millis(700), 3.7);
        let comparison = compared(&mut StubLab::asleep(Device::gl43(), &sleeper));
        assert_eq!(slowdowns(&comparison.rows), [1.0; 6]);
        assert_eq!(marks(&comparison), [Some(true); 6]);
        assert_eq!(comparison.yardstick.unwrap().best_ms, 0.3);
    }

    /// The first case looks settled, since nothing is known that is faster.
    #[test]
    fn what_was_measured_asleep_is_measured_again_at_the_end() {
        let sleeper = Sleeper::new(Duration::from_millis(2300), 3.7);
        let mut lab = StubLab::asleep(Device::gl43(), &sleeper);
        let cells = cells();
        let protocol = Protocol::new(false, Duration::from_secs(5));
        let first = lab.measure(&cells[0], &protocol, &mut || true).unwrap();
        assert!(first.rows[0].ms > 3.0 * 0.3, "asleep: {}", first.rows[0].ms);
        let again =
            compared(&mut StubLab::asleep(Device::gl43(), &Sleeper::new(Duration::from_millis(2300), 3.7)));
        assert_eq!(slowdowns(&again.rows), [1.0; 6]);
        assert_eq!(marks(&again), [Some(true); 6]);
    }

    #[test]
    fn what_stays_slow_is_marked() {
        let sleeper = Sleeper::new(Duration::from_millis(700), 3.7);
        let mut lab = StubLab::asleep(Device::gl43(), &sleeper);
        let first = compared(&mut lab);
        assert_eq!(marks(&first), [Some(true); 6]);
        sleeper.never_wakes();
        let comparison = compared(&mut lab);
        assert_eq!(slowdowns(&comparison.rows), [3.7; 6]);
        assert_eq!(marks(&comparison), [Some(false); 6]);
        let text = text::text(&comparison);
        assert_eq!(text.matches("* not settled: ").count(), 2, "{text}");
    }
}
