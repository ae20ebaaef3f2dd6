//! The compactions against each other and against a copy pass, in one run: `cargo bench --bench compact`, as the scans are. Of
//! every hundred elements 60 are kept, anywhere, as in roger2007.

mod common;

/// What is timed beside the algorithms with their defaults: the scans of the search over the whole stream, what
/// the paper's two optimisations save, and Roger's algorithm at its fastest.
const VARIANTS: &[&str] = &[
    "horn:scan=blelloch",
    "horn:scan=hybrid",
    "horn:scan=packed",
    "blocks:search=for",
    "blocks:wrap=geometry",
    "blocks:inner=blelloch",
    "blocks:inner=packed",
    "blocks:inner=packed,search=for",
    "blocks:inner=packed,search=for,wrap=geometry",
    "blocks:inner=packed,search=for,ends=fetched",
    "blocks:size=128,inner=packed,search=for",
    "blocks:size=128,inner=packed,search=for,ends=fetched",
];

fn main() {
    common::run(|gpu, log2, criterion| {
        common::algorithms(gpu, log2, criterion, "compact random:max=65535,keep=0.6", "horn", VARIANTS)
    });
}
