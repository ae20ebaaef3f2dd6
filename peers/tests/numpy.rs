//! The program with a broken python3: numpy is left out, and the rest is printed.
#![cfg(unix)]

use std::process::Command;

use rasterscan_lab::case::Case;
use rasterscan_lab::cell::Measured;
use rasterscan_lab::peers::parse;

/// Measures the scan of a single number beside a python3 that is this shell script.
fn measured(script: &str) -> Measured {
    measured_for(&Case::scan(1), script)
}

fn measured_for(case: &Case, script: &str) -> Measured {
    let folder = tempfile::tempdir().unwrap();
    let python = folder.path().join("python3");
    // Another process writes it: a program that another test starts meanwhile would have it open for writing, too, and it
    // could not be run.
    let text = format!("#!/bin/sh\n{script}\n");
    let write = "printf %s \"$1\" >\"$0\" && chmod 755 \"$0\"";
    assert!(Command::new("sh").args(["-c", write]).arg(&python).arg(text).status().unwrap().success());
    let paths = std::env::var("PATH").unwrap_or_default();
    let output = Command::new(env!("CARGO_BIN_EXE_rasterscan-peers"))
        .args(["--seconds", "0.2", "--software", "--", &serde_json::to_string(case).unwrap()])
        .env("PATH", format!("{}:{paths}", folder.path().display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    parse(&output.stdout, case).unwrap()
}

/// The reason why numpy is left out.
#[track_caller]
fn reason(script: &str) -> String {
    let measured = measured(script);
    assert!(measured.rows.iter().all(|row| row.name != "peer:numpy"), "{:?}", measured.rows);
    measured.left_out.into_iter().find(|left_out| left_out.name == "peer:numpy").unwrap().reason
}

#[test]
fn a_python_without_numpy_is_left_out() {
    assert_eq!(reason("echo error python3 has no numpy"), "python3 has no numpy");
    assert_eq!(reason("exit 1"), "python3 ended without an answer");
}

#[test]
fn recurrences_are_left_out() {
    let measured = measured_for(&Case::scan(1).with("recurrence", "1:2,-1").unwrap(), "exit 1");
    assert!(measured.rows.is_empty() && !measured.left_out.is_empty(), "{measured:?}");
    for left_out in measured.left_out {
        assert!(left_out.reason.contains("without recurrences"), "{}", left_out.reason);
    }
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
    let measured = measured(&format!("{right}; while read it; do echo 3200000; done"));
    let numpy = measured.rows.iter().find(|row| row.name == "peer:numpy").unwrap();
    assert_eq!((numpy.verified, numpy.clock.as_str(), numpy.ms), (true, "wall", 3.2));
    assert_eq!(numpy.parameters["numpy"], "1.0");
}

#[test]
fn a_case_that_is_none_is_an_error() {
    for (case, expected) in [("{}", "missing field"), ("scan", "expected value")] {
        let output = Command::new(env!("CARGO_BIN_EXE_rasterscan-peers")).arg(case).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(expected), "{text}");
    }
}
