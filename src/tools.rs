//! The parts of the program, the lessons and the tests. A program that only computes needs none of it.
//!
//! A [`Job`] is a request as people write it, a [`Task`] a request with its numbers. [`registry`] lists all algorithms by
//! name, [`problem`] what they solve.

macro_rules! rooms {
    ($($(#[$about:meta])* $room:ident;)*) => { $($(#[$about])* pub mod $room { pub use crate::$room::*; })* };
}

rooms! {
    /// The fastest algorithm that is right on a context.
    auto;
    /// The CPU's clock, native or the browser's.
    clock;
    /// The cases that every algorithm must get right.
    conformance;
    /// Copies of a stream, the yardstick of times.
    copy;
    /// Jobs and their grammar.
    job;
    /// The limits of every request, and what breaks them.
    limits;
    /// Allocations as large as the input, which say when memory is full.
    memory;
    /// Numbers whose type is known at run time.
    numbers;
    /// Files that appear whole.
    #[cfg(feature = "recordings")]
    output;
    /// Names that are safe for a terminal.
    printable;
    /// Problems: scan, compact, reduce, sort, histogram.
    problem;
    /// Proofs for every input, by intervals.
    proof;
    /// Random numbers that are the same everywhere.
    random;
    /// Jobs whose streams are the caller's, as plans.
    recipe;
    /// From a task to a recording.
    record;
    /// All algorithms by name.
    registry;
    /// Constants, or values that are made at run time.
    shared;
    /// Sources of numbers: random, patterns, typed in, files.
    source;
    /// Requests with their numbers, which run and are verified.
    task;
}

#[doc(inline)]
pub use crate::algorithm::{Problem, Request, Spec};
#[doc(inline)]
pub use crate::{each, for_element};
pub use job::Job;
pub use numbers::Numbers;
pub use task::Task;
