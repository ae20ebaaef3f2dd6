//! Tests on a software device draw one at a time.
//!
//! Before it reads a texture or writes one, llvmpipe looks through what all contexts of the process still have to
//! draw, and does not lock it (Mesa 22.3.6): with two tests at work at a time, one run of `tests/compaction.rs` in
//! five ended in a crash of the driver.

use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard, PoisonError};

static TURN: Mutex<()> = Mutex::new(());

thread_local! {
    static MINE: RefCell<Option<MutexGuard<'static, ()>>> = const { RefCell::new(None) };
}

/// Waits until no other test draws. A test's turn ends with its thread.
pub fn take() {
    MINE.with_borrow_mut(|mine| {
        mine.get_or_insert_with(|| TURN.lock().unwrap_or_else(PoisonError::into_inner));
    });
}

/// Ends the turn of a test whose driver does not need it.
pub fn give_back() {
    MINE.take();
}
