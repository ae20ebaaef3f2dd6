//! The errors of the tuner.

use rasterscan::algorithm::results::Mismatch;
use rasterscan::{Error, Unsupported, tools::Request};

/// A reason why nothing was tuned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The device fails, or cannot run what is wanted.
    #[error(transparent)]
    Library(#[from] Error),
    /// A result that differs from the reference.
    #[error("{algorithm} is wrong: {request}, {mismatch}")]
    Wrong {
        /// The candidate, as written on the command line, or a number of columns.
        algorithm: String,
        /// The request.
        request: Box<Request>,
        /// The first difference.
        mismatch: Box<Mismatch>,
    },
}

impl From<Unsupported> for TuneError {
    fn from(unsupported: Unsupported) -> TuneError {
        TuneError::Library(unsupported.into())
    }
}
