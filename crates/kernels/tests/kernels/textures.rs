//! Scans in textures.

use rasterscan::tools::registry::Era;
use rasterscan_runner::scan::{algorithms, choice};

fn scans_in_textures() {
    let all = algorithms();
    let of_era: Vec<&str> = all.into_iter().filter(|name| choice(name).card.era == Era::Texture).collect();
    let seen = crate::scans(&crate::specs(), &of_era);
    assert!(seen.words > 10_000 && seen.reads > 10_000, "{seen:?}");
}

crate::tests![scans_in_textures];
