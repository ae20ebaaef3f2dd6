//! Each public report in `tests/reports.md` names its tests, and these exist.

use std::fs;

use rasterscan_runner::documents::{files, members, text};

/// The path of a test in its program, as `cargo test` prints it, and the sources of all tests by their paths.
fn exists(test: &str, sources: &[(String, String)]) -> bool {
    let (module, function) = test.rsplit_once("::").expect("a module and a function");
    let file = format!("/{}.rs", module.replace("::", "/"));
    let function = format!("fn {function}(");
    sources.iter().any(|(path, source)| path.ends_with(&file) && source.contains(&function))
}

#[test]
fn every_report_names_tests_that_exist() {
    let sources: Vec<(String, String)> = members()
        .map(|member| member.join("tests"))
        .filter(|folder| folder.is_dir())
        .flat_map(files)
        .filter(|file| file.extension().is_some_and(|ending| ending == "rs"))
        .map(|file| (file.to_str().unwrap().to_owned(), fs::read_to_string(&file).unwrap()))
        .collect();
    let log = text("tests/reports.md");
    let rows: Vec<Vec<&str>> = log
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(2)
        .map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() > 15, "only {} rows were found: the search is broken", rows.len());
    for row in rows {
        let [report, there, here, tests] = row[..] else { panic!("four cells: {row:?}") };
        assert!(![report, there, here].contains(&""), "{row:?}");
        let tests: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "{report} has no test");
        for test in tests {
            assert!(exists(test, &sources), "{report}: there is no test {test}");
        }
    }
}
