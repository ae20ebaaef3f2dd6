//! A guided tour in ten stops, each with a question whose answer is in the recording of the stop's own run.
//!
//! ```
//! use rasterscan_lesson::tour::{STOPS, Marked};
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use rasterscan::Gpu;
//! let (gpu, stop) = (Gpu::headless()?, &STOPS[1]);
//! let recording = rasterscan::record_job(&gpu, &stop.job(7)?)?;
//! let question = stop.question(&recording).ok_or("the stop's own run has a question")?;
//! assert!(matches!(question.check(&question.answer.to_string()), Marked::Right(_)));
//! assert!(matches!(question.check("seven"), Marked::NoNumber(_)));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```

mod questions;
mod stops;

pub use stops::STOPS;

use rasterscan::ElementType;
use rasterscan::job::{Job, JobError, Source};
use rasterscan::random::Random;
use rasterscan::trace::Recording;

use super::Item;

/// A stop of the tour.
#[derive(Debug)]
pub struct Stop {
    /// The heading.
    pub title: &'static str,
    /// The paragraphs.
    pub text: &'static [&'static str],
    /// The job on the command line: digits, some of them 0 if elements are to be removed.
    job: &'static str,
    /// The beginning of the algorithm's name in a recording of it.
    recorded: &'static str,
    /// The position shown first, in completed passes.
    pub position: usize,
    /// The position at which the picture shows the answer; the end of the run if that is earlier.
    pub answered: usize,
    /// A second algorithm of the same problem, shown beside the first over the same numbers.
    pub beside: Option<&'static str>,
    question: fn(&Recording) -> Option<Question>,
}

/// A question about a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The question itself.
    pub text: String,
    /// The right answer.
    pub answer: Item,
    /// The reply to a wrong answer that is not among the mistakes.
    pub hint: String,
    /// Wrong answers with a known cause, and the reply to each.
    pub mistakes: Vec<(Item, String)>,
    /// The reply to the right answer.
    pub explanation: String,
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

impl Stop {
    /// The job of the stop; the seed determines the numbers.
    ///
    /// Errors: none for the stops of [`STOPS`].
    pub fn job(&self, seed: u64) -> Result<Job, JobError> {
        let job = Job::parse(self.job.split(' '))?;
        let source = match job.source {
            Source::Random { n, numbers } => Source::Random { n, numbers: Random { seed, ..numbers } },
            other => other,
        };
        Ok(Job { source, ..job })
    }

    /// Returns whether a recording has this stop's algorithm and request; its numbers may be others.
    pub fn is_of(&self, recording: &Recording) -> bool {
        let asked =
            self.job(0).ok().and_then(|job| job.problem.plain(ElementType::U32, job.source.len()?).ok());
        recording.algorithm.starts_with(self.recorded) && Some(&recording.request) == asked.as_ref()
    }

    /// The question about a recording of this stop; `None` for any other recording.
    pub fn question(&self, recording: &Recording) -> Option<Question> {
        if !self.is_of(recording) {
            return None;
        }
        (self.question)(recording)
    }
}

impl Question {
    /// Checks an answer as it was typed.
    pub fn check(&self, answer: &str) -> Marked {
        let Some(given) = Item::parse(self.answer.element(), self.answer.arity(), answer) else {
            let answer = answer.trim();
            return Marked::NoNumber(match answer {
                "" => "Type a whole number.".into(),
                _ => format!("'{answer}' is not a whole number, 0 or greater."),
            });
        };
        if given == self.answer {
            return Marked::Right(self.explanation.clone());
        }
        let known = self.mistakes.iter().find(|(mistake, _)| *mistake == given);
        Marked::Wrong(known.map_or(&self.hint, |(_, hint)| hint).clone())
    }
}
