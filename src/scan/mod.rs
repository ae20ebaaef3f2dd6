//! The scans. Each algorithm is one file that records a [`Plan`] and a folder of shaders under
//! `glsl/scan/`; the registry ([`crate::registry`]) lists them.

pub mod compute;
pub mod texture;

use crate::device::Device;
use crate::error::Error;
use crate::plan::Plan;
use crate::spec::ScanSpec;

/// An algorithm that turns a request into a plan.
pub trait ScanAlgorithm {
    /// Records the passes for `spec` on `device`. Pure: it touches no GL.
    ///
    /// Errors where the request makes no sense ([`Error::Spec`]) or where the device or the
    /// algorithm cannot do it ([`Error::Unsupported`]).
    fn plan(&self, spec: &ScanSpec, device: &Device) -> Result<Plan, Error>;
}
