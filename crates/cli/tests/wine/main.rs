//! The program for Windows, under Wine: its results have the bytes that Linux gives, its window opens, and Ctrl-C leaves
//! nothing behind.
//!
//! `RASTERSCAN_WINDOWS` names the program. Wine maps its OpenGL to this machine's, so this tests the context, the window,
//! the paths and the console of that system, and no driver of it. `RASTERSCAN_SHOTS` names a folder for the picture of
//! the window.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use libtest_mimic::{Arguments, Trial};
use rasterscan::tools::registry;
use rasterscan_runner::screen::{Ends, Screen, is_installed, until};
use tempfile::TempDir;

/// The program for Windows beside the one for this system, in the same directory.
struct Wine {
    program: PathBuf,
    prefix: PathBuf,
    folder: TempDir,
    screen: Screen,
}

impl Wine {
    fn start() -> Wine {
        let given = std::env::var_os("RASTERSCAN_WINDOWS").expect("RASTERSCAN_WINDOWS names the program");
        for needed in ["wine", "x86_64-w64-mingw32-gcc"] {
            assert!(is_installed(needed), "{needed} is not installed");
        }
        let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("wine");
        std::fs::create_dir_all(&home).unwrap();
        let program = home.join("rasterscan.exe");
        std::fs::copy(given, &program).expect("RASTERSCAN_WINDOWS names the program");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wine/prng.c");
        let built = Command::new("x86_64-w64-mingw32-gcc")
            .args(["-shared", "-o", "bcryptprimitives.dll"])
            .arg(source)
            .arg("-ladvapi32")
            .current_dir(&home)
            .status();
        assert!(built.unwrap().success(), "a library for Wine");
        let screen = Screen::start().unwrap_or_else(|missing| panic!("{missing} is not installed"));
        let wine =
            Wine { program, prefix: home.join("prefix"), folder: tempfile::tempdir().unwrap(), screen };
        // The server makes none.
        std::fs::create_dir_all(&wine.prefix).unwrap();
        assert!(wine.server("-p").unwrap().success(), "Wine's server");
        // Wine's own programs begin with the first one, keep its output open, and stay.
        let first = wine.windows("list").stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(first.unwrap().success(), "the first program under Wine");
        wine
    }

    /// Tells Wine's server to stay, or to end. A server that ends by itself does so seconds after the last program, and takes
    /// with it one that begins meanwhile.
    fn server(&self, argument: &str) -> std::io::Result<ExitStatus> {
        Command::new("wineserver").arg(argument).env("WINEPREFIX", &self.prefix).status()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command under Wine.
    fn windows(&self, arguments: &str) -> Command {
        let mut command = Command::new("wine");
        // Errors of Wine itself are told.
        command.arg(&self.program).env("WINEPREFIX", &self.prefix).env("WINEDEBUG", "fixme-all");
        self.settled(command, arguments)
    }

    /// A command of this system.
    fn linux(&self, arguments: &str) -> Command {
        self.settled(Command::new(env!("CARGO_BIN_EXE_rasterscan")), arguments)
    }

    fn settled(&self, mut command: Command, arguments: &str) -> Command {
        command.current_dir(self.folder.path()).args(arguments.split_whitespace());
        for name in
            ["RASTERSCAN_DEVICE", "RASTERSCAN_API", "RASTERSCAN_CALLED", "NO_COLOR", "WAYLAND_DISPLAY"]
        {
            command.env_remove(name);
        }
        command
            .env("DISPLAY", &self.screen.name)
            .env("RASTERSCAN_CACHE", "off")
            .env("RASTERSCAN_PROBE", "off");
        command.stdin(Stdio::null());
        command
    }

    /// Both systems write the same bytes to the file that the arguments name as `OUT`.
    fn same(&self, arguments: &str, name: &str) {
        let run = |command: Command| {
            ran(command, arguments);
            let path = self.path(name);
            let bytes = std::fs::read(&path).unwrap();
            std::fs::remove_file(path).unwrap();
            bytes
        };
        let arguments_of = arguments.replace("OUT", name);
        let expected = run(self.linux(&arguments_of));
        let found = run(self.windows(&arguments_of));
        assert!(found == expected, "{arguments}: {} and {} bytes", found.len(), expected.len());
    }

    /// Both print the same bytes.
    fn same_print(&self, arguments: &str) {
        let print = |command: Command| ran(command, arguments).stdout;
        let (expected, found) = (print(self.linux(arguments)), print(self.windows(arguments)));
        assert!(!expected.is_empty(), "{arguments} prints nothing");
        assert!(found == expected, "{arguments}: {}", String::from_utf8_lossy(&found));
    }

    /// Both write files of the same names and bytes to the folder `pages`. Only those `named` count, if any are.
    fn same_files(&self, arguments: &str, named: &[&str]) {
        let run = |command: Command| {
            ran(command, arguments);
            let folder = self.path("pages");
            let mut files = BTreeMap::new();
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                if named.is_empty() || named.contains(&name.as_str()) {
                    files.insert(name, std::fs::read(path).unwrap());
                }
            }
            std::fs::remove_dir_all(folder).unwrap();
            files
        };
        let (found, expected) = (run(self.windows(arguments)), run(self.linux(arguments)));
        assert!(expected.len() >= named.len().max(2), "{arguments}: {:?}", expected.keys());
        assert!(found == expected, "{arguments}: {:?}, {:?}", found.keys(), expected.keys());
    }

    fn fails(&self, arguments: &str, code: i32, expected: &str) {
        let output = self.windows(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {}", said(&output));
        assert!(said(&output).contains(expected), "{arguments}: {}", said(&output));
    }
}

impl Drop for Wine {
    fn drop(&mut self) {
        let _ = self.server("-k");
    }
}

/// Runs a command, which must end well.
fn ran(mut command: Command, arguments: &str) -> Output {
    let output = command.output().unwrap();
    let status = output.status;
    assert!(status.success(), "{:?}: {arguments}: {status}\n{}", command.get_program(), said(&output));
    output
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Every algorithm of a problem, by the words before `-a`.
fn every_algorithm(wine: &Wine, problem: &str, words: &str) {
    let mut count = 0;
    for card in registry::all().filter(|card| card.problem.name == problem) {
        wine.same(&format!("{problem} {words} -a {} -o OUT", card.name), "out.npy");
        count += 1;
    }
    assert!(count >= 5, "{problem}: {count} algorithms");
}

fn the_device(wine: &Wine) {
    let output = wine.windows("info").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", said(&output));
    assert!(text.contains("OpenGL 4.") && text.contains("--device 0"), "{text}");
    wine.fails("info --device 1", 4, "there is no device 1: this system chooses the device");
    // Wine's driver here draws in software.
    if text.contains("llvmpipe") {
        wine.fails("info --device hardware", 4, "draws in software; use auto");
    }
}

fn the_demo(wine: &Wine) {
    // Over the files of an earlier run.
    let demo = "demo --out pages";
    ran(wine.windows(demo), demo);
    wine.same_files(demo, &["scan.npy", "compact.npy", "input.png", "scan.png", "compact.png"]);
}

fn a_recording(wine: &Wine) {
    // A recording of the one is shown by the other. Recordings themselves differ in their times.
    let made = wine.linux("trace scan random:n=37 -a hybrid -o run.json").status().unwrap();
    assert!(made.success());
    wine.same("trace show run.json -o OUT", "run.apng");
    wine.same_files("trace show run.json --svg -o pages", &[]);
}

fn the_drivers_trial(wine: &Wine) {
    let mut command = wine.windows("scan random:n=9 -a horn");
    let output = command.env("RASTERSCAN_PROBE", "60").output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

fn the_self_test(wine: &Wine) {
    let output = wine.windows("selftest --seconds 10").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", said(&output));
}

fn the_window(wine: &Wine) {
    let screen = &wine.screen;
    let mut app = Ends(wine.windows("app").stderr(Stdio::null()).spawn().unwrap());
    let window = until("the window", || {
        let ended = app.0.try_wait().unwrap();
        assert!(ended.is_none(), "it ended at once: {ended:?}");
        screen.window("^rasterscan: horn, pass 3 of 3$")
    });
    screen.xdotool(&["windowfocus", "--sync", &window]);
    until("a key to be taken", || {
        screen.xdotool(&["key", "--window", &window, "Home"]);
        std::thread::sleep(Duration::from_millis(300));
        screen.window("^rasterscan: horn, pass 0 of 3$")
    });
    std::thread::sleep(Duration::from_millis(500));
    let (width, height, picture) = screen.picture();
    if let Some(folder) = std::env::var_os("RASTERSCAN_SHOTS") {
        let path = Path::new(&folder).join("wine.png");
        image::save_buffer(path, &picture, width, height, image::ColorType::Rgb8).unwrap();
    }
    let colours: std::collections::BTreeSet<&[u8]> = picture.chunks_exact(3).collect();
    assert!(colours.len() > 100, "the window shows {} colours", colours.len());
    screen.xdotool(&["key", "--window", &window, "ctrl+q"]);
    let status = until("the end", || app.0.try_wait().unwrap());
    assert_eq!(status.code(), Some(0));
}

/// The exit code that Ctrl-C gives: the low byte of `STATUS_CONTROL_C_EXIT`.
const INTERRUPTED: i32 = 0x3A;

/// Starts a run in a directory of its own, interrupts it once `begun` finds something in that directory, and returns
/// its exit code and the names of what it left.
fn interrupted(wine: &Wine, arguments: &str, begun: impl Fn(&Path) -> bool) -> (Option<i32>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = wine.windows(arguments);
    command.current_dir(folder.path()).stderr(Stdio::null()).stdout(Stdio::null());
    let mut run = Ends(command.spawn().unwrap());
    until("the run to begin", || {
        assert!(run.0.try_wait().unwrap().is_none(), "it ended at once");
        begun(folder.path()).then_some(())
    });
    // Wine turns this signal into Ctrl-C.
    let pattern = format!("rasterscan.exe {}", arguments.split_whitespace().next().unwrap());
    let stopped = Command::new("pkill").args(["-INT", "-f", &pattern]).status().unwrap();
    assert!(stopped.success(), "no such process");
    let status = until("the end", || run.0.try_wait().unwrap());
    let names = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    (status.code(), names)
}

/// Ctrl-C while a file is written: it goes. Where the file was whole before, once more.
fn control_c(wine: &Wine) {
    let arguments = "scan random:n=8000000 -a sequential --no-verify -q -o a.txt";
    let stopped = (0..10).any(|_| {
        let (code, left) =
            interrupted(wine, arguments, |folder| std::fs::read_dir(folder).unwrap().next().is_some());
        match code {
            Some(0) => assert_eq!(left, ["a.txt"]),
            _ => assert_eq!((code, left), (Some(INTERRUPTED), Vec::new())),
        }
        code != Some(0)
    });
    assert!(stopped, "Ctrl-C always came too late");
}

/// Ctrl-C during a long comparison: what was measured is kept.
fn control_c_in_a_comparison(wine: &Wine) {
    let start = std::time::Instant::now();
    let arguments =
        "compare scan -a horn,packed --sizes 10,100,2^16..2^20 --seconds 600 --json a.json --svg a.svg";
    let (code, left) = interrupted(wine, arguments, |_| start.elapsed() > Duration::from_secs(4));
    assert_eq!((code, left), (Some(INTERRUPTED), vec!["a.json".to_owned(), "a.svg".to_owned()]));
}

type Test = fn(&Wine);

fn main() {
    let mut arguments = Arguments::from_args();
    // One driver and one screen.
    arguments.test_threads = Some(1);
    let trials: [(&str, Test); 13] = [
        ("the_device", the_device),
        ("the_list", |wine| wine.same_print("list --json")),
        ("the_demo", the_demo),
        ("every_scan", |wine| every_algorithm(wine, "scan", "random:n=5000")),
        ("every_compaction", |wine| every_algorithm(wine, "compact", "random:n=5000 --keep >100")),
        ("every_reduction", |wine| every_algorithm(wine, "reduce", "random:n=5000")),
        ("every_sort", |wine| every_algorithm(wine, "sort", "random:n=5000 --bits 16 --moves both")),
        ("a_recording", a_recording),
        ("the_drivers_trial", the_drivers_trial),
        ("the_self_test", the_self_test),
        ("the_window", the_window),
        ("control_c", control_c),
        ("control_c_in_a_comparison", control_c_in_a_comparison),
    ];
    if arguments.list {
        let named = |(name, _): &(&str, Test)| Trial::test(*name, || Ok(()));
        libtest_mimic::run(&arguments, trials.iter().map(named).collect()).exit();
    }
    let wine = std::sync::Arc::new(Wine::start());
    let conclusion = {
        let trial = |(name, test): (&str, Test)| {
            let wine = wine.clone();
            Trial::test(name, move || {
                test(&wine);
                Ok(())
            })
        };
        libtest_mimic::run(&arguments, trials.into_iter().map(trial).collect())
    };
    // Ends the servers.
    drop(wine);
    conclusion.exit();
}
