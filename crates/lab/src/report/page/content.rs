//! The content of a page, as plain data.

use serde::Serialize;

use crate::report::chart::Figure;

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

/// A claim of a paper, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    pub text: String,
    pub verdict: Verdict,
    pub why: String,
    pub points: Vec<Compared>,
}

/// A number of a paper, and ours.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// "at 2^20"
    pub what: String,
    pub paper: String,
    pub ours: String,
    /// Ours / paper.
    pub ratio: Option<f64>,
}

/// The verdict on a claim.
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
    /// From the best to the least that can be said.
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

    /// So that colour is not all that tells verdicts apart.
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
    pub title: String,
    pub header: Vec<String>,
    /// The first column is on the left, the others are on the right.
    pub rows: Vec<Vec<String>>,
}
