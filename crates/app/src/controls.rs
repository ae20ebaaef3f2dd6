//! The left panel: the algorithm, its options, and the data.

mod parameters;
mod source;

use egui::containers::menu::SubMenuButton;
use egui::{Button, ComboBox, DragValue, Grid, RichText, ScrollArea, Ui};
use rasterscan::ElementType;
use rasterscan::tools::job::{Job, Pattern, Source};
use rasterscan::tools::problem;
use rasterscan::tools::registry::{self, CustomSyntax, Era, Parameter, SideInput};

use super::engine::Engine;
use super::files::What;
use super::job::{self, Field, MAX_SHOWN, Wrong};
use super::runs::Runs;
use super::spoken::labelled;
use super::view::View;
use super::{Action, looks};
use rasterscan_drawing::colour::Palette;
use rasterscan_lesson::phrases::say;
use rasterscan_picture::{ColourRange, NumberFormat};

/// The changes to the controls in a frame.
#[derive(Debug, Clone, Copy, Default)]
struct Changed {
    /// Something was chosen: the job runs at once.
    chosen: bool,
    /// Something is being typed, or a number dragged through many values: the job runs when that stops.
    typed: bool,
    /// A file is to be picked.
    pick: bool,
}

/// Shows the controls.
pub fn show(ui: &mut Ui, runs: &mut Runs) -> Vec<Action> {
    let mut actions = Vec::new();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.add_space(4.0);
        if runs.beside {
            ui.horizontal(|ui| {
                ui.selectable_value(&mut runs.editing, 0, say("First"));
                ui.selectable_value(&mut runs.editing, 1, say("Second"));
            });
        }
        let index = runs.chosen();
        let run = &runs.both[index];
        if let Some(file) = run.shown.as_ref().and_then(|shown| shown.file.as_ref()) {
            ui.label(format!("{}: {}", say("Showing a saved recording"), file.display()));
            if ui.button(say("Run the settings below instead")).clicked() {
                actions.push(Action::Run(index));
            }
            ui.separator();
        }
        let mut form = Form { job: run.job.clone(), wrong: run.wrong.clone(), changed: Changed::default() };
        form.algorithm(ui, &mut *runs.engine);
        ui.separator();
        form.options(ui);
        form.complain(ui, Field::Options);
        ui.separator();
        ui.strong(say("Data"));
        Grid::new("data").num_columns(2).spacing([8.0, 5.0]).show(ui, |ui| {
            form.length(ui, run.shown.as_ref().map(|shown| shown.recording.request.len()));
            form.element(ui);
        });
        source::show(ui, &mut form.job.source, form.job.problem, "data", &mut form.changed);
        form.complain(ui, Field::Input);
        for note in run.shown.iter().flat_map(|shown| &shown.notes) {
            ui.add(egui::Label::new(RichText::new(note).small()).wrap());
        }
        form.complain(ui, Field::Run);
        let Form { job, changed, .. } = form;
        if job != run.job {
            let typing = changed.typed && !changed.chosen;
            actions.push(Action::Job { index, job: Box::new(job), typing });
        }
        if changed.pick {
            actions.push(Action::File(What::OpenNumbers));
        }
        ui.add_space(4.0);
        ui.separator();
        ui.add(egui::Label::new(RichText::new(runs.engine.device()).small().weak()).wrap());
    });
    actions
}

/// The job of a run as it is edited in a frame.
struct Form {
    job: Job,
    /// The error of the job as it was.
    wrong: Option<Wrong>,
    changed: Changed,
}

/// The options that are always in sight.
const USUAL: [&str; 5] = ["op", "exclusive", "keep", "mask", "descending"];

impl Form {
    /// Shows the error of a field, below it.
    fn complain(&self, ui: &mut Ui, field: Field) {
        if let Some(wrong) = self.wrong.as_ref().filter(|wrong| wrong.field == field) {
            let text = RichText::new(&wrong.message).color(looks::wrong(ui.visuals()));
            ui.add(egui::Label::new(text).wrap());
        }
    }

    /// The algorithms of a problem by era, in the registry's order; those that cannot run here show the reason.
    fn algorithm(&mut self, ui: &mut Ui, engine: &mut dyn Engine) {
        let Form { job, changed, .. } = self;
        ui.horizontal_wrapped(|ui| {
            for problem in problem::ALL {
                let chosen = job.problem == problem;
                let label = ui
                    .selectable_label(chosen, say(capital(problem.name)))
                    .on_hover_text(say(problem.summary));
                if label.clicked() && !chosen {
                    let source = job::digits(problem).with_len(job.source.len().unwrap_or(16));
                    *job = job::of(problem, source).by(job::first(problem));
                    changed.chosen = true;
                }
            }
        });
        let choice = job::choice(job);
        let name = choice.card.name;
        let label = ui.label(say("Algorithm"));
        let combo = ComboBox::from_id_salt("algorithm").selected_text(name).width(ui.available_width() - 8.0);
        let combo = combo.height(420.0).show_ui(ui, |ui| {
            for (era, words) in
                [(Era::Texture, "Textures and framebuffers"), (Era::Compute, "Compute shaders")]
            {
                ui.label(RichText::new(say(words)).small().weak());
                for card in registry::of(job.problem).filter(|card| card.era == era) {
                    let reason = engine.unsupported(card);
                    let text = match &reason {
                        Some(_) => RichText::new(say(format!("{} (by kernels)", card.name))).weak(),
                        None => RichText::new(card.name),
                    };
                    let by_kernels = |reason| format!("{reason}: {}", say("kernels in Rust run it"));
                    let tip = reason.map_or_else(|| say(card.summary), by_kernels);
                    if ui.selectable_label(card.name == name, text).on_hover_text(tip).clicked() {
                        *job = job.clone().by(job::small(card, job.source.len().unwrap_or(MAX_SHOWN)));
                        changed.chosen = true;
                    }
                }
            }
        });
        labelled(combo.response, &label, say("Algorithm"));
        ui.add(egui::Label::new(RichText::new(say(choice.card.summary)).small().weak()).wrap());
        parameters::show(ui, job, &choice, changed);
    }

    /// The options of the problem, as declared, by their names on the command line. `channels` is left out: the app shows
    /// the luma of pictures.
    fn options(&mut self, ui: &mut Ui) {
        let problem = self.job.problem;
        // Of options that exclude each other, the one that is given hides the others.
        let given: Vec<&str> = self.job.options.iter().map(|(name, _)| name).collect();
        let ruled_out = |name: &str| {
            let excludes =
                |one: &str, other: &str| one == name && given.contains(&other) && !given.contains(&name);
            problem.conflicts().any(|(one, other)| excludes(one, other) || excludes(other, one))
        };
        let shown =
            problem.options.iter().filter(|option| option.name != "channels" && !ruled_out(option.name));
        let (usual, rare): (Vec<_>, Vec<_>) = shown.partition(|option| USUAL.contains(&option.name));
        usual.into_iter().for_each(|option| self.option(ui, option));
        if rare.is_empty() {
            return;
        }
        // Options that are set are never out of sight.
        let set = rare.iter().any(|option| given.contains(&option.name));
        let more = egui::CollapsingHeader::new(say("More options")).id_salt(("more", problem.name));
        more.open(set.then_some(true))
            .show_unindented(ui, |ui| rare.into_iter().for_each(|option| self.option(ui, option)));
    }

    /// Shows the field of an option, and its error.
    fn option(&mut self, ui: &mut Ui, option: &'static Parameter) {
        match option.domain.custom {
            Some(CustomSyntax::Text { title, examples, .. }) => self.text(ui, option, title, examples),
            Some(CustomSyntax::Stream(side_input)) => self.stream(ui, option, side_input),
            None if option.domain.is_flag() => {
                if self.switch(ui, option, self.job.options.flag(option.name)).1 {
                    self.set(option, "");
                }
            }
            None => _ = ui.horizontal(|ui| self.value(ui, option)),
        }
        self.complain(ui, Field::Option(option.name));
    }

    /// Sets an option; a value that the option does not accept changes nothing.
    fn set(&mut self, option: &'static Parameter, text: &str) {
        let Job { options, problem, .. } = &mut self.job;
        if let Ok(set) = options.set(problem.options, problem.name, option.name, text) {
            *options = set;
        }
    }

    /// Shows a checkbox for an option that may be left out. The second is true if the option was just asked for.
    fn switch(&mut self, ui: &mut Ui, option: &Parameter, mut given: bool) -> (egui::Response, bool) {
        let label = ui.checkbox(&mut given, option.name).on_hover_text(say(option.about));
        if label.changed() {
            self.job.options = self.job.options.without(option.name);
            self.changed.chosen = true;
        }
        let asked = label.changed() && given;
        (label, asked)
    }

    /// Shows a field for one of several words, or for a number, which may be left out if it has no default.
    fn value(&mut self, ui: &mut Ui, option: &'static Parameter) {
        let given = self.job.options.given(option.name);
        let (label, value) = if option.default.is_empty() {
            let (label, asked) = self.switch(ui, option, given.is_some());
            if asked {
                self.set(option, "4");
            }
            let value = given.filter(|_| !label.changed());
            (label, value)
        } else {
            let label = ui.label(option.name).on_hover_text(say(option.about));
            (label, given.or_else(|| Some(option.default.into())))
        };
        let Some(mut value) = value else { return };
        let before = value.clone();
        if let (Some(range), true) = (option.domain.numbers, option.domain.words.is_empty()) {
            let mut number: u32 = value.parse().unwrap_or(range.min);
            let field = DragValue::new(&mut number).range(range.min..=range.max).speed(0.05);
            if labelled(ui.add(field), &label, option.name).changed() {
                value = number.to_string();
                self.changed.typed = true;
            }
        } else {
            let combo = ComboBox::from_id_salt(("option", option.name)).selected_text(&value);
            let combo = combo.show_ui(ui, |ui| {
                for word in option.domain.words {
                    ui.selectable_value(&mut value, (*word).to_owned(), *word);
                }
            });
            labelled(combo.response, &label, option.name);
            self.changed.chosen |= before != value;
        }
        if before != value {
            self.set(option, &value);
        }
    }

    fn text(&mut self, ui: &mut Ui, option: &'static Parameter, title: &str, tried: &[&str]) {
        ui.horizontal(|ui| {
            ui.label(option.name).on_hover_text(say(option.about));
            let mut text = self.job.options.given(option.name).unwrap_or_else(|| option.default.into());
            let field = looks::line(ui, &mut text).hint_text(format!("{} ...", tried.join(", ")));
            let field = ui.add(field.desired_width(f32::INFINITY));
            field.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, say(title)));
            if field.changed() {
                // Unchecked while it is being typed: the run reports errors.
                self.job.options = self.job.options.with_text(option, &text);
                self.changed.typed = true;
            }
        });
    }

    /// An optional second stream.
    fn stream(&mut self, ui: &mut Ui, option: &'static Parameter, side_input: SideInput) {
        let stream = self.job.options.stream(option.name).cloned();
        let (label, asked) = self.switch(ui, option, stream.is_some());
        let job = &mut self.job;
        if asked {
            for (one, _) in job.problem.conflicts().filter(|(_, other)| *other == option.name) {
                job.options = job.options.without(one);
            }
            let n = job.source.len().unwrap_or(16);
            let first = match side_input {
                SideInput::Flags | SideInput::Bits => Source::Pattern { pattern: Pattern::Alternating, n },
                SideInput::Keys => Source::Pattern { pattern: Pattern::Runs, n },
                SideInput::Payload => Source::Pattern { pattern: Pattern::Ramp, n },
                SideInput::Offsets => Source::Values(format!("0,{}", n / 2)),
                SideInput::Edges => job::few_edges(),
                SideInput::Values => Source::Values(vec!["1"; (job.whole() as usize).min(16)].join(",")),
            };
            job.options = job.options.with_stream(option, first);
        } else if let Some(mut source) = stream.filter(|_| !label.changed()) {
            source::show(ui, &mut source, job.problem, option.name, &mut self.changed);
            if job.options.stream(option.name) != Some(&source) {
                job.options = job.options.with_stream(option, source);
            }
        }
    }

    fn length(&mut self, ui: &mut Ui, shown: Option<u64>) {
        let job = &mut self.job;
        let label = ui.label("n").on_hover_text(say(format!("items, 1 to {MAX_SHOWN}")));
        let arity = job.arity();
        let own = !job.source.is_made();
        let mut n = match job.source.len() {
            Some(len) if !own => len / arity,
            _ => shown.unwrap_or(0),
        };
        let field = DragValue::new(&mut n).range(1..=u64::from(u32::MAX)).speed(0.25);
        let field = labelled(ui.add_enabled(!own, field.update_while_editing(false)), &label, "n");
        if field.on_disabled_hover_text(say("the data determine the length")).changed() {
            job.source = job.source.with_len(n * arity);
            self.changed.typed = true;
        }
        ui.end_row();
    }

    fn element(&mut self, ui: &mut Ui) {
        let before = job::element(&self.job);
        let mut element = before;
        let label = ui.label(say("Element"));
        let combo = ComboBox::from_id_salt("Element").selected_text(element.name()).show_ui(ui, |ui| {
            for one in ElementType::ALL {
                ui.selectable_value(&mut element, one, one.name());
            }
        });
        labelled(combo.response, &label, say("Element"));
        ui.end_row();
        if element != before {
            self.job.element = Some(element).filter(|element| *element != ElementType::U32);
            self.changed.chosen = true;
        }
    }
}

pub(super) fn capital(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest
}

/// A menu in a menu, with an arrow that the app's fonts have.
fn submenu(name: &str) -> SubMenuButton<'_> {
    SubMenuButton::from_button(Button::new(say(name)).right_text("▸"))
}

/// Shows the settings of the picture.
pub fn view_menu(ui: &mut Ui, view: &mut View) {
    submenu("Colours").ui(ui, |ui| {
        for palette in Palette::ALL {
            ui.radio_value(&mut view.palette, palette, say(palette.name()));
        }
        ui.separator();
        for range in ColourRange::ALL {
            ui.radio_value(&mut view.range, range, say(range.name()));
        }
    });
    submenu("Numbers").ui(ui, |ui| {
        for format in NumberFormat::ALL {
            ui.radio_value(&mut view.format, format, say(format.name()));
        }
    });
    ui.checkbox(&mut view.arrows, say("Arrows of all reads"))
        .on_hover_text(say("if the pass writes few texels"));
    ui.checkbox(&mut view.fitted, say("Rows that fit"))
        .on_hover_text(say("one row after the other, as papers draw them"));
    ui.checkbox(&mut view.motion, say("Motion")).on_hover_text(say("items move from source to target"));
    if ui.button(say("Fit the picture (F)")).clicked() {
        view.fit();
    }
    if ui.button(say("One pixel per number (1)")).clicked() {
        view.one_to_one(ui.ctx().pixels_per_point());
    }
    if ui.button(say("Back to the start (R)")).clicked() {
        view.reset();
    }
}
