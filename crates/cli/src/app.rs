//! `app [INPUT]`: the visual app, in a window, or one frame of it as a picture.

mod files;
mod look;
mod plan;

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use clap::builder::PossibleValuesParser;
use rasterscan::printable::printable_path;
use rasterscan::spec::{MAX_ORDER, MAX_TUPLE};
use rasterscan::{ElementType, Gpu, Moves, Operator, Unsupported};
use rasterscan_app::Theme;
use rasterscan_app::ask::{Field, MAX_SHOWN, Wrong};
use rasterscan_app::runner::{GpuRunner, NoGpu, Runner};
use rasterscan_app::window::offscreen::{Look, Pictures};
use rasterscan_app::window::{self, export};
use rasterscan_lesson::tour::STOPS;

use super::cache::Cache;
use super::call::{named, operator};
use super::console::Console;
use super::device::DeviceOptions;
use super::exit::Usage;
use super::output::Output;
use look::LookOptions;

/// Watch an algorithm work, pass by pass, in a window
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct AppOptions {
    /// A file (.npy .csv .txt .bin .png .jpg), random:n=16,seed=7,max=9, or a pattern: ramp:n=16, ones, alternating,
    /// spike, sorted, runs
    input: Option<OsString>,
    /// An algorithm of `list`, with parameters after a colon (hybrid:reduce=2) [default: horn]
    #[arg(short, long, value_name = "ALGO", conflicts_with = "trace")]
    algorithm: Option<String>,
    /// Another algorithm side by side with it
    #[arg(long, value_name = "ALGO", conflicts_with = "trace")]
    beside: Option<String>,
    /// A compaction, where both families have an algorithm of this name
    #[arg(long)]
    compact: bool,
    /// The numbers themselves, between spaces or commas
    #[arg(long, value_name = "NUMBERS", conflicts_with = "input", allow_hyphen_values = true)]
    values: Option<String>,
    /// Items that are made on the spot, 1 to 4096
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_SHOWN))]
    n: Option<u64>,
    /// The type of the numbers
    #[arg(long, value_name = "TYPE", value_parser = named(ElementType::ALL, ElementType::name))]
    dtype: Option<ElementType>,
    /// The operator of a scan; affine takes pairs a, b
    #[arg(long, value_name = "OP", value_parser = operator())]
    op: Option<Operator>,
    /// Leave the value itself out of its own result
    #[arg(long)]
    exclusive: bool,
    /// Scan this many times over, 1 to 16
    #[arg(long, value_name = "Q", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ORDER)))]
    order: Option<u32>,
    /// Scan this many interleaved streams, 1 to 16
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TUPLE)))]
    tuple: Option<u32>,
    /// What a compaction keeps: nonzero, or >T, >=T, <T, <=T, ==T, !=T, in quotes
    #[arg(long, value_name = "COND", conflicts_with = "mask")]
    keep: Option<String>,
    /// Keep the elements for which this is not zero: a file, random:keep=0.5, a pattern, or values:1,0,1
    #[arg(long, value_name = "MASK")]
    mask: Option<String>,
    /// What a compaction gives
    #[arg(long, value_name = "WHAT", value_parser = named([Moves::Values, Moves::Indices, Moves::Both], Moves::name))]
    moves: Option<Moves>,
    /// A saved trace, which needs no GPU
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    trace: Option<PathBuf>,
    /// Begin after this pass; 0 is before the first
    #[arg(long, value_name = "PASS", default_value_t = 0)]
    pass: usize,
    /// Begin with the guided tour, at this stop
    #[arg(
        long,
        value_name = "STOP",
        num_args = 0..=1,
        default_missing_value = "1",
        value_parser = clap::value_parser!(u64).range(1..=STOPS.len() as u64)
    )]
    tour: Option<u64>,
    /// Draw one frame into a PNG, without a window
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// The frame's width and height, in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size, requires = "screenshot")]
    size: [u32; 2],
    /// Pixels in a point, 0.5 to 4
    #[arg(long, value_name = "SCALE", default_value_t = 1.0, value_parser = scale, requires = "screenshot")]
    scale: f32,
    /// Light, dark, or as the system says
    #[arg(long, value_name = "THEME", value_parser = PossibleValuesParser::new(["light", "dark"]))]
    theme: Option<String>,
    #[command(flatten)]
    look: LookOptions,
}

const EXAMPLES: &str = "\
Examples:
  rasterscan app
  rasterscan app --tour
  rasterscan app random:n=16,max=9 -a horn --beside hybrid:reduce=2
  rasterscan app photo.jpg -a points --keep '>=200'
  rasterscan app --values '3 1 7 0 4 1 6 3' -a packed --pass 2
  rasterscan app --trace run.json
  rasterscan app -a hybrid:reduce=2 --pass 3 --theme dark --screenshot pass-3.png";

pub fn run(options: &AppOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let plan = options.plan()?;
    let theme = options.theme.as_deref().map(|name| if name == "dark" { Theme::Dark } else { Theme::Light });
    let Some(file) = &options.screenshot else {
        if device.chosen {
            bail!(Usage("--device and --api are for --screenshot: a window has a device of its own".into()));
        }
        let tuning = device.tuning;
        return Ok(window::open(theme, move |gpu| plan.begin(runner(gpu, tuning)))?);
    };
    Output::new(file)?;
    let runner: Box<dyn Runner> = match device.open() {
        Ok(gpu) => Box::new(GpuRunner(gpu)),
        Err(error) if options.trace.is_some() => Box::new(NoGpu(error.to_string())),
        Err(error) => return Err(error),
    };
    let mut app = plan.begin(runner);
    if let Some(wrong) = app.wrong() {
        return Err(refused(wrong, options));
    }
    // In a window that is said; who reads a file's name only would not know.
    if let Some(reason) = app.instead() {
        bail!(Unsupported(reason.to_owned()));
    }
    if options.tour.is_none() && options.pass > app.last() {
        bail!(Usage(format!("--pass {}: this run has {} passes", options.pass, app.last())));
    }
    app.notes().iter().for_each(|note| console.note(note));
    let mut pictures = Pictures::headless().map_err(rasterscan::Error::NoDevice)?;
    let look = Look { size: options.size, scale: options.scale, theme: theme.unwrap_or(Theme::Dark) };
    let picture = pictures.draw(&look, |ui| app.ui(ui)).map_err(Unsupported)?;
    export::png(&picture, file).map_err(anyhow::Error::msg)?;
    console.note(format!("{} written", printable_path(file)));
    Ok(())
}

/// Who runs algorithms in a window's context, with what was measured on its device.
fn runner(gpu: Result<Gpu, rasterscan::Error>, tuning: bool) -> Box<dyn Runner> {
    let tune = |gpu: Gpu| if tuning { Cache::from_environment().tune(gpu) } else { Ok(gpu) };
    match gpu.map_err(anyhow::Error::from).and_then(tune) {
        Ok(gpu) => Box::new(GpuRunner(gpu)),
        Err(error) => Box::new(NoGpu(error.to_string())),
    }
}

fn refused(wrong: &Wrong, options: &AppOptions) -> anyhow::Error {
    match wrong.field {
        Field::Run if options.algorithm.as_deref() == Some("sequential") => {
            Usage("sequential runs on the CPU: there are no passes to show".into()).into()
        }
        // What was typed on the command line, and not what a file holds.
        Field::Data if options.values.is_some() => Usage(wrong.message.clone()).into(),
        Field::Run => Unsupported(wrong.message.clone()).into(),
        Field::Data | Field::Mask => anyhow::Error::msg(wrong.message.clone()),
        _ => Usage(wrong.message.clone()).into(),
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
