//! The reasons why bytes cannot be read as numbers.

use std::io;

use rasterscan::{ElementType, Error};

use crate::{NpyError, PictureError, TextError};

/// A reason why a source cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The source itself fails.
    #[error("cannot read")]
    Io(#[from] io::Error),
    /// More bytes than any input needs, such as from a device or a pipe without an end.
    #[error("it is longer than {0} bytes, the limit of any input")]
    Endless(u64),
    /// Too much white space without a number.
    #[error("the first {0} bytes have no number")]
    Blank(u64),
    /// Raw numbers do not state their type.
    #[error("raw numbers do not state their type")]
    NoElement,
    /// Raw numbers that end within a number.
    #[error("{bytes} bytes are not a whole number of {element} of {} bytes", element.words() * 4)]
    Remainder {
        /// The bytes in all.
        bytes: usize,
        /// The requested type.
        element: ElementType,
    },
    /// An input that cannot be read piece by piece.
    #[error("it is read as a whole; piece by piece, only a .npy and a regular .bin file are")]
    NoPieces,
    /// A file that became shorter or longer while it was read.
    #[error("it changed while it was read: it had {bytes} bytes, and now {}", if taken < bytes { format!("ends after {taken}") } else { "has more".into() })]
    Changed {
        /// The bytes that it had.
        bytes: u64,
        /// The bytes read.
        taken: u64,
    },
    /// A format that has no flags.
    #[error("expected a .npy of bool or u1, or a .png")]
    NoMask,
    /// An error in an `.npy`.
    #[error(transparent)]
    Npy(#[from] NpyError),
    /// An error in a text.
    #[error(transparent)]
    Text(#[from] TextError),
    /// An error in a picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A value out of range of the requested type, more numbers than a stream holds, or too little memory.
    #[error(transparent)]
    Library(#[from] Error),
}
