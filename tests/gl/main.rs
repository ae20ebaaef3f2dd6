//! The tests that draw or dispatch, on any level of OpenGL: `cargo test --test gl -- --help` says how to choose.

mod batches;
mod compaction;
mod compute;
mod conformance;
mod contributing;
mod counted;
mod engine;
mod own;
mod papers;
mod planes;
mod properties;
mod quick;
mod recording;
mod reduce;
mod shaders;
mod softpipe;
mod trace;
mod tuning;

use std::process::ExitCode;

use rasterscan_runner::harness::{self, Level};

pub(crate) use rasterscan_runner::tests;

tests![in batches, compaction, compute, conformance, contributing, counted, engine, own, papers, planes, properties, quick, recording, reduce, shaders, softpipe, trace, tuning;];

/// The levels that a test runs on, of the requested ones.
fn levels(test: &str) -> &'static [Level] {
    // The dialect of compute shaders in OpenGL ES, not the algorithms again.
    const DIALECT: [&str; 4] =
        ["compute::sizes::every_length", "compute::parts::the_carry", "refusals", "every_algorithm"];
    match test.split("::").next() {
        Some("batches" | "counted" | "planes") => &[Level::Native, Level::Gl33, Level::Gles30],
        Some("compaction" | "compute" | "conformance" | "engine" | "papers" | "recording" | "reduce") => {
            if DIALECT.iter().any(|part| test.contains(part)) {
                &[Level::Native, Level::Gl33, Level::Gles30, Level::Gles]
            } else {
                &[Level::Native, Level::Gl33, Level::Gles30]
            }
        }
        // Another driver, which has no compute shaders, for one path through each algorithm.
        Some("quick") if test.ends_with("in_textures") => &[Level::Native, Level::Softpipe],
        // Loads through storage buffers, as on GPUs; in OpenGL a CPU loads through textures.
        Some("quick") if test.ends_with("by_compute_shaders") => &[Level::Native, Level::Gles],
        Some("softpipe") => &[Level::Softpipe],
        _ => &[Level::Native],
    }
}

fn main() -> ExitCode {
    let mut list = Vec::new();
    tests(&mut list);
    harness::main(&list, levels)
}
