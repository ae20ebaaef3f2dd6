//! Outputs: every format, whole or not at all, and a reader that has had enough.

use std::io::Read;
use std::process::{Command, Stdio};

use super::{Program, names};

#[test]
fn the_ending_decides_the_format() {
    let program = Program::new();
    let run = |out: &str| {
        let run = program.run_with(&format!("scan - -o {out}"), "1 2 3").ok();
        assert!(run.stdout.is_empty(), "values also went to stdout");
        assert!(run.stderr.contains(&format!("3 values written to {out}")), "{}", run.stderr);
        program.read(out)
    };
    assert_eq!(run("a.txt"), b"1\n3\n6\n");
    assert_eq!(run("a.csv"), b"1\n3\n6\n");
    assert_eq!(run("A.TXT"), b"1\n3\n6\n");
    assert_eq!(run("a.bin"), [1, 0, 0, 0, 3, 0, 0, 0, 6, 0, 0, 0]);
    let npy = run("a.npy");
    assert_eq!(&npy[..8], b"\x93NUMPY\x01\x00");
    let (header, data) = npy.split_at(npy.len() - 12);
    let text = String::from_utf8_lossy(&header[10..]);
    assert!(text.starts_with("{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }"), "{text}");
    assert!(text.ends_with('\n') && header.len().is_multiple_of(64));
    assert_eq!(usize::from(header[8]) + 10, header.len());
    assert_eq!(data, [1, 0, 0, 0, 3, 0, 0, 0, 6, 0, 0, 0]);
}

#[test]
fn what_is_written_can_be_read_again() {
    let program = Program::new();
    for (element, text, sums) in [
        ("u32", "1 4294967294", "1 4294967295"),
        ("i32", "-5 3", "-5 -2"),
        ("f32", "0.1 1e30 -2", "0.1 1e30 1e30"),
        ("u64", "1 99999999999", "1 100000000000"),
        ("i64", "-1 0", "-1 -1"),
    ] {
        let from = |input: &str, more: &str| {
            let arguments = format!("scan {input} --op max {more}");
            program.run(&arguments).ok().values()
        };
        for out in ["a.npy", "a.csv", "a.txt", "a.bin"] {
            program.run_with(&format!("scan - --dtype {element} -o {out}"), text).ok();
        }
        // The maximum so far of sums that grow is the sums; others are compared with each other.
        let binary = from("a.bin", &format!("--dtype {element}"));
        for file in ["a.npy", "a.csv", "a.txt"] {
            assert_eq!(from(file, &format!("--dtype {element}")), binary, "{element} in {file}");
        }
        let written = String::from_utf8(program.read("a.txt")).unwrap();
        assert_eq!(written.split_whitespace().collect::<Vec<_>>().join(" "), sums, "{element}");
    }
}

#[test]
fn an_output_that_exists_is_replaced_and_a_failure_leaves_it() {
    let program = Program::new();
    program.file("a.txt", "old");
    program.run_with("scan - -o a.txt", "1 x").fails(1, &["line 1", "'x' is no number"]);
    program.run_with("scan - -o a.txt --op xor", "1.5").fails(4, &["works on integers"]);
    assert_eq!(program.read("a.txt"), b"old");
    assert_eq!(program.names(), ["a.txt"]);
    program.run_with("scan - -o a.txt", "1 2").ok();
    assert_eq!(program.read("a.txt"), b"1\n3\n");
    assert_eq!(program.names(), ["a.txt"], "no temporary file is left");
}

#[test]
fn outputs_that_cannot_be_written_are_refused() {
    let program = Program::new();
    std::fs::create_dir(program.path("folder.txt")).unwrap();
    program.run("scan random:n=4 -o a.xyz").fails(1, &["a.xyz", ".npy, .csv, .txt or .bin"]);
    program.run("scan random:n=4 -o a").fails(1, &["cannot write a"]);
    program.run("scan random:n=4 -o none/a.txt").fails(1, &["none/a.txt", "no directory none"]);
    program.run("scan random:n=4 -o folder.txt").fails(1, &["folder.txt", "is a directory"]);
    assert_eq!(program.names(), ["folder.txt"]);
}

#[cfg(unix)]
#[test]
fn new_files_are_like_any_other_and_locked_directories_are_errors() {
    use std::os::unix::fs::PermissionsExt;
    let program = Program::new();
    program.run("scan random:n=4 -o a.txt").ok();
    program.file("plain.txt", "");
    let mode = |name| std::fs::metadata(program.path(name)).unwrap().permissions().mode();
    assert_eq!(mode("a.txt"), mode("plain.txt"));

    let locked = program.path("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, PermissionsExt::from_mode(0o555)).unwrap();
    // Some users, root among them, write everywhere.
    let is_locked = std::fs::write(locked.join("probe"), "").is_err();
    if is_locked {
        program.run("scan random:n=4 -o locked/a.txt").fails(1, &["locked/a.txt"]);
        assert!(names(&locked).is_empty());
    }
    std::fs::set_permissions(&locked, PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn json_goes_to_stdout_and_values_to_the_file() {
    let program = Program::new();
    let run = program.run_with("scan - --json -o a.txt", "1 2").ok();
    assert_eq!(run.json()["n"], 2);
    assert_eq!(program.read("a.txt"), b"1\n3\n");
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rasterscan"))
        .args(["scan", "random:n=200000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    // The pipe is closed here, with most of the values still to come.
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(!stderr.contains("error") && !stderr.contains("panicked"), "{stderr}");
}

#[test]
fn the_demo_writes_its_directory_whole() {
    let program = Program::new();
    let run = program.run("demo --out new").ok();
    assert_eq!(names(&program.path("new")), ["demo.json", "input.png", "scan.npy", "scan.png"]);
    assert_eq!(program.names(), ["new"], "nothing is left beside it");
    assert!(run.stderr.contains("Wrote input.png, scan.png, scan.npy, demo.json into new"));

    let json: serde_json::Value = serde_json::from_slice(&program.read("new/demo.json")).unwrap();
    assert_eq!(json["schema"], "rasterscan.demo/1");
    assert!(!json["gl"]["renderer"].as_str().unwrap().is_empty());
    let runs = json["runs"].as_array().unwrap();
    assert!(runs.len() >= 5);
    assert!(runs.iter().all(|run| run["verified"] == true && run["n"] == 872_000));

    // The file holds the scan of the picture beside it.
    program.run("scan new/input.png -a sequential -o again.npy").ok();
    assert!(program.read("again.npy") == program.read("new/scan.npy"));
    let picture = image::open(program.path("new/scan.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (1000, 872));
}

#[test]
fn the_demo_keeps_what_else_is_in_its_directory() {
    let program = Program::new();
    std::fs::create_dir(program.path("out")).unwrap();
    program.file("out/mine", "x").file("out/demo.json", "old").file("file", "");
    program.run("demo -q --out out").ok();
    let expected = ["demo.json", "input.png", "mine", "scan.npy", "scan.png"];
    assert_eq!(names(&program.path("out")), expected);
    assert_ne!(program.read("out/demo.json"), b"old");
    program.run("demo --out file").fails(1, &["file", "no directory"]);
    program.run("demo --out none/out").fails(1, &["none/out", "no directory none"]);
}
