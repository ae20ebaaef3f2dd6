//! Edited shaders: texts that take the place of an algorithm's own, behind the guard, and the first place where a run with
//! them differs from the run without.

use std::collections::BTreeMap;

use rasterscan::plan::Shader;
use rasterscan::trace::{Recording, Work};

use super::guard::{GUARD, MOST_BYTES};

/// Texts by the paths of the shaders that they replace, as in `glsl/`: `scan/horn/step.frag`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edits(BTreeMap<String, String>);

impl Edits {
    /// One edited shader.
    pub fn of(path: impl Into<String>, text: impl Into<String>) -> Edits {
        Edits([(path.into(), text.into())].into())
    }

    /// Replaces the text of a shader.
    pub fn set(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.0.insert(path.into(), text.into());
    }

    /// Goes back to the algorithm's own text.
    pub fn remove(&mut self, path: &str) {
        self.0.remove(path);
    }

    /// The text that replaces a shader's.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Returns true if nothing is edited.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Errors if a text is too long to be compiled.
    pub fn check(&self) -> Result<(), String> {
        match self.0.iter().find(|(_, text)| text.len() > MOST_BYTES) {
            Some((path, text)) => {
                Err(format!("glsl/{path}: the text has {} bytes; at most {MOST_BYTES}", text.len()))
            }
            None => Ok(()),
        }
    }

    /// The shader to run in the place of one, for
    /// [`Recorder::with_shaders`](rasterscan::tools::record::Recorder::with_shaders).
    pub fn instead_of(&self, shader: &Shader) -> Shader {
        match self.text(shader.path()) {
            Some(text) => shader.with_source(text.to_owned()).rewritten(GUARD),
            None => shader.clone(),
        }
    }
}

/// The signatures of the functions that a shader calls, from the files that it includes.
pub fn functions(shader: &Shader) -> Vec<String> {
    let (mut texts, mut paths) = (vec![shader.source()], Vec::new());
    let mut read = 0;
    while let Some(text) = texts.get(read).copied() {
        for path in text.lines().filter_map(|line| line.strip_prefix("#include ")) {
            if !paths.contains(&path) {
                paths.push(path);
                texts.extend(shader.included(path.trim_matches('"')));
            }
        }
        read += 1;
    }
    // Every operator has these two.
    let operator = ["Item identity() {", "Item combine(Item left, Item right) {"];
    let operator = operator.into_iter().filter(|_| paths.contains(&"<operator>"));
    let called = |signature: &&str| {
        let name = signature.split('(').next().and_then(|head| head.split(' ').nth(1));
        name.is_some_and(|name| {
            let before = |(at, _)| shader.source()[..at].chars().next_back();
            let call = format!("{name}(");
            let mut calls = shader.source().match_indices(&call).map(before);
            calls.any(|before| before.is_none_or(|before| before != '_' && !before.is_alphanumeric()))
        })
    };
    let lines = texts[1..].iter().flat_map(|text| text.lines()).chain(operator);
    let signatures = lines.filter_map(|line| line.strip_suffix(" {")).filter(|line| line.ends_with(')'));
    signatures.filter(|line| !line.starts_with(' ')).filter(called).map(str::to_owned).collect()
}

/// A line of an error in a shader: `glsl/PATH:LINE: ...`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// The line, from 1.
    pub line: usize,
    /// The driver's or the guard's words.
    pub message: String,
}

/// The lines of a shader that an error names.
pub fn marks(error: &str, path: &str) -> Vec<Marked> {
    let prefix = format!("glsl/{path}:");
    let mark = |line: &str| {
        let (number, message) = line.split_once(&prefix)?.1.split_once(':')?;
        Some(Marked { line: number.parse().ok()?, message: plain(message).to_owned() })
    };
    error.lines().filter_map(mark).collect()
}

/// A driver's message without its own place, as `0:12(3): error: ` or `ERROR: 0:12: `.
fn plain(message: &str) -> &str {
    let message = message.trim();
    match message.find("error: ").or(message.find("error C")) {
        Some(start) if start < 24 => message[start..].trim_start_matches("error: "),
        _ => match message.strip_prefix("ERROR: ") {
            Some(rest) => rest.splitn(3, ':').last().unwrap_or(rest).trim(),
            None => message,
        },
    }
}

/// The first place where a run differs from the run that it should equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The pass, from 0.
    pub pass: usize,
    /// The phase of the pass.
    pub phase: String,
    /// The number of the target among those of the pass.
    pub target: usize,
    /// The number of the stream.
    pub stream: usize,
    /// The texel of the target, or in a buffer the item.
    pub texel: u32,
    /// The stream's name.
    pub name: String,
    /// The position in the stream, in items.
    pub position: u64,
    /// The item of the run without edits.
    pub expected: String,
    /// The item of the run with edits.
    pub got: String,
}

/// The first target that differs, by passes, targets and positions. What the expected run does not write does not count.
pub fn difference(expected: &Recording, got: &Recording) -> Option<Difference> {
    for (number, (right, other)) in expected.passes.iter().zip(&got.passes).enumerate() {
        for (target, (right_content, content)) in right.targets.iter().zip(&other.targets).enumerate() {
            let layout = expected.layout(right_content.stream);
            let (a, b) = (&right_content.values, &content.values);
            let words = (layout.arity * a.element().words()) as usize;
            let written = right.written.get(target).and_then(Option::as_ref);
            let in_entry = match right.work {
                Work::Dispatch { .. } => 1,
                _ => layout.items_per_texel as usize,
            };
            let counts = |item: usize| {
                written.is_none_or(|written| written.get(item / in_entry.max(1)).copied().unwrap_or(true))
            };
            let pairs = a.words().chunks(words.max(1)).zip(b.words().chunks(words.max(1))).enumerate();
            let mut differing = pairs.filter(|(item, (a, b))| a != b && counts(*item));
            if let Some((item, _)) = differing.next() {
                let text = |values| {
                    crate::Item::at(values, layout.arity, item as u64)
                        .map_or(String::new(), |item| item.to_string())
                };
                return Some(Difference {
                    pass: number,
                    phase: right.phase.clone(),
                    target,
                    stream: content.stream,
                    texel: (item / (layout.items_per_texel as usize).max(1)) as u32,
                    name: expected.name(content.stream).to_owned(),
                    position: item as u64,
                    expected: text(a),
                    got: text(b),
                });
            }
        }
    }
    None
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Difference { pass, phase, name, position, expected, got, .. } = self;
        write!(f, "pass {} ({phase}) writes {got} to {name}[{position}]; expected {expected}", pass + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_lines() {
        let of = |error: &str| marks(error, "scan/horn/step.frag");
        let mark = |line, message: &str| vec![Marked { line, message: message.into() }];
        let mesa = "glsl/scan/horn/step.frag (u32 add) does not compile: glsl/scan/horn/step.frag:12: 0:12(3): error: syntax error";
        assert_eq!(of(mesa), mark(12, "syntax error"));
        let web = "x\nglsl/scan/horn/step.frag:7: ERROR: 0:7: 'a' : undeclared identifier";
        assert_eq!(of(web), mark(7, "'a' : undeclared identifier"));
        assert_eq!(of("glsl/scan/horn/step.frag:3: 0:3: error: expected ;"), mark(3, "expected ;"));
        assert_eq!(of("glsl/other.frag:3: 0:3: error: expected ;"), []);
    }

    #[test]
    fn a_shader_calls_functions_of_the_files_that_it_includes() {
        let text =
            "#include \"common/item_texels.glsl\"\nvoid main() { write_item(combine(a, left_of(b))); }";
        let expected = [
            "void write_item(Item item)",
            "ivec2 left_of(ivec2 texel, ivec2 distance, int width)",
            "Item combine(Item left, Item right)",
        ];
        let mut found = functions(&Shader::new("a.frag", text));
        found.sort_by_key(|signature| expected.iter().position(|known| known == signature));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_text_of_a_megabyte_is_refused() {
        assert!(Edits::of("a.frag", " ".repeat(1 << 20)).check().unwrap_err().contains("glsl/a.frag"));
        assert_eq!(Edits::of("a.frag", "void main() {}").check(), Ok(()));
    }
}
