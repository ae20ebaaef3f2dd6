//! A guided tour in ten stops, each with a question whose answer is in the recording of the stop's own run.
//!
//! ```
//! use rasterscan_lesson::tour::{STOPS, Verdict};
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use rasterscan::Gpu;
//! let (gpu, stop) = (Gpu::headless()?, &STOPS[1]);
//! let recording = rasterscan::record_job(&gpu, &stop.job(7)?)?;
//! let question = stop.question(&recording).ok_or("the stop's own run has a question")?;
//! assert!(matches!(question.check(&question.answer.to_string()), Verdict::Right(_)));
//! assert!(matches!(question.check("seven"), Verdict::NoNumber(_)));
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
    pub title: &'static str,
    /// Paragraphs.
    pub text: &'static [&'static str],
    /// What is run, as somebody would ask for it: digits, some of which are 0 where elements are to be thrown away.
    job: &'static str,
    /// How a recording of it calls the algorithm: what that begins with.
    recorded: &'static str,
    /// How many passes have been made when one arrives.
    pub position: usize,
    /// After how many the answer is in the picture; the end of the run, where that is sooner.
    pub answered: usize,
    /// A second algorithm of the same problem, shown beside the first over the same numbers.
    pub beside: Option<&'static str>,
    question: fn(&Recording) -> Option<Question>,
}

/// A question to a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub text: String,
    pub answer: Item,
    /// Said after an answer that is wrong in no particular way.
    pub hint: String,
    /// Answers that are wrong in a way that one understands, and what to say then.
    pub mistakes: Vec<(Item, String)>,
    /// Said after the right answer.
    pub explanation: String,
}

/// What is said of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Marked {
    /// With the explanation.
    Right(String),
    /// With a hint.
    Wrong(String),
    /// The answer is no number of the kind that was asked for.
    NoNumber(String),
}

impl Stop {
    /// What it runs, of numbers that are others for each seed.
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

    /// Whether a recording is of this stop's algorithm and request, over whatever numbers.
    pub fn is_of(&self, recording: &Recording) -> bool {
        let asked =
            self.job(0).ok().and_then(|job| job.problem.plain(ElementType::U32, job.source.len()?).ok());
        recording.algorithm.starts_with(self.recorded) && Some(&recording.request) == asked.as_ref()
    }

    /// The question to a recording of it; `None` to any other.
    pub fn question(&self, recording: &Recording) -> Option<Question> {
        if !self.is_of(recording) {
            return None;
        }
        (self.question)(recording)
    }
}

impl Question {
    /// Judges an answer as it was typed.
    pub fn check(&self, answer: &str) -> Marked {
        let Some(given) = Item::parse(self.answer.element(), self.answer.arity(), answer) else {
            let answer = answer.trim();
            return Marked::NoNumber(match answer {
                "" => "Type a whole number.".into(),
                _ => format!("'{answer}' is not a whole number from 0 on."),
            });
        };
        if given == self.answer {
            return Marked::Right(self.explanation.clone());
        }
        let known = self.mistakes.iter().find(|(mistake, _)| *mistake == given);
        Marked::Wrong(known.map_or(&self.hint, |(_, hint)| hint).clone())
    }
}
