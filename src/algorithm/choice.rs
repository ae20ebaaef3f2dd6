//! An algorithm as somebody asked for it, by name and with parameters.

use std::fmt;
use std::sync::Arc;

use super::{Algorithm, Built, Card, Domain, Numbers, Parameter, Spec};
use crate::device::Device;
use crate::error::Error;
use crate::plan::Plan;
use crate::spec::{Family, Request};

/// The value of a parameter.
#[derive(Debug, Clone)]
enum Value {
    Number(u32),
    Word(&'static str),
    Algorithm(Choice),
}

/// Parameters that were given, by name.
#[derive(Debug, Clone)]
pub struct Arguments(Vec<(&'static str, Value)>);

impl Arguments {
    /// Of an algorithm all of whose parameters are at their defaults.
    pub const NONE: Arguments = Arguments(Vec::new());

    fn value(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    /// The number that a parameter was given; `None` where it was not, or is a word.
    pub fn number(&self, name: &str) -> Option<u32> {
        match self.value(name)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The word that a parameter was given.
    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.value(name)? {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The variant that a parameter was given by its name.
    pub fn variant<T: Copy>(&self, name: &str, variants: &[T], of: fn(T) -> &'static str) -> Option<T> {
        let word = self.word(name)?;
        variants.iter().copied().find(|variant| of(*variant) == word)
    }

    /// The algorithm that a parameter was given, for specs of type `S`.
    pub fn algorithm<S: Spec>(&self, name: &str) -> Option<Arc<dyn Algorithm<S>>> {
        match self.value(name)? {
            Value::Algorithm(choice) => choice.built().typed::<S>(),
            _ => None,
        }
    }
}

/// An algorithm as it was asked for: `hybrid:reduce=9`.
///
/// ```
/// use rasterscan::registry::{Choice, Family};
/// let choice = Choice::parse(Family::Scan, "hybrid:reduce=9").unwrap();
/// assert_eq!(choice.to_string(), "hybrid:reduce=9");
/// let error = Choice::parse(Family::Scan, "hibrid").unwrap_err().to_string();
/// assert!(error.contains("did you mean hybrid?"), "{error}");
/// ```
#[derive(Debug, Clone)]
pub struct Choice {
    pub card: &'static Card,
    arguments: Arguments,
}

impl Choice {
    pub(super) fn with_defaults(card: &'static Card) -> Choice {
        Choice { card, arguments: Arguments::NONE }
    }

    /// Reads `NAME` or `NAME:parameter=value,parameter=value`, where the name is of one of `cards`. Where a value is another
    /// algorithm, `+` stands for the commas between its parameters: `scatter:scan=look_back:group=64+rows=2`.
    pub fn among(
        cards: impl Iterator<Item = &'static Card> + Clone,
        text: &str,
    ) -> Result<Choice, ChoiceError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let card = cards.clone().find(|card| card.name == name).ok_or_else(|| ChoiceError::Algorithm {
            name: name.into(),
            hint: hint(name, cards.map(|card| card.name)),
        })?;
        let mut arguments = Vec::new();
        for argument in rest.split(',').filter(|argument| !argument.is_empty()) {
            let (key, value) = argument.split_once('=').unwrap_or((argument, ""));
            let parameter = card.parameters.iter().find(|parameter| parameter.name == key);
            let parameter = parameter.ok_or_else(|| ChoiceError::Parameter {
                algorithm: card.name,
                name: key.into(),
                hint: match card.parameters {
                    [] => format!("{} takes none", card.name),
                    some => hint(key, some.iter().map(|parameter| parameter.name)),
                },
            })?;
            let value = parameter.domain.read(value).ok_or_else(|| ChoiceError::Value {
                parameter: parameter.name,
                value: value.into(),
                expected: parameter.domain.to_string(),
            })?;
            if arguments.iter().any(|(given, _)| *given == parameter.name) {
                return Err(ChoiceError::Twice(parameter.name));
            }
            arguments.push((parameter.name, value));
        }
        Ok(Choice { card, arguments: Arguments(arguments) })
    }

    /// The algorithm with these parameters.
    pub fn built(&self) -> Built {
        (self.card.build)(&self.arguments)
    }

    /// The same choice with every parameter that a plan of it has settled on.
    pub fn settled(&self, plan: &Plan) -> Vec<(&'static str, String)> {
        let mut parameters = self.parameters();
        for (name, value) in &mut parameters {
            if let Some((_, settled)) = plan.parameters().iter().find(|(settled, _)| settled == name) {
                value.clone_from(settled);
            }
        }
        parameters
    }

    /// Every parameter of the algorithm and its value here, defaults included.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let value = |parameter: &Parameter| match self.arguments.value(parameter.name) {
            Some(value) => value.to_string(),
            None => parameter.default.to_owned(),
        };
        self.card.parameters.iter().map(|parameter| (parameter.name, value(parameter))).collect()
    }

    /// The plan for a request; `None` for the sequential algorithms, which need none.
    ///
    /// Errors: [`Error::Unsupported`] where the device or the request rules the algorithm out.
    pub fn plan(&self, request: impl Into<Request>, device: &Device) -> Result<Option<Plan>, Error> {
        let request = request.into();
        request.check()?;
        self.card.supported(device)?;
        let spec: &dyn Spec = match &request {
            Request::Scan(spec) => spec,
            Request::Compact(spec) => spec,
        };
        match self.built() {
            Built::Sequential => Ok(None),
            Built::Planned(algorithm) => algorithm.plan(spec, device).map(Some),
        }
    }
}

impl Domain {
    fn read(&self, text: &str) -> Option<Value> {
        if let Some(word) = self.words.iter().find(|word| **word == text) {
            return Some(Value::Word(word));
        }
        if let Some(inner) = &self.inner {
            let choice = Choice::parse(Family::Scan, &text.replace('+', ",")).ok()?;
            return inner
                .cards()
                .any(|card| card.name == choice.card.name)
                .then_some(Value::Algorithm(choice));
        }
        let number = text.parse().ok()?;
        let Numbers { min, max, powers_of_two } = self.numbers.as_ref()?;
        let fits = (min..=max).contains(&&number) && (!powers_of_two || u32::is_power_of_two(number));
        fits.then_some(Value::Number(number))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Word(word) => f.write_str(word),
            Value::Algorithm(choice) => f.write_str(&choice.to_string().replace(',', "+")),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.card.name)?;
        for (index, (name, value)) in self.arguments.0.iter().enumerate() {
            write!(f, "{}{name}={value}", if index == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

/// Something that no algorithm or parameter is called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    #[error("there is no algorithm '{name}'; {hint}")]
    Algorithm { name: String, hint: String },
    #[error("{algorithm} has no parameter '{name}'; {hint}")]
    Parameter { algorithm: &'static str, name: String, hint: String },
    #[error("{parameter} cannot be '{value}'; expected {expected}")]
    Value { parameter: &'static str, value: String, expected: String },
    #[error("{0} is given twice")]
    Twice(&'static str),
}

/// "did you mean X?" where something is near, else all there is.
pub fn hint<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    let nearest = names
        .iter()
        .map(|name| (strsim::damerau_levenshtein(wrong, name), *name))
        .min()
        .filter(|(distance, name)| *distance <= 1 + name.len() / 3);
    match nearest {
        Some((_, name)) => format!("did you mean {name}?"),
        None => format!("expected one of {}", names.join(", ")),
    }
}
