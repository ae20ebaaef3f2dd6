//! The JSON documents that scripts rely on: their fields, in the order in which they are printed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use rasterscan::plan::Cost;
use rasterscan::{Clock, Keep, Operator, Plan, Request};

use rasterscan_lab::document::{milliseconds, word_or_number};
use rasterscan_lab::table;

pub use rasterscan_lab::document::Gl;

/// Values of parameters by name: numbers where they are numbers, else words.
pub type Parameters = BTreeMap<&'static str, Value>;

pub fn parameters(given: &[(&'static str, String)]) -> Parameters {
    given.iter().map(|(name, value)| (*name, word_or_number(value))).collect()
}

/// What was asked of every algorithm.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Asked {
    Scan {
        /// Items: numbers, or for affine pairs of them.
        n: u64,
        element: &'static str,
        op: Operator,
        kind: &'static str,
        order: u32,
        tuple: u32,
    },
    Compact {
        n: u64,
        element: &'static str,
        /// The condition as it would be written, or `mask`.
        keep: String,
        /// `values`, `indices` or `both`.
        moves: &'static str,
    },
}

impl Asked {
    pub fn of(request: &Request) -> Asked {
        let (n, element) = (request.len(), request.element().name());
        match request {
            Request::Scan(spec) => Asked::Scan {
                n,
                element,
                op: spec.operator.clone(),
                kind: spec.kind.name(),
                order: spec.order,
                tuple: spec.tuple,
            },
            Request::Compact(spec) => Asked::Compact {
                n,
                element,
                keep: match spec.keep {
                    Keep::Condition(condition) => condition.to_string(),
                    Keep::Mask => "mask".into(),
                },
                moves: spec.moves.name(),
            },
        }
    }
}

/// What an algorithm does, as its plan counts it; where that depends on the data, as if everything were kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub passes: usize,
    pub texels_written: u64,
    /// 32-bit words.
    pub words_read: u64,
    pub words_written: u64,
    /// Read and written.
    pub words_moved: u64,
    /// Apart from those of full-screen draws.
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

/// One algorithm's run.
#[derive(Debug, Serialize)]
pub struct Run {
    pub algorithm: &'static str,
    pub parameters: Parameters,
    #[serde(flatten)]
    pub request: Asked,
    #[serde(flatten)]
    pub counts: Counts,
    /// Whether the result was compared with the reference, and agrees wherever that can be said.
    pub verified: bool,
    /// Of a scan, floats of which nothing can be demanded: a partial result may overflow, or is no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unbounded: Option<u64>,
    /// Of a compaction, how many elements it kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<u64>,
    pub time: Time,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct Time {
    /// The median.
    pub ms: f64,
    pub clock: &'static str,
    /// Timed runs.
    pub runs: u32,
    /// Whether the device ran at its full speed: `false` where it did not, and where these are its first runs and that is
    /// not known. `null` of a time that the device has no part in.
    pub settled: Option<bool>,
}

impl Time {
    pub fn new(median: Duration, clock: Clock, runs: u32, settled: Option<bool>) -> Time {
        Time { ms: milliseconds(median), clock: clock.name(), runs, settled }
    }

    /// Whether a GPU ran below its full speed. A software renderer has no clock that sleeps, and single wall times scatter
    /// more than a mark could tell.
    pub fn is_marked(&self) -> bool {
        self.settled == Some(false) && self.clock == Clock::Gpu.name()
    }

    /// For a table: a mark behind what is not settled.
    pub fn marked(&self) -> String {
        table::marked(self.ms, self.is_marked().then_some(false))
    }
}

/// The longest document: a report of everything takes a hundredth.
const MOST_BYTES: u64 = 1 << 26;

/// The bytes of a document's file; a device or a pipe may have no end.
pub fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it is longer than {MOST_BYTES} bytes, which no document is")));
    }
    Ok(bytes)
}
