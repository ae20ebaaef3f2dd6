//! Comparing and checking algorithms on the visitor's device, by the protocol of the lab. Runs in a worker, which may
//! wait.

use std::time::Duration;

use js_sys::Function;
use rasterscan::tools::clock::Instant;
use rasterscan::tools::conformance;
use rasterscan::tools::copy::TextureCopy;
use rasterscan::tools::problem::{self, COMPACT};
use rasterscan::tools::registry::{self, Era};
use rasterscan::{Gpu, tools::Problem};
use rasterscan_lab::case::Case;
use rasterscan_lab::cell::{Cell, set_ratios};
use rasterscan_lab::compare::{self, CompareDocument, figure, text};
use rasterscan_lab::contender::Contender;
use rasterscan_lab::document::Gl;
use rasterscan_lab::gpu::GpuLab;
use rasterscan_lab::machine::Machine;
use rasterscan_lab::progress::Progress;
use rasterscan_lab::selftest::SelftestReport;
use serde_json::json;
use wasm_bindgen::JsValue;

/// Checks cases of conformance for so many seconds. `told` is called with each step as a text. Returns JSON: `document`,
/// as `selftest --json` writes it, and `table`.
///
/// Errors: as text.
pub fn check(seconds: f64, host: Host, told: &Function) -> Result<String, String> {
    let gpu = Gpu::headless().map_err(|error| error.to_string())?;
    let jobs = conformance::jobs();
    let mut report = SelftestReport::new(machine(&gpu, host), jobs.len());
    let start = Instant::now();
    for (number, job) in jobs.iter().enumerate() {
        if start.elapsed().as_secs_f64() > seconds && number > 0 {
            break;
        }
        let _ = told.call1(&JsValue::NULL, &format!("case {number} of {}: {job}", jobs.len()).into());
        let verdict = conformance::check(&gpu, job);
        report.add(job, verdict, || format!("rasterscan {job}"));
    }
    Ok(json!({ "document": report, "table": report.text() }).to_string())
}

/// Facts about the machine, from the browser.
pub struct Host {
    /// Its cores.
    pub cores: usize,
    /// The browser and the system.
    pub system: String,
    /// The date, in UTC.
    pub date: String,
}

fn machine(gpu: &Gpu, host: Host) -> Machine {
    let device = gpu.device();
    let Gl { renderer, version, api } = Gl::of(device);
    Machine {
        renderer,
        version,
        api,
        software: device.software,
        processors: None,
        memory: None,
        clocks: None,
        cpu: "not told by the browser".into(),
        cores: host.cores,
        cpu_mhz: None,
        load: None,
        system: host.system,
        program: env!("CARGO_PKG_VERSION").into(),
        date: host.date,
    }
}

/// The baselines, and all algorithms that the device runs.
fn contenders(problem: &'static Problem, gpu: &Gpu) -> Vec<Contender> {
    let able = registry::of(problem)
        .filter(|card| card.era != Era::Cpu && card.supported(gpu.device()).is_ok())
        .filter_map(|card| Contender::parse(problem, card.name).ok());
    [Contender::CopyTexture(TextureCopy::default())]
        .into_iter()
        .chain(Contender::parse(problem, "cpu:sequential").ok())
        .chain(able)
        .collect()
}

/// Compares all algorithms of a problem at lengths of `sizes`, powers of two, in about `seconds`. `told` is called with
/// each step as a text. Returns JSON: `document`, which `compare --against` reads, `svg`, and `table`.
///
/// Errors: as text.
pub fn run(name: &str, sizes: &[u32], seconds: f64, host: Host, told: &Function) -> Result<String, String> {
    let words = |error: &dyn std::error::Error| error.to_string();
    let problem = problem::named(name).ok_or_else(|| format!("there is no problem {name}"))?;
    let gpu = Gpu::headless().map_err(|error| words(&error))?;
    let contenders = contenders(problem, &gpu);
    let case = |log2: &u32| match *problem == *COMPACT {
        true => Case::compact(1 << log2, 0.6),
        false => Case::new(problem, 1 << log2),
    };
    let cell = |log2| Cell { case: case(log2), contenders: contenders.clone(), phases: false, repeats: 0 };
    let cells: Vec<Cell> = sizes.iter().map(cell).collect();
    let seconds = Duration::from_secs_f64(seconds);
    let mut comparison = CompareDocument::new(machine(&gpu, host), "copy:texture", seconds);
    let mut listener = |step: Progress<'_>| {
        let text = match step {
            Progress::Begins { number, of, cell } => format!("{cell} ({} of {of})", number + 1),
            Progress::Note(note) => note,
            Progress::Measured { .. } => return,
        };
        let _ = told.call1(&JsValue::NULL, &text.into());
    };
    let mut lab = GpuLab::new(&gpu);
    let measured = compare::measure(&cells, &mut lab, seconds, &mut comparison, &mut listener, &mut || true);
    set_ratios(&mut comparison.rows, "copy:texture");
    measured.map_err(|error| words(&error))?;
    let report = json!({
        "document": comparison, "svg": figure::figure(&comparison).svg(), "table": text::text(&comparison),
    });
    Ok(report.to_string())
}
