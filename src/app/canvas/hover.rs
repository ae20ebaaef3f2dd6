//! What is said of a texel that is pointed at.

use egui::{Grid, RichText, Ui};

use super::arrows;
use super::block::Block;
use crate::app::shown::Shown;
use crate::app::view::Spot;
use crate::trace::RecordedPass;

/// Which number it is and where, what it is and was, and with how many others it has to do.
pub fn show(ui: &mut Ui, shown: &Shown, pass: Option<&RecordedPass>, block: &Block, spot: Spot, number: u32) {
    ui.strong(format!("{} [{number}]", block.name));
    let texel = spot.place.index;
    let index = number as usize;
    Grid::new("texel").num_columns(2).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.weak(name);
            ui.label(RichText::new(value).monospace());
            ui.end_row();
        };
        if let Some(width) = block.width {
            let (x, y) = (texel % width, texel / width);
            let channel = ["r", "g", "b", "a"].get((number % block.numbers) as usize);
            let channel = channel.filter(|_| block.numbers > 1).map_or(String::new(), |c| format!(".{c}"));
            row("texel", format!("({x}, {y}){channel}"));
        }
        row("value", block.values.decimal(index));
        row("hex", format!("0x{}", block.values.hex(index)));
        if let Some(before) = block.before.filter(|_| block.changed(number)) {
            row("before", before.decimal(index));
        }
        if block.left_alone(texel) {
            row("", "not written by this pass".into());
        }
        if block.removed.is_some_and(|kept| kept.get(index) == Some(&false)) {
            row("", "removed".into());
        }
        if super::texels::of_no_account(block, number) {
            row("", "behind the last one kept".into());
        }
        if let Some(pass) = pass.filter(|pass| !pass.reads.is_empty()) {
            let arrows = arrows::of_spot(pass, spot);
            match spot.source {
                true => row("read for", format!("{} of the targets' texels", arrows.len())),
                false => row("made of", read(shown, pass, &arrows)),
            }
        }
    });
}

/// The places that were read, as many as can be read.
fn read(shown: &Shown, pass: &RecordedPass, arrows: &[crate::app::shown::Arrow]) -> String {
    const MOST: usize = 4;
    let name = |of: u32| {
        let stream = pass.sources.get(of as usize).map(|source| source.stream);
        stream.map_or("?", |stream| shown.recording.name(stream))
    };
    let places =
        arrows.iter().take(MOST).map(|arrow| format!("{} [{}]", name(arrow.from.of), arrow.from.index));
    let places: Vec<String> = places.collect();
    match arrows.len() {
        0 => "nothing that was read".into(),
        all if all > MOST => format!("{} and {} more", places.join("\n"), all - MOST),
        _ => places.join("\n"),
    }
}
