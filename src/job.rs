//! A job: an algorithm with its parameters, on a problem, over given numbers.
//!
//! A job has one grammar, a list of words: `PROBLEM INPUT [-a ALGO] [options]`. Everything that is typed, copied by the
//! app, put into a link or printed by a failing test is read and written here:
//!
//! ```text
//! words     scan random:n=16,seed=7,max=9 -a hybrid:reduce=2 --op max
//! shell     the words, quoted where needed: what is typed, and what a failing test prints      Job::shell
//! link      the words percent-encoded, with `&` between them; file names are left out, so       Job::link
//!           the reader of a link chooses a file
//! ```
//!
//! ```
//! use rasterscan::tools::Job;
//!
//! let job = Job::parse(["scan", "values:3,1,7", "-a", "hybrid:reduce=2", "--op", "max"]).unwrap();
//! assert_eq!(job.shell(), "scan values:3,1,7 -a hybrid:reduce=2 --op max");
//! assert_eq!(Job::of_link(&job.link()), Ok(job));
//!
//! let wrong = Job::parse(["scan", "values:3,1,7", "--operator", "max"]).unwrap_err();
//! assert!(wrong.to_string().starts_with("scan has no option '--operator'; expected one of op, exclusive, order, tuple"));
//! ```

use std::fmt;

pub use crate::source::{Pattern, Source, SourceError, whole};

use crate::algorithm::{Arguments, Choice, ChoiceError, CustomSyntax, Parameter, SideInput, edges};
use crate::algorithm::{Chosen, InputInfo, Problem, Request};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::hint::hint;
use crate::numbers::Numbers;
use crate::problem;
use crate::registry;
use crate::unsupported::Unsupported;

/// A problem, its options, the source of its numbers, and an algorithm. Device and destination are not part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The problem to solve.
    pub problem: &'static Problem,
    /// The numbers: the first stream.
    pub source: Source,
    /// The algorithm to run, or a choice of several.
    pub algorithm: Wanted,
    /// The problem's options.
    pub options: Arguments,
    /// The type to convert the numbers to; `None` keeps their own.
    pub element: Option<ElementType>,
}

/// The algorithm that a job asks for.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// The fastest that the device and the request allow.
    Auto,
    /// Every algorithm of the problem.
    All,
    /// This algorithm, with its parameters.
    Algorithm(Choice),
}

impl PartialEq for Wanted {
    fn eq(&self, other: &Wanted) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Wanted {
    /// Reads `auto`, `all`, or an algorithm of the problem with its parameters.
    pub fn parse(problem: &Problem, text: &str) -> Result<Wanted, ChoiceError> {
        match text {
            "auto" => Ok(Wanted::Auto),
            "all" => Ok(Wanted::All),
            name => Choice::parse(problem, name).map(Wanted::Algorithm),
        }
    }
}

impl Wanted {
    /// The algorithm, if it is asked for by its name.
    pub fn named(&self) -> Option<&Choice> {
        match self {
            Wanted::Algorithm(choice) => Some(choice),
            Wanted::Auto | Wanted::All => None,
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Auto => f.write_str("auto"),
            Wanted::All => f.write_str("all"),
            Wanted::Algorithm(choice) => choice.fmt(f),
        }
    }
}

/// Words that do not make a job.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// The problem or the input is missing.
    #[error("expected PROBLEM INPUT [-a ALGO] [options], where PROBLEM is {}", names())]
    Incomplete,
    /// An unknown problem.
    #[error("there is no problem '{0}'; {hint}", hint = hint(.0, problem::ALL.iter().map(|problem| problem.name)))]
    Problem(String),
    /// An option that the problem does not have.
    #[error("{problem} has no option '{option}'; {hint}")]
    Option {
        /// The problem's name.
        problem: &'static str,
        /// The option as it was written.
        option: String,
        /// The nearest option, or all of them.
        hint: String,
    },
    /// An option without its value.
    #[error("{0} needs a value")]
    NoValue(String),
    /// A word after the input that is not an option.
    #[error("unexpected word '{0}'; options begin with --")]
    Word(String),
    /// An option that is given more than once.
    #[error("{0} is given twice")]
    Twice(String),
    /// Two options that exclude each other.
    #[error("--{0} and --{1} cannot be given together; give one of them")]
    Conflict(&'static str, &'static str),
    /// An unknown element type.
    #[error("--dtype cannot be '{0}'; expected u32, i32, f32, u64 or i64")]
    Element(String),
    /// An unknown algorithm or parameter, or a wrong value.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// An input that cannot be read as a source.
    #[error(transparent)]
    Source(#[from] SourceError),
}

fn names() -> String {
    problem::ALL.map(|problem| problem.name).join(", ")
}

impl Job {
    /// A job for this problem and these numbers, by the fastest algorithm.
    pub fn new(problem: &'static Problem, source: Source) -> Job {
        Job { problem, source, algorithm: Wanted::Auto, options: Arguments::NONE, element: None }
    }

    /// The same job with another algorithm.
    pub fn by(self, choice: Choice) -> Job {
        Job { algorithm: Wanted::Algorithm(choice), ..self }
    }

    /// The job that makes this request of these numbers.
    pub fn of(request: &Request, source: Source) -> Job {
        let element = Some(request.element()).filter(|element| source.element() != Some(*element));
        let options = request.arguments();
        Job { problem: request.problem(), source, algorithm: Wanted::Auto, options, element }
    }

    /// Reads words. Options may stand in any order after the problem.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Job, JobError> {
        let mut words = words.into_iter();
        let name = words.next().ok_or(JobError::Incomplete)?;
        let problem = problem::named(name).ok_or_else(|| JobError::Problem(name.into()))?;
        let (mut source, mut algorithm, mut element, mut options) = (None, None, None, Arguments::NONE);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| JobError::NoValue(word.into()));
            let twice = |given: bool| if given { Err(JobError::Twice(word.into())) } else { Ok(()) };
            match word {
                "-a" | "--algorithm" => {
                    twice(algorithm.is_some())?;
                    algorithm = Some(Wanted::parse(problem, value()?)?);
                }
                "--dtype" => {
                    twice(element.is_some())?;
                    let name = value()?;
                    element = Some(ElementType::named(name).ok_or_else(|| JobError::Element(name.into()))?);
                }
                _ if word.starts_with("--") => {
                    let option = problem.option(&word[2..]).ok_or_else(|| JobError::Option {
                        problem: problem.name,
                        option: word.into(),
                        hint: hint(&word[2..], problem.options.iter().map(|option| option.name)),
                    })?;
                    let text = if option.domain.is_flag() { "" } else { value()? };
                    options.take(problem.options, problem.name, option.name, text)?;
                }
                _ if source.is_some() => return Err(JobError::Word(word.into())),
                _ => source = Some(Source::parse(word)?),
            }
        }
        let source = source.ok_or(JobError::Incomplete)?;
        let both = |(one, other): &(&str, &str)| options.flag(one) && options.flag(other);
        if let Some((one, other)) = problem.conflicts().find(both) {
            return Err(JobError::Conflict(one, other));
        }
        Ok(Job { problem, source, algorithm: algorithm.unwrap_or(Wanted::Auto), options, element })
    }

    /// The words of this job; defaults are left out.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![self.problem.name.to_owned(), self.source.to_string()];
        if !matches!(self.algorithm, Wanted::Auto) {
            words.extend(["-a".into(), self.algorithm.to_string()]);
        }
        for (name, value) in self.options.iter() {
            words.push(format!("--{name}"));
            words.extend(value);
        }
        if let Some(element) = self.element {
            words.extend(["--dtype".into(), element.to_string()]);
        }
        words
    }

    /// The words as a shell command line, quoted where needed.
    pub fn shell(&self) -> String {
        self.words().iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }

    /// The same job without the names of files: the reader of a link chooses a file.
    pub fn without_files(&self) -> Job {
        let hidden = |source: &Source| match source {
            Source::File(_) | Source::Stdin => Source::Chosen,
            source => source.clone(),
        };
        let mut job = Job { source: hidden(&self.source), ..self.clone() };
        for option in self.problem.options {
            if let Some(source) = self.options.stream(option.name) {
                job.options = job.options.with_stream(option, hidden(source));
            }
        }
        job
    }

    /// The words as a link, joined by `&`, [without the names of files](Self::without_files).
    pub fn link(&self) -> String {
        link_of(self.without_files().words().iter().map(String::as_str))
    }

    /// Reads a link of [`Self::link`].
    pub fn of_link(link: &str) -> Result<Job, JobError> {
        let words = words_of_link(link);
        Job::parse(words.iter().map(String::as_str))
    }

    /// The further streams that the options name, such as a mask, in the order of the options; and those that are read
    /// without an option, too ([`SideInput::without_option`]).
    pub fn beside(&self) -> impl Iterator<Item = (&'static Parameter, SideInput, &Source)> {
        self.problem.options.iter().filter_map(|option| match option.domain.custom {
            Some(CustomSyntax::Stream(side_input)) => {
                let source = self.options.stream(option.name).or(side_input.without_option())?;
                Some((option, side_input, source))
            }
            _ => None,
        })
    }

    /// The numbers in an item.
    pub fn arity(&self) -> u64 {
        self.options.operator().arity().into()
    }

    /// The numbers that belong together: the length is a multiple of it.
    pub fn whole(&self) -> u64 {
        (self.problem.whole)(&self.options) * self.arity()
    }

    /// All streams, the first one first, if the job generates its numbers.
    ///
    /// Errors: as [`Source::numbers`], and [`Error::Unsupported`] if the numbers must be read from somewhere.
    pub fn streams(&self) -> Result<Vec<Numbers>, Error> {
        let made = |source: &Source, element: Option<ElementType>| {
            let numbers = source.numbers(element)?;
            numbers.ok_or_else(|| {
                Error::from(Unsupported::request(format!("the numbers of {source} must be read first")))
            })
        };
        let first = made(&self.source, self.element)?;
        let given = InputInfo::of(&first);
        let items = self.request(given)?.len();
        let mut streams = vec![first];
        for (option, side_input, source) in self.beside() {
            let numbers = made(source, side_input.element(Some(given.element)))?;
            streams.push(self.stream(option.name, side_input, numbers, items, streams.first())?);
        }
        Ok(streams)
    }

    /// The stream that the request takes, from the one that is read for an option: edges of bins follow from the number of bins
    /// and the `first` stream, where its numbers are known.
    ///
    /// Errors: as [`SideInput::stream`] and [`even_edges`](crate::histogram::even_edges); [`SpecError`](crate::SpecError) for bins
    /// that need the first stream's numbers.
    pub fn stream(
        &self,
        option: &'static str,
        side_input: SideInput,
        read: Numbers,
        items: u64,
        first: Option<&Numbers>,
    ) -> Result<Numbers, Error> {
        let edges = match side_input {
            SideInput::Edges => edges::of_options(&self.options, read.element(), first)?,
            _ => None,
        };
        edges.map_or_else(|| side_input.stream(option, read, items), Ok)
    }

    /// Returns true if another job makes the same request of the same numbers, by any algorithm.
    pub fn asks_the_same(&self, other: &Job) -> bool {
        let alike = Job { algorithm: self.algorithm.clone(), ..other.clone() };
        *self == alike
    }

    /// The request, if the length of the numbers is known before they are read.
    ///
    /// Errors: as [`Self::request`].
    pub fn known_request(&self) -> Result<Option<Request>, Error> {
        let source_of = |kind| self.beside().find(|(_, side_input, _)| *side_input == kind);
        let len = |kind| source_of(kind).map_or(Some(0), |(.., source)| source.len());
        let (offsets, edges) = (len(SideInput::Offsets), len(SideInput::Edges));
        let keys = source_of(SideInput::Keys).map_or(Some(ElementType::U32), |(.., source)| source.element());
        let (Some(len), Some(offsets), Some(edges), Some(keys)) = (self.source.len(), offsets, edges, keys)
        else {
            return Ok(None);
        };
        let element = self.element.or(self.source.element()).unwrap_or(ElementType::U32);
        self.request(InputInfo { offsets, edges, keys, ..InputInfo::new(element, len) }).map(Some)
    }

    /// The request for all streams, the first one first, which `given` describes.
    ///
    /// Errors: as [`Self::request`].
    pub fn request_of(&self, given: InputInfo, streams: &[Numbers]) -> Result<Request, Error> {
        let beside = self.beside().zip(streams.iter().skip(1));
        self.request(beside.fold(given, |given, ((_, side_input, _), numbers)| {
            given.with(side_input, numbers.element(), numbers.len() as u64)
        }))
    }

    /// The request for a stream, without the offsets, edges and keys of options: its length does not depend on them.
    ///
    /// Errors: options that make no sense for it.
    pub fn request(&self, given: InputInfo) -> Result<Request, Error> {
        (self.problem.request)(&self.options, given)
    }
}

impl Job {
    /// The one algorithm that solves the job on a device, with its plan.
    ///
    /// Errors: as [`Choice::plan`] and [`registry::auto`], and [`Error::Unsupported`] if the job asks for all algorithms.
    pub fn choose(&self, request: &Request, device: &Device) -> Result<Chosen, Error> {
        match &self.algorithm {
            Wanted::Algorithm(choice) => choice.clone().chosen(request, device),
            Wanted::Auto => registry::auto(request, device),
            Wanted::All => {
                let reason = "this takes one algorithm, and the job asks for all; name one, or auto";
                Err(Unsupported::request(reason).into())
            }
        }
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shell())
    }
}

/// A word, quoted for a shell where needed.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+".contains(c);
    match word.chars().all(plain) && !word.is_empty() {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A link of words: percent-encoded, with `&` between them.
pub fn link_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(encoded).collect::<Vec<_>>().join("&")
}

/// The words of a link.
pub fn words_of_link(link: &str) -> Vec<String> {
    link.split('&').filter(|word| !word.is_empty()).map(decoded).collect()
}

/// A word, percent-encoded for a link where needed.
fn encoded(word: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:=,".contains(byte);
    let bytes = word.as_bytes().iter().map(|byte| match plain(byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    bytes.collect()
}

fn decoded(word: &str) -> String {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let Some((byte, others)) = rest.split_first() {
        // Two digits and nothing else: a sign is none.
        let hex = others.get(..2).filter(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        let hex = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match (byte, hex) {
            (b'%', Some(decoded)) => {
                bytes.push(decoded);
                rest = &others[2..];
            }
            (b'+', _) => {
                bytes.push(b' ');
                rest = others;
            }
            _ => {
                bytes.push(*byte);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{COMPACT, REDUCE, SCAN};

    /// Jobs as people write them, with nothing at its default.
    const JOBS: [&str; 8] = [
        "scan random:n=16,seed=7,max=9",
        "scan values:3,1,7 -a hybrid:reduce=2 --op max --exclusive --order 2 --tuple 3 --dtype i64",
        "scan photo.png -a all --channels",
        "compact - --keep '>=200' --moves both",
        "compact values:3,0,7 -a scatter:scan=look_back:group=64+vectors=2 --mask values:1,0,1",
        "compact 'my numbers.npy' -a points --mask 'it'\\''s.png'",
        "reduce ramp:n=16 -a packed:block=2 --op affine --dtype f32",
        "reduce file: --tuple 4",
    ];

    fn of_shell(text: &str) -> Job {
        // Unquotes as a shell does, for the quotes used here.
        let mut words = vec![String::new()];
        let (mut inside, mut escaped) = (false, false);
        for c in text.chars() {
            match c {
                _ if escaped => {
                    words.last_mut().unwrap().push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                '\'' => inside = !inside,
                ' ' if !inside => words.push(String::new()),
                c => words.last_mut().unwrap().push(c),
            }
        }
        Job::parse(words.iter().map(String::as_str)).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn what_is_read_is_printed_again() {
        for text in JOBS {
            assert_eq!(of_shell(text).shell(), text);
        }
    }

    #[test]
    fn a_percent_sign_without_two_hexadecimal_digits_is_itself() {
        let words = |link| words_of_link(link).join("|");
        assert_eq!(words("a%2Bb&c+d&%2b%41"), "a+b|c d|+A");
        assert_eq!(words("%+5&%5&%&%-1&%g1&%%41"), "% 5|%5|%|%-1|%g1|%A");
    }

    #[test]
    fn links_say_the_same_and_hold_no_names_of_files() {
        for text in JOBS {
            let job = of_shell(text);
            let link = job.link();
            assert!(
                link.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:=,&%".contains(&byte)),
                "{link}"
            );
            let opened = Job::of_link(&link).unwrap();
            let local = text.contains("png") || text.contains("npy") || text.contains(" - ");
            if local {
                assert_eq!(opened.source, Source::Chosen, "{link}");
                assert!(!link.contains("png") && !link.contains("npy"), "{link}");
            } else {
                assert_eq!(opened, job, "{link}");
            }
        }
    }

    #[test]
    fn what_is_no_job_is_refused_with_what_was_expected() {
        for (words, expected) in [
            ("", "there is no problem ''"),
            ("scam a.npy", "did you mean scan?"),
            ("scan", "expected PROBLEM INPUT"),
            ("scan a.npy b.npy", "unexpected word 'b.npy'"),
            ("scan a.npy -a hron", "did you mean horn?"),
            ("scan a.npy -a", "-a needs a value"),
            ("scan a.npy -a horn -a horn", "-a is given twice"),
            ("scan a.npy --keep >4", "scan has no option '--keep'"),
            ("scan a.npy --order 17", "order cannot be '17'; expected 1 to 16"),
            ("scan a.npy --order 2 --order 2", "order is given twice"),
            ("scan a.png --channels --tuple 3", "--tuple and --channels cannot be given together"),
            ("scan a.npy --op plus", "op cannot be 'plus'; expected add, mul"),
            ("compact a.npy --keep more", "keep cannot be 'more'; expected nonzero, or"),
            ("compact a.npy --mask random:n=x", "mask cannot be"),
            ("reduce a.npy --exclusive", "reduce has no option"),
            ("reduce a.npy --dtype u8", "--dtype cannot be 'u8'"),
            ("reduce random:n=x", "n cannot be 'x'"),
        ] {
            let error = Job::parse(words.split(' ')).unwrap_err().to_string();
            assert!(error.contains(expected), "{words}: {error}");
        }
    }

    #[test]
    fn a_request_is_asked_for_by_a_job() {
        let given = |element, len| InputInfo { channels: 3, ..InputInfo::new(element, len) };
        for (text, expected) in [
            (JOBS[1], "exclusive max scan of 12 i64, order 2, tuples of 3"),
            (JOBS[2], "inclusive add scan of 12 u32, tuples of 3"),
            (JOBS[3], "compaction of 12 u32, keeping >=200, values and indices"),
            (JOBS[4], "compaction of 12 u32, keeping what a mask says"),
            (JOBS[6], "affine reduction of 6 pairs of f32"),
        ] {
            let job = of_shell(text);
            let request = job.request(given(job.element.unwrap_or(ElementType::U32), 12)).unwrap();
            assert_eq!(request.to_string(), expected);
            // And back, except the mask, which no request holds, and channels, which are a tuple.
            let source = Source::Pattern { pattern: Pattern::Ramp, n: 12 };
            let again = Job::of(&request, source);
            let masked = job.options.stream("mask").is_some();
            assert!(masked || again.request(given(request.element(), 12)).unwrap() == request, "{again}");
        }
        assert!(of_shell(JOBS[6]).request(given(ElementType::F32, 11)).is_err());
        let known = |text| of_shell(text).known_request().unwrap().map(|request| request.to_string());
        assert_eq!(known("scan photo.png"), None);
        assert_eq!(known("scan values:-3,1,7").as_deref(), Some("inclusive add scan of 3 i32"));
        assert_eq!(known("reduce ramp:n=16 --dtype f32").as_deref(), Some("add reduction of 16 f32"));
        let plain =
            [SCAN, COMPACT, REDUCE].map(|problem| problem.plain(ElementType::U32, 4).unwrap().to_string());
        assert_eq!(plain[2], "add reduction of 4 u32");
    }
}
