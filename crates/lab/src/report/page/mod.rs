//! The report as one HTML document: no script, nothing from elsewhere, light and dark, for paper and for phones.

mod anchors;
mod section;
mod style;
mod summary;
#[cfg(test)]
mod tests;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;

use super::chart::Figure;
use anchors::Anchors;

/// The whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub title: String,
    /// Paragraphs.
    pub lead: Vec<String>,
    /// What it was measured with: renderer, driver, date.
    pub facts: Vec<(String, String)>,
    pub sections: Vec<Section>,
    /// Headings with paragraphs: the protocol, the biases.
    pub closing: Vec<(String, Vec<String>)>,
}

/// A paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// As the bibliography has it.
    pub key: String,
    pub title: String,
    pub citation: String,
    pub notes: Vec<String>,
    pub claims: Vec<Claim>,
    pub figures: Vec<Figure>,
    pub tables: Vec<Table>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    pub text: String,
    pub verdict: Verdict,
    pub why: String,
    pub points: Vec<Comparison>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// "at 2^20"
    pub what: String,
    pub paper: String,
    pub ours: String,
    /// Ours / paper.
    pub ratio: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Verdict {
    #[serde(rename = "reproduced")]
    Reproduced,
    #[serde(rename = "weaker")]
    Weaker,
    #[serde(rename = "not reproduced")]
    NotReproduced,
    #[serde(rename = "not on this device")]
    NotOnThisDevice,
    #[serde(rename = "not measured")]
    NotMeasured,
}

impl Verdict {
    pub const ALL: [Verdict; 5] = [
        Verdict::Reproduced,
        Verdict::Weaker,
        Verdict::NotReproduced,
        Verdict::NotOnThisDevice,
        Verdict::NotMeasured,
    ];

    pub fn label(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Weaker => "weaker",
            Verdict::NotReproduced => "not reproduced",
            Verdict::NotOnThisDevice => "not on this device",
            Verdict::NotMeasured => "not measured",
        }
    }

    /// So that colour is not all that tells verdicts apart.
    fn symbol(self) -> &'static str {
        match self {
            Verdict::Reproduced => "✓",
            Verdict::Weaker => "~",
            Verdict::NotReproduced => "✗",
            Verdict::NotOnThisDevice => "–",
            Verdict::NotMeasured => "…",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Verdict::Reproduced => "yes",
            Verdict::Weaker => "weaker",
            Verdict::NotReproduced => "no",
            Verdict::NotOnThisDevice | Verdict::NotMeasured => "open",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub title: String,
    pub header: Vec<String>,
    /// The first column is on the left, the others are on the right.
    pub rows: Vec<Vec<String>>,
}

/// The page as one document.
pub fn html(page: &Page) -> String {
    let anchors = Anchors::of(page);
    let sections = page.sections.iter().zip(&anchors.sections);
    let sections: Vec<Markup> = sections.map(|(section, anchor)| section::markup(section, anchor)).collect();
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (page.title) }
                style { (PreEscaped(style::sheet())) }
            }
            body {
                header {
                    h1 { (page.title) }
                    @for paragraph in &page.lead { p.lead { (paragraph) } }
                    @if !page.facts.is_empty() { (facts(&page.facts)) }
                    (contents(page, &anchors))
                }
                main {
                    (summary::markup(page, &anchors))
                    @for section in &sections { (section) }
                    @for ((heading, paragraphs), anchor) in page.closing.iter().zip(&anchors.closing) {
                        section id=(anchor) aria-label=(heading) {
                            h2 { (heading) }
                            @for paragraph in paragraphs { p { (paragraph) } }
                        }
                    }
                }
            }
        }
    };
    document.into_string() + "\n"
}

fn facts(facts: &[(String, String)]) -> Markup {
    html! {
        dl.facts {
            @for (name, value) in facts {
                div { dt { (name) } dd { (value) } }
            }
        }
    }
}

fn contents(page: &Page, anchors: &Anchors) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul {
                @if summary::is_needed(page) {
                    li { a href={ "#" (anchors::SUMMARY) } { "Summary" } }
                }
                @for (section, anchor) in page.sections.iter().zip(&anchors.sections) {
                    li { a href={ "#" (anchor) } { (section.title) } }
                }
                @for ((heading, _), anchor) in page.closing.iter().zip(&anchors.closing) {
                    li { a href={ "#" (anchor) } { (heading) } }
                }
            }
        }
    }
}

/// A verdict with its symbol.
fn badge(verdict: Verdict) -> Markup {
    html! {
        span class={ "badge " (verdict.class()) } {
            span aria-hidden="true" { (verdict.symbol()) }
            " " (verdict.label())
        }
    }
}

/// A table in a box of its own, which scrolls where the table is wider than the page.
fn boxed(label: &str, table: &Markup) -> Markup {
    html! {
        div.wide role="group" aria-label=(label) tabindex="0" { (table) }
    }
}
