//! Recordings for the tests: every algorithm of the registry with every word of every parameter.

use rasterscan::tools::Numbers;
use rasterscan::tools::problem::{COMPACT, Problem};
use rasterscan::tools::registry::{self, Card, Choice, Era};
use rasterscan::trace::Recording;
use rasterscan::{
    ElementType, Error, Gpu, HistogramSpec,
    tools::{Request, Task},
};
use rasterscan_runner::scan::in_tiles;

/// Every algorithm that has passes, by default and with each word and smallest number of its parameters. Small tiles,
/// since large ones compile slowly and hold all of a short stream.
pub fn choices() -> Vec<Choice> {
    let mut choices: Vec<Choice> =
        registry::all().filter(|card| card.era != Era::Cpu).flat_map(of_card).collect();
    // Cases that need two words.
    choices.push(choice(COMPACT, "blocks:size=8,wrap=geometry,draw=quads"));
    choices.push(choice(COMPACT, "blocks:size=8,inner=packed,ends=fetched,search=for"));
    choices
}

fn of_card(card: &'static Card) -> Vec<Choice> {
    let small = |name: &str| in_tiles(card) && matches!(name, "group" | "vectors");
    let least = |parameter: &registry::Parameter| {
        let number = parameter.domain.numbers.as_ref().map_or(1, |numbers| numbers.min.max(1));
        format!("{}={number}", parameter.name)
    };
    let base: Vec<String> = card.parameters.iter().filter(|p| small(p.name)).map(least).collect();
    let mut texts = vec![base.clone()];
    for parameter in card.parameters.iter().filter(|parameter| !small(parameter.name)) {
        for word in parameter.domain.words {
            texts.push([&base[..], &[format!("{}={word}", parameter.name)]].concat());
        }
        if parameter.domain.numbers.is_some() {
            texts.push([&base[..], &[least(parameter)]].concat());
        }
        // Cases that need both.
        for word in
            parameter.domain.words.iter().filter(|_| card.parameters.iter().any(|p| p.name == "block"))
        {
            let block = card.parameters.iter().find(|p| p.name == "block").expect("just found");
            if parameter.name != "block" {
                texts.push(vec![format!("{}={word}", parameter.name), least(block)]);
            }
        }
    }
    let parse = |arguments: Vec<String>| {
        let text = format!("{}:{}", card.name, arguments.join(","));
        Choice::parse(card.problem, &text).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    texts.into_iter().map(parse).collect()
}

pub fn choice(problem: &'static Problem, text: &str) -> Choice {
    Choice::parse(problem, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Four-digit numbers, which are unlikely to equal an index.
pub fn numbers(count: usize, seed: u64) -> Vec<u32> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    (0..count).map(|_| 1000 + next() % 9000).collect()
}

/// The same with about two fifths of zeros.
pub fn sparse(count: usize, seed: u64) -> Vec<u32> {
    numbers(count, seed).into_iter().map(|number| if number % 5 < 2 { 0 } else { number }).collect()
}

/// A default request of an algorithm's problem, over `len` items.
pub fn request(problem: &'static Problem, len: usize) -> Request {
    problem.plain(ElementType::U32, len as u64).unwrap()
}

/// Values that suit the problem.
pub fn values(problem: &'static Problem, len: usize, seed: u64) -> Numbers {
    Numbers::of(&if problem == COMPACT { sparse(len, seed) } else { numbers(len, seed) })
}

/// The streams of a request over these: beside them, the edges of a histogram, up to four-digit numbers.
pub fn with_edges(request: &Request, streams: &[&Numbers]) -> Vec<Numbers> {
    let edges = request
        .get::<HistogramSpec>()
        .map(|spec| Numbers::of(&(0..=spec.bins as u32).map(|edge| edge * 40).collect::<Vec<_>>()));
    streams.iter().map(|stream| (*stream).clone()).chain(edges).collect()
}

/// Records a run, or prints why this device or request rules the algorithm out.
pub fn record(gpu: &Gpu, choice: &Choice, request: &Request, streams: &[&Numbers]) -> Option<Recording> {
    let task = Task::new(request, with_edges(request, streams)).unwrap();
    match rasterscan::tools::record::record(gpu, choice, &task) {
        Ok(recording) => Some(recording),
        Err(Error::Unsupported(why)) => {
            println!("not applicable: {choice}, {request}: {why}");
            None
        }
        Err(error) => panic!("{choice}, {request}: {error}"),
    }
}
