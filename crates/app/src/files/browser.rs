//! A list of the files and folders at a path that is being typed.

use std::path::{Path, PathBuf};

use egui::{ScrollArea, Ui};
use rasterscan_lesson::phrases::say;

use crate::looks::named;

/// The most entries shown.
const MOST: usize = 200;

/// The entries of a folder, read once.
#[derive(Debug, Clone, Default)]
pub struct Browser {
    listed: Option<(PathBuf, Vec<Entry>)>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// False sorts first: folders.
    file: bool,
    name: String,
}

/// The folder and the beginning of the name in a path that is being typed.
fn parts(path: &str) -> (&str, &str) {
    match path.rfind(std::path::is_separator) {
        Some(at) => path.split_at(at + 1),
        None => ("", path),
    }
}

/// The folders at a place, and its files with one of the endings. Hidden ones are left out.
fn entries(folder: &Path, endings: &[&str]) -> Vec<Entry> {
    let wanted = |name: &str| {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or("");
        endings.iter().any(|known| known.eq_ignore_ascii_case(ending))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let file = !entry.path().is_dir();
        (!name.starts_with('.') && (!file || wanted(&name))).then_some(Entry { file, name })
    });
    let mut entries: Vec<Entry> = entries.collect();
    entries.sort();
    entries
}

impl Browser {
    /// Shows what the path may go on with; a click writes it into the path. Returns true if a file was clicked twice.
    pub fn show(&mut self, ui: &mut Ui, path: &mut String, endings: &[&str]) -> bool {
        let (folder, begun) = parts(path);
        let (folder, begun) = (folder.to_owned(), begun.to_owned());
        let place = if folder.is_empty() { PathBuf::from(".") } else { PathBuf::from(&folder) };
        if self.listed.as_ref().is_none_or(|(known, _)| *known != place) {
            self.listed = Some((place.clone(), entries(&place, endings)));
        }
        let Some((_, entries)) = &self.listed else { return false };
        let mut taken = None;
        let area = ScrollArea::vertical().id_salt(&folder).max_height(180.0).auto_shrink([false, true]);
        area.show(ui, |ui| {
            let up = ui.selectable_label(false, "..");
            if named(up, "Folder above", "").clicked() {
                let above = place.canonicalize().ok();
                let above = above.as_deref().and_then(Path::parent).map(|above| above.display().to_string());
                taken = above.map(|above| (with_separator(above), false));
            }
            let known = |entry: &&Entry| entry.name.starts_with(&begun) || begun == entry.name;
            // A name that nothing begins with hides nothing: the user sees what there is.
            let any = entries.iter().any(|entry| known(&entry));
            for entry in entries.iter().filter(|entry| !any || known(entry)).take(MOST) {
                let text = if entry.file { entry.name.clone() } else { with_separator(entry.name.clone()) };
                let label = ui.selectable_label(entry.file && entry.name == begun, &text);
                if label.clicked() || label.double_clicked() {
                    taken = Some((format!("{folder}{text}"), entry.file && label.double_clicked()));
                }
            }
            if entries.is_empty() {
                ui.weak(format!("{}: {}", say("no files of these kinds here"), endings.join(", ")));
            }
        });
        let Some((chosen, twice)) = taken else { return false };
        *path = chosen;
        twice
    }
}

fn with_separator(mut name: String) -> String {
    if !name.ends_with(std::path::is_separator) {
        name.push(std::path::MAIN_SEPARATOR);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_first_and_other_kinds_are_left_out() {
        let folder = std::env::temp_dir().join(format!("rasterscan-browser-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("runs")).unwrap();
        for name in ["b.json", "a.JSON", "c.txt", ".hidden.json"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let names: Vec<String> = entries(&folder, &["json"]).into_iter().map(|entry| entry.name).collect();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(names, ["runs", "a.JSON", "b.json"]);
        assert!(entries(&folder, &["json"]).is_empty(), "a folder that is not there has nothing");
    }

    #[test]
    fn a_path_is_a_folder_and_the_beginning_of_a_name() {
        assert_eq!(parts("runs/a"), ("runs/", "a"));
        assert_eq!(parts("runs/"), ("runs/", ""));
        assert_eq!(parts("ru"), ("", "ru"));
    }
}
