//! Texts in another language, as a lesson file gives them: those that the program makes, which are the built-in questions and
//! the labels around them. A phrase has `{}` where a text has its numbers; its translation names them `{1}`, `{2}` and so on.

use std::borrow::Cow;
use std::sync::Arc;

/// Phrases and their translations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Phrases(Arc<Vec<Phrase>>);

/// A phrase: the parts between its `{}`, and its translation.
#[derive(Debug, PartialEq, Eq)]
struct Phrase {
    parts: Vec<String>,
    translated: String,
}

impl Phrases {
    /// Phrases with their translations.
    ///
    /// Errors: a translation that names a number that its phrase does not have.
    pub fn new(phrases: impl IntoIterator<Item = (String, String)>) -> Result<Phrases, String> {
        let phrase = |(of, translated): (String, String)| {
            let parts: Vec<String> = of.split("{}").map(str::to_owned).collect();
            let numbers = (1..parts.len()).map(|number| format!("{{{number}}}"));
            let left = numbers.fold(translated.clone(), |text, number| text.replace(&number, ""));
            match left.contains(['{', '}']) {
                true => Err(format!("{translated:?} names a number that {of:?} does not have")),
                false => Ok(Phrase { parts, translated }),
            }
        };
        Ok(Phrases(Arc::new(phrases.into_iter().map(phrase).collect::<Result<_, String>>()?)))
    }

    /// The translation of a text, by the first phrase that it is of; `None` if there is none.
    pub fn translated(&self, text: &str) -> Option<String> {
        self.0.iter().find_map(|phrase| phrase.translated(text))
    }

    /// The translation of a text, or the text itself.
    pub fn say<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.translated(text).map_or(Cow::Borrowed(text), Cow::Owned)
    }
}

impl Phrase {
    fn translated(&self, text: &str) -> Option<String> {
        let (first, others) = self.parts.split_first()?;
        let mut rest = text.strip_prefix(first.as_str())?;
        let mut numbers = Vec::new();
        for (place, part) in others.iter().enumerate() {
            let last = place + 1 == others.len();
            let end = if last {
                rest.len().checked_sub(part.len()).filter(|_| rest.ends_with(part.as_str()))
            } else {
                rest.find(part.as_str())
            };
            let end = end?;
            numbers.push(&rest[..end]);
            rest = &rest[end + part.len()..];
        }
        if !rest.is_empty() {
            return None;
        }
        let mut pieces = self.translated.split('{');
        let mut said = pieces.next()?.to_owned();
        for piece in pieces {
            let (number, behind) = piece.split_once('}')?;
            said.push_str(numbers.get(number.parse::<usize>().ok()?.checked_sub(1)?)?);
            said.push_str(behind);
        }
        Some(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_where_a_translation_wants_them() {
        let phrases = [("{} of {} questions.", "Von {2} Fragen {1}."), ("Next", "Weiter"), ("a{}", "b{1}")];
        let phrases = Phrases::new(phrases.map(|(of, is)| (of.to_owned(), is.to_owned()))).unwrap();
        assert_eq!(phrases.say("3 of 14 questions."), "Von 14 Fragen 3.");
        assert_eq!((phrases.say("Next"), phrases.say("Next one")), ("Weiter".into(), "Next one".into()));
        assert_eq!((phrases.say("a"), phrases.say("a{1}")), ("b".into(), "b{1}".into()));
        assert!(Phrases::new([("a {}".into(), "b {2}".into())]).is_err());
    }
}
