//! The histograms of the compute era.

pub(crate) mod atomic;

pub use atomic::Atomic;
