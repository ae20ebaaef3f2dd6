//! Files of numbers for the app.

use std::path::Path;

use rasterscan::ElementType;
use rasterscan::job::Source;
use rasterscan_app::job::{Load, Loaded};

use crate::input;
use rasterscan_files::{ReadOptions, picture};

/// Reads files for the app as the other commands do; shrinks images that are too large.
pub fn files() -> Load {
    Box::new(|path, element, most| load(path, element, most).map_err(|error| format!("{error:#}")))
}

fn load(path: &Path, element: ElementType, most: u64) -> anyhow::Result<Loaded> {
    if let Some(loaded) = shrunk(path, element, most)? {
        return Ok(loaded);
    }
    let source = Source::File(path.into());
    input::check(&source)?;
    let data = input::read(&source, &ReadOptions { element: Some(element), channels: false })?;
    Ok(Loaded { numbers: data.numbers, note: data.note })
}

/// Shrinks an image that has more pixels than `most`; `None` if it fits, or is no image.
fn shrunk(path: &Path, element: ElementType, most: u64) -> anyhow::Result<Option<Loaded>> {
    let Some(image) = input::picture(path)? else { return Ok(None) };
    let Some(small) = picture::shrunk(&image, most)? else { return Ok(None) };
    Ok(Some(Loaded { numbers: small.numbers.convert(element)?, note: small.note }))
}
