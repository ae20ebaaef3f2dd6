//! The preprocessor of C, run on GLSL: what a driver compiles of a shader.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// A text without directives and with its macros replaced.
pub struct Preprocessed {
    pub code: String,
    /// Warnings, one a line.
    pub warnings: String,
}

/// Preprocesses a text that has no `#version` and no `#extension`, with further options of `cc -E`.
///
/// # Panics
///
/// If there is no C compiler, or it refuses the text.
pub fn preprocessed(text: &str, options: &[&str]) -> Preprocessed {
    let mut cc = Command::new("cc")
        .args(["-E", "-P", "-undef", "-nostdinc"])
        .args(options)
        .args(["-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a C preprocessor");
    cc.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("the preprocessor reads");
    let output = cc.wait_with_output().expect("the preprocessor ends");
    let [code, warnings] = [output.stdout, output.stderr]
        .map(|bytes| String::from_utf8(bytes).expect("the preprocessor writes UTF-8"));
    assert!(output.status.success(), "the preprocessor failed:\n{warnings}\non\n{text}");
    Preprocessed { code, warnings }
}
