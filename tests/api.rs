//! The library's public names, path by path, as rustdoc finds them: a change of the face that others build on is seen
//! before it is made. `UPDATE_API=1 cargo test --test api` accepts it.
//!
//! rustdoc writes JSON only where unstable options are allowed, hence `RUSTC_BOOTSTRAP`, which is for a folder of its own.
//! Other systems have other contexts, and may have names of their own.

#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What rustdoc says of the library with all its features.
fn documented() -> Value {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api");
    let output = Command::new(env!("CARGO"))
        .args(["rustdoc", "--locked", "--package", "rasterscan", "--lib", "--all-features", "--target-dir"])
        .arg(&target)
        .args(["--", "-Z", "unstable-options", "--output-format", "json"])
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(ROOT)
        .output()
        .expect("cargo rustdoc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(target.join("doc/rasterscan.json")).expect("the JSON of rustdoc");
    serde_json::from_str(&text).expect("JSON")
}

struct Docs(Value);

impl Docs {
    /// The item of an id; `None` if it is not of this crate.
    fn item(&self, id: &Value) -> Option<&Value> {
        self.0["index"].get(id.to_string())
    }

    fn items<'a>(&'a self, ids: &'a Value) -> impl Iterator<Item = &'a Value> {
        ids.as_array().into_iter().flatten().filter_map(|id| self.item(id))
    }

    /// The items of a module by their names, those of globs among them; without an item: the path of another crate's.
    fn members<'a>(&'a self, module: &'a Value) -> Vec<(String, Result<&'a Value, &'a str>)> {
        let mut members = Vec::new();
        for item in self.items(&module["inner"]["module"]["items"]) {
            let import = &item["inner"]["use"];
            match self.item(&import["id"]) {
                _ if import.is_null() => members.push((name(item), Ok(item))),
                Some(target) if import["is_glob"] == true => members.extend(self.members(target)),
                Some(target) => members.push((text(&import["name"]).to_owned(), Ok(target))),
                None => members.push((text(&import["name"]).to_owned(), Err(text(&import["source"])))),
            }
        }
        members
    }

    /// Fields, variants, and the functions and constants that a type or a trait has of its own.
    fn parts(&self, item: &Value) -> Vec<String> {
        let (kind, inner) = kind(item);
        let fields = match kind {
            "struct" => &inner["kind"]["plain"]["fields"],
            "enum" => &inner["variants"],
            _ => &inner["items"],
        };
        let shown = |part: &&Value| part["visibility"] == "public" || kind != "struct";
        let fields = self.items(fields).filter(shown).map(called);
        let own = self
            .items(&inner["impls"])
            .map(|item| &item["inner"]["impl"])
            .filter(|own| own["trait"].is_null());
        let own = own.flat_map(|own| self.items(&own["items"])).filter(|part| part["visibility"] == "public");
        let mut own: Vec<String> = own.map(called).collect();
        own.sort();
        fields.chain(own).collect()
    }

    /// `path: name, name, ...` of every module, type and trait. A type with several paths has its parts at the shortest.
    fn face(&self) -> BTreeMap<String, String> {
        let root = self.item(&self.0["root"]).expect("the root");
        let (mut face, mut seen) = (BTreeMap::new(), Vec::new());
        let mut modules = VecDeque::from([("rasterscan".to_owned(), root)]);
        while let Some((path, module)) = modules.pop_front() {
            let mut names = Vec::new();
            for (name, item) in self.members(module) {
                let Ok(item) = item else {
                    names.push(format!("use {name}"));
                    continue;
                };
                names.push(format!("{} {name}", word(kind(item).0)));
                let below = format!("{path}::{name}");
                match kind(item).0 {
                    "module" => modules.push_back((below, item)),
                    _ if seen.contains(&&item["id"]) => {}
                    _ => {
                        seen.push(&item["id"]);
                        let parts = self.parts(item);
                        if !parts.is_empty() {
                            face.insert(below, parts.join(", "));
                        }
                    }
                }
            }
            names.sort();
            face.insert(path, names.join(", "));
        }
        face
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn name(item: &Value) -> String {
    text(&item["name"]).to_owned()
}

/// The kind of an item, and what is said of it.
fn kind(item: &Value) -> (&str, &Value) {
    let inner = item["inner"].as_object().and_then(|inner| inner.iter().next());
    inner.map(|(kind, inner)| (kind.as_str(), inner)).expect("rustdoc names the kind of an item")
}

/// A part of a type, with its kind: `.field`, `Variant`, `fn name`.
fn called(item: &Value) -> String {
    match kind(item).0 {
        "struct_field" => format!(".{}", name(item)),
        "variant" => name(item),
        kind => format!("{} {}", word(kind), name(item)),
    }
}

/// The word of the language for a kind.
fn word(kind: &str) -> &str {
    match kind {
        "function" => "fn",
        "module" => "mod",
        "constant" | "assoc_const" => "const",
        "type_alias" | "assoc_type" => "type",
        kind => kind,
    }
}

#[test]
fn the_public_face_is_what_it_was() {
    let path = Path::new(ROOT).join("tests/snapshots/api.txt");
    let now = Docs(documented()).face();
    assert!(now.len() > 100, "only {} paths: the search is broken", now.len());
    let written: String = now.iter().map(|(path, names)| format!("{path}: {names}\n")).collect();
    if std::env::var_os("UPDATE_API").is_some() {
        fs::write(&path, &written).unwrap();
    }
    let before = fs::read_to_string(&path).unwrap();
    let before: BTreeMap<&str, &str> = before.lines().filter_map(|line| line.split_once(": ")).collect();
    for path in now.keys().map(String::as_str).chain(before.keys().copied()) {
        assert_eq!(
            now.get(path).map(String::as_str),
            before.get(path).copied(),
            "{path} has other public names; UPDATE_API=1 accepts them"
        );
    }
}
