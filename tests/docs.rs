//! What the documents say exists does: paths, commands and their options, algorithms and their costs,
//! sources; and the sources keep to the arrows of ARCHITECTURE.md.

use std::fs;
use std::path::{Path, PathBuf};

use rasterscan::registry::{self, Card, Choice, Era, Family};
use rasterscan::{CompactSpec, Device, ElementType, ScanSpec};

const DOCUMENTS: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file below a path.
fn files(path: PathBuf) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path];
    }
    let entries = fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    entries.flat_map(|entry| files(entry.unwrap().path())).collect()
}

/// The lines of fenced and indented code, and the spans of inline code of a document.
struct Code<'a> {
    lines: Vec<&'a str>,
    spans: Vec<&'a str>,
}

fn code(document: &str) -> Code<'_> {
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

// --- Paths ---------------------------------------------------------------------------------------

/// Whether a word of code is meant as a path of this repository. NAME stands for one to be written.
fn is_path(word: &str) -> bool {
    const ENDINGS: [&str; 10] =
        [".rs", ".md", ".toml", ".bib", ".glsl", ".frag", ".vert", ".geom", ".comp", ".jpg"];
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    let looks = word.contains('/') || ENDINGS.iter().any(|ending| word.ends_with(ending));
    // Such as `.npy`: a kind of file. `glsl/path:line` is how errors look.
    let kind = word.starts_with('.') && !word.contains('/');
    plain && looks && !kind && !word.contains("NAME")
}

fn exists(path: &str) -> bool {
    [root().to_owned(), root().join("glsl"), root().join("assets")]
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
    for folder in ["src", "glsl", "benches", "examples", "tests"] {
        for file in files(root().join(folder)) {
            let file = file.strip_prefix(root()).unwrap().to_str().unwrap();
            let covered =
                tree.iter().any(|path| file == *path || (path.ends_with('/') && file.starts_with(path)));
            assert!(covered, "{file} is in no room of ARCHITECTURE.md");
        }
    }
}

// --- Commands ------------------------------------------------------------------------------------

/// The words after `./run` or `rasterscan` on a line, if it is a command.
#[cfg(feature = "cli")]
fn command(line: &str) -> Option<Vec<&str>> {
    let line = line.trim();
    let line = line.strip_prefix("again with: ").unwrap_or(line);
    let rest = line.strip_prefix("./run ").or(line.strip_prefix("rasterscan "))?;
    // Two blanks or more begin a remark; `rasterscan = ` is a line of Cargo.toml.
    let words: Vec<&str> = rest.split("  ").next()?.split_whitespace().collect();
    (*words.first()? != "=").then_some(words)
}

#[cfg(feature = "cli")]
#[test]
fn every_command_that_a_document_shows_exists_with_its_options() {
    let help = |arguments: &[&str]| {
        let output =
            assert_cmd::cargo::cargo_bin_cmd!("rasterscan").args(arguments).arg("--help").output().unwrap();
        assert!(output.status.success(), "rasterscan {arguments:?} --help fails");
        String::from_utf8(output.stdout).unwrap()
    };
    let all = help(&[]);
    let listed = |word: &str| {
        all.lines().any(|line| line.starts_with("  ") && line.split_whitespace().next() == Some(word))
    };
    let mut count = 0;
    for document in DOCUMENTS {
        let content = text(document);
        let code = code(&content);
        for words in code.lines.iter().chain(&code.spans).filter_map(|line| command(line)) {
            count += 1;
            let name = words[0];
            if ["test", "bench", "help"].contains(&name) {
                assert!(text("run").contains(&format!("\n{name})\n")), "./run knows no {name}");
                continue;
            }
            assert!(listed(name), "{document} shows {words:?}: there is no such subcommand");
            let options = help(&[name]);
            for option in words.iter().filter(|word| word.starts_with('-') && word.len() > 1) {
                // `--indices=FILE` is `--indices[=<FILE>]` in the help.
                let option = option.split('=').next().unwrap_or(option);
                let known = options.split([' ', ',', '\n', '[']).any(|word| word == option);
                assert!(known, "{document} shows {words:?}: {name} has no {option}");
            }
            for algorithm in words.windows(2).filter(|pair| pair[0] == "-a").map(|pair| pair[1]) {
                // `compare` says its family, and takes several; here none with two parameters.
                let compares = name == "compare";
                let scans = name == "scan" || compares && words.contains(&"scan");
                let family = if scans { Family::Scan } else { Family::Compact };
                let several = if compares { algorithm.split(',').collect() } else { vec![algorithm] };
                for algorithm in several {
                    let known = ["all", "auto"].contains(&algorithm) || algorithm.contains("NAME");
                    let choice = Choice::parse(family, algorithm);
                    // Those that CONTRIBUTING.md adds as it goes are not there.
                    let guide = algorithm == "sklansky";
                    assert!(known || guide || choice.is_ok(), "{document} shows {words:?}: {choice:?}");
                }
            }
        }
    }
    assert!(count > 12, "only {count} commands were found: the search is broken");
}

/// Whether cargo makes a program of this name from a folder: of a file, or of a folder with a `main.rs`.
fn is_target(folder: &str, name: &str) -> bool {
    let folder = root().join(folder);
    folder.join(format!("{name}.rs")).is_file() || folder.join(name).join("main.rs").is_file()
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
    for name in text("run").split("--test ").skip(1).filter_map(|rest| rest.split_whitespace().next()) {
        let name = name.trim_end_matches(';');
        assert!(is_target("tests", name), "./run: no test {name}");
    }
}

// --- Algorithms ----------------------------------------------------------------------------------

const FAMILIES: [Family; 2] = [Family::Scan, Family::Compact];

/// The rows of the table that begins with these cells, cell by cell.
fn table<'a>(document: &'a str, begins: &str) -> Vec<Vec<&'a str>> {
    let lines = document.lines().map(|line| line.trim_start_matches("//! "));
    let rows = lines.skip_while(|line| !line.starts_with(begins)).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// The algorithm that the first cell of a row names, with its parameters.
fn named(family: Family, row: &[&str]) -> Choice {
    let name = row[0].trim_matches('`');
    Choice::parse(family, name).unwrap_or_else(|error| panic!("{row:?}: {error}"))
}

/// Rows must name every algorithm of the family in the order of the registry; further rows may follow one, for
/// other parameters of it.
fn check_names(family: Family, table: &[Vec<&str>], of: &str) {
    let mut names: Vec<&str> = table.iter().map(|row| named(family, row).card.name).collect();
    names.dedup();
    let all: Vec<&str> = registry::family(family).map(|card| card.name).collect();
    assert_eq!(names, all, "{of}: the {} algorithms", family.name());
}

/// Passes, and what they do for each of 2^20 u32, as README's tables say it. Buffers have no texels.
fn costs(choice: &Choice) -> [String; 4] {
    let n = 1 << 20;
    let per_item = |x: u64| x as f64 / n as f64;
    let compute = choice.card.era == Era::Compute;
    let device = if compute { Device::gl43() } else { Device::gl33() };
    let family = choice.card.family;
    let plan = match family {
        Family::Scan => choice.plan(&ScanSpec::of(ElementType::U32, n), &device),
        Family::Compact => choice.plan(&CompactSpec::of(ElementType::U32, n), &device),
    };
    match plan.unwrap() {
        None => {
            let adds = if family == Family::Scan { "1.0" } else { "" };
            ["".into(), adds.into(), "".into(), "2.0".into()]
        }
        Some(plan) => {
            let cost = plan.cost();
            let texels = |text| if compute { String::new() } else { text };
            [
                plan.passes().len().to_string(),
                match family {
                    Family::Scan => format!("{:.1}", per_item(cost.adds)),
                    Family::Compact => texels(format!("{:.1}", per_item(cost.texels_read))),
                },
                texels(format!("{:.2}", per_item(cost.texels_written))),
                format!("{:.1}", per_item(cost.words_moved())),
            ]
        }
    }
}

#[test]
fn the_tables_of_algorithms_are_the_registry() {
    let readme = text("README.md");
    for family in FAMILIES {
        let table = match family {
            Family::Scan => table(&readme, "| name | era | source | passes | adds |"),
            Family::Compact => table(&readme, "| name | era | source | passes | texels fetched |"),
        };
        check_names(family, &table, "README.md");
        for row in &table {
            let choice = named(family, row);
            let card: &Card = choice.card;
            assert!(row[1].to_lowercase().starts_with(card.era.name()), "{row:?}");
            for key in row[2]
                .split([' ', ','])
                .filter(|word| word.ends_with(|c: char| c.is_ascii_digit()) && word.len() > 4)
            {
                assert!(card.sources.contains(&key), "{choice}: README.md cites {key}, the card does not");
            }
            let costs = costs(&choice);
            assert_eq!(row[3..], costs, "{choice}: the row should end with | {} |", costs.join(" | "));
        }
    }
}

/// roger2007's complexity, in the words that README.md gives it.
#[test]
fn the_growth_of_the_compactions_is_that_of_the_plans() {
    let words = |name: &str, log2: u32| {
        let spec = CompactSpec::of(ElementType::U32, 1 << log2);
        let choice = Choice::parse(Family::Compact, name).unwrap();
        let plan = choice.plan(&spec, &Device::gl33()).unwrap().expect("a plan");
        format!("{:.1}", plan.cost().words_moved() as f64 / f64::from(1 << log2))
    };
    let growth = |name: &str| format!("from {} to {}", words(name, 20), words(name, 24));
    let sentence =
        format!("`horn` goes {} words for each, and `blocks` {}", growth("horn"), growth("blocks"));
    let readme = text("README.md").replace('\n', " ");
    assert!(readme.contains(&sentence), "README.md should say: {sentence}");
}

#[test]
fn the_tables_of_the_tour_are_the_registry() {
    let tour = text("src/lib.rs");
    check_names(Family::Scan, &table(&tour, "| scan |"), "src/lib.rs");
    check_names(Family::Compact, &table(&tour, "| compaction |"), "src/lib.rs");
}

#[test]
fn every_algorithm_has_its_file_and_its_shaders() {
    for card in registry::all() {
        let stem = match (card.family, card.name) {
            (Family::Scan, "blelloch") => "hybrid", // with its parameter fixed
            (_, name) => name,
        };
        let (family, era) = (card.family.name(), card.era.name());
        if card.era == Era::Cpu {
            assert!(exists("src/reference.rs") && exists("src/reference/compact.rs"));
            continue;
        }
        assert!(exists(&format!("src/{family}/{era}/{stem}.rs")), "{} has no file", card.name);
        // Horn's search is Roger's too: its shaders are common to all compactions.
        let shaders = match (card.family, card.name) {
            (Family::Compact, "horn") => "glsl/compact/common".into(),
            _ => format!("glsl/{family}/{stem}"),
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
    let sources = ["src", "glsl"].iter().flat_map(|folder| files(root().join(folder)));
    let documents = DOCUMENTS.iter().map(|document| root().join(document));
    for path in sources.chain(documents) {
        let content = fs::read_to_string(&path).unwrap();
        for word in content.split(|c: char| !c.is_ascii_alphanumeric()) {
            let (name, year) = word.split_at(word.len().saturating_sub(4));
            let is_key = name.len() > 3
                && name.chars().all(|c| c.is_ascii_lowercase())
                && year.parse().is_ok_and(|year: u32| (1950..2030).contains(&year));
            // The one that CONTRIBUTING.md adds as it goes.
            assert!(!is_key || known(word) || word == "sklansky1960", "{} cites {word}", path.display());
        }
    }
}

// --- Code ----------------------------------------------------------------------------------------

#[test]
fn the_ten_lines_of_the_readmes_are_the_first_example() {
    for document in ["README.md", "docs/registry.md"] {
        ten_lines(&text(document));
    }
}

fn ten_lines(readme: &str) {
    let snippet =
        readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a snippet");
    let example: String =
        text("examples/01_scan.rs").lines().map(|line| format!("{}\n", line.trim())).collect();
    assert!(example.contains(snippet), "the snippet is not in examples/01_scan.rs:\n{snippet}");
    assert!(snippet.lines().filter(|line| !line.is_empty()).count() <= 10);
}

/// There it is compiled and run.
#[test]
fn the_compaction_of_the_readme_is_that_of_the_tour() {
    let readme = text("README.md");
    let snippet =
        readme.split("```rust\n").nth(2).and_then(|rest| rest.split("```").next()).expect("a snippet");
    let tour: String = text("src/lib.rs")
        .lines()
        .map(|line| format!("{}\n", line.trim_start_matches("//!").trim_start()))
        .collect();
    assert!(tour.contains(snippet), "the snippet is not in src/lib.rs:\n{snippet}");
}

/// The rows of the table of imports: a room, and the modules that it may use.
fn arrows(architecture: &str) -> Vec<(String, Vec<String>)> {
    let rows = architecture.lines().skip_while(|line| !line.starts_with("| room | imports |")).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let room = cells.next().unwrap().trim_matches('`').to_owned();
            (room, cells.next().unwrap().split(", ").map(str::to_owned).collect())
        })
        .collect()
}

/// The module that something used as `crate::NAME` is in.
fn home(name: &str) -> &str {
    match name {
        "spec" | "element" | "operator" | "device" | "error" | "memory" | "printable" | "random"
        | "shared" => "base",
        "Api" | "Device" | "Element" | "ElementType" | "Error" | "Unsupported" | "Operator" => "base",
        "ScanKind" | "ScanSpec" | "SpecError" | "Request" => "base",
        "CompactSpec" | "Comparison" | "Condition" | "Keep" | "Moves" => "base",
        "Plan" => "plan",
        "ScanAlgorithm" => "scan",
        "CompactAlgorithm" => "compact",
        "tuning" | "Tuning" => "base",
        "Clock" | "Timing" | "Prepared" | "Stream" | "Gpu" | "HeadlessOptions" | "Outputs" | "Compacted" => {
            "gl"
        }
        module => module,
    }
}

#[test]
fn imports_follow_the_arrows() {
    let arrows = arrows(&text("ARCHITECTURE.md"));
    assert!(arrows.len() >= 8, "the table of imports is gone");
    for (room, allowed) in &arrows {
        let own = room.trim_start_matches("src/").trim_end_matches('/').trim_end_matches(".rs");
        // Of a module in a file, the folder beside it too.
        let beside = root().join(room.trim_end_matches(".rs"));
        let more = if room.ends_with(".rs") && beside.is_dir() { files(beside) } else { Vec::new() };
        for file in files(root().join(room)).into_iter().chain(more) {
            let content = fs::read_to_string(&file).unwrap();
            let lines = content.lines().map(str::trim).filter(|line| !line.starts_with("//"));
            for used in
                lines.flat_map(|line| line.split("crate::").skip(1).map(|rest| rest.trim_start_matches('{')))
            {
                let name =
                    used.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or(used);
                let module = home(name);
                let fits = module == own || allowed.iter().any(|allowed| allowed == module);
                assert!(fits, "{} uses {name} of {module}; {room} may not", file.display());
            }
        }
    }
}

#[test]
fn only_the_engine_calls_opengl() {
    for file in files(root().join("src")) {
        let inside = file.strip_prefix(root()).unwrap().starts_with("src/gl");
        let content = fs::read_to_string(&file).unwrap();
        // What paints egui calls it too, but not for us.
        let calls = |line: &str| {
            line.replace("egui_glow::", "").contains("glow::") || line.trim_start().starts_with("unsafe ")
        };
        let found = content.lines().map(str::trim_start).find(|line| !line.starts_with("//") && calls(line));
        assert!(inside || found.is_none(), "{} calls OpenGL: {found:?}", file.display());
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
