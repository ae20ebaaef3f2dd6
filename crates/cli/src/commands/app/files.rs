//! Files of numbers for the app.

use std::path::Path;

use rasterscan::ElementType;
use rasterscan::tools::job::Source;
use rasterscan_app::job::{Load, Loaded};

use crate::input::Input;

/// Reads files for the app as the other commands do; shrinks images that are too large.
pub fn files() -> Load {
    Box::new(|path, element, most| load(path, element, most).map_err(|error| format!("{error:#}")))
}

fn load(path: &Path, element: ElementType, most: u64) -> anyhow::Result<Loaded> {
    let source = Source::File(path.into());
    let data = Input::new(&source, None)?.read_shrunk(element, most)?;
    Ok(Loaded { numbers: data.numbers, note: data.note })
}
