//! Everything that the documents name exists: paths, tests, algorithms and their costs, sources. The commands that they
//! show are tested with the program, in `crates/cli/tests/`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use rasterscan::tools::problem::{self, COMPACT, Problem, REDUCE, SCAN};
use rasterscan::tools::registry::{self, Built, Choice, CustomSyntax, Domain, Era, SideInput};
use rasterscan::{CompactSpec, Device, ElementType};
use rasterscan_lab::compare;
use rasterscan_lab::reproduce::{self, Sources, Store};
use rasterscan_runner::documents::{DOCUMENTS, code, files, members, root, text};

// --- Paths ---------------------------------------------------------------------------------------

/// Returns true if a word of code is meant as a path of this repository. NAME stands for one to be written.
fn is_path(word: &str) -> bool {
    const ENDINGS: [&str; 10] =
        [".rs", ".md", ".toml", ".bib", ".glsl", ".frag", ".vert", ".geom", ".comp", ".jpg"];
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    let looks = word.contains('/') || ENDINGS.iter().any(|ending| word.ends_with(ending));
    // Such as `.npy`: a kind of file. `glsl/path:line` is how errors look.
    let kind = word.starts_with('.') && !word.contains('/');
    plain && looks && !kind && !word.contains("NAME")
}

/// Says if the repository has `path`, or if a command makes it: such a folder is in `.gitignore`, and a fresh clone
/// has none.
fn exists(path: &str) -> bool {
    let made = |line: &str| line.trim_matches('/') == path.trim_matches('/');
    text(".gitignore").lines().any(made)
        || [root().to_owned(), root().join("glsl"), root().join("assets")]
            .iter()
            .any(|from| from.join(path).exists())
}

#[test]
fn every_path_that_a_document_names_exists() {
    let mut count = 0;
    for document in DOCUMENTS.iter().chain(&["assets/README.md", "CHANGELOG.md"]) {
        let content = text(document);
        let code = code(&content);
        // Of a line of code, only the first word: the tree of ARCHITECTURE.md.
        let firsts = code.lines.iter().filter_map(|line| line.split_whitespace().next());
        for path in code.spans.iter().copied().chain(firsts).filter(|word| is_path(word)) {
            assert!(exists(path), "{document} names {path}, which is not there");
            count += 1;
        }
    }
    assert!(count > 60, "only {count} paths were found: the search is broken");
}

#[test]
fn the_tree_leaves_out_no_source_file() {
    let architecture = text("ARCHITECTURE.md");
    let tree: Vec<&str> =
        code(&architecture).lines.iter().filter_map(|l| l.split_whitespace().next()).collect();
    for folder in ["src", "glsl", "benches", "crates", "examples", "tests"] {
        for file in files(root().join(folder)) {
            let file = file.strip_prefix(root()).unwrap().to_str().unwrap();
            // A module is `name.rs`, and what is in it `name/`: the room is both.
            let folder = file.replace(".rs", "/");
            let covered = tree.iter().any(|path| {
                file == *path || (path.ends_with('/') && (file.starts_with(path) || folder == *path))
            });
            assert!(covered, "{file} is in no room of ARCHITECTURE.md");
            assert!(!file.ends_with("/mod.rs") || folder.starts_with("benches/"), "{file} is called mod.rs");
        }
    }
}

/// Names of several words, and Rust paths. A name of one word could be plain English.
#[test]
fn every_name_in_the_guides_is_in_the_sources() {
    fn words(text: &str) -> impl Iterator<Item = &str> {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
    }
    let of_several = |word: &&str| {
        let camel = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
        (word.as_bytes().windows(2).any(camel) || word.trim_matches('_').contains('_'))
            && !word.contains("NAME")
    };
    let folders = members().flat_map(|member| ["src", "tests", "benches"].map(|folder| member.join(folder)));
    let sources = folders.chain([root().join("glsl")]).filter(|folder| folder.is_dir()).flat_map(files);
    // insta reads a variable of its own.
    let mut known = BTreeSet::from(["INSTA_UPDATE".to_owned()]);
    for path in sources.chain([root().join("run")]) {
        known.extend(words(&String::from_utf8_lossy(&fs::read(path).unwrap())).map(str::to_owned));
    }
    let guides = ["ARCHITECTURE.md", "CONTRIBUTING.md"].map(text);
    let spans = guides.iter().flat_map(|guide| code(guide).spans);
    let named = |span| words(span).filter(move |word| of_several(word) || span.contains("::"));
    let named: BTreeSet<&str> = spans.flat_map(named).collect();
    assert!(named.len() > 25, "{named:?}");
    let lost: Vec<_> = named.iter().filter(|name| !known.contains(**name)).collect();
    assert!(lost.is_empty(), "ARCHITECTURE.md or CONTRIBUTING.md names {lost:?}, which no source has");
}

/// About so long, in kilobytes: a reader's time, not a byte, is the measure.
#[test]
fn documents_stay_short() {
    const MOST: [(&str, usize); 5] = [
        ("README.md", 14),
        ("ARCHITECTURE.md", 10),
        ("CONTRIBUTING.md", 17),
        ("docs/command-line.md", 13),
        ("docs/app.md", 13),
    ];
    for (document, most) in MOST {
        let size = text(document).len().div_ceil(1024);
        assert!(size <= most, "{document} has {size} kB, and {most} at most");
    }
}

// --- Commands ------------------------------------------------------------------------------------

/// Returns true if cargo makes a program of this name from a folder of the library or of a member: from a file, or
/// from a folder with a `main.rs`.
fn is_target(folder: &str, name: &str) -> bool {
    members().map(|member| member.join(folder)).any(|folder| {
        folder.join(format!("{name}.rs")).is_file() || folder.join(name).join("main.rs").is_file()
    })
}

#[test]
fn the_tests_and_examples_that_commands_name_exist() {
    for document in DOCUMENTS {
        let content = text(document);
        let code = code(&content);
        for line in code.lines.iter().chain(&code.spans) {
            let words: Vec<&str> = line.split_whitespace().collect();
            for pair in words.windows(2) {
                let folder = match pair[0] {
                    "--test" => "tests",
                    "--example" => "examples",
                    _ => continue,
                };
                assert!(is_target(folder, pair[1]), "{document}: {line}: nothing of that name in {folder}/");
            }
        }
    }
    for script in ["run", "tests/nightly/steps.sh"] {
        let script_text = text(script);
        let names = script_text.split("--test ").skip(1).filter_map(|rest| rest.split_whitespace().next());
        for name in names.map(|name| name.trim_end_matches(';')) {
            assert!(is_target("tests", name), "{script}: no test {name}");
        }
    }
}

// --- Algorithms ----------------------------------------------------------------------------------

/// Other parameters that have a row of their own, below that of the defaults.
const FURTHER: [&str; 3] = ["horn:scan=blelloch", "horn:scan=hybrid", "blocks:inner=packed"];

/// README's table of a problem's algorithms: the cost of each plan for 2^20 u32. Buffers have no texels.
fn costs(problem: &'static Problem) -> String {
    let moves = ![SCAN, REDUCE].contains(&problem);
    let first = if moves { "texels fetched" } else { "adds" };
    let mut table =
        format!("| {} | era | sources | passes | {first} | texels written | words moved |\n", problem.noun);
    table += "| --- | --- | --- | --- | --- | --- | --- |\n";
    for card in registry::of(problem) {
        let side_input = FURTHER.iter().filter_map(|name| Choice::parse(problem, name).ok());
        let side_input = side_input.filter(|choice| choice.card.name == card.name);
        for choice in [card.with_defaults()].into_iter().chain(side_input) {
            table += &row(&choice, moves);
        }
    }
    table
}

fn row(choice: &Choice, moves: bool) -> String {
    let n = 1 << 20;
    let card = choice.card;
    let per_item = |x: u64| x as f64 / n as f64;
    let compute = card.era == Era::Compute;
    let device = if compute { Device::gl43() } else { Device::gl33() };
    let request = card.problem.plain(ElementType::U32, n).unwrap();
    let plan = choice.plan(&request, &device).unwrap();
    let cost = plan.as_ref().map_or_else(|| request.cost(), |plan| plan.cost());
    let texels = |text: String| if compute || plan.is_none() { String::new() } else { text };
    let cells = [
        format!("`{choice}`"),
        if card.era == Era::Cpu { "CPU".into() } else { card.era.name().to_owned() },
        card.sources.join(", "),
        plan.as_ref().map_or(String::new(), |plan| plan.passes().len().to_string()),
        match (moves, &plan) {
            (true, _) => texels(format!("{:.1}", per_item(cost.texels_read))),
            (false, None) => "1.0".into(),
            (false, Some(_)) => format!("{:.1}", per_item(cost.adds)),
        },
        texels(format!("{:.2}", per_item(cost.texels_written))),
        format!("{:.1}", per_item(cost.words_moved())),
    ];
    line(&cells)
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> =
        cells.iter().map(|cell| if cell.is_empty() { String::new() } else { format!("{cell} ") }).collect();
    format!("| {}|\n", cells.join("| "))
}

/// The table of a problem's module: the algorithms' types, and their cards' formulas.
fn formulas(problem: &'static Problem) -> String {
    let work =
        if [SCAN, REDUCE].contains(&problem) { "uses of the operator" } else { "what it does for each item" };
    let mut table = format!("| {} | type | passes over n items | {work} |\n", problem.noun);
    table += "| --- | --- | --- | --- |\n";
    for card in registry::of(problem) {
        let era = card.era.name();
        let path = match card.with_defaults().built() {
            Built::Planned(planned) => format!("[`{era}::{}`]", planned.type_name()),
            Built::Sequential => String::from("[`sequential`], on the CPU: the reference"),
        };
        table += &line(&[format!("`{}`", card.name), path, card.passes.into(), card.work.into()]);
    }
    table
}

/// The options of a problem for TypeScript, by their names in JavaScript.
fn declarations(problem: &'static Problem) -> String {
    let name = |word: &str, first: bool| -> String {
        let parts = word.split('-').enumerate().map(|(number, part)| match number == 0 && !first {
            true => part.to_owned(),
            false => part[..1].to_uppercase() + &part[1..],
        });
        parts.collect()
    };
    let mut text = format!("export interface {}Words {{\n", name(problem.name, true));
    for option in problem.options {
        let Domain { numbers, words, custom, .. } = option.domain;
        let mut types: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        types.extend(numbers.map(|_| "number".into()));
        types.extend(custom.map(|custom| match custom {
            CustomSyntax::Text { .. } => "string".into(),
            CustomSyntax::Stream(SideInput::Values) => {
                "number | bigint | readonly (number | bigint)[]".into()
            }
            CustomSyntax::Stream(_) => "SideStream".into(),
        }));
        types.extend(option.domain.is_flag().then(|| "boolean".into()));
        text += &format!(
            "    /** {} */\n    {}?: {};\n",
            option.about.replace("--", ""),
            name(option.name, false),
            types.join(" | ")
        );
    }
    text + "}"
}

/// The options of a problem as keywords of Python. A histogram's edges are the second argument.
fn keywords(problem: &'static Problem) -> String {
    let class = problem.name[..1].to_uppercase() + &problem.name[1..];
    let mut text = format!("class {class}Options(Common, total=False):\n");
    for option in problem.options.iter().filter(|option| option.name != "edges") {
        let Domain { numbers, words, custom, .. } = option.domain;
        let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let mut types: Vec<String> =
            if words.is_empty() { Vec::new() } else { vec![format!("Literal[{}]", words.join(", "))] };
        types.extend((option.name == "op").then(|| "Operation".into()));
        types.extend(numbers.map(|_| "int".into()));
        types.extend(custom.map(|custom| match custom {
            CustomSyntax::Text { .. } => "Text".into(),
            CustomSyntax::Stream(_) => "npt.ArrayLike".into(),
        }));
        types.extend(option.domain.is_flag().then(|| "bool".into()));
        text += &format!("    {}: {} | None\n", option.name.replace('-', "_"), types.join(" | "));
    }
    text
}

/// The options of a problem as words of a job, and its algorithms.
fn words(problem: &'static Problem) -> String {
    let mut text = format!("`{}`: {}\n\n", problem.name, problem.summary);
    for option in problem.options {
        let value = option.domain.to_string();
        let value = if option.domain.is_flag() { String::new() } else { format!(" {value}") };
        let default =
            if option.default.is_empty() { String::new() } else { format!(" [{}]", option.default) };
        text += &format!("- `--{}`{value}{default}: {}\n", option.name, option.about);
    }
    let cards = registry::of(problem).filter(|card| card.era != Era::Cpu);
    let names: Vec<_> = cards.map(|card| format!("`{}`", card.name)).collect();
    text + &format!("- `-a` {}, or `auto`: the algorithm, with its parameters\n", names.join(", "))
}

/// The tables between `<!-- cards: PROBLEM -->` and `<!-- end -->` are made from the registry: `UPDATE_TABLES=1 cargo
/// test --test docs tables` writes them.
#[test]
fn the_tables_of_algorithms_are_made_from_the_cards() {
    type Make = fn(&'static Problem) -> String;
    for problem in problem::ALL {
        let module = format!("src/{}.rs", problem.name);
        let places: [(&str, [&str; 2], &str, Make); 5] = [
            ("README.md", ["", ""], "cards", costs),
            (&module, ["//! ", "//! "], "cards", formulas),
            ("crates/js/package/index.d.ts", ["// ", ""], "options", declarations),
            ("crates/python/python/rasterscan/_options.pyi", ["# ", ""], "options", keywords),
            ("crates/c/README.md", ["", ""], "options", words),
        ];
        for (document, [mark, before], what, make) in places {
            keep(document, [mark, before], &format!("{what}: {}", problem.name), &make(problem));
        }
    }
}

/// Checks that the lines between `<!-- WHAT -->` and `<!-- end -->` are these, or writes them.
fn keep(document: &str, [mark, before]: [&str; 2], what: &str, lines: &str) {
    let mut whole = text(document);
    let begin = format!("{mark}<!-- {what} -->\n");
    let end = format!("{mark}<!-- end -->\n");
    let start = whole.find(&begin).unwrap_or_else(|| panic!("{document} lacks {begin}")) + begin.len();
    let length = whole[start..].find(&end).unwrap_or_else(|| panic!("{document} lacks {end}"));
    let lines = format!("{lines}\n");
    let table: String =
        lines.lines().map(|line| format!("{}\n", format!("{before}{line}").trim_end())).collect();
    whole.replace_range(start..start + length, &table);
    if std::env::var_os("UPDATE_TABLES").is_some() {
        fs::write(root().join(document), &whole).unwrap();
    }
    assert!(whole == text(document), "{document}: what follows {begin} is not what UPDATE_TABLES=1 writes");
}

/// The stored reports of `reproduce`, in the order of their names.
fn stored_reports() -> Vec<Store> {
    let read = |path: PathBuf| {
        let parsed = reproduce::parse(&fs::read(&path).unwrap());
        parsed.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let mut paths = files(root().join("docs/results/reproduction"));
    paths.sort();
    paths.into_iter().map(read).collect()
}

/// They are judged again by the rules of today.
#[test]
fn the_verdicts_are_those_of_the_stored_reports() {
    let stores = stored_reports();
    for store in &stores {
        assert!(store.commit.is_some(), "{}", store.machine.line());
    }
    keep("docs/reproduction.md", ["", ""], "verdicts", &format!("\n{}", reproduce::verdicts(&stores)));
}

/// `UPDATE_TABLES=1 cargo test --test docs stored_reports` writes it.
#[test]
fn the_article_is_its_source_filled_from_the_stored_reports() {
    let comparison = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, compare::parse(&fs::read(&path).unwrap()).unwrap())
    };
    let results = files(root().join("docs/results")).into_iter();
    let mut comparisons: Vec<_> =
        results.filter(|path| path.extension().is_some_and(|end| end == "json")).map(comparison).collect();
    comparisons.sort_by(|(one, _), (other, _)| one.cmp(other));
    // Of each device, the last one.
    let mut reports = stored_reports();
    reports.sort_by(|one, other| other.machine.date.cmp(&one.machine.date));
    let mut seen = BTreeSet::new();
    reports.retain(|report| seen.insert(report.machine.renderer.clone()));
    let sources = Sources {
        reports: &reports,
        comparisons: &comparisons,
        bibliography: &text("assets/references.bib"),
    };
    let built = reproduce::article(&text("docs/replication/article.html.in"), &sources).unwrap();
    let kept = "docs/replication/article.html";
    if std::env::var_os("UPDATE_TABLES").is_some() {
        fs::write(root().join(kept), &built).unwrap();
    }
    assert!(built == text(kept), "{kept} is not what UPDATE_TABLES=1 writes");
}

/// roger2007's complexity, in the words that `src/compact.rs` gives it.
#[test]
fn the_growth_of_the_compactions_is_that_of_the_plans() {
    let words = |name: &str, log2: u32| {
        let spec = CompactSpec::of(ElementType::U32, 1 << log2);
        let choice = Choice::parse(COMPACT, name).unwrap();
        let plan = choice.plan(&spec, &Device::gl33()).unwrap().expect("a plan");
        format!("{:.1}", plan.cost().words_moved() as f64 / f64::from(1 << log2))
    };
    let growth = |name: &str| format!("from {} to {}", words(name, 20), words(name, 24));
    let sentence =
        format!("`horn` goes {} words moved per element, and `blocks` {}", growth("horn"), growth("blocks"));
    let head = text("src/compact.rs").replace("\n//!", "");
    assert!(head.contains(&sentence), "src/compact.rs should say: {sentence}");
}

#[test]
fn every_algorithm_has_its_file_and_its_shaders() {
    for card in registry::all() {
        let stem = match (card.problem.name, card.name) {
            ("scan", "blelloch") => "hybrid", // with its parameter fixed
            (_, name) => name,
        };
        let (problem, era) = (card.problem.name, card.era.name());
        if card.era == Era::Cpu {
            assert!(exists(&format!("src/{problem}/reference.rs")));
            continue;
        }
        assert!(exists(&format!("src/{problem}/{era}/{stem}.rs")), "{} has no file", card.name);
        // Horn's search is Roger's too: its shaders are common to all compactions.
        let shaders = match (problem, card.name) {
            ("compact", "horn") => "glsl/compact/common".into(),
            // The reduce passes of scans.
            ("reduce", "pairs") => "glsl/scan/hybrid".into(),
            ("reduce", "packed") => "glsl/scan/packed".into(),
            _ => format!("glsl/{problem}/{stem}"),
        };
        assert!(exists(&shaders), "{} has no folder of shaders", card.name);
    }
}

#[test]
fn every_source_is_in_the_bibliography() {
    let bibliography = text("assets/references.bib");
    let known = |key: &str| {
        bibliography.lines().any(|line| line.starts_with('@') && line.ends_with(&format!("{{{key},")))
    };
    for card in registry::all() {
        for key in card.sources {
            assert!(known(key), "{} cites {key}, which is not in assets/references.bib", card.name);
        }
    }
    // Keys in prose and comments: a name and a year.
    let mut cited = BTreeSet::new();
    let sources = members().flat_map(|member| files(member.join("src"))).chain(files(root().join("glsl")));
    let documents = DOCUMENTS.iter().map(|document| root().join(document));
    for path in sources.chain(documents) {
        let content = fs::read_to_string(&path).unwrap();
        for word in content.split(|c: char| !c.is_ascii_alphanumeric()) {
            let (name, year) = word.split_at(word.len().saturating_sub(4));
            let is_key = name.len() > 2
                && name.chars().all(|c| c.is_ascii_lowercase())
                && year.parse().is_ok_and(|year: u32| (1950..2030).contains(&year));
            // The one that CONTRIBUTING.md adds as it goes.
            assert!(!is_key || known(word) || word == "sklansky1960", "{} cites {word}", path.display());
            if is_key {
                cited.insert(word.to_owned());
            }
        }
    }
    let keys = bibliography.lines().filter(|line| line.starts_with('@')).filter_map(|line| {
        let (_, key) = line.trim_end_matches(',').split_once('{')?;
        Some(key)
    });
    let uncited: Vec<&str> = keys.filter(|key| !cited.contains(*key)).collect();
    assert!(uncited.is_empty(), "nothing cites {uncited:?}");
}

// --- Code ----------------------------------------------------------------------------------------

/// They are compiled and run in the first example, and in the tour of the library.
#[test]
fn the_code_of_the_readmes_is_that_of_tests() {
    let unindented = |path: &str| -> String {
        let text = text(path);
        let lines = text.lines().map(|line| line.trim_start_matches("//!").trim());
        lines.map(|line| format!("{line}\n")).collect()
    };
    for document in ["README.md", "docs/registry.md"] {
        let snippets: Vec<String> = text(document)
            .split("```rust\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next().map(str::to_owned))
            .collect();
        for (snippet, path) in snippets.iter().zip(["src/lib.rs", "examples/01_scan.rs"]) {
            assert!(unindented(path).contains(snippet), "{document}: this is not in {path}:\n{snippet}");
        }
        assert_eq!(snippets.len(), 2, "{document}");
    }
}

/// The page of a registry has nothing beside it: neither pictures nor other files of the repository.
#[test]
fn the_page_for_a_registry_stands_alone() {
    let page = text("docs/registry.md");
    for link in page.split("](").skip(1) {
        assert!(link.starts_with("https://"), "docs/registry.md links to {link:.40}");
    }
    assert!(!page.contains("!["), "docs/registry.md shows a picture");
    assert!(text("Cargo.toml").contains("readme = \"docs/registry.md\""));
}
