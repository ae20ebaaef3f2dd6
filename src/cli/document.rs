//! The JSON documents that scripts rely on: their fields, in the order in which they are printed.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use rasterscan::{Api, Clock, Device, ScanSpec};

/// The device that a document speaks of.
#[derive(Debug, Serialize)]
pub struct Gl {
    pub renderer: String,
    /// `GL_VERSION`, the driver's own version included.
    pub version: String,
    /// `gl` or `gles`.
    pub api: &'static str,
}

impl Gl {
    pub fn of(device: &Device) -> Gl {
        Gl {
            renderer: device.renderer.clone(),
            version: device.driver.clone(),
            api: match device.api {
                Api::Gl => "gl",
                Api::Gles => "gles",
            },
        }
    }
}

/// Values of parameters by name: numbers where they are numbers, else words.
pub type Parameters = BTreeMap<&'static str, Value>;

pub fn parameters(given: &[(&'static str, String)]) -> Parameters {
    given.iter().map(|(name, value)| (*name, word_or_number(value))).collect()
}

pub fn word_or_number(text: &str) -> Value {
    text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from)
}

/// What was asked of every algorithm.
#[derive(Debug, Serialize)]
pub struct Spec {
    /// Items: numbers, or for affine pairs of them.
    pub n: u64,
    pub element: &'static str,
    pub op: &'static str,
    pub kind: &'static str,
    pub order: u32,
    pub tuple: u32,
}

impl Spec {
    pub fn of(spec: &ScanSpec) -> Spec {
        Spec {
            n: spec.len,
            element: spec.element.name(),
            op: spec.operator.name(),
            kind: spec.kind.name(),
            order: spec.order,
            tuple: spec.tuple,
        }
    }
}

/// One algorithm's run.
#[derive(Debug, Serialize)]
pub struct Run {
    pub algorithm: &'static str,
    pub parameters: Parameters,
    #[serde(flatten)]
    pub spec: Spec,
    pub passes: usize,
    /// 32-bit words read and written, as the plan counts them.
    pub words_moved: u64,
    pub adds: u64,
    /// Whether the result was compared with the reference, and agrees wherever that can be said.
    pub verified: bool,
    /// Floats of which nothing can be demanded: a partial result may overflow, or is no number.
    pub unbounded: u64,
    pub time: Time,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct Time {
    /// The median.
    pub ms: f64,
    pub clock: &'static str,
    /// Timed runs.
    pub runs: u32,
}

impl Time {
    pub fn new(median: Duration, clock: Clock, runs: u32) -> Time {
        // Whole nanoseconds: what clocks tell.
        Time { ms: (median.as_secs_f64() * 1e9).round() / 1e6, clock: clock.name(), runs }
    }
}
