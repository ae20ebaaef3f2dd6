//! `grade`: checks students' answers to a lesson, and prints a table.

mod process;
mod submissions;
mod summary;

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
use rasterscan_lesson::answers::{Answers, Grade, Mark, stopped, tasks, ungraded};
use rasterscan_lesson::edit::Edits;
use rasterscan_lesson::file::Lesson;
use rasterscan_lesson::puzzle::Failure;

use crate::console::Console;
use crate::device::DeviceOptions;
use crate::lesson::{LessonText, file_text, show};
use crate::output::{self, with_ending};
use process::{End, Line, Process, Task};

/// Check students' answers to a lesson: every question and puzzle, with its points
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct GradeOptions {
    /// The lesson: a .toml as docs/lessons.md describes, or `tour`, `gallery` or `puzzles` for those built in
    #[arg(value_name = "LESSON")]
    lesson: PathBuf,
    /// Answers that the app saved; of a folder, all .json files below it
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,
    /// The time that checking an answer may take, in seconds
    #[arg(long, value_name = "S", default_value = "20", value_parser = crate::measuring::seconds)]
    seconds: Duration,
    /// The memory that checking answers may take, in MB; kept on Linux
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
    /// Write a table for a spreadsheet, a line for each file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a page that shows all marks and replies
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
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

A wrong answer is a grade, not an error: the exit code is 0. A file that is no
answers to this lesson gets no points, and a line that says why; it is an error
if no file is.

Examples:
  rasterscan grade scans.toml ada.json grace.json
  rasterscan grade scans.toml answers/ --csv grades.csv --html grades.html
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
    /// The name that the student gave.
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    points: u32,
    of: u32,
    /// The reason why nothing was graded.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    grades: Vec<Grade>,
}

pub fn run(options: &GradeOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    if options.child {
        return process::child(device);
    }
    let outputs = [(&options.csv, &["csv"]), (&options.html, &["html"])];
    let outputs =
        outputs.map(|(path, endings)| path.as_deref().map(|path| with_ending(path, endings)).transpose());
    let [csv, html] = outputs;
    let (csv, html) = (csv?, html?);
    let text = LessonText::read(&options.lesson)?;
    let lesson = text.checked().with_context(|| printable_path(&options.lesson).to_string())?;
    let files = submissions::files(&options.files)?;
    let read = |path: &PathBuf| {
        let answers = Answers::parse(&file_text(path)?).map_err(anyhow::Error::msg)?;
        answers.check(&lesson).map(|()| answers).map_err(anyhow::Error::msg)
    };
    let mut answers: Vec<anyhow::Result<Answers>> = files.iter().map(read).collect();
    if answers.iter().all(Result::is_err) {
        let first = answers.swap_remove(0).map(drop);
        return first.with_context(|| printable_path(&files[0]).to_string());
    }
    device.try_driver()?;
    let mut grader = Grader { options, device, console, text, lesson, gpu: None };
    let mut graded = Vec::new();
    for (path, answers) in files.iter().zip(answers) {
        console.note(format!("grading {}", printable_path(path)));
        let file = match answers {
            Ok(answers) => {
                let name = answers.name.clone();
                Graded { name, ..Graded::of(path, grader.grade(path, answers)?) }
            }
            Err(error) => {
                Graded { error: Some(format!("{error:#}")), ..Graded::of(path, ungraded(&grader.lesson)) }
            }
        };
        if !options.json {
            let between = if graded.is_empty() { "" } else { "\n" };
            output::to_stdout(format!("{between}{}", file.table()).as_bytes())?;
        }
        graded.push(file);
    }
    let title = &grader.lesson.title;
    let csv = csv.map(|file| (file, summary::csv(&graded).into_bytes()));
    let html = html.map(|file| (file, summary::page(title, &graded).into_bytes()));
    output::write_bytes_to(&csv.into_iter().chain(html).collect::<Vec<_>>())?;
    match options.json {
        true => output::json_to_stdout(&Document {
            schema: "rasterscan.grade/1",
            lesson: title.clone(),
            files: graded,
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
                let (mut record, mut show) = (record(gpu), show(gpu));
                let rest = task.answers.grade(&self.lesson, task.from, &mut record, &mut show);
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
        let file = path.display().to_string();
        Graded { file, name: String::new(), points, of, error: None, grades }
    }

    /// The student's name, or else the file's.
    fn heading(&self) -> String {
        if self.name.trim().is_empty() { self.file.clone() } else { self.name.clone() }
    }

    fn table(&self) -> String {
        let Graded { file, name, points, of, error, grades } = self;
        let file = match name.trim() {
            "" => file.clone(),
            name => format!("{name} ({file})"),
        };
        let head = format!("{}: {points} of {of} points", printable(&file));
        if let Some(error) = error {
            return format!("{head}: {}\n", printable(error));
        }
        let mut table = table::plain();
        for grade in grades {
            let first = grade.note.lines().next().unwrap_or_default();
            table.add_row(vec![
                comfy_table::Cell::new(&grade.task),
                comfy_table::Cell::new(grade.mark.name()),
                table::right(format!("{} of {}", grade.points, grade.of)),
                comfy_table::Cell::new(printable(first)),
            ]);
        }
        format!("{head}\n{}", table::render(table))
    }
}
