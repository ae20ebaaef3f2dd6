//! The app's first state, from its command line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};

use rasterscan::tools::job::{Job, JobError, Source};
use rasterscan::tools::printable::printable_path;
use rasterscan::tools::problem::{self, Problem, SCAN};
use rasterscan::tools::registry::Choice;
use rasterscan_app::App;
use rasterscan_app::engine::Engine;
use rasterscan_app::job::digits;
use rasterscan_app::link::Opening;
use rasterscan_lesson::file::{Lesson, PUZZLES};
use rasterscan_lesson::phrases::{LANGUAGES, Phrases};
use rasterscan_lesson::puzzle::Puzzle;

use super::{AppOptions, files, progress};
use crate::console::called;
use crate::exit::Usage;
use crate::job;
use crate::lesson::{file_text, lesson};

/// The app's first state.
pub struct Startup {
    opening: Opening,
    trace: Option<(rasterscan::trace::Recording, PathBuf)>,
    lesson: Option<Lesson>,
    puzzle: Option<Puzzle>,
    /// A language that is not built in, and its catalogue.
    language: Option<(String, String)>,
    /// True if the command line leaves everything at its default.
    first: bool,
    /// True if items may move between passes.
    motion: bool,
}

impl Startup {
    /// The job that the app runs first.
    pub fn job(&self) -> Option<&Job> {
        self.opening.job.as_ref()
    }

    /// Makes the app, with an engine that runs algorithms.
    pub fn begin(self, engine: Box<dyn Engine>) -> App {
        let mut app = progress::with_progress(App::new(engine).with_files(files::files()));
        app.view.motion = self.motion;
        app.program = called();
        match self.trace {
            Some((recording, file)) => {
                app.show(recording, file);
                app.adjust(&self.opening);
            }
            None => app.open(&self.opening),
        }
        if let Some(lesson) = self.lesson {
            app.teach(lesson);
            app.tour.stop = self.opening.tour.unwrap_or(0);
        }
        if let Some(puzzle) = &self.puzzle {
            app.open_puzzle(puzzle);
        }
        if self.first {
            app.welcome();
        }
        if let Some((name, catalogue)) = &self.language {
            // It was read before.
            let _ = app.speak(name, catalogue);
        }
        app
    }
}

impl AppOptions {
    /// Reads the command line.
    ///
    /// Errors: an unknown name, a file that cannot be read, a damaged trace file.
    pub fn plan(&self) -> anyhow::Result<Startup> {
        let trace = match &self.trace {
            Some(file) => Some((rasterscan_app::load_trace(file).map_err(anyhow::Error::msg)?, file.clone())),
            None => None,
        };
        let job = self.job()?;
        let beside = match &self.beside {
            Some(algorithm) => Some(Choice::parse(job.problem, algorithm)?),
            None => None,
        };
        let mut lesson = self.lesson.as_deref().map(lesson).transpose()?;
        let puzzle = match &self.puzzle {
            Some(name) => {
                let of = lesson.get_or_insert_with(|| PUZZLES.clone());
                let known = of.puzzle(name).or_else(|| PUZZLES.puzzle(name)).cloned();
                Some(known.ok_or_else(|| {
                    let names = PUZZLES.puzzle_names();
                    Usage(format!("--puzzle {name}: expected a puzzle of the lesson, or {names}"))
                })?)
            }
            None => None,
        };
        let tour = self.tour.map(|stop| stop.saturating_sub(1) as usize);
        let opening = Opening {
            job: Some(job).filter(|_| tour.is_none()),
            beside,
            pass: self.pass,
            stage: self.stage,
            tour,
            // It may be of a lesson, and opens with that.
            puzzle: None,
            gallery: self.gallery,
            pin: self.pin,
            look: self.look.look(),
            language: self.language.as_ref().map(|path| path.display().to_string()),
            embed: false,
            present: self.present,
        };
        let language = self.language.as_deref().map(catalogue).transpose()?.flatten();
        Ok(Startup {
            opening,
            trace,
            lesson,
            puzzle,
            language,
            first: self.is_bare(),
            motion: !self.no_motion && std::env::var_os("REDUCED_MOTION").is_none(),
        })
    }

    /// Returns true if the app starts with its defaults.
    fn is_bare(&self) -> bool {
        let asked = !self.words.is_empty() || self.algorithm.is_some() || !self.options.is_empty();
        !asked
            && self.lesson.is_none()
            && self.puzzle.is_none()
            && self.trace.is_none()
            && self.gallery.is_none()
            && self.tour.is_none()
            && self.beside.is_none()
            && !self.present
            && self.pass == 0
    }

    fn job(&self) -> anyhow::Result<Job> {
        let (problem, input) = match &self.words[..] {
            [] => (None, None),
            [one] => match one.to_str().and_then(problem::named) {
                Some(problem) => (Some(problem), None),
                None => (None, Some(one)),
            },
            [name, input, ..] => {
                let text = name.to_string_lossy();
                let problem =
                    problem::named(&text).ok_or_else(|| Usage(JobError::Problem(text.into()).to_string()))?;
                (Some(problem), Some(input))
            }
        };
        let problem = problem.unwrap_or_else(|| self.problem());
        let mut job = Job::new(problem, digits(problem));
        if let Some(algorithm) = &self.algorithm {
            job = job.by(Choice::parse(problem, algorithm)?);
        }
        if let Some(input) = input {
            job.source = given(input, &job.source)?;
        }
        job.element = self.dtype;
        job.options = self.options.combinations(problem)?.swap_remove(0);
        for (option, text) in self.options.streams() {
            job.options = job.options.with_stream(option, given(text, &job.source)?);
        }
        Ok(job)
    }

    /// The problem if none is named: the first that has the algorithm and all given options.
    fn problem(&self) -> &'static Problem {
        let able = |problem: &&'static Problem| {
            let algorithm = self.algorithm.as_deref();
            self.options.are_of(problem) && algorithm.is_none_or(|name| Choice::parse(problem, name).is_ok())
        };
        let by_options = |problem: &&'static Problem| self.options.are_of(problem);
        let all = || problem::ALL.into_iter();
        all().find(able).or_else(|| all().find(by_options)).unwrap_or(SCAN)
    }
}

/// The source that INPUT names; if it gives no length, with the app's usual one.
fn given(input: &OsStr, usual: &Source) -> anyhow::Result<Source> {
    let source = job::source(input).map_err(|error| Usage(error.to_string()))?;
    if source == Source::Stdin {
        bail!(Usage("the app does not read standard input: give a file or values:3,1,7".into()));
    }
    if let Source::File(path) = &source {
        std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let counted = input.to_string_lossy().contains("n=");
    // A million numbers would be too small to see.
    Ok(match usual.len() {
        Some(len) if source.is_made() && !counted => source.with_len(len),
        _ => source,
    })
}

/// The name and the catalogue of a language that is not built in; nothing of one that is.
fn catalogue(path: &Path) -> anyhow::Result<Option<(String, String)>> {
    if LANGUAGES.iter().any(|known| path.to_str() == Some(known.code)) {
        return Ok(None);
    }
    let text = file_text(path)?;
    let refused = |wrong| anyhow!("{}: {wrong}", printable_path(path));
    Phrases::parse(&text).map_err(refused)?;
    Ok(Some((path.display().to_string(), text)))
}
