//! Where a run's numbers come from: typed in, made on the spot, or read from a file.

use std::fmt;
use std::path::{Path, PathBuf};

use rasterscan::element::ElementType;
use rasterscan::random;
use rasterscan::trace::Values;

/// What is scanned or compacted.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// Numbers between white space or commas. Their number is that of the stream.
    Typed(String),
    Random(Random),
    Pattern(Pattern),
    /// A file of numbers, or an image: its luma, row by row.
    File(PathBuf),
}

/// Equally distributed numbers, those of `rasterscan scan random:n=...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Random {
    pub seed: u64,
    /// The greatest number; the least is 0.
    pub max: u32,
    /// The share of numbers that are not 0, from 0 to 1; `None` leaves that to chance.
    pub keep: Option<f64>,
}

impl Default for Random {
    fn default() -> Self {
        Random { seed: 7, max: 9, keep: None }
    }
}

/// Numbers with an order that can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// 0, 1, 2 ...
    Ramp,
    Ones,
    /// 1, 0, 1, 0 ...
    Alternating,
    /// A single 1 in the middle.
    Spike,
    /// Random numbers in ascending order.
    Sorted,
    /// Runs of ones and of zeros, of 1 to 8 numbers each.
    Runs,
}

impl Pattern {
    pub const ALL: [Pattern; 6] =
        [Pattern::Ramp, Pattern::Ones, Pattern::Alternating, Pattern::Spike, Pattern::Sorted, Pattern::Runs];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Ramp => "ramp",
            Pattern::Ones => "ones",
            Pattern::Alternating => "alternating",
            Pattern::Spike => "spike",
            Pattern::Sorted => "sorted",
            Pattern::Runs => "runs",
        }
    }

    fn numbers(self, count: u64) -> Vec<u64> {
        let random = |max| Random { max, ..Random::default() }.numbers(count);
        match self {
            Pattern::Ramp => (0..count).collect(),
            Pattern::Ones => vec![1; count as usize],
            Pattern::Alternating => (0..count).map(|i| (i + 1) % 2).collect(),
            Pattern::Spike => (0..count).map(|i| u64::from(i == count / 2)).collect(),
            Pattern::Sorted => {
                let mut numbers = random(99);
                numbers.sort_unstable();
                numbers
            }
            Pattern::Runs => {
                let lengths = random(7).into_iter().map(|length| length as usize + 1);
                let runs = lengths.enumerate().flat_map(|(run, length)| vec![(run as u64 + 1) % 2; length]);
                runs.take(count as usize).collect()
            }
        }
    }
}

impl Random {
    fn numbers(self, count: u64) -> Vec<u64> {
        let Random { seed, max, keep } = self;
        random::Random { seed, max: max.into(), keep }.values().take(count as usize).collect()
    }
}

/// What a file held.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    pub values: Values,
    /// What happened to the numbers on their way, where somebody may want to know.
    pub note: Option<String>,
}

/// Reads a file of numbers, wanted in an element and at most so many: the app has no readers of its own.
pub type Load = Box<dyn FnMut(&Path, ElementType, u64) -> Result<Loaded, String>>;

impl Data {
    /// The numbers themselves: `count` of them, or as many as were typed in or are in the file, but never more than
    /// `most`.
    ///
    /// Errors: in words, with what was expected.
    pub fn values(
        &self,
        element: ElementType,
        count: u64,
        most: u64,
        load: &mut Load,
    ) -> Result<Loaded, String> {
        let count = count.min(most);
        let plain = |values| Loaded { values, note: None };
        Ok(match self {
            Data::Typed(text) => {
                let values = Values::parse(element, text).map_err(|error| error.to_string())?;
                cut(plain(values), most)
            }
            Data::Random(random) => plain(words(element, &random.numbers(count))),
            Data::Pattern(pattern) => plain(words(element, &pattern.numbers(count))),
            Data::File(path) if path.as_os_str().is_empty() => {
                return Err("expected the name of a file: .npy, .csv, .txt, .png or .jpg".into());
            }
            Data::File(path) => cut(load(path, element, most)?, most),
        })
    }

    /// Whether the length of the stream is the data's and not the asker's.
    pub fn has_own_length(&self) -> bool {
        matches!(self, Data::Typed(_) | Data::File(_))
    }

    /// Reads a pattern as [`Self::argument`] writes it, with the length that it names; `None` for anything else.
    ///
    /// Errors: a setting that does not exist or cannot be what it is set to.
    pub fn pattern(text: &str) -> Result<Option<(Data, Option<u64>)>, String> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let Some(pattern) = Pattern::ALL.into_iter().find(|pattern| pattern.name() == name) else {
            return Ok(None);
        };
        let mut len = None;
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            if key != "n" {
                return Err(format!("{name}: there is no setting '{key}'; expected n"));
            }
            let wrong = || format!("{name}: n cannot be '{value}'; expected a number of items");
            len = Some(value.parse().map_err(|_| wrong())?);
        }
        Ok(Some((Data::Pattern(pattern), len)))
    }

    /// As INPUT of a command line; `None` for what was typed in, which goes to `--values`.
    pub fn argument(&self, count: u64) -> Option<String> {
        match self {
            Data::Typed(_) => None,
            Data::Random(random) => Some(format!("random:n={count}{random}")),
            Data::Pattern(pattern) => Some(format!("{}:n={count}", pattern.name())),
            Data::File(path) => Some(path.display().to_string()),
        }
    }
}

impl fmt::Display for Random {
    /// The settings but the length, each with a comma before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ",seed={},max={}", self.seed, self.max)?;
        self.keep.map_or(Ok(()), |share| write!(f, ",keep={share}"))
    }
}

fn cut(mut loaded: Loaded, most: u64) -> Loaded {
    let len = loaded.values.len() as u64;
    if len > most {
        loaded.values.words.truncate((most * u64::from(loaded.values.element.words())) as usize);
        let note = format!("the first {most} of {len} values");
        loaded.note = Some(loaded.note.map_or(note.clone(), |earlier| format!("{earlier}; {note}")));
    }
    loaded
}

/// Small whole numbers as the words of an element.
fn words(element: ElementType, numbers: &[u64]) -> Values {
    let words = |number: &u64| match element {
        ElementType::F32 => vec![(*number as f32).to_bits()],
        ElementType::U32 | ElementType::I32 => vec![*number as u32],
        ElementType::U64 | ElementType::I64 => vec![*number as u32, (*number >> 32) as u32],
    };
    Values { element, words: numbers.iter().flat_map(words).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_files() -> Load {
        Box::new(|path, _, _| Err(format!("no file {}", path.display())))
    }

    fn numbers(data: &Data, count: u64) -> Vec<u32> {
        data.values(ElementType::U32, count, 64, &mut no_files()).unwrap().values.words
    }

    #[test]
    fn patterns_look_as_they_are_called() {
        let pattern = |pattern| numbers(&Data::Pattern(pattern), 6);
        assert_eq!(pattern(Pattern::Ramp), [0, 1, 2, 3, 4, 5]);
        assert_eq!(pattern(Pattern::Ones), [1; 6]);
        assert_eq!(pattern(Pattern::Alternating), [1, 0, 1, 0, 1, 0]);
        assert_eq!(pattern(Pattern::Spike), [0, 0, 0, 1, 0, 0]);
        assert!(pattern(Pattern::Sorted).is_sorted());
        assert_eq!(pattern(Pattern::Runs).len(), 6);
        assert_eq!(numbers(&Data::Pattern(Pattern::Ramp), 1000).len(), 64, "never more than is allowed");
    }

    #[test]
    fn what_is_typed_in_is_read_cut_or_refused() {
        assert_eq!(numbers(&Data::Typed("3, 1 7".into()), 99), [3, 1, 7]);
        let long = Data::Typed("1 ".repeat(70));
        let loaded = long.values(ElementType::U32, 0, 64, &mut no_files()).unwrap();
        assert_eq!((loaded.values.len(), loaded.note.as_deref()), (64, Some("the first 64 of 70 values")));
        let wrong = Data::Typed("3 x".into()).values(ElementType::U32, 0, 64, &mut no_files());
        assert_eq!(wrong.unwrap_err(), "'x' (number 1, counted from 0) is no u32");
        let unnamed = Data::File(PathBuf::new()).values(ElementType::U32, 0, 64, &mut no_files());
        assert!(unnamed.unwrap_err().contains("expected the name of a file"));
    }

    #[test]
    fn arguments_lead_back_to_the_data() {
        let (data, len) = Data::pattern("spike:n=9").unwrap().unwrap();
        assert_eq!(data.argument(len.unwrap()).unwrap(), "spike:n=9");
        assert_eq!(Data::pattern("ramp").unwrap(), Some((Data::Pattern(Pattern::Ramp), None)));
        assert_eq!(Data::pattern("coins.png").unwrap(), None);
        for (text, expected) in [("ramp:max=2", "expected n"), ("ones:n=x", "a number of items")] {
            assert!(Data::pattern(text).unwrap_err().contains(expected), "{text}");
        }
    }

    #[test]
    fn zero_alone_is_never_kept() {
        let zeros = Data::Random(Random { max: 0, keep: Some(1.0), ..Random::default() });
        assert_eq!(numbers(&zeros, 9), [0; 9]);
    }
}
