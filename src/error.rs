//! Everything that can go wrong in the library, typed.

use crate::device::{Compute, Device};
use crate::element::ElementType;
use crate::numbers::{DoesNotFit, NoNumber};

use crate::limits::{ConditionError, SpecError};
use crate::operator::Operator;
use crate::plan::{Dispatch, Draw, Layout, PlanError};

/// What a device, or an algorithm on any device, cannot do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);

impl Unsupported {
    /// An error that names `what`, where the device has no geometry shaders.
    pub(crate) fn unless_geometry(device: &Device, what: &str) -> Result<(), Unsupported> {
        if device.geometry {
            return Ok(());
        }
        let level = device.level();
        Err(Unsupported(format!(
            "{what} needs geometry shaders (OpenGL 3.3 or OpenGL ES 3.2); this is {level}"
        )))
    }
}

impl Unsupported {
    /// An error where a draw has more vertices than the device numbers right.
    pub(crate) fn unless_numbered(device: &Device, draw: &Draw) -> Result<(), Unsupported> {
        let (vertices, right) = (draw.primitives.vertices(), device.exact_vertices);
        if right < u32::MAX && draw.stages.geometry.is_some() {
            // Seen on Mesa's softpipe 22.3.6: a draw of one vertex, then one of two, whose second has number 0.
            return Err(Unsupported(
                "a geometry stage needs its vertices numbered, and this device numbers them wrong from draw to draw"
                    .into(),
            ));
        }
        if vertices <= u64::from(right) {
            return Ok(());
        }
        Err(Unsupported(format!(
            "a draw of {vertices} vertices needs them numbered, and this device counts from 0 again after {right}"
        )))
    }

    /// An error where a dispatch binds more buffers than the device allows: OpenGL 4.3 promises eight, ES 3.1 four.
    pub(crate) fn unless_bindable(device: &Device, dispatch: &Dispatch) -> Result<(), Unsupported> {
        let (bound, most) = (dispatch.bindings.len(), device.compute.as_ref().map_or(0, |c| c.max_bindings));
        if bound <= most as usize {
            return Ok(());
        }
        Err(Unsupported(format!("a pass binds {bound} buffers; this device allows {most}")))
    }

    /// What compute shaders can do here; an error that names `what` where there are none.
    pub(crate) fn unless_compute<'a>(device: &'a Device, what: &str) -> Result<&'a Compute, Unsupported> {
        device.compute.as_ref().ok_or_else(|| {
            let level = device.level();
            Unsupported(format!(
                "{what} needs compute shaders (OpenGL 4.3 or OpenGL ES 3.1); this is {level}"
            ))
        })
    }
}

/// The library's error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Condition(#[from] ConditionError),
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    #[error("the plan is wrong: {0}")]
    Plan(#[from] PlanError),
    #[error("no usable OpenGL: {0}")]
    NoDevice(String),
    /// A shader that does not compile or link. `log` names `glsl/path:line` or `operator NAME:line` for each message.
    #[error("the shader {shader} does not compile:\n{log}")]
    Shader { shader: String, log: String },
    #[error("the shader {shader} includes \"{include}\", which is not among its includes")]
    Include { shader: String, include: String },
    /// A check of an operator's results, where its definition does not say how the CPU combines items.
    #[error("the operator {0} has no twin on the CPU, so its results cannot be checked")]
    NoTwin(Operator),
    /// OpenGL reported an error; out of memory among them.
    #[error("OpenGL failed in {during}: {what}")]
    Gl { during: &'static str, what: String },
    /// Messages of high or medium severity from a debug context.
    #[error("the OpenGL debug output complains about {during}:\n{}", messages.join("\n"))]
    DebugOutput { during: &'static str, messages: Vec<String> },
    /// Memory of the CPU that could not be had, for something whose size comes from the input.
    #[error("out of memory: {bytes} bytes for {what}")]
    Memory { bytes: u64, what: &'static str },
    /// A call on a [`Gpu`](crate::Gpu) in a context of the caller's, while another context is current or none.
    #[error("the OpenGL context that this Gpu was made in is not current")]
    NotCurrent,
    /// A device that was reset, or that has not answered for too long. Nothing that was on it can be used again.
    #[error("the OpenGL context was lost in {during}: {reason}")]
    ContextLost { during: &'static str, reason: String },
    #[error("{what} has {got} elements where {expected} are needed")]
    Length { what: &'static str, got: u64, expected: u64 },
    #[error("{what} holds {got}, not {expected}")]
    ElementMismatch { what: &'static str, got: ElementType, expected: ElementType },
    #[error("the stream's layout is {got}, the plan reads {expected}")]
    LayoutMismatch { got: Box<Layout>, expected: Box<Layout> },
    #[error("the plan reads {expected} streams, and {got} were given")]
    Inputs { got: usize, expected: usize },
    /// A stream that the run would overwrite while it reads it.
    #[error("the input is a result of this very plan; prepare the plan twice to run it on its own results")]
    OwnResult,
    /// State of the caller's context that would spoil results and that cannot be set from here.
    #[error("{0} is set in this context; set it back before the call")]
    CallersState(&'static str),
    /// A conversion of numbers.
    #[error(transparent)]
    DoesNotFit(#[from] DoesNotFit),
    /// A text that should be numbers.
    #[error(transparent)]
    NoNumber(#[from] NoNumber),
    #[error("the stream belongs to another Gpu")]
    OtherContext,
    #[error("a Gpu that is cloned or has prepared or uploaded something cannot be given a tuning any more")]
    InUse,
}

impl Error {
    /// The same error, where it is of a lost context: found in this call.
    pub(crate) fn in_call(self, call: &'static str) -> Error {
        match self {
            Error::ContextLost { reason, .. } => Error::ContextLost { during: call, reason },
            other => other,
        }
    }
}
