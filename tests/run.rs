//! The script `run` on systems that lack something: what it installs, and what it says. Other programs than the shell's own
//! are replaced by ones that only write down how they were called.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use rasterscan_runner::documents::root;
use tempfile::TempDir;

/// The programs that every system has, and the script uses.
const PLAIN: [&str; 12] =
    ["awk", "cat", "dirname", "env", "grep", "mktemp", "rm", "sed", "sh", "tr", "uname", "wc"];

/// A system with few programs.
struct System(TempDir);

impl System {
    /// Has a C compiler, OpenGL and apt-get, and neither Rust nor curl.
    fn new() -> System {
        let system = System(TempDir::new().unwrap());
        let path = std::env::var("PATH").unwrap();
        for name in PLAIN {
            let found = path.split(':').map(|folder| Path::new(folder).join(name)).find(|file| file.exists());
            symlink(found.unwrap_or_else(|| panic!("no {name}")), system.0.path().join(name)).unwrap();
        }
        for library in ["libEGL.so.1", "libgallium-0.so"] {
            fs::write(system.0.path().join(library), "").unwrap();
        }
        system.has("cc", "");
        system.has("id", "echo 0");
        system.has("apt-get", "echo \"$@\" >>\"$SYSTEM/installed\"");
        system.has("apt-cache", "");
        system
    }

    /// Adds a program: what a shell does.
    fn has(&self, name: &str, does: &str) {
        let file = self.0.path().join(name);
        fs::write(&file, format!("#!/bin/sh\n{does}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn lacks(&self, name: &str) {
        fs::remove_file(self.0.path().join(name)).unwrap();
    }

    /// The output of a command in the shell there, in the project's folder.
    fn shell(&self, command: &str) -> String {
        let folder = self.0.path();
        let output = Command::new(folder.join("sh"))
            .args(["-euc", command])
            .current_dir(root())
            .env_clear()
            .envs([("PATH", folder), ("SYSTEM", folder)])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the script there, which fails: what it says, and what it has installed.
    fn run(&self, arguments: &[&str]) -> (String, String) {
        let folder = self.0.path();
        let output = Command::new(folder.join("sh"))
            .arg(root().join("run"))
            .args(arguments)
            .env_clear()
            .envs([
                ("PATH", folder),
                ("HOME", folder),
                ("SYSTEM", folder),
                ("RASTERSCAN_LIBRARY_DIRS", folder),
            ])
            .output()
            .unwrap();
        assert!(!output.status.success(), "{output:?}");
        let installed = fs::read_to_string(folder.join("installed")).unwrap_or_default();
        (String::from_utf8(output.stderr).unwrap(), installed)
    }
}

/// The line of the manifest that says which Rust the program needs.
fn rust_needed() -> String {
    let manifest: toml::Table = include_str!("../Cargo.toml").parse().unwrap();
    manifest["workspace"]["package"]["rust-version"].as_str().unwrap().to_owned()
}

#[test]
fn one_version_of_rust_is_named_and_it_is_the_programs() {
    for compiler in ["", "echo 'rustc 1.63.0 (4b91a6ea7 2022-08-08)'"] {
        let system = System::new();
        if !compiler.is_empty() {
            system.has("cargo", "");
            system.has("rustc", compiler);
        }
        let (said, _) = system.run(&["info"]);
        let line = format!("run: Rust {} or newer is needed\n", rust_needed());
        assert!(said.contains(&line), "{said}");
    }
}

#[test]
fn curl_is_installed_before_a_command_that_needs_it_is_named() {
    let system = System::new();
    let (said, installed) = system.run(&["info"]);
    assert!(said.contains("\nrun:   curl --proto"), "{said}");
    assert!(installed.contains("--no-install-recommends curl ca-certificates"), "{installed}");
    // It is there.
    let system = System::new();
    system.has("curl", "");
    let (_, installed) = system.run(&["info"]);
    assert!(!installed.contains("curl"), "{installed}");
}

#[test]
fn where_nothing_is_installed_curl_is_named_among_what_is_missing() {
    let system = System::new();
    system.lacks("apt-get");
    let (said, installed) = system.run(&["info"]);
    assert!(said.contains("that line needs curl"), "{said}");
    assert_eq!(installed, "");
    system.has("curl", "");
    let (said, _) = system.run(&["info"]);
    assert!(said.contains("curl --proto") && !said.contains("that line needs curl"), "{said}");
}

#[test]
fn the_window_is_built_for_the_app_and_then_stays() {
    let system = System::new();
    system.has("rustc", &format!("echo rustc {}.0", rust_needed()));
    system.has("cargo", "echo \"$@\"");
    // It has its windows itself.
    system.lacks("uname");
    system.has("uname", "echo Darwin");
    let run = |words: &str| {
        let run = format!("CARGO_TARGET_DIR=$SYSTEM/target ./run {words} 2>&1");
        let said = system.shell(&run);
        let ends = said.ends_with(&format!(" --package rasterscan-cli --bin rasterscan -- {words}\n"));
        assert!(ends, "{said}");
        [said.contains("building"), said.contains("--quiet"), said.contains("--no-default-features")]
    };
    let folder = system.0.path().join("target/release/deps");
    fs::create_dir_all(&folder).unwrap();
    let (first, later) = ([true, false], [false, true]);
    let form = |[building, quiet]: [bool; 2], small| [building, quiet, small];
    assert_eq!(run("scan random:n=4"), form(first, true));
    fs::write(folder.join("../rasterscan"), "").unwrap();
    assert_eq!(run("demo"), form(later, true));
    for words in ["app", "--device cpu app --tour", "man", "completions bash"] {
        assert_eq!(run(words), form(first, false), "{words}");
    }
    fs::write(folder.join("librasterscan_app-0.rlib"), "").unwrap();
    assert_eq!(["app", "demo"].map(run), [form(later, false); 2]);
}

/// The functions of the script that the nightly form uses, for a system on which nothing is installed and every step passes.
const STUBS: &str = "
    built() { echo \"$SYSTEM\"; }
    have() { false; }
    library() { false; }
    has_mesa() { false; }
    say() { :; }
    set_up_test_programs() { :; }
    set_up_web() { :; }
    set_up_windows() { :; }
    set_up_python() { :; }
    set_up_mpi() { :; }
    set_up_target() { :; }
    install_for_tests() { :; }
    step() { echo \"== $1\"; }
    all_passed() { :; }
    macos=
    . tests/nightly/steps.sh
";

#[test]
fn a_driver_that_is_not_installed_is_named_and_nothing_is_said_to_have_passed_on_it() {
    let system = System::new();
    let drivers = system.shell(&format!("{STUBS} echo $drivers"));
    let drivers: Vec<&str> = drivers.split_whitespace().collect();
    assert!(drivers.len() >= 5, "{drivers:?}");
    let said = system.shell(&format!("{STUBS} nightly_steps"));
    for driver in &drivers {
        assert!(said.contains(&format!("NOT COVERED: {driver}: ")), "{said}");
        assert!(!said.contains(&format!("== driver: {driver}")), "{said}");
    }
    assert!(said.ends_with(&format!("== passed, but NOT COVERED: {}\n", drivers.join(" "))), "{said}");
    assert!(!said.contains("all passed"), "{said}");
    // Where all of them are, each has its step.
    let all = "has_nightly_driver() { :; }";
    let said = system
        .shell(&format!("{STUBS} {all}; nightly_steps; for driver in $drivers; do type check_$driver; done"));
    for driver in &drivers {
        assert!(said.contains(&format!("== driver: {driver}\n")), "{said}");
        assert!(said.contains(&format!("check_{driver} is a")), "{said}");
    }
    assert!(said.contains("== all passed: the nightly form") && !said.contains("NOT COVERED"), "{said}");
}
