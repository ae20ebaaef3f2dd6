//! The CPU's clock: the standard library's, or the browser's, where the standard library has none.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;
#[cfg(target_family = "wasm")]
pub use web_time::Instant;
