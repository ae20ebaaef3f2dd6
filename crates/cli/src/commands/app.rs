//! `app [PROBLEM] [INPUT]`: the visual app, in a window, or one frame of it as a picture.

mod files;
mod look;
mod plan;
mod progress;

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use clap::builder::PossibleValuesParser;
use rasterscan::tools::job::{Job, Pattern, Source, Wanted};
use rasterscan::tools::printable::printable_path;
use rasterscan::tools::problem;
use rasterscan::tools::registry::Era;
use rasterscan::{ElementType, Gpu, Unsupported};
use rasterscan_app::Theme;
use rasterscan_app::engine::{Engine, GpuEngine, KernelEngine};
use rasterscan_app::job::{Field, Wrong};
use rasterscan_app::link::{piece, spot, stage};
use rasterscan_app::window;
use rasterscan_app::window::offscreen::{Look, Pictures};
use rasterscan_gallery::Piece;
use rasterscan_lesson::tour::STOPS;
use rasterscan_picture::Spot;

use crate::cache::Cache;
use crate::console::Console;
use crate::device::DeviceOptions;
use crate::engine;
use crate::exit::Usage;
use crate::job::element;
use crate::options::AnyOptions;
use crate::output::FileOutput;
use look::LookOptions;

/// Watch an algorithm work, pass by pass, in a window
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct AppOptions {
    #[arg(value_name = "[PROBLEM] INPUT", num_args = 0..=2, help = format!(
        "A job: a problem ({}; by default the algorithm's), and the numbers: a file, random:n=16,max=9, values:3,1,7, or a pattern ({})",
        problem::ALL.map(|problem| problem.name).join(", "),
        Pattern::ALL.map(Pattern::name).join(", "),
    ))]
    words: Vec<OsString>,
    /// An algorithm from `list`, with parameters after a colon [default: the first that uses textures]
    #[arg(short, long, value_name = "ALGO")]
    algorithm: Option<String>,
    /// A second algorithm, shown beside the first on the same numbers
    #[arg(long, value_name = "ALGO")]
    beside: Option<String>,
    /// The type of the numbers [default: u32]
    #[arg(long, value_name = "TYPE", value_parser = element())]
    dtype: Option<ElementType>,
    #[command(flatten)]
    options: AnyOptions,
    /// Show a saved trace file; needs no GPU
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    trace: Option<PathBuf>,
    /// Start after this pass; 0 is before the first
    #[arg(long, value_name = "PASS", default_value_t = 0)]
    pass: usize,
    /// Show this stage of the pass's shared memory, or this moment of its tiles, from 1
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    stage: Option<usize>,
    /// Pin this texel of the pass, whose arrows then stay: target:0:5 is texel 5 of its first target, source:1:5 that of
    /// its second source
    #[arg(long, value_name = "TEXEL", value_parser = spot)]
    pin: Option<Spot>,
    /// Start the guided tour at this stop
    #[arg(
        long,
        value_name = "STOP",
        num_args = 0..=1,
        default_missing_value = "1",
        value_parser = clap::value_parser!(u64).range(1..=STOPS.len() as u64)
    )]
    tour: Option<u64>,
    /// Speak this language: `de` for German, or a catalogue as docs/lessons.md describes
    #[arg(long, value_name = "FILE")]
    language: Option<PathBuf>,
    /// Open a lesson: a .toml as docs/lessons.md describes, or `tour`, `gallery` or `puzzles` for those built in
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    lesson: Option<PathBuf>,
    /// Open a puzzle of the lesson, or one of those built in, in the editor
    #[arg(long, value_name = "NAME", conflicts_with = "trace")]
    puzzle: Option<String>,
    /// Open the page of this piece of the gallery
    #[arg(long, value_name = "PIECE", conflicts_with_all = ["trace", "lesson", "puzzle"], value_parser = piece)]
    gallery: Option<&'static Piece>,
    /// Draw one frame to a PNG file, without a window
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// The frame's width and height, in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size, requires = "screenshot")]
    size: [u32; 2],
    /// Pixels per point, 0.5 to 4
    #[arg(long, value_name = "SCALE", default_value_t = 1.0, value_parser = scale, requires = "screenshot")]
    scale: f32,
    /// Start in presentation mode: the picture and the narration alone, in large letters
    #[arg(long)]
    present: bool,
    /// Move nothing between passes; the variable REDUCED_MOTION does the same
    #[arg(long)]
    no_motion: bool,
    /// Light or dark [default: the system's]
    #[arg(long, value_name = "THEME", value_parser = PossibleValuesParser::new(["light", "dark"]))]
    theme: Option<String>,
    #[command(flatten)]
    look: LookOptions,
}

const EXAMPLES: &str = "\
Examples:
  rasterscan app
  rasterscan app --tour
  rasterscan app --puzzle horn
  rasterscan app --lesson scans.toml
  rasterscan app random:n=16,max=9 -a horn --beside hybrid:reduce=2
  rasterscan app compact photo.jpg -a points --keep '>=200'
  rasterscan app scan values:3,1,7,0,4,1,6,3 -a packed --pass 2
  rasterscan app reduce ramp:n=16 --op max
  rasterscan app sort random:n=16,max=99 --descending
  rasterscan app --trace run.json
  rasterscan app -a hybrid:reduce=2 --pass 3 --theme dark --screenshot pass-3.png";

pub fn run(options: &AppOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let plan = options.plan()?;
    let job = plan.job().cloned();
    let theme = options.theme.as_deref().map(|name| if name == "dark" { Theme::Dark } else { Theme::Light });
    let Some(file) = &options.screenshot else {
        if device.chosen && !device.cpu {
            bail!(Usage(
                "--device and --api need --screenshot: a window has its own device (cpu needs none)".into()
            ));
        }
        let (tuning, cpu) = (device.tuning, device.cpu);
        return Ok(window::open(theme, move |gpu| match cpu {
            true => plan.begin(Box::new(KernelEngine)),
            false => plan.begin(engine(gpu, tuning)),
        })?);
    };
    let output = FileOutput::new(file)?;
    let engine: Box<dyn Engine> = match engine::Engine::open(device, console)? {
        engine::Engine::Gl(gpu) => Box::new(GpuEngine(gpu)),
        engine::Engine::Kernels(_) => Box::new(KernelEngine),
    };
    let mut app = plan.begin(engine);
    if let Some(wrong) = app.wrong() {
        return Err(refused(wrong, job.as_ref()));
    }
    // A window shows the reason; a screenshot hides it.
    if let Some(reason) = app.instead() {
        console.note(format!("{reason}. Kernels in Rust run it instead."));
    }
    if options.tour.is_none() && options.pass > app.last() {
        bail!(Usage(format!("--pass {}: the last pass of this run is {}", options.pass, app.last())));
    }
    if let Some(stage) = options.stage.filter(|stage| *stage > app.stages()) {
        bail!(Usage(match app.stages() {
            0 => format!(
                "--stage {stage}: pass {} has no stages to show; try -a harris:block=16",
                options.pass
            ),
            last => format!("--stage {stage}: the last stage of pass {} is {last}", options.pass),
        }));
    }
    app.notes().iter().for_each(|note| console.note(note));
    let mut pictures = Pictures::headless_with(&device.headless())?;
    app.view.motion = false;
    let look = Look { size: options.size, scale: options.scale, theme: theme.unwrap_or(Theme::Dark) };
    let picture = pictures.draw(&look, |ui| app.ui(ui)).map_err(Unsupported::feature)?;
    output.write(&picture.png().map_err(anyhow::Error::msg)?)?;
    console.note(format!("picture written to {}", printable_path(file)));
    Ok(())
}

/// The engine for a window's context, with the tuning of its device.
fn engine(gpu: Result<Gpu, rasterscan::Error>, tuning: bool) -> Box<dyn Engine> {
    let tune = |gpu: Gpu| if tuning { Cache::from_environment().tune(gpu) } else { Ok(gpu) };
    match gpu.map_err(anyhow::Error::from).and_then(tune) {
        Ok(gpu) => Box::new(GpuEngine(gpu)),
        Err(error) => {
            tracing::warn!("{error:#}: kernels in Rust run instead (--device cpu)");
            Box::new(KernelEngine)
        }
    }
}

fn refused(wrong: &Wrong, job: Option<&Job>) -> anyhow::Error {
    let cpu = job.is_some_and(
        |job| matches!(&job.algorithm, Wanted::Algorithm(choice) if choice.card.era == Era::Cpu),
    );
    let of_file = job.is_some_and(|job| matches!(job.source, Source::File(_)));
    match wrong.field {
        Field::Run if cpu => Usage("sequential runs on the CPU: there are no passes to show".into()).into(),
        // A fault in a file is not a usage error.
        Field::Input if of_file => anyhow::Error::msg(wrong.message.clone()),
        Field::Option("mask") => anyhow::Error::msg(wrong.message.clone()),
        Field::Run => Unsupported::request(wrong.message.clone()).into(),
        Field::Input | Field::Option(_) | Field::Options => Usage(wrong.message.clone()).into(),
    }
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let expected = || "expected WIDTHxHEIGHT, each 16 to 8192".to_owned();
    let (width, height) = text.split_once('x').ok_or_else(expected)?;
    let side = |text: &str| text.parse().ok().filter(|side| (16..=8192).contains(side)).ok_or_else(expected);
    Ok([side(width)?, side(height)?])
}

fn scale(text: &str) -> Result<f32, String> {
    let scale = text.parse().ok().filter(|scale| (0.5..=4.0).contains(scale));
    scale.ok_or_else(|| "expected 0.5 to 4".into())
}
