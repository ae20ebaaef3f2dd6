//! The name by which programs find the shared library: with the version of its interface, `RS_ABI_VERSION`.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,librasterscan_c.so.1");
    }
}
