//! Where the numbers come from: kinds of data, and what each can be set to.

use std::path::PathBuf;

use egui::{ComboBox, DragValue, Grid, TextEdit, Ui, WidgetInfo, WidgetType};
use rasterscan::registry::Family;

use super::Changed;
use crate::data::{Data, Pattern, Random};
use crate::looks::named;

/// Shows a kind of data and its settings.
pub fn show(ui: &mut Ui, data: &mut Data, family: Family, id: &str, changed: &mut Changed) {
    let before = kind(data);
    let mut chosen = before;
    let combo = ComboBox::from_id_salt((id, "kind")).selected_text(name(before));
    let combo = combo.width(ui.available_width() - 8.0).show_ui(ui, |ui| {
        for one in kinds() {
            ui.selectable_value(&mut chosen, one, name(one));
        }
    });
    let called = if id == "mask" { "Kind of mask" } else { "Kind of data" };
    label(&combo.response, WidgetType::ComboBox, called);
    if chosen != before {
        *data = match chosen {
            Kind::Random => Data::Random(match family {
                Family::Scan => Random::default(),
                Family::Compact => Random { keep: Some(0.5), ..Random::default() },
            }),
            Kind::Pattern(pattern) => Data::Pattern(pattern),
            Kind::Typed => Data::Typed("3 1 7 0 4 1 6 3".into()),
            Kind::File => Data::File(PathBuf::new()),
        };
        changed.chosen(true);
    }
    match data {
        Data::Random(random) => self::random(ui, random, family, id, changed),
        Data::Pattern(_) => {}
        Data::Typed(text) => {
            let field = ui.add(TextEdit::multiline(text).desired_rows(2).desired_width(f32::INFINITY));
            label(&field, WidgetType::TextEdit, "Numbers");
            changed.typed(field.changed());
        }
        Data::File(path) => {
            let mut text = path.display().to_string();
            let field = TextEdit::singleline(&mut text).hint_text(".npy .csv .txt .png .jpg");
            let field = ui.add(field.desired_width(f32::INFINITY));
            label(&field, WidgetType::TextEdit, "File of numbers");
            if field.changed() {
                *path = text.into();
                changed.typed(true);
            }
        }
    }
}

fn random(ui: &mut Ui, random: &mut Random, family: Family, id: &str, changed: &mut Changed) {
    Grid::new((id, "random")).num_columns(2).spacing([8.0, 5.0]).show(ui, |ui| {
        let name = ui.label("Seed");
        ui.horizontal(|ui| {
            changed.dragged(ui.add(DragValue::new(&mut random.seed).speed(0.1)).labelled_by(name.id));
            if named(ui.button("🎲"), "Other numbers", "").clicked() {
                random.seed = random.seed.wrapping_add(1);
                changed.chosen(true);
            }
        });
        ui.end_row();
        let name = ui.label("Greatest");
        changed.dragged(ui.add(DragValue::new(&mut random.max).speed(0.25)).labelled_by(name.id));
        ui.end_row();
        if family == Family::Compact {
            let name = ui.label("Not zero").on_hover_text("the share of numbers that are not 0");
            let mut share = random.keep.unwrap_or(0.5) * 100.0;
            let field = DragValue::new(&mut share).range(0.0..=100.0).speed(0.5).max_decimals(0).suffix(" %");
            let field = ui.add(field).labelled_by(name.id);
            if field.changed() {
                random.keep = Some(share / 100.0);
            }
            changed.dragged(field);
            ui.end_row();
        }
    });
}

fn label(response: &egui::Response, kind: WidgetType, name: &str) {
    response.widget_info(|| WidgetInfo::labeled(kind, true, name));
}

/// Data without its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Random,
    Pattern(Pattern),
    Typed,
    File,
}

fn kinds() -> impl Iterator<Item = Kind> {
    let patterns = Pattern::ALL.into_iter().map(Kind::Pattern);
    [Kind::Random, Kind::Typed, Kind::File].into_iter().chain(patterns)
}

fn kind(data: &Data) -> Kind {
    match data {
        Data::Typed(_) => Kind::Typed,
        Data::Random(_) => Kind::Random,
        Data::Pattern(pattern) => Kind::Pattern(*pattern),
        Data::File(_) => Kind::File,
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
