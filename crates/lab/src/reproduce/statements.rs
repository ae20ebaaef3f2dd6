//! The statements of the papers, as data: claims with their places and rules, notes, and errors in print.
//!
//! A file `KEY.claims.tsv` in `crates/lab/papers/` has a line for each, in columns that tabs separate. Names in braces
//! stand for what code fills in:
//!
//! ```text
//! title, citation, note   the text
//! erratum                 the place, the text
//! claim                   its name, the place, the text; its `why` and its points follow
//! why                     added to the reasons if a number was found
//! untestable              the reason why no number of today decides
//! point                   what, the paper's number or words or `number; words`, the rule, the unit (`times` if none)
//! ```
//!
//! A rule is a function of [`Rule`] with its numbers (`near 1 1.1 1.25`; `factor` and `exactly` take the paper's number), or
//! ranges: `opposite 0.95 no_effect 1.05 weaker 2 reproduced` is reproduced above 2.

use std::fmt::Display;
use std::sync::LazyLock;

use super::judge::{self, Point, Rule};
use super::paper::at;
use super::rows::Lookup;
use super::unit;
use crate::report::page::{Claim, Section, Verdict};

/// Names in braces, and what stands for them.
pub type Fills<'a> = [(&'a str, &'a dyn Display)];

/// A fault of a file of claims.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ClaimError {
    /// A line that is not of the form above.
    #[error("unknown or misplaced line: {0}")]
    Line(String),
    /// Neither a function nor ranges.
    #[error("unknown rule: {0}")]
    Rule(String),
    /// A unit that no number is written in.
    #[error("unknown unit: {0}")]
    Unit(String),
    /// Nothing fills a name.
    #[error("nothing fills a name in: {0}")]
    Unfilled(String),
}

/// All that a file says.
#[derive(Debug, Default)]
pub struct Statements {
    title: &'static str,
    citation: &'static str,
    notes: Vec<&'static str>,
    errata: Vec<[&'static str; 2]>,
    claims: Vec<Statement>,
}

/// A claim as stated, without our numbers.
#[derive(Debug)]
pub struct Statement {
    key: &'static str,
    name: &'static str,
    place: &'static str,
    text: &'static str,
    why: &'static str,
    untestable: &'static str,
    points: Vec<[&'static str; 4]>,
}

/// The files, by key.
static FILES: [(&str, &str); 5] = [
    ("sengupta2006", include_str!("../../papers/sengupta2006.claims.tsv")),
    ("roger2007", include_str!("../../papers/roger2007.claims.tsv")),
    ("harris2007", include_str!("../../papers/harris2007.claims.tsv")),
    ("capannini2011", include_str!("../../papers/capannini2011.claims.tsv")),
    ("maleki2016", include_str!("../../papers/maleki2016.claims.tsv")),
];

static PAPERS: LazyLock<Vec<(&str, Statements)>> = LazyLock::new(|| {
    let read = |(key, text)| (key, parse(key, text).unwrap_or_else(|error| unreachable!("{key}: {error}")));
    FILES.map(read).into()
});

/// The paper of a key. Panics: there is none; a test reads all files.
fn paper(key: &str) -> &'static Statements {
    let found = PAPERS.iter().find(|(own, _)| *own == key);
    found.map_or_else(|| unreachable!("there is no paper {key}"), |(_, paper)| paper)
}

/// A claim, by the key of its paper and its name. Panics: there is none.
pub fn statement(key: &str, name: &str) -> &'static Statement {
    let found = paper(key).claims.iter().find(|claim| claim.name == name);
    found.unwrap_or_else(|| unreachable!("{key} has no claim {name}"))
}

/// The section of a paper, with what is said in advance.
pub fn section_of(key: &str, fills: &Fills<'_>) -> Section {
    let paper = paper(key);
    Section {
        key: key.into(),
        title: paper.title.into(),
        citation: paper.citation.into(),
        notes: paper.notes.iter().map(|note| filled(note, fills)).collect(),
        claims: Vec::new(),
        figures: Vec::new(),
        tables: Vec::new(),
        errata: paper.errata.iter().map(|[place, text]| ((*place).into(), (*text).into())).collect(),
    }
}

impl Statement {
    /// The claim with a number for each of its points.
    pub fn judge(&self, fills: &Fills<'_>, found: impl IntoIterator<Item = Lookup>) -> Claim {
        let points: Vec<Point> =
            found.into_iter().enumerate().map(|(index, found)| self.point(index, fills, found)).collect();
        debug_assert_eq!(points.len(), self.points.len(), "{}", self.name);
        self.with_points(fills, points)
    }

    /// The claim with these points.
    pub fn with_points(&self, fills: &Fills<'_>, points: impl IntoIterator<Item = Point>) -> Claim {
        let [text, why] = [self.text, self.why].map(|text| filled(text, fills));
        let points: Vec<Point> = points.into_iter().collect();
        judge::claim(self.key, text, self.place, &points, &why, self.untestable)
    }

    /// The claim with a number at each of these lengths.
    pub fn at_each(
        &self,
        fills: &Fills<'_>,
        lengths: impl IntoIterator<Item = u64>,
        found: impl Fn(u64) -> Lookup,
    ) -> Claim {
        self.beside_each(fills, lengths.into_iter().map(|n| (n, "")), found)
    }

    /// The same, with the paper's number at each.
    pub fn beside_each<P: Display>(
        &self,
        fills: &Fills<'_>,
        lengths: impl IntoIterator<Item = (u64, P)>,
        found: impl Fn(u64) -> Lookup,
    ) -> Claim {
        let point = |(n, paper)| self.point(0, &[("at", &at(n)), ("paper", &paper)], found(n));
        self.with_points(fills, lengths.into_iter().map(point))
    }

    /// A point of it with our number.
    pub fn point(&self, index: usize, fills: &Fills<'_>, found: Lookup) -> Point {
        let point = point(self.points[index], fills, found);
        point.unwrap_or_else(|error| unreachable!("{}: {error}", self.name))
    }
}

/// A text with its names filled. Panics: nothing fills one; a test judges all claims.
fn filled(text: &str, fills: &Fills<'_>) -> String {
    fill(text, fills).unwrap_or_else(|error| unreachable!("{error}"))
}

fn fill(text: &str, fills: &Fills<'_>) -> Result<String, ClaimError> {
    let with = |text: String, (name, value): &(&str, &dyn Display)| {
        text.replace(&format!("{{{name}}}"), &value.to_string())
    };
    let text = fills.iter().fold(text.to_owned(), with);
    if text.contains('{') { Err(ClaimError::Unfilled(text)) } else { Ok(text) }
}

fn point(line: [&str; 4], fills: &Fills<'_>, found: Lookup) -> Result<Point, ClaimError> {
    let [what, paper, words, named] = line.map(|text| fill(text, fills));
    let (what, paper, named) = (what?, paper?, named?);
    let (number, says) = match paper.split_once("; ").map(|(number, says)| (number.parse::<f64>(), says)) {
        Some((Ok(number), says)) => (Some(number), Some(says)),
        _ => paper.parse().map_or((None, Some(paper.as_str())), |number| (Some(number), None)),
    };
    let write = unit::named(&named).ok_or(ClaimError::Unit(named))?;
    Ok(Point::new(what, (number, says), rule(&words?, number)?, found, write))
}

fn rule(text: &str, paper: Option<f64>) -> Result<Rule, ClaimError> {
    let unknown = || ClaimError::Rule(text.to_owned());
    let words: Vec<&str> = text.split(' ').collect();
    let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    Ok(match (words[0], numbers.as_slice(), paper) {
        ("factor", [], Some(paper)) => Rule::factor(paper),
        ("exactly", [], Some(paper)) => Rule::exactly(paper),
        ("more", [], _) => Rule::more(),
        ("any_more", [], _) => Rule::any_more(),
        ("at_least", [none, enough], _) => Rule::at_least(*none, *enough),
        ("at_most", [enough, none], _) => Rule::at_most(*enough, *none),
        ("near", [paper, near, far], _) => Rule::near(*paper, *near, *far),
        _ => {
            let verdicts = words.iter().step_by(2).map(|word| verdict(word)).collect::<Option<Vec<_>>>();
            let (mut verdicts, ends) = (verdicts.ok_or_else(unknown)?, words.iter().skip(1).step_by(2));
            let above =
                verdicts.pop().filter(|_| numbers.len() == verdicts.len() && ends.len() == numbers.len());
            let below: Vec<(f64, Verdict)> = numbers.into_iter().zip(verdicts).collect();
            Rule::of(&below, above.filter(|_| below.is_sorted_by(|a, b| a.0 < b.0)).ok_or_else(unknown)?)
        }
    })
}

fn verdict(word: &str) -> Option<Verdict> {
    use Verdict::{NoEffect, Opposite, Reproduced, Stronger, Weaker};
    let ranges = [Opposite, NoEffect, Weaker, Reproduced, Stronger];
    ranges.into_iter().find(|verdict| verdict.label() == word.replace('_', " "))
}

fn parse(key: &'static str, text: &'static str) -> Result<Statements, ClaimError> {
    let mut paper = Statements::default();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let last = paper.claims.last_mut();
        match (cells.as_slice(), last) {
            (["title", text], _) => paper.title = text,
            (["citation", text], _) => paper.citation = text,
            (["note", text], _) => paper.notes.push(text),
            (["erratum", place, text], _) => paper.errata.push([place, text]),
            (["claim", name, place, text], _) => {
                paper.claims.push(Statement {
                    key,
                    name,
                    place,
                    text,
                    why: "",
                    untestable: "",
                    points: Vec::new(),
                });
            }
            (["why", text], Some(claim)) => claim.why = text,
            (["untestable", text], Some(claim)) => claim.untestable = text,
            (["point", what, paper, rule], Some(claim)) => claim.points.push([what, paper, rule, "times"]),
            (["point", what, paper, rule, unit], Some(claim)) => claim.points.push([what, paper, rule, unit]),
            _ => return Err(ClaimError::Line(line.to_owned())),
        }
    }
    Ok(paper)
}

#[cfg(test)]
mod tests {
    use rasterscan::Device;

    use super::*;
    use crate::reproduce::effort::Effort;
    use crate::reproduce::page::{claims, page};
    use crate::reproduce::samples;

    /// Returns true if a text has the parts of a template that nothing fills, in order.
    fn fits(text: &str, template: &str) -> bool {
        let mut parts = template.split('{').map(|part| part.split_once('}').map_or(part, |(_, part)| part));
        let mut rest = text;
        parts.all(|part| rest.split_once(part).map(|(_, after)| rest = after).is_some())
    }

    #[test]
    fn every_file_is_read_and_every_claim_of_it_is_judged() {
        let keys = FILES.map(|(key, _)| key);
        let judged = claims(&page(&samples::run(&keys, &Device::gl43(), Effort::Full)));
        for (key, paper) in PAPERS.iter() {
            assert!(
                !paper.title.is_empty() && !paper.citation.is_empty() && !paper.notes.is_empty(),
                "{key}"
            );
            for (index, claim) in paper.claims.iter().enumerate() {
                assert!(!paper.claims[..index].iter().any(|other| other.name == claim.name), "{claim:?}");
                assert!(!claim.place.is_empty() && !claim.points.is_empty(), "{claim:?}");
                let own = |judged: &&Claim| {
                    judged.key == *key && judged.source == claim.place && fits(&judged.text, claim.text)
                };
                assert!(judged.iter().any(|claim| own(&claim)), "nothing judges {claim:?}");
            }
        }
    }

    #[test]
    fn faults_are_named() {
        let found = || Lookup::NotMeasured(String::new());
        let of = |line: [&str; 4]| point(line, &[("n", &2)], found()).map(|_| ()).unwrap_err();
        assert_eq!(of(["{n} and {m}", "1", "factor", "times"]), ClaimError::Unfilled("2 and {m}".into()));
        assert_eq!(of(["a", "1", "factor", "miles"]), ClaimError::Unit("miles".into()));
        for text in
            ["factor", "near 1 2", "about 1", "opposite 2 weaker 1 reproduced", "opposite 1", "more 1"]
        {
            assert_eq!(rule(text, None), Err(ClaimError::Rule(text.into())));
        }
        for line in ["why\tno claim", "claim\ttoo\tfew", "points\ta\tb\tmore", ""] {
            let text = format!("title\tA\n{line}\n").leak();
            assert_eq!(parse("", text).map(|_| ()), Err(ClaimError::Line(line.into())), "{line}");
        }
    }

    #[test]
    fn rules_are_those_of_their_functions() {
        assert_eq!(rule("opposite 0.95 no_effect 1.05 reproduced", None), Ok(Rule::more()));
        assert_eq!(rule("any_more", None), Ok(Rule::any_more()));
        assert_eq!(rule("at_most 2 4", None), rule("reproduced 2 weaker 4 opposite", None));
        assert_eq!(rule("factor", Some(2.0)), Ok(Rule::factor(2.0)));
        assert_eq!(rule("near 1 1.1 1.25", Some(7.0)), Ok(Rule::near(1.0, 1.1, 1.25)));
    }
}
