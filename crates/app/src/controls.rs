//! The left panel: what is run, and on which numbers.

mod data;
mod parameters;

use egui::{ComboBox, DragValue, Grid, RichText, ScrollArea, Ui};
use rasterscan::registry::{self, Era, Family};
use rasterscan::spec::{MAX_ORDER, MAX_TUPLE};
use rasterscan::{ElementType, Moves, Operator, ScanKind};

use super::ask::{Ask, Field, Keeping, MAX_SHOWN, Wrong};
use super::view::{ColourRange, NumberFormat};
use super::{App, looks};
use crate::colour::Palette;

/// What has happened to the controls in a frame.
#[derive(Debug, Clone, Copy, Default)]
struct Changed {
    /// Something was chosen: it is run at once.
    chosen: bool,
    /// Something is being typed: it is run once that rests.
    typed: bool,
}

impl Changed {
    fn chosen(&mut self, changed: bool) {
        self.chosen |= changed;
    }

    fn typed(&mut self, changed: bool) {
        self.typed |= changed;
    }

    /// A number that can be dragged, which goes through many on its way.
    fn dragged(&mut self, response: egui::Response) {
        self.typed(response.changed());
    }
}

/// Shows the controls.
pub fn show(app: &mut App, ui: &mut Ui) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.add_space(4.0);
        if app.beside {
            ui.horizontal(|ui| {
                ui.selectable_value(&mut app.editing, 0, "First");
                ui.selectable_value(&mut app.editing, 1, "Second");
            });
        }
        let index = if app.beside { app.editing } else { 0 };
        if let Some(file) = app.shown[index].as_ref().and_then(|shown| shown.file.clone()) {
            ui.label(format!("Shown is a saved trace: {}", file.display()));
            if ui.button("Run what is below instead").clicked() {
                app.run(index);
            }
            ui.separator();
        }
        let mut changed = Changed::default();
        let mut ask = app.asks[index].clone();
        let wrong = app.wrong[index].clone();
        algorithm(app, ui, &mut ask, &mut changed);
        complain(ui, &wrong, Field::Algorithm);
        ui.separator();
        Grid::new("what").num_columns(2).spacing([8.0, 5.0]).show(ui, |ui| match ask.family {
            Family::Scan => scan(ui, &mut ask, &mut changed),
            Family::Compact => compaction(ui, &mut ask, &mut changed),
        });
        complain(ui, &wrong, Field::Operator);
        if ask.family == Family::Compact {
            keep(ui, &mut ask, &wrong, &mut changed);
        }
        ui.separator();
        ui.strong("Data");
        Grid::new("data").num_columns(2).spacing([8.0, 5.0]).show(ui, |ui| {
            let shown = app.shown[index].as_ref().map(|shown| shown.recording.request.len());
            length(ui, &mut ask, shown, &mut changed);
            element(ui, &mut ask, &mut changed);
        });
        data::show(ui, &mut ask.data, ask.family, "data", &mut changed);
        complain(ui, &wrong, Field::Data);
        complain(ui, &wrong, Field::N);
        if let Some(shown) = &app.shown[index] {
            for note in &shown.notes {
                ui.add(egui::Label::new(RichText::new(note).small()).wrap());
            }
        }
        complain(ui, &wrong, Field::Run);
        if ask != app.asks[index] {
            let now = ui.input(|input| input.time);
            app.set(index, ask, now, changed.typed && !changed.chosen);
            ui.ctx().request_repaint();
        }
        ui.add_space(4.0);
        ui.separator();
        ui.add(egui::Label::new(RichText::new(app.runner.device()).small().weak()).wrap());
    });
}

/// Says what is wrong with a field, below it.
fn complain(ui: &mut Ui, wrong: &Option<Wrong>, field: Field) {
    if let Some(wrong) = wrong.as_ref().filter(|wrong| wrong.field == field) {
        let text = RichText::new(&wrong.message).color(looks::wrong(ui.visuals()));
        ui.add(egui::Label::new(text).wrap());
    }
}

/// The algorithms of a family, by era, as the registry has them; those that cannot run here say why.
fn algorithm(app: &mut App, ui: &mut Ui, ask: &mut Ask, changed: &mut Changed) {
    ui.horizontal(|ui| {
        for (family, name) in [(Family::Scan, "Scan"), (Family::Compact, "Compact")] {
            if ui.selectable_label(ask.family == family, name).clicked() && ask.family != family {
                *ask = match family {
                    Family::Scan => Ask::scan("horn").n(ask.n),
                    Family::Compact => Ask::compact("horn").n(ask.n),
                };
                changed.chosen(true);
            }
        }
    });
    let name = ask.algorithm.split(':').next().unwrap_or_default().to_owned();
    let label = ui.label("Algorithm");
    let combo = ComboBox::from_id_salt("algorithm").selected_text(&name).width(ui.available_width() - 8.0);
    let combo = combo.height(420.0).show_ui(ui, |ui| {
        for era in [Era::Texture, Era::Compute] {
            let words = match era {
                Era::Compute => "Compute shaders",
                _ => "Textures and framebuffers",
            };
            ui.label(RichText::new(words).small().weak());
            for card in registry::family(ask.family).filter(|card| card.era == era) {
                let reason = app.runner.unsupported(card);
                let text = match &reason {
                    Some(_) => RichText::new(format!("{} (not here)", card.name)).weak(),
                    None => RichText::new(card.name),
                };
                let tip = reason.unwrap_or_else(|| card.summary.into());
                if ui.selectable_label(card.name == name, text).on_hover_text(tip).clicked() {
                    ask.algorithm = Ask::small(card);
                    changed.chosen(true);
                }
            }
        }
    });
    combo.response.labelled_by(label.id);
    if let Some(card) = registry::family(ask.family).find(|card| card.name == name) {
        ui.add(egui::Label::new(RichText::new(card.summary).small().weak()).wrap());
        parameters::show(ui, ask, card, changed);
    }
}

fn scan(ui: &mut Ui, ask: &mut Ask, changed: &mut Changed) {
    let operators = Operator::ALL.each_ref().map(|operator| (operator.clone(), operator.name()));
    changed.chosen(choose(ui, "Operator", &mut ask.operator, &operators));
    let kinds = [ScanKind::Inclusive, ScanKind::Exclusive].map(|kind| (kind, kind.name()));
    changed.chosen(choose(ui, "Kind", &mut ask.kind, &kinds));
    let label = ui.label("Order").on_hover_text("the scan is done so many times over");
    let field = DragValue::new(&mut ask.order).range(1..=MAX_ORDER).speed(0.05);
    changed.dragged(ui.add(field).labelled_by(label.id));
    ui.end_row();
    let label = ui.label("Tuple").on_hover_text("so many interleaved streams are scanned");
    let field = DragValue::new(&mut ask.tuple).range(1..=MAX_TUPLE).speed(0.05);
    changed.dragged(ui.add(field).labelled_by(label.id));
    ui.end_row();
}

fn compaction(ui: &mut Ui, ask: &mut Ask, changed: &mut Changed) {
    let moves = [Moves::Values, Moves::Indices, Moves::Both].map(|moves| (moves, moves.name()));
    changed.chosen(choose(ui, "Gives", &mut ask.moves, &moves));
}

/// What is kept: by a condition, or by a mask.
fn keep(ui: &mut Ui, ask: &mut Ask, wrong: &Option<Wrong>, changed: &mut Changed) {
    ui.horizontal(|ui| {
        ui.label("Keep");
        let condition = matches!(ask.keep, Keeping::Condition(_));
        if ui.selectable_label(condition, "condition").clicked() && !condition {
            ask.keep = Keeping::Condition("nonzero".into());
            changed.chosen(true);
        }
        if ui.selectable_label(!condition, "mask").clicked() && condition {
            ask.keep = Keeping::Mask(super::data::Data::Pattern(super::data::Pattern::Alternating));
            changed.chosen(true);
        }
    });
    match &mut ask.keep {
        Keeping::Condition(text) => {
            let field = egui::TextEdit::singleline(text).hint_text("nonzero, >4, ==0 ...");
            let field = ui.add(field.desired_width(f32::INFINITY));
            field.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Condition"));
            changed.typed(field.changed());
            complain(ui, wrong, Field::Keep);
        }
        Keeping::Mask(mask) => {
            data::show(ui, mask, Family::Compact, "mask", changed);
            complain(ui, wrong, Field::Mask);
        }
    }
}

fn length(ui: &mut Ui, ask: &mut Ask, shown: Option<u64>, changed: &mut Changed) {
    let label = ui.label("n").on_hover_text(format!("items, 1 to {MAX_SHOWN}"));
    let own = ask.data.has_own_length();
    let mut theirs = shown.unwrap_or(ask.n);
    let n = if own { &mut theirs } else { &mut ask.n };
    let field = DragValue::new(n).range(1..=u64::from(u32::MAX)).speed(0.25).update_while_editing(false);
    let response = ui.add_enabled(!own, field).labelled_by(label.id);
    let response = response.on_disabled_hover_text("these data have a length of their own");
    changed.typed(response.changed());
    ui.end_row();
}

fn element(ui: &mut Ui, ask: &mut Ask, changed: &mut Changed) {
    let elements = ElementType::ALL.map(|element| (element, element.name()));
    changed.chosen(choose(ui, "Element", &mut ask.element, &elements));
}

/// A row of a grid: one of several, by name.
fn choose<T: Clone + PartialEq>(ui: &mut Ui, name: &str, value: &mut T, all: &[(T, &str)]) -> bool {
    let before = value.clone();
    let selected = all.iter().find(|(one, _)| one == value).map_or("", |(_, name)| name);
    let label = ui.label(name);
    let combo = ComboBox::from_id_salt(name).selected_text(selected).show_ui(ui, |ui| {
        for (one, name) in all {
            ui.selectable_value(value, one.clone(), *name);
        }
    });
    combo.response.labelled_by(label.id);
    ui.end_row();
    before != *value
}

/// How the picture looks.
pub fn view_menu(app: &mut App, ui: &mut Ui) {
    let view = &mut app.view;
    ui.menu_button("Colours", |ui| {
        for palette in Palette::ALL {
            ui.radio_value(&mut view.palette, palette, palette.name());
        }
        ui.separator();
        for range in ColourRange::ALL {
            ui.radio_value(&mut view.range, range, range.name());
        }
    });
    ui.menu_button("Numbers", |ui| {
        for format in NumberFormat::ALL {
            ui.radio_value(&mut view.format, format, format.name());
        }
    });
    ui.checkbox(&mut view.arrows, "Arrows of all reads").on_hover_text("where there are few texels");
    ui.checkbox(&mut view.in_a_row, "Small textures in a row")
        .on_hover_text("as papers draw them: row after row");
    if ui.button("Fit the picture (F)").clicked() {
        view.fit();
    }
    if ui.button("One pixel a number (1)").clicked() {
        view.one_to_one(ui.ctx().pixels_per_point());
    }
    if ui.button("From the beginning (R)").clicked() {
        view.reset();
    }
}
