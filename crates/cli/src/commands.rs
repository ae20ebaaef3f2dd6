//! The commands, a file for each. They use the files beside this one, and none uses another.

#[cfg(any(test, not(feature = "window")))]
#[cfg_attr(feature = "window", expect(dead_code, reason = "it is here for its tests"))]
#[path = "commands/app/absent.rs"]
pub mod absent;
#[cfg(feature = "window")]
pub mod app;
#[cfg(not(feature = "window"))]
pub use absent as app;
pub mod compare;
pub mod completions;
pub mod demo;
pub mod gallery;
pub mod grade;
pub mod info;
pub mod kmodel;
pub mod lesson;
pub mod list;
pub mod man;
pub mod reproduce;
pub mod results;
pub mod selftest;
pub mod solve;
pub mod trace;
pub mod tune;
