//! `demo`: every scan, compaction and sort on a real image, each result read back and checked.

mod before_after;
mod picture;
mod round;

use std::cell::RefCell;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use image::GrayImage;
use serde::Serialize;

use rasterscan::tools::Numbers;
use rasterscan::tools::printable::printable_path;
use rasterscan_lab::measure::Yardstick;

use crate::console::Console;
use crate::console::called;
use crate::device::DeviceOptions;
use crate::document::Gl;
use crate::engine::Engine;
use crate::outcome;
use crate::output::{self, OutputFolder};
use rasterscan_drawing::number::grouped;
use rasterscan_files::{ByteSource, Format};
use rasterscan_lab::table::MARKED;
use round::{DemoRound, DemoRow, DemoStage};

/// NASA, ESA: the Hubble eXtreme Deep Field (news release 2012-37), public domain.
const IMAGE: &[u8] = include_bytes!("../../assets/hubble_deep_field.jpg");

/// The image's name in jobs.
const NAME: &str = "hubble_deep_field.jpg";

/// The least luma of a bright pixel; darker ones are sky and noise.
const BRIGHT: u32 = 32;

/// Compactions that run beside those of the registry, with their fastest parameters.
const FASTEST: &[&str] = &["blocks:inner=packed,search=for,ends=fetched"];

/// The files of `--out`.
const FILES: [&str; 8] =
    ["input.png", "scan.png", "scan.npy", "compact.png", "compact.npy", "sort.png", "sort.npy", "demo.json"];

/// Run every scan, compaction and sort on a bundled image of deep space and check each (the default without a command)
#[derive(Debug, Default, Args)]
pub struct DemoOptions {
    /// Also write input.png, demo.json, and a picture and a .npy file of each problem's result to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(options: &DemoOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let out = options.out.as_ref().map(|out| OutputFolder::new(out, &FILES)).transpose()?;
    let engine = Engine::open(device, console)?;
    let image = rasterscan_files::picture::read(&mut ByteSource::in_memory(IMAGE), Format::Jpeg, false);
    let image = image.context("the bundled image")?.into_luma8();
    let values: Vec<u32> = image.as_raw().iter().map(|luma| u32::from(*luma)).collect();
    let pixels = grouped(values.len() as u64);
    console.note(format!(
        "Every scan, on the {pixels} luma values ({} x {}) of the Hubble eXtreme Deep\n\
         Field: each computes their prefix sums, on {}.\n\
         First the CPU's (one loop, and all cores), then those that draw, then those that use\n\
         compute shaders. {}.\n",
        image.width(),
        image.height(),
        engine.place(),
        match engine {
            Engine::Gl(_) => {
                "Times are those of runs alone, without bringing the pixels to the\ndevice and back"
            }
            Engine::Kernels(_) => "Only the CPU's are timed",
        }
    ));
    let numbers = Numbers::of(&values);
    let yardstick = engine.gpu().map(Yardstick::new).transpose()?.map(RefCell::new);
    let yardstick = yardstick.as_ref();
    let stage = DemoStage { engine: &engine, values: &numbers, device, console, yardstick };
    let scans = DemoRound::run(&stage, &["scan", NAME], &[])?;
    let bright = format!(">={BRIGHT}");
    let compactions = DemoRound::run(&stage, &["compact", NAME, "--keep", &bright], FASTEST)?;
    let sorts = DemoRound::run(&stage, &["sort", NAME, "--bits", "0..8", "--moves", "both"], &[])?;

    // Before the tables are printed, so that a closed stdout does not lose the files.
    let written = out.as_ref().map(|out| {
        let mut files = files_of(&image, &scans, &compactions, &sorts)?;
        let document = DemoDocument::new(&engine, &image, [&scans, &compactions, &sorts]);
        files.push(("demo.json", output::json(&document)?));
        out.write(&files)?;
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        Ok::<_, anyhow::Error>(format!(
            "\nWrote {} to {}.\n\
             In scan.png each galaxy casts a trail: all later sums of its row contain it.\n\
             In compact.png each bright pixel has the colour of its row: packing keeps their order.\n\
             In sort.png each shade goes through the colours of all rows: equal pixels keep their order.",
            names.join(", "),
            printable_path(out.path())
        ))
    });
    let written = written.transpose()?;

    output::text_to_stdout(&scans.table())?;
    let kept = values.iter().filter(|luma| **luma >= BRIGHT).count();
    let share = 100.0 * kept as f64 / values.len() as f64;
    let kept = grouped(kept as u64);
    console.note(format!(
        "\nEvery compaction, on the same values: each keeps the {kept} pixels ({share:.1}%) of luma {BRIGHT}\n\
         or more, in order. Texels and words are counted as if all were kept; compute shaders\n\
         have no texels."
    ));
    output::text_to_stdout(&format!("\n{}", compactions.table()))?;
    console.note(format!(
        "\nEvery sort, by the 8 bits of the same values: each returns the {pixels} pixels from dark to\n\
         bright, and where each was; equal ones stay in order."
    ));
    output::text_to_stdout(&format!("\n{}", sorts.table()))?;
    let rounds = [scans, compactions, sorts];
    if rounds.iter().any(DemoRound::is_marked) {
        console.note(format!("\n{}", MARKED.trim_end()));
    }
    if let Some(written) = written {
        console.note(written);
    }
    let ran: usize = rounds.iter().map(DemoRound::checked).sum();
    let failures: Vec<_> = rounds.into_iter().flat_map(|round| round.failures).collect();
    if !failures.is_empty() {
        let tried = ran + failures.len();
        return outcome::none_failed(failures, tried);
    }
    let program = called();
    console.note(format!(
        "\nAll {} results were read back: all {pixels} sums of each scan, all {kept} pixels of each\n\
         compaction and all {pixels} of each sort equal the reference.\n\
         Next: `{program} list` lists papers and parameters,\n      \
         `{program} scan photo.jpg -o sums.npy` scans your own picture,\n      \
         `{program} compact photo.jpg --keep '>=200' -o bright.npy` keeps its bright pixels,\n      \
         `{program} scan random:n=1000 -a hybrid:reduce=4 -v -o x.npy` shows the passes.",
        ran
    ));
    Ok(())
}

type Files = Vec<(&'static str, Vec<u8>)>;

fn files_of(
    image: &GrayImage,
    scans: &DemoRound,
    compactions: &DemoRound,
    sorts: &DemoRound,
) -> anyhow::Result<Files> {
    let mut files = vec![("input.png", picture::png(&image.clone().into())?)];
    if let Some(sums) = scans.best("values") {
        let picture = picture::of_sums(sums, image.width());
        files.push(("scan.png", picture::png(&picture.into())?));
        files.push(("scan.npy", npy(sums)?));
    }
    if let Some(kept) = compactions.best("values") {
        let picture = before_after::of_kept(image, BRIGHT, kept);
        files.push(("compact.png", picture::png(&picture.into())?));
        files.push(("compact.npy", npy(kept)?));
    }
    if let (Some(sorted), Some(indices)) = (sorts.best("values"), sorts.best("indices")) {
        let picture = before_after::of_sorted(image, indices, sorted);
        files.push(("sort.png", picture::png(&picture.into())?));
        files.push(("sort.npy", npy(sorted)?));
    }
    Ok(files)
}

fn npy(values: &[u32]) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    rasterscan_files::write(&mut bytes, &Numbers::from(values.to_vec()), Format::Npy)?;
    Ok(bytes)
}

/// `demo.json`.
#[derive(Debug, Serialize)]
struct DemoDocument<'a> {
    schema: &'static str,
    /// `gl` or `kernels`.
    engine: &'static str,
    /// `null` without OpenGL.
    gl: Option<Gl>,
    input: InputFacts,
    /// The scans.
    runs: Vec<DemoRow<'a>>,
    compactions: Vec<DemoRow<'a>>,
    sorts: Vec<DemoRow<'a>>,
}

#[derive(Debug, Serialize)]
struct InputFacts {
    name: &'static str,
    width: u32,
    height: u32,
}

impl<'a> DemoDocument<'a> {
    fn new(
        engine: &Engine,
        image: &GrayImage,
        [scans, compactions, sorts]: [&'a DemoRound; 3],
    ) -> DemoDocument<'a> {
        DemoDocument {
            schema: "rasterscan.demo/1",
            engine: engine.name(),
            gl: engine.document(),
            input: InputFacts {
                name: "hubble_deep_field.jpg, luma",
                width: image.width(),
                height: image.height(),
            },
            runs: scans.documents(),
            compactions: compactions.documents(),
            sorts: sorts.documents(),
        }
    }
}
