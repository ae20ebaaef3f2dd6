//! The content of a page, as plain data.

use serde::Serialize;

use crate::report::chart::Figure;

/// The whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The title of the page.
    pub title: String,
    /// The introduction, in paragraphs.
    pub lead: Vec<String>,
    /// Names and values: renderer, driver, date.
    pub facts: Vec<(String, String)>,
    /// One section for each paper.
    pub sections: Vec<Section>,
    /// Headings with paragraphs: the protocol, the biases.
    pub closing: Vec<(String, Vec<String>)>,
}

/// A paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The key in the bibliography.
    pub key: String,
    /// The heading.
    pub title: String,
    /// Authors, title, where and when it was published.
    pub citation: String,
    /// Paragraphs on how it was measured.
    pub notes: Vec<String>,
    /// The claims, judged.
    pub claims: Vec<Claim>,
    /// The figures, redrawn.
    pub figures: Vec<Figure>,
    /// Tables of ours beside the paper's.
    pub tables: Vec<Table>,
}

/// A claim of a paper, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The claim, in a sentence.
    pub text: String,
    /// The verdict on it.
    pub verdict: Verdict,
    /// The reasons for the verdict, in sentences; may be empty.
    pub why: String,
    /// The numbers behind the verdict.
    pub points: Vec<Compared>,
}

/// A number of a paper, and ours.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The measurement: "at 2^20".
    pub what: String,
    /// The paper's number, as text.
    pub paper: String,
    /// Our number, as text; "-" if there is none.
    pub ours: String,
    /// Ours / paper.
    pub ratio: Option<f64>,
}

/// The verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// The paper's effect, or most of it.
    #[serde(rename = "reproduced")]
    Reproduced,
    /// The same direction, but less.
    #[serde(rename = "weaker")]
    Weaker,
    /// Not the paper's direction.
    #[serde(rename = "not reproduced")]
    NotReproduced,
    /// The device cannot run what the claim is about.
    #[serde(rename = "not on this device")]
    NotOnThisDevice,
    /// Not part of this run, or not reached yet.
    #[serde(rename = "not measured")]
    NotMeasured,
}

impl Verdict {
    /// All verdicts, from the best to the least that can be said.
    pub const ALL: [Verdict; 5] = [
        Verdict::Reproduced,
        Verdict::Weaker,
        Verdict::NotReproduced,
        Verdict::NotOnThisDevice,
        Verdict::NotMeasured,
    ];

    /// The verdict in words.
    pub fn label(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Weaker => "weaker",
            Verdict::NotReproduced => "not reproduced",
            Verdict::NotOnThisDevice => "not on this device",
            Verdict::NotMeasured => "not measured",
        }
    }

    /// A symbol, so that colour is not all that tells verdicts apart.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Verdict::Reproduced => "✓",
            Verdict::Weaker => "~",
            Verdict::NotReproduced => "✗",
            Verdict::NotOnThisDevice => "–",
            Verdict::NotMeasured => "…",
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Verdict::Reproduced => "yes",
            Verdict::Weaker => "weaker",
            Verdict::NotReproduced => "no",
            Verdict::NotOnThisDevice | Verdict::NotMeasured => "open",
        }
    }
}

/// A table of words and numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The caption.
    pub title: String,
    /// The titles of the columns.
    pub header: Vec<String>,
    /// The first column is on the left, the others are on the right.
    pub rows: Vec<Vec<String>>,
}
