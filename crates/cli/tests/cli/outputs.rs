//! Every option that names an output, with every kind of file: only regular files are replaced, a file that cannot be
//! written is refused before any work, and no temporary file remains.

use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use super::file_arguments::{FILE_ARGUMENTS, Is};
use super::{Program, Ran, names};

/// The commands that write a file, the name's place and its ending.
fn written() -> impl Iterator<Item = &'static str> {
    FILE_ARGUMENTS.iter().filter_map(|argument| match argument.is {
        Is::Written(run) => Some(run),
        _ => None,
    })
}

/// A program with what the commands read.
fn program() -> Program {
    let program = Program::new();
    program.run("trace show missing -o x").fails(1, &["missing"]);
    program.run("trace scan random:n=4 -a horn -o saved.json").ok();
    fs::rename(program.path("saved.json"), program.path("saved.trace")).unwrap();
    program.run("compare scan -a sequential --sizes 4 --seconds 0 --json saved.json").ok();
    fs::rename(program.path("saved.json"), program.path("saved.comparison")).unwrap();
    let answers = rasterscan_lesson::answers::Answers::of(&rasterscan_lesson::file::PUZZLES);
    program.file("saved.answers", answers.to_json());
    program
}

/// The command with this name in it, and the whole name of the file.
fn named(run: &str, name: &str) -> (String, String) {
    let word = run.split_whitespace().find(|word| word.contains("{}")).unwrap();
    let file = word.rsplit('=').next().unwrap().replace("{}", name);
    (run.replace("{}", name), file)
}

/// Checks that the command is refused before it opens a device: device 99 does not exist, and opening it would give
/// another error.
#[track_caller]
fn refused(program: &Program, arguments: &str, says: &str) {
    let output = program.command(arguments).env("RASTERSCAN_DEVICE", "99").output().unwrap();
    Ran::of(arguments, output).fails(1, &["cannot write", says]);
}

#[track_caller]
fn nothing_is_left(program: &Program, run: &str) {
    let left: Vec<String> =
        program.names().into_iter().filter(|name| name.starts_with(".rasterscan-")).collect();
    assert!(left.is_empty(), "{run}: {left:?}");
}

/// A device like `/dev/null` or `/dev/full`, under another name: no test may risk the system's. Only superusers can
/// make one. Other users could not replace the system's device either, so for them it is a link.
fn device(program: &Program, name: &str, minor: &str, system: &str) -> bool {
    let path = program.path(name);
    let made =
        Command::new("mknod").arg(&path).args(["-m", "666", "c", "1", minor]).stderr(Stdio::null()).status();
    if made.is_ok_and(|status| status.success()) {
        // Some file systems have device nodes that do not work.
        if fs::File::options().append(true).open(&path).is_ok() {
            return true;
        }
        fs::remove_file(&path).unwrap();
    }
    let superuser =
        fs::metadata("/proc/self").is_ok_and(|found| std::os::unix::fs::MetadataExt::uid(&found) == 0);
    if superuser {
        println!("not applicable: no device can be made here, and the system's are not risked");
        return false;
    }
    symlink(system, &path).unwrap();
    true
}

#[test]
fn a_device_stays_one() {
    let program = program();
    for run in written() {
        let (arguments, file) = named(run, "null");
        if !device(&program, &file, "3", "/dev/null") {
            return;
        }
        program.run(&arguments).ok();
        let kind = fs::metadata(program.path(&file)).unwrap().file_type();
        assert!(kind.is_char_device(), "{arguments}: it was replaced");
        nothing_is_left(&program, run);
        fs::remove_file(program.path(&file)).unwrap();
    }
}

#[test]
fn a_full_device_is_refused_at_once() {
    let program = program();
    for run in written() {
        let (arguments, file) = named(run, "full");
        if !device(&program, &file, "7", "/dev/full") {
            return;
        }
        refused(&program, &arguments, "No space left on device");
        let kind = fs::metadata(program.path(&file)).unwrap().file_type();
        assert!(kind.is_char_device(), "{arguments}: it was replaced");
        nothing_is_left(&program, run);
        fs::remove_file(program.path(&file)).unwrap();
    }
}

#[test]
fn a_pipe_is_written_into() {
    let program = program();
    for run in written() {
        let (arguments, file) = named(run, "pipe");
        let path = program.path(&file);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        let ran = program.run(&arguments);
        let is_pipe = fs::symlink_metadata(&path).unwrap().file_type().is_fifo();
        if ran.code != Some(0) {
            // The reader waits for a writer.
            drop(fs::File::options().write(true).open(&path));
        }
        ran.ok();
        assert!(is_pipe, "{arguments}: it was replaced");
        assert!(!reader.join().unwrap().is_empty(), "{arguments}");
        nothing_is_left(&program, run);
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_replaced() {
    let program = program();
    fs::create_dir(program.path("data")).unwrap();
    for run in written() {
        for (name, old) in [("link", Some("old")), ("dangling", None)] {
            let (arguments, file) = named(run, name);
            let target = program.path("data").join(&file);
            if let Some(old) = old {
                fs::write(&target, old).unwrap();
            }
            symlink(Path::new("data").join(&file), program.path(&file)).unwrap();
            program.run(&arguments).ok();
            assert!(program.path(&file).is_symlink(), "{arguments}: it was replaced");
            assert!(fs::symlink_metadata(&target).unwrap().is_file(), "{arguments}");
            assert!(fs::read(&target).unwrap().len() > 3, "{arguments}");
            nothing_is_left(&program, run);
            fs::remove_file(program.path(&file)).unwrap();
            fs::remove_file(target).unwrap();
        }
    }
    assert!(names(&program.path("data")).is_empty());
}

#[test]
fn what_cannot_be_written_is_refused_before_any_work() {
    let program = program();
    for run in written() {
        let (arguments, file) = named(run, "folder");
        fs::create_dir(program.path(&file)).unwrap();
        fs::write(program.path(&file).join("mine"), "mine").unwrap();
        // A trace may go into a folder that is empty.
        let says = if run.starts_with("trace") { "or an empty one" } else { "it is a directory" };
        refused(&program, &arguments, says);
        assert_eq!(names(&program.path(&file)), ["mine"], "{arguments}");
        fs::remove_dir_all(program.path(&file)).unwrap();

        let (arguments, file) = named(run, "read-only");
        program.file(&file, "old");
        fs::set_permissions(program.path(&file), Permissions::from_mode(0o444)).unwrap();
        refused(&program, &arguments, "it is read-only");
        assert_eq!(program.read(&file), b"old", "{arguments}");
        fs::remove_file(program.path(&file)).unwrap();

        refused(&program, &named(run, "none/a").0, "there is no directory none");
        refused(&program, &named(run, &"long".repeat(64)).0, "File name too long");
        nothing_is_left(&program, run);
    }
    for argument in FILE_ARGUMENTS {
        let Is::Folder(run) = argument.is else { continue };
        program.file("file", "old");
        let output =
            program.command(&run.replace("{}", "file")).env("RASTERSCAN_DEVICE", "99").output().unwrap();
        Ran::of(run, output).fails(1, &["file"]);
        assert_eq!(program.read("file"), b"old", "{run}");
    }
}

#[test]
fn a_folder_with_a_file_that_must_stay_is_refused_before_any_work() {
    let program = Program::new();
    fs::create_dir(program.path("out")).unwrap();
    program.file("out/demo.json", "old");
    fs::set_permissions(program.path("out/demo.json"), Permissions::from_mode(0o444)).unwrap();
    refused(&program, "demo --out out", "demo.json: it is read-only");
    fs::remove_file(program.path("out/demo.json")).unwrap();
    fs::create_dir(program.path("out/scan.npy")).unwrap();
    refused(&program, "demo --out out", "scan.npy: it is a directory");
    assert_eq!(names(&program.path("out")), ["scan.npy"]);
}

/// A folder that takes no files, for a user that may not write everywhere.
#[test]
fn a_locked_folder_is_refused_before_any_work() {
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;
    let program = program();
    let locked = program.path("locked");
    fs::create_dir(&locked).unwrap();
    for folder in [program.folder.path(), &locked] {
        fs::set_permissions(folder, Permissions::from_mode(0o555)).unwrap();
    }
    let superuser = fs::write(locked.join("probe"), "").is_ok();
    if superuser {
        fs::remove_file(locked.join("probe")).unwrap();
    }
    for run in written() {
        let arguments = named(run, "locked/a").0;
        let mut command = Command::new(env!("CARGO_BIN_EXE_rasterscan"));
        command.current_dir(program.folder.path()).args(arguments.split_whitespace());
        command.env("RASTERSCAN_DEVICE", "99").env("RASTERSCAN_CACHE", "off");
        if superuser {
            command.uid(NOBODY).gid(NOBODY);
        }
        match command.output() {
            Ok(output) => Ran::of(&arguments, output).fails(1, &["cannot write", "Permission denied"]),
            Err(error) => {
                println!("not applicable: the program cannot be started as another user: {error}");
                break;
            }
        }
        assert!(names(&locked).is_empty(), "{arguments}");
    }
    fs::set_permissions(program.folder.path(), Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(locked, Permissions::from_mode(0o755)).unwrap();
}

/// A file system without room: a small one in memory, which superusers can mount.
#[test]
fn a_full_file_system_is_an_error_and_leaves_what_was_there() {
    let program = Program::new();
    fs::create_dir(program.path("small")).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=64k tmpfs small || exit 77
         echo old >small/a.txt
         {} scan random:n=100000 -a sequential -o small/a.txt --device 99
         echo code $?
         cat /dev/zero >small/filler 2>/dev/null
         {0} compare scan --csv small/b.csv --device 99
         echo code $?
         cat small/a.txt; ls -A small",
        env!("CARGO_BIN_EXE_rasterscan")
    );
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", &script]).current_dir(program.folder.path());
    let output = command.env("RASTERSCAN_CACHE", "off").output();
    match output {
        Ok(output) if output.status.code() == Some(0) => {
            let (stdout, stderr) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert_eq!(stdout, "code 1\ncode 1\nold\na.txt\nfiller\n", "{stderr}");
            assert_eq!(stderr.matches("No space left on device").count(), 2, "{stderr}");
        }
        other => println!("not applicable: no file system can be mounted here: {other:?}"),
    }
}

#[test]
fn the_longest_names_can_be_written() {
    let program = program();
    for run in written() {
        let ending = named(run, "").1.len();
        let (arguments, file) = named(run, &"n".repeat(255 - ending));
        assert_eq!(file.len(), 255);
        program.run(&arguments).ok();
        assert!(!program.read(&file).is_empty(), "{arguments}");
        fs::remove_file(program.path(&file)).unwrap();
    }
}

#[test]
fn text_that_cannot_be_printed_is_an_error() {
    for arguments in [
        "--help",
        "scan --help",
        "--version",
        "list",
        "man",
        "completions bash",
        "kmodel",
        "gallery",
        "compare --explain",
        "scan random:n=9 -a sequential",
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_rasterscan"))
            .args(arguments.split_whitespace())
            .env("RASTERSCAN_CACHE", "off")
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        Ran::of(arguments, output).fails(1, &["cannot write to stdout", "No space left on device"]);
    }
}

/// Names that contain control characters reach the terminal as text, wherever they are printed.
#[test]
fn names_do_not_command_the_terminal() {
    let program = program();
    let name = "a\u{1b}[31m\u{7}\u{9b}2J";
    program.file(&format!("{name}.txt"), "1 x");
    program.file(&format!("{name}.csv"), "1 2");
    for arguments in [
        "scan {}.txt",
        "scan {}.none",
        "scan {}.csv -v -a sequential -o {}.npy",
        "scan {}.csv -o {}/a.npy",
        "scan {}.csv -o {}.odd",
        "scan random:n={}",
        "scan random:n=9 --op {}",
        "scan random:n=9 --{}",
        "scan random:n=9 -a {}",
        "{}",
        "compact {}.csv --keep {}",
        "compact {}.csv --mask {}.png",
        "trace show {}.json -o out",
        "trace show saved.trace -o {}",
        "trace show saved.trace -o {}.apng",
        "compare scan --csv {}/none/a.csv",
        "compare scan --against {}.json",
        "compare scan --sizes {}",
        "results {}.json",
        "results saved.comparison -o {}/none/a.md",
        "kmodel --svg {}.svg",
        "gallery {}",
        "app --trace {}.json --screenshot a.png",
        "app values:{} --screenshot a.png",
        "reproduce --resume --out {}",
    ] {
        let mut command = program.command("");
        command.args(arguments.split_whitespace().map(|word| word.replace("{}", name)));
        let output = command.output().unwrap();
        for bytes in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(bytes);
            let found = text.chars().find(|c| c.is_control() && !"\n\t".contains(*c));
            assert_eq!(found, None, "{arguments}: {text:?}");
        }
        assert!(!output.stderr.is_empty() || output.status.success(), "{arguments}");
    }
    let info = program.command("info").env("RASTERSCAN_CACHE", program.path(name)).output().unwrap();
    let text = String::from_utf8(info.stdout).unwrap();
    assert!(text.contains("a\\u{1b}[31m") && !text.contains('\u{1b}'), "{text:?}");
}

/// Wherever descriptors run out: at the folder, in it, or when it is to be removed.
#[test]
fn running_out_of_descriptors_leaves_nothing() {
    let program = program();
    let mut failed = 0;
    for limit in 4..16 {
        let arguments = format!("trace show saved.trace --svg -o out{limit}");
        let ran = program.run_after(&format!("ulimit -n {limit}"), &arguments);
        let whole = program.path(&format!("out{limit}")).exists();
        assert_eq!(ran.code, Some(i32::from(!whole)), "{}", ran.stderr);
        nothing_is_left(&program, &ran.arguments);
        failed += i32::from(!whole);
    }
    assert!((1..12).contains(&failed), "{failed} of 12 failed");
}

/// The pictures are longer than what is written before them.
#[test]
fn a_full_disk_leaves_all_files_of_a_comparison_or_none() {
    let program = program();
    let before = program.names();
    let arguments =
        "compare scan -a sequential --sizes 4 --seconds 0 --json a.json --csv a.csv --svg a.svg --png a.png";
    let ran = program.run_after("ulimit -f 16", arguments);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("cannot write a.") && ran.stderr.contains("File too large"),
        "{}",
        ran.stderr
    );
    assert_eq!(program.names(), before);
    program.run_after("ulimit -f unlimited", arguments).ok();
    assert_eq!(program.names().len(), before.len() + 4);
}

/// Drivers do not check for that.
#[test]
fn a_small_address_space_is_warned_of() {
    let program = program();
    let says = "limited to 488 MB (ulimit -v)";
    let run = "reduce values:1,2 -a packed --device software";
    assert!(program.run_after("ulimit -v 500000", run).stderr.contains(says));
    assert!(!program.run_after("ulimit -v unlimited", run).ok().stderr.contains(says));
}
