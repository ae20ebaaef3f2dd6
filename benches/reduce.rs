//! The reductions against each other and against a copy pass, in one run: `cargo bench --bench reduce`, as for the
//! scans.

mod common;

fn main() {
    common::run(|gpu, log2, criterion| {
        common::algorithms(gpu, log2, criterion, "reduce random:max=65535", "pairs", &[])
    });
}
