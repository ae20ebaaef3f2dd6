//! C programs against the library that is installed below `RASTERSCAN_C`: by pkg-config, as C99 and C++17, and under valgrind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The exit code of valgrind for errors.
const ERRORS: i32 = 99;

struct Installed {
    prefix: PathBuf,
    built: tempfile::TempDir,
}

impl Installed {
    fn new() -> Installed {
        let prefix = std::env::var("RASTERSCAN_C")
            .expect("RASTERSCAN_C names the folder that ./run installs the library to");
        Installed { prefix: prefix.into(), built: tempfile::tempdir().expect("a folder") }
    }

    fn flags(&self, words: &[&str]) -> Vec<String> {
        let mut command = Command::new("pkg-config");
        let output = command
            .args(words)
            .env("PKG_CONFIG_PATH", self.prefix.join("lib/pkgconfig"))
            .output()
            .expect("pkg-config");
        let output = done(output);
        output.split_whitespace().map(String::from).collect()
    }

    /// Compiles a program with all warnings as errors.
    fn compile(&self, compiler: &str, standard: &str, text: &str, libraries: &[String]) -> PathBuf {
        let file = self.built.path().join(if compiler == "c++" { "program.cpp" } else { "program.c" });
        fs::write(&file, text).expect("the program");
        let program = file.with_extension("");
        let mut command = Command::new(compiler);
        command
            .args([standard, "-pedantic", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"])
            .arg(&program)
            .arg(file);
        done(command.args(libraries).output().expect(compiler));
        program
    }

    fn dynamic(&self) -> Vec<String> {
        self.flags(&["--cflags", "--libs", "rasterscan", "egl", "glesv2"])
    }

    fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.env("LD_LIBRARY_PATH", self.prefix.join("lib"));
        command
    }

    /// Runs a program under valgrind, in which memory that is still reachable is an error, too.
    fn valgrind(&self, program: &Path, argument: &str) -> Output {
        let suppressions = concat!("--suppressions=", env!("CARGO_MANIFEST_DIR"), "/tests/driver.supp");
        let leaks = ["--leak-check=full", "--show-leak-kinds=all", "--errors-for-leak-kinds=all"];
        let mut command = self.command("valgrind");
        command
            .args(leaks)
            .args(["--num-callers=40", suppressions])
            .arg(format!("--error-exitcode={ERRORS}"));
        command.arg(program).arg(argument).output().expect("valgrind")
    }
}

fn done(output: Output) -> String {
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{}: {stdout}{stderr}", output.status);
    stdout
}

const SAMPLE: &str = include_str!("../examples/depth_sort.c");

#[test]
fn header_is_of_c99_and_of_c_plus_plus_17() {
    let installed = Installed::new();
    let text =
        "#include <rasterscan.h>\nint main(void) { return rs_abi_version() == RS_ABI_VERSION ? 0 : 1; }\n";
    for (compiler, standard) in [("cc", "-std=c99"), ("c++", "-std=c++17")] {
        let program = installed.compile(compiler, standard, text, &installed.dynamic());
        done(installed.command(program).output().expect("the program"));
    }
}

#[test]
fn calls_check_what_they_are_given() {
    let installed = Installed::new();
    let program = installed.compile("cc", "-std=c99", include_str!("calls.c"), &installed.dynamic());
    for level in ["gl", "gles3.0"] {
        let output = installed.command(&program).env("RASTERSCAN_API", level).output().expect("the program");
        assert!(done(output).ends_with("checks\n"));
    }
}

#[test]
fn static_library_is_complete() {
    let installed = Installed::new();
    let mut libraries = installed.flags(&["--static", "--cflags", "--libs", "rasterscan", "egl", "glesv2"]);
    let archive = installed.prefix.join("lib/librasterscan_c.a");
    let own = libraries.iter_mut().find(|word| *word == "-lrasterscan_c").expect("the library");
    *own = archive.to_string_lossy().into_owned();
    let program = installed.compile("cc", "-std=c99", SAMPLE, &libraries);
    assert!(done(Command::new(program).output().expect("the sample")).starts_with("1024 depths on "));
}

#[test]
fn sample_has_no_leak_and_no_invalid_access() {
    assert!(SAMPLE.lines().count() <= 60);
    let installed = Installed::new();
    let program = installed.compile("cc", "-std=c99", SAMPLE, &installed.dynamic());
    for (height, first) in [("1", "64 depths on "), ("64", "4096 depths on ")] {
        assert!(done(installed.valgrind(&program, height)).starts_with(first));
    }
}

#[test]
fn planted_leak_and_overrun_are_found() {
    let installed = Installed::new();
    let broken = SAMPLE
        .replace("    check(rs_free(plan));\n", "")
        .replace("malloc(n * sizeof *order)", "malloc(n * sizeof *order - 1)");
    let program = installed.compile("cc", "-std=c99", &broken, &installed.dynamic());
    let output = installed.valgrind(&program, "1");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(ERRORS), "{said}");
    assert!(said.contains("Invalid write") && said.contains("rs_plan_new"), "{said}");
}
