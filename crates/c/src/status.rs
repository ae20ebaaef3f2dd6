//! The codes of calls, and the sentence of the last error.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use rasterscan::error::ErrorKind;
use rasterscan::tools::recipe::RecipeError;

/// The outcome of a call. rs_last_error() says more.
#[expect(non_camel_case_types, reason = "names of C")]
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum rs_status {
    /// Done.
    RS_OK = 0,
    /// A job, numbers or a stream that make no sense.
    RS_ERROR_REQUEST = 1,
    /// Something that this device or algorithm cannot do.
    RS_ERROR_UNSUPPORTED = 2,
    /// No usable OpenGL.
    RS_ERROR_NO_DEVICE = 3,
    /// A shader that does not compile, such as the caller's own.
    RS_ERROR_SHADER = 4,
    /// The context was lost with all that was in it.
    RS_ERROR_CONTEXT_LOST = 5,
    /// Memory is full.
    RS_ERROR_MEMORY = 6,
    /// The context is not current, is another one, or is in a state that spoils results.
    RS_ERROR_CONTEXT = 7,
    /// The driver failed.
    RS_ERROR_DRIVER = 8,
    /// A handle that is 0, was freed, or is of another kind.
    RS_ERROR_HANDLE = 9,
    /// A handle of another thread. A handle belongs to the thread that made it.
    RS_ERROR_THREAD = 10,
    /// A pointer that is NULL, or a text that is not UTF-8.
    RS_ERROR_POINTER = 11,
    /// A fault of this library. Its handles may be unusable.
    RS_ERROR_FAULT = 12,
}

/// A reason why a call did nothing.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Library(#[from] rasterscan::Error),
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    #[error("{0}")]
    Request(String),
    #[error("the handle of the {kind} {what}")]
    Handle { kind: &'static str, what: &'static str },
    #[error("the {0} belongs to another thread; call it from the thread that made it")]
    Thread(&'static str),
    #[error("{0} is NULL")]
    Null(&'static str),
    #[error("{0} is not UTF-8")]
    Text(&'static str),
}

impl Failure {
    fn status(&self) -> rs_status {
        let kind = match self {
            Failure::Library(error) | Failure::Recipe(RecipeError::Library(error)) => error.kind(),
            Failure::Recipe(_) | Failure::Request(_) => ErrorKind::Request,
            Failure::Handle { .. } => return rs_status::RS_ERROR_HANDLE,
            Failure::Thread(_) => return rs_status::RS_ERROR_THREAD,
            Failure::Null(_) | Failure::Text(_) => return rs_status::RS_ERROR_POINTER,
        };
        match kind {
            ErrorKind::Request => rs_status::RS_ERROR_REQUEST,
            ErrorKind::Unsupported => rs_status::RS_ERROR_UNSUPPORTED,
            ErrorKind::NoDevice => rs_status::RS_ERROR_NO_DEVICE,
            ErrorKind::Shader => rs_status::RS_ERROR_SHADER,
            ErrorKind::ContextLost => rs_status::RS_ERROR_CONTEXT_LOST,
            ErrorKind::Memory => rs_status::RS_ERROR_MEMORY,
            ErrorKind::Context => rs_status::RS_ERROR_CONTEXT,
            _ => rs_status::RS_ERROR_DRIVER,
        }
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs a call. No panic crosses it, and its error becomes the thread's last.
pub fn call(work: impl FnOnce() -> Result<(), Failure>) -> rs_status {
    let (status, text) = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => (rs_status::RS_OK, String::new()),
        Ok(Err(failure)) => (failure.status(), failure.to_string()),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref().copied()).unwrap_or("a panic");
            (rs_status::RS_ERROR_FAULT, format!("a fault of rasterscan: {text}"))
        }
    };
    LAST.with(|last| *last.borrow_mut() = c_text(&text));
    status
}

/// The last error's sentence.
pub fn last() -> *const c_char {
    LAST.with(|last| last.borrow().as_ptr())
}

/// A text for C, without the zeros that it cannot hold.
pub fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}
