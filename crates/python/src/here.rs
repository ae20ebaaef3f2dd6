//! Values that only one thread may touch, in objects that any thread may drop.
//!
//! Python frees an object on whichever thread drops the last reference, and an OpenGL context belongs to one. So values
//! stay in a table of their thread, and Python's objects hold a number. A value whose object was freed elsewhere is
//! dropped at the next use of the table.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use crate::errors::Failure;

type Table = RefCell<HashMap<u64, Rc<dyn Any>>>;

thread_local! {
    /// Not dropped when the thread ends: its context may be gone by then.
    static TABLE: ManuallyDrop<Table> = ManuallyDrop::new(Table::default());
}

/// The numbers of values to drop, each with its thread.
static FREED: Mutex<Vec<(ThreadId, u64)>> = Mutex::new(Vec::new());
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A value of the thread that made it.
pub struct Here<T> {
    thread: ThreadId,
    number: u64,
    /// The value's name in errors.
    what: &'static str,
    value: PhantomData<fn() -> T>,
}

impl<T: 'static> Here<T> {
    /// Keeps a value on this thread.
    pub fn new(what: &'static str, value: T) -> Here<T> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        TABLE.with(|table| table.borrow_mut().insert(number, Rc::new(value)));
        Here { thread: thread::current().id(), number, what, value: PhantomData }
    }

    /// The value.
    ///
    /// Errors: [`Failure::Thread`] on another thread.
    pub fn get(&self) -> Result<Rc<T>, Failure> {
        drop_freed();
        let found = TABLE.with(|table| table.borrow().get(&self.number).cloned());
        found.and_then(|value| value.downcast().ok()).ok_or(Failure::Thread(self.what))
    }
}

/// Drops the values of this thread whose objects were freed on others.
fn drop_freed() {
    let here = thread::current().id();
    let mut freed = FREED.lock().unwrap_or_else(PoisonError::into_inner);
    let mine: Vec<u64> =
        freed.extract_if(.., |(thread, _)| *thread == here).map(|(_, number)| number).collect();
    drop(freed);
    // The values are dropped after the table is free again: a value may hold others.
    let values: Vec<_> = TABLE.with(|table| {
        let mut table = table.borrow_mut();
        mine.iter().filter_map(|number| table.remove(number)).collect()
    });
    drop(values);
}

impl<T> Drop for Here<T> {
    fn drop(&mut self) {
        let mut freed = FREED.lock().unwrap_or_else(PoisonError::into_inner);
        freed.push((self.thread, self.number));
        drop(freed);
        if self.thread == thread::current().id() {
            drop_freed();
        }
    }
}

impl<T> fmt::Debug for Here<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} of {:?}", self.what, self.number, self.thread)
    }
}
