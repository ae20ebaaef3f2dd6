//! Errors of this engine.

use rasterscan::Unsupported;
use rasterscan::plan::PlanError;

/// A reason why the engine cannot run a plan, or a fault that a kernel shows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The plan needs what only a driver can do.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The plan cannot run as it stands.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The request has no plan.
    #[error(transparent)]
    Request(#[from] rasterscan::Error),
    /// An input of the wrong length, or not as many inputs as the plan has.
    #[error("{what} has {got} words, and the plan expects {expected}")]
    Length {
        /// The stream, or "the list of streams".
        what: String,
        /// Words, or streams.
        got: usize,
        /// The same for the plan.
        expected: usize,
    },
    /// A kernel asks for a name that the plan does not give its pass.
    #[error("pass {pass} ({shader}): the plan gives no {name}")]
    NoName {
        /// The pass, counted from 1.
        pass: usize,
        /// The path of the shader.
        shader: String,
        /// The define, the uniform, the sampler or the binding.
        name: String,
    },
    /// A kernel reads or writes what is not there, or in an order that is not safe on a GPU.
    #[error("pass {pass} ({shader}), {by}: {fault}")]
    Fault {
        /// The pass, counted from 1.
        pass: usize,
        /// The path of the shader.
        shader: String,
        /// The texel, vertex or invocation.
        by: String,
        /// The fault, in words.
        fault: String,
    },
}
