//! OUT of `trace`: a folder of pictures, an animation, or the recording itself, each written whole or not at all.

use std::path::Path;

use anyhow::bail;

use rasterscan::tools::printable::{counted, printable_path};
use rasterscan::trace::Recording;
use rasterscan_picture::{Pages, Style, Subject};

use crate::console::Console;
use crate::exit::Usage;
use crate::output::{FileOutput, OutputFolder, ending};

/// The destination of a trace.
#[derive(Debug)]
pub enum Destination {
    /// Pictures, as SVG or else as PNG.
    Folder(OutputFolder, bool),
    Film(FileOutput),
    Trace(FileOutput),
}

impl Destination {
    /// Checks, before any work is done, that OUT can be written.
    pub fn new(path: &Path, svg: bool) -> anyhow::Result<Destination> {
        let named_folder = path.to_string_lossy().ends_with(std::path::is_separator);
        match ending(path).as_str() {
            _ if named_folder || path.is_dir() => {}
            ending @ ("apng" | "json") if svg => {
                bail!(Usage(format!("--svg is for the pictures of a folder, and OUT is an .{ending}")))
            }
            "apng" => return Ok(Destination::Film(FileOutput::new(path)?)),
            "json" => return Ok(Destination::Trace(FileOutput::new(path)?)),
            "" => {}
            _ => bail!(
                "cannot write {}: expected a folder (a name with no ending), or a name that ends in .apng or \
                 .json",
                printable_path(path)
            ),
        }
        Ok(Destination::Folder(OutputFolder::new_or_empty(path)?, svg))
    }

    /// Writes a recording there.
    pub fn write(&self, recording: Recording, style: Style, console: &Console) -> anyhow::Result<()> {
        if let Destination::Trace(output) = self {
            output.write(&recording.to_json()?)?;
            console.note(format!("recording written to {}", printable_path(output.path())));
            return Ok(());
        }
        let subject = Subject::new(recording);
        let pages = Pages::new(&[&subject], style);
        match self {
            Destination::Trace(_) => {}
            Destination::Film(output) => {
                output.write(&pages.film(1.0)?)?;
                let path = printable_path(output.path());
                console.note(format!("{} written to {path}", counted(pages.count() as u64, "frame")));
            }
            Destination::Folder(folder, svg) => {
                let ending = if *svg { "svg" } else { "png" };
                let file = |number| {
                    let bytes = match svg {
                        true => pages.svg(number, &[]).into_bytes(),
                        false => pages.png(number, &[], 1.0)?,
                    };
                    Ok::<_, anyhow::Error>((file_name(&subject.recording, number, ending), bytes))
                };
                let files: Vec<_> = (0..pages.count()).map(file).collect::<Result<_, _>>()?;
                folder.write(&files)?;
                let path = printable_path(folder.path());
                console.note(format!("{} written into {path}", counted(files.len() as u64, "picture")));
            }
        }
        Ok(())
    }
}

/// The name of a picture: `input.png`, `01-reduce.png`, `02-down-sweep.png`, or `09-masks-2.png` in a second round. Sorted by
/// name, they are in the order of the passes.
fn file_name(recording: &Recording, number: usize, ending: &str) -> String {
    let Some(pass) = number.checked_sub(1).and_then(|pass| recording.passes.get(pass)) else {
        return format!("input.{ending}");
    };
    let digits = recording.passes.len().to_string().len().max(2);
    // A loaded recording may have any text here.
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let phase: String = pass.phase.chars().take(60).map(plain).collect();
    let round = recording.round(number - 1).map_or_else(String::new, |[round, _]| format!("-{round}"));
    format!("{number:0digits$}-{phase}{round}.{ending}")
}
