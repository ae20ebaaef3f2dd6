//! The commands that the documents show exist, with their options and algorithms.

use rasterscan::tools::problem::{self, Problem};
use rasterscan::tools::registry::Choice;
use rasterscan_runner::documents::{DOCUMENTS, code, text};

/// The words after `./run` or `rasterscan` on a line, if it is a command.
fn command(line: &str) -> Option<Vec<&str>> {
    let line = line.trim();
    let line = line.strip_prefix("again with: ").unwrap_or(line);
    let rest = line.strip_prefix("./run ").or(line.strip_prefix("rasterscan "))?;
    // Two blanks or more begin a remark; `rasterscan = ` is a line of Cargo.toml.
    let words: Vec<&str> = rest.split("  ").next()?.split_whitespace().collect();
    (*words.first()? != "=").then_some(words)
}

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
            if ["test", "bench", "web", "release", "help"].contains(&name) {
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
                // `compare` takes several; here none with two parameters.
                let compares = name == "compare";
                let named = words.iter().find_map(|word| problem::named(word));
                // Without one, that of the algorithm.
                let of = |algorithm: &str| {
                    let able = |problem: &&'static Problem| Choice::parse(problem, algorithm).is_ok();
                    named.or_else(|| problem::ALL.into_iter().find(able)).unwrap_or(problem::SCAN)
                };
                let several = if compares { algorithm.split(',').collect() } else { vec![algorithm] };
                for algorithm in several {
                    let known = ["all", "auto"].contains(&algorithm) || algorithm.contains("NAME");
                    let choice = Choice::parse(of(algorithm), algorithm);
                    // Those that CONTRIBUTING.md adds as it goes are not there.
                    let guide = algorithm == "sklansky";
                    assert!(known || guide || choice.is_ok(), "{document} shows {words:?}: {choice:?}");
                }
            }
        }
    }
    assert!(count > 12, "only {count} commands were found: the search is broken");
}
