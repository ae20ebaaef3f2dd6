//! Stops of lessons, each with a question whose answer is in the recording of the stop's own run, and the built-in tour.
//!
//! ```
//! use rasterscan_lesson::tour::{STOPS, Marked};
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use rasterscan::Gpu;
//! let (gpu, stop) = (Gpu::headless()?, &STOPS[1]);
//! let recording = rasterscan::tools::record::record_job(&gpu, &stop.job(7))?;
//! let question = stop.question(&recording).ok_or("the stop's own run has a question")?;
//! assert!(matches!(question.check(&question.answer.to_string()), Marked::Right(_)));
//! assert!(matches!(question.check("seven"), Marked::NoNumber(_)));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```

mod questions;

use std::sync::LazyLock;

use rasterscan::tools::job::{Job, Source, Wanted};
use rasterscan::tools::random::Random;
use rasterscan::trace::Recording;
use rasterscan_gallery::Piece;

use super::Item;
use super::file::Lesson;
use super::reference::{About, filled, value};
use super::words::shortened;

/// The characters of an answer that a reply repeats.
pub(crate) const MOST_REPEATED: usize = 40;

/// A count of a piece may differ by one in so many from device to device: at edges, rounding decides. The pieces' own checks
/// allow as much.
const PIECE_SLACK: u32 = 200;

/// The built-in tour.
pub static TOUR: LazyLock<Lesson> = LazyLock::new(|| {
    Lesson::parse(include_str!("../lessons/tour.toml")).expect("a test reads the built-in tour")
});

/// The stops of the built-in tour.
pub static STOPS: LazyLock<Vec<Stop>> = LazyLock::new(|| TOUR.stops.clone());

/// A stop of a lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// The heading.
    pub title: String,
    /// The paragraphs.
    pub text: Vec<String>,
    /// The run: digits, some of them 0 if elements are to be removed. A piece of the gallery brings its own.
    pub job: Job,
    /// The piece of the gallery that is shown in place of the run.
    pub gallery: Option<&'static Piece>,
    /// The position shown first, in completed passes.
    pub position: usize,
    /// The position at which the picture shows the answer; the end of the run if that is earlier.
    pub answered: usize,
    /// A second algorithm of the same problem, shown beside the first over the same numbers.
    pub beside: Option<String>,
    /// The worked position: an item of the target.
    pub pin: Option<u32>,
    /// The stage of the pass at `position` whose shared memory is shown, from 1; `None` for the whole pass.
    pub stage: Option<usize>,
    /// The same at `answered`.
    pub answered_stage: Option<usize>,
    /// True if rows are drawn as the texture has them, for texts that speak of rows.
    pub texture_rows: bool,
    /// The points in a table of grades.
    pub points: u32,
    /// The question; `None` for a stop that is only read.
    pub question: Option<QuestionSource>,
}

/// Where a question comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum QuestionSource {
    /// One of the built-in questions.
    BuiltIn(BuiltIn),
    /// The lesson's own.
    Custom(OwnQuestion),
}

/// A built-in question.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn {
    /// The name in a lesson file.
    pub name: &'static str,
    ask: fn(&Recording) -> Option<Question>,
}

impl PartialEq for BuiltIn {
    fn eq(&self, other: &BuiltIn) -> bool {
        self.name == other.name
    }
}

/// A question of a lesson: its answers are references to the run, and its texts may have them in braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnQuestion {
    /// The question itself.
    pub text: String,
    /// The answer.
    pub answer: String,
    /// The reply to a wrong answer.
    pub hint: String,
    /// The reply to the right answer.
    pub explanation: String,
    /// Wrong answers with a known cause, and the reply to each.
    pub mistakes: Vec<(String, String)>,
}

impl OwnQuestion {
    /// All texts.
    pub fn texts(&self) -> impl Iterator<Item = &String> {
        let mistakes = self.mistakes.iter().flat_map(|(answer, hint)| [answer, hint]);
        [&self.text, &self.answer, &self.hint, &self.explanation].into_iter().chain(mistakes)
    }

    /// The question about a run, or about a piece.
    ///
    /// Errors: the field, and the reference that the run or the piece does not have.
    pub fn ask<'a>(&self, about: impl Into<About<'a>>) -> Result<Question, String> {
        let about = about.into();
        let named = |field: &'static str| move |wrong: String| format!("{field}: {wrong}");
        let text = |field, text| filled(about, text).map_err(named(field));
        let answer = value(about, &self.answer).map_err(named("answer"))?;
        let mut mistakes: Vec<(Item, String)> = Vec::new();
        for (mistake, hint) in &self.mistakes {
            let mistake = value(about, mistake).map_err(named("mistakes, answer"))?;
            let hint = text("mistakes, hint", hint)?;
            if mistake != answer && mistakes.iter().all(|(known, _)| *known != mistake) {
                mistakes.push((mistake, hint));
            }
        }
        let count = answer.index(0).and_then(|count| u32::try_from(count).ok()).unwrap_or(0);
        let slack = match about {
            About::Run(_) => 0,
            About::Piece(_) => count / PIECE_SLACK,
        };
        Ok(Question {
            text: text("text", &self.text)?,
            answer,
            slack,
            hint: text("hint", &self.hint)?,
            mistakes,
            explanation: text("explanation", &self.explanation)?,
            about: None,
        })
    }
}

/// The built-in question of a name.
///
/// Errors: the names that there are.
pub fn built_in_question(name: &str) -> Result<BuiltIn, String> {
    let found = questions::ALL.iter().find(|question| question.name == name).copied();
    found.ok_or_else(|| {
        let names: Vec<&str> = questions::ALL.iter().map(|question| question.name).collect();
        format!("there is no question '{name}'; expected {}", names.join(", "))
    })
}

/// A question about a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The question itself.
    pub text: String,
    /// The right answer.
    pub answer: Item,
    /// The most by which another right answer differs, a count: 0 unless rounding on a device decides.
    pub slack: u32,
    /// The reply to a wrong answer that is not among the mistakes.
    pub hint: String,
    /// Wrong answers with a known cause, and the reply to each.
    pub mistakes: Vec<(Item, String)>,
    /// The reply to the right answer.
    pub explanation: String,
    /// The item of the target that the answer is about, which the picture then shows as its worked example.
    pub about: Option<u32>,
}

/// The reply to an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Marked {
    /// The answer is right; the explanation.
    Right(String),
    /// The answer is wrong; a hint.
    Wrong(String),
    /// The answer is not a number of the right kind; what to type.
    NoNumber(String),
}

impl Marked {
    /// The reply in words: a sign, and a text.
    pub fn words(&self) -> [&str; 2] {
        match self {
            Marked::Right(text) => ["Right", text],
            Marked::Wrong(text) => ["Not yet", text],
            Marked::NoNumber(text) => ["Not a number", text],
        }
    }
}

impl Stop {
    /// The job of the stop; the seed determines the numbers, if they are random.
    pub fn job(&self, seed: u64) -> Job {
        let source = match &self.job.source {
            Source::Random { n, numbers } => Source::Random { n: *n, numbers: Random { seed, ..*numbers } },
            other => other.clone(),
        };
        Job { source, ..self.job.clone() }
    }

    /// Returns whether a recording has this stop's algorithm and request; its numbers may be others.
    pub fn is_of(&self, recording: &Recording) -> bool {
        let Wanted::Algorithm(choice) = &self.job.algorithm else { return false };
        let choice = choice.to_string();
        let (name, parameters) = choice.split_once(':').unwrap_or((&choice, ""));
        let (used, with) = recording.algorithm.split_once(':').unwrap_or((&recording.algorithm, ""));
        // A recording names the parameters that were used; not all that are given are.
        let agrees = |parameter: &str| {
            let named = |of: &str| of.split('=').next().map(str::to_owned);
            let mut same = with.split(',').filter(|known| named(known) == named(parameter));
            same.all(|known| known == parameter)
        };
        // A stop that names no type takes the numbers as they were read.
        let job = Job { element: self.job.element.or(Some(recording.request.element())), ..self.job.clone() };
        name == used
            && parameters.split(',').all(agrees)
            && job.known_request().is_ok_and(|request| request.as_ref() == Some(&recording.request))
    }

    /// The question about a recording of this stop, or about its piece of the gallery; `None` for any other recording, and if
    /// the stop is only read.
    pub fn question<'a>(&self, about: impl Into<About<'a>>) -> Option<Question> {
        let about = about.into();
        let own = match about {
            About::Run(recording) => self.gallery.is_none() && self.is_of(recording),
            About::Piece(_) => self.gallery.is_some(),
        };
        match (self.question.as_ref().filter(|_| own)?, about) {
            (QuestionSource::BuiltIn(question), About::Run(recording)) => (question.ask)(recording),
            (QuestionSource::BuiltIn(_), About::Piece(_)) => None,
            (QuestionSource::Custom(question), about) => question.ask(about).ok(),
        }
    }
}

impl Question {
    /// All its texts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let mistakes = self.mistakes.iter().map(|(_, hint)| hint);
        [&self.text, &self.hint, &self.explanation].into_iter().chain(mistakes).map(String::as_str)
    }

    /// Checks an answer as it was typed.
    pub fn check(&self, answer: &str) -> Marked {
        let Some(given) = Item::parse(self.answer.element(), self.answer.arity(), answer) else {
            let answer = answer.trim();
            return Marked::NoNumber(match answer {
                "" => "Type a whole number.".into(),
                _ => format!("'{}' is not a whole number, 0 or greater.", shortened(answer, MOST_REPEATED)),
            });
        };
        let near = |(given, answer): (u64, u64)| given.abs_diff(answer) <= self.slack.into();
        if given == self.answer || given.index(0).zip(self.answer.index(0)).is_some_and(near) {
            return Marked::Right(self.explanation.clone());
        }
        let known = self.mistakes.iter().find(|(mistake, _)| *mistake == given);
        Marked::Wrong(known.map_or(&self.hint, |(_, hint)| hint).clone())
    }
}
