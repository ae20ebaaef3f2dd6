//! References to what a stop shows, in the texts and answers of lessons: `after pass 3: target[10]`, `reads of pass 2`, or
//! `triangles`, a fact of a piece of the gallery.
//!
//! ```text
//! reference   after pass P: STREAM[I]    an item of a stream after P passes; target is what pass P wrote first
//!             input[I], result[I]        an item of the caller's stream, or of the result
//!             adds, reads, texels,       of the whole run; with `of pass P`, of one
//!             vertices
//!             passes, kept, length       counts of the run
//!             N                          a number
//! ```
//!
//! In a text, `{reference}` stands for its value.

use rasterscan::trace::{RecordedPass, Recording};
use rasterscan_gallery::{Fact, Value, fact};

use super::{Item, work};

/// What references are about: a run, or the facts of a piece of the gallery that was run.
#[derive(Debug, Clone, Copy)]
pub enum About<'a> {
    /// A recorded run.
    Run(&'a Recording),
    /// A piece's facts.
    Piece(&'a [Fact]),
}

impl<'a> From<&'a Recording> for About<'a> {
    fn from(recording: &'a Recording) -> About<'a> {
        About::Run(recording)
    }
}

impl<'a> From<&'a [Fact]> for About<'a> {
    fn from(facts: &'a [Fact]) -> About<'a> {
        About::Piece(facts)
    }
}

/// The value that a reference has: of a run, or of a piece a count, or a number.
///
/// Errors: what is wrong, in words.
pub fn value<'a>(about: impl Into<About<'a>>, reference: &str) -> Result<Item, String> {
    let text = reference.trim();
    let facts = match about.into() {
        About::Run(recording) => return of_run(recording, text),
        About::Piece(facts) => facts,
    };
    let count = match text.parse() {
        Ok(number) => number,
        Err(_) => match of_piece(facts, text)? {
            Value::Count(count) => count,
            _ => return Err(format!("'{text}' is not one count")),
        },
    };
    u32::try_from(count).map(Item::count).map_err(|_| format!("'{text}' is {count}, which is too large"))
}

/// The value of a piece's fact.
fn of_piece(facts: &[Fact], text: &str) -> Result<Value, String> {
    fact(facts, text).ok_or_else(|| {
        let names: Vec<&str> = facts.iter().map(|fact| fact.name).collect();
        format!("'{text}' is no fact of the piece; it has: {}", names.join("; "))
    })
}

/// The value that a reference has in a recording.
fn of_run(recording: &Recording, text: &str) -> Result<Item, String> {
    if let Some(rest) = text.strip_prefix("after pass ") {
        let (pass, place) =
            rest.split_once(':').ok_or_else(|| format!("'{text}': expected : after the pass"))?;
        return item(recording, text, number(text, pass)?, place.trim());
    }
    if text.contains('[') {
        let pass = if text.starts_with("input") { 0 } else { recording.passes.len() };
        return item(recording, text, pass, text);
    }
    let count = match text.split_once(" of pass ") {
        Some((what, pass)) => {
            let pass = passes(recording, text, number(text, pass)?)?;
            counted(recording, what, std::slice::from_ref(pass))
        }
        None => match text {
            "passes" => Some(recording.passes.len() as u64),
            "length" => Some(recording.request.len()),
            "kept" => Some(recording.kept().ok_or("kept: only a compaction keeps elements")?),
            _ => text.parse().ok().or_else(|| counted(recording, text, &recording.passes)),
        },
    };
    let count = count.ok_or_else(|| {
        format!("'{text}' is no reference; expected such as 'after pass 2: target[5]' or 'reads of pass 1'")
    })?;
    u32::try_from(count).map(Item::count).map_err(|_| format!("'{text}' is {count}, which is too large"))
}

/// A text with dots in place of its references, for a run that is not there.
pub fn without_values(text: &str) -> String {
    let mut words = text.split('{');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, rest| text + "…" + rest.split_once('}').map_or("", |(_, after)| after))
}

/// A text with the values of its references.
///
/// Errors: as [`value`].
pub fn filled<'a>(about: impl Into<About<'a>>, text: &str) -> Result<String, String> {
    let about = about.into();
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once('{') {
        let (reference, after) =
            inner.split_once('}').ok_or_else(|| format!("'{text}': a {{ without a }}"))?;
        filled.push_str(before);
        filled.push_str(&match about {
            About::Run(recording) => of_run(recording, reference.trim())?.to_string(),
            About::Piece(facts) => of_piece(facts, reference.trim())?.to_string(),
        });
        rest = after;
    }
    Ok(filled + rest)
}

fn number(text: &str, digits: &str) -> Result<usize, String> {
    digits.trim().parse().map_err(|_| format!("'{text}': '{}' is no number", digits.trim()))
}

fn passes<'a>(recording: &'a Recording, text: &str, pass: usize) -> Result<&'a RecordedPass, String> {
    let found = pass.checked_sub(1).and_then(|index| recording.passes.get(index));
    found.ok_or_else(|| format!("'{text}': the run has passes 1 to {}", recording.passes.len()))
}

/// An item of a stream after so many passes.
fn item(recording: &Recording, text: &str, pass: usize, place: &str) -> Result<Item, String> {
    let wrong = |what: &str| format!("'{text}': {what}");
    let (name, index) = place
        .strip_suffix(']')
        .and_then(|place| place.split_once('['))
        .ok_or_else(|| wrong("expected STREAM[INDEX]"))?;
    let index = number(text, index)? as u64;
    if pass > recording.passes.len() {
        return Err(wrong(&format!("the run has {} passes", recording.passes.len())));
    }
    let stream = match name.trim() {
        "result" => recording.outputs.first().copied(),
        "target" => passes(recording, text, pass)?.targets.first().map(|target| target.stream),
        name => recording.streams.iter().position(|stream| stream.name == name),
    };
    let stream = stream.ok_or_else(|| {
        let names: Vec<&str> = recording.streams.iter().map(|stream| stream.name.as_str()).collect();
        wrong(&format!("there is no stream '{}'; the run has {}", name.trim(), names.join(", ")))
    })?;
    let values = recording.before(pass, stream).ok_or_else(|| wrong("nothing was written there yet"))?;
    let item = Item::at(values, recording.layout(stream).arity, index);
    item.ok_or_else(|| wrong(&format!("the stream has {} items", recording.layout(stream).len)))
}

fn counted(recording: &Recording, what: &str, passes: &[RecordedPass]) -> Option<u64> {
    Some(match what.trim() {
        "adds" => passes.iter().map(|pass| pass.cost.adds).sum(),
        "reads" => passes.iter().map(|pass| work::reads(recording, pass)).sum(),
        "texels" => passes.iter().map(|pass| pass.cost.texels_written).sum(),
        "vertices" => passes.iter().map(|pass| pass.cost.vertices).sum(),
        _ => return None,
    })
}
