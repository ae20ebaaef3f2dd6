//! Pictures as files: PNG, and animated PNG of a whole run.

use std::path::Path;

use super::offscreen::{Look, Picture, Pictures};
use crate::app::App;

/// How long a frame of an animation is shown, in milliseconds.
const FRAME_MS: u16 = 1000;

/// Writes one picture.
///
/// Errors: in words, with the file's name.
pub fn png(picture: &Picture, path: &Path) -> Result<(), String> {
    write(std::slice::from_ref(picture), path)
}

/// Writes the picture of the app as it is, without its panels.
pub fn picture(app: &mut App, pictures: &mut Pictures, look: &Look, path: &Path) -> Result<(), String> {
    png(&pictures.draw(look, |ui| app.picture(ui))?, path)
}

/// Writes an animation of the whole run, a frame a pass, that goes on for ever.
pub fn animation(app: &mut App, pictures: &mut Pictures, look: &Look, path: &Path) -> Result<(), String> {
    let position = app.view.position;
    let frames = (0..=app.last()).map(|position| {
        app.view.position = position;
        pictures.draw(look, |ui| app.picture(ui))
    });
    let frames = frames.collect::<Result<Vec<_>, _>>();
    app.view.position = position;
    write(&frames?, path)
}

/// Writes frames into a file beside it and then gives that its name: it appears whole or not at all.
fn write(frames: &[Picture], path: &Path) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", path.display());
    let bytes = encode(frames).map_err(|error| failed(&error))?;
    let mut name = path.file_name().ok_or_else(|| failed(&"expected a file's name"))?.to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let written = std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&part);
        failed(&error)
    })
}

fn encode(frames: &[Picture]) -> Result<Vec<u8>, png::EncodingError> {
    let [width, height] = frames.first().map_or([1, 1], |frame| frame.size);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    if frames.len() > 1 {
        encoder.set_animated(frames.len() as u32, 0)?;
        encoder.set_frame_delay(FRAME_MS, 1000)?;
    }
    let mut writer = encoder.write_header()?;
    for frame in frames {
        writer.write_image_data(&frame.pixels)?;
    }
    writer.finish()?;
    Ok(bytes)
}
