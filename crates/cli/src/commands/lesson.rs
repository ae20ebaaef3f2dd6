//! `lesson`: for those who write and give lessons.

mod handout;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use rasterscan::tools::printable::{counted, printable_path};

use crate::console::Console;
use crate::lesson::lesson;
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
    /// Try every stop and puzzle, and name what is wrong, with its field; without a device
    Check {
        /// The lesson: a .toml as docs/lessons.md describes, or `tour` or `puzzles` for those built in
        #[arg(value_name = "LESSON")]
        lesson: PathBuf,
    },
    /// Write a page to print: the texts, a picture of each stop, and room for answers; without a device
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

pub fn run(options: &LessonOptions, console: &Console) -> anyhow::Result<()> {
    match &options.what {
        What::Check { lesson: path } => {
            let lesson = lesson(path)?;
            let stops = counted(lesson.stops.len() as u64, "stop");
            let puzzles = counted(lesson.puzzles.len() as u64, "puzzle");
            output::text_to_stdout(&format!("{}: {stops} and {puzzles}, all right\n", printable_path(path)))
        }
        What::Print { lesson: path, out, seed, key } => {
            let out = out.as_deref().map(|path| with_ending(path, &["html"])).transpose()?;
            let page = handout::page(&lesson(path)?, *seed, *key)?;
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
