//! `compare --peers` where python3 is another than it should be: the peer is left out, and the rest is compared.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use super::{Program, Ran};

/// Compares scans of a single number beside a python3 that is this shell script.
fn compare(script: &str) -> (Ran, Value) {
    let program = Program::new();
    let python = program.path("python3");
    fs::write(&python, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    let paths = std::env::var("PATH").unwrap_or_default();
    let arguments = "compare scan --peers -a horn --sizes 1 --seconds 0.2 --json it.json";
    let mut command = program.command(arguments);
    command.env("PATH", format!("{}:{paths}", program.folder.path().display()));
    let ran = Ran::of(arguments, command.output().unwrap()).ok();
    let document = serde_json::from_slice(&program.read("it.json")).unwrap();
    (ran, document)
}

/// The reason for which numpy is left out.
#[track_caller]
fn reason(script: &str) -> String {
    let (ran, document) = compare(script);
    let names = |list: &str| -> Vec<String> {
        let list = document[list].as_array().unwrap();
        list.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(names("rows").contains(&"horn".to_owned()), "{:?}", names("rows"));
    assert!(!names("rows").contains(&"peer:numpy".to_owned()));
    let left_out = document["left_out"].as_array().unwrap();
    let numpy = left_out.iter().find(|entry| entry["name"] == "peer:numpy").unwrap();
    let reason = numpy["reason"].as_str().unwrap().to_owned();
    assert!(ran.stderr.contains(&format!("peer:numpy is left out, {reason}")), "{}", ran.stderr);
    reason
}

#[test]
fn a_python_without_numpy_is_left_out() {
    assert_eq!(reason("echo error python3 has no numpy"), "python3 has no numpy");
    assert_eq!(reason("exit 1"), "python3 ended without an answer");
}

#[test]
fn a_peer_that_is_wrong_is_left_out() {
    let script = "echo ready 1.0; read it; echo 5; read it; printf abcd >result; echo written; sleep 60";
    assert!(reason(script).starts_with("its result is wrong: "), "{}", reason(script));
}

#[test]
fn a_peer_that_dies_while_it_is_timed_is_left_out() {
    // The sum of one number is that number.
    let right = "cp input kept; echo ready 1.0; read it; echo 5; read it; mv kept result; echo written";
    assert_eq!(reason(&format!("{right}; read it; echo 900; exit 1")), "python3 ended without an answer");
    let (_, document) = compare(&format!("{right}; while read it; do echo 3200000; done"));
    let rows = document["rows"].as_array().unwrap();
    let numpy = rows.iter().find(|row| row["name"] == "peer:numpy").unwrap();
    assert_eq!((&numpy["verified"], &numpy["clock"]), (&Value::Bool(true), &Value::from("wall")));
    assert_eq!((&numpy["parameters"]["numpy"], &numpy["ms"]), (&Value::from("1.0"), &Value::from(3.2)));
}

#[cfg(not(feature = "peers"))]
#[test]
fn what_the_program_was_not_built_with_is_said() {
    let (ran, _) = compare("exit 1");
    let note = "peer:lampshade is left out, this program was built without the feature `peers`";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}
