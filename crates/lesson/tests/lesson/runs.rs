//! Recordings to talk about: every algorithm of the registry with every word of every parameter.

use rasterscan::registry::{self, Card, Choice, Era, Family};
use rasterscan::trace::{Recording, Values};
use rasterscan::{CompactSpec, Error, Gpu, Request, ScanSpec};

/// Every algorithm that has passes, as it is and with each of its parameters' words and smallest numbers. Small tiles,
/// since large ones take long to compile and hold all of a short stream.
pub fn choices() -> Vec<Choice> {
    let mut choices: Vec<Choice> =
        registry::all().filter(|card| card.era != Era::Cpu).flat_map(of_card).collect();
    // What takes two words to come to pass.
    choices.push(choice(Family::Compact, "blocks:size=8,wrap=geometry,draw=quads"));
    choices.push(choice(Family::Compact, "blocks:size=8,inner=packed,ends=fetched,search=for"));
    choices
}

fn of_card(card: &'static Card) -> Vec<Choice> {
    let tiled = card.parameters.iter().any(|parameter| parameter.name == "rows");
    let small = |name: &str| tiled && matches!(name, "group" | "rows");
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
        // What only comes to pass together.
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
        Choice::parse(card.family, &text).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    texts.into_iter().map(parse).collect()
}

pub fn choice(family: Family, text: &str) -> Choice {
    Choice::parse(family, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Numbers that are no indices, as like as not: four digits.
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

/// A default request of an algorithm's family, over `len` items.
pub fn request(family: Family, len: usize) -> Request {
    match family {
        Family::Scan => Request::from(&ScanSpec::new::<u32>(len)),
        Family::Compact => Request::from(&CompactSpec::new::<u32>(len)),
    }
}

/// Values that suit it.
pub fn values(family: Family, len: usize, seed: u64) -> Values {
    Values::of(&if family == Family::Scan { numbers(len, seed) } else { sparse(len, seed) })
}

/// Records, or says why this device or this request rules the algorithm out.
pub fn record(gpu: &Gpu, choice: &Choice, request: &Request, streams: &[&Values]) -> Option<Recording> {
    match rasterscan::record(gpu, choice, request, streams) {
        Ok(recording) => Some(recording),
        Err(Error::Unsupported(why)) => {
            println!("not applicable: {choice}, {request}: {why}");
            None
        }
        Err(error) => panic!("{choice}, {request}: {error}"),
    }
}
