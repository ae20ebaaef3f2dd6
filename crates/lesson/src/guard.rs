//! A guard for shader text that is not trusted: a student's. It preprocesses the composed text and puts a counter into
//! every loop, so that no driver sees a loop without a bound, a macro, or a text that grows without bound when its calls
//! are inlined and its arrays taken apart. `grade` has processes with limits besides; the app and the page have only this.
//!
//! The driver gets text that is written again from tokens: what this module does not know as a token cannot reach it. Lines
//! stay what they were, by `#line` directives.
//!
//! Without it, in Chromium on SwiftShader, a page hangs for more than a minute in a loop without an end or in 2^19 calls that
//! are inlined, and for 11 s in a copy of an array of 4096 words. The context is not lost, and no other process can end it.
//!
//! A crate was looked for first: `pp-rs` knows no `#line`, and `glsl-lang-pp` reads files and brings a parser generator.

pub(crate) mod bounds;
pub(crate) mod condition;
pub(crate) mod expand;
mod loops;
pub(crate) mod tokens;
pub(crate) mod words;

use std::fmt::{self, Write as _};

use rasterscan::plan::Rewrite;
use rasterscan::trace::STOPPED;

use tokens::{At, Token};

/// The guard, for [`Shader::rewritten`](rasterscan::plan::Shader::rewritten).
pub const GUARD: Rewrite = Rewrite { name: "guard", apply };

/// The longest text of one shader, in bytes.
pub const MOST_BYTES: usize = 1 << 16;

/// The longest text with all its includes, in bytes.
const MOST_COMPOSED: usize = 1 << 20;

/// The turns that the loops of an invocation may take, together. A turn of a long body counts as several.
pub const MOST_TURNS: u32 = 1 << 14;

/// Names that begin so belong to the counters.
const RESERVED: &str = "guard_";

/// An error in a text, and its place: the numbers of its file and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    at: At,
    message: String,
}

impl Wrong {
    fn new(at: At, message: impl Into<String>) -> Wrong {
        Wrong { at, message: message.into() }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at.file {
            Some(file) => write!(f, "{file}:{}: error: {}", self.at.line, self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Preprocesses a composed shader and bounds its loops.
fn apply(source: &str) -> Result<String, String> {
    guarded(source).map_err(|wrong| wrong.to_string())
}

fn guarded(source: &str) -> Result<String, Wrong> {
    if source.len() > MOST_COMPOSED {
        let message =
            format!("the shader has {} bytes with its includes; at most {MOST_COMPOSED}", source.len());
        return Err(Wrong::new(At::default(), message));
    }
    let expanded = expand::expand(source)?;
    bounds::check(&expanded.tokens)?;
    let steps = words::steps(&expanded.tokens)?;
    let counters = loops::counters(&expanded.tokens, &steps)?;
    Ok(written(&expanded, &counters))
}

/// The text for the driver.
fn written(expanded: &expand::Expanded, counters: &[loops::Counter]) -> String {
    let mut text = expanded.head.clone();
    let mut here = At::default();
    let counted = !counters.is_empty();
    let mut counters = counters.iter().peekable();
    let mut declared = !counted;
    for (number, Token { text: token, at, .. }) in expanded.tokens.iter().enumerate() {
        let begins = !declared && (at.file.is_some() || !expanded.has_files);
        if begins {
            declared = true;
            here = At { file: None, line: u32::MAX };
            let _ = write!(
                text,
                "\nhighp int {RESERVED}turns = 0;\nbool {RESERVED}over(highp int turns) {{ {RESERVED}turns += turns; return \
                 {RESERVED}turns > {MOST_TURNS}; }}"
            );
        }
        if here != *at {
            match at.file {
                Some(file) if here.file != at.file || at.line < here.line || at.line - here.line > 4 => {
                    let _ = write!(text, "\n#line {} {file}\n", at.line);
                }
                Some(_) => (here.line..at.line).for_each(|_| text.push('\n')),
                None => text.push('\n'),
            }
            here = *at;
        }
        if let Some(counter) = counters.next_if(|counter| counter.before == number) {
            let _ = write!(text, "if ({RESERVED}over({})) break; else ", counter.turns);
        }
        text.push_str(token);
        text.push(' ');
        let behind = |words: &[&str]| {
            let from = (number + 1).checked_sub(words.len());
            from.is_some_and(|from| {
                expanded.tokens[from..=number].iter().map(|token| token.text).eq(words.iter().copied())
            })
        };
        if counted && behind(&["void", "end_recording", "(", ")", "{"]) {
            let _ = write!(text, "if ({RESERVED}turns > {MOST_TURNS}) record_read({STOPPED}, 0); ");
        }
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
