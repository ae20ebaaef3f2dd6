//! Lesson files: TOML with stops, questions and puzzles, written by teachers. `docs/lessons.md` shows the format.
//!
//! A file is not trusted: it names no paths and no addresses, its numbers are generated or typed in, everything in it has
//! a largest size, and its shaders pass the guard.

mod check;
mod raw;

pub(crate) use raw::located;

use std::sync::LazyLock;

use rasterscan::tools::Task;
use rasterscan::tools::job::{Job, Source, Wanted};
use rasterscan::tools::registry::Choice;

use super::puzzle::{Puzzle, Show};
use super::tour::Stop;

/// A lesson: stops, then puzzles.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// The title.
    pub title: String,
    /// The paragraphs at the beginning.
    pub text: Vec<String>,
    /// The paragraphs at the end.
    pub end: Vec<String>,
    /// The stops.
    pub stops: Vec<Stop>,
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
    /// A number that is the same for the same file, for answers.
    pub fingerprint: u64,
}

/// The reason why a text is not a lesson, with the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonError(pub String);

impl std::fmt::Display for LessonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LessonError {}

/// The longest file, in bytes.
pub const MOST_BYTES: usize = 1 << 18;

/// The most items of a lesson's run.
pub const MOST_ITEMS: u64 = 4096;

/// The built-in puzzles, the easiest first.
pub static PUZZLES: LazyLock<Lesson> = LazyLock::new(|| {
    Lesson::parse(include_str!("../lessons/puzzles.toml")).expect("a test reads the built-in puzzles")
});

/// What scans are for, a stop for each piece of the gallery: the text of a lesson file.
pub const GALLERY: &str = include_str!("../lessons/gallery.toml");

impl Lesson {
    /// Reads a lesson, and tries its runs: every reference has a value, and every position is there. Pieces of the gallery are
    /// not run ([`Self::check_gallery`]). Cost: two runs of each stop, by kernels.
    ///
    /// Errors: as [`Self::parse`], or all faults that the runs show, each with its stop or puzzle and its field, a line for
    /// each.
    pub fn checked(text: &str) -> Result<Lesson, LessonError> {
        let lesson = Lesson::parse(text)?;
        match check::faults(&lesson) {
            faults if faults.is_empty() => Ok(lesson),
            faults => Err(LessonError(faults.join("\n"))),
        }
    }

    /// Runs the pieces of the gallery that its stops show, and tries their texts and questions.
    ///
    /// Errors: all faults, as [`Self::checked`] names them.
    pub fn check_gallery(&self, show: &mut Show<'_>) -> Result<(), LessonError> {
        match check::faults_of_pieces(self, show) {
            faults if faults.is_empty() => Ok(()),
            faults => Err(LessonError(faults.join("\n"))),
        }
    }

    /// Reads a lesson, without its runs.
    ///
    /// Errors: with line and column, or with the name of the stop or puzzle.
    pub fn parse(text: &str) -> Result<Lesson, LessonError> {
        if text.len() > MOST_BYTES {
            return Err(LessonError(format!("the lesson has {} bytes; at most {MOST_BYTES}", text.len())));
        }
        raw::read(text).map_err(LessonError)
    }

    /// The names of the puzzles, for messages.
    pub fn puzzle_names(&self) -> String {
        self.puzzles.iter().map(|puzzle| puzzle.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The puzzle of a name.
    pub fn puzzle(&self, name: &str) -> Option<&Puzzle> {
        self.puzzles.iter().find(|puzzle| puzzle.name == name)
    }
}

/// Reads a job whose numbers need no file, of one algorithm, short enough to be shown.
fn job(text: &str) -> Result<Job, String> {
    let job = Job::parse(text.split_whitespace()).map_err(|error| error.to_string())?;
    let Wanted::Algorithm(_) = &job.algorithm else {
        return Err("expected one algorithm: -a NAME".into());
    };
    for source in [&job.source].into_iter().chain(job.beside().map(|(_, _, source)| source)) {
        match source {
            Source::Random { .. } | Source::Pattern { .. } | Source::Values(_) => {}
            Source::Stdin | Source::File(_) | Source::Chosen => {
                return Err(format!(
                    "'{source}': a lesson reads no files; expected random:, ramp: or values:"
                ));
            }
        }
        match source.len() {
            Some(len) if len <= MOST_ITEMS => {}
            _ => return Err(format!("'{source}': at most {MOST_ITEMS} items")),
        }
    }
    Task::of_job(&job).map_err(|error| error.to_string())?;
    Ok(job)
}

/// Reads an algorithm of a job's problem.
fn algorithm(job: &Job, text: &str) -> Result<Choice, String> {
    Choice::parse(job.problem, text).map_err(|error| error.to_string())
}
