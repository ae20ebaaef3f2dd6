//! What is said of a pass is true, and something is said of every pass of every algorithm.

#[path = "lesson/equations.rs"]
mod equations;
#[path = "lesson/listing.rs"]
mod listing;
#[path = "lesson/memory.rs"]
mod memory;
#[path = "lesson/narration.rs"]
mod narration;
#[path = "lesson/runs.rs"]
mod runs;
#[path = "lesson/tour.rs"]
mod tour;
