//! The shaders keep WebGL's rules, which are stricter than those of the drivers that the other tests run on.
//!
//! - A fragment output is indexed by constants only; else it does not compile.
//! - No `?:` chooses a struct; else it does not compile.
//! - No macro shifts its argument right as an int. It may be the number of an invocation (rule 13 in
//!   src/plan/shader.rs), of which virgl makes a shader that its host does not compile.
//! - No array is of bools or of structs that have one (rule 14), which crash zink.
//! - Nothing follows a `discard`. ANGLE lets the invocation run on, even past a `return`, and a loop there may not end.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rasterscan_runner::documents::{files, root};

/// The shaders, with their paths and without comments.
fn shaders() -> Vec<(String, String)> {
    let paths = files(root().join("glsl")).into_iter();
    let read = paths.map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
        (path.strip_prefix(root()).unwrap().display().to_string(), code.join("\n"))
    });
    read.collect()
}

/// The names behind each `word` that stands alone.
fn after<'a>(code: &'a str, word: &str) -> impl Iterator<Item = &'a str> {
    let whole = |c: char| !c.is_alphanumeric() && c != '_';
    code.match_indices(word)
        .filter(move |(at, found)| {
            code[..*at].chars().next_back().is_none_or(whole) && code[at + found.len()..].starts_with(whole)
        })
        .map(|(at, found)| &code[at + found.len()..])
}

/// Outputs of fragments that an expression indexes.
fn computed_indices(code: &str) -> Vec<String> {
    let outputs = after(code, "out").filter_map(|rest| {
        let name = rest.split(';').next()?.split_whitespace().nth(1)?;
        name.starts_with("o_").then(|| name.to_owned())
    });
    let wrong = |name: &String| {
        let begin = format!("{name}[");
        let indexed = code.split(&begin).skip(1).map(|rest| rest.split(']').next().unwrap());
        indexed
            .filter(|index| index.parse::<u32>().is_err())
            .map(|index| format!("{name}[{index}]"))
            .collect()
    };
    outputs.collect::<Vec<_>>().iter().flat_map(|name| -> Vec<String> { wrong(name) }).collect()
}

/// True if a `?` stands outside of all parentheses.
fn chooses(value: &str) -> bool {
    let mut depth = 0;
    value.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == '?' && depth == 0
    })
}

/// Statements in which `?` chooses a value of a type that can be a struct: in declarations, and in what functions of
/// that type return.
fn chosen_structs(code: &str) -> Vec<String> {
    // Macros name two of them. Words are vectors in other files.
    static STRUCTS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let shaders = shaders();
        let declared = shaders.iter().flat_map(|(_, code)| after(code, "struct"));
        let names = declared.filter_map(|rest| rest.split_whitespace().next());
        names.filter(|name| *name != "Words").chain(["Sum", "Loaded"]).map(str::to_owned).collect()
    });
    let mut found = Vec::new();
    for kind in &*STRUCTS {
        for rest in after(code, kind) {
            let statement = rest.split([';', '{']).next().unwrap();
            if let Some((_, value)) = statement.split_once(" = ").filter(|(_, value)| chooses(value)) {
                found.push(value.to_owned());
            }
            let is_function = rest.trim_start().split_once('(').is_some_and(|(name, _)| {
                !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            });
            if is_function && statement.trim_end().ends_with(')') {
                // Up to the brace that ends it: at the start of a line, or of its own line.
                let end = if rest.lines().next().unwrap().ends_with('}') { "}\n" } else { "\n}" };
                let body = rest.split(end).next().unwrap();
                let returns = body.split("return ").skip(1).map(|rest| rest.split(';').next().unwrap());
                found.extend(returns.filter(|value| chooses(value)).map(str::to_owned));
            }
        }
    }
    found
}

/// The code between a `discard` and the end of its function.
fn after_discards(code: &str) -> Vec<String> {
    after(code, "discard")
        .map(|rest| rest.split("\n}").next().unwrap())
        .map(|rest| rest.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n"))
        .filter(|rest| rest.chars().any(|c| !c.is_whitespace() && c != ';' && c != '}'))
        .collect()
}

/// Shifts in macros of `(n)`, an argument.
fn shifted_arguments(code: &str) -> Vec<String> {
    let macros = code.lines().filter_map(|line| {
        let (head, body) = line.strip_prefix("#define ")?.split_once(") ")?;
        Some((head.split_once('(')?.1, body))
    });
    let shifts = macros.flat_map(|(arguments, body)| {
        let shifted = arguments.split(',').map(|name| format!("({}) >>", name.trim()));
        shifted
            .filter(|shift| body.match_indices(shift.as_str()).any(|(at, _)| !body[..at].ends_with("uint")))
    });
    shifts.collect()
}

/// Arrays of bools.
fn bool_arrays(code: &str) -> Vec<String> {
    let declared = after(code, "bool").filter_map(|rest| rest.split([';', '=', '(', ')', ',']).next());
    declared.filter(|names| names.contains('[')).map(|names| names.trim().to_owned()).collect()
}

/// Structs with members that are bools.
fn structs_of_bools(code: &str) -> Vec<String> {
    let structs = after(code, "struct").filter_map(|rest| rest.split_once('{'));
    let has_one =
        |(_, members): &(&str, &str)| after(members.split('}').next().unwrap(), "bool").next().is_some();
    structs.filter(has_one).map(|(name, _)| name.trim().to_owned()).collect()
}

/// Whether a shader declares an array of a type.
fn is_in_an_array(name: &str) -> bool {
    let declares = |rest: &str| rest.split([';', '=', '(', ')', ',', '{']).next().unwrap().contains('[');
    shaders().iter().any(|(_, code)| after(code, name).any(declares))
}

/// Every breach of a rule, with its file.
fn breaches(rule: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let shaders = shaders();
    assert!(shaders.len() > 50, "only {} shaders", shaders.len());
    shaders
        .iter()
        .flat_map(|(path, code)| rule(code).into_iter().map(move |what| format!("{path}: {what}")))
        .collect()
}

#[test]
fn outputs_are_indexed_by_constants() {
    assert_eq!(breaches(computed_indices), [""; 0]);
    assert_eq!(computed_indices("out uvec4 o_bits;\nvoid main() { o_bits[word] = 1u; }"), ["o_bits[word]"]);
    assert!(computed_indices("out uvec4 o_bits;\nvoid main() { o_bits[2] = 1u; }").is_empty());
}

#[test]
fn no_struct_is_chosen_by_an_operator() {
    assert_eq!(breaches(chosen_structs), [""; 0]);
    assert_eq!(chosen_structs("Item value = odd ? left : right;").len(), 1);
    assert_eq!(chosen_structs("Item pick(int i) {\n    return i > 0 ? left : right;\n}\n").len(), 1);
    let plain = "Item pick(bool odd) { return item(odd ? 1 : 2); }\nint i = odd ? 1 : 2;\n";
    assert_eq!(chosen_structs(plain), [""; 0]);
}

#[test]
fn nothing_follows_a_discard() {
    assert_eq!(breaches(after_discards), [""; 0]);
    assert_eq!(
        after_discards("void main() {\n    if (x) {\n        discard;\n        return;\n    }\n}\n").len(),
        1
    );
    assert!(after_discards("void main() {\n    if (x) {\n        discard;\n    }\n}\n").is_empty());
}

#[test]
fn macros_shift_their_arguments_as_uints() {
    assert_eq!(breaches(shifted_arguments), [""; 0]);
    assert_eq!(shifted_arguments("#define OFFSET(n) (((n) >> 5) + 1)").len(), 1);
    assert_eq!(shifted_arguments("#define OFFSET(n) int(uint(n) >> 5)"), [""; 0]);
}

#[test]
fn no_array_is_of_bools() {
    assert_eq!(breaches(bool_arrays), [""; 0]);
    assert_eq!(bool_arrays("bool done[EACH];\nbool odd = a[1] == b[2];"), ["done[EACH]"]);
    assert_eq!(bool_arrays("bool is_kept(uint words[4]) { bool all; }"), [""; 0]);
    let in_arrays =
        |code: &str| structs_of_bools(code).into_iter().filter(|name| is_in_an_array(name)).collect();
    assert_eq!(breaches(in_arrays), [""; 0]);
    assert!(is_in_an_array("Item"));
    assert_eq!(
        structs_of_bools("struct Flag { uint word; bool set; };\nstruct Word { uint word; };\nbool b;"),
        ["Flag"]
    );
}
