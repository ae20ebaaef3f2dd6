//! `reproduce [KEY ...]`: each paper's claims, measured here as the paper did, with a verdict and the figures redrawn.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use clap::builder::PossibleValuesParser;

use rasterscan::Device;
use rasterscan_lab::host;
use rasterscan_lab::report::page;
use rasterscan_lab::reproduce::{self, Effort, PAPERS, Store};

use super::console::Console;
use super::device::DeviceOptions;
use super::exit::Usage;
use super::lock::{self, Lock};
use super::{called, document, measuring, output, stop};

/// Check the claims of the papers on this device, and redraw their figures
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ReproduceOptions {
    /// Papers, by their keys [default: all five]
    #[arg(value_name = "KEY", value_parser = PossibleValuesParser::new(PAPERS.map(|paper| paper.key)))]
    keys: Vec<String>,
    /// The folder for report.html and report.json
    #[arg(long, value_name = "DIR", default_value = "rasterscan-report")]
    out: PathBuf,
    /// Use shorter streams and less time: three minutes instead of thirty
    #[arg(long)]
    quick: bool,
    /// Total time to measure, in seconds [default: 1500, with --quick 140]
    #[arg(long, value_name = "S", value_parser = super::tune::seconds)]
    seconds: Option<Duration>,
    /// Continue the interrupted run in that folder
    #[arg(long, conflicts_with = "overwrite")]
    resume: bool,
    /// Start over, even if that folder holds an interrupted run
    #[arg(long)]
    overwrite: bool,
}

const EXAMPLES: &str = "\
Writes report.html, one page with all figures in it, and report.json. Both are
complete and valid from the first cell on; an interrupt keeps what was
measured, and --resume continues from there.

Verdicts: reproduced (at least 80% of the paper's effect), weaker (the same
direction, but less), not reproduced, not on this device, not measured.

Examples:
  rasterscan reproduce --quick
  rasterscan reproduce roger2007 sengupta2006 --out texture-era
  rasterscan reproduce --resume";

pub fn run(options: &ReproduceOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let effort = if options.quick { Effort::Quick } else { Effort::Full };
    let keys: Vec<&str> = match options.keys.as_slice() {
        [] => PAPERS.iter().map(|paper| paper.key).collect(),
        some => PAPERS.iter().map(|paper| paper.key).filter(|key| some.iter().any(|k| k == key)).collect(),
    };
    let mut held = match options.out.is_dir() {
        true => Some(hold(&options.out)?),
        false => None,
    };
    let old = find(&options.out)?;
    // With the built-in parameters, so that claims are checked the same way everywhere.
    let gpu = device.open_untuned()?;
    let machine = host::machine(gpu.device());
    let mut store = match old {
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
        _ => Store::new(machine, effort, &keys),
    };
    let make = || format!("cannot make {}", options.out.display());
    std::fs::create_dir_all(&options.out).with_context(make)?;
    if held.is_none() {
        held = Some(hold(&options.out)?);
    }
    for name in [JSON, HTML] {
        output::FileOutput::new(options.out.join(name))?;
    }
    let stop = stop::gracefully();
    console.note(store.machine.line());
    let mut lab = measuring::lab(&gpu);
    let plan = reproduce::plan(&keys, effort, gpu.device());
    let save = |store: &Store| save(store, &options.out, gpu.device());
    let budget = options.seconds.unwrap_or(effort.budget());
    let bar = console.timed_progress(plan.len(), reproduce::time_left(&plan, &store, budget));
    let listener = &mut measuring::listener(&bar, console);
    reproduce::measure(&plan, budget, &mut lab, &mut store, &save, listener, &mut || !stop.wanted())
        .map_err(|error| measuring::reproducible(error, device))?;
    bar.finish_and_clear();
    output::to_stdout(reproduce::summary(&store, gpu.device()).as_bytes())?;
    let html = options.out.join(HTML);
    console.note(format!("report with figures: {}", html.display()));
    if stop.wanted() {
        console.note(format!(
            "interrupted after {} of {} cells; `{} reproduce --resume` continues",
            store.cells.len(),
            plan.len(),
            called()
        ));
    }
    drop(held);
    stop.end();
    Ok(())
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

const JSON: &str = "report.json";
const HTML: &str = "report.html";

/// Writes both files to the folder, each as a whole.
fn save(store: &Store, folder: &Path, device: &Device) -> anyhow::Result<()> {
    let page = reproduce::page(store, device);
    let store = Store { claims: reproduce::claims(&page), ..store.clone() };
    output::write(&folder.join(JSON), &output::json(&store)?)?;
    Ok(output::write(&folder.join(HTML), page::html(&page).as_bytes())?)
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
