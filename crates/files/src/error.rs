//! The reasons why bytes are not read as numbers.

use std::io;

use rasterscan::{ElementType, Error};

use crate::{NpyError, PictureError, TextError};

/// A reason why a source is not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The source itself fails.
    #[error("cannot read")]
    Io(#[from] io::Error),
    /// More bytes than any input needs: a device or a pipe may have no end.
    #[error("it is longer than {0} bytes, which no input needs")]
    Endless(u64),
    /// White space without an end.
    #[error("there is no number in the first {0} bytes")]
    Blank(u64),
    /// Raw numbers do not state their type.
    #[error("raw numbers have no type of their own")]
    NoElement,
    /// Raw numbers that end within one.
    #[error("{bytes} bytes are no whole number of {element} of {} bytes", element.words() * 4)]
    Remainder {
        /// The bytes in all.
        bytes: usize,
        /// The type that was asked for.
        element: ElementType,
    },
    /// A format that has no flags for a mask.
    #[error("expected a .npy of bool or u1, or a .png")]
    NoMask,
    /// A fault of an `.npy`.
    #[error(transparent)]
    Npy(#[from] NpyError),
    /// A fault of a text.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A fault of a picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A value that the wanted type does not hold, more numbers than a stream holds, or than there is memory for.
    #[error(transparent)]
    Library(#[from] Error),
}
