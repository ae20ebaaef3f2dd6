//! Documents: their schemas, and the facts that all of them have.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use rasterscan::{
    Api, Device,
    tools::{Job, Request},
};

/// The device of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gl {
    /// The name of the renderer.
    pub renderer: String,
    /// `GL_VERSION`, the driver's own version included.
    pub version: String,
    /// `gl` or `gles`.
    pub api: String,
}

impl Gl {
    /// The facts of a device.
    pub fn of(device: &Device) -> Gl {
        Gl {
            renderer: device.renderer.clone(),
            version: device.driver.clone(),
            api: match device.api {
                Api::Gl => "gl".into(),
                Api::Gles => "gles".into(),
            },
        }
    }
}

/// The commit of this build, which `build.rs` asks git for; `None` if the build had no git.
pub fn commit() -> Option<String> {
    option_env!("RASTERSCAN_COMMIT").filter(|commit| !commit.is_empty()).map(str::to_owned)
}

/// The value of a parameter: a number if it is one, else a word.
pub fn word_or_number(text: &str) -> Value {
    text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from)
}

/// The facts of a request of a job, with its further streams as they were written: the request knows only of them.
pub fn facts(job: &Job, request: &Request) -> impl Iterator<Item = (&'static str, Value)> {
    let own = request.facts().into_iter().filter(|(name, _)| job.options.stream(name).is_none());
    let beside = job.beside().filter_map(|(option, ..)| Some((option.name, job.options.given(option.name)?)));
    own.map(|(name, value)| (name, word_or_number(&value)))
        .chain(beside.map(|(name, text)| (name, text.into())))
}

/// Milliseconds, rounded to the nanoseconds that clocks tell.
pub fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e9).round() / 1e6
}

/// The form of a document, by its field `schema`, relative to the form that a reader expects.
#[derive(Debug, PartialEq)]
pub enum Form {
    /// The expected form.
    Expected,
    /// The same document, in the form of a newer program.
    Newer(String),
    /// The same document, in the form of an older program.
    Older(String),
    /// Another document.
    Other(String),
}

impl Form {
    /// The form of a document, for a reader that expects `schema/form`.
    ///
    /// Errors: it has no such field.
    pub fn of(bytes: &[u8], schema: &str, form: u32) -> Result<Form, serde_json::Error> {
        /// The field that every document has.
        #[derive(Deserialize)]
        struct Any {
            schema: String,
        }
        let Any { schema: found } = serde_json::from_slice(bytes)?;
        let number = found.strip_prefix(schema).and_then(|rest| rest.strip_prefix('/')?.parse::<u32>().ok());
        Ok(match number {
            Some(own) if own == form => Form::Expected,
            Some(newer) if newer > form => Form::Newer(found),
            Some(_) => Form::Older(found),
            None => Form::Other(found),
        })
    }
}

/// A reason why a document cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// No document at all.
    #[error("it is not a {what} ({error})")]
    None {
        /// The document that was expected.
        what: String,
        /// The fault.
        error: serde_json::Error,
    },
    /// A field that is missing or of another kind.
    #[error("it is damaged ({0})")]
    Damaged(serde_json::Error),
    /// A form that only newer versions know.
    #[error("it was written by a newer version of this program ({0})")]
    Newer(String),
    /// Another document, or an older form of this one.
    #[error("it is not a {what}: its schema is {found}")]
    Other {
        /// The document that was expected.
        what: String,
        /// Its own schema.
        found: String,
    },
}

/// Reads a document of this program; `what` names the expected one in errors.
///
/// Errors: it is damaged, another document, or of another version.
pub fn parse<T: DeserializeOwned>(
    bytes: &[u8],
    schema: &str,
    form: u32,
    what: &str,
) -> Result<T, DocumentError> {
    let none = |error| DocumentError::None { what: what.into(), error };
    match Form::of(bytes, schema, form).map_err(none)? {
        Form::Expected => serde_json::from_slice(bytes).map_err(DocumentError::Damaged),
        Form::Newer(found) => Err(DocumentError::Newer(found)),
        Form::Older(found) | Form::Other(found) => Err(DocumentError::Other { what: what.into(), found }),
    }
}
