//! Files: opening and saving recordings, exporting pictures, opening numbers, and files dropped on the window.

mod browser;

use std::ops::Deref;
use std::path::{Path, PathBuf};

use egui::{Context, Ui, Window};
use rasterscan::trace::Recording;

use rasterscan_drawing::theme::Theme;
use rasterscan_lesson::answers::MOST_NAME;
use rasterscan_lesson::phrases::say;
use rasterscan_picture::{Pages, Subject};

use super::runs::Runs;
use super::spoken::{labelled, told};
use super::view::View;
use super::{Action, looks};

/// Pixels per point of an exported picture.
const SCALE: f32 = 1.5;

/// A dialog that asks for a path.
#[derive(Debug)]
struct Dialog {
    /// The action on the path.
    what: What,
    path: String,
    /// The name of the student who saves answers.
    student: String,
    browser: browser::Browser,
    wrong: Option<String>,
    /// An existing file that would be replaced.
    known: Option<String>,
    /// True once the field has received the focus.
    begun: bool,
}

/// An action on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Open a trace file.
    OpenTrace,
    /// Open a file of numbers, or an image.
    OpenNumbers,
    /// Save the recording as a trace file.
    SaveTrace,
    /// Open a lesson file.
    OpenLesson,
    /// Save the answers to the lesson.
    SaveAnswers,
    /// Export the current picture.
    Png,
    /// Export the current picture as vectors.
    Svg,
    /// Export an animation of the run.
    Apng,
}

impl What {
    /// All actions, in the order of the menu.
    pub const ALL: [What; 8] = [
        What::OpenTrace,
        What::OpenNumbers,
        What::OpenLesson,
        What::SaveTrace,
        What::SaveAnswers,
        What::Png,
        What::Svg,
        What::Apng,
    ];

    /// The entry in the menu.
    pub fn name(self) -> &'static str {
        match self {
            What::OpenTrace => "Open a recording",
            What::OpenNumbers => "Open numbers",
            What::SaveTrace => "Save the recording",
            What::OpenLesson => "Open a lesson",
            What::SaveAnswers => "Save answers",
            What::Png => "Export as PNG",
            What::Svg => "Export as SVG",
            What::Apng => "Export as APNG",
        }
    }

    /// The text of the button.
    fn verb(self) -> &'static str {
        self.name().split(' ').next().unwrap_or_default()
    }

    /// Returns true if it reads a file.
    pub fn opens(self) -> bool {
        matches!(self, What::OpenTrace | What::OpenNumbers | What::OpenLesson)
    }

    /// The endings of its files, the usual one first.
    fn endings(self) -> &'static [&'static str] {
        match self {
            What::OpenTrace | What::SaveTrace | What::SaveAnswers => &["json"],
            What::OpenNumbers => &["npy", "csv", "txt", "png", "jpg", "jpeg", "bin"],
            What::OpenLesson => &["toml"],
            What::Png => &["png"],
            What::Svg => &["svg"],
            What::Apng => &["apng"],
        }
    }

    fn ending(self) -> &'static str {
        self.endings()[0]
    }
}

/// The dialog that is open.
#[derive(Debug, Default)]
pub struct Files(Option<Dialog>);

impl Files {
    /// Opens a dialog, with a proposed name for a file that is written, and for answers the student's name.
    pub fn ask(&mut self, what: What, name: String, student: String) {
        let path = if what.opens() { String::new() } else { name };
        let (browser, wrong, known, begun) = (Default::default(), None, None, false);
        self.0 = Some(Dialog { what, path, student, browser, wrong, known, begun });
    }

    /// Closes the dialog. False if none is open.
    pub fn close(&mut self) -> bool {
        self.0.take().is_some()
    }

    /// Shows an error in the dialog.
    pub fn refuse(&mut self, wrong: String) {
        if let Some(dialog) = &mut self.0 {
            dialog.wrong = Some(wrong);
        }
    }

    /// Shows the dialog if one is open. Returns the action on the path that is entered.
    pub fn show(&mut self, ctx: &Context) -> Option<Action> {
        let dialog = self.0.as_mut()?;
        let mut open = true;
        let mut action = None;
        let window = Window::new(say(dialog.what.name())).open(&mut open).collapsible(false).resizable(false);
        window.default_width(320.0).default_pos(looks::BELOW_BAR).show(ctx, |ui| {
            if dialog.what == What::SaveAnswers {
                let field = egui::TextEdit::singleline(&mut dialog.student)
                    .char_limit(MOST_NAME / 4)
                    .desired_width(f32::INFINITY);
                let name = "Your name, as the table of grades shows it";
                let label = ui.label(say(name));
                let field = labelled(ui.add(field), &label, say(name));
                if !std::mem::replace(&mut dialog.begun, true) {
                    field.request_focus();
                }
            }
            let field = egui::TextEdit::singleline(&mut dialog.path)
                .hint_text(format!("name.{}", dialog.what.ending()))
                .desired_width(f32::INFINITY);
            let label = ui.label(say("File"));
            let field = labelled(ui.add(field), &label, say("File"));
            if !std::mem::replace(&mut dialog.begun, true) {
                field.request_focus();
            }
            let mut entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            if dialog.what.opens() {
                entered |= dialog.browser.show(ui, &mut dialog.path, dialog.what.endings());
            }
            if let Some(wrong) = &dialog.wrong {
                told(ui, egui::RichText::new(wrong).color(looks::wrong(ui.visuals())));
            }
            let path = dialog.path.trim();
            let there = !dialog.what.opens() && Path::new(path).is_file();
            let ask = there && dialog.known.as_deref() == Some(path);
            let verb = if ask { "Replace it" } else { dialog.what.verb() };
            if !(ui.button(say(verb)).clicked() || entered) {
                return;
            }
            if there && !ask {
                dialog.wrong = Some(say("A file with this name already exists."));
                dialog.known = Some(path.to_owned());
            } else if path.is_empty() {
                let ending = dialog.what.ending();
                dialog.wrong = Some(say(format!("expected a file name, such as name.{ending}")));
            } else {
                action = Some(match dialog.what {
                    What::SaveAnswers => Action::Answers(dialog.student.trim().into(), path.into()),
                    what => Action::Path(what, path.into()),
                });
            }
        });
        if !open {
            self.0 = None;
        }
        action
    }
}

/// The proposed name of a file.
pub fn name(what: What, recording: Option<&Recording>) -> String {
    if what == What::SaveAnswers {
        return "answers.json".into();
    }
    let name =
        recording.map_or("trace".into(), |recording| recording.algorithm.replace([':', '=', ','], "-"));
    format!("{name}.{}", what.ending())
}

/// The bytes of a picture: of all visible runs, without panels.
///
/// Errors: as text, if nothing is shown or the picture is too large.
pub fn export(runs: &Runs, view: &View, what: What, theme: Theme) -> Result<Vec<u8>, String> {
    let subjects: Vec<&Subject> = runs.shown().map(Deref::deref).collect();
    if subjects.is_empty() {
        return Err(say("nothing to export yet"));
    }
    let pages = Pages::new(&subjects, view.style(Theme { letters: 1.0, ..theme }));
    let position = view.position;
    let spots: Vec<_> = view.cameras.iter().map(|camera| camera.pinned_at(position)).collect();
    let bytes = match what {
        What::Svg => Ok(pages.svg(position, &spots).into_bytes()),
        What::Apng => pages.film(SCALE),
        _ => pages.png(position, &spots, SCALE),
    };
    bytes.map_err(|error| error.to_string())
}

/// Reads a recording from a trace file.
///
/// Errors: as text, with the file's name.
pub fn load_trace(path: &Path) -> Result<Recording, String> {
    Recording::load(path).map_err(|error| named(path, &error.to_string()))
}

/// An error with the file's name, not repeated.
pub fn named(path: &Path, error: &str) -> String {
    let name = path.display().to_string();
    if error.contains(&name) { error.into() } else { format!("{name}: {error}") }
}

/// The files dropped on the window since the last frame, each with what opens it.
pub fn dropped(ui: &Ui) -> impl Iterator<Item = (What, PathBuf)> {
    let dropped = ui.input(|input| input.raw.dropped_files.clone());
    dropped.into_iter().filter_map(|file| file.path).map(|path| {
        let is = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        match () {
            () if is("json") => (What::OpenTrace, path),
            () if is("toml") => (What::OpenLesson, path),
            () => (What::OpenNumbers, path),
        }
    })
}
