//! Prefix sums the way GPUs did them with textures and framebuffers.

#![deny(unsafe_code)]

pub mod device;
pub mod element;
pub mod error;
mod gl;
pub mod measure;
pub mod operator;
pub mod plan;
pub mod reference;
pub mod registry;
pub mod scan;
pub mod spec;
pub mod trace;

pub use device::{Api, Device};
pub use element::{Element, ElementType};
pub use error::{Error, Unsupported};
pub use gl::*;
pub use operator::Operator;
pub use plan::Plan;
pub use scan::ScanAlgorithm;
pub use spec::{ScanKind, ScanSpec, SpecError};
