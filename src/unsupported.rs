//! The error of a request that a device, or an algorithm on any device, cannot fulfil.

use crate::device::{Api, Compute, Device};
use crate::texels::PLANE;

/// A request that a device, or an algorithm on any device, cannot fulfil: its kind, and the reason in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
#[non_exhaustive]
pub struct Unsupported {
    /// The kind of reason, to match on.
    pub kind: Kind,
    /// The reason, and what to do instead.
    pub reason: String,
}

/// The kinds of reason for which a request is not fulfilled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The device lacks a feature. Another algorithm, or another device, may do without.
    Feature,
    /// A stream, an item, or what a pass takes for it is too large for the device.
    TooLarge,
    /// A parameter of the algorithm has a value that it cannot have here.
    Parameter,
    /// The algorithm does not do what is asked, on any device.
    Request,
}

impl Unsupported {
    /// A reason of this kind.
    pub fn new(kind: Kind, reason: impl Into<String>) -> Unsupported {
        Unsupported { kind, reason: reason.into() }
    }

    /// The device lacks a feature.
    pub fn feature(reason: impl Into<String>) -> Unsupported {
        Unsupported::new(Kind::Feature, reason)
    }

    /// Something is too large for the device.
    pub fn too_large(reason: impl Into<String>) -> Unsupported {
        Unsupported::new(Kind::TooLarge, reason)
    }

    /// A parameter has a value that it cannot have here.
    pub fn parameter(reason: impl Into<String>) -> Unsupported {
        Unsupported::new(Kind::Parameter, reason)
    }

    /// The algorithm does not do what is asked.
    pub fn request(reason: impl Into<String>) -> Unsupported {
        Unsupported::new(Kind::Request, reason)
    }

    /// An error of an algorithm, by its name, that takes no length from the GPU, with those that do.
    pub(crate) fn length(name: &str, others: &str) -> Unsupported {
        Unsupported::request(format!("{name} does not take its length from the GPU; use {others}"))
    }

    /// An error if an item has more words than a texel, which an algorithm, by its name, cannot have.
    pub(crate) fn unless_in_texel(name: &str, words: u32, others: &str) -> Result<(), Unsupported> {
        match words <= PLANE {
            true => Ok(()),
            false => Err(Unsupported::too_large(format!(
                "{name} takes items of at most {PLANE} words, and these have {words}; use {others}"
            ))),
        }
    }

    /// An error that names `what` if the device has no geometry shaders.
    pub(crate) fn unless_geometry(device: &Device, what: &str) -> Result<(), Unsupported> {
        if device.geometry {
            return Ok(());
        }
        let level = device.level();
        Err(Unsupported::feature(format!(
            "{what} needs geometry shaders (OpenGL 3.3 or OpenGL ES 3.2), and this is {level}; choose an \
             algorithm without them, such as packed"
        )))
    }

    /// The device's compute capabilities; an error that names `what` if it has no compute shaders.
    pub(crate) fn unless_compute<'a>(device: &'a Device, what: &str) -> Result<&'a Compute, Unsupported> {
        device.compute.as_ref().ok_or_else(|| {
            let mut level = device.level();
            if device.version >= if device.api == Api::Gl { (4, 3) } else { (3, 1) } {
                level += " with an older shading language";
            }
            Unsupported::feature(format!(
                "{what} needs compute shaders (OpenGL 4.3 or OpenGL ES 3.1), and this is {level}; choose an \
                 algorithm of the texture era"
            ))
        })
    }
}
