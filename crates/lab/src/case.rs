//! A case: the request that every contender gets, and the stream that it is about.

use std::fmt;

use serde::de::Error as _;
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use rasterscan::tools::job::{Job, Pattern, Source};
use rasterscan::tools::problem::{self, COMPACT, InputInfo, Problem, SCAN, SORT};
use rasterscan::tools::random::Random;
use rasterscan::tools::registry::{Arguments, ChoiceError, SideInput};
use rasterscan::{ElementType, Error, ScanSpec, tools::Request};

use crate::document::facts;
use rasterscan_drawing::number::grouped;

/// A job on generated numbers, for any algorithm: so many items, whatever the operator. Random numbers are at most 255, which
/// suits all elements; the keys of a sort are spread over those that their type has from 0 on. Documents use the names of the command line.
#[derive(Debug, Clone)]
pub struct Case(Job);

impl PartialEq for Case {
    /// Compares what is asked, not how: of u32, `--bits 16` and `--bits 16..32` are one case.
    fn eq(&self, other: &Case) -> bool {
        let sources = |case: &Case| case.0.beside().map(|(_, _, source)| source.clone()).collect::<Vec<_>>();
        self.0 == other.0
            || self.0.source == other.0.source
                && self.0.element == other.0.element
                && sources(self) == sources(other)
                && matches!((self.request(), other.request()), (Ok(one), Ok(other)) if one == other)
    }
}

impl Case {
    /// The problem with its default options, on `n` u32.
    pub fn new(problem: &'static Problem, n: u64) -> Case {
        let source = Source::Random { n, numbers: random(problem, ElementType::U32, None) };
        Case(Job { element: Some(ElementType::U32), ..Job::new(problem, source) })
    }

    /// The scan of `n` u32 with `add`.
    pub fn scan(n: u64) -> Case {
        Case::new(SCAN, n)
    }

    /// The compaction that keeps this share of `n` u32.
    pub fn compact(n: u64, share: f64) -> Case {
        Case::new(COMPACT, n).with_share(share)
    }

    /// The same case with another element.
    pub fn of(self, element: ElementType) -> Case {
        let source = match self.pattern() {
            Some(_) => self.0.source.clone(),
            None => {
                Source::Random { n: self.elements(), numbers: random(self.problem(), element, self.share()) }
            }
        };
        Case(Job { element: Some(element), source, ..self.0 })
    }

    /// The same case with `n` items.
    pub fn with_len(&self, n: u64) -> Case {
        let source = self.0.source.with_len(n.saturating_mul(self.0.arity()));
        Case(Job { source, ..self.0.clone() })
    }

    /// The same case with this share of nonzero numbers.
    pub fn with_share(self, share: f64) -> Case {
        let numbers = random(self.problem(), self.element(), Some(share));
        Case(Job { source: Source::Random { n: self.elements(), numbers }, ..self.0 })
    }

    /// The same case with this pattern in place of random numbers.
    pub fn with_pattern(self, pattern: Pattern) -> Case {
        Case(Job { source: Source::Pattern { pattern, n: self.elements() }, ..self.0 })
    }

    /// The pattern; `None` for random numbers.
    pub fn pattern(&self) -> Option<Pattern> {
        if let Source::Pattern { pattern, .. } = self.0.source { Some(pattern) } else { None }
    }

    /// The same case with an option of the problem, as written on the command line; for a flag, the text is empty.
    ///
    /// Errors: the problem has no such option, or the option no such value.
    pub fn with(self, option: &str, text: &str) -> Result<Case, ChoiceError> {
        let options = self.0.options.set(self.0.problem.options, self.0.problem.name, option, text)?;
        Ok(self.with_options(options))
    }

    /// The same case with these options of the problem.
    pub fn with_options(self, options: Arguments) -> Case {
        let n = self.n();
        Case(Job { options, ..self.0 }).with_len(n)
    }

    /// The same scan, exclusive.
    pub fn exclusive(self) -> Case {
        self.known("exclusive", "")
    }

    /// The same scan of this order.
    pub fn order(self, order: u32) -> Case {
        self.known("order", &order.to_string())
    }

    /// The same case with tuples of this size.
    pub fn tuple(self, tuple: u32) -> Case {
        self.known("tuple", &tuple.to_string())
    }

    /// The same case with an option; unchanged if the problem does not have it.
    fn known(self, option: &str, text: &str) -> Case {
        let unchanged = self.clone();
        self.with(option, text).unwrap_or(unchanged)
    }

    /// The number of items: numbers, or pairs of them for affine.
    pub fn n(&self) -> u64 {
        self.elements() / self.0.arity()
    }

    /// The number of elements in the stream.
    pub fn elements(&self) -> u64 {
        self.0.source.len().unwrap_or(0)
    }

    /// The type of the numbers.
    pub fn element(&self) -> ElementType {
        self.0.element.unwrap_or(ElementType::U32)
    }

    /// The problem to solve.
    pub fn problem(&self) -> &'static Problem {
        self.0.problem
    }

    /// The share of nonzero numbers, from 0 to 1; `None` leaves that to chance.
    pub fn share(&self) -> Option<f64> {
        match &self.0.source {
            Source::Random { numbers, .. } => numbers.keep,
            _ => None,
        }
    }

    /// The case as a job. Generated flags are as many as the items.
    pub fn job(&self) -> Job {
        let sized = |options: Arguments, (option, side_input, source): (_, SideInput, &Source)| {
            if side_input.is_as_long() {
                options.with_stream(option, source.with_len(self.n()))
            } else {
                options
            }
        };
        Job { options: self.0.beside().fold(self.0.options.clone(), sized), ..self.0.clone() }
    }

    /// Items that belong together: the length is a multiple of it.
    pub fn whole(&self) -> u64 {
        self.0.whole() / self.0.arity()
    }

    /// The request.
    ///
    /// Errors: a request that no device can take at this length.
    pub fn request(&self) -> Result<Request, Error> {
        self.0.request(InputInfo::new(self.element(), self.elements()))
    }

    /// The stream alone, as a spec for a copy of it.
    pub fn stream(&self) -> ScanSpec {
        ScanSpec::of(self.element(), self.n()).operator(self.0.options.operator())
    }

    /// Everything except the length, for people: `exclusive u64, order 8`; empty if all is default.
    pub fn particulars(&self) -> String {
        let mut words = Vec::new();
        if let Some(share) = self.share() {
            words.push(format!("{}% kept", percent(share)));
        }
        words.extend(self.pattern().map(|pattern| pattern.name().into()));
        if self.element() != ElementType::U32 {
            words.push(self.element().to_string());
        }
        words.extend(self.0.options.iter().map(|(name, value)| match (name, value) {
            (flag, None) => flag.into(),
            ("op", Some(operator)) => operator,
            ("tuple", Some(tuple)) => format!("{tuple}-tuples"),
            (name, Some(value)) => format!("{name} {value}"),
        }));
        words.join(", ")
    }

    /// The facts that documents give beside its problem, length and element.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        self.request().map_or(Vec::new(), |request| request.facts())
    }
}

/// The numbers of a problem. Floats stay below those whole numbers that they skip.
fn random(problem: &Problem, element: ElementType, keep: Option<f64>) -> Random {
    let max = match element {
        _ if *problem != *SORT => 255,
        ElementType::U32 => u32::MAX.into(),
        ElementType::I32 => i32::MAX as u64,
        ElementType::F32 => 1 << 24,
        ElementType::U64 => u64::MAX,
        ElementType::I64 => i64::MAX as u64,
    };
    Random { seed: 7, max, keep }
}

/// 0.6 as 60, 0.125 as 12.5.
fn percent(share: f64) -> f64 {
    (share * 1e6).round() / 1e4
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.problem().noun, length(self.n()))?;
        match self.particulars() {
            particulars if particulars.is_empty() => Ok(()),
            particulars => write!(f, ", {particulars}"),
        }
    }
}

/// A length for people; powers of two from 1024 on are written as such.
pub fn length(n: u64) -> String {
    if n >= 1024 && n.is_power_of_two() { format!("2^{}", n.trailing_zeros()) } else { grouped(n) }
}

impl Serialize for Case {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let request = self.request().map_err(S::Error::custom)?;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("family", self.problem().name)?;
        map.serialize_entry("n", &self.n())?;
        map.serialize_entry("element", self.element().name())?;
        facts(&self.0, &request).try_for_each(|(name, value)| map.serialize_entry(name, &value))?;
        if let Some(share) = self.share() {
            map.serialize_entry("share", &share)?;
        }
        if let Some(pattern) = self.pattern() {
            map.serialize_entry("pattern", pattern.name())?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Case {
    /// Older documents give a compaction an operator. Fields that are no option of the problem are ignored.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Case, D::Error> {
        #[derive(Deserialize)]
        struct Fields {
            family: String,
            n: u64,
            element: String,
            #[serde(default)]
            share: Option<f64>,
            #[serde(default)]
            pattern: Option<String>,
            #[serde(flatten)]
            facts: serde_json::Map<String, serde_json::Value>,
        }
        let Fields { family, n, element, share, pattern, facts } = Fields::deserialize(deserializer)?;
        let problem =
            problem::named(&family).ok_or_else(|| D::Error::custom(format!("unknown family {family}")))?;
        let known = ElementType::ALL.into_iter().find(|known| known.name() == element);
        let element = known.ok_or_else(|| D::Error::custom(format!("unknown element {element}")))?;
        let case = Case::new(problem, n).of(element);
        let mut case = share.map_or(case.clone(), |share| case.with_share(share));
        if let Some(name) = pattern {
            let known = Pattern::named(&name);
            case =
                case.with_pattern(known.ok_or_else(|| D::Error::custom(format!("unknown pattern {name}")))?);
        }
        for (name, value) in facts {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            // A flag shows as the value of a fact: "kind": "exclusive".
            let flag = problem.option(&text).filter(|option| option.domain.is_flag());
            let set = match (problem.option(&name), flag) {
                (Some(option), _) => Some((option.name, text.as_str())),
                (None, Some(flag)) => Some((flag.name, "")),
                (None, None) => None,
            };
            if let Some((name, text)) = set {
                case = case.with(name, text).map_err(D::Error::custom)?;
            }
        }
        case.request().map_err(D::Error::custom)?;
        Ok(case)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rasterscan::SortSpec;
    use rasterscan::tools::problem::REDUCE;
    use rasterscan::tools::{Numbers, for_element};

    use super::*;

    #[test]
    fn documents_name_cases_as_the_command_line_does_and_read_them_again() {
        let case = Case::scan(1 << 20).of(ElementType::I64).order(2);
        let text = serde_json::to_string(&case).unwrap();
        let expected = r#"{"family":"scan","n":1048576,"element":"i64","op":"add","kind":"inclusive","order":2,"tuple":1}"#;
        assert_eq!(text, expected);
        let again = |case: Case| {
            let text = serde_json::to_string(&case).unwrap();
            assert_eq!(serde_json::from_str::<Case>(&text).unwrap(), case, "{text}");
        };
        again(case.clone());
        again(case.clone().exclusive().tuple(4));
        again(Case::compact(1000, 0.25));
        again(Case::compact(1000, 0.25).with_pattern(Pattern::LongRuns));
        again(case.clone().with("rows", "1024").unwrap().with("reverse", "").unwrap());
        again(case.clone().order(1).with("columns", "1024").unwrap().with("seed-value", "5").unwrap());
        again(case.clone().order(1).with("segments", "random:n=1,seed=7,max=255,keep=0.1").unwrap());
        again(Case::new(REDUCE, 30).with("op", "max").unwrap().tuple(3));
        again(Case::new(SORT, 30).with("descending", "").unwrap().with("bits", "8..24").unwrap());
        again(Case::new(SORT, 30).of(ElementType::I64).with("bits", "16").unwrap());
        assert_ne!(Case::new(SORT, 30), Case::new(SORT, 30).with("bits", "16").unwrap());
        let wrong = text.replace("i64", "i65");
        assert!(serde_json::from_str::<Case>(&wrong).unwrap_err().to_string().contains("element i65"));
        let old = r#"{"family":"compact","n":8,"element":"u32","op":"add","kind":"inclusive","order":1,"tuple":1,"share":0.6}"#;
        assert_eq!(serde_json::from_str::<Case>(old).unwrap(), Case::compact(8, 0.6));
    }

    #[test]
    fn cases_are_told_in_few_words() {
        assert_eq!(Case::scan(1 << 20).to_string(), "scan of 2^20");
        assert_eq!(Case::compact(1000, 0.125).to_string(), "compaction of 1,000, 12.5% kept");
        let case = Case::compact(1000, 0.5).with_pattern(Pattern::LongRuns);
        assert_eq!(case.to_string(), "compaction of 1,000, long_runs");
        let case = Case::scan(12_345).with("op", "affine").unwrap().exclusive().tuple(3);
        assert_eq!(case.to_string(), "scan of 12,345, affine, exclusive, 3-tuples");
        assert_eq!(Case::new(REDUCE, 5).to_string(), "reduction of 5");
    }

    #[test]
    fn numbers_are_as_many_as_the_case_says_and_the_share_is_kept() {
        let numbers = |case: Case| case.job().streams().unwrap().swap_remove(0);
        assert_eq!(numbers(Case::scan(500).with("op", "affine").unwrap()).len(), 1000);
        let Numbers::I64(kept) = numbers(Case::compact(10_000, 0.3).of(ElementType::I64)) else { panic!() };
        let kept = kept.iter().filter(|value| **value != 0).count();
        assert!((2_800..3_200).contains(&kept), "{kept}");
        let Numbers::F32(floats) = numbers(Case::scan(1000).of(ElementType::F32)) else { panic!() };
        assert!(floats.iter().all(|value| (0.0..=255.0).contains(value)));
        // The highest bits of keys differ, too.
        for element in ElementType::ALL {
            let keys = numbers(Case::new(SORT, 1000).of(element).with("bits", "16").unwrap());
            for_element!(element, T => {
                let keys: &[T] = keys.get().unwrap();
                let spec = SortSpec::of(element, 1000).bits(32 * element.words() - 16..32 * element.words());
                let ranks: BTreeSet<u64> = keys.iter().map(|key| spec.rank(*key)).collect();
                assert!(ranks.len() > 100, "{element}: {}", ranks.len());
            });
        }
    }

    /// The stream of a case is the one that its command reads.
    #[test]
    fn the_job_of_a_case_says_all_of_it() {
        let case = Case::scan(8).order(2);
        assert_eq!(case.job().shell(), "scan random:n=8,seed=7,max=255 --order 2 --dtype u32");
        let words = case.job().words();
        assert_eq!(Job::parse(words.iter().map(String::as_str)).unwrap(), case.job());
    }
}
