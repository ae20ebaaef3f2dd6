//! The tests that draw or dispatch, on any level of OpenGL: `cargo test --test gl -- --help` says how to choose.

mod batches;
mod compaction;
mod compositions;
mod compute;
mod conformance;
mod contributing;
mod counted;
mod engine;
mod histogram;
mod own;
mod papers;
mod parts;
mod planes;
mod properties;
mod quick;
mod recording;
mod reduce;
mod shaders;
mod small_floats;
mod softpipe;
mod sorts;
mod sorts_compute;
mod sorts_texture;
mod trace;
mod tuning;

use std::process::ExitCode;

use rasterscan_runner::harness::{self, Level};

pub(crate) use rasterscan_runner::tests;

tests![in batches, compaction, compositions, compute, conformance, contributing, counted, engine, histogram, own, papers, parts, planes, properties, quick, recording, reduce, shaders, small_floats, softpipe, sorts, sorts_compute, sorts_texture, trace, tuning;];

/// The levels that a test runs on, of the requested ones.
fn levels(test: &str) -> Vec<Level> {
    // The dialect of compute shaders in OpenGL ES, not the algorithms again.
    const DIALECT: [&str; 4] =
        ["compute::sizes::every_length", "compute::parts::the_carry", "refusals", "every_algorithm"];
    let native = if compiles_long(test) { Level::Unoptimised } else { Level::Native };
    // Streams that take long to make and to check; `clusters` runs the same searches on every level.
    if test.ends_with("far_apart") {
        return vec![native];
    }
    match test.split("::").next() {
        Some("batches" | "compositions" | "counted" | "histogram" | "parts" | "planes" | "sorts_texture") => {
            vec![native, Level::Gl33, Level::Gles30]
        }
        Some("sorts_compute") => vec![native, Level::Gl33, Level::Gles],
        Some("own") if test.ends_with("several_types_are_combined") => {
            vec![native, Level::Gl33, Level::Gles30]
        }
        Some(
            "compaction" | "compute" | "conformance" | "engine" | "papers" | "recording" | "reduce" | "sorts",
        ) => {
            let mut levels = vec![native, Level::Gl33, Level::Gles30];
            levels.extend(DIALECT.iter().any(|part| test.contains(part)).then_some(Level::Gles));
            levels
        }
        // Another driver, which has no compute shaders, for one path through each algorithm.
        Some("quick") if test.ends_with("in_textures") => vec![native, Level::Softpipe],
        // Loads through storage buffers, as on GPUs; in OpenGL a CPU loads through textures.
        Some("quick") if test.ends_with("by_compute_shaders") => vec![native, Level::Gles],
        Some("softpipe") => vec![Level::Softpipe],
        _ => vec![native],
    }
}

/// Whether a test's shaders take longer to compile than to run, since there are many. Those of `quick`, `properties` and most
/// of `engine` run as people run them.
fn compiles_long(test: &str) -> bool {
    const NAMES: [&str; 30] = [
        "batches::every_",
        "batches::segments",
        "batches::the_first",
        "compaction::blocks",
        "compaction::conditions",
        "compaction::every_",
        "compaction::masks",
        "compaction::sparse::clusters",
        "compositions",
        "compute::bits",
        "compute::fallback",
        "compute::linear",
        "compute::parts",
        "compute::sizes",
        "compute::teaching",
        "conformance::every_operator",
        "conformance::orders_and_tuples",
        "conformance::proof",
        "conformance::floats_of_higher_order",
        "engine::dispatches",
        "engine::moves",
        "engine::streams",
        "histogram",
        "own",
        "parts",
        "papers",
        "recording",
        "reduce",
        "sorts",
        "trace",
    ];
    NAMES.iter().any(|name| test.starts_with(name))
}

fn main() -> ExitCode {
    let mut list = Vec::new();
    tests(&mut list);
    harness::main(&list, levels)
}
