//! Questions of a tuner, and their answers.

use std::time::Duration;

use rasterscan::tuning::{Best, Shape, Subject, Tuned};
use rasterscan::{device::Clock, tools::Request};

/// A question: the fastest setting of a subject in a range of sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TuneQuestion {
    /// The subject: an algorithm, a parameter, or the columns of textures.
    pub subject: Subject,
    /// The shape of the scans that it is about.
    pub shape: Shape,
    /// The start of the range that the request stands for: in words of 32 bits, for columns in texels.
    pub from: u64,
    /// The end of the range, included; [`Tuned::NO_END`] if it has none.
    pub up_to: u64,
    /// The request that is timed.
    pub request: Request,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The question that was answered.
    pub question: TuneQuestion,
    /// The conclusion: the built-in default, or what is clearly faster.
    pub best: Best,
    /// The built-in default, if it is among the candidates; else [`Best::BuiltIn`].
    pub default: Best,
    /// The median of the best.
    pub time: Duration,
    /// The median of the built-in default.
    pub default_time: Duration,
    /// The number of times that both are medians of.
    pub rounds: u32,
    /// The clock of both times.
    pub clock: Clock,
    /// True if the device ran at its full speed, as far as is known:
    /// [`is_settled`](crate::measure::Yardstick::is_settled). If a question is answered again at the end, the later
    /// answer counts.
    pub settled: bool,
}

impl Finding {
    /// The finding as an entry of a device's tuning.
    pub fn tuned(&self) -> Tuned {
        let TuneQuestion { subject, shape, from, up_to, .. } = self.question;
        Tuned { subject, shape, from, up_to, best: self.best }
    }
}
