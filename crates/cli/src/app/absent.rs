//! `app` in a program that was built without the window: it says how to get the window.

use std::ffi::OsString;

use clap::Args;
use rasterscan::Unsupported;

use super::console::Console;
use super::device::DeviceOptions;

/// Watch an algorithm work, pass by pass, in a window (this program was built without the window)
#[derive(Debug, Args)]
pub struct AppOptions {
    /// What the app would take
    #[arg(num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<OsString>,
}

pub fn run(_: &AppOptions, _: &DeviceOptions, _: &Console) -> anyhow::Result<()> {
    Err(Unsupported::feature(
        "this program was built without the window: build it with the default features, as `./run app` and \
         `cargo install --path crates/cli` do",
    )
    .into())
}
