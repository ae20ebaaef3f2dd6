//! Errors as exceptions: those of `python/rasterscan/errors.py`.

use pyo3::PyErr;
use rasterscan::Error;
use rasterscan::algorithm::results::Mismatch;
use rasterscan::error::ErrorKind;
use rasterscan::operator::OperatorError;
use rasterscan::tools::job::JobError;

mod python {
    macro_rules! exceptions {
        ($($name:ident)*) => { $(pyo3::import_exception!(rasterscan.errors, $name);)* };
    }
    exceptions!(ContextError ContextLost Error NoDevice OutOfMemory RequestError ShaderError Unsupported WrongResult WrongThread);
}

/// A reason why a call has no result.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Library(#[from] Error),
    #[error(transparent)]
    Kernels(#[from] rasterscan_kernels::Error),
    #[error(transparent)]
    Job(#[from] JobError),
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// A result that is not the reference's.
    #[error("{algorithm} is wrong: {mismatch}")]
    Wrong { algorithm: String, mismatch: Mismatch },
    /// A request in words that only this package refuses.
    #[error("{0}")]
    Request(String),
    /// A call on a thread other than that of the context.
    #[error(
        "this {0} belongs to the OpenGL context of another thread; call it from there, or use Gpu(), which any thread may call"
    )]
    Thread(&'static str),
    #[error("{0}")]
    Context(String),
    /// An exception of the caller's own code.
    #[error(transparent)]
    Python(#[from] PyErr),
}

impl Failure {
    /// Returns true if it says that there is no driver.
    pub fn is_without_driver(&self) -> bool {
        matches!(self, Failure::Library(Error::NoDevice(_)))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        let text = failure.to_string();
        match failure {
            Failure::Python(error) => error,
            Failure::Library(error) | Failure::Kernels(rasterscan_kernels::Error::Request(error)) => {
                of(&error, text)
            }
            Failure::Kernels(rasterscan_kernels::Error::Unsupported(_)) => python::Unsupported::new_err(text),
            Failure::Kernels(_) => python::Error::new_err(text),
            Failure::Job(_) | Failure::Operator(_) | Failure::Request(_) => {
                python::RequestError::new_err(text)
            }
            Failure::Wrong { .. } => python::WrongResult::new_err(text),
            Failure::Thread(_) => python::WrongThread::new_err(text),
            Failure::Context(_) => python::ContextError::new_err(text),
        }
    }
}

fn of(error: &Error, text: String) -> PyErr {
    match error.kind() {
        ErrorKind::Unsupported => python::Unsupported::new_err(text),
        ErrorKind::NoDevice => python::NoDevice::new_err(text),
        ErrorKind::Shader => python::ShaderError::new_err(text),
        ErrorKind::ContextLost => python::ContextLost::new_err(text),
        ErrorKind::Memory => python::OutOfMemory::new_err(text),
        ErrorKind::Context => python::ContextError::new_err(text),
        ErrorKind::Request => python::RequestError::new_err(text),
        _ => python::Error::new_err(text),
    }
}
