//! Handles: numbers in place of pointers, so that a wrong one is an error and not a crash.
//!
//! A handle is a slot and the number of its value, counted over all slots. OpenGL's objects belong to the thread of their
//! context, so values stay in a table of their thread; which thread that is, every thread can read.

use std::any::Any;
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::status::Failure;

/// A kind of value, by its name in errors.
pub trait Kind: Any {
    const NAME: &'static str;
}

/// A slot that is taken.
#[derive(Clone, Copy)]
struct Taken {
    number: u32,
    thread: u32,
}

#[derive(Default)]
struct Slots {
    slots: Vec<Option<Taken>>,
    /// The number of the last value.
    last: u32,
}

static SLOTS: Mutex<Slots> = Mutex::new(Slots { slots: Vec::new(), last: 0 });

static THREADS: AtomicU32 = AtomicU32::new(0);

type Values = RefCell<Vec<(u64, Rc<dyn Any>)>>;

thread_local! {
    /// Not dropped when the thread ends: its context may be gone by then.
    static VALUES: ManuallyDrop<Values> = ManuallyDrop::new(Values::default());
    /// The thread's number. std's own is memory that the main thread never frees.
    static THREAD: u32 = THREADS.fetch_add(1, Ordering::Relaxed);
}

/// Keeps a value on this thread.
pub fn insert(value: impl Kind) -> u64 {
    let mut table = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
    let slot = table.slots.iter().position(Option::is_none).unwrap_or_else(|| {
        table.slots.push(None);
        table.slots.len() - 1
    });
    // 0 is no handle.
    table.last = table.last.checked_add(1).unwrap_or(1);
    let taken = Taken { number: table.last, thread: THREAD.with(|thread| *thread) };
    table.slots[slot] = Some(taken);
    drop(table);
    let handle = u64::from(taken.number) << 32 | slot as u64;
    VALUES.with(|values| values.borrow_mut().push((handle, Rc::new(value))));
    handle
}

/// The value of a handle.
///
/// Errors: no handle, one that was freed, one of another kind, or one of another thread.
pub fn get<T: Kind>(handle: u64) -> Result<Rc<T>, Failure> {
    let value = find(handle, T::NAME)?;
    value.downcast().map_err(|_| Failure::Handle { kind: T::NAME, what: "is one of another kind" })
}

/// Drops the value of a handle.
///
/// Errors: as [`get`], but of no kind.
pub fn remove(handle: u64) -> Result<(), Failure> {
    let value = find(handle, "object")?;
    VALUES.with(|values| {
        let mut values = values.borrow_mut();
        values.retain(|(known, _)| *known != handle);
        // Leaves nothing behind once all is freed.
        if values.is_empty() {
            *values = Vec::new();
        }
    });
    let mut table = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
    table.slots[handle as u32 as usize] = None;
    if table.slots.iter().all(Option::is_none) {
        table.slots = Vec::new();
    }
    drop(table);
    drop(value);
    Ok(())
}

fn find(handle: u64, kind: &'static str) -> Result<Rc<dyn Any>, Failure> {
    if handle == 0 {
        return Err(Failure::Handle { kind, what: "is 0" });
    }
    let table = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
    let taken = table.slots.get(handle as u32 as usize).copied().flatten();
    drop(table);
    let taken = taken.filter(|taken| u64::from(taken.number) == handle >> 32);
    let taken = taken.ok_or(Failure::Handle { kind, what: "was freed, or never made" })?;
    if taken.thread != THREAD.with(|thread| *thread) {
        return Err(Failure::Thread(kind));
    }
    let found = |values: &Values| {
        values.borrow().iter().find(|(known, _)| *known == handle).map(|(_, value)| Rc::clone(value))
    };
    VALUES.with(|values| found(values)).ok_or(Failure::Handle { kind, what: "was freed, or never made" })
}
