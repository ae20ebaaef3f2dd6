//! `gallery`: what scans are for. Runs a piece of the gallery, which checks itself, and draws its picture.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use rasterscan::tools::printable::{printable, printable_path};
use rasterscan::tools::registry;
use rasterscan_drawing::pixels;
use rasterscan_gallery::{ALL, Fact, GalleryError, Piece, named};
use rasterscan_lab::table;

use crate::console::{Console, called};
use crate::device::DeviceOptions;
use crate::document::Gl;
use crate::exit::{Failed, Usage};
use crate::output;

/// Pixels in a point of a picture.
const SCALE: f32 = 2.0;

/// Run a small program that shows what scans, compactions and sorts are for; without a name, list them
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct GalleryOptions {
    /// The piece
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Write its picture to a file: .png
    #[arg(short, long, value_name = "FILE", requires = "name")]
    out: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Each piece checks its result on the CPU; exit code 3 if it is wrong.

Examples:
  rasterscan gallery
  rasterscan gallery lexer -o lexer.png
  rasterscan gallery lexer --json --api gl3.3";

pub fn run(options: &GalleryOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let Some(name) = &options.name else { return list(options.json) };
    let piece = named(name).ok_or_else(|| {
        let hint = registry::hint(name, ALL.into_iter().map(|piece| piece.name));
        Usage(format!("there is no piece '{}' in the gallery; {hint}", printable(name)))
    })?;
    let out = options.out.as_deref().map(|path| output::with_ending(path, &["png"])).transpose()?;
    let gpu = device.open()?;
    let exhibit = (piece.run)(&gpu).map_err(|error| match error {
        GalleryError::Run(error) => error.into(),
        GalleryError::Wrong(_) => Failed(format!("{}: {error}", piece.name)).into(),
        error => anyhow::Error::from(error),
    })?;
    if let Some(out) = out {
        out.write(&pixels::paint(&exhibit.picture, SCALE)?.png()?)?;
        console.note(format!("the picture: {}", printable_path(out.path())));
    }
    if options.json {
        let gl = Gl::of(gpu.device());
        let facts = &exhibit.facts;
        return output::json_to_stdout(&PieceDocument { schema: "rasterscan.gallery/1", gl, piece, facts });
    }
    let mut facts = table::plain();
    for fact in &exhibit.facts {
        facts.add_row(vec![fact.name.to_owned(), fact.value.to_string()]);
    }
    output::text_to_stdout(&format!("{}\n{}", card(piece), table::render(facts)))?;
    console.note(format!("checked on the CPU, on {}", gpu.device()));
    Ok(())
}

fn list(json: bool) -> anyhow::Result<()> {
    match json {
        true => output::json_to_stdout(&ListDocument { schema: "rasterscan.gallery-list/1", pieces: &ALL }),
        false => output::text_to_stdout(&ALL.map(card).join("\n")),
    }
}

/// A piece as text: the name in the first column, the rest beside it.
fn card(piece: &Piece) -> String {
    let mut card = table::plain();
    let text = format!(
        "{}\n{}\n{}\nthis step in the app: {} app {}\nsource: {}",
        piece.title,
        piece.shows,
        piece.step,
        called(),
        piece.job,
        piece.sources.join(", ")
    );
    card.add_row(vec![format!("{:<16}", piece.name), text]);
    table::render(card)
}

#[derive(Debug, Serialize)]
struct PieceDocument<'a> {
    schema: &'static str,
    gl: Gl,
    #[serde(flatten)]
    piece: &'a Piece,
    facts: &'a [Fact],
}

#[derive(Debug, Serialize)]
struct ListDocument<'a> {
    schema: &'static str,
    pieces: &'a [&'static Piece],
}
