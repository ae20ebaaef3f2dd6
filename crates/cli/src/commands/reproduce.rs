//! `reproduce [KEY ...]`: each paper's claims, measured here as the paper did, with a verdict and the figures redrawn.

mod load;
mod process;

use std::any::Any;
use std::cell::Cell;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use clap::builder::PossibleValuesParser;

use rasterscan_lab::cell::Lab;
use rasterscan_lab::host;
use rasterscan_lab::report::page::{self, Page, SUMMARY_FILE};
use rasterscan_lab::reproduce::{self, Effort, PAPERS, PROCESSES, Process, Store};

use self::load::Load;
use crate::console::Console;
use crate::console::called;
use crate::device::DeviceOptions;
use crate::exit::Usage;
use crate::lock::{self, Lock};
use crate::peers::{Program, WithPeers};
use crate::{document, measuring, output, stop};

/// Options of a run, which mean nothing where reports are only read.
const MEASURING: [&str; 6] = ["keys", "quick", "seconds", "peers", "resume", "overwrite"];

/// Check the claims of the papers on this device, and redraw their figures
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ReproduceOptions {
    /// Papers, by their keys [default: all five]
    #[arg(value_name = "KEY", value_parser = PossibleValuesParser::new(PAPERS.map(|paper| paper.key)))]
    keys: Vec<String>,
    /// The folder for report.html, summary.html, report.json and figures/
    #[arg(long, value_name = "DIR", default_value = "rasterscan-report")]
    out: PathBuf,
    /// Use shorter streams and less time: three minutes
    #[arg(long)]
    quick: bool,
    /// Total time to measure, in seconds [default: 200 on a GPU and 1500 without, with --quick 140;
    /// 4 times as much with --peers]
    #[arg(long, value_name = "S", value_parser = crate::measuring::seconds)]
    seconds: Option<Duration>,
    /// Also measure CUB and Thrust, and SAM's own code if RASTERSCAN_SAM names it, beside the stand-ins for them; this
    /// needs nvcc, and the program rasterscan-peers
    #[arg(long)]
    peers: bool,
    /// Continue the interrupted run in that folder
    #[arg(long, conflicts_with = "overwrite")]
    resume: bool,
    /// Start over, even if that folder holds an interrupted run
    #[arg(long)]
    overwrite: bool,
    /// Judge the report in that folder again and rewrite its pages, or print the verdicts of a file; nothing is measured, and
    /// no OpenGL is needed
    #[arg(long, value_name = "REPORT", conflicts_with_all = MEASURING)]
    judge: Option<PathBuf>,
    /// Compare the verdicts and numbers of two reports, by their folders or their report.json
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = MEASURING, conflicts_with = "judge")]
    diff: Option<Vec<PathBuf>>,
    /// Print the verdicts of several reports as a table in Markdown
    #[arg(long, num_args = 1.., value_name = "REPORT", conflicts_with_all = MEASURING, conflicts_with_all = ["judge", "diff"])]
    verdicts: Option<Vec<PathBuf>>,
    /// Measure as this process of the run in that folder: how the program calls itself
    #[arg(long, value_name = "NUMBER", hide = true, requires = "own", conflicts_with_all = ["resume", "overwrite"])]
    process: Option<u32>,
    /// The time for that process, in seconds
    #[arg(long, value_name = "S", hide = true, value_parser = crate::measuring::seconds)]
    own: Option<Duration>,
}

const EXAMPLES: &str = "\
Three processes, one after the other, measure the same: what one is given by
chance, such as slow memory, is seen beside the others. A verdict speaks of the
interval that results.

Writes report.html, with all figures in it, summary.html, a page to print,
report.json, with every time, and figures/, the values of each figure as CSV.
All are complete and valid from the beginning on; an interrupt keeps what was
measured, and --resume continues from there.

Verdicts: reproduced (for a factor, 80% to 125% of the paper's gain), stronger,
larger loss, weaker (the same direction, but less), no effect (within 5%),
opposite, mixed (where a claim's numbers differ), undecided, not testable today,
not on this device, not measured.

Examples:
  rasterscan reproduce --quick
  rasterscan reproduce roger2007 sengupta2006 --out texture-era
  rasterscan reproduce maleki2016 --peers
  rasterscan reproduce --resume
  rasterscan reproduce --judge rasterscan-report
  rasterscan reproduce --judge docs/results/reproduction/llvmpipe.json.gz
  rasterscan reproduce --diff here/report.json there/report.json";

pub fn run(options: &ReproduceOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    if let Some(report) = &options.judge {
        return judge(report, console);
    }
    if let Some([first, second]) = options.diff.as_deref() {
        let text = reproduce::diff(&read(&file(first))?, &read(&file(second))?);
        return output::text_to_stdout(&text);
    }
    if let Some(reports) = &options.verdicts {
        let stores =
            reports.iter().map(|report| read(&file(report))).collect::<anyhow::Result<Vec<Store>>>()?;
        return output::text_to_stdout(&reproduce::verdicts(&stores));
    }
    match options.process.zip(options.own) {
        Some((number, own)) => measure(options, number, own, device, console),
        None => whole(options, device, console),
    }
}

/// The whole run: starts its processes one after the other, and shows what came of them.
fn whole(options: &ReproduceOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let (effort, keys) = (options.effort(), options.keys());
    let mut held = match options.out.is_dir() {
        true => Some(hold(&options.out)?),
        false => None,
    };
    let old = find(&options.out)?;
    let gpu = device.open_untuned()?;
    let machine = host::machine(gpu.device());
    let store = match old {
        Some(old) if options.resume => old.continued_by(&machine, effort, &keys).map_err(Usage)?,
        Some(old) if !old.complete && !options.overwrite => {
            let out = options.out.display();
            return Err(Usage(format!(
                "{out} holds an interrupted run: --resume continues it, --overwrite starts over"
            ))
            .into());
        }
        None if options.resume => {
            return Err(Usage(format!("there is no run to continue in {}", options.out.display())).into());
        }
        _ => {
            forget_figures(
                &options.out,
                &Store::new(machine.clone(), effort, &PAPERS.map(|paper| paper.key)),
            )?;
            Store { device: Some(gpu.device().clone()), ..Store::new(machine, effort, &keys) }
        }
    };
    let opened = gpu.device().clone();
    // The processes have contexts of their own.
    drop(gpu);
    let make = || format!("cannot make {}", options.out.display());
    std::fs::create_dir_all(&options.out).with_context(make)?;
    if held.is_none() {
        held = Some(hold(&options.out)?);
    }
    for name in [JSON, HTML, SUMMARY_FILE] {
        output::FileOutput::new(options.out.join(name))?;
    }
    let stop = stop::gracefully();
    console.note(store.machine.line());
    save(&store, &options.out, true)?;
    let plan = reproduce::plan(&keys, effort, store.machine.software, options.peers);
    let cells = plan.len();
    if options.peers {
        console.note("builds the programs of the peers");
        Program::find()?.prepare(plan.iter().map(|planned| &planned.cell), &opened)?;
    }
    let mut store = store;
    let budget = options.budget(store.machine.software);
    let process = |number| Process { number, plan: &plan, budget };
    let (begin, time) = (Instant::now(), budget.mul_f64(process(1).rest(&store)));
    for number in 1..=PROCESSES {
        if store.complete || stop.wanted() {
            break;
        }
        console.note(format!("process {number} of {PROCESSES}"));
        let left = time.saturating_sub(begin.elapsed());
        process::run(number, process(number).time(left, &store), &stop)?;
        store = read(&options.out.join(JSON))?;
    }
    let page = save(&store, &options.out, true)?;
    output::text_to_stdout(&reproduce::summary(&page))?;
    console.note(format!("report with figures: {}", options.out.join(HTML).display()));
    if stop.wanted() {
        console.note(format!(
            "interrupted after {} of {} cells; `{} reproduce --resume` continues",
            store.cells.len(),
            PROCESSES as usize * cells,
            called()
        ));
    }
    drop(held);
    stop.end();
    Ok(())
}

/// One process of a run, which goes on with what is in the folder.
fn measure(
    options: &ReproduceOptions,
    number: u32,
    own: Duration,
    device: &DeviceOptions,
    console: &Console,
) -> anyhow::Result<()> {
    stop::with_parent()?;
    let mut store = read(&options.out.join(JSON))?;
    // With the built-in parameters, so that claims are checked the same way everywhere.
    let gpu = device.open_untuned()?;
    let software = gpu.device().software;
    let plan = reproduce::plan(&options.keys(), options.effort(), software, options.peers);
    let load = || -> Option<Box<dyn Any>> {
        Some(Box::new(if software { Load::loops() } else { Load::copies(device)? }))
    };
    let verified = store.cells.iter().flat_map(|cell| &cell.rows);
    let lab = measuring::lab(&gpu).with_load(load).with_verified(verified);
    let mut lab: Box<dyn Lab> = match options.peers {
        true => Box::new(WithPeers { lab, program: Program::find()?, least: LEAST, done: Vec::new() }),
        false => Box::new(lab),
    };
    let shown = Cell::new(Instant::now());
    let save = |store: &Store| {
        // A page takes longer than most cells.
        let due = shown.get().elapsed() >= PAGE_EVERY;
        if due {
            shown.set(Instant::now());
        }
        save(store, &options.out, due).map(drop)
    };
    let bar = console.timed_progress(plan.len(), own);
    let listener = &mut measuring::listener(&bar, console);
    Process { number, plan: &plan, budget: options.budget(software) }
        .measure(own, &mut *lab, &mut store, &save, listener, &mut || true)
        .map_err(|error| measuring::reproducible(error, device))?;
    bar.finish_and_clear();
    Ok(())
}

/// Judges a report again, and rewrites its pages; a file has none.
fn judge(folder: &Path, console: &Console) -> anyhow::Result<()> {
    if !folder.is_dir() {
        return output::text_to_stdout(&reproduce::summary(&reproduce::page(&read(folder)?)));
    }
    let _held = hold(folder)?;
    let page = save(&read(&folder.join(JSON))?, folder, true)?;
    output::text_to_stdout(&reproduce::summary(&page))?;
    console.note(format!("report with figures: {}", folder.join(HTML).display()));
    Ok(())
}

impl ReproduceOptions {
    fn effort(&self) -> Effort {
        if self.quick { Effort::Quick } else { Effort::Full }
    }

    /// The time for all processes.
    fn budget(&self, software: bool) -> Duration {
        self.seconds.unwrap_or_else(|| self.effort().budget(software, self.peers))
    }

    /// The papers' keys, in the papers' order.
    fn keys(&self) -> Vec<&'static str> {
        let all = PAPERS.iter().map(|paper| paper.key);
        all.filter(|key| self.keys.is_empty() || self.keys.iter().any(|own| own == key)).collect()
    }
}

/// Locks the folder for this run.
///
/// Errors: another run is writing to it.
fn hold(folder: &Path) -> anyhow::Result<Lock> {
    let taken = lock::take(folder).with_context(|| format!("cannot lock {}", folder.display()))?;
    taken.with_context(|| {
        format!(
            "another run is writing to {}: wait until it ends, or choose another folder with --out",
            folder.display()
        )
    })
}

/// The least time to measure each peer: what has been started and verified is run often enough for an interval.
const LEAST: Duration = Duration::from_millis(300);

const JSON: &str = "report.json";
const HTML: &str = "report.html";

/// Time between two pages while cells are measured.
const PAGE_EVERY: Duration = Duration::from_secs(20);

/// Writes the rows to the folder, and with `pages` all else; each file as a whole. Returns the page.
fn save(store: &Store, folder: &Path, pages: bool) -> anyhow::Result<Page> {
    let page = if pages { reproduce::page(store) } else { Page::default() };
    let store = Store { claims: reproduce::claims(&page), ..store.clone() };
    if pages {
        for (name, text) in page::value_files(&page) {
            let path = folder.join(name);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)
                    .with_context(|| format!("cannot make {}", folder.display()))?;
            }
            output::write(&path, text.as_bytes())?;
        }
        output::write(&folder.join(SUMMARY_FILE), page::summary_page(&page).as_bytes())?;
        output::write(&folder.join(HTML), page::html(&page).as_bytes())?;
    }
    output::write(&folder.join(JSON), &output::json(&store)?)?;
    Ok(page)
}

/// Removes the values of figures that an earlier run of other papers has left in the folder.
fn forget_figures(folder: &Path, of_all: &Store) -> anyhow::Result<()> {
    for (name, _) in page::value_files(&reproduce::page(of_all)) {
        match std::fs::remove_file(folder.join(&name)) {
            Err(error) if error.kind() != ErrorKind::NotFound && error.kind() != ErrorKind::NotADirectory => {
                return Err(error).with_context(|| format!("cannot remove {name}"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The report in a folder, or the file itself.
fn file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(JSON) } else { path.to_owned() }
}

/// Reads a report.
///
/// Errors: there is none, or it is damaged, is another document, or is of another version.
fn read(path: &Path) -> anyhow::Result<Store> {
    let bytes = document::bytes_of(path).with_context(|| format!("cannot read {}", path.display()))?;
    reproduce::parse(&bytes).with_context(|| format!("cannot read {}", path.display()))
}

/// Reads the run in a folder, if there is one.
///
/// Errors: a file that is damaged, is another document, or is of a newer version.
fn find(folder: &Path) -> anyhow::Result<Option<Store>> {
    let path = folder.join(JSON);
    let bytes = match document::bytes_of(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let context =
        || format!("{} is in the way; delete it, or choose another folder with --out", path.display());
    reproduce::parse(&bytes).map(Some).with_context(context)
}
