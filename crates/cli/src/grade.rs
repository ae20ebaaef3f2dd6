//! `grade`: checks students' answers to a lesson, and prints a table.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use serde::Serialize;

use rasterscan::Gpu;
use rasterscan::printable::{printable, printable_path};
use rasterscan::record::Recorder;
use rasterscan_lab::table;
use rasterscan_lesson::answers::{Answers, Grade, Mark};
use rasterscan_lesson::file::Lesson;
use rasterscan_lesson::puzzle::Failure;

use super::console::Console;
use super::device::DeviceOptions;
use super::output;

/// Check students' answers to a lesson: every question and puzzle, with its points
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct GradeOptions {
    /// The lesson: a .toml as docs/lessons.md describes, or `tour` or `puzzles` for those built in
    #[arg(value_name = "LESSON")]
    lesson: PathBuf,
    /// Answers that the app saved
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The answers to questions are checked against runs with the numbers that the
student saw. A puzzle's shader runs on its visible and hidden cases; it cannot
loop for ever, and reads no files. What this device cannot run does not count.

A wrong answer is a grade, not an error: the exit code is 0.

Examples:
  rasterscan grade scans.toml ada.json grace.json
  rasterscan grade scans.toml answers/*.json --json > grades.json
  rasterscan grade puzzles ada.json";

#[derive(Debug, Serialize)]
struct Document {
    schema: &'static str,
    lesson: String,
    files: Vec<Graded>,
}

#[derive(Debug, Serialize)]
struct Graded {
    file: String,
    points: u32,
    of: u32,
    grades: Vec<Grade>,
}

pub fn run(options: &GradeOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let lesson = lesson(&options.lesson)?;
    let mut answers = Vec::new();
    for path in &options.files {
        let read = text(path).and_then(|text| Answers::parse(&text).map_err(anyhow::Error::msg));
        answers.push(read.with_context(|| printable_path(path).to_string())?);
    }
    let gpu = device.open()?;
    let mut files = Vec::new();
    for (path, answers) in options.files.iter().zip(answers) {
        console.note(format!("grading {}", printable_path(path)));
        files.push(graded(path, &answers, &lesson, &gpu)?);
    }
    if options.json {
        let document = Document { schema: "rasterscan.grade/1", lesson: lesson.title, files };
        return output::json_to_stdout(&document);
    }
    let texts: Vec<String> = files.iter().map(of_file).collect();
    output::to_stdout(texts.join("\n").as_bytes())
}

/// The lesson of a name, or of a file.
pub fn lesson(path: &Path) -> anyhow::Result<Lesson> {
    match path.to_str() {
        Some("tour") => Ok(rasterscan_lesson::tour::TOUR.clone()),
        Some("puzzles") => Ok(rasterscan_lesson::file::PUZZLES.clone()),
        _ => Lesson::parse(&text(path)?).map_err(|error| anyhow!("{}: {error}", printable_path(path))),
    }
}

/// A text file, up to a limit.
fn text(path: &Path) -> anyhow::Result<String> {
    const MOST: u64 = 8 << 20;
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot read {}", printable_path(path)))?;
    file.take(MOST)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", printable_path(path)))?;
    String::from_utf8(bytes).map_err(|_| anyhow!("{}: expected UTF-8 text", printable_path(path)))
}

fn graded(path: &Path, answers: &Answers, lesson: &Lesson, gpu: &Gpu) -> anyhow::Result<Graded> {
    let grades = answers.grade(lesson, &mut |job, edits| {
        let recorder = Recorder::of_job(gpu, job)?.with_shaders(|shader| edits.instead_of(shader));
        recorder.finish().map_err(Failure::from)
    });
    let grades = grades.map_err(|wrong| anyhow!("{}: {wrong}", printable_path(path)))?;
    let counted = || grades.iter().filter(|grade| grade.mark != Mark::Unsupported);
    let (points, of) = (counted().map(|grade| grade.points).sum(), counted().map(|grade| grade.of).sum());
    Ok(Graded { file: path.display().to_string(), points, of, grades })
}

fn of_file(graded: &Graded) -> String {
    let mut table = table::plain();
    for grade in &graded.grades {
        let first = grade.note.lines().next().unwrap_or_default();
        table.add_row(vec![
            comfy_table::Cell::new(&grade.task),
            comfy_table::Cell::new(grade.mark.name()),
            table::right(format!("{} of {}", grade.points, grade.of)),
            comfy_table::Cell::new(printable(first)),
        ]);
    }
    let Graded { file, points, of, .. } = graded;
    format!("{}: {points} of {of} points\n{}", printable(file), table::render(table))
}
