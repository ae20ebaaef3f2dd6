//! Puzzles: a student writes a shader of an algorithm; visible and hidden runs are checked, and its reads are counted.

use std::ops::Range;

use rasterscan::Error;
use rasterscan::algorithm::results::Mismatch;
use rasterscan::tools::job::{Job, Wanted};
use rasterscan::tools::printable::counted;
use rasterscan::tools::registry::Choice;
use rasterscan::trace::Recording;
use rasterscan_gallery::{Exhibit, GalleryError, Piece};
use serde::Deserialize;

use super::edit::{Difference, Edits, difference};
use super::{banks, work};

/// A puzzle.
#[derive(Debug, Clone)]
pub struct Puzzle {
    /// The name in answers: one word.
    pub name: String,
    /// The heading.
    pub title: String,
    /// The paragraphs.
    pub text: Vec<String>,
    /// The path of the shader that is written.
    pub shader: String,
    /// The run that is shown.
    pub job: Job,
    /// Further runs that must be right.
    pub cases: Vec<Job>,
    /// The text to begin with.
    pub start: String,
    /// The lines of its gaps, from 0, in their order.
    pub gaps: Vec<Range<usize>>,
    /// Hints, to be read one after the other.
    pub hints: Vec<String>,
    /// What is counted against par.
    pub measure: Measure,
    /// The algorithm whose counts are par; by default, the job's own without edits.
    pub than: Option<Choice>,
    /// True if par must be beaten, not only reached.
    pub beat: bool,
    /// The points in a table of grades.
    pub points: u32,
}

/// What a puzzle counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Texels and items that were read, as recorded.
    #[default]
    Reads,
    /// Turns of shared memory, as recorded: with conflicts there are more.
    Turns,
}

impl Measure {
    /// The unit in a sentence.
    pub fn unit(self) -> &'static str {
        match self {
            Measure::Reads => "reads",
            Measure::Turns => "turns of shared memory",
        }
    }

    /// The count of a run.
    pub fn of(self, recording: &Recording) -> u64 {
        match self {
            Measure::Reads => recording.passes.iter().map(|pass| work::reads(recording, pass)).sum(),
            Measure::Turns => {
                let memories = (0..recording.passes.len()).filter_map(|pass| banks::of(recording, pass));
                memories.map(|memory| memory.turns()).sum()
            }
        }
    }
}

/// A recording that could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The device rules the run out: that is not the student's fault.
    Unsupported(String),
    /// The shader does not compile, or the run failed.
    Error(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Unsupported(_) | Error::NoDevice(_) => Failure::Unsupported(error.to_string()),
            error => Failure::Error(error.to_string()),
        }
    }
}

impl From<GalleryError> for Failure {
    fn from(error: GalleryError) -> Failure {
        match error {
            GalleryError::Run(error) => error.into(),
            error => Failure::Error(error.to_string()),
        }
    }
}

/// Records a job with edited shaders.
pub type Record<'a> = dyn FnMut(&Job, &Edits) -> Result<Recording, Failure> + 'a;

/// Runs a piece of the gallery.
pub type Show<'a> = dyn FnMut(&Piece) -> Result<Exhibit, Failure> + 'a;

/// The outcome of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The puzzle's runs cannot be made on this device.
    Unsupported(String),
    /// The text does not compile, or its run failed.
    Refused(String),
    /// A run is wrong.
    Wrong {
        /// The run: 0 is the one shown.
        case: usize,
        /// The number of hidden runs.
        hidden: usize,
        /// The run as a command line.
        job: String,
        /// The first wrong result.
        result: Box<Mismatch>,
        /// The first wrong pass and position, if it is not only the result.
        difference: Option<Difference>,
    },
    /// Every run is right.
    Right {
        /// Passes of the run shown.
        passes: usize,
        /// What was counted in it.
        count: u64,
        /// Par.
        par: u64,
        /// False if the count is too large.
        solved: bool,
        /// The unit of the count.
        unit: &'static str,
        /// The number of hidden runs.
        hidden: usize,
    },
}

impl Verdict {
    /// Returns true if the puzzle is solved.
    pub fn is_solved(&self) -> bool {
        matches!(self, Verdict::Right { solved: true, .. })
    }
}

/// "is the hidden case", or "are all 3 hidden cases".
fn are(hidden: usize) -> String {
    match hidden {
        1 => "is the hidden case".into(),
        hidden => format!("are all {hidden} hidden cases"),
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::Unsupported(reason) => write!(f, "This device cannot run the puzzle: {reason}"),
            Verdict::Refused(error) => f.write_str(error),
            Verdict::Wrong { case, hidden, job, result, difference } => {
                match case {
                    0 => f.write_str("The run shown is wrong")?,
                    case => {
                        write!(f, "The run shown is right; hidden case {case} of {hidden}, {job}, is wrong")?
                    }
                }
                match difference {
                    Some(difference) => write!(f, ": {difference}."),
                    None => write!(f, ": {result}."),
                }
            }
            Verdict::Right { passes, count, par, solved, unit, hidden } => {
                let against = match count.cmp(par) {
                    std::cmp::Ordering::Less => format!("fewer than par, {par}"),
                    std::cmp::Ordering::Equal => "which is par".into(),
                    std::cmp::Ordering::Greater => format!("par is {par}"),
                };
                let word = if *solved {
                    "Solved"
                } else {
                    "Every result is right, but that is not yet the solution"
                };
                let also = match hidden {
                    0 => String::new(),
                    hidden => format!(", and so {}", are(*hidden)),
                };
                write!(
                    f,
                    "{word}: {}, {count} {unit}; {against}. The run shown is right{also}.",
                    counted(*passes as u64, "pass")
                )
            }
        }
    }
}

/// What a run of edited shaders comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The first wrong result.
    pub result: Option<Box<Mismatch>>,
    /// The first wrong pass and position.
    pub difference: Option<Difference>,
    /// The first pass, from 0, whose loops the guard stopped.
    pub stopped: Option<usize>,
}

/// Checks the results of a run, and finds the first place where it differs from `own`, the run without edits.
pub fn check(own: &Recording, edited: &Recording) -> Outcome {
    let inputs: Vec<_> = edited.inputs.iter().map(|content| &content.values).collect();
    let depth = edited.passes.iter().map(|pass| pass.cost.depth).sum();
    let verified = edited.request.spec().verify(&inputs, Some(depth), &edited.results());
    let wrong = verified.err().map(Box::new);
    let stopped = edited.passes.iter().position(|pass| pass.stopped);
    Outcome { stopped, difference: wrong.as_ref().and_then(|_| difference(own, edited)), result: wrong }
}

impl Puzzle {
    /// The edits that a text makes.
    pub fn edits(&self, text: &str) -> Edits {
        Edits::of(self.shader.clone(), text)
    }

    /// Checks a text: the run shown, then the hidden ones; the first that is wrong is the verdict.
    pub fn judge(&self, text: &str, record: &mut Record) -> Verdict {
        self.judged(text, record).unwrap_or_else(|failure| match failure {
            Failure::Unsupported(reason) => Verdict::Unsupported(reason),
            Failure::Error(error) => Verdict::Refused(error),
        })
    }

    fn judged(&self, text: &str, record: &mut Record) -> Result<Verdict, Failure> {
        let edits = self.edits(text);
        edits.check().map_err(Failure::Error)?;
        let mut shown = None;
        for (case, job) in [&self.job].into_iter().chain(&self.cases).enumerate() {
            let own = record(job, &Edits::default()).map_err(|failure| match failure {
                Failure::Error(error) => Failure::Unsupported(error),
                unsupported => unsupported,
            })?;
            // The device runs the algorithm; what it cannot run now is the text.
            let edited = record(job, &edits).map_err(|failure| match failure {
                Failure::Unsupported(error) | Failure::Error(error) => Failure::Error(error),
            })?;
            let Outcome { result, difference, .. } = check(&own, &edited);
            if let Some(result) = result {
                let hidden = self.cases.len();
                return Ok(Verdict::Wrong { case, hidden, job: job.shell(), result, difference });
            }
            shown.get_or_insert((own, edited));
        }
        let Some((own, edited)) = shown else { return Err(Failure::Error("the puzzle has no run".into())) };
        let par = match &self.than {
            None => self.measure.of(&own),
            Some(choice) => {
                let job = Job { algorithm: Wanted::Algorithm(choice.clone()), ..self.job.clone() };
                self.measure.of(&record(&job, &Edits::default())?)
            }
        };
        let count = self.measure.of(&edited);
        let solved = if self.beat { count < par } else { count <= par };
        Ok(Verdict::Right {
            passes: edited.passes.len(),
            count,
            par,
            solved,
            unit: self.measure.unit(),
            hidden: self.cases.len(),
        })
    }
}
