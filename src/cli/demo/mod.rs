//! `demo`: every scan on a real image, each result read back and checked, in one table.

mod files;
mod picture;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use rasterscan::registry::{self, Choice, Family};
use rasterscan::{Gpu, ScanSpec};

use super::called;
use super::console::Console;
use super::device::DeviceOptions;
use super::document::{self, Gl};
use super::input::luma_of_jpeg;
use super::numbers::Numbers;
use super::output;
use super::runner::{self, Outcome, Protocol};
use super::table::{self, grouped, milliseconds, right};

/// NASA, ESA: the Hubble eXtreme Deep Field (news release 2012-37), public domain.
const IMAGE: &[u8] = include_bytes!("../../../assets/hubble_deep_field.jpg");

/// Run every scan on a bundled image of deep space and check each (what no command at all does)
#[derive(Debug, Default, Args)]
pub struct DemoOptions {
    /// Also write input.png, scan.png, scan.npy and demo.json into this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(options: &DemoOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    if let Some(folder) = &options.out {
        files::check(folder)?;
    }
    let gpu = device.open()?;
    let image = luma_of_jpeg(IMAGE).context("the bundled image")?;
    let values: Vec<u32> = image.as_raw().iter().map(|luma| u32::from(*luma)).collect();
    let spec = ScanSpec::new::<u32>(values.len());
    console.note(format!(
        "Every scan, on the {} luma values ({} x {}) of the Hubble eXtreme Deep\n\
         Field: each turns them into their prefix sums, on {}.\n",
        grouped(spec.len),
        image.width(),
        image.height(),
        gpu.device()
    ));

    let outcomes = run_all(&gpu, &spec, &values, device, console)?;
    // Before the table is printed: somebody who has read enough of that still gets the files.
    let written = if let (Some(folder), Some(best)) = (&options.out, best(&outcomes)) {
        let document = Document::new(&gpu, &image, &spec, &outcomes);
        let files = [
            ("input.png", picture::png(&image.clone().into())?),
            ("scan.png", picture::png(&picture::of_sums(&best.values, image.width()).into())?),
            ("scan.npy", npy(&best.values)?),
            ("demo.json", output::json(&document)?),
        ];
        files::write(folder, &files)?;
        Some(format!(
            "\nWrote {} into {}.\nIn scan.png each galaxy casts a trail: all later sums of its row contain it.",
            names(&files),
            folder.display()
        ))
    } else {
        None
    };
    output::to_stdout(table_of(&outcomes).as_bytes())?;
    if let Some(written) = written {
        console.note(written);
    }
    console.note(closing(&spec, &outcomes));
    Ok(())
}

/// Every scan of the registry that this device can run, in the registry's order.
fn run_all(
    gpu: &Gpu,
    spec: &ScanSpec,
    values: &[u32],
    device: &DeviceOptions,
    console: &Console,
) -> anyhow::Result<Vec<Outcome<u32>>> {
    let protocol = Protocol {
        verify: true,
        // Careful figures are the benches' work: most of the demo's second goes into shaders that a driver
        // sees for the first time.
        runs: 5,
        budget: Duration::from_millis(50),
        reproduce: &|_: &Choice| format!("rasterscan demo{}", device.arguments()),
    };
    let cards: Vec<_> = registry::family(Family::Scan).collect();
    let bar = console.progress(cards.len());
    let mut outcomes = Vec::new();
    for card in cards {
        bar.set_message(card.name);
        // Draws the bar even where the next step takes long.
        bar.tick();
        match runner::run(Some(gpu), &card.with_defaults(), spec, values, &protocol) {
            Ok(outcome) => outcomes.push(outcome),
            Err(error) => match runner::unsupported(&error) {
                Some(reason) => bar.suspend(|| console.note(format!("{}: {reason}", card.name))),
                None => return Err(error),
            },
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(outcomes)
}

/// The fastest on the GPU.
fn best(outcomes: &[Outcome<u32>]) -> Option<&Outcome<u32>> {
    let on_gpu = outcomes.iter().filter(|outcome| outcome.passes > 0);
    on_gpu.min_by(|a, b| a.time.ms.total_cmp(&b.time.ms)).or(outcomes.first())
}

fn horn(outcomes: &[Outcome<u32>]) -> Option<&Outcome<u32>> {
    outcomes.iter().find(|outcome| outcome.choice.card.name == "horn")
}

fn speed_against(horn: Option<&Outcome<u32>>, outcome: &Outcome<u32>) -> Option<f64> {
    let horn = horn?.time.ms;
    (outcome.time.ms > 0.0).then_some(horn / outcome.time.ms)
}

fn table_of(outcomes: &[Outcome<u32>]) -> String {
    let horn = horn(outcomes);
    let mut table = table::plain();
    table.set_header(vec![
        "algorithm".into(),
        right("passes"),
        right("adds"),
        right("words moved"),
        right("ms"),
        "clock".into(),
        right("against horn"),
    ]);
    for outcome in outcomes {
        let speed = speed_against(horn, outcome);
        table.add_row(vec![
            outcome.label().into(),
            right(outcome.passes),
            right(grouped(outcome.adds)),
            right(grouped(outcome.words_moved)),
            right(milliseconds(outcome.time.ms)),
            outcome.time.clock.into(),
            right(speed.map_or("-".into(), |speed| format!("{speed:.2} x"))),
        ]);
    }
    table::render(table)
}

fn closing(spec: &ScanSpec, outcomes: &[Outcome<u32>]) -> String {
    let program = called();
    format!(
        "\nAll {} results were read back, and all {} sums of each are the reference's.\n\
         Next: `{program} list` names the papers and parameters,\n      \
         `{program} scan photo.jpg -o sums.npy` scans a picture of yours,\n      \
         `{program} scan random:n=1000 -a hybrid:reduce=4 -v -o x.npy` shows the passes.",
        outcomes.len(),
        grouped(spec.len)
    )
}

fn npy(values: &[u32]) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    output::write_numbers(&mut bytes, &Numbers::from(values.to_vec()), output::Format::Npy)?;
    Ok(bytes)
}

fn names(files: &[(&str, Vec<u8>)]) -> String {
    files.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// `demo.json`.
#[derive(Debug, Serialize)]
struct Document {
    schema: &'static str,
    gl: Gl,
    input: InputFacts,
    runs: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct InputFacts {
    name: &'static str,
    width: u32,
    height: u32,
}

#[derive(Debug, Serialize)]
struct Row {
    #[serde(flatten)]
    run: document::Run,
    /// How many times as fast as Horn's scan; `null` where that did not run.
    against_horn: Option<f64>,
}

impl Document {
    fn new(gpu: &Gpu, image: &image::GrayImage, spec: &ScanSpec, outcomes: &[Outcome<u32>]) -> Document {
        let horn = horn(outcomes);
        let row = |outcome: &Outcome<u32>| Row {
            run: outcome.document(spec),
            against_horn: speed_against(horn, outcome),
        };
        Document {
            schema: "rasterscan.demo/1",
            gl: Gl::of(gpu.device()),
            input: InputFacts {
                name: "hubble_deep_field.jpg, luma",
                width: image.width(),
                height: image.height(),
            },
            runs: outcomes.iter().map(row).collect(),
        }
    }
}
