//! The documents of the project, and the code in them, for the tests that check them against the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// The documents for people, by their paths from the root of the repository.
pub const DOCUMENTS: [&str; 10] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/command-line.md",
    "docs/app.md",
    "docs/gallery.md",
    "docs/library.md",
    "docs/page.md",
    "docs/systems.md",
    "docs/reproduction.md",
];

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folders of the library and of the other members of the workspace.
pub fn members() -> impl Iterator<Item = PathBuf> {
    let below = |folder| fs::read_dir(root().join(folder)).expect("a folder of members");
    let members = ["crates", "examples/hosts"].into_iter().flat_map(below);
    [root()].into_iter().chain(members.map(|entry| entry.expect("a member").path()))
}

/// The text of a file of the repository.
pub fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file below a path.
pub fn files(path: PathBuf) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path];
    }
    let entries = fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    entries.flat_map(|entry| files(entry.unwrap().path())).collect()
}

/// The lines of fenced and indented code, and the spans of inline code of a document.
#[derive(Debug)]
pub struct Code<'a> {
    pub lines: Vec<&'a str>,
    pub spans: Vec<&'a str>,
}

/// The code of a document.
pub fn code(document: &str) -> Code<'_> {
    let mut code = Code { lines: Vec::new(), spans: Vec::new() };
    let mut fenced = false;
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced || line.starts_with("    ") {
            code.lines.push(line);
        } else {
            code.spans.extend(line.split('`').skip(1).step_by(2));
        }
    }
    code
}
