//! The source of the numbers: kinds of data, and their settings.

use std::path::PathBuf;

use egui::{ComboBox, DragValue, Grid, TextEdit, Ui, WidgetInfo, WidgetType};
use rasterscan::tools::job::{Pattern, Source};
use rasterscan::tools::problem::Problem;
use rasterscan::tools::random::Random;
use rasterscan_lesson::phrases::say;

use super::Changed;
use crate::job;
use crate::looks::{line, named};
use crate::spoken::labelled;

/// Shows a kind of source and its settings.
pub fn show(ui: &mut Ui, source: &mut Source, problem: &Problem, id: &str, changed: &mut Changed) {
    let before = kind(source);
    let mut chosen = before;
    let combo = ComboBox::from_id_salt((id, "kind")).selected_text(say(name(before)));
    let combo = combo.width(ui.available_width() - 8.0).show_ui(ui, |ui| {
        for one in kinds() {
            ui.selectable_value(&mut chosen, one, say(name(one)));
        }
    });
    label(&combo.response, WidgetType::ComboBox, &say(format!("Kind of {id}")));
    if chosen != before {
        let n = source.len().unwrap_or(16);
        *source = match chosen {
            Kind::Random => job::digits(problem).with_len(n),
            Kind::Pattern(pattern) => Source::Pattern { pattern, n },
            Kind::Typed => Source::Values("3,1,7,0,4,1,6,3".into()),
            Kind::File => Source::File(PathBuf::new()),
        };
        changed.chosen = true;
    }
    match source {
        Source::Random { numbers, .. } => self::random(ui, numbers, id, changed),
        Source::Pattern { .. } | Source::Stdin => {}
        Source::Values(text) => {
            let field = ui.add(TextEdit::multiline(text).desired_rows(2).desired_width(f32::INFINITY));
            label(&field, WidgetType::TextEdit, &say("Numbers"));
            changed.typed |= field.changed();
        }
        Source::File(_) | Source::Chosen => {
            let mut text =
                if let Source::File(path) = &source { path.display().to_string() } else { String::new() };
            changed.pick |= ui.button(say("Choose a file")).clicked();
            let field = line(ui, &mut text).hint_text(".npy .csv .txt .png .jpg");
            let field = ui.add(field.desired_width(f32::INFINITY));
            label(&field, WidgetType::TextEdit, &say("File of numbers"));
            if field.changed() {
                *source = Source::File(text.into());
                changed.typed = true;
            }
        }
    }
}

fn random(ui: &mut Ui, random: &mut Random, id: &str, changed: &mut Changed) {
    Grid::new((id, "random")).num_columns(2).spacing([8.0, 5.0]).show(ui, |ui| {
        let name = ui.label(say("Seed"));
        ui.horizontal(|ui| {
            let field = ui.add(DragValue::new(&mut random.seed).speed(0.1));
            let field = labelled(field, &name, say("Seed"));
            changed.typed |= field.changed();
            if named(ui.button(say("new")), "New random numbers", "").clicked() {
                random.seed = random.seed.wrapping_add(1);
                changed.chosen = true;
            }
        });
        ui.end_row();
        let name = ui.label(say("Maximum"));
        let field = DragValue::new(&mut random.max).range(1..=u64::from(u32::MAX)).speed(0.25);
        changed.typed |= labelled(ui.add(field), &name, say("Maximum")).changed();
        ui.end_row();
        let mut given = random.keep.is_some();
        let about = "the share of numbers that are not 0; if off, it is left to chance";
        if ui.checkbox(&mut given, say("Nonzero share")).on_hover_text(say(about)).changed() {
            random.keep = given.then_some(0.5);
            changed.chosen = true;
        }
        if let Some(keep) = &mut random.keep {
            let mut share = *keep * 100.0;
            let field = DragValue::new(&mut share).range(0.0..=100.0).speed(0.5).max_decimals(0).suffix(" %");
            let field = ui.add(field);
            label(&field, WidgetType::DragValue, &say("Share of nonzero numbers"));
            if field.changed() {
                *keep = share.round() / 100.0;
            }
            changed.typed |= field.changed();
        }
        ui.end_row();
    });
}

fn label(response: &egui::Response, kind: WidgetType, name: &str) {
    response.widget_info(|| WidgetInfo::labeled(kind, true, name));
}

/// A source without its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Random,
    Pattern(Pattern),
    Typed,
    File,
}

fn kinds() -> impl Iterator<Item = Kind> {
    // Streams as short as the app's would be a single run.
    let patterns = Pattern::ALL.into_iter().filter(|pattern| *pattern != Pattern::LongRuns);
    let patterns = patterns.map(Kind::Pattern);
    [Kind::Random, Kind::Typed, Kind::File].into_iter().chain(patterns)
}

fn kind(source: &Source) -> Kind {
    match source {
        Source::Values(_) => Kind::Typed,
        Source::Random { .. } => Kind::Random,
        Source::Pattern { pattern, .. } => Kind::Pattern(*pattern),
        Source::File(_) | Source::Stdin | Source::Chosen => Kind::File,
    }
}

fn name(kind: Kind) -> String {
    match kind {
        Kind::Random => "random numbers".into(),
        Kind::Typed => "typed in".into(),
        Kind::File => "a file or an image".into(),
        Kind::Pattern(pattern) => format!("pattern: {}", pattern.name()),
    }
}
