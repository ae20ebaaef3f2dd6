//! `include/rasterscan.h` is what cbindgen writes from the crate. `UPDATE_HEADER=1` writes it again.

use std::fs;
use std::path::Path;

#[test]
fn header_is_of_these_sources() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).expect("cbindgen.toml");
    let sources = ["src/lib.rs", "src/status.rs"].map(|file| here.join(file));
    let builder = sources
        .iter()
        .fold(cbindgen::Builder::new().with_config(config), |builder, file| builder.with_src(file));
    let mut written = Vec::new();
    builder.generate().expect("cbindgen").write(&mut written);
    let written = String::from_utf8(written).expect("text");
    let path = here.join("include/rasterscan.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&path, &written).expect("the header");
    }
    let kept = fs::read_to_string(&path).expect("the header");
    assert!(kept == written, "include/rasterscan.h differs from the sources; UPDATE_HEADER=1 writes it");
}
