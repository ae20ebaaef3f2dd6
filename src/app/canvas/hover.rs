//! What is said of a texel that is pointed at.

use egui::{Grid, RichText, Ui};

use super::arrows;
use super::block::Block;
use crate::app::shown::{Arrow, Shown};
use crate::app::view::Spot;
use crate::trace::{RecordedPass, Work};

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
            let dispatched = matches!(pass.work, Work::Dispatch { .. });
            match (spot.source, dispatched) {
                (true, _) => row("read for", format!("{} of the targets' texels", arrows.len())),
                (false, false) => row("made of", read(shown, pass, &arrows)),
                // An invocation may write several items, each of which may be made of a part of what it read.
                (false, true) => row("its invocation read", read(shown, pass, &arrows)),
            }
        }
    });
}

/// The places that were read, as many as can be read: numbers of elements, as everywhere in the picture.
fn read(shown: &Shown, pass: &RecordedPass, arrows: &[Arrow]) -> String {
    const MOST: usize = 4;
    let place = |arrow: &Arrow| {
        let Some(source) = pass.sources.get(arrow.from.of as usize) else { return "?".into() };
        let layout = shown.recording.layout(source.stream);
        let numbers = (layout.items_per_texel * layout.arity).max(1);
        let first = arrow.from.index.saturating_mul(numbers);
        let name = shown.recording.name(source.stream);
        match numbers {
            1 => format!("{name} [{first}]"),
            _ => format!("{name} [{first} to {}]", first.saturating_add(numbers - 1)),
        }
    };
    let places: Vec<String> = arrows.iter().take(MOST).map(place).collect();
    match arrows.len() {
        0 => "nothing that was read".into(),
        all if all > MOST => format!("{} and {} more", places.join("\n"), all - MOST),
        _ => places.join("\n"),
    }
}
