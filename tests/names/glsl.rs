//! The names in a shader's text.

use std::collections::{BTreeSet, HashMap, HashSet};

/// The names in a text, without those in comments.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let words = code.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// The uniforms that a text declares.
pub fn uniforms(text: &str) -> BTreeSet<&str> {
    let declarations = text.split("uniform ").skip(1).filter_map(|rest| rest.split(';').next());
    declarations.filter_map(|declaration| names(declaration).last()).collect()
}

/// The names that are tested for whether they are defined, and those that are defined: `#ifdef`, `defined()`, `#define`.
pub fn tested_and_defined(text: &str) -> [BTreeSet<&str>; 2] {
    let [mut tested, mut defined] = [BTreeSet::new(), BTreeSet::new()];
    for line in text.lines() {
        let mut words = names(line);
        match words.next() {
            Some("ifdef" | "ifndef") => tested.extend(words.next()),
            Some("define") => defined.extend(words.next()),
            Some("if" | "elif") if line.starts_with('#') => {
                while words.any(|word| word == "defined") {
                    tested.extend(words.next());
                }
            }
            _ => {}
        }
    }
    [tested, defined]
}

/// The names in the functions that `main` reaches, in a preprocessed text.
pub fn reached(code: &str) -> HashSet<&str> {
    let functions = functions(code);
    let (mut found, mut left) = (HashSet::from(["main"]), vec!["main"]);
    while let Some(name) = left.pop() {
        let bodies = functions.get(name).map_or(&[][..], |bodies| bodies);
        left.extend(bodies.iter().flat_map(|body| names(body)).filter(|name| found.insert(*name)));
    }
    found
}

/// The bodies of functions by their names, which may be overloaded.
fn functions(code: &str) -> HashMap<&str, Vec<&str>> {
    let mut found: HashMap<&str, Vec<&str>> = HashMap::new();
    let (mut head, mut open, mut depth) = (0, 0, 0);
    for (at, sign) in code.char_indices().filter(|(_, c)| ['{', '}', ';'].contains(c)) {
        match sign {
            '{' => {
                open = if depth == 0 { at } else { open };
                depth += 1;
            }
            '}' => depth -= 1,
            _ => {}
        }
        if depth > 0 {
            continue;
        }
        let declared = code[head..open.max(head)].trim_end();
        if sign == '}' && declared.ends_with(')') {
            let name = declared.split('(').next().and_then(|before| names(before).last());
            found.entry(name.unwrap_or_default()).or_default().push(&code[open..at]);
        }
        head = at + 1;
    }
    found
}

#[test]
fn only_what_main_reaches_counts() {
    let code = "uniform int u_a; uniform int u_b;\nstruct S { int x; };\nbuffer B { uint b[]; };\n\
                int unused() { return u_b; }\nint used(int i) { if (i > 0) { return u_a; } return 0; }\n\
                void main() { b[0] = uint(used(1)); }\n";
    assert_eq!(uniforms(code), BTreeSet::from(["u_a", "u_b"]));
    let reached = reached(code);
    assert!(reached.contains("u_a") && !reached.contains("u_b"), "{reached:?}");
}

#[test]
fn directives_test_and_define_names() {
    let text = "#ifdef A\n#elif defined(B) && !defined C // D\n#define E F\n#if G\n#endif\n";
    assert_eq!(tested_and_defined(text), [BTreeSet::from(["A", "B", "C"]), BTreeSet::from(["E"])]);
}
