//! A failure or a signal at every step of writing: each output is the old one or the new one, whole, and nothing
//! unfinished stays. The program itself runs, with `fault.c` between it and the system's calls.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::Program;

const ENOSPC: &str = "28";
const EIO: &str = "5";
const SIGKILL: i32 = 9;
/// HUP, INT, QUIT, USR1, USR2, ALRM, TERM, XCPU, VTALRM, PROF.
const SIGNALS: [i32; 10] = [1, 2, 3, 10, 12, 14, 15, 24, 26, 27];

/// Steps than which no output has more.
const MOST_STEPS: usize = 200;

/// The outputs, each written again for every step.
struct Case {
    arguments: &'static str,
    /// Names and contents of all files before each run.
    before: &'static [(&'static str, &'static str)],
    folder: Option<&'static str>,
}

const CASES: [Case; 5] = [
    Case {
        arguments: "scan random:n=30000 -a sequential --device 99 -o a.txt",
        before: &[("a.txt", "old")],
        folder: None,
    },
    // Piece by piece.
    Case {
        arguments: "scan random:n=3000 -a sequential --device 99 --chunk 999 -o a.npy",
        before: &[("a.npy", "old")],
        folder: None,
    },
    // Values and indices: both or neither.
    Case {
        arguments: "compact random:n=9 -a sequential --device 99 -o a.txt --indices=b.txt",
        before: &[("a.txt", "old"), ("b.txt", "old")],
        folder: None,
    },
    Case { arguments: "trace show ../saved.json -o new", before: &[], folder: None },
    Case { arguments: "trace show ../saved.json -o there", before: &[], folder: Some("there") },
];

/// All files in a folder and below, with their contents, by their names.
type Files = BTreeMap<PathBuf, Vec<u8>>;

fn files(folder: &Path) -> Files {
    let mut found = Files::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, bytes)| (name.join(inner), bytes)));
            // An empty one counts, too.
            found.insert(name, Vec::new());
        } else {
            found.insert(name, fs::read(path).unwrap());
        }
    }
    found
}

struct Stage {
    program: Program,
    case: &'static Case,
    old: Files,
    new: Files,
}

impl Stage {
    /// A case with the library of faults, and its results without a fault.
    fn new(case: &'static Case) -> Stage {
        let program = Program::new();
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/fault.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(program.path("fault.so")).args([source, "-ldl"]);
        assert!(compiler.status().unwrap().success(), "the C compiler failed");
        if case.arguments.contains("saved.json") {
            program.run("trace scan random:n=4 -a horn -o saved.json").ok();
        }
        let mut stage = Stage { program, case, old: Files::new(), new: Files::new() };
        stage.reset();
        stage.old = files(&stage.folder());
        let output = stage.command().output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        stage.new = files(&stage.folder());
        assert_ne!(stage.old, stage.new);
        stage
    }

    fn folder(&self) -> PathBuf {
        self.program.path("outputs")
    }

    fn reset(&self) {
        let folder = self.folder();
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        for (name, content) in self.case.before {
            fs::write(folder.join(name), content).unwrap();
        }
        if let Some(inner) = self.case.folder {
            fs::create_dir(folder.join(inner)).unwrap();
        }
    }

    /// The command, without core dumps, which SIGQUIT would write.
    fn command(&self) -> Command {
        let mut command = Command::new("sh");
        let program = env!("CARGO_BIN_EXE_rasterscan");
        command.args(["-c", &format!("ulimit -c 0; exec {program} {}", self.case.arguments)]);
        command.current_dir(self.folder()).env("RASTERSCAN_CACHE", "off");
        command
    }

    /// Runs with a fault at this step; `None` where there are not so many.
    fn run(&self, step: usize, fault: (&str, &str)) -> Option<Output> {
        self.reset();
        let fired = self.program.path("fired");
        let _ = fs::remove_file(&fired);
        let mut command = self.command();
        command
            .env("LD_PRELOAD", self.program.path("fault.so"))
            .env("FAULT_IN", fs::canonicalize(self.folder()).unwrap());
        command.env("FAULT_AT", step.to_string()).env("FAULT_FIRED", &fired).env(fault.0, fault.1);
        let output = command.output().unwrap();
        fired.exists().then_some(output)
    }

    /// Runs with a fault at every step.
    fn at_every_step(
        &self,
        fault: impl Fn(usize) -> (&'static str, String),
        check: impl Fn(&str, Output),
    ) -> usize {
        for step in 1..MOST_STEPS {
            let (name, value) = fault(step);
            match self.run(step, (name, &value)) {
                Some(output) => {
                    check(&format!("{}, {name}={value} at step {step}", self.case.arguments), output)
                }
                None => return step - 1,
            }
        }
        panic!("{}: no end of steps", self.case.arguments);
    }
}

#[test]
fn a_failure_at_any_step_leaves_the_old_or_gives_the_new() {
    for case in &CASES {
        let stage = Stage::new(case);
        for number in [ENOSPC, EIO] {
            let fault = |_| ("FAULT_ERRNO", number.to_owned());
            let steps = stage.at_every_step(fault, |what, output| {
                let stderr = String::from_utf8_lossy(&output.stderr);
                // Some steps have another way.
                let expected = match output.status.code() {
                    Some(0) => &stage.new,
                    Some(1) => &stage.old,
                    code => panic!("{what}: {code:?}\n{stderr}"),
                };
                assert_eq!(&files(&stage.folder()), expected, "{what}\n{stderr}");
                let told = usize::from(output.status.code() == Some(1));
                assert_eq!(stderr.matches("error: cannot write ").count(), told, "{what}\n{stderr}");
            });
            assert!(steps >= 6, "only {steps} steps were found: the search is broken");
        }
    }
}

#[test]
fn a_signal_at_any_step_leaves_nothing_unfinished() {
    for case in &CASES {
        let stage = Stage::new(case);
        // Each signal at each step of the simplest, one after the other of the others.
        let rounds = if std::ptr::eq(case, &CASES[0]) { SIGNALS.len() } else { 1 };
        for round in 0..rounds {
            let number = |step: usize| SIGNALS[(step + round) % SIGNALS.len()];
            let fault = |step| ("FAULT_SIGNAL", number(step).to_string());
            stage.at_every_step(fault, |what, output| {
                let ended = output.status.signal().is_some_and(|signal| SIGNALS.contains(&signal));
                // It came after the last thing that was to do; or it is ignored here, as in the background.
                let done = output.status.success();
                assert!(ended || done, "{what}: {}", output.status);
                let found = files(&stage.folder());
                assert!(found == stage.new || (ended && found == stage.old), "{what}: {found:?}");
            });
        }
    }
}

#[test]
fn what_a_killed_run_leaves_is_removed_by_the_next() {
    for case in &CASES[..2] {
        let stage = Stage::new(case);
        let fault = |_| ("FAULT_SIGNAL", SIGKILL.to_string());
        stage.at_every_step(fault, |what, output| {
            assert_eq!(output.status.signal(), Some(SIGKILL), "{what}");
            // Each is whole, whichever it is.
            let found = files(&stage.folder());
            for (name, bytes) in &stage.old {
                assert!(
                    found[name] == *bytes || found[name] == stage.new[name],
                    "{what}: {}",
                    name.display()
                );
            }
            assert!(stage.command().output().unwrap().status.success(), "{what}");
            assert_eq!(files(&stage.folder()), stage.new, "{what}");
        });
    }
}

/// A name never leads to bytes that are not stored: not even after a loss of power.
#[test]
fn a_file_is_stored_before_it_gets_its_name() {
    for case in &CASES {
        let stage = Stage::new(case);
        stage.reset();
        let log = stage.program.path("log");
        let mut command = stage.command();
        command.env("LD_PRELOAD", stage.program.path("fault.so")).env("FAULT_LOG", &log);
        command.env("FAULT_IN", fs::canonicalize(stage.folder()).unwrap());
        assert!(command.status().unwrap().success());
        let steps = fs::read_to_string(log).unwrap();
        let steps: Vec<&str> = steps.lines().collect();
        let last = |step: &str| steps.iter().rposition(|found| *found == step);
        let first_rename = steps.iter().position(|step| *step == "rename");
        assert!(last("write").is_some() && last("write") < last("fsync"), "{}: {steps:?}", case.arguments);
        assert!(last("fsync") < first_rename, "{}: {steps:?}", case.arguments);
        let count = |step: &str| steps.iter().filter(|found| **found == step).count();
        assert!(count("fsync") >= stage.new.keys().filter(|name| name.extension().is_some()).count());
    }
}

/// A limit on the length of files is an error with a message, not an end by a signal.
#[test]
fn a_limit_on_files_is_an_error() {
    let program = Program::new();
    program.file("a.txt", "old");
    let run = |redirect: &str| {
        let arguments = format!("scan random:n=30000 -a sequential --device 99 {redirect}");
        program.run_after("ulimit -f 2", &arguments)
    };
    run("-o a.txt").fails(1, &["cannot write a.txt", "File too large"]);
    assert_eq!((program.names(), program.read("a.txt")), (vec!["a.txt".to_owned()], b"old".to_vec()));
    run(">b.txt").fails(1, &["cannot write to stdout", "File too large"]);
}
