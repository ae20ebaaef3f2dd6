//! An algorithm as requested: by name, with parameters.

use std::fmt;
use std::sync::Arc;

use super::{Algorithm, Built, Card, CustomSyntax, Domain, NumberRange, Parameter, PseudoCode, SideInput};
use super::{Problem, Request, Spec};
use crate::device::Device;
use crate::error::Error;
use crate::hint::hint;
use crate::operator::Operator;
use crate::plan::Plan;
use crate::source::Source;

/// The value of a parameter.
#[derive(Debug, Clone)]
enum Value {
    Flag,
    Number(u32),
    Word(&'static str),
    Text(String),
    Algorithm(Choice),
    Stream(Source),
    /// Numbers that are typed in.
    Numbers(Source),
}

/// Parameters by name, in the order in which they were given: those of an algorithm, or the options of a problem. Two
/// lists are equal if they hold the same values in any order.
#[derive(Debug, Clone, Default)]
pub struct Arguments(Vec<(&'static str, Value)>);

impl Arguments {
    /// All parameters at their defaults.
    pub const NONE: Arguments = Arguments(Vec::new());

    /// Takes a parameter from text; for a flag the text is empty. `owner` names the algorithm or the problem in errors.
    ///
    /// Errors: an unknown name, a wrong value, a parameter that is given twice.
    pub fn take(
        &mut self,
        parameters: &'static [Parameter],
        owner: &'static str,
        name: &str,
        text: &str,
    ) -> Result<(), ChoiceError> {
        let parameter = parameters.iter().find(|parameter| parameter.is_named(name));
        let parameter = parameter.ok_or_else(|| ChoiceError::Parameter {
            algorithm: owner,
            name: name.into(),
            hint: match parameters {
                [] => format!("{owner} takes none"),
                some => hint(name, some.iter().map(|parameter| parameter.name)),
            },
        })?;
        let value = parameter.domain.read(text).ok_or_else(|| ChoiceError::Value {
            parameter: parameter.name,
            value: text.into(),
            expected: parameter.domain.to_string(),
        })?;
        if self.value(parameter.name).is_some() {
            return Err(ChoiceError::Twice(parameter.name));
        }
        self.0.push((parameter.name, value));
        Ok(())
    }

    /// The same arguments with a parameter set from text; a parameter at its default is removed.
    ///
    /// Errors: as [`Self::take`].
    pub fn set(
        &self,
        parameters: &'static [Parameter],
        owner: &'static str,
        name: &str,
        text: &str,
    ) -> Result<Arguments, ChoiceError> {
        let mut changed = self.without(name);
        let default = parameters.iter().find(|parameter| parameter.name == name).map(|known| known.default);
        if default != Some(text) || default == Some("") {
            changed.take(parameters, owner, name, text)?;
        }
        Ok(changed)
    }

    /// The same arguments without a parameter.
    pub fn without(&self, name: &str) -> Arguments {
        Arguments(self.0.iter().filter(|(given, _)| *given != name).cloned().collect())
    }

    /// The same arguments with a value that the parameter is known to take; a default is left out.
    pub(crate) fn with(mut self, parameter: &Parameter, value: impl ToString) -> Arguments {
        let text = value.to_string();
        if text != parameter.default {
            let value = parameter.domain.read(&text).unwrap_or(Value::Text(text));
            self.0.push((parameter.name, value));
        }
        self
    }

    /// The same arguments with a flag, if it is set.
    pub(crate) fn with_flag(mut self, name: &'static str, set: bool) -> Arguments {
        if set {
            self.0.push((name, Value::Flag));
        }
        self
    }

    /// The same arguments with a stream.
    pub fn with_stream(&self, parameter: &'static Parameter, stream: Source) -> Arguments {
        let mut changed = self.without(parameter.name);
        let value = match parameter.domain.custom {
            Some(CustomSyntax::Stream(SideInput::Values)) => Value::Numbers(stream),
            _ => Value::Stream(stream),
        };
        changed.0.push((parameter.name, value));
        changed
    }

    /// The same arguments with a value as it is being typed. It may not be valid; its reader reports that.
    pub fn with_text(&self, parameter: &Parameter, text: &str) -> Arguments {
        let mut changed = self.without(parameter.name);
        if text != parameter.default {
            changed.0.push((parameter.name, Value::Text(text.into())));
        }
        changed
    }

    /// Names and values as they are written; a flag has no value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Option<String>)> {
        self.0.iter().map(|(name, value)| match value {
            Value::Flag => (*name, None),
            value => (*name, Some(value.to_string())),
        })
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    /// The value of a parameter as it is written; `None` if it was not given.
    pub fn given(&self, name: &str) -> Option<String> {
        self.value(name).map(ToString::to_string)
    }

    /// Returns true if a flag was given.
    pub fn flag(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// The stream of an option.
    pub fn stream(&self, name: &str) -> Option<&Source> {
        match self.value(name)? {
            Value::Stream(source) | Value::Numbers(source) => Some(source),
            _ => None,
        }
    }

    /// The number given for a parameter; `None` if it was not given, or is a word.
    pub fn number(&self, name: &str) -> Option<u32> {
        match self.value(name)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The word or the text given for a parameter.
    pub fn word(&self, name: &str) -> Option<&str> {
        match self.value(name)? {
            Value::Word(word) => Some(word),
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The operator that the option `op` gives; add without it.
    pub fn operator(&self) -> Operator {
        self.word("op").and_then(Operator::named).unwrap_or(Operator::ADD)
    }

    /// The variant whose name was given for a parameter.
    pub fn variant<T: Copy>(&self, name: &str, variants: &[T], of: fn(T) -> &'static str) -> Option<T> {
        let word = self.word(name)?;
        variants.iter().copied().find(|variant| of(*variant) == word)
    }

    /// The algorithm given for a parameter, with its own parameters.
    pub fn choice(&self, name: &str) -> Option<&Choice> {
        match self.value(name)? {
            Value::Algorithm(choice) => Some(choice),
            _ => None,
        }
    }

    /// The algorithm given for a parameter, for specs of type `S`.
    pub fn algorithm<S: Spec>(&self, name: &str) -> Option<Arc<dyn Algorithm<S>>> {
        match self.value(name)? {
            Value::Algorithm(choice) => choice.built().typed::<S>(),
            _ => None,
        }
    }
}

impl PartialEq for Arguments {
    fn eq(&self, other: &Arguments) -> bool {
        let all_in = |one: &Arguments, of: &Arguments| {
            one.0.iter().all(|(name, value)| of.given(name) == Some(value.to_string()))
        };
        all_in(self, other) && all_in(other, self)
    }
}

impl Eq for Arguments {}

/// An algorithm as it was asked for: `hybrid:reduce=9`.
///
/// ```
/// use rasterscan::tools::problem::SCAN;
/// use rasterscan::tools::registry::Choice;
/// let choice = Choice::parse(SCAN, "hybrid:reduce=9").unwrap();
/// assert_eq!(choice.to_string(), "hybrid:reduce=9");
/// let old = Choice::parse(SCAN, "sam:rows=4").unwrap();
/// assert_eq!(old.to_string(), "sam:vectors=4");
/// let error = Choice::parse(SCAN, "hibrid").unwrap_err().to_string();
/// assert!(error.contains("did you mean hybrid?"), "{error}");
/// ```
#[derive(Debug, Clone)]
pub struct Choice {
    /// The algorithm's card.
    pub card: &'static Card,
    arguments: Arguments,
}

impl Choice {
    pub(super) fn with_defaults(card: &'static Card) -> Choice {
        Choice { card, arguments: Arguments::NONE }
    }

    /// Reads an algorithm of a problem as [`Choice::among`] does.
    pub fn parse(problem: &Problem, text: &str) -> Result<Choice, ChoiceError> {
        Choice::among(problem.cards.iter().copied(), text)
    }

    /// Reads `NAME` or `NAME:parameter=value,parameter=value`; the name is that of one of `cards`. Where a value is
    /// another algorithm, `+` separates its parameters: `scatter:scan=look_back:group=64+vectors=2`.
    pub fn among(
        cards: impl Iterator<Item = &'static Card> + Clone,
        text: &str,
    ) -> Result<Choice, ChoiceError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let card = cards.clone().find(|card| card.name == name).ok_or_else(|| ChoiceError::Algorithm {
            name: name.into(),
            hint: hint(name, cards.map(|card| card.name)),
        })?;
        let mut arguments = Arguments::NONE;
        for argument in rest.split(',').filter(|argument| !argument.is_empty()) {
            let (key, value) = argument.split_once('=').unwrap_or((argument, ""));
            arguments.take(card.parameters, card.name, key, value)?;
        }
        Ok(Choice { card, arguments })
    }

    /// The pseudo-code of the algorithm with these parameters.
    pub fn pseudo_code(&self) -> Vec<&'static PseudoCode> {
        (self.card.pseudo_code)(&self.arguments)
    }

    /// The algorithm with these parameters.
    pub fn built(&self) -> Built {
        (self.card.build)(&self.arguments)
    }

    /// The parameters that a plan of this choice has chosen by itself.
    pub fn parameters_in(&self, plan: &Plan) -> Vec<(&'static str, String)> {
        let mut parameters = self.parameters();
        for (name, value) in &mut parameters {
            if let Some((_, settled)) = plan.parameters().iter().find(|(settled, _)| settled == name) {
                value.clone_from(settled);
            }
        }
        parameters
    }

    /// Every parameter of the algorithm with its value, defaults included.
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
        match self.built() {
            Built::Sequential => Ok(None),
            Built::Planned(algorithm) => algorithm.plan(request.spec(), device).map(Some),
        }
    }

    /// The same choice with its plan for a request.
    ///
    /// Errors: as [`Self::plan`].
    pub fn chosen(self, request: &Request, device: &Device) -> Result<Chosen, Error> {
        let plan = self.plan(request, device)?;
        Ok(Chosen { choice: self, plan })
    }
}

/// An algorithm with its plan for a request on a device.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The algorithm.
    pub choice: Choice,
    /// The plan; `None` for the sequential algorithms, which need none.
    pub plan: Option<Plan>,
}

impl Domain {
    fn read(&self, text: &str) -> Option<Value> {
        if self.is_flag() {
            return text.is_empty().then_some(Value::Flag);
        }
        if let Some(word) = self.words.iter().find(|word| **word == text) {
            return Some(Value::Word(word));
        }
        match self.custom {
            Some(CustomSyntax::Text { reads, .. }) => return reads(text).then(|| Value::Text(text.into())),
            Some(CustomSyntax::Stream(SideInput::Values)) => {
                let values = Source::Values(text.strip_prefix("values:").unwrap_or(text).into());
                return values.numbers(None).is_ok().then_some(Value::Numbers(values));
            }
            Some(CustomSyntax::Stream(_)) => return Source::parse(text).ok().map(Value::Stream),
            None => {}
        }
        if let Some(inner) = &self.inner {
            let choice = Choice::among(inner.cards(), &text.replace('+', ",")).ok()?;
            return Some(Value::Algorithm(choice));
        }
        let number = text.parse().ok()?;
        let NumberRange { min, max, powers_of_two } = self.numbers.as_ref()?;
        let fits = (min..=max).contains(&&number) && (!powers_of_two || u32::is_power_of_two(number));
        fits.then_some(Value::Number(number))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Flag => Ok(()),
            Value::Number(number) => write!(f, "{number}"),
            Value::Word(word) => f.write_str(word),
            Value::Text(text) => f.write_str(text),
            Value::Numbers(Source::Values(text)) => f.write_str(text),
            Value::Stream(source) | Value::Numbers(source) => source.fmt(f),
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

/// A text that names no algorithm, or gives it wrong parameters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// An unknown algorithm.
    #[error("there is no algorithm '{name}'; {hint}")]
    Algorithm {
        /// The name as it was written.
        name: String,
        /// The nearest name, or all of them.
        hint: String,
    },
    /// A parameter that the algorithm does not have.
    #[error("{algorithm} has no parameter '{name}'; {hint}")]
    Parameter {
        /// The algorithm's name.
        algorithm: &'static str,
        /// The parameter as it was written.
        name: String,
        /// The nearest name, or all of them.
        hint: String,
    },
    /// A value that the parameter does not take.
    #[error("{parameter} cannot be '{value}'; expected {expected}")]
    Value {
        /// The parameter's name.
        parameter: &'static str,
        /// The value as it was written.
        value: String,
        /// The values that it takes, in words.
        expected: String,
    },
    /// A parameter that is given more than once.
    #[error("{0} is given twice")]
    Twice(&'static str),
}
