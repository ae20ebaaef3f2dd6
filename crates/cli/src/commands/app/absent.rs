//! `app` in a program that was built without the window: it says how to get the window.

use std::ffi::OsString;

use clap::Args;
use rasterscan::Unsupported;

use crate::console::Console;
use crate::device::DeviceOptions;

/// Watch an algorithm work, pass by pass, in a window (this program was built without the window)
#[derive(Debug, Args)]
pub struct AppOptions {
    /// The words that the app would take
    #[arg(num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<OsString>,
}

pub fn run(_: &AppOptions, _: &DeviceOptions, _: &Console) -> anyhow::Result<()> {
    Err(without().into())
}

fn without() -> Unsupported {
    Unsupported::feature(
        "this program was built without the window; `./run app` and `cargo install --path crates/cli` build it with the \
         window",
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Alone {
        #[command(flatten)]
        options: AppOptions,
    }

    /// Not that an option is unknown.
    #[test]
    fn any_command_line_of_the_app_is_told_how_to_get_the_window() {
        for words in ["app", "app --tour", "app scan random:n=16 -a horn --beside packed --screenshot a.png"]
        {
            let words: Vec<&str> = words.split(' ').collect();
            let options = Alone::try_parse_from(&words).unwrap().options;
            assert_eq!(options.words, words[1..]);
        }
        assert!(without().to_string().contains("`./run app`"));
    }
}
