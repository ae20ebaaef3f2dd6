//! Every pass of every algorithm has a text, and the texts are true.

mod equations;
mod german;
mod lessons;
mod listing;
mod memory;
mod narration;
mod program;
mod puzzles;
mod runs;
mod shared;
mod tiles;
mod tour;
mod worked;

use std::process::ExitCode;

use rasterscan_runner::harness::{self, Level};

pub(crate) use rasterscan_runner::tests;

tests![in equations, german, lessons, listing, memory, narration, program, puzzles, shared, tiles, tour, worked;];

fn main() -> ExitCode {
    let mut list = Vec::new();
    tests(&mut list);
    harness::main(&list, |_| vec![Level::Unoptimised])
}
