//! Every error of the library, typed.

mod plan;

pub use crate::limits::{ConditionError, SpecError};
pub use crate::unsupported::{Kind, Unsupported};
pub use plan::PlanError;

use crate::element::ElementType;
use crate::layout::Layout;

use crate::operator::Operator;

use crate::word::WordError;

/// The library's error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A request that makes no sense on any device.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A condition that cannot be read.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// Something that the device or the algorithm cannot do.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A mistake in the plan itself.
    #[error("invalid plan: {0}")]
    Plan(#[from] PlanError),
    /// No OpenGL context could be made; the text says why.
    #[error("no usable OpenGL: {0}")]
    NoDevice(String),
    /// A shader that does not compile or link. `log` names `glsl/path:line` or `operator NAME:line` for each message.
    #[error("the shader {shader} does not compile:\n{log}")]
    Shader {
        /// `glsl/PATH`, with the element and the operator where they are known.
        shader: String,
        /// The driver's messages.
        log: String,
    },
    /// A shader that includes a file which does not exist.
    #[error("the shader {shader} includes \"{include}\", which is not among its includes; add it")]
    Include {
        /// The path of the shader below `glsl/`.
        shader: String,
        /// The name after `#include`.
        include: String,
    },
    /// A check of results of an operator whose definition has no CPU function.
    #[error("the operator {0} has no CPU twin to check its results with; add one with Definition::twin")]
    NoTwin(Operator),
    /// An error that OpenGL reported, out of memory included.
    #[error("OpenGL failed in {during}: {what}")]
    Gl {
        /// The operation that failed.
        during: &'static str,
        /// The error in words.
        what: String,
    },
    /// Messages of high or medium severity from a debug context.
    #[error("OpenGL debug output from {during}:\n{}", messages.join("\n"))]
    DebugOutput {
        /// The operation that caused the messages.
        during: &'static str,
        /// The driver's texts, in the order of their arrival.
        messages: Vec<String>,
    },
    /// A failed allocation of CPU memory whose size depends on the input.
    #[error("out of memory: {bytes} bytes for {what}")]
    Memory {
        /// The size of the allocation.
        bytes: u64,
        /// The purpose of the memory.
        what: &'static str,
    },
    /// A call on a [`Gpu`](crate::Gpu) of the caller's context while another context, or none, is current.
    #[error("the OpenGL context that this Gpu was made in is not current; make it current before the call")]
    NotCurrent,
    /// A [`Gpu`](crate::Gpu) for the current context while none is current.
    #[error("no OpenGL context is current on this thread; make one current before the call")]
    NoContext,
    /// A device that was reset, or that has not answered for too long. Nothing that was on it can be used again.
    #[error("the OpenGL context was lost in {during}: {reason}")]
    ContextLost {
        /// The call that found out.
        during: &'static str,
        /// The driver's reason, or how long the device was silent.
        reason: String,
    },
    /// A slice or a stream of the wrong length.
    #[error("{what} has {got} elements; expected {expected}")]
    Length {
        /// The name of the argument.
        what: &'static str,
        /// Its length, in elements.
        got: u64,
        /// The length that is needed, in elements.
        expected: u64,
    },
    /// Numbers of another type than is needed.
    #[error("{what} holds {got}; expected {expected}")]
    ElementMismatch {
        /// The name of the argument.
        what: &'static str,
        /// The type that it holds.
        got: ElementType,
        /// The type that is needed.
        expected: ElementType,
    },
    /// A stream that is laid out otherwise than the plan's input.
    #[error("the stream's layout is {got}, and the plan reads {expected}; upload with Prepared::upload")]
    LayoutMismatch {
        /// The stream's layout.
        got: Box<Layout>,
        /// The layout of the plan's input.
        expected: Box<Layout>,
    },
    /// More or fewer input streams than the plan reads.
    #[error("wrong number of input streams: expected {expected}, got {got}")]
    Inputs {
        /// The streams that were passed.
        got: usize,
        /// The streams that the plan reads.
        expected: usize,
    },
    /// An input stream that the run would overwrite while it reads it, or one stream for two results.
    #[error(
        "an input is also a result of the same run; use other streams for the results, or prepare the plan twice"
    )]
    OwnResult,
    /// A result that the plan does not have.
    #[error("the plan has no result named {0}; use the results of a plan that has")]
    NoResult(&'static str),
    /// A uniform that no pass of a plan has.
    #[error("no pass of the plan sets a uniform {name}; name one that a pass sets")]
    NoUniform {
        /// The name.
        name: String,
    },
    /// A uniform of a caller's shader that the plan does not set.
    #[error(
        "the shader has a uniform {name}, and its pass does not set it; give it a first value by the `set` of its map or pass"
    )]
    UnsetUniform {
        /// The name.
        name: String,
    },
    /// A uniform of another type than the plan's or the shader's.
    #[error("the uniform {name} is of type {expected}, not {got}")]
    UniformType {
        /// The name.
        name: String,
        /// The type of the value.
        got: &'static str,
        /// The type in the plan or in the shader.
        expected: &'static str,
    },
    /// State of the caller's context that would spoil results and that this crate cannot change.
    #[error("{0} is set in this context; undo it before the call")]
    CallersState(&'static str),
    /// An object that is bound in the caller's context, and lives only as long as it is: it was deleted while it was
    /// current, or in another context that shares it. It could not be bound again after the call, so the call does nothing.
    #[error(
        "{0} that is bound in this context has been deleted, and could not be bound again after the call; unbind it first"
    )]
    DeletedObject(&'static str),
    /// A number that the wanted type cannot hold.
    #[error(transparent)]
    DoesNotFit(#[from] DoesNotFit),
    /// A text that is not a list of numbers.
    #[error(transparent)]
    NoNumber(#[from] NoNumber),
    /// A stream of another context.
    #[error("the stream belongs to another Gpu; upload the data through this one")]
    OtherContext,
    /// A tuning that comes too late.
    #[error("the tuning cannot change now; set it before the Gpu is cloned or used")]
    InUse,
}

/// The subject of an error, for programs that tell errors apart by a number or a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A request, numbers or a stream that make no sense, on any device.
    Request,
    /// Something that this device or algorithm cannot do.
    Unsupported,
    /// No usable OpenGL.
    NoDevice,
    /// A shader that does not compile.
    Shader,
    /// A context that was lost with all that was in it.
    ContextLost,
    /// Memory of the CPU that is full.
    Memory,
    /// A context that is not current, another one, or one in a state that spoils results.
    Context,
    /// A failure of the driver.
    Driver,
}

impl Error {
    /// The subject of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Unsupported(_) => ErrorKind::Unsupported,
            Error::NoDevice(_) => ErrorKind::NoDevice,
            Error::Shader { .. } | Error::Include { .. } | Error::UnsetUniform { .. } => ErrorKind::Shader,
            Error::ContextLost { .. } => ErrorKind::ContextLost,
            Error::Memory { .. } => ErrorKind::Memory,
            Error::NotCurrent
            | Error::NoContext
            | Error::OtherContext
            | Error::CallersState(_)
            | Error::DeletedObject(_) => ErrorKind::Context,
            Error::Gl { .. } | Error::DebugOutput { .. } => ErrorKind::Driver,
            Error::Spec(_)
            | Error::Condition(_)
            | Error::Plan(_)
            | Error::NoTwin(_)
            | Error::Length { .. }
            | Error::ElementMismatch { .. }
            | Error::LayoutMismatch { .. }
            | Error::Inputs { .. }
            | Error::OwnResult
            | Error::NoResult(_)
            | Error::NoUniform { .. }
            | Error::UniformType { .. }
            | Error::DoesNotFit(_)
            | Error::NoNumber(_)
            | Error::InUse => ErrorKind::Request,
        }
    }

    /// The same error; if it is a lost context, with this call as the one that found out.
    pub(crate) fn in_call(self, call: &'static str) -> Error {
        match self {
            Error::ContextLost { reason, .. } => Error::ContextLost { during: call, reason },
            other => other,
        }
    }
}

/// A value that the wanted type cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("value {index} (counted from 0) is {value}, which does not fit {to}")]
pub struct DoesNotFit {
    /// Its index in the stream.
    pub index: usize,
    /// The value as text.
    pub value: String,
    /// The wanted type.
    pub to: ElementType,
}

/// A word that is not a number of the wanted element.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{word}' (number {index}, counted from 0) {}", fault_text(.fault, *.element))]
pub struct NoNumber {
    /// Its index in the stream.
    pub index: usize,
    /// The word itself.
    pub word: String,
    /// The wanted element.
    pub element: ElementType,
    /// The reason.
    pub fault: WordError,
}

fn fault_text(fault: &WordError, element: ElementType) -> String {
    match fault {
        WordError::NotANumber => format!("is not a valid {element}"),
        fault => fault.to_string(),
    }
}
