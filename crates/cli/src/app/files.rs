//! Files of numbers for the app.

use std::path::Path;

use rasterscan::job::Source;
use rasterscan::{ElementType, Numbers};
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
    if u64::from(image.width()) * u64::from(image.height()) <= most {
        return Ok(None);
    }
    let side = most.isqrt() as u32;
    let small = image.thumbnail(side, side);
    let (from, to) = ((image.width(), image.height()), (small.width(), small.height()));
    let numbers = Numbers::U32(picture::luma(&small)?).convert(element)?;
    let note = format!("shrunk from {} × {} to {} × {} pixels", from.0, from.1, to.0, to.1);
    Ok(Some(Loaded { numbers, note: Some(note) }))
}
