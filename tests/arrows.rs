//! The rooms of the library import only what the table of ARCHITECTURE.md allows. Between members, cargo enforces it.

use std::collections::BTreeMap;
use std::path::Path;

use rasterscan_runner::documents::{files, members, root, text};

/// The rows of the table: a room, and the rooms that it may use.
fn arrows(architecture: &str) -> BTreeMap<String, Vec<String>> {
    let rows = architecture.lines().skip_while(|line| !line.starts_with("| room | imports |")).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(|cell| cell.replace('`', ""));
            let room = cells.next().unwrap().trim().to_owned();
            let allowed = cells.next().unwrap().split(',').map(|room| room.trim().to_owned()).collect();
            (room, allowed)
        })
        .collect()
}

/// The modules of the room *base*, as listed in the sentence above the table.
fn base(architecture: &str) -> Vec<String> {
    let sentence = architecture.replace('\n', " ");
    let sentence = sentence.split("*Base* is ").nth(1).and_then(|rest| rest.split('.').next());
    let sentence = sentence.expect("ARCHITECTURE.md says what base is").replace(" and ", ", ");
    sentence.split(", ").map(|module| module.trim_matches('`').to_owned()).collect()
}

/// The words and signs of a source, without comments, texts and characters. `::` is one sign.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = match first {
            _ if word > 0 => {
                tokens.push(rest[..word].to_owned());
                word
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => end_of_text(rest),
            // For a lifetime, only the quote is skipped.
            '\'' if rest.starts_with("'\\") => 2 + rest[3..].find('\'').expect("a character ends") + 2,
            '\'' => rest.char_indices().nth(2).filter(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 1),
            ':' if rest.starts_with("::") => {
                tokens.push("::".into());
                2
            }
            other => {
                tokens.extend((!other.is_whitespace()).then(|| other.to_string()));
                other.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// Bytes of a text in quotes, with these.
fn end_of_text(rest: &str) -> usize {
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.expect("a text ends").0 + 1
}

/// The first names of a tree of paths that begins at `at`: one, or those in braces.
fn first_names(tokens: &[String], at: usize) -> Vec<&str> {
    if tokens[at] != "{" {
        return vec![&tokens[at]];
    }
    let (mut depth, mut names, mut begins) = (0, Vec::new(), false);
    for token in &tokens[at..] {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            name if begins => names.push(name),
            _ => {}
        }
        begins = depth == 1 && (token == "{" || token == ",");
        if depth == 0 {
            break;
        }
    }
    names
}

/// The names at the root of the library that a module uses, by `crate::` or by `super::`.
fn used(source: &str, module: &[String]) -> Vec<String> {
    let tokens = tokens(source);
    let mut used = Vec::new();
    // For each open brace, the module that it opens.
    let mut open: Vec<Option<&String>> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token == text);
        let leads = |at: usize| is(at + 1, "::") && !(at > 0 && is(at - 1, "::"));
        match token.as_str() {
            "{" => open.push((at > 1 && is(at - 2, "mod")).then(|| &tokens[at - 1])),
            "}" => drop(open.pop()),
            "crate" if leads(at) => {
                used.extend(first_names(&tokens, at + 2).into_iter().map(str::to_owned));
            }
            "super" if leads(at) => {
                let mut path: Vec<&String> = module.iter().chain(open.iter().copied().flatten()).collect();
                let mut next = at;
                while is(next, "super") {
                    path.pop().expect("a module above");
                    next += 2;
                }
                match path.first() {
                    Some(first) => used.push(first.to_string()),
                    None => used.extend(first_names(&tokens, next).into_iter().map(str::to_owned)),
                }
            }
            _ => {}
        }
    }
    used
}

/// The path of the module that a file of `src/` is.
fn module_of(file: &Path) -> Vec<String> {
    let path = file.strip_prefix(root().join("src")).unwrap().with_extension("");
    path.iter().map(|part| part.to_str().unwrap().to_owned()).collect()
}

/// The names of a module's `pub use`, with the module that each is taken from.
fn reexports(source: &str) -> Vec<(String, String)> {
    let tokens = tokens(source);
    let uses = (0..tokens.len()).filter(|&at| tokens[at..].starts_with(&["pub".into(), "use".into()]));
    uses.filter(|at| tokens[at + 3] == "::")
        .flat_map(|at| {
            let names = first_names(&tokens, at + 4).into_iter();
            names.map(|name| (name.to_owned(), tokens[at + 2].clone())).collect::<Vec<_>>()
        })
        .collect()
}

/// The module of the root that each name at the root is in.
fn homes() -> BTreeMap<String, String> {
    let mut homes = BTreeMap::new();
    for (name, module) in reexports(&text("src/lib.rs")) {
        match name.as_str() {
            "*" => homes.extend(
                reexports(&text(&format!("src/{module}.rs")))
                    .into_iter()
                    .map(|(name, _)| (name, module.clone())),
            ),
            _ => drop(homes.insert(name, module)),
        }
    }
    for file in files(root().join("src")) {
        let module = module_of(&file).swap_remove(0);
        let source = std::fs::read_to_string(&file).unwrap();
        for exported in source.split("#[macro_export]\nmacro_rules! ").skip(1) {
            let name = exported.split(' ').next().unwrap();
            homes.insert(name.to_owned(), module.clone());
        }
        homes.insert(module.clone(), module);
    }
    homes
}

#[test]
fn imports_follow_the_arrows() {
    let architecture = text("ARCHITECTURE.md");
    let (arrows, base, homes) = (arrows(&architecture), base(&architecture), homes());
    let room = |module: &str| if base.iter().any(|one| one == module) { "base" } else { module }.to_owned();
    let (mut count, mut wrong) = (0, Vec::new());
    for file in files(root().join("src")).iter().filter(|file| !file.ends_with("src/lib.rs")) {
        let module = module_of(file);
        let own = room(&module[0]);
        let allowed = arrows.get(&own).unwrap_or_else(|| panic!("{}: {own} has no row", file.display()));
        for name in used(&std::fs::read_to_string(file).unwrap(), &module) {
            let home = homes.get(&name).unwrap_or_else(|| panic!("{}: what is {name}?", file.display()));
            let home = room(home);
            let fits = home == own || allowed.contains(&home);
            if !fits {
                let file = file.strip_prefix(root()).unwrap_or(file).display();
                wrong.push(format!("{file} uses {name} of {home}; {own} may not"));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 300, "only {count} imports were found: the search is broken");
    for row in arrows.keys() {
        assert!(
            row == "base" || homes.contains_key(row),
            "ARCHITECTURE.md has a row for {row}, which is gone"
        );
    }
}

#[test]
fn imports_are_read_as_the_compiler_reads_them() {
    let module = ["gl".to_owned(), "gpu".to_owned()];
    let names = |source| used(source, &module);
    assert_eq!(names("use crate::{plan::{Plan, Slot}, Error, spec as asked};"), ["plan", "Error", "spec"]);
    assert_eq!(
        names("fn f(x: &'a str) { crate::scan::f(':', '\\'', \"crate::no\") } // crate::no"),
        ["scan"]
    );
    assert_eq!(names("use super::super::{registry::Card, Gpu};"), ["registry", "Gpu"]);
    assert_eq!(names("use super::state;"), ["gl"]);
    assert_eq!(names("mod tests { use super::super::super::plan; fn f() {} use super::*; }"), ["plan", "gl"]);
    assert_eq!(names("pub(super) fn f() {} pub(in crate::gl) fn g() {}"), ["gl"]);
}

/// Only the engine calls OpenGL, and the hosts of the library: the one file that makes the window one, and the examples.
#[test]
fn only_the_engine_calls_opengl() {
    for file in members().flat_map(|member| files(member.join("src"))) {
        if file.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let path = file.strip_prefix(root()).unwrap();
        let inside = path.starts_with("src/gl")
            || path.ends_with("app/src/window/gl.rs")
            || path.starts_with("examples");
        let content = std::fs::read_to_string(&file).unwrap();
        // egui's painter calls it, too, but not for the library.
        let calls = |line: &str| {
            line.replace("egui_glow::", "").contains("glow::") || line.trim_start().starts_with("unsafe ")
        };
        let found = content.lines().map(str::trim_start).find(|line| !line.starts_with("//") && calls(line));
        assert!(inside || found.is_none(), "{} calls OpenGL: {found:?}", path.display());
    }
}
