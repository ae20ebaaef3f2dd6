//! `compare --peers` and `reproduce --peers` with a stand-in for `rasterscan-peers`: its rows join the others, and whatever it
//! does, the others are compared.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rasterscan_lab::case::Case;
use rasterscan_lab::cell::{LeftOut, Measured, Row};
use rasterscan_lab::contender::PEERS;
use rasterscan_lab::peers::PeersDocument;
use serde_json::Value;

use super::{Program, Ran};

const ARGUMENTS: &str = "compare scan --peers -a horn --sizes 8 --seconds 0.2 --json it.json";

/// Compares scans of eight numbers beside a program that is this shell script.
fn compare(script: &str) -> (Ran, Value) {
    let program = Program::new();
    let peers = program.path("peers");
    fs::write(&peers, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&peers, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = program.command(ARGUMENTS);
    command.env("RASTERSCAN_PEERS", &peers);
    let ran = Ran::of(ARGUMENTS, command.output().unwrap()).ok();
    let document = serde_json::from_slice(&program.read("it.json")).unwrap();
    (ran, document)
}

/// A script that prints that numpy took three milliseconds for a case.
fn prints(case: &Case) -> String {
    let times = Row { ms: 3.2, ms_low: Some(3.1), ms_high: Some(3.3), runs: 9, ..Row::named(PEERS[0], case) };
    let rows = vec![Row { verified: true, ..times }];
    let left_out = vec![LeftOut::new("peer:lampshade".into(), case, "wgpu finds no adapter")];
    let document = serde_json::to_string(&PeersDocument::new(Measured { rows, left_out })).unwrap();
    format!("cat <<'TEXT'\n{document}\nTEXT")
}

fn names(document: &Value, list: &str) -> Vec<String> {
    let list = document[list].as_array().unwrap();
    list.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
}

/// The reason why all peers are left out, while all others are compared.
#[track_caller]
fn reason(script: &str) -> String {
    let (ran, document) = compare(script);
    assert!(names(&document, "rows").contains(&"horn".to_owned()));
    let left_out = document["left_out"].as_array().unwrap();
    let reasons = left_out.iter().filter(|entry| PEERS.contains(&entry["name"].as_str().unwrap()));
    let reasons: Vec<&str> = reasons.map(|entry| entry["reason"].as_str().unwrap()).collect();
    assert!(
        reasons.len() == PEERS.len() && reasons.iter().all(|reason| *reason == reasons[0]),
        "{reasons:?}"
    );
    assert!(ran.stderr.contains(&format!("peer:numpy is left out: {}", reasons[0])), "{}", ran.stderr);
    reasons[0].to_owned()
}

#[test]
fn rows_of_peers_join_the_others_and_say_how_they_were_timed() {
    let (ran, document) = compare(&prints(&Case::scan(8)));
    let rows = document["rows"].as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap();
    let (copy, numpy) = (row("copy:texture"), row("peer:numpy"));
    assert_eq!(numpy["ms"], 3.2);
    // As text, the last digit of a time may be another.
    let ratio = numpy["ratio"].as_f64().unwrap() * copy["ms"].as_f64().unwrap();
    assert!((ratio - 3.2).abs() < 1e-9, "{ratio}");
    assert_eq!(numpy["settled"], Value::Null);
    assert_eq!(rows.last(), Some(numpy), "after all others");
    assert!(ran.stderr.contains("peer:lampshade is left out: wgpu finds no adapter"), "{}", ran.stderr);
    let text = ran.text();
    assert!(text.contains("peer:numpy") && text.contains("not in turns with them"), "{text}");
}

/// The stand-in notes how it was called, which is where its case comes from.
#[test]
fn it_is_asked_for_the_case_that_was_just_measured() {
    let program = Program::new();
    let peers = program.path("peers");
    fs::write(&peers, "#!/bin/sh\nprintf '%s\\n' \"$@\" >called\n").unwrap();
    fs::set_permissions(&peers, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command =
        program.command("compare compact --peers -a points --sizes 8 --share 0.5 --seconds 0.2");
    Ran::of("compare compact", command.env("RASTERSCAN_PEERS", &peers).output().unwrap()).ok();
    let called = String::from_utf8(program.read("called")).unwrap();
    let case: Case = serde_json::from_str(called.lines().last().unwrap()).unwrap();
    assert_eq!(case, Case::compact(8, 0.5));
    for name in PEERS {
        assert!(called.contains(&format!("--peer\n{name}\n")), "{called}");
    }
    // A quarter of a second for each, though their share of the time is less.
    assert!(called.contains("--seconds\n1.75\n") && called.contains("--renderer\n"), "{called}");
    let mut command = program.command("compare scan -a horn,peer:cub --sizes 8 --seconds 0.2");
    Ran::of("compare scan", command.env("RASTERSCAN_PEERS", &peers).output().unwrap()).ok();
    let called = String::from_utf8(program.read("called")).unwrap();
    assert!(called.starts_with("--peer\npeer:cub\n--renderer\n"), "{called}");
}

/// All programs that a paper's claims need are built before anything is timed, and only those peers are asked.
#[test]
fn a_paper_names_its_peers() {
    let program = Program::new();
    let (peers, log, cache) = (program.path("peers"), program.path("called"), program.path("cache"));
    fs::write(&peers, format!("#!/bin/sh\necho \"$@\" >>{}\n", log.display())).unwrap();
    fs::set_permissions(&peers, fs::Permissions::from_mode(0o755)).unwrap();
    let arguments = "reproduce maleki2016 --quick --peers --seconds 1 --out r";
    let mut command = program.command(arguments);
    command.env("RASTERSCAN_PEERS", &peers).env("RASTERSCAN_CACHE", &cache);
    Ran::of(arguments, command.output().unwrap()).ok();
    let called = String::from_utf8(program.read("called")).unwrap();
    let lines: Vec<&str> = called.lines().collect();
    let names = "--peer peer:cub --peer peer:sam --peer peer:thrust";
    assert!(lines[0].starts_with(names) && lines[0].contains("--prepare -- {"), "{called}");
    // They come after all of ours, for which a second may be too short.
    for line in &lines[1..] {
        let asked = line.starts_with("--peer peer:cub --peer peer:thrust --peer peer:sam");
        assert!(asked && !line.contains("--prepare"), "{line}");
    }
    let report: Value = serde_json::from_slice(&program.read("r/report.json")).unwrap();
    let claims = report["claims"].as_array().unwrap();
    let claim = claims.iter().find(|claim| claim["claim"].as_str().unwrap().ends_with("beside CUB itself."));
    let why = claim.unwrap()["why"].as_str().unwrap();
    assert!(why.contains("(peer:cub)") || why.contains("the time was up"), "{why}");
}

#[test]
fn a_program_that_fails_or_talks_nonsense_is_left_out() {
    assert!(reason("exit 3").starts_with("rasterscan-peers failed (exit status: 3)"));
    assert!(reason("kill -9 $$").starts_with("rasterscan-peers failed (signal: 9"));
    assert!(reason("echo hello").starts_with("rasterscan-peers gave no valid answer: it is not a"));
    assert!(reason("exec yes").contains("rasterscan-peers"));
    assert!(reason(&prints(&Case::scan(9))).contains("that was not asked for"));
}

#[test]
fn without_the_program_that_is_said_before_anything_is_measured() {
    let program = Program::new();
    let mut command = program.command(ARGUMENTS);
    let ran = Ran::of(ARGUMENTS, command.env("RASTERSCAN_PEERS", "no/peers").output().unwrap());
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("cargo build --release --manifest-path peers/Cargo.toml"), "{}", ran.stderr);
    assert!(ran.stderr.contains("no/peers does not exist") && ran.stdout.is_empty(), "{}", ran.stderr);
    assert!(program.names().is_empty());
}
