//! The tooltip of a texel.

use egui::{Grid, RichText, Ui};
use rasterscan::trace::{Place, Work};

use rasterscan_lesson::phrases::say;
use rasterscan_picture::Spot;
use rasterscan_picture::block::Block;
use rasterscan_picture::picture::arrows_of;

use crate::looks::POINTED;
use crate::shown::Shown;

/// Shows the number under the pointer: its position, its value now and before, and the texels that it was made of or
/// read for.
pub fn show(ui: &mut Ui, shown: &Shown, pass: Option<usize>, block: &Block, spot: Spot, number: u32) {
    let part = match block.arity {
        1 => String::new(),
        _ => format!(".{}", ["a", "b", "c", "d"][(number % block.arity) as usize % 4]),
    };
    ui.strong(format!("{} [{}]{part}", block.name, number / block.arity));
    // An equation in the run's numbers, if one is known.
    let of_texel = u64::from(number % block.numbers / block.arity);
    let worked = pass.filter(|_| !spot.source).and_then(|pass| {
        shown.worked(pass, shown.item_at(pass, spot.place, of_texel)?).filter(|worked| worked.derived)
    });
    if let Some(worked) = &worked {
        ui.label(RichText::new(say(&worked.text)).strong());
    }
    let pass = pass.and_then(|pass| shown.recording.passes.get(pass));
    let texel = spot.place.index;
    let index = number as usize;
    Grid::new("texel").num_columns(2).min_row_height(POINTED).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.weak(say(name));
            ui.label(RichText::new(value).monospace());
            ui.end_row();
        };
        if let Some(width) = block.width {
            let (x, y) = (texel % width, texel / width);
            let channel = ["r", "g", "b", "a"].get((number % block.numbers) as usize);
            let channel = channel.filter(|_| block.numbers > 1).map_or(String::new(), |c| format!(".{c}"));
            row("texel", format!("({x}, {y}){channel}"));
        }
        if let Some(state) = block.states.get(index) {
            row("state", say(state));
        }
        row("value", block.values.decimal(index));
        row("hex", format!("0x{}", block.values.hex(index)));
        if let Some(before) = block.before.filter(|_| block.changed(number)) {
            row("before", before.decimal(index));
        }
        if block.left_alone(texel) {
            row("", say("not written by this pass"));
        }
        if block.removed.is_some_and(|kept| kept.get(index) == Some(&false)) {
            row("", say("removed"));
        }
        if block.undefined(number) {
            row("", say("past the last kept element: undefined"));
        }
        if let Some(pass) = pass.filter(|pass| worked.is_none() && !pass.reads.is_empty()) {
            let arrows = arrows_of(pass, spot);
            let dispatched = matches!(pass.work, Work::Dispatch { .. });
            let streams = |source: bool| match source {
                true => pass.sources.iter().map(|source| source.stream).collect::<Vec<_>>(),
                false => pass.targets.iter().map(|target| target.stream).collect(),
            };
            let from = arrows.iter().map(|arrow| arrow.from);
            let to = arrows.iter().map(|arrow| arrow.to);
            match (spot.source, dispatched) {
                (true, false) => row("read for", places(shown, &streams(false), to)),
                (false, false) => row("made of", places(shown, &streams(true), from)),
                // An invocation may write several items, each of which may be made of a part of what it read.
                (true, true) => row("its reader wrote", places(shown, &streams(false), to)),
                (false, true) => row("its writer read", places(shown, &streams(true), from)),
            }
        }
    });
}

/// The first few positions of a pass, as items of their streams, which the picture numbers in the same way.
fn places(shown: &Shown, streams: &[usize], places: impl Iterator<Item = Place>) -> String {
    const MOST: usize = 4;
    let place = |place: &Place| {
        let Some(&stream) = streams.get(place.of as usize) else { return "?".into() };
        let items = shown.recording.layout(stream).items_per_texel.max(1);
        let first = place.index.saturating_mul(items);
        let name = shown.recording.name(stream);
        match items {
            1 => format!("{name} [{first}]"),
            _ => say(format!("{name} [{first} to {}]", first.saturating_add(items - 1))),
        }
    };
    let all: Vec<Place> = places.collect();
    let named: Vec<String> = all.iter().take(MOST).map(place).collect();
    match all.len() {
        0 => say("nothing"),
        all if all > MOST => format!("{}\n{}", named.join("\n"), say(format!("and {} more", all - MOST))),
        _ => named.join("\n"),
    }
}
