//! The content of a page, as plain data.

use serde::{Serialize, Serializer};

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
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claim {
    /// The key of the paper.
    pub key: String,
    /// The claim, in a sentence.
    #[serde(rename = "claim")]
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

impl Claim {
    /// The verdict in words; of a mixed one, at how many numbers the claim holds.
    pub fn told(&self) -> String {
        self.verdict.label().to_owned() + &self.holds_at().map_or_else(String::new, |at| format!(", {at}"))
    }

    /// At how many of its numbers a mixed claim holds; `None` for others.
    pub(super) fn holds_at(&self) -> Option<String> {
        let holds = self.points.iter().filter(|point| point.verdict.holds()).count();
        (self.verdict == Verdict::Mixed).then(|| format!("holds at {holds} of {}", self.points.len()))
    }
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

/// The verdict on a claim or on one of its numbers: those with an outcome, then those without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The paper's effect.
    Reproduced,
    /// More than the paper's gain.
    Stronger,
    /// The paper claims a loss, and here it is larger.
    LargerLoss,
    /// Verdicts differ between the numbers of a claim.
    Mixed,
    /// The same direction, but less.
    Weaker,
    /// No difference to speak of.
    NoEffect,
    /// Not the paper's direction.
    Opposite,
    /// The interval allows for more than one of these, or the device's clock had not settled.
    Undecided,
    /// Hardware of today cannot tell: what the claim is about is no longer what takes the time.
    NotTestable,
    /// The device cannot run what the claim is about.
    NotOnThisDevice,
    /// Not part of this run, or not reached yet.
    NotMeasured,
}

/// Documents have the words that people read.
impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.label())
    }
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 11] = [
        Verdict::Reproduced,
        Verdict::Stronger,
        Verdict::LargerLoss,
        Verdict::Mixed,
        Verdict::Weaker,
        Verdict::NoEffect,
        Verdict::Opposite,
        Verdict::Undecided,
        Verdict::NotTestable,
        Verdict::NotOnThisDevice,
        Verdict::NotMeasured,
    ];

    /// Returns true if something was found, whatever it is.
    pub fn is_outcome(self) -> bool {
        self < Verdict::Undecided
    }

    /// Returns true if there is at least the paper's effect.
    pub fn holds(self) -> bool {
        matches!(self, Verdict::Reproduced | Verdict::Stronger)
    }

    /// The verdict in words.
    pub fn label(self) -> &'static str {
        self.looks().0
    }

    /// The words, the class in the style sheet, and a symbol, so that colour is not all that tells verdicts apart.
    pub(super) fn looks(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Verdict::Reproduced => ("reproduced", "yes", "✓"),
            Verdict::Stronger => ("stronger", "yes", "+"),
            Verdict::LargerLoss => ("larger loss", "loss", "−"),
            Verdict::Mixed => ("mixed", "weaker", "±"),
            Verdict::Weaker => ("weaker", "weaker", "~"),
            Verdict::NoEffect => ("no effect", "no", "="),
            Verdict::Opposite => ("opposite", "no", "✗"),
            Verdict::Undecided => ("undecided", "open", "?"),
            Verdict::NotTestable => ("not testable today", "open", "/"),
            Verdict::NotOnThisDevice => ("not on this device", "open", "–"),
            Verdict::NotMeasured => ("not measured", "open", "…"),
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

impl Table {
    /// A table of these rows.
    pub fn new(
        title: impl Into<String>,
        header: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Table {
        let header = header.into_iter().map(Into::into).collect();
        Table { title: title.into(), header, rows: rows.into_iter().collect() }
    }
}
