//! The content of a page, as plain data.

use serde::{Deserialize, Serialize};

use crate::measure::Estimate;
use crate::report::chart::Figure;

/// The whole report.
#[derive(Debug, Clone, Default, PartialEq)]
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
    /// The file with the rows, beside the page; with it come a summary and the values of each figure. `None` for a page
    /// that stands alone.
    pub data: Option<String>,
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
    /// Tables of ours beside the paper's, and the paper's own.
    pub tables: Vec<Table>,
    /// Errors in print: the place, and what it should be.
    pub errata: Vec<(String, String)>,
}

/// A claim of a paper, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The claim, in a sentence.
    pub text: String,
    /// The place in the paper.
    pub source: String,
    /// The verdict on it.
    pub verdict: Verdict,
    /// The reasons for the verdict, in sentences; may be empty.
    pub why: String,
    /// The numbers behind the verdict.
    pub points: Vec<Compared>,
}

/// A number of a paper, and ours.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// The measurement: "at 2^20".
    pub what: String,
    /// The paper's number, or its words; "-" if it has none.
    pub paper: String,
    /// Our number, as text; "-" if there is none.
    pub ours: String,
    /// Its interval, as text: "exact" if it was counted.
    pub interval: String,
    /// The numbers that count as reproduced.
    pub reproduced: String,
    /// The numbers that count as the opposite.
    pub opposite: String,
    /// The verdict on this number alone.
    pub verdict: Verdict,
    /// Our number with its interval.
    #[serde(flatten)]
    pub value: Option<Estimate>,
    /// The paper's number.
    pub paper_value: Option<f64>,
}

/// The verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The paper's effect.
    #[serde(rename = "reproduced")]
    Reproduced,
    /// More than the paper's effect.
    #[serde(rename = "stronger")]
    Stronger,
    /// The same direction, but less.
    #[serde(rename = "weaker")]
    Weaker,
    /// Not the paper's direction.
    #[serde(rename = "opposite")]
    Opposite,
    /// The interval allows for more than one of these, or the device's clock had not settled.
    #[serde(rename = "undecided")]
    Undecided,
    /// The device cannot run what the claim is about.
    #[serde(rename = "not on this device")]
    NotOnThisDevice,
    /// Not part of this run, or not reached yet.
    #[serde(rename = "not measured")]
    NotMeasured,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 7] = [
        Verdict::Reproduced,
        Verdict::Stronger,
        Verdict::Weaker,
        Verdict::Opposite,
        Verdict::Undecided,
        Verdict::NotOnThisDevice,
        Verdict::NotMeasured,
    ];

    /// The verdict in words.
    pub fn label(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Stronger => "stronger",
            Verdict::Weaker => "weaker",
            Verdict::Opposite => "opposite",
            Verdict::Undecided => "undecided",
            Verdict::NotOnThisDevice => "not on this device",
            Verdict::NotMeasured => "not measured",
        }
    }

    /// A symbol, so that colour is not all that tells verdicts apart.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Verdict::Reproduced => "✓",
            Verdict::Stronger => "+",
            Verdict::Weaker => "~",
            Verdict::Opposite => "✗",
            Verdict::Undecided => "?",
            Verdict::NotOnThisDevice => "–",
            Verdict::NotMeasured => "…",
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Verdict::Reproduced | Verdict::Stronger => "yes",
            Verdict::Weaker => "weaker",
            Verdict::Opposite => "no",
            Verdict::Undecided | Verdict::NotOnThisDevice | Verdict::NotMeasured => "open",
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
