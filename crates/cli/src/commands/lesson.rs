//! `lesson`: for those who write and give lessons.

mod handout;

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Subcommand};
use rasterscan::Gpu;
use rasterscan::tools::printable::{counted, printable_path};

use rasterscan_lesson::file::Lesson;

use crate::console::Console;
use crate::device::DeviceOptions;
use crate::lesson::{lesson, show};
use crate::output::{self, with_ending};

/// Check a lesson file, or print it as a handout
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct LessonOptions {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Try every stop and puzzle, and name what is wrong, with its field; only pieces of the gallery need a device
    Check {
        /// The lesson: a .toml as docs/lessons.md describes, or `tour`, `gallery` or `puzzles` for those built in
        #[arg(value_name = "LESSON")]
        lesson: PathBuf,
    },
    /// Write a page to print: the texts, a picture of each stop, and room for answers; only pieces of the gallery need a device
    Print {
        /// The lesson, as for `check`
        #[arg(value_name = "LESSON")]
        lesson: PathBuf,
        /// The page [default: stdout]
        #[arg(short = 'o', long = "out", value_name = "FILE")]
        out: Option<PathBuf>,
        /// The seed of random numbers: another one for each student, or for each year
        #[arg(long, value_name = "SEED", default_value_t = 0)]
        seed: u64,
        /// Add the answers on a page of their own at the end
        #[arg(long)]
        key: bool,
    },
}

const EXAMPLES: &str = "\
Examples:
  rasterscan lesson check scans.toml
  rasterscan lesson print scans.toml -o handout.html
  rasterscan lesson print tour --seed 7 --key -o key.html";

pub fn run(options: &LessonOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    match &options.what {
        What::Check { lesson: path } => {
            let lesson = lesson(path)?;
            if let Some(gpu) = gpu_for(&lesson, device)? {
                lesson.check_gallery(&mut show(&gpu)).with_context(|| printable_path(path).to_string())?;
            }
            let stops = counted(lesson.stops.len() as u64, "stop");
            let puzzles = counted(lesson.puzzles.len() as u64, "puzzle");
            output::text_to_stdout(&format!("{}: {stops} and {puzzles}, all right\n", printable_path(path)))
        }
        What::Print { lesson: path, out, seed, key } => {
            let out = out.as_deref().map(|path| with_ending(path, &["html"])).transpose()?;
            let lesson = lesson(path)?;
            let page = handout::page(&lesson, *seed, *key, gpu_for(&lesson, device)?.as_ref())?;
            match out {
                None => output::to_stdout(page.as_bytes()),
                Some(file) => {
                    file.write(page.as_bytes())?;
                    console.note(format!("handout written to {}", printable_path(file.path())));
                    Ok(())
                }
            }
        }
    }
}

/// A device, if a stop needs one.
fn gpu_for(lesson: &Lesson, device: &DeviceOptions) -> anyhow::Result<Option<Gpu>> {
    let needed = lesson.stops.iter().any(|stop| stop.gallery.is_some());
    let opened =
        needed.then(|| device.open().context("a stop shows a piece of the gallery, which runs on a device"));
    opened.transpose()
}
