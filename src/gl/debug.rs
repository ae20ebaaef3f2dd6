//! The debug output of a context: messages of high and medium severity, collected.
//!
//! In debug builds, contexts without a window are debug contexts. A message becomes an error of the call during which
//! it arrived. Messages that say nothing about our calls are listed below with a reason each, and nowhere else.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;

/// Messages from the driver since the last check. Shared with the driver's callback.
#[derive(Clone, Default)]
pub struct DebugLog(Option<Arc<Mutex<Vec<String>>>>);

/// Messages that do not concern our calls: (part of the renderer's name, reason).
///
/// Expected failures are listed here and nowhere else.
#[cfg(all(feature = "headless", not(target_family = "wasm")))]
const EXPECTED: [(&str, &str); 1] = [(
    "recompiled based on GL state",
    "NVIDIA (H200, 580.159.04): the first draw in a new state recompiles; a note on speed only",
)];

impl DebugLog {
    /// No debug output: nothing is collected.
    pub fn none() -> DebugLog {
        DebugLog(None)
    }

    /// Installs the callback. The context must be current and not shared yet.
    #[cfg(all(feature = "headless", not(target_family = "wasm")))]
    pub fn install(gl: &mut glow::Context) -> DebugLog {
        use glow::HasContext;

        // glow calls the function without a suffix where it finds one. ANGLE has one in every version, and refuses the call
        // before ES 3.2.
        let version = gl.version();
        // SAFETY: the context is current, and every version has this name.
        let is_angle = unsafe { gl.get_parameter_string(glow::RENDERER) }.starts_with("ANGLE");
        let refused = is_angle && (version.major, version.minor) < (3, 2);
        if refused || !gl.supports_debug() {
            return DebugLog::none();
        }
        let messages = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&messages);
        // SAFETY: the context is current; the callback owns what it touches.
        unsafe {
            gl.enable(glow::DEBUG_OUTPUT);
            gl.enable(glow::DEBUG_OUTPUT_SYNCHRONOUS);
            gl.debug_message_callback(move |_source, _kind, _id, severity, text| {
                let level = match severity {
                    glow::DEBUG_SEVERITY_HIGH => "high",
                    glow::DEBUG_SEVERITY_MEDIUM => "medium",
                    _ => return,
                };
                if EXPECTED.iter().any(|(part, _)| text.contains(part)) {
                    return;
                }
                let mut messages = sink.lock().unwrap_or_else(PoisonError::into_inner);
                messages.push(format!("{level}: {}", text.trim()));
            });
        }
        DebugLog(Some(messages))
    }

    /// Takes the collected messages; an error if there are any.
    pub fn check(&self, during: &'static str) -> Result<(), Error> {
        let Some(messages) = &self.0 else { return Ok(()) };
        let messages = std::mem::take(&mut *messages.lock().unwrap_or_else(PoisonError::into_inner));
        if messages.is_empty() { Ok(()) } else { Err(Error::DebugOutput { during, messages }) }
    }
}
