//! `reproduce`: its document and its page, going on from every place where it may have ended, what it refuses, and the
//! page in a browser. No verdict that depends on time is demanded.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Program, Ran, names};

const VERDICTS: [&str; 11] = [
    "reproduced",
    "stronger",
    "larger loss",
    "mixed",
    "weaker",
    "no effect",
    "opposite",
    "undecided",
    "not testable today",
    "not on this device",
    "not measured",
];

/// Each process measures each cell.
const PROCESSES: usize = 3;

/// A report in which a few rows are measured.
const SHORT: &str = "reproduce harris2007 --quick --seconds 1 --out r";
/// All papers, with nothing measured.
const NOTHING: &str = "reproduce --quick --seconds 0 --out r";

fn json(program: &Program) -> String {
    String::from_utf8(program.read("r/report.json")).unwrap()
}

fn html(program: &Program) -> String {
    String::from_utf8(program.read("r/report.html")).unwrap()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().unwrap_or_else(|| panic!("no {field} in {value}"))
}

fn texts<'a>(list: &'a [Value], field: &str) -> Vec<&'a str> {
    list.iter().map(|value| value[field].as_str().unwrap()).collect()
}

/// The whole of both files: nothing is missing, nothing is from elsewhere.
#[track_caller]
fn check_report(program: &Program) -> Value {
    assert_eq!(names(&program.path("r")), ["figures", "report.html", "report.json", "summary.html"]);
    let json = parsed(&json(program));
    assert_eq!(json["schema"], "rasterscan.reproduce/2");
    let claims = list(&json, "claims");
    assert!(texts(claims, "verdict").iter().all(|verdict| VERDICTS.contains(verdict)), "{claims:?}");
    assert!(texts(claims, "why").iter().all(|why| why.is_empty() || why.ends_with('.')), "{claims:?}");
    for cell in list(&json, "cells") {
        assert!(list(&json, "keys").contains(&cell["key"]), "{cell}");
        assert!(list(cell, "rows").iter().all(|row| row["verified"] == true && row["ms"].is_f64()), "{cell}");
        assert!(texts(list(cell, "left_out"), "reason").iter().all(|reason| !reason.is_empty()), "{cell}");
        assert!(list(cell, "rows").len() + list(cell, "left_out").len() > 0, "{cell}");
    }
    check_page(program, &html(program), &json);
    check_summary(program, &json);
    json
}

#[track_caller]
fn check_summary(program: &Program, json: &Value) {
    let page = String::from_utf8(program.read("r/summary.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for claim in list(json, "claims") {
        assert!(page.contains(&format!("badge {}", class(claim))), "{claim}");
    }
    assert_eq!(page.matches("<li>").count(), list(json, "claims").len());
}

fn class(claim: &Value) -> &str {
    match claim["verdict"].as_str().unwrap() {
        "reproduced" | "stronger" => "yes",
        "mixed" | "weaker" => "weaker",
        "no effect" | "opposite" => "no",
        "larger loss" => "loss",
        _ => "open",
    }
}

#[track_caller]
fn check_page(program: &Program, page: &str, json: &Value) {
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert_eq!(page.contains("This run was interrupted, or is still going on"), json["complete"] == false);
    for part in ["<script", "<link", "<iframe", "<img", "<object", " src=", "@import", "url("] {
        assert!(!page.contains(part), "{part}");
    }
    // What is named as an address is only named.
    assert_eq!(page.matches("http").count(), page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count());
    let ids: Vec<&str> = attributes(page, " id=").collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    for target in attributes(page, "href=") {
        match target.strip_prefix('#') {
            Some(id) => assert!(ids.contains(&id), "{target}"),
            None => assert!(program.path("r").join(target).is_file(), "{target}"),
        }
    }
    for key in list(json, "keys") {
        assert!(ids.contains(&key.as_str().unwrap()), "{key}");
    }
    assert_eq!(page.matches("<article class=\"claim\"").count(), list(json, "claims").len());
    let figures = svgs(page);
    assert_eq!(figures.len(), page.matches("<figure").count());
    assert_eq!(names(&program.path("r/figures")).len(), figures.len(), "a file for each figure");
    assert!(figures.len() >= list(json, "keys").len(), "every paper has a figure");
    figures.iter().for_each(|svg| check_svg(svg));
}

/// The values of all attributes of this name.
fn attributes<'a>(page: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    page.split(name).skip(1).map(|rest| rest.strip_prefix('"').unwrap().split('"').next().unwrap())
}

fn svgs(page: &str) -> Vec<&str> {
    let begins = page.match_indices("<svg").map(|(begin, _)| &page[begin..]);
    begins.map(|svg| &svg[..svg.find("</svg>").expect("it ends") + "</svg>".len()]).collect()
}

/// Something is drawn, and something is written: a line without points says that it has none.
#[track_caller]
fn check_svg(svg: &str) {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let count = |name: &str| document.descendants().filter(|node| node.tag_name().name() == name).count();
    let drawn: usize = ["path", "polyline", "line", "rect", "circle"].map(count).iter().sum();
    assert!(drawn > 0 && count("text") > 1, "{svg}");
}

#[test]
fn a_report_is_a_document_and_a_page() {
    let program = Program::new();
    let run = program.run(SHORT).ok();
    let json = check_report(&program);
    assert_eq!((&json["complete"], &json["effort"]), (&true.into(), &"quick".into()));
    assert_eq!(list(&json, "keys"), ["harris2007"]);
    let info = program.run("info --json").ok().json();
    assert_eq!(json["machine"]["renderer"], info["gl"]["renderer"]);
    let cells = list(&json, "cells");
    let ids: BTreeSet<&str> = texts(cells, "id").into_iter().collect();
    assert!(PROCESSES * ids.len() == cells.len() && ids.len() >= 3, "{ids:?}");
    // Something is timed, whatever it takes.
    let timed = |cell: &Value| !list(cell, "rows").is_empty();
    assert!(cells.iter().any(timed), "{json}");
    // The terminal has every claim with its verdict.
    for claim in list(&json, "claims") {
        let [verdict, text] = ["verdict", "claim"].map(|field| claim[field].as_str().unwrap());
        assert!(run.text().contains(&format!("  {verdict:<18} {text}\n")), "{}", run.text());
    }
    assert!(run.stderr.contains("report with figures: r/report.html\n"), "{}", run.stderr);
    assert_eq!(program.names(), ["r"]);
}

/// Counting, by a simulator or in plans, needs no budget of time.
#[test]
fn what_had_no_time_says_so() {
    let program = Program::new();
    let run = program.run(NOTHING).ok();
    let json = check_report(&program);
    assert_eq!(json["complete"], true);
    let keys = ["sengupta2006", "roger2007", "harris2007", "capannini2011", "maleki2016"];
    assert_eq!(list(&json, "keys"), keys);
    for cell in list(&json, "cells") {
        assert_eq!(list(cell, "rows").len(), 0);
        assert!(texts(list(cell, "left_out"), "reason").iter().all(|reason| *reason == "the time was up"));
    }
    for key in keys {
        assert!(list(&json, "claims").iter().any(|claim| claim["key"] == key), "{key}");
        assert!(run.text().contains(&format!("{key}\n")), "{}", run.text());
    }
    let mut counted = 0;
    for claim in list(&json, "claims") {
        let points = list(claim, "points");
        if points.iter().all(|point| point["interval"] == "exact") {
            counted += 1;
            continue;
        }
        let open = ["not testable today", "not measured", "not on this device"]
            .contains(&claim["verdict"].as_str().unwrap());
        assert!(open && points.iter().all(|point| point["ours"] == "-"), "{claim}");
    }
    assert!(counted > 20, "{counted}");
    // A complete run is no reason to ask: the next run starts over.
    program.run("reproduce --quick --seconds 0 harris2007 --out r").ok();
    assert_eq!(list(&check_report(&program), "keys"), ["harris2007"]);
}

/// The reports that the repository keeps, by the table that is made of them.
#[test]
fn stored_reports_are_judged_without_a_gpu() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let stored = root.join("docs/results/reproduction");
    let page = std::fs::read_to_string(root.join("docs/reproduction.md")).unwrap();
    let program = Program::new();
    let files = names(&stored);
    for name in &files {
        program.file(name, std::fs::read(stored.join(name)).unwrap());
        let run = program.run(&format!("reproduce --judge {name} --device 99")).ok();
        let judged = |line: &&str| VERDICTS.iter().any(|verdict| line.starts_with(&format!("  {verdict} ")));
        let keys = ["sengupta2006", "roger2007", "harris2007", "capannini2011", "maleki2016"];
        let claim = |line: &&str| keys.iter().any(|key| line.starts_with(&format!("| {key} |")));
        assert_eq!(run.text().lines().filter(judged).count(), page.lines().filter(claim).count());
    }
    let table = program.run(&format!("reproduce --verdicts {} --device 99", files.join(" "))).ok();
    assert!(page.contains(table.text()), "docs/reproduction.md is not made from the stored reports");
    assert_eq!(program.names(), files, "a file has no pages");
    // A file that is cut is no report.
    let bytes = program.read(&files[0]);
    program.file("cut.json.gz", &bytes[..bytes.len() / 2]);
    program.run("reproduce --judge cut.json.gz").fails(1, &["cannot read cut.json.gz", "it is damaged"]);
}

// --- Going on ------------------------------------------------------------------------------------

const CELLS: &str = "\n  \"cells\": [\n";
const BETWEEN: &str = "\n    },\n";

/// The content of each cell, to the letter.
fn cells(text: &str) -> Vec<String> {
    match text.split_once(CELLS) {
        Some((_, cells)) => {
            let cells = cells.strip_suffix("\n    }\n  ]\n}\n").expect("the cells are the last");
            cells.split(BETWEEN).map(str::to_owned).collect()
        }
        None => Vec::new(),
    }
}

/// The report as it was before the last cells were measured.
fn interrupted(text: &str, kept: usize) -> String {
    let (head, _) = text.split_once(CELLS).expect("cells");
    let head = head.replace("\"complete\": true", "\"complete\": false");
    match kept {
        0 => format!("{head}\n  \"cells\": []\n}}\n"),
        _ => format!("{head}{CELLS}{}\n    }}\n  ]\n}}\n", cells(text)[..kept].join(BETWEEN)),
    }
}

/// The report of `SHORT`, as it was with half of its cells.
fn half(program: &Program) -> String {
    program.run(SHORT).ok();
    let whole = json(program);
    let half = interrupted(&whole, cells(&whole).len() / 2);
    program.file("r/report.json", &half);
    half
}

/// `SHORT`, with nothing more measured.
const GO_ON: &str = "reproduce harris2007 --quick --seconds 0 --out r --resume";

#[test]
fn a_run_goes_on_from_every_place() {
    let program = Program::new();
    program.run(SHORT).ok();
    let whole = json(&program);
    let before = cells(&whole);
    for kept in 0..=before.len() {
        program.file("r/report.json", interrupted(&whole, kept));
        program.run(GO_ON).ok();
        let after = json(&program);
        assert_eq!(cells(&after)[..kept], before[..kept], "{kept} are kept");
        let report = check_report(&program);
        assert_eq!(report["complete"], true);
        let ids = |cells: &[String]| -> Vec<String> {
            cells
                .iter()
                .map(|cell| cell.lines().find(|line| line.contains("\"id\"")).unwrap().into())
                .collect()
        };
        assert_eq!(ids(&cells(&after)), ids(&before));
        for added in &list(&report, "cells")[kept..] {
            assert!(
                texts(list(added, "left_out"), "reason").iter().all(|reason| *reason == "the time was up")
            );
        }
        // What is whole stays as it is.
        program.run(GO_ON).ok();
        assert_eq!(json(&program), after);
    }
}

#[test]
fn an_interrupted_run_is_not_lost_by_accident() {
    let program = Program::new();
    let half = half(&program);
    let says = ["r holds an interrupted run: --resume continues it, --overwrite starts over"];
    for arguments in [SHORT, NOTHING] {
        program.run(arguments).fails(2, &says);
    }
    program.run(&format!("{GO_ON} --overwrite")).fails(2, &["--overwrite", "cannot be used with"]);
    assert_eq!(json(&program), half);
    program.run("reproduce harris2007 --quick --seconds 0 --out r --overwrite").ok();
    let anew = check_report(&program);
    assert_eq!(anew["complete"], true);
    assert!(
        list(&anew, "cells").iter().all(|cell| list(cell, "rows").is_empty()),
        "nothing is left of the old one"
    );
}

#[test]
fn only_the_same_run_goes_on() {
    let program = Program::new();
    program.run(GO_ON).fails(2, &["there is no run to continue in r"]);
    assert!(program.names().is_empty(), "a refused run makes no folder");
    let half = half(&program);
    let page = html(&program);
    let other_machine = |from: &str| {
        let renderer = parsed(&half)["machine"][from].to_string();
        half.replace(&format!("\"{from}\": {renderer}"), &format!("\"{from}\": \"another\""))
    };
    for (content, arguments, says) in [
        (half.clone(), "harris2007", "another effort (quick)"),
        (half.clone(), "harris2007 roger2007 --quick", "other papers (harris2007)"),
        (half.clone(), "--quick", "other papers (harris2007)"),
        (other_machine("renderer"), "harris2007 --quick", "another device or version (another, "),
        (other_machine("program"), "harris2007 --quick", "another device or version ("),
    ] {
        program.file("r/report.json", &content);
        let run = program.run(&format!("reproduce {arguments} --seconds 0 --out r --resume"));
        run.fails(2, &["the run in that folder cannot continue: it is of ", says, "--overwrite starts over"]);
        assert_eq!((json(&program), html(&program)), (content, page.clone()));
    }
}

#[test]
fn what_is_no_report_is_not_written_over() {
    let program = Program::new();
    let half = half(&program);
    for (content, says) in [
        (String::new(), "it is not a report of `reproduce`"),
        (half[..half.len() / 2].to_owned(), "it is not a report of `reproduce`"),
        (half.replace("rasterscan.reproduce/2", "rasterscan.scan/1"), "its schema is rasterscan.scan/1"),
        (
            half.replace("rasterscan.reproduce/2", "rasterscan.reproduce/3"),
            "written by a newer version of this program",
        ),
        (half.replace("\"effort\"", "\"toil\""), "it is damaged (missing field `effort`"),
        (half.replace("\"quick\"", "\"slow\""), "it is damaged (unknown variant `slow`"),
    ] {
        for option in ["", "--resume", "--overwrite"] {
            program.file("r/report.json", &content);
            let run = program.run(&format!("reproduce harris2007 --quick --seconds 0 --out r {option}"));
            run.fails(
                1,
                &["r/report.json is in the way; delete it, or choose another folder with --out", says],
            );
            assert_eq!(json(&program), content);
        }
    }
}

#[test]
fn what_cannot_be_written_is_told_before_anything_is_measured() {
    let program = Program::new();
    let refused = |arguments: &str, code: i32, says: &[&str]| {
        let run = program.run(arguments);
        assert!(run.stderr.starts_with("rasterscan: error: "), "{arguments}: it had begun\n{}", run.stderr);
        run.fails(code, says);
    };
    program.file("file", "");
    // As the superuser too.
    refused("reproduce --out file", 1, &["file/report.json: Not a directory"]);
    refused("reproduce --out file/deeper", 1, &["file/deeper"]);
    std::fs::create_dir_all(program.path("page/report.html")).unwrap();
    refused("reproduce --out page", 1, &["cannot write page/report.html", "it is a directory"]);
    std::fs::create_dir_all(program.path("document/report.json")).unwrap();
    refused("reproduce --out document", 1, &["document/report.json"]);
    refused("reproduce harris2008 --out r", 2, &["[possible values: sengupta2006, roger2007, harris2007, "]);
    refused("reproduce --seconds soon --out r", 2, &["expected a number of seconds"]);
    assert_eq!(program.names(), ["document", "file", "page"]);
}

// --- An interrupt --------------------------------------------------------------------------------

#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on() {
    let program = Program::new();
    // At once, and when something is measured; the files are there from the beginning on.
    let measured = |least: usize| {
        let text = std::fs::read_to_string(program.path("r/report.json")).unwrap_or_default();
        text.contains("\"complete\": false") && cells(&text).len() >= least
    };
    // As many as a run without time has.
    program.run("reproduce harris2007 --quick --seconds 0 --out whole").ok();
    let whole = parsed(&String::from_utf8(program.read("whole/report.json")).unwrap());
    let all = list(&whole, "cells").len();
    let mut before = 0;
    for (least, option) in [(0, ""), (1, "--resume"), (2, "--resume")] {
        let run = program
            .interrupt(&format!("reproduce harris2007 --quick --seconds 600 --out r {option}"), || {
                measured(least)
            });
        let json = check_report(&program);
        let count = list(&json, "cells").len();
        assert_eq!(json["complete"], false);
        assert!(count >= least.max(before) && count < all, "{count} cells, {before} before");
        let says = format!("interrupted after {count} of {all} cells");
        assert!(run.stderr.contains(&says), "{}", run.stderr);
        // What is not whole is not kept.
        let whole = |cell: &Value| list(cell, "rows").len() + list(cell, "left_out").len() >= 2;
        assert!(list(&json, "cells").iter().all(whole), "{json}");
        before = count;
    }
    let kept = cells(&json(&program));
    program.run(GO_ON).ok();
    assert_eq!(check_report(&program)["complete"], true);
    assert_eq!(cells(&json(&program))[..kept.len()], kept);
}

// --- Two at a time -------------------------------------------------------------------------------

#[test]
fn a_folder_is_for_one_run_at_a_time() {
    let program = Program::new();
    let mut first = std::process::Command::new(env!("CARGO_BIN_EXE_rasterscan"))
        .current_dir(program.folder.path())
        .env("RASTERSCAN_CACHE", "off")
        .args("reproduce harris2007 --quick --seconds 600 --out r -q".split_whitespace())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !program.path("r/report.json").exists() {
        assert!(first.try_wait().unwrap().is_none(), "it ended at once");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    for option in ["", "--resume", "--overwrite"] {
        let second = program.run(&format!("reproduce harris2007 --quick --seconds 0 --out r {option}"));
        assert!(
            !second.stderr.contains("--overwrite"),
            "nothing that destroys is advised: {}",
            second.stderr
        );
        second.fails(1, &["another run is writing to r", "--out"]);
    }
    assert!(first.try_wait().unwrap().is_none(), "the first goes on");
    // However it ends, the folder is free then.
    first.kill().unwrap();
    first.wait().unwrap();
    program.run(GO_ON).ok();
    assert_eq!(check_report(&program)["complete"], true);
}

// --- In a browser --------------------------------------------------------------------------------

/// The first of these that is installed.
fn browser() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let named = ["chromium", "chromium-browser", "google-chrome"];
    let all = named.iter().flat_map(|name| std::env::split_paths(&paths).map(move |path| path.join(name)));
    all.into_iter().find(|path| path.is_file())
}

/// The document that the browser made of a page, and the browser's messages.
fn opened(browser: &Path, program: &Program, page: &str) -> Ran {
    let mut command = assert_cmd::Command::new(browser);
    command
        .current_dir(program.folder.path())
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
        ])
        .args(["--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--user-data-dir={}", program.path("browser").display()))
        .arg(format!("file://{}", program.path(page).display()))
        .timeout(std::time::Duration::from_secs(60));
    Ran::of(page, command.output().unwrap()).ok()
}

#[test]
fn a_browser_shows_the_page_without_complaint() {
    let Some(browser) = browser() else {
        println!("not applicable: no browser");
        return;
    };
    let program = Program::new();
    program.run("reproduce capannini2011 harris2007 --quick --seconds 1 --out r").ok();
    let shown = opened(&browser, &program, "r/report.html");
    let complaints: Vec<&str> = shown.stderr.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    let page = html(&program);
    let dom = shown.text();
    for part in ["<figure", "<svg", "<table", "<article", "<section", "<tr", "<path", "<text", " id="] {
        assert_eq!(dom.matches(part).count(), page.matches(part).count(), "{part}");
    }
    assert!(svgs(&page).len() >= 4);
    // Each is what it was, and so is not empty.
    for (shown, written) in svgs(dom).into_iter().zip(svgs(&page)) {
        check_svg(shown);
        let texts = |svg: &str| -> Vec<String> {
            let document = roxmltree::Document::parse(svg).unwrap();
            document.descendants().filter_map(|node| node.text()).map(|text| text.trim().to_owned()).collect()
        };
        assert_eq!(texts(shown), texts(written));
    }
}
