//! The JSON documents that scripts rely on: their fields, in print order.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::iter;
use std::path::Path;
use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::Value;

use rasterscan::algorithm::results::Results;
use rasterscan::plan::Cost;
use rasterscan::{
    Plan,
    device::Clock,
    tools::{Job, Numbers, Request},
};

use rasterscan_lab::document::{facts, milliseconds, word_or_number};
use rasterscan_lab::table;

pub use rasterscan_lab::document::Gl;

/// Parameter values by name: numbers if they parse as numbers, else words.
pub type Parameters = BTreeMap<&'static str, Value>;

pub fn parameters(given: &[(&'static str, String)]) -> Parameters {
    given.iter().map(|(name, value)| (*name, word_or_number(value))).collect()
}

/// The request of a run: `n`, `element`, and the problem's own facts in its own order.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestFacts(Vec<(&'static str, Value)>);

impl RequestFacts {
    pub fn of(request: &Request) -> RequestFacts {
        let facts = request.facts().into_iter().map(|(name, value)| (name, word_or_number(&value)));
        RequestFacts(size(request).into_iter().chain(facts).collect())
    }

    /// The request of a job, with INPUT and its other streams as they were written.
    pub fn of_job(job: &Job, request: &Request) -> RequestFacts {
        let input = ("input", job.source.to_string().into());
        RequestFacts(iter::once(input).chain(size(request)).chain(facts(job, request)).collect())
    }
}

fn size(request: &Request) -> [(&'static str, Value); 2] {
    [("n", request.len().into()), ("element", request.element().name().into())]
}

/// Numbers as JSON; what JSON has no number for, such as a NaN, as text.
fn numbers(numbers: &Numbers) -> Vec<Value> {
    let value = |index| {
        let text = numbers.decimal(index);
        serde_json::from_str(&text).unwrap_or(Value::String(text))
    };
    (0..numbers.len()).map(value).collect()
}

/// Results that are short enough for a document: those of reductions and histograms.
#[derive(Debug, Serialize)]
pub struct ShortResults {
    /// The numbers; NaN and infinities as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Vec<Value>>,
    /// Histograms: the edges of the bins.
    #[serde(skip_serializing_if = "Option::is_none")]
    result_edges: Option<Vec<Value>>,
    /// Reductions by key: the key of each run.
    #[serde(skip_serializing_if = "Option::is_none")]
    result_keys: Option<Vec<Value>>,
    /// argmin and argmax: the indices of these numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    indices: Option<Vec<Value>>,
}

impl ShortResults {
    /// Those of a histogram have edges.
    pub fn of(results: Option<&Results>, edges: Option<&Numbers>) -> ShortResults {
        let of = |name| results.and_then(|results| results.get(name)).map(numbers);
        ShortResults {
            result: of(if edges.is_some() { "counts" } else { "values" }),
            result_edges: edges.map(numbers),
            result_keys: of("keys"),
            indices: of("indices"),
        }
    }
}

impl Serialize for RequestFacts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The work of an algorithm, as its plan counts it; if that depends on the data, as if everything were kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub passes: usize,
    pub texels_written: u64,
    /// 32-bit words.
    pub words_read: u64,
    pub words_written: u64,
    /// Read and written.
    pub words_moved: u64,
    /// Vertices, without those of full-screen draws.
    pub vertices: u64,
    pub adds: u64,
}

impl Counts {
    pub fn new(passes: usize, cost: Cost) -> Counts {
        Counts {
            passes,
            texels_written: cost.texels_written,
            words_read: cost.words_read,
            words_written: cost.words_written,
            words_moved: cost.words_moved(),
            vertices: cost.vertices,
            adds: cost.adds,
        }
    }

    pub fn of(plan: &Plan) -> Counts {
        Counts::new(plan.passes().len(), plan.cost())
    }
}

/// [`Run::floats`].
pub const FLOATS: &str = "values below 1.2e-38 may count as 0, and the sign of a zero sum may be lost";

/// One algorithm's run.
#[derive(Debug, Serialize)]
pub struct Run {
    pub algorithm: &'static str,
    pub parameters: Parameters,
    #[serde(flatten)]
    pub request: RequestFacts,
    #[serde(flatten)]
    pub counts: Counts,
    /// True if the result was checked against the reference and agrees wherever the two can be compared.
    pub verified: bool,
    /// Scans: floats that cannot be checked, because a partial result may overflow or is NaN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unbounded: Option<u64>,
    /// Sums of floats by OpenGL: what the check allows, although numpy's results differ there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floats: Option<&'static str>,
    /// Compactions: the number of elements kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<u64>,
    /// On the CPU, the time of one loop; `null` if there is none for the request.
    pub time: Option<Time>,
    /// On the CPU, the time on all cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_cores: Option<Time>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct Time {
    /// The median.
    pub ms: f64,
    pub clock: &'static str,
    /// Timed runs.
    pub runs: u32,
    /// True if the device ran at its full speed: `false` if it did not, or if these are its first runs and that is
    /// unknown. `null` for a time without the device.
    pub settled: Option<bool>,
}

impl Time {
    pub fn new(median: Duration, clock: Clock, runs: u32, settled: Option<bool>) -> Time {
        Time { ms: milliseconds(median), clock: clock.name(), runs, settled }
    }

    /// Returns true if a GPU ran below its full speed. Times on a software renderer are never marked: it has no clock
    /// that slows down, and its wall times vary too much.
    pub fn is_marked(&self) -> bool {
        self.settled == Some(false) && self.clock == Clock::Gpu.name()
    }

    /// The time for a table, with a mark if it is not settled.
    pub fn marked(&self) -> String {
        table::marked(self.ms, self.is_marked().then_some(false))
    }
}

/// The longest document; a full report takes a hundredth of this.
const MOST_BYTES: u64 = 1 << 26;

/// Reads a document's file, up to a limit: a device or a pipe may have no end.
pub fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("longer than {MOST_BYTES} bytes, the limit for a document")));
    }
    Ok(bytes)
}
