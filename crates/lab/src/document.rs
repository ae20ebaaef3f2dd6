//! Documents: what they say of themselves, and the facts that all of them have.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use rasterscan::{Api, Device};

/// The device that a document speaks of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gl {
    pub renderer: String,
    /// `GL_VERSION`, the driver's own version included.
    pub version: String,
    /// `gl` or `gles`.
    pub api: String,
}

impl Gl {
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

/// The value of a parameter: a number where it is one, else a word.
pub fn word_or_number(text: &str) -> Value {
    text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from)
}

/// In whole nanoseconds: what clocks tell.
pub fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e9).round() / 1e6
}

/// What a document says it is, in its field `schema`, to somebody who looks for another schema's or form's.
#[derive(Debug, PartialEq)]
pub enum Form {
    /// What is looked for.
    Own,
    /// The same in a form of a newer or an older program.
    Newer(String),
    Older(String),
    /// Something else.
    Other(String),
}

impl Form {
    /// Of a document, to somebody who looks for `schema/form`.
    ///
    /// Errors: it has no such field.
    pub fn of(bytes: &[u8], schema: &str, form: u32) -> Result<Form, serde_json::Error> {
        /// What every document has.
        #[derive(Deserialize)]
        struct Any {
            schema: String,
        }
        let Any { schema: found } = serde_json::from_slice(bytes)?;
        let number = found.strip_prefix(schema).and_then(|rest| rest.strip_prefix('/')?.parse::<u32>().ok());
        Ok(match number {
            Some(own) if own == form => Form::Own,
            Some(newer) if newer > form => Form::Newer(found),
            Some(_) => Form::Older(found),
            None => Form::Other(found),
        })
    }
}

/// A reason why a document is not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// No document at all.
    #[error("it is no {what} ({error})")]
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
    #[error("a newer version of this program wrote it ({0})")]
    Newer(String),
    /// Another document, or an older form of this one.
    #[error("it is no {what}, but says of itself: {found}")]
    Other {
        /// The document that was expected.
        what: String,
        /// Its own word.
        found: String,
    },
}

/// Reads a document of this program that somebody hands to it; `what` it should be.
///
/// Errors: it is damaged, something else, or of another version.
pub fn parse<T: DeserializeOwned>(
    bytes: &[u8],
    schema: &str,
    form: u32,
    what: &str,
) -> Result<T, DocumentError> {
    let none = |error| DocumentError::None { what: what.into(), error };
    match Form::of(bytes, schema, form).map_err(none)? {
        Form::Own => serde_json::from_slice(bytes).map_err(DocumentError::Damaged),
        Form::Newer(found) => Err(DocumentError::Newer(found)),
        Form::Older(found) | Form::Other(found) => Err(DocumentError::Other { what: what.into(), found }),
    }
}
