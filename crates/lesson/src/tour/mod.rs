//! A guided tour in ten stops, each with a question whose answer is in the recording of the stop's own run.
//!
//! ```
//! use rasterscan_lesson::tour::{STOPS, Verdict};
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use rasterscan::Gpu;
//! let (gpu, stop) = (Gpu::headless()?, &STOPS[1]);
//! let recording = rasterscan::record(&gpu, &stop.choice()?, &stop.request(), &[&stop.values(7)])?;
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

use rasterscan::random::Random;
use rasterscan::registry::{Choice, ChoiceError};
use rasterscan::spec::{CompactSpec, Family, Request, ScanSpec};
use rasterscan::trace::{Recording, Values};

use super::Item;

/// A stop of the tour.
#[derive(Debug)]
pub struct Stop {
    pub title: &'static str,
    /// Paragraphs.
    pub text: &'static [&'static str],
    pub run: Run,
    /// How many passes have been made when one arrives.
    pub position: usize,
    /// After how many the answer is in the picture; the end of the run, where that is sooner.
    pub answered: usize,
    /// A second algorithm of the same family, shown beside the first over the same numbers.
    pub beside: Option<&'static str>,
    question: fn(&Recording) -> Option<Question>,
}

/// What a stop runs.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    pub family: Family,
    /// With parameters: `hybrid:reduce=1`.
    pub algorithm: &'static str,
    /// How a recording of it calls the algorithm: what that begins with.
    recorded: &'static str,
    /// Items.
    pub len: usize,
    /// The share of zeros, in tenths.
    zeros: u32,
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
pub enum Verdict {
    /// With the explanation.
    Right(String),
    /// With a hint.
    Wrong(String),
    /// The answer is no number of the kind that was asked for.
    NoNumber(String),
}

impl Stop {
    /// The algorithm that it runs.
    ///
    /// Errors: none for the stops of [`STOPS`].
    pub fn choice(&self) -> Result<Choice, ChoiceError> {
        Choice::parse(self.run.family, self.run.algorithm)
    }

    /// What is asked of it.
    pub fn request(&self) -> Request {
        match self.run.family {
            Family::Scan => Request::from(&ScanSpec::new::<u32>(self.run.len)),
            Family::Compact => Request::from(&CompactSpec::new::<u32>(self.run.len)),
        }
    }

    /// The numbers that it runs on: digits, others for each seed. Some are 0 where elements are to be thrown away.
    pub fn values(&self, seed: u64) -> Values {
        let share = 1.0 - f64::from(self.run.zeros) / 10.0;
        let digits = Random { seed, max: 9, keep: Some(share) }.values();
        Values::of(&digits.take(self.run.len).map(|digit| digit as u32).collect::<Vec<u32>>())
    }

    /// Whether a recording is of this stop's algorithm and request, over whatever numbers.
    pub fn is_of(&self, recording: &Recording) -> bool {
        recording.algorithm.starts_with(self.run.recorded) && recording.request == self.request()
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
    pub fn check(&self, answer: &str) -> Verdict {
        let Some(given) = Item::parse(self.answer.element(), self.answer.arity(), answer) else {
            let answer = answer.trim();
            return Verdict::NoNumber(match answer {
                "" => "Type a whole number.".into(),
                _ => format!("'{answer}' is not a whole number from 0 on."),
            });
        };
        if given == self.answer {
            return Verdict::Right(self.explanation.clone());
        }
        let known = self.mistakes.iter().find(|(mistake, _)| *mistake == given);
        Verdict::Wrong(known.map_or(&self.hint, |(_, hint)| hint).clone())
    }
}
