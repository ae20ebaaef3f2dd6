//! The program, driven through its binary: every input and output, every error with its exit code,
//! documents as JSON, and outputs that appear whole or not at all.

#[path = "cli/chunked.rs"]
mod chunked;
#[path = "cli/compact.rs"]
mod compact;
#[path = "cli/compact_errors.rs"]
mod compact_errors;
#[path = "cli/compare.rs"]
mod compare;
#[path = "cli/demo.rs"]
mod demo;
// Where a library can be put in front of the system's.
#[cfg(target_os = "linux")]
#[path = "cli/device_faults.rs"]
mod device_faults;
#[path = "cli/drivers.rs"]
mod drivers;
#[path = "cli/errors.rs"]
mod errors;
// Where libraries can be put before the system's.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[path = "cli/faults.rs"]
mod faults;
#[path = "cli/file_arguments.rs"]
mod file_arguments;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/forms.rs"]
mod forms;
#[path = "cli/gallery.rs"]
mod gallery;
#[path = "cli/grade.rs"]
mod grade;
#[path = "cli/histogram.rs"]
mod histogram;
#[path = "cli/inputs.rs"]
mod inputs;
#[path = "cli/kmodel.rs"]
mod kmodel;
#[path = "cli/malformed.rs"]
mod malformed;
#[cfg(target_os = "linux")]
#[path = "cli/outputs.rs"]
mod outputs;
#[path = "cli/peers.rs"]
mod peers;
#[path = "cli/reduce.rs"]
mod reduce;
#[path = "cli/reports.rs"]
mod reports;
#[path = "cli/reproduce.rs"]
mod reproduce;
#[path = "cli/results.rs"]
mod results;
#[path = "cli/sort.rs"]
mod sort;
#[path = "cli/trace.rs"]
mod trace;
#[path = "cli/tune.rs"]
mod tune;

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use rasterscan::Plan;
use serde_json::Value;
use tempfile::TempDir;

/// The program in a directory of its own, with no settings from around it.
struct Program {
    folder: TempDir,
}

impl Program {
    fn new() -> Program {
        Program { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Program {
        std::fs::write(self.path(name), bytes).unwrap();
        self
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = self.command_of(env!("CARGO_BIN_EXE_rasterscan"));
        command.args(arguments.split_whitespace());
        command
    }

    /// A command that runs this program in the folder, with nothing of the user's.
    fn command_of(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path());
        for name in ["RASTERSCAN_DEVICE", "RASTERSCAN_API", "RASTERSCAN_CALLED", "NO_COLOR"] {
            command.env_remove(name);
        }
        // Never the user's own cache; the folder does not exist before `tune` makes it.
        command.env("RASTERSCAN_CACHE", self.path("cache"));
        // All tests use one driver; a separate test checks the trial.
        command.env("RASTERSCAN_PROBE", "off");
        command
    }

    fn run(&self, arguments: &str) -> Ran {
        Ran::of(arguments, self.command(arguments).output().unwrap())
    }

    fn run_with(&self, arguments: &str, stdin: impl Into<Vec<u8>>) -> Ran {
        Ran::of(arguments, self.command(arguments).write_stdin(stdin.into()).output().unwrap())
    }

    /// Runs in a shell, after commands such as `ulimit -v 1400000` (kilobytes), on a driver whose own need is known. The
    /// arguments may contain redirections.
    fn run_after(&self, commands: &str, arguments: &str) -> Ran {
        let script = format!("{commands}; exec \"$0\" {arguments}");
        let mut shell = self.command_of("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_rasterscan")]);
        shell.env("RASTERSCAN_DEVICE", "software").env("LP_NUM_THREADS", "2");
        Ran::of(&script, shell.output().unwrap())
    }

    /// Runs on a level without such shaders (`compute` or `geometry`); prints "not applicable" if the driver has them
    /// on every level.
    fn without(&self, shaders: &str) -> Option<impl Fn(&str) -> Ran> {
        let run = |arguments: &str| {
            let mut command = self.command(arguments);
            command.env("RASTERSCAN_API", "gles").env("MESA_GLES_VERSION_OVERRIDE", "3.0");
            Ran::of(arguments, command.output().unwrap())
        };
        if run("info --json").ok().json()["device"][shaders] == true {
            println!("not applicable: this driver has {shaders} shaders on every level");
            return None;
        }
        Some(run)
    }

    /// Starts a run, which first names its machine; interrupts it once `begun` returns true, and checks that it ends by
    /// that signal.
    #[cfg(unix)]
    fn interrupt(&self, arguments: &str, begun: impl Fn() -> bool) -> Ran {
        use std::io::{BufRead, BufReader, Read};
        use std::os::unix::process::ExitStatusExt;
        use std::process::Stdio;
        // Tests that run in the background ignore SIGINT, and the program inherits that.
        let (signal, number) = if ignores_interrupts() { ("TERM", 15) } else { ("INT", 2) };
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_rasterscan"))
            .current_dir(self.folder.path())
            .env("RASTERSCAN_CACHE", "off")
            .args(arguments.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut reader = BufReader::new(child.stderr.take().unwrap());
        let mut stderr = String::new();
        reader.read_line(&mut stderr).unwrap();
        assert!(stderr.contains(" cores"), "no machine: {stderr}");
        while !begun() {
            assert!(child.try_wait().unwrap().is_none(), "it ended at once: {stderr}");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let kill = format!("kill -{signal} {}", child.id());
        assert!(std::process::Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        reader.read_to_string(&mut stderr).unwrap();
        let output = child.wait_with_output().unwrap();
        let status = output.status;
        assert_eq!(status.signal(), Some(number), "{arguments}: {status}\n{stderr}");
        Ran { stderr, ..Ran::of(arguments, output) }
    }

    /// Names of all that is in the directory, hidden files too, sorted; without a cache that has nothing but binaries of
    /// programs, which any run may keep.
    fn names(&self) -> Vec<String> {
        let mut names = names(self.folder.path());
        names.retain(|name| name != "cache" || !self.cached().is_empty());
        names
    }

    /// Names of what is in the cache besides the binaries of programs; none if there is no cache.
    fn cached(&self) -> Vec<String> {
        let cache = self.path("cache");
        let mut names = if cache.exists() { names(&cache) } else { Vec::new() };
        names.retain(|name| name != "programs");
        names
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Returns true if this process ignores SIGINT. Known only where the system tells, as Linux does.
#[cfg(unix)]
fn ignores_interrupts() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> 1 & 1 == 1)
}

/// The result of a run.
struct Ran {
    arguments: String,
    code: Option<i32>,
    stdout: Vec<u8>,
    stderr: String,
}

impl Ran {
    fn of(arguments: &str, output: Output) -> Ran {
        Ran {
            arguments: arguments.into(),
            code: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// It ended well.
    #[track_caller]
    fn ok(self) -> Ran {
        assert_eq!(self.code, Some(0), "{}\n{}", self.arguments, self.stderr);
        self
    }

    /// It ended with this code, no data, and one error that says all of these.
    #[track_caller]
    fn fails(self, code: i32, says: &[&str]) {
        assert_eq!(self.code, Some(code), "{}\n{}", self.arguments, self.stderr);
        assert!(self.stdout.is_empty(), "{}: data in spite of an error", self.arguments);
        let errors = self.stderr.matches("error:").count();
        assert_eq!(errors, 1, "{}\n{}", self.arguments, self.stderr);
        assert!(self.stderr.contains("rasterscan: error: "), "{}\n{}", self.arguments, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}\n{}", self.arguments, self.stderr);
        for part in says {
            assert!(self.stderr.contains(part), "{}: no '{part}' in\n{}", self.arguments, self.stderr);
        }
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// The values of stdout, in one line.
    fn values(&self) -> String {
        self.text().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout)
            .unwrap_or_else(|error| panic!("{}: {error}\n{}", self.arguments, self.text()))
    }
}

/// The facts of a plan in documents, by the names of their fields.
fn counts(plan: &Plan) -> [(&'static str, u64); 7] {
    let cost = plan.cost();
    [
        ("passes", plan.passes().len() as u64),
        ("texels_written", cost.texels_written),
        ("words_read", cost.words_read),
        ("words_written", cost.words_written),
        ("words_moved", cost.words_read + cost.words_written),
        ("vertices", cost.vertices),
        ("adds", cost.adds),
    ]
}

/// An `.npy` file as NumPy writes it.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    npy_with_header(&format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"), data)
}

fn npy_with_header(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    bytes.extend((padded as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.resize(10 + padded - 1, b' ');
    bytes.push(b'\n');
    bytes.extend(data);
    bytes
}
