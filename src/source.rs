//! The source of a job's numbers.

use std::fmt;
use std::iter;
use std::path::PathBuf;

use crate::element::ElementType;
use crate::error::Error;
use crate::hint::hint;
use crate::limits::MAX_LEN;
use crate::numbers::{Numbers, words};
use crate::random::Random;
use crate::unsupported::Unsupported;
use crate::word::{Narrowest, WordError};

/// The INPUT of a job. It is read and written as a word: `random:n=16,seed=7,max=9`, `ramp:n=16`, `values:3,1,7`, `-`,
/// or the name of a file.
///
/// ```
/// use rasterscan::tools::job::Source;
/// use rasterscan::tools::Numbers;
///
/// let source = Source::parse("values:3,1,7").unwrap();
/// assert_eq!(source.numbers(None).unwrap(), Some(Numbers::U32(vec![3, 1, 7])));
/// assert_eq!(source.to_string(), "values:3,1,7");
/// assert_eq!(Source::parse("coins.png").unwrap().numbers(None).unwrap(), None); // the caller reads files
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// Generated numbers, the same on every machine.
    Random {
        /// The number of values.
        n: u64,
        /// Seed, greatest value and share of nonzero values.
        numbers: Random,
    },
    /// Numbers in a visible pattern.
    Pattern {
        /// The pattern's kind.
        pattern: Pattern,
        /// The number of values.
        n: u64,
    },
    /// Numbers as text, separated by commas or white space.
    Values(String),
    /// Standard input: `-`.
    Stdin,
    /// A file, by its path.
    File(PathBuf),
    /// A file that is chosen when a link is opened: links hold no names of local files.
    Chosen,
}

/// The reason why a text is not an INPUT.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(pub String);

impl Source {
    /// A million random numbers from 0 to 255.
    pub const RANDOM: Source =
        Source::Random { n: 1_000_000, numbers: Random { seed: 7, max: 255, keep: None } };

    /// Reads a word. A word of no other form is the name of a file.
    ///
    /// Errors: an unknown setting, or a wrong value of one.
    pub fn parse(text: &str) -> Result<Source, SourceError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        if let Some(pattern) = Pattern::named(name) {
            let mut n = 16;
            settings(name, rest, &["n"], |_, value| {
                n = whole(value).ok_or("a number of items")?;
                Ok(())
            })?;
            return Ok(Source::Pattern { pattern, n });
        }
        match (name, rest) {
            ("-", "") if text == "-" => Ok(Source::Stdin),
            ("random", rest) => Source::random(rest),
            ("values", rest) if text != "values" => Ok(Source::Values(rest.into())),
            ("file", "") if text == "file:" => Ok(Source::Chosen),
            _ => Ok(Source::File(text.into())),
        }
    }

    fn random(text: &str) -> Result<Source, SourceError> {
        let Source::Random { mut n, mut numbers } = Source::RANDOM else { unreachable!() };
        let Random { seed, max, keep } = &mut numbers;
        settings("random", text, &["n", "seed", "max", "keep"], |name, value| {
            let number = || whole(value).ok_or("0 to 18446744073709551615, or a power such as 2^20");
            match name {
                "n" => n = number()?,
                "seed" => *seed = number()?,
                "max" => *max = number()?,
                _ => {
                    let share = value.parse().ok().filter(|share| (0.0..=1.0).contains(share));
                    *keep = Some(share.ok_or("a share from 0 to 1")?);
                }
            }
            Ok(())
        })?;
        if numbers.keep.is_some() && numbers.max == 0 {
            let what = "random: keep= is the share of nonzero values, and max=0 allows none";
            return Err(SourceError(what.into()));
        }
        Ok(Source::Random { n, numbers })
    }

    /// The number of values; `None` if that is not known before they are read.
    pub fn len(&self) -> Option<u64> {
        match self {
            Source::Random { n, .. } | Source::Pattern { n, .. } => Some(*n),
            Source::Values(text) => Some(words(text).count() as u64),
            Source::Stdin | Source::File(_) | Source::Chosen => None,
        }
    }

    /// Returns true if there are none, as far as that is known.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Returns true if the numbers are generated, in any length.
    pub fn is_made(&self) -> bool {
        matches!(self, Source::Random { .. } | Source::Pattern { .. })
    }

    /// The same source with `n` numbers, if they are generated.
    pub fn with_len(&self, n: u64) -> Source {
        match self {
            Source::Random { numbers, .. } => Source::Random { n, numbers: *numbers },
            Source::Pattern { pattern, .. } => Source::Pattern { pattern: *pattern, n },
            other => other.clone(),
        }
    }

    /// The type of the numbers by default; `None` if that is not known before they are read.
    pub fn element(&self) -> Option<ElementType> {
        match self {
            Source::Random { numbers, .. } if u32::try_from(numbers.max).is_err() => Some(ElementType::U64),
            Source::Random { .. } | Source::Pattern { .. } => Some(ElementType::U32),
            Source::Values(text) => {
                let mut narrowest = Narrowest::default();
                match words(text).try_for_each(|word| narrowest.add(word)) {
                    Ok(()) => Some(narrowest.element()),
                    // The type of the error that follows.
                    Err(WordError::DoesNotFit(element)) => Some(element),
                    Err(_) => None,
                }
            }
            Source::Stdin | Source::File(_) | Source::Chosen => None,
        }
    }

    /// The numbers as this element, or else as their own; `None` if they must be read from somewhere.
    ///
    /// Errors: more numbers than a stream holds, found before any is made; a number that does not fit; memory.
    pub fn numbers(&self, element: Option<ElementType>) -> Result<Option<Numbers>, Error> {
        let own = || element.or(self.element()).unwrap_or(ElementType::U32);
        if let Some(n) = self.len().filter(|n| *n > MAX_LEN) {
            return Err(Unsupported::too_large(format!("too many values: {n} (limit {MAX_LEN})")).into());
        }
        Ok(Some(match (self, self.whole_numbers()) {
            (Source::Values(text), _) => Numbers::parse(own(), text)?,
            (_, Some(made)) => Numbers::of_whole(own(), self.len().unwrap_or(0) as usize, made)?,
            _ => return Ok(None),
        }))
    }

    /// The numbers one by one, at least as many as there are, if they are generated; of any length.
    pub fn whole_numbers(&self) -> Option<Box<dyn Iterator<Item = u64> + Send>> {
        match self {
            Source::Random { numbers, .. } => Some(Box::new(numbers.values())),
            Source::Pattern { pattern, n } => Some(pattern.numbers(*n)),
            Source::Values(_) | Source::Stdin | Source::File(_) | Source::Chosen => None,
        }
    }
}

/// Passes each `name=value` of a text to `set`, which returns what it expected if the value is wrong.
fn settings(
    of: &str,
    text: &str,
    known: &[&str],
    mut set: impl FnMut(&str, &str) -> Result<(), &'static str>,
) -> Result<(), SourceError> {
    for setting in text.split(',').filter(|setting| !setting.is_empty()) {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        if !known.contains(&name) {
            let hint = hint(name, known.iter().copied());
            return Err(SourceError(format!("{of}: unknown setting '{name}'; {hint}")));
        }
        set(name, value).map_err(|expected| {
            SourceError(format!("{of}: {name} cannot be '{value}'; expected {expected}"))
        })?;
    }
    Ok(())
}

/// A whole number as people write it: 2048 or 2^11.
pub fn whole(text: &str) -> Option<u64> {
    match text.strip_prefix("2^") {
        Some(exponent) => 2u64.checked_pow(exponent.parse().ok()?),
        None => text.parse().ok(),
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Random { n, numbers: Random { seed, max, keep } } => {
                write!(f, "random:n={n},seed={seed},max={max}")?;
                keep.map_or(Ok(()), |share| write!(f, ",keep={share}"))
            }
            Source::Pattern { pattern, n } => write!(f, "{}:n={n}", pattern.name()),
            Source::Values(text) => {
                write!(f, "values:{}", words(text).map(|word| word.0).collect::<Vec<_>>().join(","))
            }
            Source::Stdin => f.write_str("-"),
            Source::File(path) => path.display().fmt(f),
            Source::Chosen => f.write_str("file:"),
        }
    }
}

/// Numbers in a visible pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// 0, 1, 2 ...
    Ramp,
    /// 1, 1, 1 ...
    Ones,
    /// 1, 0, 1, 0 ...
    Alternating,
    /// A single 1 in the middle.
    Spike,
    /// A 1 at each end, and zeros between them.
    Ends,
    /// Random numbers in ascending order.
    Sorted,
    /// Runs of ones and of zeros, of 1 to 8 numbers each.
    Runs,
    /// The same, of 1 to 65,536 numbers each.
    LongRuns,
}

impl Pattern {
    /// All patterns, in the order of the program's help.
    pub const ALL: [Pattern; 8] = [
        Pattern::Ramp,
        Pattern::Ones,
        Pattern::Alternating,
        Pattern::Spike,
        Pattern::Ends,
        Pattern::Sorted,
        Pattern::Runs,
        Pattern::LongRuns,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Ramp => "ramp",
            Pattern::Ones => "ones",
            Pattern::Alternating => "alternating",
            Pattern::Spike => "spike",
            Pattern::Ends => "ends",
            Pattern::Sorted => "sorted",
            Pattern::Runs => "runs",
            Pattern::LongRuns => "long_runs",
        }
    }

    /// The pattern of a name; `None` if there is none.
    pub fn named(name: &str) -> Option<Pattern> {
        Pattern::ALL.into_iter().find(|pattern| pattern.name() == name)
    }

    /// At least `count` numbers, made one by one.
    fn numbers(self, count: u64) -> Box<dyn Iterator<Item = u64> + Send> {
        let random = |max| Random { max, seed: 7, keep: None }.values();
        match self {
            Pattern::Ramp => Box::new(0..count),
            Pattern::Ones => Box::new(iter::repeat_n(1, count as usize)),
            Pattern::Alternating => Box::new((0..count).map(|i| (i + 1) % 2)),
            Pattern::Spike => Box::new((0..count).map(move |i| u64::from(i == count / 2))),
            Pattern::Ends => Box::new((0..count).map(move |i| u64::from(i == 0 || i + 1 == count))),
            Pattern::Sorted => {
                // Sorted by counting: there are few different ones.
                let mut counts = [0usize; 100];
                random(99).take(count as usize).for_each(|number| counts[number as usize] += 1);
                Box::new((0..).zip(counts).flat_map(|(number, count)| iter::repeat_n(number, count)))
            }
            Pattern::Runs | Pattern::LongRuns => {
                let longest = if self == Pattern::Runs { 8 } else { 1 << 16 };
                let lengths = random(longest - 1).map(|length| length as usize + 1);
                Box::new(
                    lengths
                        .enumerate()
                        .flat_map(|(run, length)| iter::repeat_n((run as u64 + 1) % 2, length)),
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<u32> {
        let numbers = Source::parse(text).unwrap().numbers(Some(ElementType::U32)).unwrap().unwrap();
        numbers.words().to_vec()
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        for (text, expected) in [
            ("random:n=many", "n cannot be 'many'"),
            ("random:n", "n cannot be ''"),
            ("random:n=-1", "n cannot be '-1'"),
            ("random:n=2^64", "n cannot be '2^64'"),
            ("random:n=3^2", "or a power such as 2^20"),
            ("random:sead=1", "did you mean seed?"),
            ("random:keap=0.6", "did you mean keep?"),
            ("random:keep=1.01", "keep cannot be '1.01'; expected a share from 0 to 1"),
            ("random:keep=-0.1", "keep cannot be '-0.1'"),
            ("random:keep=nan", "keep cannot be 'nan'"),
            ("random:keep", "keep cannot be ''"),
            ("random:keep=0.6,max=0", "max=0 allows none"),
            ("ramp:max=2", "expected one of n"),
            ("ones:n=x", "a number of items"),
        ] {
            let error = Source::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        for n in [MAX_LEN + 1, u64::MAX] {
            assert!(Source::RANDOM.with_len(n).numbers(None).is_err());
        }
    }

    #[test]
    fn what_is_printed_says_the_same_again() {
        let parse = |text: &str| Source::parse(text).unwrap();
        assert_eq!(parse("random:n=2^20,max=2^3"), parse("random:n=1048576,max=8"));
        assert_eq!(parse("random"), Source::RANDOM);
        for text in [
            "random:n=5,seed=1,max=9",
            "random:n=5,seed=1,max=9,keep=0.3",
            "random:n=5,seed=1,max=9,keep=0.000000001",
            "spike:n=9",
            "values:3,1,7",
            "values:",
            "-",
            "file:",
            "coins.png",
            "values",
            "a:b.npy",
        ] {
            assert_eq!(parse(text).to_string(), text);
        }
    }

    #[test]
    fn patterns_look_as_they_are_called() {
        assert_eq!(numbers("ramp:n=6"), [0, 1, 2, 3, 4, 5]);
        assert_eq!(numbers("ones:n=6"), [1; 6]);
        assert_eq!(numbers("alternating:n=6"), [1, 0, 1, 0, 1, 0]);
        assert_eq!(numbers("spike:n=6"), [0, 0, 0, 1, 0, 0]);
        assert_eq!(numbers("ends:n=4"), [1, 0, 0, 1]);
        assert!(numbers("sorted:n=6").is_sorted());
        let longest = |text| numbers(text).chunk_by(u32::eq).map(<[u32]>::len).max().unwrap();
        assert_eq!(longest("runs:n=2^12"), 8);
        assert!(
            (1 << 15..=1 << 16).contains(&longest("long_runs:n=2^20")),
            "{}",
            longest("long_runs:n=2^20")
        );
    }

    #[test]
    fn numbers_are_of_the_smallest_type_that_holds_them_unless_one_is_asked_for() {
        let own = |text: &str| Source::parse(text).unwrap().numbers(None).unwrap().unwrap();
        assert_eq!(own("values:3, 1 7"), Numbers::U32(vec![3, 1, 7]));
        assert_eq!(own("values:-3"), Numbers::I32(vec![-3]));
        assert_eq!(own("values:4294967296"), Numbers::U64(vec![1 << 32]));
        assert_eq!(own("values:1.5"), Numbers::F32(vec![1.5]));
        assert_eq!(own("random:n=3,max=2^40").element(), ElementType::U64);
        let asked = |text: &str, element| Source::parse(text).unwrap().numbers(Some(element));
        assert_eq!(asked("ones:n=2", ElementType::F32).unwrap(), Some(Numbers::F32(vec![1.0; 2])));
        assert!(asked("random:n=9,max=2^40", ElementType::U32).is_err());
        // As in a text file: no integer becomes another, and no number an infinity.
        for text in
            ["values:1e400", "values:1e39", "values:99999999999999999999", "values:-99999999999999999999"]
        {
            assert!(Source::parse(text).unwrap().numbers(None).is_err(), "{text}");
            assert!(asked(text, ElementType::F32).is_err(), "{text}");
        }
        assert!(asked("values:16777217", ElementType::F32).is_err());
        let error = Source::parse("values:1,1e400").unwrap().numbers(None).unwrap_err().to_string();
        assert_eq!(error, "'1e400' (number 1, counted from 0) does not fit f32");
        assert_eq!(own("values:inf,1"), Numbers::F32(vec![f32::INFINITY, 1.0]));
        assert_eq!(asked("values:3.0,1e1", ElementType::U32).unwrap(), Some(Numbers::U32(vec![3, 10])));
        let wrong = asked("values:3,x", ElementType::U32).unwrap_err();
        assert_eq!(wrong.to_string(), "'x' (number 1, counted from 0) is not a valid u32");
    }
}
