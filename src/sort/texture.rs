//! The sorts of the texture era.

pub(crate) mod radix;

pub use radix::Radix;
