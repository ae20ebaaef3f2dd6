//! The cells to measure: lengths, cases and contenders, from the command line.

use std::str::FromStr;

use rasterscan::tools::job::{Pattern, whole};
use rasterscan::tools::limits::MAX_LEN;
use rasterscan::tools::problem::{COMPACT, Problem};
use rasterscan::tools::registry::{self, Card, ChoiceError};
use rasterscan::{Device, ElementType, Unsupported};

use super::CompareOptions;
use crate::exit::Usage;
use rasterscan_lab::case::Case;
use rasterscan_lab::cell::Cell;
use rasterscan_lab::contender::Contender;
use rasterscan_lab::contender::PEERS;

/// Lengths, in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes(Vec<u64>);

impl Sizes {
    /// The default lengths for a device.
    fn of(device: &Device) -> Sizes {
        let last: u32 = if device.software { 20 } else { 24 };
        Sizes((12..=last).step_by(2).map(|log2| 1 << log2).collect())
    }
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Sizes, String> {
        let length = |text: &str| {
            let wrong = || {
                format!(
                    "'{text}' is not a length: expected a whole number, a power such as 2^20, or a range such as \
                     2^10..2^22"
                )
            };
            whole(text).ok_or_else(wrong)
        };
        let mut sizes = Vec::new();
        for piece in text.split(',') {
            let Some((first, rest)) = piece.split_once("..") else {
                sizes.push(length(piece)?);
                continue;
            };
            let (last, factor) = match rest.split_once('*') {
                Some((last, factor)) => (length(last)?, length(factor)?),
                None => (length(rest)?, 2),
            };
            let mut next = length(first)?;
            if next == 0 || factor < 2 {
                return Err(format!(
                    "the range {piece} does not grow: it must start above 0 and grow by a factor of 2 or more"
                ));
            }
            if next > last {
                return Err(format!("the range {piece} is empty: {next} is more than {last}"));
            }
            while next <= last {
                sizes.push(next);
                let Some(product) = next.checked_mul(factor) else { break };
                next = product;
            }
        }
        sizes.sort_unstable();
        sizes.dedup();
        Ok(Sizes(sizes))
    }
}

/// A share of the elements, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share(pub f64);

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        share.map(Share).ok_or_else(|| "expected a share from 0 to 1, such as 0.6".into())
    }
}

/// Splits a list of algorithms at its commas. A piece `name=value` without a colon is another parameter of the
/// algorithm before it: `horn,blocks:size=64,search=for` are two algorithms.
pub fn split(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for piece in text.split(',').map(str::trim) {
        match names.last_mut() {
            Some(last)
                if piece.contains('=') && last.contains(':') && !before_equals(piece).contains(':') =>
            {
                last.push(',');
                last.push_str(piece);
            }
            _ if piece.is_empty() => {}
            _ => names.push(piece.into()),
        }
    }
    names
}

fn before_equals(piece: &str) -> &str {
    piece.split('=').next().unwrap_or_default()
}

/// The contenders: the baselines and the named algorithms.
fn contenders(
    options: &CompareOptions,
    problem: &'static Problem,
    device: &Device,
) -> anyhow::Result<Vec<Contender>> {
    let mut contenders = Contender::baselines(problem);
    let names = split(&options.algorithms);
    if names.is_empty() {
        return Err(Usage(
            "no algorithm is named; -a takes names from `list`, separated by commas, or all".into(),
        )
        .into());
    }
    let peers = if options.peers { &PEERS[..] } else { &[] };
    for name in names.iter().map(String::as_str).chain(peers.iter().copied()) {
        let named: Vec<Contender> = match name {
            "all" => {
                let able = |card: &&Card| card.supported(device).is_ok();
                let all = registry::of(problem).filter(able);
                all.map(|card| Contender::parse(problem, card.name)).collect::<Result<_, ChoiceError>>()?
            }
            name => vec![Contender::parse(problem, name)?],
        };
        for contender in named {
            if contenders.iter().all(|known| known.name() != contender.name()) {
                contenders.push(contender);
            }
        }
    }
    let known: Vec<String> = contenders.iter().map(Contender::name).collect();
    if !known.contains(&options.baseline) {
        let hint = registry::hint(&options.baseline, known.iter().map(String::as_str));
        return Err(
            Usage(format!("the baseline {} is not one of the contenders; {hint}", options.baseline)).into()
        );
    }
    Ok(contenders)
}

/// All combinations of the options, shorter streams first.
pub fn cells(
    options: &CompareOptions,
    problem: &'static Problem,
    device: &Device,
) -> anyhow::Result<Vec<Cell>> {
    // An option that the problem does not have is reported before an unknown name.
    let mut axes = options.axes.combinations(problem)?;
    for (option, value) in options.axes.streams() {
        let source = crate::job::stream(option, value).map_err(|error| Usage(error.to_string()))?;
        axes.iter_mut().for_each(|axes| *axes = axes.with_stream(option, source.clone()));
    }
    let contenders = contenders(options, problem, device)?;
    let sizes = options.sizes.clone().unwrap_or_else(|| Sizes::of(device));
    /// The numbers of a case.
    enum Stream {
        Random(Option<f64>),
        Pattern(Pattern),
    }
    let streams: Vec<Stream> = match (options.share.as_slice(), options.pattern.as_slice()) {
        ([], []) => vec![Stream::Random((*problem == *COMPACT).then_some(0.6))],
        ([], patterns) => patterns.iter().map(|pattern| Stream::Pattern(*pattern)).collect(),
        (shares, _) => shares.iter().map(|share| Stream::Random(Some(share.0))).collect(),
    };
    let mut cells = Vec::new();
    for n in sizes.0 {
        for &element in &options.dtype {
            for own in &axes {
                let case = Case::new(problem, n).of(element).with_options(own.clone());
                for stream in &streams {
                    let case = case.with_len(rounded(n, &case)?);
                    let case = match stream {
                        Stream::Random(Some(share)) => case.with_share(*share),
                        Stream::Random(None) => case,
                        Stream::Pattern(Pattern::Ramp) if element == ElementType::F32 && n > 1 << 24 => {
                            return Err(Usage("a ramp of f32 is exact up to 2^24 numbers".into()).into());
                        }
                        Stream::Pattern(pattern) => case.with_pattern(*pattern),
                    };
                    case.request()?;
                    // Repeated values and rounded-up lengths may give the same case.
                    if cells.iter().all(|cell: &Cell| cell.case != case) {
                        cells.push(Cell { case, contenders: contenders.clone(), phases: true, repeats: 0 });
                    }
                }
            }
        }
    }
    Ok(cells)
}

/// The length, rounded up to whole tuples and rows.
///
/// Errors: [`Unsupported`] if no stream can be that long, before shorter ones are measured.
fn rounded(n: u64, case: &Case) -> Result<u64, Unsupported> {
    let rounded = n.checked_next_multiple_of(case.whole()).filter(|rounded| *rounded <= MAX_LEN);
    rounded.ok_or_else(|| {
        Unsupported::too_large(format!("{n} values are too many for a stream, which holds at most {MAX_LEN}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_numbers_powers_and_ranges() {
        let sizes = |text: &str| text.parse::<Sizes>().map(|sizes| sizes.0);
        assert_eq!(sizes("1000"), Ok(vec![1000]));
        assert_eq!(sizes("2^12,1000,2^10"), Ok(vec![1000, 1024, 4096]));
        assert_eq!(sizes("2^10..2^13"), Ok(vec![1024, 2048, 4096, 8192]));
        assert_eq!(sizes("1000..5000"), Ok(vec![1000, 2000, 4000]));
        assert_eq!(sizes("2^10..2^16*8"), Ok(vec![1024, 8192, 65536]));
        assert_eq!(sizes("2^62..2^63").unwrap().len(), 2);
        assert_eq!(sizes("0"), Ok(vec![0]));
        for (text, expected) in [
            ("", "'' is not a length"),
            ("many", "'many' is not a length"),
            ("2^10..", "'' is not a length"),
            ("2^64", "'2^64' is not a length"),
            ("-1", "'-1' is not a length"),
            ("2^20..2^10", "is empty"),
            ("0..2^10", "does not grow"),
            ("2^10..2^20*1", "does not grow"),
        ] {
            assert!(sizes(text).unwrap_err().contains(expected), "{text}");
        }
    }

    #[test]
    fn commas_part_algorithms_and_parameters() {
        assert_eq!(split("horn,packed"), ["horn", "packed"]);
        assert_eq!(
            split("horn,blocks:size=64,search=while,packed, scatter:scan=sam"),
            ["horn", "blocks:size=64,search=while", "packed", "scatter:scan=sam"]
        );
        // No parameter can follow an algorithm that has none.
        assert_eq!(split("horn,size=64"), ["horn", "size=64"]);
        assert!(split(" ,").is_empty());
    }

    #[test]
    fn shares_lie_between_nothing_and_all() {
        assert_eq!("0.25".parse(), Ok(Share(0.25)));
        for text in ["1.1", "-0.1", "nan", "half", ""] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }
}
