//! Files: opening and saving traces, exporting pictures, opening numbers, and what is dropped on the window.

use std::path::{Path, PathBuf};

use egui::{Context, Ui, Window};
use rasterscan::job::{Job, Source};
use rasterscan::trace::Recording;

use super::{App, Wish, looks};

/// A question for a path.
#[derive(Debug, Clone)]
pub struct Dialog {
    pub what: What,
    path: String,
    wrong: Option<String>,
    /// A file that is there, which would be replaced.
    known: Option<String>,
    /// Whether the field has had the focus, which it gets once.
    begun: bool,
}

/// What is done with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    OpenTrace,
    SaveTrace,
    Png,
    Apng,
}

impl What {
    pub const ALL: [What; 4] = [What::OpenTrace, What::SaveTrace, What::Png, What::Apng];

    pub fn name(self) -> &'static str {
        match self {
            What::OpenTrace => "Open a trace",
            What::SaveTrace => "Save the trace",
            What::Png => "Export as PNG",
            What::Apng => "Export as APNG",
        }
    }

    /// What the button says.
    fn verb(self) -> &'static str {
        match self {
            What::OpenTrace => "Open",
            What::SaveTrace => "Save",
            What::Png | What::Apng => "Export",
        }
    }

    fn ending(self) -> &'static str {
        match self {
            What::OpenTrace | What::SaveTrace => "json",
            What::Png => "png",
            What::Apng => "apng",
        }
    }
}

impl Dialog {
    pub fn new(what: What, app: &App) -> Dialog {
        let recording = app.recording();
        let name =
            recording.map_or("trace".into(), |recording| recording.algorithm.replace([':', '=', ','], "-"));
        let path = match what {
            What::OpenTrace => String::new(),
            _ => format!("{name}.{}", what.ending()),
        };
        Dialog { what, path, wrong: None, known: None, begun: false }
    }
}

/// Shows the dialog where one is open.
pub fn show(app: &mut App, ctx: &Context) {
    let Some(mut dialog) = app.dialog.take() else { return };
    let mut open = true;
    let mut done = false;
    let window = Window::new(dialog.what.name()).open(&mut open).collapsible(false).resizable(false);
    window.default_width(320.0).show(ctx, |ui| {
        let field = egui::TextEdit::singleline(&mut dialog.path)
            .hint_text(format!("name.{}", dialog.what.ending()))
            .desired_width(f32::INFINITY);
        let label = ui.label("File");
        let field = ui.add(field).labelled_by(label.id);
        if !std::mem::replace(&mut dialog.begun, true) {
            field.request_focus();
        }
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if let Some(wrong) = &dialog.wrong {
            ui.colored_label(looks::wrong(ui.visuals()), wrong);
        }
        let there = dialog.what != What::OpenTrace && Path::new(dialog.path.trim()).is_file();
        let ask = there && dialog.known.as_deref() == Some(dialog.path.trim());
        let verb = if ask { "Replace it" } else { dialog.what.verb() };
        if !(ui.button(verb).clicked() || entered) {
            return;
        }
        if there && !ask {
            dialog.wrong = Some("There is a file of this name already.".into());
            dialog.known = Some(dialog.path.trim().to_owned());
        } else {
            let outcome = app.do_with_file(dialog.what, dialog.path.trim());
            done = outcome.is_ok();
            dialog.wrong = outcome.err();
        }
    });
    if open && !done {
        app.dialog = Some(dialog);
    }
}

impl App {
    fn do_with_file(&mut self, what: What, path: &str) -> Result<(), String> {
        if path.is_empty() {
            return Err(format!("expected a file's name, as name.{}", what.ending()));
        }
        let path = PathBuf::from(path);
        match what {
            What::OpenTrace => self.open_trace(&path),
            What::SaveTrace => {
                let recording = self.recording().ok_or("there is nothing to save yet")?;
                recording.save(&path).map_err(|error| named(&path, &error.to_string()))?;
                self.tell(Ok(format!("saved {}", path.display())));
                Ok(())
            }
            What::Png | What::Apng if self.recording().is_none() => {
                Err("there is nothing to export yet".into())
            }
            What::Png => {
                self.wishes.push(Wish::Png(path));
                Ok(())
            }
            What::Apng => {
                self.wishes.push(Wish::Apng(path));
                Ok(())
            }
        }
    }

    /// Shows a trace file.
    ///
    /// Errors: in words, with the file's name.
    pub fn open_trace(&mut self, path: &Path) -> Result<(), String> {
        let recording = load_trace(path)?;
        self.show(recording, path.to_owned());
        self.tell(Ok(format!("opened {}", path.display())));
        Ok(())
    }
}

/// Reads a trace file.
///
/// Errors: in words, with the file's name.
pub fn load_trace(path: &Path) -> Result<Recording, String> {
    Recording::load(path).map_err(|error| named(path, &error.to_string()))
}

/// An error with the file's name, once.
fn named(path: &Path, error: &str) -> String {
    let name = path.display().to_string();
    if error.contains(&name) { error.into() } else { format!("{name}: {error}") }
}

/// Opens what was dropped on the window: a trace, or a file of numbers.
pub fn take_dropped(app: &mut App, ui: &Ui) {
    let dropped = ui.input(|input| input.raw.dropped_files.clone());
    for path in dropped.into_iter().filter_map(|file| file.path) {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
            if let Err(wrong) = app.open_trace(&path) {
                app.tell(Err(wrong));
            }
        } else {
            // Side by side both get the numbers.
            let job = Job { source: Source::File(path), ..app.jobs[0].clone() };
            app.set(0, job, ui.input(|input| input.time), false);
        }
    }
}
