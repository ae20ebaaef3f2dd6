//! The compactions against each other and against a copy pass, in one run: `cargo bench --bench compact`, as for the
//! scans. 60 % of the elements are kept, anywhere, as in roger2007.

mod common;

/// The variants timed besides the defaults: the scans of the search over the whole stream, the savings of the paper's
/// two optimisations, and Roger's algorithm at its fastest.
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
