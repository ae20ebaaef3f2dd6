//! `grade`: checks students' answers to a lesson, and prints a table.

mod process;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use rasterscan::tools::printable::{printable, printable_path};
use rasterscan::tools::record::Recorder;
use rasterscan::trace::Recording;
use rasterscan::{Gpu, tools::Job};
use rasterscan_lab::table;
use rasterscan_lesson::answers::{Answers, Grade, Mark, stopped, tasks};
use rasterscan_lesson::edit::Edits;
use rasterscan_lesson::file::Lesson;
use rasterscan_lesson::puzzle::Failure;

use crate::console::Console;
use crate::device::DeviceOptions;
use crate::lesson::{LessonText, file_text};
use crate::output;
use process::{End, Line, Process, Task};

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
    /// The time that checking an answer may take, in seconds
    #[arg(long, value_name = "S", default_value = "20", value_parser = crate::measuring::seconds)]
    seconds: Duration,
    /// The memory that checking answers may take, in MB; kept on Linux
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Grade what stdin says: how the program calls itself
    #[arg(long, hide = true)]
    child: bool,
}

const EXAMPLES: &str = "\
The answers to questions are checked against runs with the numbers that the
student saw. A puzzle's shader runs on its visible and hidden cases; it reads no
files. What this device cannot run does not count.

Each file's answers are checked in a process of their own. A solution that takes
longer than --seconds, or ends the driver, as one that takes more than --memory
does, gets no points; the next process goes on after it. Each file's table is
printed when it is complete.

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
    if options.child {
        return process::child(device);
    }
    let text = LessonText::read(&options.lesson)?;
    let lesson = text.parse().with_context(|| printable_path(&options.lesson).to_string())?;
    let mut answers = Vec::new();
    for path in &options.files {
        let read = file_text(path).and_then(|text| {
            let answers = Answers::parse(&text).map_err(anyhow::Error::msg)?;
            answers.check(&lesson).map(|()| answers).map_err(anyhow::Error::msg)
        });
        answers.push(read.with_context(|| printable_path(path).to_string())?);
    }
    device.try_driver()?;
    let mut grader = Grader { options, device, console, text, lesson, gpu: None };
    let mut files = Vec::new();
    for (path, answers) in options.files.iter().zip(answers) {
        console.note(format!("grading {}", printable_path(path)));
        let graded = Graded::of(path, grader.grade(path, answers)?);
        if !options.json {
            let between = if files.is_empty() { "" } else { "\n" };
            output::to_stdout(format!("{between}{}", graded.table()).as_bytes())?;
        }
        files.push(graded);
    }
    match options.json {
        true => output::json_to_stdout(&Document {
            schema: "rasterscan.grade/1",
            lesson: grader.lesson.title,
            files,
        }),
        false => Ok(()),
    }
}

/// Checks an answer's runs on a device.
fn record(gpu: &Gpu) -> impl FnMut(&Job, &Edits) -> Result<Recording, Failure> {
    |job, edits| {
        let recorder = Recorder::of_job(gpu, job)?.with_shaders(|shader| edits.instead_of(shader));
        Ok(recorder.finish()?)
    }
}

struct Grader<'a> {
    options: &'a GradeOptions,
    device: &'a DeviceOptions,
    console: &'a Console,
    text: LessonText,
    lesson: Lesson,
    /// The device in this process, once no other can be started.
    gpu: Option<Gpu>,
}

impl Grader<'_> {
    /// Grades a file's answers, in one process after the other until each has its grade.
    fn grade(&mut self, path: &Path, answers: Answers) -> anyhow::Result<Vec<Grade>> {
        let mut grades = Vec::new();
        let mut task = Task { lesson: self.text.clone(), answers, from: 0, memory: self.options.memory };
        while grades.len() < tasks(&self.lesson) {
            task.from = grades.len();
            if let Some(gpu) = &self.gpu {
                let mut record = record(gpu);
                let rest = task.answers.grade(&self.lesson, task.from, &mut record);
                grades.extend(rest.map_err(anyhow::Error::msg)?);
                break;
            }
            match Process::start([&self.options.lesson, path], self.device, &task)? {
                Ok(process) => self.follow(process, &mut grades)?,
                Err(error) => {
                    self.console.warning(format!(
                        "cannot start a process ({error}): answers are checked without limits on time and memory"
                    ));
                    self.gpu = Some(self.device.open()?);
                }
            }
        }
        Ok(grades)
    }

    /// Takes the grades that a process gives, and that of the answer at which it ends.
    fn follow(&self, mut process: Process, grades: &mut Vec<Grade>) -> anyhow::Result<()> {
        let GradeOptions { seconds, memory, .. } = self.options;
        while grades.len() < tasks(&self.lesson) {
            let (mark, note) = match process.line(*seconds)? {
                Ok(Line::Ready) => continue,
                Ok(Line::Grade(grade)) => {
                    grades.push(*grade);
                    continue;
                }
                Err(End::TooLong) => {
                    (Mark::TooLong, format!("Checking it took more than {} s.", seconds.as_secs_f64()))
                }
                Err(End::Itself(status)) => {
                    let memory = if cfg!(target_os = "linux") {
                        format!(", or it took more than {memory} MB of memory")
                    } else {
                        String::new()
                    };
                    (Mark::Crashed, format!("The OpenGL driver crashed ({status}){memory}."))
                }
            };
            grades.push(stopped(&self.lesson, grades.len(), mark, note));
            break;
        }
        Ok(())
    }
}

impl Graded {
    fn of(path: &Path, grades: Vec<Grade>) -> Graded {
        let counted = || grades.iter().filter(|grade| grade.mark != Mark::Unsupported);
        let (points, of) = (counted().map(|grade| grade.points).sum(), counted().map(|grade| grade.of).sum());
        Graded { file: path.display().to_string(), points, of, grades }
    }

    fn table(&self) -> String {
        let mut table = table::plain();
        for grade in &self.grades {
            let first = grade.note.lines().next().unwrap_or_default();
            table.add_row(vec![
                comfy_table::Cell::new(&grade.task),
                comfy_table::Cell::new(grade.mark.name()),
                table::right(format!("{} of {}", grade.points, grade.of)),
                comfy_table::Cell::new(printable(first)),
            ]);
        }
        let Graded { file, points, of, .. } = self;
        format!("{}: {points} of {of} points\n{}", printable(file), table::render(table))
    }
}
