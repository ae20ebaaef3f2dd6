//! Pictures as files: PNG, and animated PNG of a whole run.

use std::path::Path;

use super::offscreen::{Look, Picture, Pictures};
use crate::App;

/// How long a frame of an animation is shown, in milliseconds.
const FRAME_MS: u16 = 1000;

/// Writes one picture.
///
/// Errors: in words, with the file's name.
pub fn png(picture: &Picture, path: &Path) -> Result<(), String> {
    write(path, 1, std::iter::once(Ok(picture.clone())))
}

/// Writes the picture of the app as it is, without its panels.
pub fn picture(app: &mut App, pictures: &mut Pictures, look: &Look, path: &Path) -> Result<(), String> {
    png(&pictures.draw(look, |ui| app.picture(ui))?, path)
}

/// Writes an animation of the whole run, a frame a pass, that goes on for ever.
pub fn animation(app: &mut App, pictures: &mut Pictures, look: &Look, path: &Path) -> Result<(), String> {
    let position = app.view.position;
    let count = app.last() as u32 + 1;
    let frames = (0..count as usize).map(|position| {
        app.view.position = position;
        pictures.draw(look, |ui| app.picture(ui))
    });
    let written = write(path, count, frames);
    app.view.position = position;
    written
}

/// Writes so many frames of one size, each encoded as soon as it is drawn.
fn write(
    path: &Path,
    count: u32,
    frames: impl Iterator<Item = Result<Picture, String>>,
) -> Result<(), String> {
    let bytes = encode(count, frames)?;
    rasterscan::output::write(path, &bytes).map_err(|error| error.to_string())
}

fn encode(count: u32, mut frames: impl Iterator<Item = Result<Picture, String>>) -> Result<Vec<u8>, String> {
    let said = |error: png::EncodingError| error.to_string();
    let Some(first) = frames.next().transpose()? else { return Err("there is nothing to draw".into()) };
    let [width, height] = first.size;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    if count > 1 {
        encoder.set_animated(count, 0).map_err(said)?;
        encoder.set_frame_delay(FRAME_MS, 1000).map_err(said)?;
    }
    let mut writer = encoder.write_header().map_err(said)?;
    for frame in std::iter::once(Ok(first)).chain(frames) {
        writer.write_image_data(&frame?.pixels).map_err(said)?;
    }
    writer.finish().map_err(said)?;
    Ok(bytes)
}
