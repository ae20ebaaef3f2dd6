//! The scans against each other and against a copy pass, in one run: `cargo bench --bench scan`.
//!
//! Every result is verified before it is timed. Times are the GPU's own on hardware, wall time around a finish on
//! software renderers; upload and readback are excluded. After criterion's report comes a table of medians: see
//! [`common::table`]. [`common::algorithms`] has the settings.

mod common;

fn main() {
    common::run(|gpu, log2, criterion| {
        common::algorithms(gpu, log2, criterion, "scan random:max=65535", "horn", &[])
    });
}
