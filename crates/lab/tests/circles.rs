//! No two modules import each other, directly or through others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(below).filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}

/// The module of a file: `report::chart::bars`.
fn module(path: &Path, root: &Path) -> String {
    let path = path.strip_prefix(root).unwrap().with_extension("");
    let words: Vec<&str> = path.iter().map(|word| word.to_str().unwrap()).collect();
    let end = words.len() - usize::from(words.last() == Some(&"mod"));
    words[..end].join("::")
}

/// The paths that a piece of code names after `before`; of a list in braces, each.
fn named<'t>(code: &'t str, before: &str) -> Vec<&'t str> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(before) {
        // Not the end of a longer path.
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == ':' || c == '_') {
            continue;
        }
        let rest = &code[at + before.len()..];
        match rest.strip_prefix('{') {
            Some(list) => found.extend(list.split('}').next().unwrap_or_default().split(',').map(str::trim)),
            None => found.push(rest),
        }
    }
    found
}

/// The longest beginning of a path that is a module.
fn resolve(path: &str, modules: &BTreeSet<String>) -> Option<String> {
    let end = path.find(|c: char| !c.is_alphanumeric() && c != ':' && c != '_').unwrap_or(path.len());
    let words: Vec<&str> = path[..end].split("::").collect();
    (1..=words.len()).rev().map(|count| words[..count].join("::")).find(|module| modules.contains(module))
}

/// A way from a module back to itself, if there is one.
fn circle(imports: &BTreeMap<String, BTreeSet<String>>, from: &str) -> Option<Vec<String>> {
    let mut ways: Vec<Vec<String>> = vec![vec![from.into()]];
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop() {
        for next in &imports[&way[way.len() - 1]] {
            let longer = [&way[..], std::slice::from_ref(next)].concat();
            if next == from {
                return Some(longer);
            }
            if seen.insert(next.clone()) {
                ways.push(longer);
            }
        }
    }
    None
}

#[test]
fn no_modules_import_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files: Vec<(String, String)> = sources(&root)
        .into_iter()
        .map(|path| (module(&path, &root), fs::read_to_string(path).unwrap()))
        .filter(|(module, _)| module != "lib" && !module.ends_with("tests") && !module.ends_with("samples"))
        .collect();
    let modules: BTreeSet<String> = files.iter().map(|(module, _)| module.clone()).collect();
    let mut imports = BTreeMap::new();
    for (module, text) in &files {
        let code = text.split("mod tests {").next().unwrap();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim().starts_with("//")).collect();
        let code = code.join("\n");
        let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
        let mut used: BTreeSet<String> = BTreeSet::new();
        for path in named(&code, "crate::") {
            used.extend(resolve(path, &modules));
        }
        for path in named(&code, "super::") {
            let whole = if parent.is_empty() { path.into() } else { format!("{parent}::{path}") };
            used.extend(resolve(&whole, &modules));
        }
        // A module uses those that it declares.
        let declared = |other: &&String| {
            let rest = other.strip_prefix(module.as_str()).and_then(|rest| rest.strip_prefix("::"));
            rest.is_some_and(|rest| !rest.contains("::") && code.contains(&format!("mod {rest};")))
        };
        used.extend(modules.iter().filter(declared).cloned());
        used.remove(module);
        imports.insert(module.clone(), used);
    }
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 100, "imports are not found: {imports:?}");
    let circles: Vec<String> =
        modules.iter().filter_map(|module| Some(circle(&imports, module)?.join(" -> "))).collect();
    assert!(circles.is_empty(), "modules import each other:\n{}", circles.join("\n"));
}
