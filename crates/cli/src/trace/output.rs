//! OUT of a trace: a folder of pictures, a film, or the trace itself; whole, or not at all.

use std::path::Path;

use anyhow::bail;
use image::RgbImage;

use rasterscan::printable::printable_path;
use rasterscan::trace::Recording;
use rasterscan_app::colour::Palette;

use super::picture::Pictures;
use crate::console::Console;
use crate::output::{FileOutput, OutputFolder, ending};

/// How long a film shows a pass, and the last one, in tenths of a second.
const SHOWN: u16 = 10;
const LAST_SHOWN: u16 = 25;

/// Where a trace goes.
#[derive(Debug)]
pub enum Target {
    Folder(OutputFolder),
    Film(FileOutput),
    Trace(FileOutput),
}

impl Target {
    /// Says before any work is done whether OUT can be written.
    pub fn new(path: &Path) -> anyhow::Result<Target> {
        let named_folder = path.to_string_lossy().ends_with(std::path::is_separator);
        match ending(path).as_str() {
            _ if named_folder || path.is_dir() => {}
            "apng" => return Ok(Target::Film(FileOutput::new(path)?)),
            "json" => return Ok(Target::Trace(FileOutput::new(path)?)),
            "" => {}
            _ => bail!(
                "cannot write {}: expected a folder (a name with no ending), or a name that ends in .apng or \
                 .json",
                printable_path(path)
            ),
        }
        Ok(Target::Folder(OutputFolder::new_or_empty(path)?))
    }

    /// Writes a recording there.
    pub fn write(&self, recording: &Recording, palette: Palette, console: &Console) -> anyhow::Result<()> {
        match self {
            Target::Trace(output) => {
                output.write(&recording.to_json()?)?;
                console.note(format!("the trace written to {}", printable_path(output.path())));
            }
            Target::Film(output) => {
                let pictures = Pictures::new(recording, palette);
                output.write(&film(&pictures)?)?;
                let path = printable_path(output.path());
                console.note(format!("{} written to {path}", counted(pictures.len(), "frame")));
            }
            Target::Folder(folder) => {
                let pictures = Pictures::new(recording, palette);
                let files = (0..pictures.len()).map(|number| {
                    Ok::<_, anyhow::Error>((file_name(recording, number), png(&pictures.paint(number)?)?))
                });
                let files: Vec<_> = files.collect::<Result<_, _>>()?;
                folder.write(&files)?;
                let path = printable_path(folder.path());
                console.note(format!("{} written into {path}", counted(files.len(), "picture")));
            }
        }
        Ok(())
    }
}

/// So many of something.
fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// `input.png`, `01-reduce.png`, `02-down-sweep.png`: in the order of the passes, where sorted by name.
fn file_name(recording: &Recording, number: usize) -> String {
    let Some(pass) = number.checked_sub(1).and_then(|pass| recording.passes.get(pass)) else {
        return "input.png".into();
    };
    let digits = recording.passes.len().to_string().len().max(2);
    // A loaded trace may say anything.
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let phase: String = pass.phase.chars().take(60).map(plain).collect();
    format!("{number:0digits$}-{phase}.png")
}

/// A picture as PNG.
fn png(picture: &RgbImage) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    encoder(&mut bytes, picture).write_header()?.write_image_data(picture)?;
    Ok(bytes)
}

/// All pictures as an animated PNG, of which a viewer that knows no such thing shows the first.
fn film(pictures: &Pictures) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let first = pictures.paint(0)?;
    let mut encoder = encoder(&mut bytes, &first);
    encoder.set_animated(pictures.len() as u32, 0)?;
    encoder.set_frame_delay(SHOWN, 10)?;
    let mut writer = encoder.write_header()?;
    for number in 0..pictures.len() {
        if number > 0 && number + 1 == pictures.len() {
            writer.set_frame_delay(LAST_SHOWN, 10)?;
        }
        let later;
        let picture = if number == 0 {
            &first
        } else {
            later = pictures.paint(number)?;
            &later
        };
        writer.write_image_data(picture)?;
    }
    writer.finish()?;
    Ok(bytes)
}

fn encoder<'a>(bytes: &'a mut Vec<u8>, picture: &RgbImage) -> png::Encoder<'static, &'a mut Vec<u8>> {
    let mut encoder = png::Encoder::new(bytes, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder
}
