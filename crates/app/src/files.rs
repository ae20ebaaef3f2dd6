//! Files: opening and saving recordings, exporting pictures, opening numbers, and files dropped on the window.

mod browser;

use std::io::Read;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use egui::{Context, Ui, Window};
use rasterscan::job::{Job, Source};
use rasterscan::trace::Recording;

use rasterscan_drawing::theme::Theme;
use rasterscan_picture::{Pages, Subject};

use super::shown::Shown;
use super::{App, Wish, looks};

/// Pixels per point of an exported picture.
const SCALE: f32 = 1.5;

/// A dialog that asks for a path.
#[derive(Debug, Clone)]
pub struct Dialog {
    /// The action on the path.
    pub what: What,
    path: String,
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
        match self {
            What::OpenTrace | What::OpenNumbers | What::OpenLesson => "Open",
            What::SaveTrace | What::SaveAnswers => "Save",
            What::Png | What::Svg | What::Apng => "Export",
        }
    }

    /// Returns true if it reads a file.
    fn opens(self) -> bool {
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

impl Dialog {
    /// A dialog with a proposed name.
    pub fn new(what: What, app: &App) -> Dialog {
        let path = if what.opens() { String::new() } else { app.file_name(what) };
        Dialog { what, path, browser: Default::default(), wrong: None, known: None, begun: false }
    }
}

/// Shows the dialog if one is open.
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
        let mut entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if dialog.what.opens() {
            entered |= dialog.browser.show(ui, &mut dialog.path, dialog.what.endings());
        }
        if let Some(wrong) = &dialog.wrong {
            ui.colored_label(looks::wrong(ui.visuals()), wrong);
        }
        let there = !dialog.what.opens() && Path::new(dialog.path.trim()).is_file();
        let ask = there && dialog.known.as_deref() == Some(dialog.path.trim());
        let verb = if ask { "Replace it" } else { dialog.what.verb() };
        if !(ui.button(verb).clicked() || entered) {
            return;
        }
        if there && !ask {
            dialog.wrong = Some("A file with this name already exists.".into());
            dialog.known = Some(dialog.path.trim().to_owned());
        } else {
            let outcome = app.do_with_file(dialog.what, dialog.path.trim(), looks::theme(ui.visuals()));
            done = outcome.is_ok();
            dialog.wrong = outcome.err();
        }
    });
    if open && !done {
        app.dialog = Some(dialog);
    }
}

impl App {
    /// The proposed name of a file.
    fn file_name(&self, what: What) -> String {
        if what == What::SaveAnswers {
            return "answers.json".into();
        }
        let recording = self.recording();
        let name =
            recording.map_or("trace".into(), |recording| recording.algorithm.replace([':', '=', ','], "-"));
        format!("{name}.{}", what.ending())
    }

    /// Starts an action from the menu: a dialog that asks for a path, or in a page a wish to the shell.
    pub(super) fn begin(&mut self, what: What, theme: Theme) {
        if !self.page {
            self.dialog = Some(Dialog::new(what, self));
            return;
        }
        let bytes = match what {
            What::OpenTrace | What::OpenNumbers | What::OpenLesson => return self.wishes.push(Wish::Pick),
            What::SaveAnswers => Ok(self.tour.answers.to_json().into_bytes()),
            What::SaveTrace => {
                let recording = self.recording().ok_or_else(|| "nothing to save yet".to_owned());
                recording.and_then(|recording| recording.to_json().map_err(|error| error.to_string()))
            }
            What::Png | What::Svg | What::Apng => self.export(what, theme),
        };
        match bytes {
            Ok(bytes) => self.wishes.push(Wish::Save { name: self.file_name(what), bytes }),
            Err(wrong) => self.report(Err(wrong)),
        }
    }

    /// Shows the recording in the bytes of a trace file.
    ///
    /// Errors: as text, with the file's name.
    pub fn open_recording(&mut self, path: PathBuf, bytes: &[u8]) -> Result<(), String> {
        let recording = Recording::from_json(bytes).map_err(|error| named(&path, &error.to_string()))?;
        self.report(Ok(format!("opened {}", path.display())));
        self.show(recording, path);
        Ok(())
    }

    /// Runs the current job on the numbers of a file. Side by side, both runs get them.
    pub fn open_numbers(&mut self, path: PathBuf) {
        self.welcoming = false;
        let job = Job { source: Source::File(path), ..self.jobs[0].clone() };
        self.set(0, job, f64::MIN, false);
    }

    fn do_with_file(&mut self, what: What, path: &str, theme: Theme) -> Result<(), String> {
        if path.is_empty() {
            return Err(format!("expected a file name, such as name.{}", what.ending()));
        }
        let path = PathBuf::from(path);
        match what {
            What::OpenTrace => self.open_trace(&path),
            What::OpenNumbers => {
                std::fs::metadata(&path).map_err(|error| named(&path, &error.to_string()))?;
                self.open_numbers(path);
                Ok(())
            }
            What::OpenLesson => self.open_lesson_file(&path),
            What::SaveAnswers => {
                let answers = self.tour.answers.to_json();
                rasterscan::output::write(&path, answers.as_bytes()).map_err(|error| error.to_string())?;
                self.report(Ok(format!("saved {}", path.display())));
                Ok(())
            }
            What::SaveTrace => {
                let recording = self.recording().ok_or("nothing to save yet")?;
                recording.save(&path).map_err(|error| named(&path, &error.to_string()))?;
                self.report(Ok(format!("saved {}", path.display())));
                Ok(())
            }
            What::Png | What::Svg | What::Apng => {
                let bytes = self.export(what, theme)?;
                rasterscan::output::write(&path, &bytes).map_err(|error| error.to_string())?;
                self.report(Ok(format!("exported {}", path.display())));
                Ok(())
            }
        }
    }

    /// The bytes of a picture: of all visible runs, without panels.
    ///
    /// Errors: as text, if nothing is shown or the picture is too large.
    pub fn export(&self, what: What, theme: Theme) -> Result<Vec<u8>, String> {
        let shown: Vec<&Shown> = self.visible().filter_map(|index| self.shown[index].as_ref()).collect();
        if shown.is_empty() {
            return Err("nothing to export yet".into());
        }
        let subjects: Vec<&Subject> = shown.into_iter().map(Deref::deref).collect();
        let pages = Pages::new(&subjects, self.view.style(Theme { letters: 1.0, ..theme }));
        let position = self.view.position;
        let spots: Vec<_> = self.view.cameras.iter().map(|camera| camera.pinned_at(position)).collect();
        let bytes = match what {
            What::Svg => Ok(pages.svg(position, &spots).into_bytes()),
            What::Apng => pages.film(SCALE),
            _ => pages.png(position, &spots, SCALE),
        };
        bytes.map_err(|error| error.to_string())
    }

    /// Opens a lesson file.
    ///
    /// Errors: as text, with the file's name.
    pub fn open_lesson_file(&mut self, path: &Path) -> Result<(), String> {
        let mut text = String::new();
        let most = rasterscan_lesson::file::MOST_BYTES as u64 + 1;
        let read = std::fs::File::open(path).and_then(|file| file.take(most).read_to_string(&mut text));
        read.map_err(|error| named(path, &error.to_string()))?;
        self.open_lesson(&text).map_err(|error| named(path, &error))
    }

    /// Opens a trace file and shows its recording.
    ///
    /// Errors: as text, with the file's name.
    pub fn open_trace(&mut self, path: &Path) -> Result<(), String> {
        let recording = load_trace(path)?;
        self.show(recording, path.to_owned());
        self.report(Ok(format!("opened {}", path.display())));
        Ok(())
    }
}

/// Reads a recording from a trace file.
///
/// Errors: as text, with the file's name.
pub fn load_trace(path: &Path) -> Result<Recording, String> {
    Recording::load(path).map_err(|error| named(path, &error.to_string()))
}

/// An error with the file's name, not repeated.
fn named(path: &Path, error: &str) -> String {
    let name = path.display().to_string();
    if error.contains(&name) { error.into() } else { format!("{name}: {error}") }
}

/// Opens files dropped on the window: trace files, or files of numbers.
pub fn take_dropped(app: &mut App, ui: &Ui) {
    let dropped = ui.input(|input| input.raw.dropped_files.clone());
    for path in dropped.into_iter().filter_map(|file| file.path) {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
            if let Err(wrong) = app.open_trace(&path) {
                app.report(Err(wrong));
            }
        } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
            if let Err(wrong) = app.open_lesson_file(&path) {
                app.report(Err(wrong));
            }
        } else {
            app.open_numbers(path);
        }
    }
}
