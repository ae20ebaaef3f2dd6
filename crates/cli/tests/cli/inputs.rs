//! Inputs that are damaged, too large, or cannot be read: an error with the file's name, and no output.

use std::process::Command;

use rasterscan::trace::Recording;

use super::{Program, Ran, npy};

/// The picture that the demo uses.
const PICTURE: &[u8] = include_bytes!("../../assets/hubble_deep_field.jpg");

#[test]
fn a_picture_that_is_cut_off_is_no_picture() {
    let program = Program::new();
    for len in [2, 100, 20_000, 100_000, PICTURE.len() / 2, PICTURE.len() - 2, PICTURE.len() - 1] {
        program.file("cut.jpg", &PICTURE[..len]);
        program
            .run("scan cut.jpg -a sequential -o o.npy")
            .fails(1, &["cut.jpg", "the JPEG is damaged", "the file ends"]);
    }
    assert_eq!(program.names(), ["cut.jpg"]);
    program.file("whole.jpg", PICTURE);
    program.run("scan whole.jpg -a sequential -o o.npy").ok();
}

/// Runs by a shell, which limits memory or closes standard input before.
fn shell(program: &Program, script: &str) -> Ran {
    let script = script.replace("rasterscan", env!("CARGO_BIN_EXE_rasterscan"));
    let mut command = Command::new("sh");
    command.current_dir(program.folder.path()).env("RASTERSCAN_CACHE", "off").args(["-c", &script]);
    Ran::of(&script, command.output().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn standard_input_that_cannot_be_read_is_not_empty() {
    let program = Program::new();
    let fails = |redirection: &str, says: &str| {
        let ran = shell(&program, &format!("exec rasterscan scan - -a sequential {redirection}"));
        ran.fails(1, &["standard input", "cannot read", says]);
    };
    fails("<&-", "it is closed");
    fails("<.", "it is a directory");
    fails("0>written", "Bad file descriptor");
    let empty = shell(&program, "exec rasterscan scan - -a sequential </dev/null").ok();
    assert_eq!(empty.text(), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_stdout_loses_no_result_without_an_error() {
    let program = Program::new();
    for command in ["scan values:1,2,3 -a sequential", "reduce values:1,2,3 -a sequential --json"] {
        let closed = shell(&program, &format!("rasterscan {command} >&-; exit $?"));
        closed.fails(1, &["cannot write to stdout: it is closed"]);
        shell(&program, &format!("rasterscan {command} >/dev/null; exit $?")).ok();
        shell(&program, &format!("rasterscan {command} -o a.txt >&-; exit $?")).code.unwrap();
    }
    assert_eq!(program.read("a.txt"), b"6\n", "a file needs no stdout");
    // Others open the null device for reading, too.
    let null = std::fs::File::options().read(true).write(true).open("/dev/null").unwrap();
    let dropped =
        super::files::program_with_stdout(&program, &["scan", "values:1", "-a", "sequential"], null.into());
    assert!(dropped.success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_an_end_is_not_read_without_an_end() {
    use std::os::unix::fs::symlink;
    let program = Program::new();
    let says = [
        ("a.npy", "does not begin with"),
        ("a.txt", "a word of more than 4096 bytes"),
        ("a.png", "it is not an image of this format"),
        ("a.jpg", "it is not an image of this format"),
    ];
    for (name, says) in says {
        symlink("/dev/zero", program.path(name)).unwrap();
        program.run(&format!("scan {name} -a sequential")).fails(1, &[name, says]);
    }
    symlink("/dev/zero", program.path("mask.npy")).unwrap();
    program
        .run("compact random:n=9 -a sequential --mask mask.npy")
        .fails(1, &["mask.npy", "does not begin with"]);
    symlink("/dev/zero", program.path("a.json")).unwrap();
    program.run("trace show a.json -o out").fails(1, &["a.json", "invalid JSON"]);
    // These may be numbers, and are read until there are too many or the memory is full.
    symlink("/dev/zero", program.path("a.bin")).unwrap();
    let limited = "ulimit -v 500000; exec rasterscan scan a.bin --dtype u64 -a sequential";
    shell(&program, limited).fails(1, &["a.bin", "out of memory", "bytes for the numbers"]);
}

/// The sizes that are promised are not believed.
#[test]
fn headers_that_promise_too_much_are_refused_at_once() {
    let program = Program::new();
    program.file("a.npy", npy("<u4", "(1073741825,)", &[0; 1 << 17]));
    program
        .run("scan a.npy -a sequential")
        .fails(4, &["a.npy", "too many values: 1073741825", "(limit 1073741824)"]);
    program.file("b.npy", npy("<u8", "(1000000000,)", &[0; 80]));
    program.run("scan b.npy -a sequential").fails(1, &["b.npy", "but 80 bytes follow (truncated?)"]);
    program.file(
        "c.npy",
        b"\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF".iter().chain(&[b' '; 1 << 21]).copied().collect::<Vec<_>>(),
    );
    program.run("scan c.npy -a sequential").fails(1, &["c.npy", "header of 4294967295 bytes", "1048576"]);
}

/// Less memory than the input needs, at several limits: the error says so, and the program ends by itself.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_there_is_not_is_an_error_and_no_abort() {
    let program = Program::new();
    let pixels = 3000;
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, pixels, pixels);
    encoder.set_color(png::ColorType::Rgb);
    let image = vec![7; (3 * pixels * pixels) as usize];
    encoder.write_header().unwrap().write_image_data(&image).unwrap();
    drop(image);
    program.file("a.png", png).file("a.npy", npy("|u1", "(12000000,)", &vec![1; 12_000_000]));
    program.file("a.txt", "1 2\n".repeat(4_000_000)).file("a.bin", vec![1; 24_000_000]);
    let mut failed = 0;
    for arguments in [
        "scan a.png",
        "scan a.png --channels",
        "scan a.npy",
        "scan a.npy --dtype i64",
        "scan a.txt",
        "scan a.bin --dtype f32",
        "scan a.bin --dtype f32 --order 2 --no-verify",
        "scan random:n=12000000",
        "scan random:n=12000000 --dtype i64",
        "compact random:n=12000000,keep=0.9 --indices",
        "compact a.npy --mask a.npy",
        "compact a.bin --dtype i64 --keep >=0",
    ] {
        for megabytes in [60, 80, 105, 130, 170, 230, 400] {
            let limit = megabytes * 1000;
            let arguments = arguments.replace('>', "\\>");
            let script = format!(
                "ulimit -v {limit}; exec rasterscan {arguments} -a sequential --device 99 -o out.npy"
            );
            let ran = shell(&program, &script);
            assert!(!ran.stderr.contains("panicked"), "{script}\n{}", ran.stderr);
            match ran.code {
                Some(0) => {
                    std::fs::remove_file(program.path("out.npy")).unwrap();
                    break;
                }
                Some(1 | 4) => failed += 1,
                _ => panic!("{script}: {:?}\n{}", ran.code, ran.stderr),
            }
            assert!(ran.stderr.contains("out of memory: "), "{script}\n{}", ran.stderr);
            assert!(!program.path("out.npy").exists(), "{script}");
        }
    }
    assert!(failed >= 24, "only {failed} runs had too little memory");
}

#[test]
fn what_could_not_be_checked_is_said_in_spite_of_quiet() {
    let program = Program::new();
    let says = |arguments: &str, text: &str| program.run_with(arguments, text).ok().stderr;
    let quiet = says("scan - -a sequential -q", "1 nan 2");
    assert!(quiet.contains("2 of 3 cannot be checked (overflow or NaN)"), "{quiet}");
    assert_eq!(quiet.lines().count(), 1, "{quiet}");
    let quiet = says("scan - -a sequential -q", "nan");
    assert!(quiet.contains("not verified: 1 of 1"), "{quiet}");
    assert_eq!(says("scan - -a sequential -q", "1 2.5"), "");
    assert_eq!(says("scan - -a sequential -q --no-verify", "1 nan"), "");
}

#[test]
fn names_of_a_recording_are_bounded() {
    let program = Program::new();
    program.run("trace scan random:n=16 -a horn -o a.json").ok();
    let recording = Recording::load(program.path("a.json")).unwrap();
    let mut long = recording.clone();
    long.passes[1].phase = "phase ".repeat(1000);
    long.save(program.path("long.json")).unwrap();
    let says = ["long.json", "pass 1", "the phase has 6000 characters; at most 256"];
    program.run("trace show long.json -o long").fails(1, &says);
    long.passes[1].phase = "phäse ".repeat(42);
    long.save(program.path("long.json")).unwrap();
    program.run("trace show long.json -o long").ok();
}
