//! Outputs: every format, whole or not at all, and a reader that closes its pipe early.

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

/// An `.npy` goes through pipes, told by its magic, and keeps its type.
#[test]
fn bytes_go_through_pipes() {
    let program = Program::new();
    let npy = program.run_with("scan - --dtype i64 --format npy", "1 2 -4").ok().stdout;
    assert!(npy.starts_with(b"\x93NUMPY") && npy.ends_with(&[255; 8]), "{npy:?}");
    let sorted = program.run_with("sort - -o - --format npy", npy.clone()).ok().stdout;
    assert_eq!(program.run_with("scan - --op max", sorted.clone()).ok().values(), "-1 1 3");
    assert_eq!(sorted.len(), npy.len());
    let payload = program.run_with("sort values:3,1,2 --payload - --payload-out moved.txt", sorted);
    payload.fails(1, &["-1"]);
    let flags =
        [&b"\x93NUMPY\x01\0\x3f\0"[..], b"{'descr':'|b1','fortran_order':False,'shape':(3,)}"].concat();
    let flags = [flags, b" ".repeat(12), b"\n\x01\0\x01".to_vec()].concat();
    assert_eq!(program.run_with("compact values:3,1,7 --mask -", flags).ok().values(), "3 7");
    assert_eq!(program.run_with("compact values:3,1,7 --mask -", "1 0 1").ok().values(), "3 7");
    assert_eq!(program.run_with("scan - --format bin", "1 2").ok().stdout, [1, 0, 0, 0, 3, 0, 0, 0]);
    assert_eq!(program.run_with("scan - --format csv -o -", "1 2").ok().values(), "1 3");
    program.run_with("scan -", &b"\x93NUMPY\x01"[..]).fails(1, &["standard input", "truncated .npy"]);
    program.run_with("scan - --format npy -o a.csv", "1").fails(2, &["--format is for stdout", "a.csv"]);
    program.run_with("scan - --format png", "1").fails(2, &["png", "npy"]);
    program.run_with("scan - --format npy --json", "1").fails(2, &["--json"]);
    assert_eq!(program.names(), [""; 0]);
}

/// Raw numbers and pictures go through pipes, too: pictures are told by their magics, raw numbers by an option.
#[test]
fn raw_numbers_and_pictures_are_piped() {
    let program = Program::new();
    let raw = program.run_with("scan - --format bin", "1 2 4").ok().stdout;
    let summed = program.run_with("scan - --dtype u32 --input-format bin", raw.clone()).ok();
    assert_eq!(summed.values(), "1 4 11");
    program.run_with("scan - --input-format bin", raw.clone()).fails(2, &["--dtype u32, i32"]);
    program
        .run_with("scan - --dtype u64 --input-format bin", raw.clone())
        .fails(1, &["standard input", "12 bytes"]);
    program.run_with("scan - --dtype u32", raw.clone()).fails(1, &["standard input", "line 1"]);
    program.run_with("scan values:1 --input-format bin", "").fails(2, &["values:1 has no bytes"]);
    program.run_with("scan - --input-format xyz", "").fails(2, &["npy, csv, txt, bin, png, jpg"]);
    // Names that tell nothing, or something else.
    program.file("a.raw", raw.clone()).file("a.txt", raw);
    for name in ["a.raw", "a.txt"] {
        let summed = program.run(&format!("scan {name} --dtype u32 --input-format bin")).ok();
        assert_eq!(summed.values(), "1 4 11", "{name}");
    }
    program.run("scan a.raw").fails(1, &["unknown format", "--input-format"]);
    let picture = image::RgbImage::from_raw(2, 1, vec![9, 9, 9, 0, 0, 0]).unwrap();
    for format in [image::ImageFormat::Png, image::ImageFormat::Jpeg] {
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        let luma = program.run_with("scan - --exclusive", bytes.get_ref().clone()).ok().values();
        assert!(luma.starts_with("0 ") && luma.len() <= 4, "{luma}");
        let channels = program.run_with("scan - --channels", bytes.into_inner()).ok().values();
        assert_eq!(channels.split(' ').count(), 6, "{channels}");
    }
    program.run_with("scan - --channels", "1 2").fails(2, &["--channels is for images"]);
    let mut mask = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut mask, image::ImageFormat::Png).unwrap();
    assert_eq!(program.run_with("compact values:3,7 --mask -", mask.into_inner()).ok().values(), "3");
}

#[test]
fn an_output_that_exists_is_replaced_and_a_failure_leaves_it() {
    let program = Program::new();
    program.file("a.txt", "old");
    program.run_with("scan - -o a.txt", "1 x").fails(1, &["line 1", "'x' is not a number"]);
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

#[cfg(unix)]
#[test]
fn a_read_only_file_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let program = Program::new();
    program.file("a.txt", "old").file("b.txt", "old");
    std::fs::set_permissions(program.path("a.txt"), PermissionsExt::from_mode(0o444)).unwrap();
    std::os::unix::fs::symlink("a.txt", program.path("link.txt")).unwrap();
    for out in ["a.txt", "link.txt"] {
        program.run(&format!("scan random:n=4 -o {out}")).fails(1, &[out, "read-only"]);
    }
    assert_eq!(program.read("a.txt"), b"old");
    assert_eq!(program.names(), ["a.txt", "b.txt", "link.txt"]);

    // A replaced file keeps its mode: other users may not read this one.
    std::fs::set_permissions(program.path("b.txt"), PermissionsExt::from_mode(0o600)).unwrap();
    program.run("scan random:n=4 -o b.txt").ok();
    let mode = std::fs::metadata(program.path("b.txt")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_stay_links() {
    use std::os::unix::fs::symlink;
    let program = Program::new();
    std::fs::create_dir(program.path("data")).unwrap();
    program.file("data/a.txt", "old");
    symlink("data/a.txt", program.path("link.txt")).unwrap();
    symlink("link.txt", program.path("again.txt")).unwrap();
    symlink("data/new.txt", program.path("dangling.txt")).unwrap();
    symlink("loop.txt", program.path("loop.txt")).unwrap();
    for (out, target) in
        [("link.txt", "data/a.txt"), ("again.txt", "data/a.txt"), ("dangling.txt", "data/new.txt")]
    {
        program.file("data/a.txt", "old");
        program.run_with(&format!("scan - -o {out}"), "1 x").fails(1, &["'x' is not a number"]);
        assert_eq!(program.read("data/a.txt"), b"old");
        program.run_with(&format!("scan - -o {out}"), "1 2").ok();
        assert!(program.path(out).is_symlink(), "{out}");
        assert!(!program.path(target).is_symlink(), "{target}");
        assert_eq!(program.read(target), b"1\n3\n", "{out}");
    }
    program.run("scan random:n=4 -o loop.txt").fails(1, &["loop.txt", "symbolic links"]);
    assert_eq!(names(&program.path("data")), ["a.txt", "new.txt"]);
    assert_eq!(program.names(), ["again.txt", "dangling.txt", "data", "link.txt", "loop.txt"]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_regular_file_is_written_into() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let program = Program::new();
    symlink("/dev/full", program.path("full.npy")).unwrap();
    for out in ["/dev/full", "full.npy"] {
        program.run(&format!("scan random:n=4 -o {out}")).fails(1, &[out, "No space left"]);
    }
    assert_eq!(program.run_with("scan - -o /dev/stdout", "1 2").ok().text(), "1\n3\n");
    // As well where it is a file, which a shell opened to append to.
    program.file("log", "before\n");
    let log = std::fs::File::options().append(true).open(program.path("log")).unwrap();
    let status =
        program_with_stdout(&program, &["scan", "random:n=1,max=0", "-o", "/dev/stdout"], log.into());
    assert_eq!(status.code(), Some(0));
    assert_eq!(program.read("log"), b"before\n0\n");

    let pipe = program.path("pipe.txt");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let path = pipe.clone();
    let reader = std::thread::spawn(move || std::fs::read_to_string(path).unwrap());
    let run = program.run_with("scan - -o pipe.txt", "1 2");
    assert!(std::fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "it was replaced");
    run.ok();
    assert_eq!(reader.join().unwrap(), "1\n3\n");
    assert_eq!(program.names(), ["full.npy", "log", "pipe.txt"]);
}

/// Runs the program with its stdout led elsewhere.
pub fn program_with_stdout(program: &Program, arguments: &[&str], stdout: Stdio) -> std::process::ExitStatus {
    Command::new(env!("CARGO_BIN_EXE_rasterscan"))
        .env("RASTERSCAN_CACHE", "off")
        .current_dir(program.folder.path())
        .args(arguments)
        .stdout(stdout)
        .stderr(Stdio::null())
        .status()
        .unwrap()
}

#[cfg(unix)]
#[test]
fn a_stopped_program_leaves_nothing_behind() {
    use std::os::unix::process::ExitStatusExt;
    use std::time::Duration;
    // SIGINT goes the same way, but tests that run in the background have it ignored.
    let (name, number) = ("TERM", 15);
    // So large that the signal comes while it is written; where it does not, once more.
    let interrupted = (0..20).any(|_| {
        let program = Program::new();
        let mut child = Command::new(env!("CARGO_BIN_EXE_rasterscan"))
            .env("RASTERSCAN_CACHE", "off")
            .current_dir(program.folder.path())
            .args(["scan", "random:n=8000000", "-a", "sequential", "--no-verify", "-q", "-o", "a.txt"])
            .spawn()
            .unwrap();
        while program.names().is_empty() {
            assert!(child.try_wait().unwrap().is_none(), "it ended without a file");
            std::thread::sleep(Duration::from_millis(1));
        }
        let kill = format!("kill -{name} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        let status = child.wait().unwrap();
        match status.code() {
            // It was done before.
            Some(0) => assert_eq!(program.names(), ["a.txt"]),
            code => {
                let stopped = status.signal() == Some(number) || code == Some(128 + number);
                assert!(stopped, "{name}: {status}");
                assert!(program.names().is_empty(), "{name}: {:?}", program.names());
            }
        }
        status.code() != Some(0)
    });
    assert!(interrupted, "{name} always came too late");
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
        .env("RASTERSCAN_CACHE", "off")
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
