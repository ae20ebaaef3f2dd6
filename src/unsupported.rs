//! The error of a request that a device, or an algorithm on any device, cannot fulfil.

use crate::device::{Compute, Device};

/// A request that a device, or an algorithm on any device, cannot fulfil. Holds the reason, in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);

impl Unsupported {
    /// An error of an algorithm, by its name, that takes no length from the GPU, with those that do.
    pub(crate) fn length(name: &str, others: &str) -> Unsupported {
        Unsupported(format!("{name} does not take its length from the GPU; use {others}"))
    }

    /// An error that names `what` if the device has no geometry shaders.
    pub(crate) fn unless_geometry(device: &Device, what: &str) -> Result<(), Unsupported> {
        if device.geometry {
            return Ok(());
        }
        let level = device.level();
        Err(Unsupported(format!(
            "{what} needs geometry shaders (OpenGL 3.3 or OpenGL ES 3.2), and this is {level}; choose an \
             algorithm without them, such as packed"
        )))
    }

    /// The device's compute capabilities; an error that names `what` if it has no compute shaders.
    pub(crate) fn unless_compute<'a>(device: &'a Device, what: &str) -> Result<&'a Compute, Unsupported> {
        device.compute.as_ref().ok_or_else(|| {
            let level = device.level();
            Unsupported(format!(
                "{what} needs compute shaders (OpenGL 4.3 or OpenGL ES 3.1), and this is {level}; choose an \
                 algorithm without them, such as packed"
            ))
        })
    }
}
