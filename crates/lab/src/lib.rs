//! Measuring: results are verified first, then timed in turns, on a device that is known to run at its full speed.
//!
//! A [`Cell`](cell::Cell) is one case and all contenders that are compared on it. A [`Lab`](cell::Lab) measures cells
//! and returns [`Row`](cell::Row)s, which are plain data. Comparisons, verdicts and pages are made of rows alone and
//! measure nothing.
//!
//! The core uses no files, threads or terminal, so a web page can use it. Without features, it is all there is:
//!
//! | module | what it does |
//! | --- | --- |
//! | [`measure`] | the protocol: turns, the yardstick, medians and their intervals |
//! | [`tuner`] | the fastest algorithms, columns and parameters of a device; [`tuner::kept`] is their document |
//! | [`case`], [`contender`], [`cell`] | what is measured, and the rows that come out |
//! | [`cpu`] | the CPU's own algorithms |
//! | [`gpu`] | the lab on a device |
//! | [`document`], [`machine`], [`progress`] | documents, facts for people, the steps of a run |
//! | [`peers`] | the document of a program that measures other implementations |
//!
//! Features add what needs more:
//!
//! | feature | modules | needs |
//! | --- | --- | --- |
//! | `host` | `host` | the system's files, and its clock: facts about the machine |
//! | `parallel` | the contender `cpu:parallel` | threads |
//! | `report` | `compare`, `reproduce`, `report`, `results`, `selftest`, `table` | crates for tables, charts and pages; no files |
//! | `stub` | `stub` | nothing: a lab without a device, for tests |

#![deny(missing_docs, unsafe_code)]

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
pub mod model;
pub mod peers;
pub mod progress;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "report")]
pub mod reproduce;
#[cfg(feature = "report")]
pub mod results;
#[cfg(feature = "report")]
pub mod selftest;
#[cfg(any(test, feature = "stub"))]
pub mod stub;
#[cfg(feature = "report")]
pub mod table;
pub mod tuner;
