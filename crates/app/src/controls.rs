//! The left panel: the algorithm, its options, and the data.

mod parameters;
mod source;

use egui::containers::menu::SubMenuButton;
use egui::{Button, ComboBox, DragValue, Grid, RichText, ScrollArea, Ui};
use rasterscan::ElementType;
use rasterscan::job::{Job, Pattern, Source};
use rasterscan::problem;
use rasterscan::registry::{self, CustomSyntax, Era, Parameter, SideInput};

use super::files::What;
use super::job::{self, Field, MAX_SHOWN, Wrong};
use super::{App, looks};
use rasterscan_drawing::colour::Palette;
use rasterscan_picture::{ColourRange, NumberFormat};

/// The changes to the controls in a frame.
#[derive(Debug, Clone, Copy, Default)]
struct Changed {
    /// Something was chosen: the job runs at once.
    chosen: bool,
    /// Something is being typed: the job runs when the typing stops.
    typed: bool,
    /// A file is to be picked.
    pick: bool,
}

impl Changed {
    fn chosen(&mut self, changed: bool) {
        self.chosen |= changed;
    }

    fn typed(&mut self, changed: bool) {
        self.typed |= changed;
    }

    /// A dragged number counts as typing: it passes through many values.
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
            ui.label(format!("Showing a saved recording: {}", file.display()));
            if ui.button("Run the settings below instead").clicked() {
                app.run(index);
            }
            ui.separator();
        }
        let mut changed = Changed::default();
        let mut job = app.jobs[index].clone();
        let wrong = app.wrong[index].clone();
        algorithm(app, ui, &mut job, &mut changed);
        ui.separator();
        options(ui, &mut job, &wrong, &mut changed);
        complain(ui, &wrong, Field::Options);
        ui.separator();
        ui.strong("Data");
        Grid::new("data").num_columns(2).spacing([8.0, 5.0]).show(ui, |ui| {
            let shown = app.shown[index].as_ref().map(|shown| shown.recording.request.len());
            length(ui, &mut job, shown, &mut changed);
            element(ui, &mut job, &mut changed);
        });
        source::show(ui, &mut job.source, job.problem, "data", &mut changed);
        complain(ui, &wrong, Field::Input);
        if let Some(shown) = &app.shown[index] {
            for note in &shown.notes {
                ui.add(egui::Label::new(RichText::new(note).small()).wrap());
            }
        }
        complain(ui, &wrong, Field::Run);
        if job != app.jobs[index] {
            let now = ui.input(|input| input.time);
            app.set(index, job, now, changed.typed && !changed.chosen);
            ui.ctx().request_repaint();
        }
        if changed.pick {
            app.begin(What::OpenNumbers, looks::theme(ui.visuals()));
        }
        ui.add_space(4.0);
        ui.separator();
        ui.add(egui::Label::new(RichText::new(app.engine.device()).small().weak()).wrap());
    });
}

/// Shows the error of a field, below it.
fn complain(ui: &mut Ui, wrong: &Option<Wrong>, field: Field) {
    if let Some(wrong) = wrong.as_ref().filter(|wrong| wrong.field == field) {
        let text = RichText::new(&wrong.message).color(looks::wrong(ui.visuals()));
        ui.add(egui::Label::new(text).wrap());
    }
}

/// The algorithms of a problem by era, in the registry's order; those that cannot run here show the reason.
fn algorithm(app: &mut App, ui: &mut Ui, job: &mut Job, changed: &mut Changed) {
    ui.horizontal(|ui| {
        for problem in problem::ALL {
            let chosen = job.problem == problem;
            let label = ui.selectable_label(chosen, capital(problem.name)).on_hover_text(problem.summary);
            if label.clicked() && !chosen {
                let source = job::digits(problem).with_len(job.source.len().unwrap_or(16));
                *job = Job::new(problem, source).by(job::first(problem));
                changed.chosen(true);
            }
        }
    });
    let choice = job::choice(job);
    let name = choice.card.name;
    let label = ui.label("Algorithm");
    let combo = ComboBox::from_id_salt("algorithm").selected_text(name).width(ui.available_width() - 8.0);
    let combo = combo.height(420.0).show_ui(ui, |ui| {
        for era in [Era::Texture, Era::Compute] {
            let words = match era {
                Era::Compute => "Compute shaders",
                _ => "Textures and framebuffers",
            };
            ui.label(RichText::new(words).small().weak());
            for card in registry::of(job.problem).filter(|card| card.era == era) {
                let reason = app.engine.unsupported(card);
                let text = match &reason {
                    Some(_) => RichText::new(format!("{} (by kernels)", card.name)).weak(),
                    None => RichText::new(card.name),
                };
                let by_kernels = |reason| format!("{reason}: kernels in Rust run it");
                let tip = reason.map_or_else(|| card.summary.into(), by_kernels);
                if ui.selectable_label(card.name == name, text).on_hover_text(tip).clicked() {
                    *job = job.clone().by(job::small(card));
                    changed.chosen(true);
                }
            }
        }
    });
    combo.response.labelled_by(label.id);
    ui.add(egui::Label::new(RichText::new(choice.card.summary).small().weak()).wrap());
    parameters::show(ui, job, &choice, changed);
}

fn capital(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest
}

/// The options that are always in sight.
const USUAL: [&str; 4] = ["op", "exclusive", "keep", "mask"];

/// The options of the problem, as declared, by their names on the command line. `channels` is left out: the app shows
/// the luma of pictures.
fn options(ui: &mut Ui, job: &mut Job, wrong: &Option<Wrong>, changed: &mut Changed) {
    // Of options that exclude each other, the one that is given hides the others.
    let given: Vec<&str> = job.options.iter().map(|(name, _)| name).collect();
    let conflicts = job.problem.conflicts;
    let ruled_out = |name: &str| {
        let excludes =
            |one: &str, other: &str| one == name && given.contains(&other) && !given.contains(&name);
        conflicts.iter().any(|(one, other)| excludes(one, other) || excludes(other, one))
    };
    let shown =
        job.problem.options.iter().filter(|option| option.name != "channels" && !ruled_out(option.name));
    let (usual, rare): (Vec<_>, Vec<_>) = shown.partition(|option| USUAL.contains(&option.name));
    for option in usual {
        one_option(ui, job, option, wrong, changed);
    }
    if rare.is_empty() {
        return;
    }
    // Options that are set are never out of sight.
    let set = rare.iter().any(|option| given.contains(&option.name));
    let more = egui::CollapsingHeader::new("More options").id_salt(("more", job.problem.name));
    more.open(set.then_some(true)).show_unindented(ui, |ui| {
        for option in rare {
            one_option(ui, job, option, wrong, changed);
        }
    });
}

/// Shows the field of an option, and its error.
fn one_option(
    ui: &mut Ui,
    job: &mut Job,
    option: &'static Parameter,
    wrong: &Option<Wrong>,
    changed: &mut Changed,
) {
    match option.domain.custom {
        Some(CustomSyntax::Text { title, examples, .. }) => text(ui, job, option, (title, examples), changed),
        Some(CustomSyntax::Stream(side_input)) => stream(ui, job, option, side_input, changed),
        None if option.domain.is_flag() => flag(ui, job, option, changed),
        None if option.default.is_empty() => number_if_any(ui, job, option, changed),
        None => {
            ui.horizontal(|ui| {
                let label = ui.label(option.name).on_hover_text(option.about);
                let value = job.options.given(option.name).unwrap_or_else(|| option.default.into());
                if let Some(value) = value_of(ui, option, value, &label, changed) {
                    set(job, option, &value);
                }
            });
        }
    }
    complain(ui, wrong, Field::Option(option.name));
}

/// Sets an option; a value that the option does not accept changes nothing.
fn set(job: &mut Job, option: &'static Parameter, text: &str) {
    if let Ok(options) = job.options.set(job.problem.options, job.problem.name, option.name, text) {
        job.options = options;
    }
}

/// Shows a field for one of several words, or for a number; returns the new value if it changed.
fn value_of(
    ui: &mut Ui,
    option: &Parameter,
    mut value: String,
    label: &egui::Response,
    changed: &mut Changed,
) -> Option<String> {
    if let (Some(range), true) = (option.domain.numbers, option.domain.words.is_empty()) {
        let mut number: u32 = value.parse().unwrap_or(range.min);
        let field = DragValue::new(&mut number).range(range.min..=range.max).speed(0.05);
        let field = ui.add(field).labelled_by(label.id);
        let edited = field.changed();
        changed.dragged(field);
        return edited.then(|| number.to_string());
    }
    let before = value.clone();
    let combo = ComboBox::from_id_salt(("option", option.name)).selected_text(&value).show_ui(ui, |ui| {
        for word in option.domain.words {
            ui.selectable_value(&mut value, (*word).to_owned(), *word);
        }
    });
    combo.response.labelled_by(label.id);
    changed.chosen(before != value);
    (before != value).then_some(value)
}

/// A number that is not there unless it is asked for.
fn number_if_any(ui: &mut Ui, job: &mut Job, option: &'static Parameter, changed: &mut Changed) {
    ui.horizontal(|ui| {
        let given = job.options.given(option.name);
        let mut wanted = given.is_some();
        let label = ui.checkbox(&mut wanted, option.name).on_hover_text(option.about);
        if label.changed() {
            job.options = job.options.without(option.name);
            if wanted {
                set(job, option, "4");
            }
            changed.chosen(true);
        } else if let Some(value) = given
            && let Some(value) = value_of(ui, option, value, &label, changed)
        {
            set(job, option, &value);
        }
    });
}

fn flag(ui: &mut Ui, job: &mut Job, option: &'static Parameter, changed: &mut Changed) {
    let mut given = job.options.flag(option.name);
    if ui.checkbox(&mut given, option.name).on_hover_text(option.about).changed() {
        job.options = job.options.without(option.name);
        if given {
            set(job, option, "");
        }
        changed.chosen(true);
    }
}

fn text(
    ui: &mut Ui,
    job: &mut Job,
    option: &'static Parameter,
    (title, examples): (&str, &[&str]),
    changed: &mut Changed,
) {
    ui.horizontal(|ui| {
        ui.label(option.name).on_hover_text(option.about);
        let mut text = job.options.given(option.name).unwrap_or_else(|| option.default.into());
        let field = egui::TextEdit::singleline(&mut text).hint_text(format!("{} ...", examples.join(", ")));
        let field = ui.add(field.desired_width(f32::INFINITY));
        field.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, title));
        if field.changed() {
            // Unchecked while it is being typed: the run reports errors.
            job.options = job.options.with_text(option, &text);
        }
        changed.typed(field.changed());
    });
}

/// An optional second stream.
fn stream(
    ui: &mut Ui,
    job: &mut Job,
    option: &'static Parameter,
    side_input: SideInput,
    changed: &mut Changed,
) {
    let stream = job.options.stream(option.name).cloned();
    let mut given = stream.is_some();
    if ui.checkbox(&mut given, option.name).on_hover_text(option.about).changed() {
        job.options = job.options.without(option.name);
        if given {
            for (one, _) in job.problem.conflicts.iter().filter(|(_, other)| *other == option.name) {
                job.options = job.options.without(one);
            }
            let n = job.source.len().unwrap_or(16);
            let first = match side_input {
                SideInput::Flags | SideInput::Bits => Source::Pattern { pattern: Pattern::Alternating, n },
                SideInput::Offsets => Source::Values(format!("0,{}", n / 2)),
                SideInput::Values => Source::Values(vec!["1"; (job.whole() as usize).min(16)].join(",")),
            };
            job.options = job.options.with_stream(option, first);
        }
        changed.chosen(true);
        return;
    }
    if let Some(mut source) = stream {
        source::show(ui, &mut source, job.problem, option.name, changed);
        if job.options.stream(option.name) != Some(&source) {
            job.options = job.options.with_stream(option, source);
        }
    }
}

fn length(ui: &mut Ui, job: &mut Job, shown: Option<u64>, changed: &mut Changed) {
    let label = ui.label("n").on_hover_text(format!("items, 1 to {MAX_SHOWN}"));
    let arity = job.arity();
    let own = !job.source.is_made();
    let mut n = match job.source.len() {
        Some(len) if !own => len / arity,
        _ => shown.unwrap_or(0),
    };
    let field = DragValue::new(&mut n).range(1..=u64::from(u32::MAX)).speed(0.25).update_while_editing(false);
    let response = ui.add_enabled(!own, field).labelled_by(label.id);
    let response = response.on_disabled_hover_text("the data determine the length");
    if response.changed() {
        job.source = job.source.with_len(n * arity);
    }
    changed.typed(response.changed());
    ui.end_row();
}

fn element(ui: &mut Ui, job: &mut Job, changed: &mut Changed) {
    let elements = ElementType::ALL.map(|element| (element, element.name()));
    let mut element = job::element(job);
    if choose(ui, "Element", &mut element, &elements) {
        job.element = Some(element).filter(|element| *element != ElementType::U32);
        changed.chosen(true);
    }
}

/// A row of a grid with a choice of several names.
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

/// A menu in a menu, with an arrow that the app's fonts have.
fn submenu(name: &str) -> SubMenuButton<'_> {
    SubMenuButton::from_button(Button::new(name).right_text("▸"))
}

/// Shows the settings of the picture.
pub fn view_menu(app: &mut App, ui: &mut Ui) {
    let view = &mut app.view;
    submenu("Colours").ui(ui, |ui| {
        for palette in Palette::ALL {
            ui.radio_value(&mut view.palette, palette, palette.name());
        }
        ui.separator();
        for range in ColourRange::ALL {
            ui.radio_value(&mut view.range, range, range.name());
        }
    });
    submenu("Numbers").ui(ui, |ui| {
        for format in NumberFormat::ALL {
            ui.radio_value(&mut view.format, format, format.name());
        }
    });
    ui.checkbox(&mut view.arrows, "Arrows of all reads").on_hover_text("if the pass writes few texels");
    ui.checkbox(&mut view.fitted, "Rows that fit")
        .on_hover_text("one row after the other, as papers draw them");
    ui.checkbox(&mut view.motion, "Motion").on_hover_text("items move from pass to pass");
    if ui.button("Fit the picture (F)").clicked() {
        view.fit();
    }
    if ui.button("One pixel per number (1)").clicked() {
        view.one_to_one(ui.ctx().pixels_per_point());
    }
    if ui.button("Back to the start (R)").clicked() {
        view.reset();
    }
}
