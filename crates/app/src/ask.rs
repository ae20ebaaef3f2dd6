//! What is to be run and shown: all that the controls set, as a request with its streams, and as a command line.

use std::fmt;

use rasterscan::element::ElementType;
use rasterscan::operator::Operator;
use rasterscan::registry::{Card, Choice, Era, Family, Parameter};
use rasterscan::spec::{CompactSpec, Condition, Keep, Moves, Request, ScanKind, ScanSpec};
use rasterscan::trace::Values;

use super::data::{Data, Load, Random};

/// The most items that the app shows.
pub const MAX_SHOWN: u64 = 4096;

/// A run as somebody asks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    pub family: Family,
    /// With parameters: `hybrid:reduce=2`.
    pub algorithm: String,
    pub operator: Operator,
    pub kind: ScanKind,
    pub order: u32,
    pub tuple: u32,
    pub element: ElementType,
    /// Items; what is typed in or read from a file has a length of its own.
    pub n: u64,
    pub data: Data,
    pub keep: Keeping,
    pub moves: Moves,
}

/// What a compaction keeps.
#[derive(Debug, Clone, PartialEq)]
pub enum Keeping {
    /// As [`Condition::parse`] reads it: `nonzero`, `>4`.
    Condition(String),
    /// The elements whose number in another stream, of u32, is not 0.
    Mask(Data),
}

impl Ask {
    /// An inclusive sum of sixteen random digits.
    pub fn scan(algorithm: impl Into<String>) -> Ask {
        Ask {
            family: Family::Scan,
            algorithm: algorithm.into(),
            operator: Operator::ADD,
            kind: ScanKind::Inclusive,
            order: 1,
            tuple: 1,
            element: ElementType::U32,
            n: 16,
            data: Data::Random(Random::default()),
            keep: Keeping::Condition("nonzero".into()),
            moves: Moves::Values,
        }
    }

    /// Of sixteen random digits those that are not 0, which are about half of them.
    pub fn compact(algorithm: impl Into<String>) -> Ask {
        let data = Data::Random(Random { keep: Some(0.5), ..Random::default() });
        Ask { family: Family::Compact, data, ..Ask::scan(algorithm) }
    }

    /// An algorithm with parameters at which few numbers show what it does: by default they are for millions, which a block,
    /// a tile or a texture of that size would swallow at once.
    pub fn small(card: &Card) -> String {
        const SMALL: [(&str, &str); 6] = [
            ("reduce", "2"),
            ("size", "8"),
            ("block", "8"),
            ("lanes", "shared"),
            ("group", "8"),
            ("rows", "1"),
        ];
        let fits = |parameter: &&Parameter, value: &str| {
            let text = format!("{}:{}={value}", card.name, parameter.name);
            Choice::parse(card.family, &text).is_ok()
        };
        let set = card.parameters.iter().filter_map(|parameter| {
            let (_, value) = SMALL.into_iter().find(|(name, _)| *name == parameter.name)?;
            let least = parameter.domain.numbers.as_ref().map(|numbers| numbers.min.to_string());
            let value = if parameter.name == "block" && card.era == Era::Texture { "2" } else { value };
            let value = [Some(value.to_owned()), least]
                .into_iter()
                .flatten()
                .find(|value| fits(&parameter, value))?;
            (value != parameter.default).then(|| format!("{}={value}", parameter.name))
        });
        let set: Vec<String> = set.collect();
        if set.is_empty() { card.name.into() } else { format!("{}:{}", card.name, set.join(",")) }
    }

    pub fn n(self, n: u64) -> Ask {
        Ask { n, ..self }
    }

    pub fn data(self, data: Data) -> Ask {
        Ask { data, ..self }
    }

    /// What is to be run, with its streams.
    ///
    /// Errors: the first field that says nothing sensible.
    pub fn settle(&self, load: &mut Load) -> Result<Job, Wrong> {
        let at = |field| move |message: String| Wrong { field, message };
        let choice = Choice::parse(self.family, &self.algorithm)
            .map_err(|error| at(Field::Algorithm)(error.to_string()))?;
        let mut notes = Vec::new();
        let n = self.clamped(&mut notes)?;
        let arity = u64::from(self.arity());
        let loaded =
            self.data.values(self.element, n * arity, MAX_SHOWN * arity, load).map_err(at(Field::Data))?;
        notes.extend(loaded.note);
        let mut values = loaded.values;
        let len = values.len() as u64 / arity;
        let len = len - len % u64::from(self.tuple.max(1) * u32::from(self.family == Family::Scan)).max(1);
        if len * arity < values.len() as u64 {
            let of = if arity > 1 { "pairs" } else { "tuples" };
            notes.push(format!("{} values: whole {of} are {}", values.len(), len * arity));
            values.words.truncate((len * arity * u64::from(self.element.words())) as usize);
        }
        let mut streams = vec![values];
        let request = match self.family {
            Family::Scan => Request::Scan(
                ScanSpec::of(self.element, len)
                    .operator(self.operator.clone())
                    .kind(self.kind)
                    .order(self.order)
                    .tuple(self.tuple),
            ),
            Family::Compact => {
                let spec = CompactSpec::of(self.element, len).moves(self.moves);
                match &self.keep {
                    Keeping::Condition(text) => {
                        let condition = Condition::parse(self.element, text);
                        let condition = condition.map_err(|error| at(Field::Keep)(error.to_string()))?;
                        Request::Compact(spec.keep(condition))
                    }
                    Keeping::Mask(data) => {
                        streams.push(mask(data, len, load)?);
                        Request::Compact(spec.masked())
                    }
                }
            }
        };
        request.check().map_err(|error| at(Field::Operator)(error.to_string()))?;
        Ok(Job { choice, request, streams, notes })
    }

    fn clamped(&self, notes: &mut Vec<String>) -> Result<u64, Wrong> {
        if self.n > MAX_SHOWN && !self.data.has_own_length() {
            notes.push(format!("{} items are more than can be seen: {MAX_SHOWN} are shown", self.n));
        }
        Ok(self.n.min(MAX_SHOWN))
    }

    /// Elements in an item.
    pub fn arity(&self) -> u32 {
        if self.family == Family::Scan { self.operator.arity() } else { 1 }
    }
}

fn mask(data: &Data, len: u64, load: &mut Load) -> Result<Values, Wrong> {
    let wrong = |message| Wrong { field: Field::Mask, message };
    let mask = data.values(ElementType::U32, len, MAX_SHOWN, load).map_err(wrong)?.values;
    if mask.len() as u64 != len {
        return Err(wrong(format!("the mask has {} numbers; expected {len}, as the data", mask.len())));
    }
    Ok(mask)
}

/// A run with everything that it needs.
#[derive(Debug, Clone)]
pub struct Job {
    pub choice: Choice,
    pub request: Request,
    /// The values, and the mask where there is one.
    pub streams: Vec<Values>,
    /// What became of what was asked for: lengths that were cut.
    pub notes: Vec<String>,
}

impl Job {
    /// Whether elements are kept by a mask.
    pub fn masked(&self) -> bool {
        matches!(self.request, Request::Compact(CompactSpec { keep: Keep::Mask, .. }))
    }
}

/// Where in the controls something is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Algorithm,
    Operator,
    N,
    Data,
    Keep,
    Mask,
    /// Not in a field: the run itself has failed.
    Run,
}

/// What is wrong, beside the field in which it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    pub field: Field,
    pub message: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Pattern;
    use rasterscan::registry;

    fn no_files() -> Load {
        Box::new(|path, _, _| Err(format!("no file {}", path.display())))
    }

    #[test]
    fn an_ask_becomes_a_request_with_its_streams() {
        let job = Ask::scan("horn").settle(&mut no_files()).unwrap();
        assert_eq!((job.request.len(), job.streams.len(), job.notes.len()), (16, 1, 0));
        let masked = Ask { keep: Keeping::Mask(Data::Pattern(Pattern::Alternating)), ..Ask::compact("horn") };
        let job = masked.settle(&mut no_files()).unwrap();
        assert!(job.masked());
        assert_eq!(job.streams[1].words[..4], [1, 0, 1, 0]);
        let pairs = Ask { operator: Operator::AFFINE, ..Ask::scan("horn").n(3) };
        let job = pairs.settle(&mut no_files()).unwrap();
        assert_eq!((job.request.len(), job.streams[0].len()), (3, 6));
    }

    #[test]
    fn small_parameters_are_ones_that_the_algorithm_takes() {
        for card in registry::all() {
            let small = Ask::small(card);
            assert!(Choice::parse(card.family, &small).is_ok(), "{small}");
        }
        let small =
            |name: &str| Ask::small(registry::family(Family::Scan).find(|card| card.name == name).unwrap());
        assert_eq!(small("horn"), "horn");
        assert_eq!(small("hybrid"), "hybrid:reduce=2");
        assert_eq!(small("packed"), "packed:block=2");
        assert_eq!(small("capannini"), "capannini:block=32");
        assert_eq!(small("look_back"), "look_back:lanes=shared,group=8,rows=1");
    }

    #[test]
    fn what_is_too_long_or_uneven_is_cut_and_said() {
        let long = Ask::scan("horn").n(5000).settle(&mut no_files()).unwrap();
        assert_eq!((long.request.len(), long.notes.len()), (MAX_SHOWN, 1));
        let uneven = Ask { tuple: 3, ..Ask::scan("horn") }.settle(&mut no_files()).unwrap();
        assert_eq!((uneven.request.len(), uneven.notes.len()), (15, 1));
        let odd = Ask { operator: Operator::AFFINE, ..Ask::scan("horn").data(Data::Typed("1 2 3".into())) };
        assert_eq!(odd.settle(&mut no_files()).unwrap().request.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_said_where_it_is() {
        let fails = |ask: Ask| ask.settle(&mut no_files()).unwrap_err();
        assert_eq!(fails(Ask::scan("hron")).field, Field::Algorithm);
        assert_eq!(fails(Ask::scan("horn").data(Data::Typed("3 x".into()))).field, Field::Data);
        assert_eq!(fails(Ask::scan("horn").data(Data::File("a.npy".into()))).message, "no file a.npy");
        let keep = |text: &str| Ask { keep: Keeping::Condition(text.into()), ..Ask::compact("horn") };
        assert_eq!(fails(keep("> many")).field, Field::Keep);
        let mask = Ask { keep: Keeping::Mask(Data::Typed("1 0".into())), ..Ask::compact("horn") };
        assert_eq!(fails(mask).message, "the mask has 2 numbers; expected 16, as the data");
        let xor = Ask { operator: Operator::XOR, element: ElementType::F32, ..Ask::scan("horn") };
        assert_eq!(fails(xor).field, Field::Operator);
        assert_eq!(fails(Ask { order: 0, ..Ask::scan("horn") }).field, Field::Operator);
        assert!(Ask { tuple: 0, ..Ask::scan("horn") }.settle(&mut no_files()).is_err());
    }
}
