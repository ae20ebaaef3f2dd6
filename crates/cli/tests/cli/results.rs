//! `results`: one page from what `compare --json` wrote, on stdout or in a file, and what it refuses to read.

use std::path::Path;

use serde_json::Value;

use super::Program;

/// A program with a comparison in `scan.json`.
fn compared() -> Program {
    let program = Program::new();
    program.run("compare scan -a horn,packed --sizes 1000,2^10 --seconds 0 --json scan.json").ok();
    program
}

fn read(program: &Program) -> Value {
    serde_json::from_slice(&program.read("scan.json")).unwrap()
}

#[test]
fn a_page_has_a_section_for_each_document() {
    let program = compared();
    let mut json = read(&program);
    let (date, commit) = (json["machine"]["date"].clone(), json["commit"].clone());
    let page = program.run("results scan.json").ok();
    let page = page.text();
    for part in [
        "\n## ",
        "\n### Scans of u32\n",
        "\n| ms | 1,000 | 2^10 |\n",
        "\n| `copy:texture` | ",
        "\n| `horn` | ",
        &format!("\n- Date: {}\n", date.as_str().unwrap()),
        &format!("\n- Commit: {}\n", commit.as_str().unwrap_or("not recorded")),
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }

    // A document from before commits were written, of another machine.
    json.as_object_mut().unwrap().remove("commit");
    json["machine"]["renderer"] = "A GPU".into();
    json["machine"]["software"] = false.into();
    program.file("old.json", json.to_string());
    let run = program.run("results scan.json old.json -o page.md --device 99").ok();
    assert!(run.stdout.is_empty(), "the page also went to stdout");
    assert!(run.stderr.contains("results of 2 documents written to page.md"), "{}", run.stderr);
    let both = String::from_utf8(program.read("page.md")).unwrap();
    let [_, first, second] = both.split("\n## ").collect::<Vec<_>>()[..] else { panic!("{both}") };
    assert!(first.starts_with("A GPU: scans\n") && first.contains("\n- Commit: not recorded\n"), "{both}");
    assert!(page.ends_with(second), "{both}");
    assert_eq!(program.names(), ["old.json", "page.md", "scan.json"]);
}

#[test]
fn self_tests_become_one_table() {
    let program = compared();
    let report = program.run("selftest --seconds 0 --json").ok();
    program.file("a.json", report.text());
    let mut other = report.json();
    other["machine"]["renderer"] = "A GPU".into();
    other["machine"]["software"] = false.into();
    program.file("b.json", other.to_string());
    let page = program.run("results a.json scan.json b.json").ok();
    let page = page.text();
    let rows: Vec<&str> = page.lines().filter(|line| line.contains("| 1 of ")).collect();
    assert_eq!(rows.len(), 2, "{page}");
    assert!(rows[0].starts_with("| A GPU | "), "{page}");
    assert!(page.find("## Devices that were checked") < page.find("### Scans of u32"), "{page}");

    other["schema"] = "rasterscan.selftest/9".into();
    program.file("b.json", other.to_string());
    program.run("results a.json b.json").fails(1, &["cannot read b.json: ", "written by a newer version"]);
}

#[test]
fn files_that_are_no_comparison_are_named() {
    let program = compared();
    let own = read(&program).to_string();
    for (content, says) in [
        (String::new(), "it is not a document of `compare --json`"),
        (own[..own.len() / 2].to_owned(), "it is not a document of `compare --json`"),
        (own.replace("rasterscan.compare/1", "rasterscan.scan/1"), "its schema is rasterscan.scan/1"),
        (
            own.replace("rasterscan.compare/1", "rasterscan.compare/2"),
            "written by a newer version of this program",
        ),
        (own.replace("\"ms\":", "\"milli\":"), "it is damaged (missing field `ms`"),
    ] {
        program.file("wrong.json", content);
        program.run("results scan.json wrong.json -o page.md").fails(1, &["cannot read wrong.json: ", says]);
    }
    program.run("results none.json").fails(1, &["cannot read none.json: "]);
    program.run("results scan.json -o none/page.md").fails(1, &["none/page.md", "no directory none"]);
    program.run("results").fails(2, &["<FILE>..."]);
    assert_eq!(program.names(), ["scan.json", "wrong.json"]);
}

#[test]
fn a_page_does_not_replace_what_it_is_made_of() {
    let program = compared();
    let before = program.read("scan.json");
    for out in ["scan.json", "./scan.json"] {
        program.run(&format!("results scan.json -o {out}")).fails(2, &["it would replace scan.json"]);
    }
    assert_eq!(program.read("scan.json"), before);
}

/// `UPDATE_TABLES=1` writes the page.
#[test]
fn the_page_of_the_documents_is_made_from_their_rows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rows = root.join("docs/results");
    let mut files: Vec<_> = std::fs::read_dir(&rows).unwrap().map(|file| file.unwrap().path()).collect();
    // A folder has the reports of `reproduce`.
    files.retain(|file| file.is_file());
    files.sort();
    let program = Program::new();
    let mut names = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        program.file(&name, std::fs::read(&file).unwrap());
        names.push(name);
    }
    let page = program.run(&format!("results {}", names.join(" "))).ok();
    let path = root.join("docs/results.md");
    if std::env::var_os("UPDATE_TABLES").is_some() {
        std::fs::write(&path, page.text()).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == page.text(),
        "docs/results.md is not made from docs/results/"
    );
}
