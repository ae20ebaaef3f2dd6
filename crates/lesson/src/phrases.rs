//! What the program says, in another language. English stands in the code and is the key; a catalogue has a phrase for each
//! text. Where a text becomes visible, [`say`] translates it into the language that [`speak`] has set.
//!
//! A phrase has `{}` where a text has its numbers; its translation names them `{1}`, `{2}` and so on. What stands there is
//! a number, a name or code, which stays, or a text that is of a phrase itself. A text of several sentences is of one
//! phrase, or each of its sentences is. The first letter of a phrase may be large or small, unless another phrase differs in it
//! alone, and a full stop may follow it.
//!
//! Numbers keep their digits. A comma between thousands, which is a decimal sign elsewhere, becomes a narrow space.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use serde::Deserialize;

use super::file::located;

/// A language that is built in.
#[derive(Debug, Clone, Copy)]
pub struct Language {
    /// The name in options and addresses.
    pub code: &'static str,
    /// The name in menus.
    pub name: &'static str,
    /// The catalogue; empty in a page, which fetches `languages/CODE.toml` beside it instead.
    pub text: &'static str,
}

/// The languages that are built in, beside English.
pub const LANGUAGES: [Language; 1] = [Language {
    code: "de",
    name: "Deutsch",
    text: if cfg!(target_family = "wasm") { "" } else { include_str!("../languages/de.toml") },
}];

/// The most texts that are kept with their translations.
const MOST_KEPT: usize = 8192;

/// The phrases of a language.
#[derive(Debug, Clone)]
pub struct Phrases(Rc<Catalogue>);

#[derive(Debug)]
struct Catalogue {
    /// Those with the most letters of their own first.
    phrases: Vec<Phrase>,
    /// Texts and parts of texts with their translations: they are asked for in every frame.
    known: RefCell<HashMap<String, Option<String>>>,
    said: RefCell<HashSet<String>>,
    misses: RefCell<BTreeSet<String>>,
}

/// A phrase: the parts between its `{}`, and its translation.
#[derive(Debug)]
struct Phrase {
    parts: Vec<String>,
    translated: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCatalogue {
    phrase: Vec<RawPhrase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPhrase {
    of: String,
    is: String,
}

thread_local! {
    static SPOKEN: RefCell<Option<Phrases>> = const { RefCell::new(None) };
}

/// Lets [`say`] use these phrases while `during` runs; without any, it says English.
pub fn speak<R>(phrases: Option<&Phrases>, during: impl FnOnce() -> R) -> R {
    let before = SPOKEN.replace(phrases.cloned());
    let result = during();
    SPOKEN.set(before);
    result
}

/// A text in the language that is spoken; as it is if there is no phrase for it.
pub fn say(text: impl AsRef<str>) -> String {
    let text = text.as_ref();
    SPOKEN
        .with_borrow(|spoken| spoken.as_ref().and_then(|phrases| phrases.say(text)))
        .unwrap_or_else(|| text.to_owned())
}

impl Phrases {
    /// Reads a catalogue.
    ///
    /// Errors: no TOML of phrases; a translation that names a number that its phrase does not have; a phrase of numbers alone,
    /// or that is there twice.
    pub fn parse(text: &str) -> Result<Phrases, String> {
        let raw: RawCatalogue = toml::from_str(text).map_err(|error| located(text, &error))?;
        let mut seen = HashSet::new();
        let mut phrases = Vec::new();
        for RawPhrase { of, is } in raw.phrase {
            let parts: Vec<String> = of.split("{}").map(str::to_owned).collect();
            let numbers = (1..parts.len()).map(|number| format!("{{{number}}}"));
            let left = numbers.fold(is.clone(), |text, number| text.replace(&number, ""));
            if left.contains(['{', '}']) {
                return Err(format!("{is:?} names a number that {of:?} does not have"));
            }
            if !parts.iter().any(|part| part.contains(|letter: char| !letter.is_whitespace())) {
                return Err(format!("{of:?} has no text of its own"));
            }
            if !seen.insert(of.clone()) {
                return Err(format!("{of:?} is there twice"));
            }
            phrases.push(Phrase { parts, translated: is });
        }
        let own = |phrase: &Phrase| phrase.parts.iter().map(String::len).sum::<usize>();
        phrases.sort_by_key(|phrase| std::cmp::Reverse(own(phrase)));
        Ok(Phrases(Rc::new(Catalogue {
            phrases,
            known: RefCell::default(),
            said: RefCell::default(),
            misses: RefCell::default(),
        })))
    }

    /// The texts that were asked for and are of no phrase, in order.
    pub fn misses(&self) -> Vec<String> {
        self.0.misses.borrow().iter().cloned().collect()
    }

    /// Returns true if a text is what [`say`] has said.
    pub fn has_said(&self, text: &str) -> bool {
        self.0.said.borrow().contains(text)
    }

    /// Returns true if a text is a part of what [`say`] has said: a line of it.
    pub fn has_said_part(&self, text: &str) -> bool {
        self.0.said.borrow().iter().any(|said| said.contains(text))
    }

    fn say(&self, text: &str) -> Option<String> {
        let catalogue = &*self.0;
        let said = catalogue.kept(text);
        match &said {
            Some(said) if !self.has_said(said) => _ = catalogue.said.borrow_mut().insert(said.clone()),
            None if has_words(text) && catalogue.misses.borrow().len() < MOST_KEPT => {
                catalogue.misses.borrow_mut().insert(text.to_owned());
            }
            _ => {}
        }
        said
    }
}

impl Catalogue {
    /// The translation of a text, which is found once.
    fn kept(&self, text: &str) -> Option<String> {
        if let Some(known) = self.known.borrow().get(text) {
            return known.clone();
        }
        let made = self.translated(text).or_else(|| self.by_sentences(text));
        let made = made.or_else(|| (!has_words(text)).then(|| spaced(text)));
        let mut known = self.known.borrow_mut();
        if known.len() >= MOST_KEPT {
            known.clear();
            self.said.borrow_mut().clear();
        }
        known.insert(text.to_owned(), made.clone());
        made
    }

    fn translated(&self, text: &str) -> Option<String> {
        let of = |text: &str| {
            // A key "right" is no answer "Right".
            let same = self.phrases.iter().find(|phrase| phrase.parts == [text]);
            let like =
                || self.phrases.iter().find_map(|phrase| phrase.translated(text, &|part| self.part(part)));
            same.map(|phrase| phrase.translated.clone()).or_else(like)
        };
        of(text).or_else(|| of(text.strip_suffix('.')?).map(|said| said + "."))
    }

    fn by_sentences(&self, text: &str) -> Option<String> {
        let ends = text.match_indices(['.', '?', ':', '\n']).map(|(at, end)| at + end.len());
        let breaks = ends.filter(|at| text[*at..].starts_with(' ') || text[..*at].ends_with('\n'));
        breaks.filter(|at| !text[*at..].trim().is_empty()).find_map(|at| {
            let (first, rest) = text.split_at(at);
            let space = &rest[..usize::from(rest.starts_with(' '))];
            let line = &first[first.trim_end_matches('\n').len()..];
            let first = self.sentence(first.trim_end_matches('\n'))?;
            let rest = &rest[space.len()..];
            let rest = self.sentence(rest).or_else(|| self.by_sentences(rest))?;
            Some(format!("{first}{line}{space}{rest}"))
        })
    }

    /// A sentence, which stays if it has no words.
    fn sentence(&self, text: &str) -> Option<String> {
        self.translated(text).or_else(|| (!has_words(text)).then(|| spaced(text)))
    }

    /// A text in the place of a number.
    fn part(&self, text: &str) -> Option<String> {
        let is_name = text.split_whitespace().nth(1).is_none();
        if is_name || !has_words(text) {
            return Some(spaced(text));
        }
        self.kept(text)
    }
}

/// A text with narrow spaces in place of the commas between the thousands of its numbers.
fn spaced(text: &str) -> String {
    let word = |word: &str| {
        let number = word.trim_matches(|letter: char| letter.is_ascii_punctuation());
        let is_number = number.split_once(',').is_some_and(|(first, others)| {
            let digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
            let thousands = |group: &str| group.len() == 3 && digits(group);
            (1..=3).contains(&first.len()) && digits(first) && others.split(',').all(thousands)
        });
        if is_number { word.replacen(number, &number.replace(',', "\u{202f}"), 1) } else { word.to_owned() }
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Returns true if a text has words of a language. A name of two words, of which the second has an index, is code.
fn has_words(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let begins =
        |at: usize| at == 0 || words[at - 1].ends_with(',') || !words[at - 1].contains(char::is_alphanumeric);
    let is_name = |at: usize| begins(at) && words.get(at + 1).is_some_and(|next| next.contains('['));
    (0..words.len()).any(|at| is_word(words[at]) && !is_name(at))
}

/// Returns true for a word of a language, which numbers, names of items and code are not.
fn is_word(text: &str) -> bool {
    let word = text.trim_matches(|letter: char| letter.is_ascii_punctuation());
    let is_number = word.parse::<f64>().is_ok()
        || word.len() == 8 && word.bytes().all(|letter| letter.is_ascii_hexdigit());
    word.chars().count() > 1 && word.chars().all(char::is_alphabetic) && !is_number
}

impl Phrase {
    /// The translation of a text; `part` translates what stands in the place of a number.
    fn translated(&self, text: &str, part: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        let (first, others) = self.parts.split_first()?;
        let rest = begun_by(text, first)?;
        if !has_in_order(others, rest) {
            return None;
        }
        let mut numbers = Vec::new();
        if !filled(others, rest, part, &mut numbers) {
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

/// What follows the first part of a phrase, whose first letter may be large or small.
fn begun_by<'a>(text: &'a str, part: &str) -> Option<&'a str> {
    let (mut letters, mut own) = (text.chars(), part.chars());
    match own.next() {
        None => Some(text),
        Some(first) => {
            let same = letters.next()?.to_lowercase().eq(first.to_lowercase());
            same.then(|| letters.as_str().strip_prefix(own.as_str())).flatten()
        }
    }
}

/// Returns true if a text has all parts, one after the other.
fn has_in_order(parts: &[String], text: &str) -> bool {
    let mut rest = text;
    let ends = parts.last().is_none_or(|last| text.ends_with(last.as_str()));
    ends && parts
        .iter()
        .all(|part| rest.find(part.as_str()).map(|at| rest = &rest[at + part.len()..]).is_some())
}

/// Finds what stands between the parts of a phrase: the shortest texts that `part` translates.
fn filled(
    parts: &[String],
    text: &str,
    part: &dyn Fn(&str) -> Option<String>,
    numbers: &mut Vec<String>,
) -> bool {
    let Some((next, others)) = parts.split_first() else { return text.is_empty() };
    let ends: Vec<usize> = match others.is_empty() {
        true => text.strip_suffix(next.as_str()).map(str::len).into_iter().collect(),
        false => text.match_indices(next.as_str()).map(|(at, _)| at).collect(),
    };
    ends.into_iter().any(|end| {
        let Some(said) = part(&text[..end]) else { return false };
        numbers.push(said);
        let found = filled(others, &text[end + next.len()..], part, numbers);
        if !found {
            numbers.pop();
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(all: &[(&str, &str)]) -> Result<Phrases, String> {
        let phrase = |(of, is): &(&str, &str)| format!("[[phrase]]\nof = {of:?}\nis = {is:?}\n");
        Phrases::parse(&all.iter().map(phrase).collect::<String>())
    }

    #[test]
    fn numbers_go_where_a_translation_wants_them() {
        let known = [
            ("{} of {} questions.", "Von {2} Fragen {1}."),
            ("Next", "Weiter"),
            ("right", "rechts"),
            ("Right", "Ja"),
            ("a{}", "b{1}"),
        ];
        let known = phrases(&known).unwrap();
        speak(Some(&known), || {
            assert_eq!(say("3 of 14 questions."), "Von 14 Fragen 3.");
            assert_eq!((say("Next"), say("Next one")), ("Weiter".into(), "Next one".into()));
            assert_eq!((say("a"), say("a{1}")), ("b".into(), "b{1}".into()));
            assert_eq!(
                (say("next"), say("Right"), say("right")),
                ("Weiter".into(), "Ja".into(), "rechts".into())
            );
        });
        assert_eq!((say("Next"), known.misses()), ("Next".into(), vec!["Next one".to_owned()]));
        let number = |text: &str| speak(Some(&known), || say(text));
        assert_eq!(number("1,234 of 5,6 questions."), "Von 5,6 Fragen 1\u{202f}234.");
        assert_eq!((number("65,536 2"), say("65,536")), ("65\u{202f}536 2".into(), "65,536".into()));
        for wrong in [("a {}", "b {2}"), ("{} {}", "{1}")] {
            assert!(phrases(&[wrong]).is_err(), "{wrong:?}");
        }
        assert!(phrases(&[("a", "b"), ("a", "c")]).is_err());
    }

    #[test]
    fn a_part_is_a_name_or_a_phrase() {
        let known = [
            ("step {} of {}: {}", "Schritt {1} von {2}: {3}"),
            ("{} becomes {}.", "{1} wird {2}."),
            ("{} keys", "{1} Schlüssel"),
        ];
        let known = phrases(&known).unwrap();
        speak(Some(&known), || {
            assert_eq!(say("Step 1 of 4: x[3] becomes 3 + 4 = 7."), "Schritt 1 von 4: x[3] wird 3 + 4 = 7.");
            assert_eq!(say("Ping becomes pong. 3 keys"), "Ping wird pong. 3 Schlüssel");
            assert_eq!(say("It becomes 4 keys."), "It wird 4 Schlüssel.", "a single word is a name");
            assert_eq!(say("It becomes 4 texels."), "It becomes 4 texels.");
        });
        assert_eq!(known.misses(), ["It becomes 4 texels."]);
    }
}
