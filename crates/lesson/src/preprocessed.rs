//! The text of a shader as the runs of a puzzle use it: branches of `#if` that they decide all alike are left out, and so is
//! what the comment at the head says of them. A student then reads the step without its variants.

use std::collections::HashMap;

use rasterscan::plan::{Dialect, Shader, expand};
use rasterscan::tools::job::{Job, Wanted};
use rasterscan::{Device, tools::Task};

use super::guard::{condition, tokens};

/// The longest line of a comment that is filled again.
const LONGEST: usize = 100;

/// The defines of a shader in some runs.
pub struct Defines {
    /// The value of each define that every run sets to the same; `None` where they differ.
    values: HashMap<String, Option<i64>>,
    /// The composed text of each pass, for the names that the included files define.
    composed: Vec<String>,
}

impl Defines {
    /// The defines of the shader of this path in all passes of these jobs, on devices of every kind.
    pub fn of<'a>(jobs: impl Iterator<Item = &'a Job>, path: &str) -> Defines {
        let mut passes: Vec<HashMap<String, i64>> = Vec::new();
        let mut composed: Vec<String> = Vec::new();
        let devices = [Device::gl43(), Device::gl33()];
        let devices =
            devices.into_iter().flat_map(|device| [Device { software: true, ..device.clone() }, device]);
        let devices: Vec<Device> = devices.collect();
        for job in jobs {
            let Wanted::Algorithm(choice) = &job.algorithm else { continue };
            let Ok(task) = Task::of_job(job) else { continue };
            for device in &devices {
                // A device without a plan compiles no text, either.
                let Ok(Some(plan)) = choice.plan(task.request(), device) else { continue };
                for pass in plan.passes() {
                    let defines = pass.defines();
                    for shader in pass.shaders().into_iter().filter(|shader| shader.path() == path) {
                        let text = expand(shader, Dialect::Gl, &pass.item, &[]);
                        composed.extend(
                            text.ok().map(|text| text.source).filter(|text| !composed.contains(text)),
                        );
                        passes
                            .push(defines.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect());
                    }
                }
            }
        }
        let mut values = HashMap::new();
        for name in passes.iter().flat_map(HashMap::keys) {
            let first = passes[0].get(name).copied();
            let same = passes.iter().all(|pass| pass.get(name).copied() == first);
            values.insert(name.clone(), first.filter(|_| same));
        }
        Defines { values, composed }
    }

    /// The value of a name in a condition: `Some(None)` if it is never defined, `None` if that depends on the pass.
    fn value(&self, name: &str) -> Option<Option<i64>> {
        match self.values.get(name) {
            Some(value) => value.map(Some),
            None if name == "RECORDED" || name.starts_with("GL_") || name.starts_with("__") => None,
            None if self.composed.iter().any(|text| defines(text, name)) => None,
            None => Some(None),
        }
    }

    /// Whether a directive's condition holds; `None` if that depends on the pass, or it is no condition.
    fn holds(&self, word: &str, condition: &str) -> Option<bool> {
        let name = condition.trim();
        match word {
            "ifdef" => return self.value(name).map(|value| value.is_some()),
            "ifndef" => return self.value(name).map(|value| value.is_none()),
            _ => {}
        }
        let lines = tokens::lines(condition).ok()?;
        let [line] = &lines[..] else { return None };
        let mut values = Vec::new();
        let mut rest = line.tokens.iter();
        while let Some(token) = rest.next() {
            let text = match (token.kind, token.text) {
                (tokens::Kind::Name, "defined") => {
                    let name = rest.clone().find(|token| token.text != "(")?.text;
                    while rest.clone().next().is_some_and(|next| ["(", ")", name].contains(&next.text)) {
                        rest.next();
                    }
                    if self.value(name)?.is_some() { "1".to_owned() } else { "0".to_owned() }
                }
                (tokens::Kind::Name, name) => self.value(name)?.unwrap_or(0).to_string(),
                (_, text) => text.to_owned(),
            };
            values.push(text);
        }
        let text = values.join(" ");
        let lines = tokens::lines(&text).ok()?;
        condition::value(&lines.first()?.tokens, tokens::At::default()).ok().map(|value| value != 0)
    }
}

/// Returns true if a text has a `#define` of this name.
fn defines(text: &str, name: &str) -> bool {
    let mut directives = text.lines().filter_map(|line| line.trim_start().strip_prefix("#define "));
    directives.any(|rest| rest.trim_start().strip_prefix(name).is_some_and(|rest| !rest.starts_with(of_name)))
}

fn of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// An `#if` that is open.
struct Open {
    /// True if its lines count at all.
    outer: bool,
    /// True if a branch of it holds in every pass: those that follow do not count.
    done: bool,
    /// True if a directive of it was kept.
    kept: bool,
    /// True if the lines of its branch count.
    live: bool,
}

/// A shader's text with the branches that are decided by these defines. A text with directives that do not match stays as it
/// is.
pub fn preprocessed(shader: &Shader, defines: &Defines) -> String {
    let text = shader.source();
    let decided = branches(text, defines).unwrap_or_else(|| text.to_owned());
    without_words(text, &decided)
}

fn branches(text: &str, defines: &Defines) -> Option<String> {
    let mut out = String::new();
    let mut open: Vec<Open> = Vec::new();
    for line in text.lines() {
        let live = open.last().is_none_or(|open| open.live);
        let directive = line.trim_start().strip_prefix('#').map(|rest| rest.trim_start());
        let (word, condition) = directive.map_or(("", ""), |directive| {
            let directive = directive.split("//").next().unwrap_or_default();
            directive.split_at(directive.find(|letter| !of_name(letter)).unwrap_or(directive.len()))
        });
        let mut keep = |line: &str| out.extend([line, "\n"]);
        match word {
            "if" | "ifdef" | "ifndef" => {
                let holds = defines.holds(word, condition);
                if live && holds.is_none() {
                    keep(line);
                }
                let done = holds == Some(true);
                open.push(Open {
                    outer: live,
                    done,
                    kept: live && holds.is_none(),
                    live: live && holds != Some(false),
                });
            }
            "elif" => {
                let open = open.last_mut()?;
                let holds = if open.done { Some(false) } else { defines.holds(word, condition) };
                match (open.outer, holds, open.kept) {
                    (true, Some(true), true) => keep("#else"),
                    (true, None, true) => keep(line),
                    (true, None, false) => keep(&format!("#if{condition}")),
                    _ => {}
                }
                open.kept |= open.outer && holds.is_none();
                open.live = open.outer && holds != Some(false);
                open.done |= holds == Some(true);
            }
            "else" => {
                let open = open.last_mut()?;
                open.live = open.outer && !open.done;
                if open.live && open.kept {
                    keep("#else");
                }
            }
            "endif" => {
                let closed = open.pop()?;
                if closed.kept {
                    keep("#endif");
                }
            }
            _ if live => keep(line),
            _ => {}
        }
    }
    open.is_empty().then_some(out)
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter| !of_name(letter)).filter(|word| !word.is_empty())
}

/// A text without the sentences at its head that name what is only in the text before.
fn without_words(before: &str, text: &str) -> String {
    let is_comment = |line: &&str| line.starts_with("//");
    let head: Vec<&str> = text.lines().take_while(is_comment).collect();
    let rest: String = text.lines().skip(head.len()).map(|line| format!("{line}\n")).collect();
    let code = |text: &str| -> String { text.lines().skip(head.len()).collect::<Vec<_>>().join("\n") };
    let (all, left) = (code(before), code(text));
    let left: Vec<&str> = words(&left).collect();
    let is_gone = |word: &str| {
        let is_define = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        is_define && words(&all).any(|known| known == word) && !left.contains(&word)
    };
    let comment = head.iter().map(|line| line.trim_start_matches('/').trim()).collect::<Vec<_>>().join(" ");
    let sentences: Vec<&str> = comment.split_inclusive(". ").collect();
    let kept: Vec<&str> =
        sentences.iter().copied().filter(|sentence| !words(sentence).any(is_gone)).collect();
    if kept.len() == sentences.len() {
        return text.to_owned();
    }
    let mut lines = vec![String::from("//")];
    for word in kept.concat().split_whitespace() {
        if lines.last().is_some_and(|line| line.len() + 1 + word.len() > LONGEST) {
            lines.push("//".into());
        }
        if let Some(line) = lines.last_mut() {
            line.extend([" ", word]);
        }
    }
    lines.join("\n") + "\n" + &rest
}
