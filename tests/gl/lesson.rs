//! What is said of a pass is true, and something is said of every pass of every algorithm.

mod equations;
mod listing;
mod memory;
mod narration;
mod runs;
mod tour;

crate::tests![in equations, listing, memory, narration, tour;];
