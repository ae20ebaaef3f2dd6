//! `info`: the GL device, its limits, and what it can and cannot run.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use rasterscan::device::Compute;
use rasterscan::plan::Lanes;
use rasterscan::tools::limits::MAX_LEN;
use rasterscan::tools::printable::printable;
use rasterscan::tools::problem;
use rasterscan::tools::registry::{self, Card};
use rasterscan::{Device, ElementType, Gpu, HeadlessOptions, gl::DeviceChoice};

use crate::cache::{Cache, CacheEntry as Kept};
use crate::console::called;
use crate::device::DeviceOptions;
use crate::document::Gl;
use crate::output;
use rasterscan_drawing::number::grouped;
use rasterscan_lab::table;

/// The use of compute shaders, or the system that has none on any machine.
const COMPUTE: &str = if cfg!(target_vendor = "apple") {
    "macOS ends at OpenGL 4.1: the texture era runs, the compute era does not"
} else {
    "needed by the compute era's algorithms"
};

/// Show the GL device, its limits, and what it can and cannot run
#[derive(Debug, Args)]
pub struct InfoOptions {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub fn run(options: &InfoOptions, device: &DeviceOptions) -> anyhow::Result<()> {
    let gpu = device.open()?;
    let document = InfoDocument {
        schema: "rasterscan.info/1",
        gl: Gl::of(gpu.device()),
        device: Facts::of(gpu.device()),
        tuning: TuningFacts::of(device, gpu.device()),
        devices: devices(device),
        algorithms: registry::all().map(|card| Limit::of(card, gpu.device())).collect(),
    };
    if options.json {
        return output::json_to_stdout(&document);
    }
    output::text_to_stdout(&document.text())
}

#[derive(Debug, Serialize)]
struct InfoDocument {
    schema: &'static str,
    gl: Gl,
    device: Facts,
    tuning: TuningFacts,
    /// Every device of the machine, by the number that `--device` takes.
    devices: Vec<FoundDriver>,
    algorithms: Vec<Limit>,
}

#[derive(Debug, Serialize)]
struct Facts {
    level: String,
    vendor: String,
    software: bool,
    max_texture_size: u32,
    /// The most bytes of a texture; `null` if there is no such limit, or the driver cannot be asked.
    max_texture_bytes: Option<u64>,
    float_targets: bool,
    timer_queries: bool,
    compute: bool,
    /// `null` if there are no compute shaders.
    compute_limits: Option<ComputeLimits>,
    geometry: bool,
    /// True if lines cover the right pixels, according to a self-test.
    exact_lines: bool,
    /// The most vertices of a draw that are numbered correctly, according to a self-test; `null` if all are.
    exact_vertices: Option<u32>,
}

impl Facts {
    fn of(device: &Device) -> Facts {
        Facts {
            level: device.level(),
            vendor: device.vendor.clone(),
            software: device.software,
            max_texture_size: device.max_texture_size,
            max_texture_bytes: Some(device.max_texture_bytes).filter(|most| *most < u64::MAX),
            float_targets: device.float_targets,
            timer_queries: device.timer_queries,
            compute: device.compute.is_some(),
            compute_limits: device.compute.as_ref().map(|compute| ComputeLimits::of(compute, device)),
            geometry: device.geometry,
            exact_lines: device.exact_lines,
            exact_vertices: Some(device.exact_vertices).filter(|most| *most < u32::MAX),
        }
    }
}

/// The limits of compute shaders.
#[derive(Debug, Serialize)]
struct ComputeLimits {
    /// Bytes of a buffer that a pass can bind, and the number of buffers.
    max_binding: u64,
    max_bindings: u32,
    /// Bytes in a work group.
    max_shared_memory: u32,
    /// Invocations in a work group.
    max_invocations: u32,
    /// Invocations in a subgroup, and in a warp of NVIDIA's older extensions; `null` if there are none.
    subgroup: Option<u32>,
    warp: Option<u32>,
    /// The meaning of `lanes=auto`.
    lanes: &'static str,
}

impl ComputeLimits {
    fn of(compute: &Compute, device: &Device) -> ComputeLimits {
        ComputeLimits {
            max_binding: compute.max_binding,
            max_bindings: compute.max_bindings,
            max_shared_memory: compute.max_shared_memory,
            max_invocations: compute.max_invocations,
            subgroup: Some(compute.subgroup).filter(|lanes| *lanes > 0),
            warp: Some(compute.warp).filter(|lanes| *lanes > 0),
            lanes: Lanes::best(device).name(),
        }
    }

    fn rows(&self) -> [(&'static str, String); 3] {
        let binding = grouped(self.max_binding);
        let [group, shared] = [self.max_invocations, self.max_shared_memory].map(|most| grouped(most.into()));
        let lanes = match (self.subgroup, self.warp) {
            (Some(lanes), _) => format!("of {lanes} invocations"),
            (None, Some(lanes)) => format!("none, but warps of {lanes} invocations"),
            (None, None) => "none".into(),
        };
        [
            ("storage bindings", format!("{binding} bytes per buffer, {} buffers", self.max_bindings)),
            ("work groups", format!("up to {group} invocations, with {shared} bytes of shared memory")),
            ("subgroups", format!("{lanes}; lanes=auto means lanes={}", self.lanes)),
        ]
    }
}

/// The tuning of this device.
#[derive(Debug, Serialize)]
struct TuningFacts {
    /// True if the tuning is used.
    used: bool,
    /// The path of its file, even if there is none yet; `null` if there is no place for it.
    file: Option<String>,
    /// The reason why it is not used.
    reason: Option<String>,
}

impl TuningFacts {
    fn of(options: &DeviceOptions, device: &Device) -> TuningFacts {
        let path = |path: PathBuf| Some(path.display().to_string());
        let (file, reason) = match Cache::from_environment().find(device) {
            Kept::Tuning(file, _) if options.tuning => (path(file), None),
            Kept::Tuning(file, _) => (path(file), Some("--no-tuning ignores it".into())),
            Kept::Nothing(file) => {
                (path(file), Some(format!("`{} tune` has not run on this device", called())))
            }
            Kept::Unusable(file, reason) => (path(file), Some(reason)),
            Kept::NoCache(reason) => (None, Some(reason)),
        };
        TuningFacts { used: reason.is_none(), file, reason }
    }

    fn text(&self) -> String {
        let state = match &self.reason {
            None => "yes".into(),
            Some(reason) => format!("no: {reason}"),
        };
        self.file.iter().fold(state, |state, file| format!("{state}\n{}", printable(file)))
    }
}

#[derive(Debug, Serialize)]
struct FoundDriver {
    number: usize,
    renderer: Option<String>,
    reason: Option<String>,
}

/// Opens every device once, to learn its name.
fn devices(options: &DeviceOptions) -> Vec<FoundDriver> {
    let found = |number| {
        let device = DeviceChoice::Index(number);
        let opened = Gpu::headless_with(&HeadlessOptions { device, ..options.headless() });
        match opened {
            Ok(gpu) => FoundDriver { number, renderer: Some(gpu.device().renderer.clone()), reason: None },
            Err(error) => FoundDriver { number, renderer: None, reason: Some(error.to_string()) },
        }
    };
    (0..Gpu::device_count().unwrap_or(0)).map(found).collect()
}

/// The longest stream of u32 that an algorithm can process on this device.
#[derive(Debug, Serialize)]
struct Limit {
    name: &'static str,
    family: &'static str,
    /// 0 if the algorithm cannot run; then `reason` says why.
    longest: u64,
    reason: Option<String>,
}

impl Limit {
    fn of(card: &'static Card, device: &Device) -> Limit {
        let choice = card.with_defaults();
        let plan = |n| choice.plan(card.problem.plain(ElementType::U32, n)?, device);
        let limit = |longest, reason| Limit { name: card.name, family: card.problem.name, longest, reason };
        if let Err(error) = plan(1) {
            return limit(0, Some(error.to_string()));
        }
        // Plans are cheap: the limit is found by halving.
        let (mut fits, mut fails) = (1, MAX_LEN + 1);
        while fits + 1 < fails {
            let n = fits.midpoint(fails);
            if plan(n).is_ok() { fits = n } else { fails = n }
        }
        limit(fits, None)
    }
}

impl InfoDocument {
    fn text(&self) -> String {
        let facts = &self.device;
        let kind = if facts.software { "software" } else { "hardware" };
        let yes = |has: bool, meaning: &str| format!("{}; {meaning}", if has { "yes" } else { "no" });
        let size = grouped(facts.max_texture_size.into());
        let bytes = facts.max_texture_bytes;
        let bytes = bytes.map_or(String::new(), |most| format!(", and {} bytes", grouped(most)));
        let clock = match facts.timer_queries {
            true => "yes; times are the GPU's own",
            false => "none that can be trusted; times are wall time until all work is done",
        };
        let floats = match facts.float_targets {
            true => "yes; f32 can be scanned and kept",
            false => "no; f32 can be neither scanned nor kept",
        };
        let titles = problem::ALL.map(|problem| (problem.name, format!("runs {}s", problem.noun)));
        let mut rows: Vec<(&str, String)> = vec![
            ("device", format!("{} ({kind})", self.gl.renderer)),
            ("vendor", facts.vendor.clone()),
            ("API", format!("{}; {}", facts.level, self.gl.version)),
            ("largest texture", format!("{size} x {size} texels{bytes}")),
            ("float targets", floats.into()),
            ("timer queries", clock.into()),
            ("exact lines", yes(facts.exact_lines, "blocks draws lines if they are exact, else rectangles")),
            ("geometry shaders", yes(facts.geometry, "needed by geometry and blocks:wrap=geometry")),
            ("compute shaders", yes(facts.compute, COMPUTE)),
        ];
        if let Some(most) = facts.exact_vertices {
            let most = grouped(most.into());
            rows.push((
                "numbered vertices",
                format!("{most} per draw; longer draws of points and lines are wrong"),
            ));
        }
        rows.extend(facts.compute_limits.iter().flat_map(|limits| limits.rows()));
        rows.push(("tuned", self.tuning.text()));
        for found in &self.devices {
            let name = found.renderer.clone().or(found.reason.clone()).unwrap_or_default();
            rows.push(("all devices", format!("--device {}: {name}", found.number)));
        }
        for (name, title) in &titles {
            let own = self.algorithms.iter().filter(|limit| limit.family == *name);
            rows.extend(own.map(|limit| (title.as_str(), limit.text())));
        }
        let mut text = table::plain();
        let mut last = "";
        for (name, value) in rows {
            // A repeated name is printed once.
            text.add_row(vec![if name == last { "" } else { name }, &value]);
            last = name;
        }
        table::render(text)
    }
}

impl Limit {
    fn text(&self) -> String {
        match &self.reason {
            Some(reason) => format!("{:<16} no: {reason}", self.name),
            None => format!("{:<16} up to {:>13} u32", self.name, grouped(self.longest)),
        }
    }
}
