//! The rooms of the library import only what the table of ARCHITECTURE.md allows, in Rust and in GLSL, and modules side by
//! side do not need each other in a circle. Commands of the program stand alone. Between members, cargo enforces it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

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

/// The paths of a tree of paths that begins at `at`, each with the name that it gets; and the token after the tree.
fn leaves(
    tokens: &[String],
    mut at: usize,
    mut path: Vec<String>,
    found: &mut Vec<(Vec<String>, String)>,
) -> usize {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token == text);
    if is(at, "{") {
        at += 1;
        while !is(at, "}") {
            at = leaves(tokens, at, path.clone(), found);
            at += usize::from(is(at, ","));
        }
        return at + 1;
    }
    path.push(tokens[at].clone());
    at += 1;
    let goes_on = tokens.get(at + 1).is_some_and(|next| next == "{" || next == "*" || next != "<");
    if is(at, "::") && goes_on {
        return leaves(tokens, at + 1, path, found);
    }
    path.pop_if(|last| last == "self");
    let mut name = path.last().expect("a path has a name").clone();
    if is(at, "as") {
        name = tokens[at + 1].clone();
        at += 2;
    }
    found.push((path, name));
    at
}

/// A path from the root of the library, for one that begins with `crate`, `self` or `super` in a module.
fn from_root(path: &[String], module: &[&String]) -> Option<Vec<String>> {
    let rest = match path.first()?.as_str() {
        "crate" => return Some(path[1..].to_vec()),
        "self" => &path[1..],
        _ => path,
    };
    let up = rest.iter().take_while(|part| *part == "super").count();
    let outer = &module[..module.len().checked_sub(up)?];
    Some(outer.iter().map(|part| part.to_string()).chain(rest[up..].iter().cloned()).collect())
}

/// The paths from the root of the library that a module uses, by `crate::` or by `super::`.
fn paths(source: &str, module: &[String]) -> Vec<Vec<String>> {
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
            // A macro that others use names what they can see.
            "crate" if at > 0 && is(at - 1, "$") => {}
            "crate" | "super" if leads(at) => {
                let mut found = Vec::new();
                leaves(&tokens, at, Vec::new(), &mut found);
                let module: Vec<&String> = module.iter().chain(open.iter().copied().flatten()).collect();
                used.extend(found.iter().map(|(path, _)| from_root(path, &module).expect("a module above")));
            }
            _ => {}
        }
    }
    used
}

/// The names at the root of the library that a module uses.
fn used(source: &str, module: &[String]) -> Vec<String> {
    paths(source, module).into_iter().filter_map(|path| path.into_iter().next()).collect()
}

/// The path of the module that a file of `src/` is.
fn module_of(file: &Path) -> Vec<String> {
    let path = file.strip_prefix(root().join("src")).unwrap().with_extension("");
    path.iter().map(|part| part.to_str().unwrap().to_owned()).collect()
}

/// The sources of the library, but for those that only say what can be seen from outside.
fn inner_files() -> impl Iterator<Item = PathBuf> {
    let face = ["lib.rs", "prelude.rs", "tools.rs"].map(|file| root().join("src").join(file));
    files(root().join("src")).into_iter().filter(move |file| !face.contains(file))
}

/// The names that a module brings in by `use`, with the path of each from the root: of its own modules, too.
fn imports(source: &str, module: &[String]) -> Vec<(String, Vec<String>)> {
    let (tokens, here) = (tokens(source), module.iter().collect::<Vec<_>>());
    let mut found = Vec::new();
    for at in (0..tokens.len()).filter(|&at| tokens[at] == "use") {
        leaves(&tokens, at + 1, Vec::new(), &mut found);
    }
    found.into_iter().filter_map(|(path, name)| Some((name, from_root(&path, &here)?))).collect()
}

/// The module of the root that each name at the root is in.
fn homes() -> BTreeMap<String, String> {
    let mut homes = BTreeMap::new();
    for (name, path) in imports(&text("src/lib.rs"), &[]) {
        let module = path[0].clone();
        match name.as_str() {
            "*" => {
                let names = imports(&text(&format!("src/{module}.rs")), &[]).into_iter();
                homes.extend(names.map(|(name, _)| (name, module.clone())));
            }
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
    for file in inner_files() {
        let module = module_of(&file);
        let own = room(&module[0]);
        let allowed = arrows.get(&own).unwrap_or_else(|| panic!("{}: {own} has no row", file.display()));
        for name in used(&std::fs::read_to_string(&file).unwrap(), &module) {
            let home = homes.get(&name).unwrap_or_else(|| panic!("{}: what is {name}?", file.display()));
            let home = room(home);
            let fits = home == own || allowed.contains(&home);
            if !fits {
                let file = file.strip_prefix(root()).unwrap_or(&file).display();
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
    assert_eq!(
        names("use crate::{plan::{Plan, Slot}, Error, spec as asked};"),
        ["plan", "plan", "Error", "spec"]
    );
    assert_eq!(
        names("fn f(x: &'a str) { crate::scan::f(':', '\\'', \"crate::no\") } // crate::no"),
        ["scan"]
    );
    assert_eq!(names("use super::super::{registry::Card, Gpu};"), ["registry", "Gpu"]);
    assert_eq!(names("use super::state;"), ["gl"]);
    assert_eq!(names("mod tests { use super::super::super::plan; fn f() {} use super::*; }"), ["plan", "gl"]);
    assert_eq!(names("macro_rules! m { () => { $crate::tools::Numbers } }"), [""; 0]);
    assert_eq!(names("pub(super) fn f() {} pub(in crate::gl) fn g() {}"), ["gl"]);
}

// --- Circles -------------------------------------------------------------------------------------

/// Modules whose parts may need each other in a circle, with the reason.
const CIRCLES: [(&str, &str); 2] = [
    (
        "algorithm",
        "a card is of a problem, a problem lists its cards, and a choice of a card can be a parameter of another",
    ),
    ("gl", "a Gpu makes streams and prepared plans, and these hold the Gpu that made them"),
];

/// The sources of the library without their unit tests, by module.
fn sources() -> BTreeMap<Vec<String>, String> {
    inner_files()
        .map(|file| {
            let source = std::fs::read_to_string(&file).unwrap();
            let code = source.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned();
            (module_of(&file), code)
        })
        .collect()
}

/// The module in which a path ends, behind all that only brings the name in.
fn home(
    path: &[String],
    sources: &BTreeMap<Vec<String>, Vec<(String, Vec<String>)>>,
    homes: &BTreeMap<String, String>,
) -> Vec<String> {
    let mut path = path.to_vec();
    // No name is brought in through more modules.
    for _ in 0..8 {
        if let Some(module) = path.first().and_then(|first| homes.get(first)).filter(|home| **home != path[0])
        {
            path.insert(0, module.clone());
        }
        let known = (0..=path.len()).rev().find(|&len| sources.contains_key(&path[..len]));
        let Some((module, rest)) = known.map(|len| path.split_at(len)) else { break };
        let imported = rest.first().and_then(|name| sources[module].iter().find(|(own, _)| own == name));
        match imported {
            Some((_, from)) => path = [from, &rest[1..]].concat(),
            None => return module.to_vec(),
        }
    }
    path.into_iter().take(1).collect()
}

/// Whether `from` is needed by what it needs, over any number of steps.
fn is_in_a_circle(from: &str, needs: &BTreeMap<String, BTreeSet<String>>) -> bool {
    let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(one) = next.pop() {
        next.extend(needs.get(one).into_iter().flatten().map(String::as_str).filter(|two| seen.insert(*two)));
    }
    seen.contains(from)
}

/// Modules beside each other, each with the modules in it, do not need each other in a circle. A module and its own parts may:
/// `plan.rs` has the plan, and the files of `plan/` add passes to it.
#[test]
fn modules_side_by_side_need_each_other_in_no_circle() {
    let (sources, homes) = (sources(), homes());
    let brought: BTreeMap<_, _> =
        sources.iter().map(|(module, code)| (module.clone(), imports(code, module))).collect();
    // For each module, what its parts need of each other.
    let mut arrows: BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, code) in &sources {
        for path in paths(code, module) {
            let home = home(&path, &brought, &homes);
            let shared = module.iter().zip(&home).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (module.get(shared), home.get(shared)) {
                let needs = arrows.entry(module[..shared].to_vec()).or_default();
                needs.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    let count: usize = arrows.values().flat_map(BTreeMap::values).map(BTreeSet::len).sum();
    assert!(count > 250, "only {count} arrows were found: the search is broken");
    let mut circles = BTreeMap::new();
    for (module, needs) in &arrows {
        let inside: Vec<&str> =
            needs.keys().map(String::as_str).filter(|part| is_in_a_circle(part, needs)).collect();
        if !inside.is_empty() {
            circles.insert(module.join("::"), inside);
        }
    }
    let justified: Vec<&str> = CIRCLES.iter().map(|(module, _)| *module).collect();
    let found: Vec<&String> = circles.keys().collect();
    assert_eq!(found, justified, "the circles are other ones than those that have a reason: {circles:?}");
}

// --- Shaders -------------------------------------------------------------------------------------

/// The folders of `glsl/` beside `common/` whose shaders a room draws with, if they have another name than the room.
const FOLDERS: [(&str, &str); 2] = [("plan", "copy"), ("gl", "selftest")];

/// Files that the trial of a context runs as algorithms run them: it vouches for these very lines.
const TRIED: [&str; 2] = ["scan/common/states.glsl", "scan/harris/conflict_free.glsl"];

/// The paths of shaders that a line names in quotes.
fn shaders_of(line: &str) -> impl Iterator<Item = &str> {
    let is_shader = |text: &&str| {
        let end = text.rsplit_once('.').map_or("", |(_, end)| end);
        text.contains('/') && ["frag", "vert", "geom", "comp", "glsl"].contains(&end)
    };
    line.split('"').skip(1).step_by(2).filter(is_shader)
}

#[test]
fn rooms_draw_with_their_own_shaders() {
    let architecture = text("ARCHITECTURE.md");
    let arrows = arrows(&architecture);
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut check = |from: &str, room: &str, path: &str, may_use_others: bool| {
        count += 1;
        let folder = path.split('/').next().unwrap();
        let own = folder == room || FOLDERS.contains(&(room, folder));
        let other =
            may_use_others && arrows.get(room).is_some_and(|allowed| allowed.iter().any(|one| one == folder));
        let tried = room == "gl" && TRIED.contains(&path);
        if !(folder == "common" || own || other || tried) {
            wrong.push(format!("{from} names {path}; {room} may not"));
        }
    };
    for (module, code) in sources() {
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for path in shaders_of(line) {
                check(&format!("src/{}.rs", module.join("/")), &module[0], path, false);
            }
        }
    }
    // A shader includes what its room may use.
    for file in files(root().join("glsl")) {
        let path = file.strip_prefix(root().join("glsl")).unwrap().display().to_string();
        let folder = path.split('/').next().unwrap();
        let room = FOLDERS.iter().find(|(_, own)| *own == folder).map_or(folder, |(room, _)| *room);
        let source = std::fs::read_to_string(&file).unwrap();
        for line in source.lines().filter(|line| line.trim_start().starts_with("#include")) {
            shaders_of(line).for_each(|included| check(&format!("glsl/{path}"), room, included, true));
        }
    }
    assert!(count > 300, "only {count} paths were found: the search is broken");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A command of the program uses the files that commands share, and no other command; these files use no command.
#[test]
fn commands_of_the_program_do_not_use_each_other() {
    let program = root().join("crates/cli/src");
    let commands = files(program.join("commands"));
    assert!(commands.len() > 20, "{} files of commands", commands.len());
    for file in files(program.clone()).into_iter().filter(|file| !file.ends_with("src/main.rs")) {
        let path = file.strip_prefix(&program).unwrap();
        // `super` is another command's neighbour here, and its own folder in the files of a folder.
        let is_command = path.parent() == Some(Path::new("commands"));
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let line = line.trim_start();
            let other = line.contains("commands::") || line.contains("super::super::");
            let other = other || is_command && line.contains("super::") && !line.contains("super::*");
            assert!(line.starts_with("//") || !other, "{}: {line}", path.display());
        }
    }
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
            || path.ends_with("python/src/current.rs")
            || path.ends_with("c/src/lib.rs")
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
