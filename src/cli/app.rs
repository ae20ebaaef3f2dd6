//! `app [INPUT]`: the visual app, in a window, or one frame of it as a picture.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;

use rasterscan::app::ask::{Ask, Field, Keeping, Wrong};
use rasterscan::app::data::{Data, Load, Loaded};
use rasterscan::app::runner::{GpuRunner, NoGpu, Runner};
use rasterscan::app::window::offscreen::{Look, Pictures};
use rasterscan::app::window::{self, export};
use rasterscan::app::{App, Theme};
use rasterscan::registry::{Choice, Family};
use rasterscan::spec::{MAX_ORDER, MAX_TUPLE};
use rasterscan::trace::Values;
use rasterscan::{ElementType, Moves, Operator, ScanKind, Unsupported};

use super::call::named;
use super::console::Console;
use super::device::DeviceOptions;
use super::exit::Usage;
use super::input::{Input, ReadOptions};
use super::numbers::each;

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
    #[arg(long, value_name = "N")]
    n: Option<u64>,
    /// The type of the numbers
    #[arg(long, value_name = "TYPE", value_parser = named(ElementType::ALL, ElementType::name))]
    dtype: Option<ElementType>,
    /// The operator of a scan; affine takes pairs a, b
    #[arg(long, value_name = "OP", value_parser = named(Operator::ALL, Operator::name))]
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
    #[arg(long, value_name = "STOP", num_args = 0..=1, default_missing_value = "1")]
    tour: Option<usize>,
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
}

const EXAMPLES: &str = "\
Examples:
  rasterscan app
  rasterscan app --tour
  rasterscan app random:n=16 -a horn --beside hybrid:reduce=2
  rasterscan app photo.jpg -a points --keep '>=200'
  rasterscan app --values '3 1 7 0 4 1 6 3' -a packed --pass 2
  rasterscan app --trace run.json
  rasterscan app -a hybrid --pass 3 --theme dark --screenshot pass-3.png";

pub fn run(options: &AppOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let plan = options.plan()?;
    let theme = options.theme.as_deref().map(|name| if name == "dark" { Theme::Dark } else { Theme::Light });
    let Some(file) = &options.screenshot else {
        return Ok(window::open(theme, move |runner| plan.begin(runner))?);
    };
    let runner: Box<dyn Runner> = match device.open() {
        Ok(gpu) => Box::new(GpuRunner(gpu)),
        Err(error) if options.trace.is_some() => Box::new(NoGpu(error.to_string())),
        Err(error) => return Err(error),
    };
    let mut app = plan.begin(runner);
    if let Some(wrong) = app.wrong() {
        return Err(refused(wrong));
    }
    // In a window that is said; who reads a file's name only would not know.
    if let Some(reason) = app.instead() {
        bail!(Unsupported(reason.to_owned()));
    }
    let mut pictures = Pictures::headless().map_err(rasterscan::Error::NoDevice)?;
    let look = Look { size: options.size, scale: options.scale, theme: theme.unwrap_or(Theme::Dark) };
    let picture = pictures.draw(&look, |ui| app.ui(ui)).map_err(Unsupported)?;
    export::png(&picture, file).map_err(anyhow::Error::msg)?;
    console.note(format!("{} written", file.display()));
    Ok(())
}

fn refused(wrong: &Wrong) -> anyhow::Error {
    match wrong.field {
        Field::Run => Unsupported(wrong.message.clone()).into(),
        Field::Data | Field::Mask => anyhow::Error::msg(wrong.message.clone()),
        _ => Usage(wrong.message.clone()).into(),
    }
}

/// All that the app begins with.
struct Plan {
    ask: Ask,
    beside: Option<Ask>,
    trace: Option<(rasterscan::trace::Recording, PathBuf)>,
    pass: usize,
    tour: Option<usize>,
}

impl Plan {
    fn begin(self, runner: Box<dyn Runner>) -> App {
        let mut app = App::new(runner).with_files(files());
        match self.trace {
            Some((recording, file)) => app.show(recording, file),
            None => app.ask(self.ask),
        }
        if self.beside.is_some() {
            app.ask_beside(self.beside);
        }
        app.go(self.pass);
        if let Some(stop) = self.tour {
            app.tour.open = true;
            app.tour.stop = stop.saturating_sub(1);
        }
        app
    }
}

impl AppOptions {
    fn plan(&self) -> anyhow::Result<Plan> {
        let trace = match &self.trace {
            Some(file) => {
                Some((rasterscan::app::load_trace(file).map_err(anyhow::Error::msg)?, file.clone()))
            }
            None => None,
        };
        let ask = self.ask()?;
        let beside = match &self.beside {
            Some(algorithm) => {
                Choice::parse(ask.family, algorithm)?;
                Some(Ask { algorithm: algorithm.clone(), ..ask.clone() })
            }
            None => None,
        };
        Ok(Plan { ask, beside, trace, pass: self.pass, tour: self.tour })
    }

    fn ask(&self) -> anyhow::Result<Ask> {
        let family = self.family();
        let algorithm = self.algorithm.clone().unwrap_or("horn".into());
        Choice::parse(family, &algorithm)?;
        let mut ask = match family {
            Family::Scan => Ask::scan(algorithm),
            Family::Compact => Ask::compact(algorithm),
        };
        ask.operator = self.op.unwrap_or(ask.operator);
        ask.kind = if self.exclusive { ScanKind::Exclusive } else { ScanKind::Inclusive };
        ask.order = self.order.unwrap_or(ask.order);
        ask.tuple = self.tuple.unwrap_or(ask.tuple);
        ask.element = self.dtype.unwrap_or(ask.element);
        ask.moves = self.moves.unwrap_or(ask.moves);
        if let Some(text) = &self.values {
            ask.data = Data::Typed(text.clone());
        }
        if let Some(input) = &self.input {
            let (data, len) = data(input)?;
            ask.data = data;
            // INPUT counts elements, of which an item of affine has two.
            ask.n = len.map_or(ask.n, |len| len / u64::from(ask.arity()));
        }
        ask.n = self.n.unwrap_or(ask.n);
        if let Some(keep) = &self.keep {
            ask.keep = Keeping::Condition(keep.clone());
        }
        if let Some(mask) = &self.mask {
            ask.keep = Keeping::Mask(match mask.strip_prefix("values:") {
                Some(text) => Data::Typed(text.into()),
                None => data(&OsString::from(mask))?.0,
            });
        }
        Ok(ask)
    }

    /// Which of the families has the algorithm: that of the options that only one of them has.
    fn family(&self) -> Family {
        if self.compact || self.keep.is_some() || self.mask.is_some() || self.moves.is_some() {
            return Family::Compact;
        }
        let algorithm = self.algorithm.as_deref().unwrap_or("horn");
        let scan = Choice::parse(Family::Scan, algorithm).is_ok();
        let compact = Choice::parse(Family::Compact, algorithm).is_ok();
        if compact && !scan { Family::Compact } else { Family::Scan }
    }
}

fn data(input: &OsString) -> anyhow::Result<(Data, Option<u64>)> {
    let text = input.to_str().unwrap_or_default();
    if let Some(made) = Data::parse(text).map_err(Usage)? {
        return Ok(made);
    }
    if text == "-" {
        bail!(Usage("the app reads no standard input: give a file, or --values".into()));
    }
    let path = PathBuf::from(input);
    std::fs::metadata(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok((Data::File(path), None))
}

/// Reads files for the app as the other commands do; images that are too large are shrunk.
fn files() -> Load {
    Box::new(|path, element, most| load(path, element, most).map_err(|error| format!("{error:#}")))
}

fn load(path: &Path, element: ElementType, most: u64) -> anyhow::Result<Loaded> {
    if let Some(loaded) = shrunk(path, element, most)? {
        return Ok(loaded);
    }
    let input = Input::parse(path.as_os_str(), Family::Scan)?;
    let data = input.read(&ReadOptions { element: Some(element), channels: false })?;
    Ok(Loaded { values: each!(&data.numbers, values => Values::of(values)), note: data.note })
}

/// An image of more pixels than can be shown, made smaller.
fn shrunk(path: &Path, element: ElementType, most: u64) -> anyhow::Result<Option<Loaded>> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !["png", "jpg", "jpeg"].contains(&ending.as_str()) {
        return Ok(None);
    }
    let cannot = || format!("cannot read {}", path.display());
    let image = image::open(path).with_context(cannot)?;
    if u64::from(image.width()) * u64::from(image.height()) <= most {
        return Ok(None);
    }
    let side = most.isqrt() as u32;
    let small = image.thumbnail(side, side).to_luma8();
    let text = small.pixels().map(|pixel| pixel.0[0].to_string()).collect::<Vec<_>>().join(" ");
    let values = Values::parse(element, &text)?;
    let (from, to) = ((image.width(), image.height()), small.dimensions());
    let note = format!("its {} × {} pixels are shrunk to {} × {}", from.0, from.1, to.0, to.1);
    Ok(Some(Loaded { values, note: Some(note) }))
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
