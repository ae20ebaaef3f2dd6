//! The histograms of the texture era.

pub(crate) mod sorted;

pub use sorted::Sorted;
