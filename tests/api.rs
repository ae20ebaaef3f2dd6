//! The library's public names, file by file: a change of the face that others build on is seen before it is made.
//! `UPDATE_API=1 cargo test --test api` accepts it.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

/// The name that a line makes public, with its kind.
fn public(line: &str) -> Option<String> {
    let mut words = line.strip_prefix("pub ")?.split_whitespace();
    let mut kind = words.next()?;
    while ["unsafe", "const", "async"].contains(&kind) {
        let next = words.next()?;
        if kind == "const" && next != "fn" && next != "unsafe" {
            return Some(format!("const {}", next.trim_end_matches(':')));
        }
        kind = next;
    }
    let kinds = ["fn", "struct", "enum", "trait", "type", "mod", "static"];
    let rest = words.next()?;
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    if kinds.contains(&kind) {
        Some(format!("{kind} {name}"))
    } else {
        kind.strip_suffix(':').map(|field| format!(".{field}"))
    }
}

/// `path: name name ...`, of the files that have any. Tests within a file come last in it.
fn face() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut lines = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let names: Vec<String> = text.lines().filter_map(|line| public(line.trim())).collect();
        if !names.is_empty() {
            let path = path.strip_prefix(&root).unwrap().display().to_string().replace('\\', "/");
            lines.push(format!("{path}: {}\n", names.join(", ")));
        }
    }
    lines.concat()
}

#[test]
fn the_public_face_is_what_it_was() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/api.txt");
    let now = face();
    if std::env::var_os("UPDATE_API").is_some() {
        fs::write(&path, &now).unwrap();
    }
    let before = fs::read_to_string(&path).unwrap();
    let of = |text: &str, path: &str| text.lines().find(|line| line.starts_with(path)).map(str::to_owned);
    for line in now.lines().chain(before.lines()) {
        let path = &line[..=line.find(": ").unwrap()];
        assert_eq!(
            of(&now, path),
            of(&before, path),
            "{path} has other public names; UPDATE_API=1 accepts them"
        );
    }
}

#[test]
fn public_names_are_found() {
    let names = [
        "pub fn add<T>(x: T) {",
        "pub unsafe fn wrap(",
        "pub const MOST: u32 = 3;",
        "pub const fn new() -> Self {",
        "pub len: u64,",
        "pub(crate) fn own()",
        "fn private()",
    ];
    let found: Vec<String> = names.into_iter().filter_map(public).collect();
    assert_eq!(found, ["fn add", "fn wrap", "const MOST", "fn new", ".len"]);
}
