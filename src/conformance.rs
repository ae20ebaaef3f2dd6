//! Conformance: the cases that every algorithm must get right on a device, as [`Job`]s, and how to check one.
//!
//! The cases are derived from the algorithms' cards (`src/algorithm/card.rs`): every algorithm of every problem with
//! the parameters of its [`Variants`], every element, every option of the problem, lengths from 0 on. They are shuffled
//! so that any prefix of the list samples all of them: a minute of checks covers a bit of everything.
//!
//! ```
//! use rasterscan::tools::conformance::{self, Verdict};
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! let gpu = rasterscan::Gpu::headless()?;
//! for job in conformance::jobs().into_iter().take(3) {
//!     let verdict = conformance::check(&gpu, &job);
//!     assert!(matches!(verdict, Verdict::Right(_) | Verdict::NotApplicable(_)), "{job}: {verdict:?}");
//! }
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```

use crate::algorithm::results::{Mismatch, Verified};
use crate::algorithm::{Arguments, Choice, CustomSyntax, Era, Parameter, SideInput, Variants, edges};
use crate::algorithm::{InputInfo, Problem};
use crate::element::ElementType;
use crate::error::Error;
use crate::gl::Gpu;
use crate::job::{Job, Pattern, Source};
use crate::operator::Operator;
use crate::problem;
use crate::random::{Random, bits};
use crate::registry;
use crate::task::Task;
use crate::unsupported::Unsupported;

/// The outcome of a case.
#[derive(Debug)]
pub enum Verdict {
    /// The result is right, as far as floats can be checked.
    Right(Verified),
    /// The device, the algorithm or the problem rules it out.
    NotApplicable(Unsupported),
    /// The result differs from the reference.
    Wrong(Mismatch),
    /// The run failed.
    Failed(Error),
}

/// The lengths, in items: zero, around warps, rows, tiles and work groups, and several of each.
const LENGTHS: [u64; 10] = [5000, 257, 1, 70_001, 1025, 0, 64, 33, 2, 3];

/// The length of the cases that follow the first ones: some drivers fail only in long loops.
const LONG: u64 = (1 << 20) + 7;

/// The algorithms of a problem, written as after `-a`, with each of the parameters that select other code; with `all`
/// also those that only change addresses and are slow to compile.
pub fn algorithms(problem: &'static Problem, all: bool) -> Vec<String> {
    let of_card = |card: &'static registry::Card| {
        let Variants { all: first, some } = card.variants;
        let more = if all { some } else { &[] };
        first.iter().chain(more).map(|variant| match *variant {
            "" => card.name.to_owned(),
            variant => format!("{}:{variant}", card.name),
        })
    };
    registry::of(problem).flat_map(of_card).collect()
}

/// The length of the cases with few kept elements, which lie as far apart as that: searches that walk take too long there.
const SPARSE: u64 = (1 << 22) + 7;

/// All cases of all problems. The first ones have a variant of each card, the next ones its defaults on a long stream, and
/// those of compactions on a sparse one. Then come all other variants once; the rest follow in a fixed mixed order.
pub fn jobs() -> Vec<Job> {
    let (mut first, mut variants) = (Vec::new(), Vec::new());
    let (mut long, mut sparse) = (Vec::new(), Vec::new());
    let mut others = Vec::new();
    for problem in problem::ALL {
        let requests = options(problem);
        let mut card = "";
        let defaults =
            registry::of(problem).filter(|card| card.era != Era::Cpu).map(registry::Card::with_defaults);
        for choice in defaults {
            let whole = job(problem, &choice, &Arguments::NONE, ElementType::U32, LONG);
            if *problem == *problem::COMPACT {
                let ends = Source::Pattern { pattern: Pattern::Ends, n: SPARSE };
                sparse.push(Job { source: ends, ..whole.clone() });
            }
            long.push(whole);
        }
        for text in algorithms(problem, true) {
            let Ok(choice) = Choice::parse(problem, &text) else { continue };
            if choice.card.era == Era::Cpu {
                continue;
            }
            let of_card = if card == choice.card.name { &mut variants } else { &mut first };
            card = choice.card.name;
            for (turn, options) in requests.iter().enumerate() {
                for element in ElementType::ALL {
                    if !accepts(problem, options, element) {
                        continue;
                    }
                    for (number, len) in LENGTHS.into_iter().enumerate() {
                        let plain = *options == Arguments::NONE && element == ElementType::U32 && number == 0;
                        let mut job = job(problem, &choice, options, element, len);
                        // No bin can end behind the greatest number of a type.
                        let spans_all = options.number(edges::BINS).is_some();
                        if [problem::SORT, problem::HISTOGRAM].contains(&problem) && !spans_all {
                            job.source = keys(element, job.source.len().unwrap_or(0), turn + number);
                        }
                        if plain { of_card.push(job) } else { others.push(job) }
                    }
                }
            }
        }
    }
    let mut keyed: Vec<(u64, Job)> = bits(0x5EED).zip(others).collect();
    keyed.sort_by_key(|(key, _)| *key);
    first
        .into_iter()
        .chain(long)
        .chain(sparse)
        .chain(variants)
        .chain(keyed.into_iter().map(|(_, job)| job))
        .collect()
}

/// No option, and each option with every value, or with some numbers of many.
fn options(problem: &'static Problem) -> Vec<Arguments> {
    let mut all = vec![Arguments::NONE];
    for option in problem.options.iter().filter(|option| option.name != "channels") {
        let texts: Vec<&str> = match option.domain.custom {
            Some(CustomSyntax::Text { examples, .. }) => examples.to_vec(),
            Some(CustomSyntax::Stream(SideInput::Values)) => vec!["3"],
            Some(CustomSyntax::Stream(_)) => {
                // Set when the length of the stream is known.
                all.push(Arguments::NONE.with_stream(option, mask(0)));
                continue;
            }
            None if option.domain.is_flag() => vec![""],
            None if option.domain.numbers.is_some() => vec!["2", "3", "5"],
            None => option.domain.words.to_vec(),
        };
        let set = |text: &str| Arguments::NONE.set(problem.options, problem.name, option.name, text).ok();
        all.extend(texts.into_iter().filter_map(set).filter(|options| *options != Arguments::NONE));
    }
    all
}

fn mask(len: u64) -> Source {
    Source::Random { n: len, numbers: Random { seed: 11, max: 9, keep: Some(0.4) } }
}

/// Keys of a sort, or items in bins, of one of several kinds: of few values and of all, equal, sorted, of one bit, in runs, and
/// the ends of the element's range. Each length begins with a kind of its own and has the next with each of the options, so every
/// card meets all kinds. In the other order, `--descending` has the sorted ones.
fn keys(element: ElementType, n: u64, kind: usize) -> Source {
    let random = |max| Source::Random { n, numbers: Random { seed: 7, max, keep: None } };
    let pattern = |pattern| Source::Pattern { pattern, n };
    // Beyond 2^24, not every integer is a float.
    let (most, ends) = match element {
        ElementType::U32 => (u32::MAX.into(), "4294967295,0,1,2147483648,2147483647"),
        ElementType::I32 => (i32::MAX as u64, "-2147483648,2147483647,0,-1,1"),
        ElementType::F32 => (1 << 24, "nan,-0.0,inf,0,-inf,-nan,1e-40,-1,-1e-40,3e38,-3e38"),
        ElementType::U64 => (u64::MAX, "18446744073709551615,0,4294967296,4294967295,1"),
        ElementType::I64 => {
            (i64::MAX as u64, "-9223372036854775808,9223372036854775807,-1,0,4294967296,-4294967297")
        }
    };
    match kind % 7 {
        0 => random(255),
        1 => random(most),
        2 => pattern(Pattern::Ones),
        3 => pattern(Pattern::Sorted),
        4 => pattern(Pattern::Alternating),
        5 => pattern(Pattern::Runs),
        // A command is not as long as a stream.
        _ if n > 300 => random(most),
        _ => {
            let ends: Vec<&str> = ends.split(',').collect();
            let several = (0..n as usize).map(|index| ends[index * index % 31 % ends.len()]);
            Source::Values(several.collect::<Vec<_>>().join(","))
        }
    }
}

/// Offsets in a stream of so many items: empty segments at both ends and in the middle, short ones, and a long one.
fn offsets(items: u64) -> Source {
    let middle = items / 2;
    let short = (0..40).map(|step| (middle + step * step / 2).min(items));
    let all = [0, 0, items / 3, middle, middle].into_iter().chain(short).chain([items, items]);
    Source::Values(all.map(|offset| offset.to_string()).collect::<Vec<_>>().join(","))
}

/// Edges of few bins, one of which is empty, and of more than shared memory holds.
fn edges(items: u64) -> Source {
    match items {
        0..10_000 => Source::Values("0,1,3,3,50,100,255".into()),
        _ => Source::Pattern { pattern: Pattern::Ramp, n: 20_001 },
    }
}

/// Returns true if a request can have these options on this element.
fn accepts(problem: &Problem, options: &Arguments, element: ElementType) -> bool {
    (problem.request)(options, InputInfo::new(element, 0)).is_ok()
}

/// A case of about this many items, in whole tuples.
fn job(
    problem: &'static Problem,
    choice: &Choice,
    options: &Arguments,
    element: ElementType,
    len: u64,
) -> Job {
    let operator = options.operator();
    let with = Job { options: options.clone(), ..Job::new(problem, Source::RANDOM) };
    let arity = u64::from(operator.arity());
    let n = len * arity / with.whole() * with.whole();
    // Products of floats soon overflow.
    let grows = element.is_float() && [Operator::MUL, Operator::AFFINE].contains(&operator);
    let numbers = Random { seed: 7, max: if grows { 1 } else { 255 }, keep: None };
    let mut job = Job { source: Source::Random { n, numbers }, ..with };
    let streams: Vec<&'static Parameter> = job
        .beside()
        .filter(|(_, side_input, _)| *side_input != SideInput::Values)
        .map(|(option, ..)| option)
        .filter(|option| options.stream(option.name).is_some())
        .collect();
    for option in streams {
        let items = n / arity;
        let source = match option.domain.custom {
            Some(CustomSyntax::Stream(SideInput::Offsets)) => offsets(items),
            Some(CustomSyntax::Stream(SideInput::Edges)) => edges(items),
            _ => mask(items),
        };
        job.options = job.options.with_stream(option, source);
    }
    Job { element: Some(element).filter(|element| *element != ElementType::U32), ..job.by(choice.clone()) }
}

/// Runs a case, which generates its numbers, and checks its result against the reference.
pub fn check(gpu: &Gpu, job: &Job) -> Verdict {
    match run(gpu, job) {
        Ok(Ok(verified)) => Verdict::Right(verified),
        Ok(Err(mismatch)) => Verdict::Wrong(mismatch),
        Err(Error::Unsupported(reason)) => Verdict::NotApplicable(reason),
        Err(error) => Verdict::Failed(error),
    }
}

fn run(gpu: &Gpu, job: &Job) -> Result<Result<Verified, Mismatch>, Error> {
    let task = Task::of_job(job)?;
    let Some(plan) = job.choose(task.request(), gpu.device())?.plan else {
        return Ok(task.verify(None, &task.solve()?));
    };
    let results = task.run(&mut task.prepare(gpu, &plan)?)?;
    Ok(task.verify(Some(plan.cost().depth), &results))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_beginning_of_the_cases_is_spread_over_all_of_them() {
        let jobs = jobs();
        let algorithms: usize =
            problem::ALL.map(|problem| self::algorithms(problem, true).len() - 1).iter().sum();
        let cards: usize = problem::ALL.map(|problem| problem.cards.len() - 1).iter().sum();
        let card = |job: &Job| {
            let choice = job.algorithm.named().expect("a case is of one algorithm");
            format!("{} {}", job.problem, choice.card.name)
        };
        for some in [&jobs[..cards], &jobs[cards..2 * cards]] {
            assert_eq!(some.iter().map(card).collect::<HashSet<_>>().len(), cards, "each card once");
        }
        let lengths = jobs[cards..2 * cards].iter().map(|job| job.streams().unwrap()[0].len());
        assert!(lengths.min() > Some(1 << 20), "long streams come early");
        let (short, others) = (&jobs[..cards], &jobs[2 * cards..]);
        let (sparse, others) = others.split_at(problem::COMPACT.cards.len() - 1);
        assert!(sparse.iter().all(|job| job.source.to_string().starts_with("ends:")));
        let name = |job: &Job| format!("{} {}", job.problem, job.algorithm);
        let rest = algorithms - cards;
        let first: HashSet<String> = short.iter().chain(&others[..rest]).map(name).collect();
        assert_eq!(first.len(), algorithms, "each algorithm once");
        let next = &others[rest..rest + 400];
        let of = |one: &dyn Fn(&Job) -> String| next.iter().map(one).collect::<HashSet<String>>().len();
        assert_eq!(of(&|job| job.problem.name.into()), problem::ALL.len());
        assert_eq!(of(&|job| format!("{:?}", job.element)), 5);
        assert!(of(&name) > algorithms / 2 && of(&|job| job.source.to_string()) > 20);
        assert!(of(&|job| format!("{:?}", job.options)) > 20);
    }

    #[test]
    fn sorts_get_every_kind_of_keys() {
        let sorts: Vec<Job> = jobs().into_iter().filter(|job| *job.problem == *problem::SORT).collect();
        for card in problem::SORT.cards.iter().filter(|card| card.era != Era::Cpu) {
            let of_card =
                |job: &&Job| job.algorithm.named().is_some_and(|choice| choice.card.name == card.name);
            let sources: HashSet<String> =
                sorts.iter().filter(of_card).map(|job| job.source.to_string()).collect();
            for begin in [
                "random:n=5000,seed=7,max=255",
                "random:n=257,seed=7,max=1844",
                "ones:",
                "sorted:",
                "alternating:",
                "runs:",
            ] {
                assert!(sources.iter().any(|source| source.starts_with(begin)), "{}: {begin}", card.name);
            }
            for word in
                ["-nan", "-0.0", "-inf", "-2147483648", "18446744073709551615", "-9223372036854775808"]
            {
                let with = |source: &String| source.starts_with("values:") && source.contains(word);
                assert!(sources.iter().any(with), "{}: {word}", card.name);
            }
        }
    }

    #[test]
    fn every_case_asks_for_something_and_can_be_printed() {
        for job in jobs().iter().step_by(37) {
            let words = job.words();
            let again =
                Job::parse(words.iter().map(String::as_str)).unwrap_or_else(|error| panic!("{job}: {error}"));
            assert_eq!(again, *job);
            assert!(Task::of_job(job).is_ok(), "{job}");
        }
    }
}
