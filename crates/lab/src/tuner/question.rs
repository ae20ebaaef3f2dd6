//! Questions of a tuner, and their answers.

use std::time::Duration;

use rasterscan::tuning::{Best, Shape, Subject, Tuned};
use rasterscan::{Clock, Request};

/// What is to be found out: of a subject, what is the fastest in a range of sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TuneQuestion {
    pub subject: Subject,
    pub shape: Shape,
    /// The range that the request stands for: in words of 32 bits, for columns in texels. [`Tuned::NO_END`] where it
    /// has no end.
    pub from: u64,
    pub up_to: u64,
    /// What is timed.
    pub request: Request,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub question: TuneQuestion,
    /// What is concluded: what is built in, or what is clearly faster.
    pub best: Best,
    /// What is built in, as far as it is among the candidates: else [`Best::BuiltIn`].
    pub default: Best,
    /// The median of the best.
    pub time: Duration,
    /// The median of what is built in.
    pub default_time: Duration,
    /// How many times both are medians of.
    pub rounds: u32,
    pub clock: Clock,
    /// Whether the device ran at its full speed meanwhile, as far as is known: [`is_settled`](crate::measure::Yardstick::is_settled). Of a question
    /// that is answered again at the end, the later answer counts.
    pub settled: bool,
}

impl Finding {
    /// What a device's tuning says of it.
    pub fn tuned(&self) -> Tuned {
        let TuneQuestion { subject, shape, from, up_to, .. } = self.question;
        Tuned { subject, shape, from, up_to, best: self.best }
    }
}
