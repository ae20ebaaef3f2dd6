//! Measuring: what is timed is verified first, and timed in turns, on a device that is known to run at its full speed.
//!
//! A [`Cell`](cell::Cell) is one case and all contenders that are compared on it. A [`Lab`](cell::Lab) measures cells and gives
//! [`Row`](cell::Row)s, which are plain data. Comparisons, verdicts and pages are made of rows alone and measure nothing.
//!
//! The core has no files, no threads and no terminal, so that a web page can use it; it is all that is left without features:
//!
//! | module | what it does |
//! | --- | --- |
//! | [`measure`] | the protocol: turns, the yardstick, medians and their intervals |
//! | [`tuner`] | the fastest algorithms, columns and parameters of a device; [`tuner::kept`] is their document |
//! | [`case`], [`contender`], [`cell`] | what is measured, and the rows that come out |
//! | [`cpu`] | the CPU's own algorithms |
//! | [`gpu`] | the lab on a device |
//! | [`document`], [`machine`], [`number`], [`progress`] | documents, facts and numbers for people, what a run tells |
//! | [`peers`] | the document of a program that measures what others made |
//!
//! Features add what needs more:
//!
//! | feature | modules | needs |
//! | --- | --- | --- |
//! | `host` | `host` | the system's files, and its clock: facts about the machine |
//! | `parallel` | the contender `cpu:parallel` | threads |
//! | `report` | `compare`, `reproduce`, `report`, `table` | crates for tables, charts and pages; no files |
//! | `stub` | `stub` | nothing: a lab without a device, for tests |

#![deny(unsafe_code)]

pub mod case;
pub mod cell;
#[cfg(feature = "report")]
pub mod compare;
pub mod contender;
pub mod cpu;
pub mod document;
pub mod gpu;
#[cfg(feature = "host")]
pub mod host;
pub mod machine;
pub mod measure;
pub mod number;
pub mod peers;
pub mod progress;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "report")]
pub mod reproduce;
#[cfg(any(test, feature = "stub"))]
pub mod stub;
#[cfg(feature = "report")]
pub mod table;
pub mod tuner;
